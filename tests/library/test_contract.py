"""What every shipped service keeps, whatever it is about."""

from __future__ import annotations

import ast
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from services_app.engine import ProductEnvironment
from services_app.engine.schema import compile_schema
from services_app.library.registry import load, load_all, slugs
from tests.library.cases import CASES, COMPANIES, PEOPLE, load_cases
from tests.library.driver import Driver, declared_errors, environment

LIBRARY = Path(__file__).parents[2] / "services_app" / "library"
FORBIDDEN = {
    "time", "random", "uuid", "os", "sys", "secrets", "socket", "subprocess", "pathlib", "io", "shutil", "tempfile",
    "threading", "asyncio", "urllib", "http", "requests", "httpx", "importlib", "ctypes", "pickle",
}  # fmt: skip
HOSTILE = "Łódź <b>&amp;</b> '; DROP TABLE x; -- \u202e 你好 🎉 {{7*7}}"
load_cases()
every_service = pytest.mark.parametrize("slug", slugs())


@cache
def working_calls(slug: str) -> dict[str, dict[str, Any] | None]:
    """Tool -> arguments with which it succeeds on the seeded state."""
    driver = Driver(environment(slug), slug)
    return {tool: driver.working(tool) for tool in driver.info.tools}


@cache
def met_errors(slug: str) -> dict[tuple[str, str], str]:
    """(tool, error) -> a message seen while making many drawn calls, from states that other calls have led to."""
    found: dict[tuple[str, str], str] = {}
    for seed in (7, 8):
        env = environment(slug, seed=seed)
        driver = Driver(env, slug, seed)
        tools = list(driver.info.tools)
        for _ in range(120):
            tool = driver.rng.choice(tools)
            env.call(slug, tool, driver.arguments(tool, wild=0.02))
        driver.refresh()
        for tool in tools:
            for _ in range(70):
                observation = env.fork().call(slug, tool, driver.arguments(tool, wild=0.12))
                if not observation["success"]:
                    found.setdefault((tool, observation["error"]["type"]), observation["error"]["message"])
    return found


# What is told about a service


def test_registry_loads_every_service_once() -> None:
    assert len(slugs()) == len(set(slugs())) == len(load_all())
    assert load("mail") is load("mail")
    assert [service.slug for service in load_all()] == list(slugs())


@every_service
def test_size_and_description(slug: str) -> None:
    service = load(slug)
    assert 15 <= len(service.tools) <= 30
    assert len(service.tables) >= 3
    assert 40 <= len(service.description) <= 160
    assert service.domain != "other"


@every_service
def test_tools_read_like_documentation(slug: str) -> None:
    for tool in load(slug).tools.values():
        compile_schema(tool.input_schema)
        assert tool.summary.endswith("."), tool.name
        assert 12 <= len(tool.summary) <= 160, (tool.name, tool.summary)
        for name, part in tool.input_schema["properties"].items():
            assert part.get("description", "").endswith("."), f"{tool.name}.{name} is not described"


@every_service
def test_phrases_fit_their_tools(slug: str) -> None:
    for tool in load(slug).tools.values():
        names = set(re.findall(r"{(\w+)}", tool.phrase))
        assert names <= tool.input_schema["properties"].keys(), tool.name
        assert not tool.phrase.endswith("."), tool.name


@every_service
def test_every_field_has_a_meaning_and_every_record_a_name(slug: str) -> None:
    for name, record in load(slug).tables.items():
        missing = record.model_fields.keys() - record.semantics().keys()
        assert not missing, f"{slug}.{name}: {missing}"
        about = record.about
        assert about.noun != "record", f"{slug}.{name}: {about}"
        assert about.plural, f"{slug}.{name}: {about}"
        assert about.prefix, f"{slug}.{name}: {about}"
        assert about.key == "" or about.key in record.model_fields, f"{slug}.{name} has no field {about.key}"
        for meaning in record.semantics().values():
            assert meaning.kind != "ref" or meaning.target in load(slug).tables, f"{slug}.{name}: {meaning}"


@every_service
def test_notes_and_documents_exist_and_hold_text(slug: str) -> None:
    carriers = [record for record in load(slug).tables.values() if record.about.carrier]
    assert carriers
    for record in carriers:
        assert any(meaning.kind == "text" for meaning in record.semantics().values())


def test_no_two_services_are_alike() -> None:
    """Tool names and fields may recur, most of them must not."""
    shapes = {service.slug: set(service.tools) for service in load_all()}
    for first, second in itertools.combinations(shapes.items(), 2):
        assert len(first[1] & second[1]) <= 6, (first[0], second[0])


def test_nothing_outside_the_engine_is_reached() -> None:
    """Services use neither clock, files, network nor randomness of their own."""
    for path in sorted(LIBRARY.rglob("*.py")):
        if path.name in ("registry.py", "sources.py"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & FORBIDDEN, f"{path}: {names}"
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Name):
                assert called.id not in ("open", "eval", "exec", "compile", "__import__"), f"{path}: {called.id}"
            if isinstance(called, ast.Attribute):
                assert called.attr not in ("utcnow", "today") or ast.unparse(called) == "ctx.today", f"{path}"


# Seeds


@every_service
def test_seed_is_the_same_twice_and_differs_by_seed(slug: str) -> None:
    load(slug)._templates.clear()
    first = environment(slug, seed=3).state_hash()
    load(slug)._templates.clear()
    assert environment(slug, seed=3).state_hash() == first
    assert environment(slug, seed=4).state_hash() != first


def test_seeds_do_not_depend_on_the_hash_seed() -> None:
    """Two fresh processes with different string hashing build byte-equal states."""
    code = (
        "import hashlib, json\n"
        "from services_app.engine import ProductEnvironment\n"
        "from services_app.library.registry import load_all\n"
        "state = ProductEnvironment(list(load_all()), seed=5, scale='small').state()\n"
        "print(hashlib.sha256(json.dumps(state).encode()).hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": number},
            cwd=LIBRARY.parents[1],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for number in ("1", "2")
    }
    state = ProductEnvironment(list(load_all()), seed=5, scale="small").state()
    assert found == {hashlib.sha256(json.dumps(state).encode()).hexdigest() + "\n"}


@every_service
def test_seed_grows_with_the_scale_and_stays_below_a_megabyte(slug: str) -> None:
    sizes = {scale: environment(slug, scale=scale).state()[slug] for scale in ("small", "normal", "large")}
    counts = {scale: sum(map(len, state.values())) for scale, state in sizes.items()}
    assert counts["small"] * 1.5 < counts["normal"]
    assert counts["normal"] * 1.8 < counts["large"]
    assert len(json.dumps(sizes["normal"])) < 1_000_000
    assert all(sizes["small"].values()), [name for name, rows in sizes["small"].items() if not rows]


@every_service
def test_references_resolve_in_the_seed_and_after_many_calls(slug: str) -> None:
    env = environment(slug)
    assert_references(env, slug)
    driver = Driver(env, slug, 1)
    for _ in range(200):
        tool = driver.rng.choice(list(driver.info.tools))
        env.call(slug, tool, driver.arguments(tool, wild=0.02))
    assert not env.defects
    assert_references(env, slug)


def assert_references(env: ProductEnvironment, slug: str) -> None:
    state = env.state()[slug]
    ids = {table: {row["id"] for row in rows} for table, rows in state.items()}
    for name, table in env.catalogue.services[slug].tables.items():
        for field, meaning in table.semantics.items():
            if meaning["kind"] != "ref":
                continue
            for row in state[name]:
                values = row[field] if isinstance(row[field], list) else [row[field]]
                lost = [value for value in values if value is not None and value not in ids[meaning["target"]]]
                assert not lost, f"{slug}.{name}.{field}: {lost}"


@every_service
def test_texts_are_filled_in(slug: str) -> None:
    """No open slot is left in the prose (templates keep theirs in double braces)."""
    text = json.dumps(environment(slug).state(), ensure_ascii=False)
    assert not re.findall(r"(?<!{){\w+}(?!})", text)
    assert "lorem" not in text.lower()


def test_the_same_people_are_in_every_service() -> None:
    """A contact has one name per address wherever it occurs."""
    state = ProductEnvironment(list(load_all()), seed=7, scale="small").state()
    names: dict[str, set[str]] = {}
    for slug, table in PEOPLE:
        for row in state[slug][table]:
            names.setdefault(row["email"], set()).add(row["name"])
    assert all(len(found) == 1 for found in names.values())
    shared = [email for email, found in names.items() if found]
    assert len(shared) > 60
    companies = [{row["name"] for row in state[slug][table]} for slug, table in COMPANIES]
    assert len(set.intersection(*companies)) >= 12


# Calls


@every_service
def test_every_tool_can_succeed(slug: str) -> None:
    assert [tool for tool, found in working_calls(slug).items() if found is None] == []


@every_service
def test_examples_work_on_the_small_seed(slug: str) -> None:
    """What a tool's author gives as a working call works."""
    for tool in load(slug).tools.values():
        for example in tool.examples:
            env = environment(slug, seed=0)
            for name, arguments in example.after:
                assert env.call(slug, name, arguments)["success"], (tool.name, name)
            observation = env.call(slug, tool.name, example.arguments)
            assert observation["success"], (tool.name, observation)


@every_service
def test_writes_have_phrases_and_reads_write_nothing(slug: str) -> None:
    """A tool without a phrase never writes; one with a phrase writes when it succeeds."""
    env = environment(slug)
    driver = Driver(env, slug, 2)
    for tool, info in driver.info.tools.items():
        trials = [working_calls(slug)[tool], *(driver.arguments(tool, wild=0) for _ in range(25))]
        written = Counter[bool]()
        for arguments in trials:
            twin = env.fork()
            if twin.call(slug, tool, arguments)["success"]:
                written[bool(twin.changes)] += 1
        assert written[bool(info.phrase)], f"{slug}.{tool}: phrase {info.phrase!r}, wrote {dict(written)}"
        assert info.phrase or not written[True], f"{slug}.{tool} writes and has no phrase"


@every_service
def test_the_same_call_from_the_same_state_gives_the_same_answer(slug: str) -> None:
    env = environment(slug)
    for tool, arguments in working_calls(slug).items():
        first, second = env.fork(), env.fork()
        assert first.call(slug, tool, arguments) == second.call(slug, tool, arguments), tool
        assert first.state_hash() == second.state_hash()


@every_service
def test_observations_are_json_and_not_cut(slug: str) -> None:
    """Default pages fit: an agent that asks for nothing special is not cut off, at normal scale."""
    env = environment(slug, scale="normal")
    driver = Driver(env, slug)
    for tool in driver.info.tools:
        arguments = driver.working(tool)
        observation = env.fork().call(slug, tool, arguments)
        assert json.loads(json.dumps(observation)) == observation, tool
        assert not (isinstance(observation["data"], dict) and observation["data"].get("truncated")), tool


@every_service
def test_refused_calls_change_nothing(slug: str) -> None:
    env = environment(slug)
    driver = Driver(env, slug, 5)
    before, counters = env.state_hash(), 0
    for tool in driver.info.tools:
        for _ in range(40):
            twin = env.fork()
            if not twin.call(slug, tool, driver.arguments(tool, wild=0.3))["success"]:
                counters += 1
                assert twin.state_hash() == before, tool
                assert not twin.changes, tool
    assert counters > 100


@every_service
def test_unknown_ids_are_not_found(slug: str) -> None:
    """A required id that does not exist is 404, whatever else is right."""
    env = environment(slug)
    for tool, arguments in working_calls(slug).items():
        info = env.catalogue.services[slug].tools[tool]
        for name in info.input_schema.get("required", ()):
            if info.semantics.get(name, {}).get("kind") == "ref":
                observation = env.fork().call(slug, tool, {**(arguments or {}), name: "NOPE-0000"})
                assert observation.get("error", {}).get("code") == 404, (tool, name, observation)


@every_service
def test_mistyped_missing_and_unknown_arguments_are_400(slug: str) -> None:
    env = environment(slug)
    for tool, arguments in working_calls(slug).items():
        schema = env.catalogue.services[slug].tools[tool].input_schema
        wrong = [{**(arguments or {}), "no_such_argument": 1}]
        right = arguments or {}
        typed = [name for name, part in schema["properties"].items() if part.get("type") != "object"]
        wrong += [{**right, name: {"odd": [1]}} for name in typed if name not in ("values", "parameters")]
        wrong += [{key: right[key] for key in right if key != name} for name in schema.get("required", ())]
        for values in wrong:
            observation = env.fork().call(slug, tool, values)
            assert observation.get("error", {}).get("code") == 400, (tool, values, observation)


@every_service
def test_hostile_text_survives(slug: str) -> None:
    """Text of any kind is stored and shown as it was sent, and never breaks a tool."""
    env = environment(slug)
    for tool, arguments in working_calls(slug).items():
        info = env.catalogue.services[slug].tools[tool]
        for name, meaning in info.semantics.items():
            if meaning["kind"] in ("text", "title") and isinstance((arguments or {}).get(name), str):
                twin = env.fork()
                observation = twin.call(slug, tool, {**(arguments or {}), name: HOSTILE})
                assert observation["success"] or observation["error"]["code"] != 500, (tool, observation)
                if observation["success"] and info.phrase and name not in ("find",):
                    stored = json.dumps([change.to_json()["after"] for change in twin.changes], ensure_ascii=False)
                    assert json.dumps(HOSTILE, ensure_ascii=False)[1:-1] in stored, tool


@every_service
def test_every_refusal_is_declared_and_says_what_to_do(slug: str) -> None:
    """No error type comes that the tool's text does not name, and no defect."""
    tools = load(slug).tools
    for (tool, error), message in met_errors(slug).items():
        assert error != "internal_error", (tool, message)
        if error != "invalid_arguments":
            assert error in declared_errors(tools[tool].description), f"{slug}.{tool}: {error} is not declared"
        assert message.endswith("."), (tool, message)


@every_service
def test_every_declared_error_can_be_reached(slug: str) -> None:
    met = set(met_errors(slug))
    for (service, tool, error), situation in CASES.items():
        if service == slug:
            env, arguments = situation(environment(slug))
            before = env.state_hash()
            observation = env.call(slug, tool, arguments)
            assert observation.get("error", {}).get("type") == error, (tool, error, observation)
            assert env.state_hash() == before
            met.add((tool, error))
    declared = {(tool.name, error) for tool in load(slug).tools.values() for error in declared_errors(tool.description)}
    assert declared - met == set(), "add a situation to tests/library/cases.py"


@every_service
def test_paging_shows_every_row_once(slug: str) -> None:
    """Following next_cursor (or offset) gives the same rows as one large page."""
    env = environment(slug)
    paged = 0
    for tool, info in env.catalogue.services[slug].tools.items():
        names = info.input_schema["properties"].keys()
        if "limit" not in names or info.input_schema.get("required"):
            continue
        paged += 1
        whole = env.call(slug, tool, {"limit": 100})["data"]
        key = next(name for name, value in whole.items() if isinstance(value, list) and name != "columns")
        rows: list[Any] = []
        page: dict[str, Any] = {"limit": 7}
        for _ in range(20):
            data = env.call(slug, tool, page)["data"]
            rows += data[key]
            if not (data.get("next_cursor") or data.get("has_more")):
                break
            page = {"limit": 7, **({"cursor": data["next_cursor"]} if "next_cursor" in data else {"offset": len(rows)})}
        assert rows[:100] == whole[key], tool
        assert len(rows) >= min(whole["total"], 100), tool
    assert paged >= 1
