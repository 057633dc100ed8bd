"""What practice tasks are made of: look-ups that each name what the next one asks for, and one write at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from services_app.engine.protocol import Mounting
from tasks_app.engine.criteria import build_rubric, goal_of, write_scope
from tasks_app.engine.program import (
    Call,
    Constant,
    Expression,
    Get,
    Program,
    Register,
    Sequenced,
    Template,
    run_program,
)
from tasks_app.engine.proof import submit
from tasks_app.engine.task import Graph, GraphEdge, InitialState, StateEdit, TaskSpec, mounted_services

BACKEND: Final = "practice"
STATE_SEED: Final = 1


@dataclass(frozen=True)
class Look:
    """One look-up: the call, what it shows, and the edit of s0 after which it shows the alternative instead.

    `key` is the register that it asks with, or "" with `asks` as the word. `also` are further registers and paths.
    """

    service: str
    tool: str
    argument: str
    path: str
    name: str
    kind: str
    value: Any
    alternative: Any
    ablation: StateEdit
    key: str = ""
    asks: str = ""
    also: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Chain:
    """A whole story: planted records, look-ups in order, and the call that writes what was found."""

    instruction: str
    edits: tuple[StateEdit, ...]
    looks: tuple[Look, ...]
    service: str
    tool: str
    arguments: dict[str, Expression]
    mentioned: tuple[str, ...]
    lineage: str

    @property
    def walk(self) -> tuple[str, ...]:
        """One visit for each call."""
        return (*(look.service for look in self.looks), self.service)


def mail_to(address: Expression, topic: str, register: str) -> dict[str, Expression]:
    """Arguments of a message that says what a register holds."""
    return {
        "to": Sequenced(items=(address,)),
        "subject": Constant(value=topic),
        "body": Template(parts=(Register(name=register),)),
    }


def write_chain(chain: Chain, mounting: Mounting, services: Sequence[str]) -> TaskSpec:
    """The proven task of a story with these services mounted, or one whose `proof` names the claim that fails."""
    plain = mounting.mount(services, seed=STATE_SEED, scale="small")
    world = plain.edited(edit.to_edit() for edit in chain.edits)
    solved = world.fork()
    program = _program(chain)
    run = run_program(program, solved.call)
    task = TaskSpec(
        instruction=chain.instruction,
        services=mounted_services(world, chain.walk),
        initial=InitialState(seed=STATE_SEED, clock=world.clock, edits=chain.edits),
        graph=Graph(walk=chain.walk, edges=_edges(chain)),
        reference=program,
        answer=run.answer,
        goal=goal_of(solved),
        rubric=build_rubric(program, run, solved),
        scope=write_scope(solved),
        meaning={"frame": BACKEND, "mentioned": list(chain.mentioned), "defined": list(chain.mentioned)},
        tags=("practice",),
        author={"backend": BACKEND, "model": ""},
        lineage=chain.lineage,
    )
    proven = submit(task, lambda _: world.fork())
    for environment in (solved, world, plain):
        environment.close()
    return proven


def distinct(make: Callable[[int], TaskSpec], count: int, *, kind: str = "") -> Iterator[TaskSpec]:
    """`count` different proven tasks out of `make(0)`, `make(1)` and so on.

    Raises ValueError naming the claim for a task that cannot be proven, or if the words do not suffice.
    """
    of = f" of {kind}" if kind else ""
    seen: set[str] = set()
    number = 0
    while len(seen) < count:
        if number > 20 * count + 100:
            raise ValueError(f"the words{of} make only {len(seen)} different tasks, {count} are wanted")
        task = make(number)
        number += 1
        if not task.proof.passed:
            raise ValueError(f"practice task {number}{of} is not proven: {', '.join(task.proof.failing)}")
        if task.task_hash not in seen:
            seen.add(task.task_hash)
            yield task


def _program(chain: Chain) -> Program:
    steps: list[Call | Get] = []
    for number, look in enumerate(chain.looks, start=1):
        asked = Register(name=look.key) if look.key else Constant(value=look.asks)
        steps.append(
            Call(
                number=number,
                service=look.service,
                tool=look.tool,
                arguments={look.argument: asked},
                visit=number - 1,
            )
        )
        for name, path in (*look.also, (look.name, look.path)):
            steps.append(Get(register_name=name, call=number, path=path))
    last = len(chain.looks)
    steps.append(
        Call(
            number=last + 1,
            service=chain.service,
            tool=chain.tool,
            arguments=dict(chain.arguments),
            visit=last,
            write=True,
        )
    )
    return Program(steps=tuple(steps))


def _edges(chain: Chain) -> tuple[GraphEdge, ...]:
    """One edge for each look-up: its value is carried to the visit that follows."""
    walk = chain.walk
    return tuple(
        GraphEdge(
            position=place,
            source=look.service,
            target=walk[place + 1],
            name=look.name,
            kind=look.kind,
            how="field",
            value=look.value,
            alternative=look.alternative,
            revisit=walk[place + 1] in walk[: place + 1],
            register_name=look.name,
            ablation=(look.ablation,),
        )
        for place, look in enumerate(chain.looks)
    )
