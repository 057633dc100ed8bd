"""Calculators: arithmetic, expressions, number theory, statistics, units. Also the one rule for all formulas."""

from __future__ import annotations

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.builders.special.crypto import FORMULAS as CRYPTO
from services_app.builders.special.dates import FORMULAS as DATES
from services_app.builders.special.formula import Formula, Slot, plan_formula
from services_app.builders.special.medical import FORMULAS as MEDICAL
from services_app.builders.special.statistics import FORMULAS as STATISTICS
from services_app.builders.special.texts import FORMULAS as TEXTS
from services_app.specs.model import ToolSpec

_A = "a|x|first(_(number|num|value|operand))?|num(ber)?_?(1|a)|left|augend|value_?1|operand_?1|n1|base|number"
_B = "b|y|second(_(number|num|value|operand))?|num(ber)?_?(2|b)|right|addend|value_?2|operand_?2|n2"
_ONE = "a|x|n|value|number|num|input|angle"
_ADDS = r"\b(two|2) (numbers|values|integers)|numbers together|sum of|first number|两个数"

_PAIR = (Slot("a", _A, "number"), Slot("b", _B, "number"))
_SINGLE = (Slot("a", _ONE, "number"),)


def _two(names: str, function: str, about: str, result: float, a: str = "", b: str = "", cue: str = "") -> Formula:
    """A function of two numbers, worked out for 12 and 4."""
    slots = (Slot("a", f"{_A}|{a}" if a else _A, "number"), Slot("b", f"{_B}|{b}" if b else _B, "number"))
    return Formula(names, f"numbers.{function}", slots, about, cue, golden=(({"a": 12, "b": 4}, result),))


_ARITHMETIC = (
    _two(r"(get_)?(add|sum|addition|plus)(_two)?(_numbers)?", "add", "The sum of two numbers.", 16, cue=_ADDS),
    _two(
        r"subtract(ion)?(_two)?(_numbers)?|minus|difference", "subtract", "The first number minus the second.", 8,
        "minuend", "subtrahend",
    ),
    _two(r"(multiply|multiplication|times|product)(_two)?(_numbers)?", "multiply", "The product of two numbers.", 48),
    _two(
        r"(divide|division|quotient)(_two)?(_numbers)?", "divide", "The first number divided by the second.", 3,
        "numerator|dividend", "denominator|divisor",
    ),
    _two(r"mod(ulo|ulus)?|remainder", "modulo", "The remainder of a division.", 0, "dividend", "divisor|modulus"),
    _two(r"pow(er)?|exponentiat(e|ion)", "power", "A number to the power of another.", 20736, "", "exponent|exp|power"),
    _two(r"gcd|greatest_common_divisor", "divisor", "The greatest common divisor.", 4),
    _two(r"lcm|least_common_multiple", "multiple", "The least common multiple.", 12),
    Formula(r"sqrt|square_root", "numbers.root", _SINGLE, "The square root.", golden=(({"a": 144}, 12),)),
    Formula(
        r"(nth_)?root", "numbers.root", (*_SINGLE, Slot("b", "n|degree|root", "number", optional=True)), "A root.",
        golden=(({"a": 27, "b": 3}, 3),),
    ),
    Formula(
        r"log(arithm)?|ln", "numbers.logarithm", (*_SINGLE, Slot("b", "base", "number", optional=True)),
        "A logarithm, the natural one without a base.", cue=r"logarithm", golden=(({"a": 1}, 0), ({"a": 8, "b": 2}, 3)),
    ),
    Formula(r"floor", "numbers.floor", _SINGLE, "The next whole number below.", golden=(({"a": 2.7}, 2),)),
    Formula(r"ceil(ing)?", "numbers.ceiling", _SINGLE, "The next whole number above.", golden=(({"a": 2.2}, 3),)),
    Formula(
        r"round(_number)?", "numbers.rounded",
        (*_SINGLE, Slot("digits", "decimals|digits|precision|places|decimal_places", "number", optional=True)),
        "The nearest number of that precision.", golden=(({"a": 2.7}, 3), ({"a": 2.345, "digits": 1}, 2.3)),
    ),
    Formula(r"abs(olute)?(_value)?", "numbers.absolute", _SINGLE, "The absolute value.", golden=(({"a": -4}, 4),)),
    *(
        Formula(rf"{name}(e|gent)?", "numbers.trigonometric", _SINGLE, f"The {name} of an angle in radians.",
                cue="radian", fixed={"function": name}, golden=(({"a": 0}, 1 if name == "cos" else 0),))
        for name in ("sin", "cos", "tan")
    ),
    Formula(r"factorial", "numbers.factorial", _SINGLE, "The factorial.", golden=(({"a": 5}, 120),)),
    Formula(r"(is_prime|prime_check|check_prime)", "numbers.is_prime", _SINGLE, "Whether a number is prime.",
            golden=(({"a": 97}, True), ({"a": 91}, False))),
    Formula(r"(prime_)?factor(s|ize|ization|ise)", "numbers.factors", _SINGLE, "The prime factors.",
            cue="factor", golden=(({"a": 84}, 7),)),
    Formula(r"(nth_)?fibonacci", "numbers.fibonacci", _SINGLE, "A Fibonacci number, counted from 0.",
            cue=r"n-?th|number at", golden=(({"a": 10}, 55),)),
    Formula(
        r"permutations?", "numbers.permutations", (Slot("n", "n", "number"), Slot("k", "k|r", "number", optional=True)),
        "Ordered choices of k among n.", golden=(({"n": 5, "k": 2}, 20), ({"n": 4}, 24)),
    ),
    Formula(
        r"combinations?|binomial", "numbers.combinations", (Slot("n", "n", "number"), Slot("k", "k|r", "number")),
        "Choices of k among n.", golden=(({"n": 5, "k": 2}, 10),),
    ),
)  # fmt: skip

_EXPRESSIONS = (
    Formula(
        r"(evaluate|calculate|calc|cal|compute|eval|math|solve)(_(math|mathematical))?(_?(expression|formula))?|calculator",
        "expressions.evaluate",
        (
            Slot("expression", "expression|exp|expr|formula|equation|math_expression|input|query"),
            Slot("variables", "variables|vars|scope", "object", optional=True),
        ),
        "The value of an arithmetic expression.",
        cue=r"math|arithmetic|calculat|表达式",
        unless=r"jira|\bjql\b|template|formula field|(javascript|python) code",
        golden=(({"expression": "2*(3+4)"}, 14), ({"expression": "sqrt(16)+2^3"}, 12)),
    ),
    Formula(
        r"convert_to_base_units?", "numbers.base_units",
        (Slot("amount", "amount|value", "number"), Slot("decimals", "decimals", "number")),
        "An amount in the smallest unit of a token.", golden=(({"amount": 1.5, "decimals": 6}, "1500000"),),
    ),
    Formula(
        r"convert_from_base_units?", "numbers.decimal_units",
        (Slot("amount", "amount|value", "number"), Slot("decimals", "decimals", "number")),
        "An amount of a token's smallest unit as a decimal number.",
        golden=(({"amount": 1500000, "decimals": 6}, "1.5"),),
    ),
    Formula(
        r"convert_(units?|measurements?)|unit_convert(er|sion)?|convert", "geometry.converted",
        (
            Slot("value", "value|amount|quantity|number", "number"),
            Slot("source", "from|from_units?|source_unit|unit_from"),
            Slot("target", "to|to_units?|target_unit|unit_to"),
        ),
        "A measurement in another unit.", cue=r"\bunits?\b", unless=r"currenc|exchange|crypto",
        golden=(({"value": 10, "source": "km", "target": "m"}, 10000.0), ({"value": 100, "source": "celsius",
            "target": "fahrenheit"}, 212.0)),
    ),
    Formula(
        r"(calculate_)?(haversine|distance|haversine_distance|geo_distance)(_between(_points|_coordinates)?)?",
        "geometry.distance",
        (
            Slot("lat1", "lat(itude)?_?1|(from|start|origin)_lat(itude)?", "number"),
            Slot("lon1", "(lon|lng|longitude)_?1|(from|start|origin)_(lon|lng|longitude)", "number"),
            Slot("lat2", "lat(itude)?_?2|(to|end|destination)_lat(itude)?", "number"),
            Slot("lon2", "(lon|lng|longitude)_?2|(to|end|destination)_(lon|lng|longitude)", "number"),
            Slot("unit", "units?", optional=True),
        ),
        "The great-circle distance of two points.", whole=True, unless="route|driving|travel time",
        golden=(({"lat1": 0, "lon1": 0, "lat2": 0, "lon2": 180}, 20015.114),),
    ),
    Formula(
        r"compound_interest|calculate_compound_interest", "numbers.compound",
        (
            Slot("principal", "principal|amount|initial(_amount)?", "number"),
            Slot("rate", "(annual_)?(interest_)?rate", "number"),
            Slot("years", "years|term(_years)?|time", "number"),
            Slot("times", "times|compounds_per_year|n|frequency", "number", optional=True),
        ),
        "Principal and compound interest, the rate in percent a year.", cue="percent|%", whole=True,
        golden=(({"principal": 1000, "rate": 5, "years": 10}, 1628.89),),
    ),
    Formula(
        r"(calculate_)?(loan|mortgage)(_(payment|payments|calculator))?", "numbers.loan",
        (
            Slot("principal", "principal|(loan_)?amount", "number"),
            Slot("rate", "(annual_)?(interest_)?rate", "number"),
            Slot("years", "years|term(_years)?|loan_term(_years)?", "number"),
        ),
        "The monthly payment of a loan, the rate in percent a year.", cue="percent|%|annual", whole=True,
        golden=(({"principal": 200000, "rate": 6, "years": 30}, 1199.1),),
    ),
    Formula(
        r"(hex_to_rgb|convert_colou?r|colou?r_(info|convert(er)?))", "geometry.colour",
        (Slot("value", "hex|colou?r|value|hex_colou?r"),), "A colour in its usual notations.", whole=True,
        golden=(({"value": "#336699"}, 153),),
    ),
)  # fmt: skip

FORMULAS: tuple[Formula, ...] = (*_ARITHMETIC, *STATISTICS, *_EXPRESSIONS, *DATES, *CRYPTO, *MEDICAL, *TEXTS)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """A tool that is a known function of its arguments."""
    return plan_formula(reader, tool, FORMULAS)
