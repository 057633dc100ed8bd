"""Names in the source of a service for the names of a specification."""

from __future__ import annotations

import keyword
import re

from services_app.specs.vocabulary import words_of

_TAKEN = frozenset(
    {
        "id",
        "about",
        "plain",
        "changed",
        "semantics",
        "model_config",
        "copy",
        "json",
        "dict",
        "schema",
        "self",
        "identity",
        "f",
        "str",
        "int",
        "float",
        "bool",
        "tuple",
    }
)


_TAKEN_CLASSES = frozenset(
    {"Record", "State", "Table", "Service", "About", "Any", "Annotated", "Field", "Json", "SpecRecord"}
)


def python_name(name: str) -> str:
    """A field name that Python and Pydantic take, close to the original."""
    base = "_".join(words_of(name)) or "field"
    if not re.match(r"^[a-z]", base):
        base = f"field_{base}"
    if keyword.iskeyword(base) or keyword.issoftkeyword(base) or base in _TAKEN or base.startswith("model_"):
        base += "_"
    return base if base.isidentifier() else f"field_{hash_of(base)}"


def hash_of(text: str) -> int:
    """A small stable number for names without any usable letter."""
    return sum((index + 1) * ord(letter) for index, letter in enumerate(text))


def class_name(noun: str) -> str:
    name = "".join(word.capitalize() for word in noun.split("_"))
    if not name.isidentifier():
        name = f"Item{name}" if f"Item{name}".isidentifier() else f"Item{hash_of(noun)}"
    return f"{name}Record" if name in _TAKEN_CLASSES or keyword.iskeyword(name) else name
