"""Other orders of the same program: reads as early or as late as the data allows, writes that do not depend."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tasks_app.engine.program import Call, Get, Program, inputs_of

Steps = list[Call | Get]


def reordered(program: Program, *, reads_first: bool, stale_registers: Sequence[str] = ()) -> Program:
    """The program with its reads moved as far as the data allows; writes keep their order.

    A read whose figure is meant "after the change" stays behind the writes of its service that come before it,
    and before those that come after it.
    """
    stale = {get.call for get in program.gets if get.register_name in set(stale_registers)}
    left: Steps = list(program.steps)
    done: set[tuple[str, str | int]] = set()
    order: Steps = []
    while left:
        step = _next(left, done, stale, reads_first)
        left.remove(step)
        order.append(step)
        done.add(("call", step.number) if isinstance(step, Call) else ("register", step.register_name))
    return program.model_copy(update={"steps": tuple(order)})


def _next(left: Steps, done: set[tuple[str, str | int]], stale: set[int], reads_first: bool) -> Call | Get:
    writes = [step for step in left if isinstance(step, Call) and step.write]
    ready = [step for step in left if set(inputs_of(step)) <= done and _may(step, left, writes, stale)]
    preferred = [step for step in ready if (isinstance(step, Call) and step.write) != reads_first]
    return (preferred or ready)[0]


def _may(step: Call | Get, left: Steps, writes: list[Call], stale: set[int]) -> bool:
    if not isinstance(step, Call):
        return True
    if step.write:
        waiting = (
            other for other in left if isinstance(other, Call) and other.number in stale and other.number < step.number
        )
        return step is writes[0] and not any(other.service == step.service for other in waiting)
    if step.number in stale:
        return not any(write.number < step.number and write.service == step.service for write in writes)
    return True


def swapped_writes(program: Program, stale_registers: Sequence[str] = ()) -> list[Program]:
    """Programs with two neighbouring, independent writes in different services exchanged.

    A read that is meant "after the change" depends on the writes of its service before it.
    """
    stale = {get.call for get in program.gets if get.register_name in set(stale_registers)}
    steps = list(program.steps)
    positions = [index for index, step in enumerate(steps) if isinstance(step, Call) and step.write]
    found = []
    for first, second in itertools.pairwise(positions):
        early, late = steps[first], steps[second]
        assert isinstance(early, Call)
        assert isinstance(late, Call)
        if early.service == late.service:
            continue
        produced: set[tuple[str, str | int]] = {("call", early.number)}
        for step in steps[first + 1 : second + 1]:
            rereads = isinstance(step, Call) and step.number in stale and step.service == early.service
            if rereads or set(inputs_of(step)) & produced:
                produced.add(("call", step.number) if isinstance(step, Call) else ("register", step.register_name))
        if ("call", late.number) in produced:
            continue
        between = steps[first + 1 : second]
        order = [*steps[:first], *between, late, early, *steps[second + 1 :]]
        if _in_order(order):
            found.append(program.model_copy(update={"steps": tuple(order)}))
    return found


def _in_order(steps: Steps) -> bool:
    done: set[tuple[str, str | int]] = set()
    for step in steps:
        if not set(inputs_of(step)) <= done:
            return False
        done.add(("call", step.number) if isinstance(step, Call) else ("register", step.register_name))
    return True
