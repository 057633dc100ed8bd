"""SUBMIT: from the draft to the artifact. What can be measured is measured and not taken from the model."""

from __future__ import annotations

import contextlib
import itertools
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from services_app.builders.model.workspace import WorkError
from services_app.engine import EngineError, ServiceDefect
from services_app.engine.protocol import Environment
from tasks_app.authors.model.draft import Brief, Draft, EdgeDraft
from tasks_app.authors.model.meaning import defined_names, names_in
from tasks_app.engine.columns import CODE, DATE, EMAIL, TIME, TIMESTAMP
from tasks_app.engine.criteria import build_rubric, goal_of, write_scope
from tasks_app.engine.profile import ServiceProfile, ToolProfile
from tasks_app.engine.program import (
    Call,
    Get,
    MadeCall,
    Program,
    ProgramError,
    ProgramRun,
    Step,
    Template,
    expand,
    inputs_of,
    run_program,
)
from tasks_app.engine.task import Criterion, Graph, GraphEdge, InitialState, StateEdit, TaskSpec, mounted_services
from tasks_app.engine.text import plain_form
from tasks_app.engine.values import NoFreshValueError, Values

WORLDS_TRIED = 40
OTHERS_TRIED = 10
_HOW = {"text": "text", "policy": "policy", "sum": "total"}
_SHAPES = ((EMAIL, "email"), (TIMESTAMP, "timestamp"), (DATE, "date"), (TIME, "time"), (CODE, "code"))


def freeze(
    draft: Draft,
    brief: Brief,
    world: Environment,
    profiles: Mapping[str, ServiceProfile],
    *,
    answer: Template | None,
    criteria: Sequence[Criterion],
) -> TaskSpec:
    """The task without its proof. `world` is s0; without `criteria` they are made from what the reference changes.

    Raises WorkError in words when the draft does not hang together.
    """
    steps = with_visits(draft.steps, draft.walk)
    program = Program(steps=steps, answer=answer)
    solved = world.fork()
    try:
        run = run_program(program, solved.call)
        goal = goal_of(solved)
        if len({change["service"] for change in goal.changes}) < min(2, len(brief.needed)):
            raise WorkError("The reference has to write in two services at least.")
        edges = _Edges(program, run, world, profiles, brief, draft.plant).drawn(draft)
        return TaskSpec(
            instruction=draft.instruction,
            services=mounted_services(world, brief.needed),
            initial=InitialState(seed=brief.state_seed, scale=brief.scale, clock=world.clock, edits=draft.plant),
            graph=Graph(walk=draft.walk, edges=edges),
            reference=program,
            answer=run.answer,
            goal=goal,
            rubric=tuple(criteria) or build_rubric(program, run, solved),
            scope=write_scope(solved),
            meaning=_meaning(draft, program, world, edges),
            tags=tuple(sorted(_tags(program, edges, goal.changes))),
            author={"backend": "model", "model": "", "seed": brief.seed},
            lineage=f"{'+'.join(sorted(brief.needed))}|{'>'.join(f'{edge.how}:{edge.kind}' for edge in edges)}|model",
        )
    except (ProgramError, TypeError, ValueError) as error:
        if isinstance(error, WorkError):
            raise
        raise WorkError(f"The reference does not run in the designed world: {error}") from error
    finally:
        solved.close()


def with_visits(steps: Sequence[Step], walk: Sequence[str]) -> tuple[Step, ...]:
    """The steps with the visit of each call: calls go along the walk. Raises WorkError for one that does not."""
    at = 0
    found: list[Step] = []
    for step in steps:
        if not isinstance(step, Call):
            found.append(step)
            continue
        ahead = [place for place in range(at, len(walk)) if walk[place] == step.service]
        if not ahead:
            raise WorkError(
                f"Call {step.number} goes to {step.service}, but the walk {' > '.join(walk)} does not come "
                f"there after visit {at} ({walk[at]}). Make the calls in the order of the walk."
            )
        at = ahead[0]
        found.append(step.model_copy(update={"visit": at}))
    return tuple(found)


class _Edges:
    """Makes the edges of the graph out of what was declared and what is measured."""

    def __init__(
        self,
        program: Program,
        run: ProgramRun,
        world: Environment,
        profiles: Mapping[str, ServiceProfile],
        brief: Brief,
        planted: Sequence[StateEdit],
    ) -> None:
        self._program = program
        self._run = run
        self._world = world
        self._profiles = profiles
        self._calls = {call.number: call for call in program.calls}
        self._made = {made.number: made for made in run.calls}
        self._planted = {(edit.service, edit.table, edit.id) for edit in planted}
        self._values = Values(random.Random(f"alternatives:{brief.seed}"), reuse=True)  # noqa: S311 - reproducible

    def drawn(self, draft: Draft) -> tuple[GraphEdge, ...]:
        walk = draft.walk
        if len(draft.edges) != len(walk) - 1:
            raise WorkError(
                f"A walk of {len(walk)} visits has {len(walk) - 1} edges, in order, not {len(draft.edges)}."
            )
        return tuple(self._edge(position, edge, walk) for position, edge in enumerate(draft.edges))

    def _edge(self, position: int, edge: EdgeDraft, walk: Sequence[str]) -> GraphEdge:
        get = self._declared(position, edge, walk)
        call, value = self._calls[get.call], self._run.registers[edge.register_name]
        profile = self._profiles.get(call.service)
        tool = profile.tools.get(call.tool) if profile else None
        kind, choices = self._kind(get, value, profile, tool)
        stale = self._is_stale(get, call, value)
        others = self._others(walk[position + 1], value, kind, choices)
        ablation, alternative = self._ablation(edge, call.service, value, kind, others)
        return GraphEdge(
            position=position,
            source=walk[position],
            target=walk[position + 1],
            name=edge.name,
            kind=kind,
            how=_how(get, call, tool, stale=stale),
            value=value,
            alternative=alternative,
            revisit=walk[position + 1] in walk[: position + 1],
            stale=stale,
            register_name=edge.register_name,
            ablation=ablation,
        )

    def _declared(self, position: int, edge: EdgeDraft, walk: Sequence[str]) -> Get:
        """The step that reads the value, if it reads it at this visit and the next visit needs it."""
        name, where = edge.register_name, f"Edge {position} ({walk[position]} > {walk[position + 1]})"
        get = next((one for one in self._program.gets if one.register_name == name), None)
        if get is None:
            raise WorkError(f"{where}: no step of the reference reads a register {name!r}.")
        source = self._calls[get.call]
        if source.visit != position:
            raise WorkError(
                f"{where}: {name} is read from call {get.call}, which belongs to visit {source.visit} "
                f"({walk[source.visit]}) and not to visit {position}."
            )
        if not any(self._visit(step) == position + 1 for step in self._users(name)):
            raise WorkError(f"{where}: no call of visit {position + 1} ({walk[position + 1]}) makes use of {name}.")
        return get

    def _users(self, name: str) -> Iterator[Step]:
        """Steps that use a register, or what was chosen by it."""
        names = {name}
        for step in self._program.steps:
            if any(("register", known) in inputs_of(step) for known in names):
                yield step
                if isinstance(step, Get):
                    names.add(step.register_name)

    def _visit(self, step: Step) -> int:
        return step.visit if isinstance(step, Call) else self._calls[step.call].visit

    def _is_stale(self, get: Get, call: Call, value: Any) -> bool:
        """Whether the same read gave something else before the reference wrote in that service."""
        if call.write or get.operation != "path":
            return False
        made: MadeCall = self._made[call.number]
        twin = self._world.fork()
        envelope = twin.call(made.service, made.tool, made.arguments)
        twin.close()
        shown = expand(envelope.get("data"), get.path) if envelope["success"] else []
        return bool(shown) and value not in [match.value for match in shown]

    @staticmethod
    def _kind(
        get: Get, value: Any, profile: ServiceProfile | None, tool: ToolProfile | None
    ) -> tuple[str, tuple[str, ...]]:
        """Kind of a carried value: as it is read from a text, as its column has it, or as it looks."""
        if get.kind:
            return get.kind, get.choices
        for column, path in tool.returns.items() if tool and profile else ():
            known = profile.columns.get(column) if profile else None
            if path == get.path and known is not None and known.kind not in ("id", "ref", "object"):
                return known.kind, known.choices
        if isinstance(value, bool | int | float):
            return ("flag" if isinstance(value, bool) else "count" if isinstance(value, int) else "money"), ()
        return next((kind for pattern, kind in _SHAPES if pattern.match(str(value))), "title"), ()

    def _ablation(
        self, edge: EdgeDraft, service: str, value: Any, kind: str, others: Sequence[Any]
    ) -> tuple[tuple[StateEdit, ...], Any]:
        """Edits after which the reference reads another value, and that value."""
        if edge.ablation:
            run = self._run_after(edge.ablation)
            if run is None or run.registers[edge.register_name] == value:
                raise WorkError(f"With its ablation, the reference does not read another {edge.name}.")
            return edge.ablation, run.registers[edge.register_name]
        edits = (edit for other in others for edit in self._replacements(service, value, other, kind))
        for edit in itertools.islice(edits, WORLDS_TRIED):
            run = self._run_after((edit,))
            if run is not None and run.registers[edge.register_name] != value and _writes(run) != _writes(self._run):
                return (edit,), run.registers[edge.register_name]
        return (), None

    def _others(self, target: str, value: Any, kind: str, choices: Sequence[str]) -> list[Any]:
        """Values that could stand in the place of one: a near one, and those that name other records of the target.

        Planted records come first: the near-duplicates among them are meant to be as usable.
        """
        found: list[Any] = []
        with contextlib.suppress(NoFreshValueError):
            found.append(self._values.near(kind, value, choices))
        for table in self._world.catalogue.services[target].tables:
            rows = self._world.rows(target, table)
            rows.sort(key=lambda row: (target, table, row["id"]) not in self._planted)
            fields = {field for row in rows for field, held in row.items() if held == value}
            found += [row[field] for field in sorted(fields) for row in rows if row[field] not in (value, None, "")]
        return list({repr(other): other for other in found}.values())[:OTHERS_TRIED]

    def _replacements(self, service: str, value: Any, other: Any, kind: str) -> Iterator[StateEdit]:
        """One record at a time that shows the value, with the other one in its place."""
        for table in self._world.catalogue.services[service].tables:
            for row in self._world.rows(service, table):
                patch = {field: _replaced(old, value, other, kind) for field, old in row.items() if field != "id"}
                changed = {field: new for field, new in patch.items() if new != row[field]}
                if changed:
                    yield StateEdit(service=service, table=table, id=str(row["id"]), patch=changed)

    def _run_after(self, edits: Sequence[StateEdit]) -> ProgramRun | None:
        """What the reference does once these edits are made; None when it cannot."""
        try:
            world = self._world.edited([edit.to_edit() for edit in edits])
        except (EngineError, ServiceDefect):
            return None
        try:
            return run_program(self._program, world.call)
        except ProgramError:
            return None
        finally:
            world.close()


def _writes(run: ProgramRun) -> list[Any]:
    return [(made.service, made.tool, made.arguments) for made in run.calls if made.write]


def _replaced(old: Any, value: Any, other: Any, kind: str) -> Any:
    """A field with the other value in the place of the value, as it is or as a person writes it."""
    if old == value and isinstance(old, bool) == isinstance(value, bool):
        return other
    if isinstance(old, list):
        return [other if item == value else item for item in old]
    if not isinstance(old, str):
        return old
    for form, new in ((str(value), str(other)), (plain_form(kind, value), plain_form(kind, other))):
        if len(form) > 1 and form in old:
            return old.replace(form, new)
    return old


def _how(get: Get, call: Call, tool: ToolProfile | None, *, stale: bool) -> str:
    if call.write:
        return "generated"
    if get.operation in _HOW:
        return _HOW[get.operation]
    if get.rank is not None:
        return "ranked"
    figures = {figure.path for figure in tool.derived} if tool else set()
    return "derived" if stale or get.path in figures else "field"


def _meaning(draft: Draft, program: Program, world: Environment, edges: Sequence[GraphEdge]) -> dict[str, Any]:
    mentioned = [*names_in(draft.instruction), *(edge.name for edge in edges)]
    found = defined_names(names_in(draft.instruction), program, world)
    words = set(re.findall(r"\w+", draft.instruction.casefold()))
    told = [edge.name for edge in edges if set(re.findall(r"\w+", edge.name.casefold())) <= words]
    return {
        "frame": "model",
        "values": {
            edge.register_name: {"noun": edge.name, "kind": edge.kind, "how": edge.how, "stale": edge.stale}
            for edge in edges
        },
        "mentioned": list(dict.fromkeys(mentioned)),
        "defined": list(dict.fromkeys([*found, *told])),
    }


def _tags(program: Program, edges: Sequence[GraphEdge], changes: Sequence[Mapping[str, Any]]) -> set[str]:
    tags = {
        "sequential dependency": len(edges) > 1,
        "cross-service constraint": len({change["service"] for change in changes}) > 1,
        "ranked selection": any(get.rank is not None for get in program.gets),
        "policy lookup": any(get.operation == "policy" for get in program.gets),
        "stale re-read": any(edge.stale for edge in edges),
        "data transformation": any(get.operation == "text" for get in program.gets),
        "question": program.answer is not None,
    }
    return {name for name, there in tags.items() if there}
