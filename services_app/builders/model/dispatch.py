"""One call of a model carried out: its tool found by name, its arguments checked, its answer cut to size."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from services_app.builders.model.conversation import Answer
from services_app.builders.model.schemas import check_arguments
from services_app.builders.model.workspace import WorkError

ANSWER_CHARACTERS = 14_000
Operation = Callable[..., Answer | str]


def dispatch(
    tools: Sequence[Mapping[str, Any]], operations: Mapping[str, Operation], name: str, arguments: Mapping[str, Any]
) -> Answer:
    """What the tool `name` answers; what is wrong with the call is the answer too."""
    operation = operations.get(name)
    if operation is None:
        near = difflib.get_close_matches(name, operations, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]}?" if near else ""
        return Answer(f"ERROR There is no tool {name!r}.{hint} The tools are: {', '.join(operations)}.")
    wrong = check_arguments(tools, name, arguments)
    if wrong:
        return Answer(f"ERROR {wrong}")
    try:
        answer = operation(**arguments)
    except WorkError as error:
        return Answer(f"ERROR {cut(str(error))}")
    return answer if isinstance(answer, Answer) else Answer(cut(answer))


def cut(text: str) -> str:
    """The text, without what exceeds the length of an answer."""
    if len(text) <= ANSWER_CHARACTERS:
        return text
    return text[:ANSWER_CHARACTERS] + f"\n[... {len(text) - ANSWER_CHARACTERS:,} characters left out; ask for less ...]"
