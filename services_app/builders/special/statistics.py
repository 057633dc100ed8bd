"""Statistics over a list of numbers, and draws from the generator of the call."""

from __future__ import annotations

from services_app.builders.special.formula import Formula, Slot

_LIST = "numbers|values|data|list|array|nums|dataset|sample"
_NUMBERS = (Slot("numbers", _LIST, "list"),)
_RANDOM = {"rng": "ctx.random"}
_LOW = "low|min|minimum|lower(_bound)?|start|from|min_value"
_HIGH = "high|max|maximum|upper(_bound)?|end|to|max_value"
_COUNT = "k|count|n|num|number|size|amount"
_PREFIX = r"(calculate_|compute_|get_|find_)?"


def _of(names: str, function: str, about: str, result: object, *, whole: bool = False) -> Formula:
    """A function of a list, worked out for 5, 9, 9, 21."""
    return Formula(
        _PREFIX + names, f"numbers.{function}", _NUMBERS, about, whole=whole,
        golden=(({"numbers": [5, 9, 9, 21]}, result),),
    )  # fmt: skip


FORMULAS: tuple[Formula, ...] = (
    _of("(sum|total|add)(_numbers)?", "total", "The sum of the numbers.", 44),
    _of("product", "product", "The product of the numbers.", 8505),
    _of("(mean|average|avg)", "mean", "The arithmetic mean.", 11),
    _of("median", "median", "The median.", 9, whole=True),
    _of("mode", "mode", "The most frequent numbers.", 9, whole=True),
    _of("(min|minimum)", "least", "The least number.", 5, whole=True),
    _of("(max|maximum)", "greatest", "The greatest number.", 21, whole=True),
    _of("range", "spread", "The greatest number minus the least.", 16),
    _of("(descriptive_)?(statistics|stats|summary_statistics)", "summary", "Count, sum, mean and spread.", 11,
        whole=True),
    Formula(
        _PREFIX + "variance", "numbers.variance", (*_NUMBERS, Slot("population", "population|is_population", "flag",
            True)),
        "The variance of a sample, or of a population.", golden=(({"numbers": [2, 4, 4, 4, 6]}, 2),),
    ),
    Formula(
        _PREFIX + r"(std|stdev|std_dev|standard_deviation)", "numbers.deviation",
        (*_NUMBERS, Slot("population", "population|is_population", "flag", True)),
        "The standard deviation of a sample, or of a population.",
        golden=(({"numbers": [2, 4, 4, 4, 5, 5, 7, 9], "population": True}, 2), ({"numbers": [1, 3]}, 2**0.5)),
    ),
    Formula(
        _PREFIX + "(percentile|quantile)", "numbers.percentile",
        (*_NUMBERS, Slot("percent", "percent|percentile|p|q", "number")),
        "A percentile, interpolated.", golden=(({"numbers": [1, 2, 3, 4], "percent": 50}, 2.5),),
    ),
    Formula(
        _PREFIX + "(pearson_)?correlation", "numbers.correlation",
        (Slot("x", "x|x_values|first|list_?1", "list"), Slot("y", "y|y_values|second|list_?2", "list")),
        "Pearson's correlation.", golden=(({"x": [1, 2, 3], "y": [2, 4, 6]}, 1),),
    ),
    Formula(
        _PREFIX + "(linear_)?regression", "numbers.regression",
        (Slot("x", "x|x_values", "list"), Slot("y", "y|y_values", "list")),
        "The least-squares line.", whole=True, golden=(({"x": [0, 1, 2], "y": [1, 3, 5]}, 2),),
    ),
    Formula(
        r"(random|generate_random)_(int|integer|number)|random_?number", "randoms.whole",
        (Slot("low", _LOW, "number", True), Slot("high", _HIGH, "number", True)),
        "A random whole number between two bounds.", context=_RANDOM, golden=(({"low": 7, "high": 7}, 7),),
        examples=({"low": 1, "high": 6}, {"low": 2, "high": 90}),
    ),
    Formula(
        r"random_float", "randoms.real", (Slot("low", _LOW, "number", True), Slot("high", _HIGH, "number", True)),
        "A random number between two bounds.", context=_RANDOM, golden=(({"low": 2.5, "high": 2.5}, 2.5),),
        examples=({}, {"low": 0, "high": 3}),
    ),
    Formula(
        r"(secure_)?random_(int|integer)|randbelow", "randoms.below", (Slot("upper", "upper(_bound)?|max|n|limit",
            "number"),),
        "A random whole number below a bound.", context=_RANDOM, golden=(({"upper": 1}, 0),),
        examples=({"upper": 5}, {"upper": 100}),
    ),
    Formula(
        r"random_choices?|choose_random", "randoms.choices",
        (
            Slot("items", "population|items|choices|options|list", "list"),
            Slot("count", _COUNT, "number", True),
            Slot("weights", "weights", "any", True),
        ),
        "Random items, with replacement.", context=_RANDOM, golden=(({"items": ["a"], "count": 2}, "a"),),
        examples=(
            {"items": ["a", "b", "c"]},
            {"items": ["a", "b", "c"], "count": 5, "weights": [1, 0, 0]},
            {"items": ["a", "b", "c"], "count": 5, "weights": [0, 0, 1]},
        ),
    ),
    Formula(
        r"(random_)?shuffle(_list)?", "randoms.shuffled", (Slot("items", "items|list|population|array", "list"),),
        "The items in random order.", context=_RANDOM, golden=(({"items": ["a"]}, "a"),),
        examples=({"items": [1, 2, 3, 4]},),
    ),
    Formula(
        r"random_sample", "randoms.sample",
        (Slot("items", "population|items|list", "list"), Slot("count", _COUNT, "number")),
        "Random different items.", context=_RANDOM, golden=(({"items": ["a"], "count": 1}, "a"),),
        examples=({"items": [1, 2, 3, 4], "count": 2},),
    ),
    Formula(
        r"(secure_)?(random_)?(token_hex|hex_token|generate_token)", "randoms.token",
        (Slot("size", "nbytes|bytes|length|size", "number", True),),
        "Random hexadecimal digits.", context=_RANDOM, examples=({"size": 4}, {"size": 16}),
    ),
    Formula(
        r"(generate|create|get|new)_(uuid|guid)s?|uuid(_?v?4)?(_generate)?", "randoms.uuids",
        (Slot("count", "count|n|number|amount|quantity", "number", True),),
        "Random identifiers.", context=_RANDOM, examples=({"count": 2}, {}),
    ),
    Formula(
        r"(generate|create)_(random_)?password|password_generator", "randoms.password",
        (
            Slot("length", "length|size", "number", True),
            Slot("special", "(use_|include_)?(special(_char(acter)?s)?|symbols)", "flag", True),
            Slot("digits", "(use_|include_)?(numbers|digits)", "flag", True),
        ),
        "A random password.", context=_RANDOM, examples=({"length": 16}, {"length": 10, "special": True}),
    ),
    Formula(
        r"roll_(dice|die|d)|dice_roll(er)?", "randoms.dice",
        (Slot("count", "count|num_dice|number|dice|n", "number", True), Slot("sides", "(num_)?sides|faces", "number",
            True)),
        "Rolled dice.", context=_RANDOM, whole=True, examples=({"count": 2, "sides": 6},),
    ),
)  # fmt: skip
