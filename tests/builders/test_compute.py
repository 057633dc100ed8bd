"""Formulas: each gives its worked values, fits only tools that look like it, and refuses what it cannot compute."""

from __future__ import annotations

import datetime as dt
import importlib
import random
import zoneinfo
from typing import Any

import pytest

from services_app.builders.analyse import analyse
from services_app.builders.own_tests import own_tests
from services_app.builders.rules import build_with_rules
from services_app.builders.special.charts import FORMULAS as CHARTS
from services_app.builders.special.compute import FORMULAS
from services_app.builders.special.formula import Formula
from services_app.engine.errors import ToolError
from services_app.recipes import ciphers, dates, expressions, geometry, numbers, query, randoms, texts, zones
from tests.builders.specs import TEXT, tool
from tests.specs.helpers import spec_of

NOW = "2026-03-02T09:00:00Z"
NUMBER = {"type": "number"}
WORKED = [
    pytest.param(formula, values, result, id=f"{formula.function}-{number}")
    for formula in (*FORMULAS, *CHARTS)
    for number, (values, result) in enumerate(formula.golden)
]


def holds(value: Any, wanted: Any) -> bool:
    if isinstance(value, dict | list):
        return any(holds(item, wanted) for item in (value.values() if isinstance(value, dict) else value))
    return bool(value == wanted)


def run(formula: Formula, values: dict[str, Any]) -> Any:
    module, name = formula.function.split(".")
    context = {"ctx.now": NOW, "ctx.random": random.Random(1)}
    more = {argument: context[expression] for argument, expression in formula.context.items()}
    function = getattr(importlib.import_module(f"services_app.recipes.{module}"), name)
    return function(**values, **formula.fixed, **more)


@pytest.mark.parametrize(("formula", "values", "result"), WORKED)
def test_each_worked_value_comes_out(formula: Formula, values: dict[str, Any], result: Any) -> None:
    assert holds({"result": run(formula, values)}, result)


@pytest.mark.parametrize("formula", [formula for formula in (*FORMULAS, *CHARTS) if formula.examples])
def test_each_further_example_works(formula: Formula) -> None:
    for values in formula.examples:
        run(formula, values)


def test_a_formula_takes_every_parameter_or_none_of_the_tool() -> None:
    pair = {"a": NUMBER, "b": NUMBER}
    fits = tool("add", pair, "a b", description="Adds two numbers")
    more = tool("divide", {**pair, "unknown_rule": TEXT}, "a b unknown_rule", description="Divides two numbers")
    planned = {planned.name for planned in analyse(spec_of(fits, more)).tools}
    assert "add" in planned
    assert "divide" not in planned


def test_add_of_an_application_is_no_arithmetic() -> None:
    tools = analyse(spec_of(tool("add", {"a": TEXT, "b": TEXT}, "a b", description="Add a member to a group"))).tools
    assert not [planned for planned in tools if planned.about]


def test_worked_values_become_tests_of_the_service() -> None:
    spec = spec_of(tool("sha256", {"input": TEXT}, "input"), tool("md5", {"text": TEXT}, "text"))
    names = {test["name"] for test in own_tests(spec, analyse(spec))}
    assert {"sha256: worked examples", "md5: worked examples"} <= names


def test_the_same_specification_gives_the_same_source() -> None:
    spec = spec_of(tool("sha256", {"input": TEXT}, "input"))
    assert build_with_rules(spec).files == build_with_rules(spec).files


@pytest.mark.parametrize(
    "name", [name for name in zones.zone_names() if name in zoneinfo.available_timezones()] or ["Europe/Berlin"]
)
def test_zones_agree_with_the_time_zone_database(name: str) -> None:
    own, other = zones.zone_of(name), zoneinfo.ZoneInfo(name)
    for year in (2025, 2026, 2027):
        for day in range(0, 365, 1 if own.rule else 60):
            moment = dt.datetime(year, 1, 1, 4) + dt.timedelta(days=day)  # noqa: DTZ001 - UTC
            wanted = moment.replace(tzinfo=dt.UTC).astimezone(other).utcoffset()
            assert dt.timedelta(minutes=own.offset(moment)) == wanted, moment


def test_a_wall_time_that_is_skipped_or_comes_twice() -> None:
    berlin = zones.zone_of("europe/berlin")
    assert berlin.utc(dt.datetime(2026, 3, 29, 2, 30)) == dt.datetime(2026, 3, 29, 1, 30)  # noqa: DTZ001
    assert berlin.utc(dt.datetime(2026, 10, 25, 2, 30)) == dt.datetime(2026, 10, 25, 0, 30)  # noqa: DTZ001


@pytest.mark.parametrize(
    ("key", "plain", "made"),
    [  # FIPS 197, appendix C
        ("000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"),
        ("000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
         "dda97ca4864cdfe06eaf70a0ec0d7191"),
        ("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
         "8ea2b7ca516745bfeafc49904b496089"),
        ("133457799bbcdff1", "0123456789abcdef", "85e813540f0ab405"),
        ("0123456789abcdef23456789abcdef01456789abcdef0123", "5468652071756663", "a826fd8ce53b855f"),  # SP 800-67
    ],
)  # fmt: skip
def test_ciphers_give_the_published_blocks(key: str, plain: str, made: str) -> None:
    secret = bytes.fromhex(key)
    encrypt, decrypt = (ciphers._aes if len(plain) == 32 else ciphers._des)(secret)
    assert encrypt(bytes.fromhex(plain)).hex() == made
    assert decrypt(bytes.fromhex(made)).hex() == plain


@pytest.mark.parametrize("mode", ["ECB", "CBC", "CFB", "OFB", "CTR"])
@pytest.mark.parametrize("padding", ["Pkcs7", "Iso97971", "AnsiX923", "Iso10126", "ZeroPadding"])
def test_every_mode_and_padding_gives_the_text_back(mode: str, padding: str) -> None:
    for algorithm, key, iv in (
        ("aes", "k" * 32, "i" * 16),
        ("des", "k" * 8, "i" * 8),
        ("tripledes", "kl" * 12, "i" * 8),
    ):
        made = ciphers.encrypt(random.Random(1), "Grüße", key, algorithm, iv, mode, padding, "hex")
        assert ciphers.decrypt(made, key, algorithm, iv, mode, padding, "hex") == "Grüße"


@pytest.mark.parametrize(
    "call",
    [
        lambda: numbers.divide(1, 0),
        lambda: numbers.root(-1),
        lambda: numbers.power(1e200, 9),
        lambda: numbers.mean([]),
        lambda: numbers.mean([1, "2"]),
        lambda: numbers.factorial(2.5),
        lambda: numbers.factorial(10**9),
        lambda: expressions.evaluate("__import__('os')"),
        lambda: expressions.evaluate("(1).real"),
        lambda: expressions.evaluate("9**9**9**9"),
        lambda: expressions.evaluate("(" * 400),
        lambda: expressions.evaluate("factorial(300)"),
        lambda: expressions.evaluate("factorial(2.5)"),
        lambda: dates.convert("noon", "UTC", "UTC", NOW),
        lambda: dates.current(NOW, "Mars"),
        lambda: dates.date_of("soon"),
        lambda: dates.date_of(1e30),
        lambda: randoms.whole(random.Random(1), 5, 1),
        lambda: randoms.sample(random.Random(1), [1], 2),
        lambda: texts.json_of("{"),
        lambda: texts.json_path("{}", "$.[?(@.a)]"),
        lambda: geometry.converted(1, "km", "kg"),
        lambda: geometry.distance(91, 0, 0, 0),
    ],
)
def test_what_cannot_be_computed_is_refused_in_words(call: Any) -> None:
    with pytest.raises(ToolError) as caught:
        call()
    assert caught.value.code in (400, 422)
    assert len(caught.value.message) > 10


COLUMNS = ("id", "project_key", "summary", "status", "assignee", "created", "labels", "size", "isRead")
ROWS = (
    {"id": "1", "project_key": "A", "summary": "Fix pump", "status": "To Do", "assignee": None,
     "created": "2026-03-01T10:00:00Z", "labels": ["x"], "size": 3, "isRead": False},
    {"id": "2", "project_key": "B", "summary": "Paint fence", "status": "Done", "assignee": "ida",
     "created": "2026-02-01T10:00:00Z", "labels": [], "size": 9, "isRead": True},
)  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        (query.atlassian, "project = A", "1"),
        (query.atlassian, 'status in ("To Do", Done) ORDER BY created', "12"),
        (query.atlassian, "status not in (Done)", "1"),
        (query.atlassian, "assignee is EMPTY", "1"),
        (query.atlassian, "assignee is not EMPTY and not status = 'To Do'", "2"),
        (query.atlassian, "(project = A or project = B) and summary ~ paint", "2"),
        (query.atlassian, "text ~ 'pump'", "1"),
        (query.atlassian, "created >= -7d", "1"),
        (query.atlassian, "created >= startOfMonth()", "1"),
        (query.atlassian, "labels = x", "1"),
        (query.atlassian, "", "12"),
        (query.odata, "isRead eq false", "1"),
        (query.odata, "contains(summary,'PUMP') or size gt 5", "12"),
        (query.odata, "startswith(summary,'Pa') and not (status eq 'To Do')", "2"),
        (query.odata, "created ge 2026-02-15T00:00:00Z", "1"),
        (query.odata, "assignee eq null", "1"),
        (query.keyed, "status:done", "2"),
        (query.keyed, "-pump", "2"),
        (query.cql_or_words, "fence", "2"),
        (query.cql_or_words, "summary ~ pump", "1"),
    ],
)
def test_a_query_finds_what_it_says(language: Any, text: str, found: str) -> None:
    asked = language(text, COLUMNS, NOW)
    assert "".join(str(row["id"]) for row in ROWS if asked.test(row)) == found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (query.atlassian, "nonsense = 1"),
        (query.atlassian, "status ="),
        (query.atlassian, "status = Done status"),
        (query.atlassian, "assignee = currentUser()"),
        (query.atlassian, "(status = Done"),
        (query.odata, "nonsense eq 1"),
        (query.odata, "size = 3"),
        (query.odata, "summary eq 'x"),
        (query.keyed, "nonsense:1"),
    ],
)
def test_a_query_with_an_unknown_field_or_bad_syntax_is_refused(language: Any, text: str) -> None:
    with pytest.raises(ToolError) as caught:
        language(text, COLUMNS, NOW)
    assert (caught.value.code, caught.value.type) == (400, "bad_query")
