"""Static policy: what the source of a service may not contain, found before it ever runs."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_MODULES = """
    __future__ bisect collections collections.abc dataclasses datetime decimal difflib enum fractions functools heapq
    itertools json math operator re sqlite3 statistics string textwrap typing unicodedata
    pydantic services_app.engine services_app.engine.fields services_app.engine.shaping
"""
_CALLS = "eval exec compile open input __import__ globals locals vars breakpoint id hash print"
ALLOWED_MODULES = frozenset(_MODULES.split())
FORBIDDEN_CALLS = frozenset(_CALLS.split())
# Doors from permitted modules to the interpreter and the machine: `json.codecs.sys.modules["os"]`.
DOORS = frozenset("sys os modules codecs environ builtins subprocess socket importlib ctypes posix".split())
CLOCKS = frozenset({"now", "utcnow", "today"})


def static_problems(files: Mapping[str, str], own_package: str = "") -> list[str]:
    """Sentences about every forbidden import, call or attribute; [] when the source may run."""
    problems: list[str] = []
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            problems.append(f"{name}: not Python: {error}")
            continue
        problems += [f"{name}:{line}: {what}" for line, what in _findings(tree, own_package)]
    return problems


def _findings(tree: ast.AST, own_package: str) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    modules = {
        alias.asname or alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            found += [
                (line, _import_problem(alias.name)) for alias in node.names if not _allowed(alias.name, own_package)
            ]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if not node.level and not _allowed(module, own_package):
                found.append((line, _import_problem(module)))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            found.append((line, f"calls {node.func.id}()"))
        elif isinstance(node, ast.Attribute):
            found += [(line, what) for what in _attribute_problem(node)]
            if node.attr in DOORS and _root(node) in modules:
                found.append((line, f"reaches for {node.attr} through the module {_root(node)}"))
    return found


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _allowed(module: str, own_package: str) -> bool:
    own = bool(own_package) and (module == own_package or module.startswith(f"{own_package}."))
    return module in ALLOWED_MODULES or own or module.startswith(("services_app.library", "services_app.recipes"))


def _import_problem(module: str) -> str:
    return f"imports {module}; services get time, ids and randomness from their call context and touch nothing outside"


def _attribute_problem(node: ast.Attribute) -> list[str]:
    if node.attr.startswith("__") and node.attr.endswith("__") and node.attr not in ("__name__", "__doc__"):
        return [f"uses the attribute {node.attr}"]
    if node.attr in CLOCKS and isinstance(node.value, ast.Name | ast.Attribute):
        owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
        if owner in ("datetime", "date", "dt"):
            return [f"reads the wall clock with {owner}.{node.attr}; use ctx.now or ctx.today"]
    return []
