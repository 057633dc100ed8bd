"""The rules of ARCHITECTURE.md that no linter keeps."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("webapp", "services_app", "tasks_app", "training_app", "workers")
PURE = (
    "services_app/engine",
    "services_app/specs",
    "services_app/builders",
    "services_app/verification",
    "services_app/library",
    "services_app/recipes",
    "tasks_app/engine",
    "tasks_app/authors",
    "tasks_app/policies",
    "training_app/engine",
    "training_app/exports",
    "training_app/evaluation",
    "workers/llm",
    "workers/sandbox",
    "workers/launchers",
)
BLOCKED = ("django", "rest_framework", "celery", "psycopg", "redis", "torch", "trl", "transformers", "litellm")
LONGEST_FILE = 400
LONGEST_FUNCTION = 60


def sources() -> list[Path]:
    return [
        path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts and path.stem != "spec"
    ]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


@pytest.mark.parametrize("folder", PURE)
def test_pure_half_imports_without_any_framework(folder: str) -> None:
    """Every module of the folder is imported in a process where the frameworks cannot be."""
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    script = f"""
import importlib, sys
class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {BLOCKED!r}:
            raise ImportError(f"{{name}} must not be imported here")
sys.meta_path.insert(0, Refuse())
for name in {modules!r}:
    importlib.import_module(name)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_files_stay_readable() -> None:
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in sources()}
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FILE} == {}


def test_functions_stay_readable() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in sources()
        for node in functions(path)
    }
    assert {name: lines for name, lines in long.items() if lines > LONGEST_FUNCTION} == {}


def test_runs_are_queued_in_one_place() -> None:
    """Sending elsewhere would queue work for rows that are not committed."""
    sending = (".delay(", ".apply_async(", ".send_task(")
    found = [str(path.relative_to(ROOT)) for path in sources() if any(word in path.read_text() for word in sending)]
    assert found == ["webapp/common/run_queue.py"]


def test_app_packages_hold_nothing() -> None:
    for package in ("services_app", "tasks_app", "training_app"):
        assert (ROOT / package / "__init__.py").read_text().strip() == ""
