"""What the recipes offer, read from the recipes themselves, so that the prompt never promises what is not there."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from functools import cache
from types import ModuleType

from services_app import recipes

CORE = ("records", "rows", "values")
_QUOTED = re.compile(r"(: |-> )'([^']*)'")  # annotations are texts in these modules


@cache
def module_names() -> tuple[str, ...]:
    """Every module of the recipes."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(recipes.__path__)))


@cache
def overview() -> str:
    """One line for each module."""
    return "\n".join(f"{name}: {_first_line(_module(name).__doc__)}" for name in module_names())


@cache
def functions_of(name: str) -> str:
    """The functions of a module with their signatures and what they do."""
    module = _module(name)
    found = [
        f"{key}{_signature(value)}: {_first_line(value.__doc__)}"
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not key.startswith("_")
    ]
    return f"from services_app.recipes.{name} import ...\n" + "\n".join(found)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{recipes.__name__}.{name}")


def _signature(function: object) -> str:
    assert callable(function)
    return _QUOTED.sub(r"\1\2", str(inspect.signature(function)))


def _first_line(text: str | None) -> str:
    return " ".join((text or "").strip().split("\n\n", 1)[0].split())
