"""The names, values and dates that a text mentions, and whether each is defined in the task or can be found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from services_app.engine.protocol import Environment
from tasks_app.engine.program import Call, Constant, Program, Sequenced, Template

_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"")
_TOKENS = re.compile(
    r"https?://[^\s“”\"]+[^\s“”\".,;)]"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|\b(?=[A-Z0-9/-]*\d)[A-Z][A-Z0-9]*(?:[-/][A-Z0-9]+)+\b"
)
_NAMES = re.compile(r"\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+")
_NUMBERS = re.compile(r"(?<![\w.,])\d[\d,.:]*\d|(?<![\w.,])\d")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATES = re.compile(rf"\b\d{{1,2}} (?:{_MONTH})(?: \d{{4}})?|\b\d{{4}}-\d\d-\d\d\b")


def names_in(text: str) -> tuple[str, ...]:
    """What a text names: quoted words, addresses, codes, and words with capital letters that stand together."""
    quoted = [one or other for one, other in _QUOTED.findall(text)]
    rest = _QUOTED.sub(" ", text)
    return tuple(dict.fromkeys([*quoted, *_TOKENS.findall(rest), *_NAMES.findall(rest)]))


def figures_in(text: str) -> tuple[str, ...]:
    """Dates and numbers as they are written."""
    dates = _DATES.findall(text)
    return tuple(dict.fromkeys([*dates, *_NUMBERS.findall(_DATES.sub(" ", text))]))


def stated_values(program: Program) -> tuple[Any, ...]:
    """Everything that the reference takes from the instruction."""
    found: dict[str, Any] = {}
    for step in program.steps:
        given = step.arguments.values() if isinstance(step, Call) else [clause.value for clause in step.where]
        for value in _constants(given):
            found.setdefault(repr(value), value)
    return tuple(found.values())


def _constants(expressions: Iterable[Any]) -> Iterator[Any]:
    for expression in expressions:
        if isinstance(expression, Constant) and expression.origin == "instruction":
            yield expression.value
        elif isinstance(expression, Sequenced):
            yield from _constants(expression.items)
        elif isinstance(expression, Template):
            yield from _constants(expression.parts)


def defined_names(names: Sequence[str], program: Program, world: Environment) -> tuple[str, ...]:
    """Those of `names` that the reference takes from the instruction, or that some record of the world shows.

    The first word of a name may only begin its sentence: "Ask Ada Arden" is defined when Ada Arden is.
    """
    stated = " \n".join(str(value) for value in stated_values(program)).casefold()
    shown = f"{stated}\n{_texts(world)}"
    return tuple(name for name in names if any(part and part in shown for part in _readings(name)))


def _readings(name: str) -> tuple[str, str]:
    folded = name.casefold()
    return folded, folded.partition(" ")[2] if name[:1].isupper() else ""


def _texts(world: Environment) -> str:
    """Every text of the state, in one."""
    return "\n".join(_strings(world.state())).casefold()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
