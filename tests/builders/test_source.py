"""The source that the rules write: readable, within the policy, the same every time."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services_app.builders.lines import wrapped
from services_app.builders.rules import BuiltService, build_with_rules
from services_app.verification.own_tests import read_own_tests
from services_app.verification.static import static_problems
from tests.builders import specs

NAMES = ["garage", "library", "awkward", "weather"]


@pytest.mark.parametrize("name", NAMES)
def test_source_keeps_the_static_policy(built: dict[str, BuiltService], name: str) -> None:
    assert static_problems(built[name].files, built[name].module) == []


@pytest.mark.parametrize("name", NAMES)
def test_source_has_no_unused_names_and_no_long_lines(
    built: dict[str, BuiltService], name: str, tmp_path: Path
) -> None:
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent))
    assert ruff, "the development tools hold ruff"
    for file, text in built[name].packaged().items():
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    found = subprocess.run(
        [
            ruff,
            "check",
            "--isolated",
            "--select",
            "E,F,W",
            "--line-length",
            "120",
            "--exclude",
            "spec.py",
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_is_built_or_left_out(built: dict[str, BuiltService], name: str) -> None:
    spec = getattr(specs, name)()
    tree = ast.parse(built[name].files["tools.py"])
    written = {
        decorator.args[0].value
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and isinstance(decorator.args[0], ast.Constant)
    }
    assert written | set(built[name].left_out) == {tool.name for tool in spec.tools}
    assert not written & set(built[name].left_out)


@pytest.mark.parametrize("name", NAMES)
def test_building_twice_gives_the_same_source(built: dict[str, BuiltService], name: str) -> None:
    assert build_with_rules(getattr(specs, name)()).files == built[name].files


def test_a_tool_reads_like_one_a_person_wrote(built: dict[str, BuiltService]) -> None:
    text = built["garage"].files["tools.py"]
    start = text.index("@service.spec_tool('update_car'")
    assert text[start:].split("\n\n\n")[0] == (
        "@service.spec_tool('update_car', **TOOLS['update_car'])\n"
        "def tool_update_car(state: GarageState, ctx: CallContext, args: Arguments) -> Any:\n"
        '    """Changes what was sent, nothing else."""\n'
        "    require(state.owners, args.get('owner_id'))\n"
        "    record = pick(state.cars, args.get('car_id'))\n"
        "    changes = take(\n"
        "        args,\n"
        "        {\n"
        "            'plate': 'plate',\n"
        "            'owner_id': 'owner_id',\n"
        "            'colour': 'colour',\n"
        "            'price': 'price',\n"
        "            'extras': 'extras',\n"
        "            'doors': 'doors',\n"
        "        },\n"
        "    )\n"
        "    changes = something(changes, ('plate', 'owner_id', 'colour', 'price', 'extras', 'doors'))\n"
        "    record = state.cars.patch(record.id, **changes)\n"
        "    return show_written(record)"
    )


def test_own_tests_cover_the_life_of_a_record_and_stay_outside_the_sandbox(built: dict[str, BuiltService]) -> None:
    tests = read_own_tests(built["garage"].files)
    (life,) = [test for test in tests if test["name"].startswith("car:")]
    assert [step["tool"] for step in life["steps"]] == [
        "list_owners", "create_car", "get_car", "list_cars", "delete_car", "get_car",
    ] or [step["tool"] for step in life["steps"]] == [
        "list_owners", "create_car", "get_car", "delete_car", "get_car",
    ]  # fmt: skip
    assert life["steps"][-1]["expect"] == {"success": False}
    assert not any(name.endswith(".json") for name in built["garage"].packaged())
    assert json.loads(built["garage"].files["tests.json"])


def test_long_lines_break_at_brackets_and_mean_the_same() -> None:
    line = "value = call({'a': [1, 2, 3], 'b, (c': \"x\\\"],\"}, " + ", ".join(f"name_{n}={n}" for n in range(12)) + ")"
    lines = list(wrapped([line]))
    assert all(len(part) <= 120 for part in lines)
    assert len(lines) > 3
    assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(line))
