"""PROBE: steps that the model wrote, run on a fork of the designed world; what works becomes the reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from services_app.builders.model.workspace import WorkError
from services_app.engine.catalogue import Catalogue
from services_app.engine.protocol import Environment
from tasks_app.authors.model.draft import problems_of
from tasks_app.authors.model.exploring import changes_text, check_tool, compact, observation_text
from tasks_app.engine.program import Call, Get, Program, ProgramError, Step, run_program

_PATH = re.compile(r"\$(\.[^.\[\]]+|\[\*\])*")
_STEP: TypeAdapter[Step] = TypeAdapter(Step)
_EXPRESSIONS = (
    'as an object: {"kind": "literal", "value": ..., "origin": "instruction"} for what the instruction states, '
    '{"kind": "literal", "value": ..., "origin": "constant"} for what the agent may choose freely, '
    '{"kind": "register", "name": ...} for what was read, or a template or list of these'
)


def read_steps(given: Sequence[Any], catalogue: Catalogue, made: int) -> tuple[Step, ...]:
    """Steps as a model writes them; calls are numbered on from `made`. Raises WorkError naming the first bad one."""
    steps: list[Step] = []
    for number, raw in enumerate(given, 1):
        try:
            step = _read_step(raw, catalogue, made + 1 + sum(isinstance(one, Call) for one in steps))
        except WorkError as error:
            raise WorkError(f"Step {number} of these: {error}") from error
        steps.append(step)
    return tuple(steps)


def _read_step(raw: Any, catalogue: Catalogue, number: int) -> Step:
    if not isinstance(raw, Mapping):
        raise WorkError("A step is an object.")
    whole = {"step": "call" if "tool" in raw else "get", **raw}
    if whole["step"] == "call":
        whole |= {"number": number, "visit": 0, "write": False}
        _check_arguments(whole.get("arguments"))
    try:
        step = _STEP.validate_python(whole)
    except ValidationError as error:
        raise WorkError(problems_of(error)) from error
    if isinstance(step, Call):
        check_tool(catalogue, step.service, step.tool)
        return step
    wrong = next((path for path in _paths(step) if not _PATH.fullmatch(path)), None)
    if wrong is not None:
        raise WorkError(f"A path is written like $.tickets[*].id, not {wrong!r}; choose rows by where or rank.")
    return step


def _check_arguments(arguments: Any) -> None:
    if not isinstance(arguments, Mapping):
        raise WorkError('A call has "arguments": an object, {} when there are none.')
    for name, value in arguments.items():
        if not isinstance(value, Mapping) or "kind" not in value:
            raise WorkError(f"Say where argument {name!r} comes from, {_EXPRESSIONS}.")


def _paths(get: Get) -> Iterator[str]:
    yield get.path
    yield from (clause.path for clause in get.where)
    if get.rank is not None:
        yield get.rank.path


@dataclass
class Rehearsal:
    """What a program did in a world: one entry of `seen` for each call made, (envelope, changes)."""

    steps: tuple[Step, ...]
    seen: list[tuple[Mapping[str, Any], list[Any]]] = field(default_factory=list)
    registers: Mapping[str, Any] = field(default_factory=dict)
    error: ProgramError | None = None


def rehearse(world: Environment, steps: tuple[Step, ...]) -> Rehearsal:
    """Run steps on a fork of `world`. Calls that change something come back marked as writes."""
    twin = world.fork()
    rehearsal = Rehearsal(steps)

    def call(service: str, tool: str, arguments: dict[str, Any]) -> Mapping[str, Any]:
        envelope = twin.call(service, tool, arguments)
        changes = twin.changes[slice(*twin.calls[-1].changes)]
        rehearsal.seen.append((envelope, [change.to_json() for change in changes]))
        return envelope

    try:
        rehearsal.registers = run_program(Program(steps=steps), call).registers
    except (ProgramError, TypeError, ValueError) as error:  # such as a sum over texts
        rehearsal.error = error if isinstance(error, ProgramError) else _located(world, steps, error)
        rehearsal.registers = rehearse(world, steps[: rehearsal.error.step]).registers
    finally:
        twin.close()
    writes = {number for number, (_, changes) in enumerate(rehearsal.seen, 1) if changes}
    rehearsal.steps = tuple(
        step.model_copy(update={"write": step.number in writes}) if isinstance(step, Call) else step for step in steps
    )
    return rehearsal


def _located(world: Environment, steps: tuple[Step, ...], error: Exception) -> ProgramError:
    """An error that does not say its step, with the first step after which it happens."""
    works = 0
    while works < len(steps) - 1 and rehearse(world, steps[: works + 1]).error is None:
        works += 1
    return ProgramError(works, f"{type(error).__name__}: {error}")


def told(rehearsal: Rehearsal, first: int) -> str:
    """The steps from index `first` on with what each gave; the last line says where it ended, if it did."""
    error = rehearsal.error
    ended = len(rehearsal.steps) if error is None else error.step
    lines = []
    for step in rehearsal.steps[first : ended + 1]:
        if isinstance(step, Get):
            if step.register_name in rehearsal.registers:
                lines.append(f"{step.register_name} = {compact(rehearsal.registers[step.register_name])}")
        elif step.number <= len(rehearsal.seen):
            envelope, changes = rehearsal.seen[step.number - 1]
            head = f"call {step.number} {step.service}.{step.tool}"
            lines.append(f"{head}: {observation_text(envelope)}\n  {changes_text(changes)}")
    if error is not None:
        lines.append(f"ERROR at step {error.step - first + 1} of these: {str(error).partition(': ')[2]}")
    return "\n".join(lines)
