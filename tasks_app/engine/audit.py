"""The leak and shortcut audit: can the task be passed without the work, and what gives its values away?

Cheaters see names, order and ids only (`cheating`), solvers without discovery guess every carried value (`skipping`);
neither may pass. A carried value that nobody can guess must not be readable outside its source (`canaries`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

from services_app.engine.errors import EngineError
from services_app.engine.protocol import Environment
from tasks_app.engine.ablation import LOW_ENTROPY, TELLING_DIGITS, find_leak, readable
from tasks_app.engine.cheating import PICKS, Ids, Pick, cheat, ids_of
from tasks_app.engine.program import ProgramError, ProgramRun, run_program
from tasks_app.engine.rubric import verify
from tasks_app.engine.skipping import SOLVERS, Guesses, decisive, skip
from tasks_app.engine.task import Audit, AuditFinding, GraphEdge, SolverResult, TaskSpec
from tasks_app.engine.text import plain_form

SHORTEST_CANARY = 6  # shorter values occur by chance
LUCK = 1 / 8  # a pass without discovery that is less likely than this is no luck


def audit(task: TaskSpec, run: ProgramRun, start: Environment) -> Audit:
    """Audit a task whose reference made `run` in s0; `start` is an environment in s0 and is left as it is."""
    try:
        texts = readable(start)
        found = [f"{edge.name}: {leak}" for edge in task.graph.edges if (leak := find_leak(task, edge, texts))]
        found += [f"{value} stands in {where}" for value, where in canaries(task, start)]
        blind, ids = _Blind(task, run, start), ids_of(start, task.needed)
        solvers = (
            *(_cheater(task, start, ids, pick) for pick in PICKS),
            *(blind.solve(name) for name in blind.solvers),
        )
        meant_first, doubles = _listed_first(task, start)
    except EngineError as error:
        return Audit(outcome="unknown", why=f"the environment was lost: {error}")
    findings = [AuditFinding(kind="canary", what=what) for what in found]
    findings += [
        AuditFinding(kind=solver.kind, what=solver.solver)
        for solver in solvers
        if solver.passed and (solver.kind == "cheater" or not blind.may_be_lucky)
    ]
    untold = [solver.solver for solver in solvers if solver.passed is None]
    return Audit(
        outcome="fail" if findings else "unknown" if untold else "pass",
        findings=tuple(findings),
        solvers=solvers,
        decisive=len(blind.needed),
        chance=blind.chance,
        doubles=doubles,
        meant_first=meant_first,
        why=f"the verdict could not be told: {', '.join(untold)}" if untold else "",
    )


def canaries(task: TaskSpec, start: Environment) -> list[tuple[str, str]]:
    """(value, where) of carried values of high entropy in what every agent is shown at once, or inside an id."""
    carried = {form: edge for edge in task.graph.edges if (form := _canary(edge))}
    if not carried:
        return []
    found = []
    for where, text in _shown_to_all(start):
        found += [(form, where) for form in carried if form in text]
    for service, info in start.catalogue.services.items():
        for table in info.tables:
            ids = [str(row["id"]).casefold() for row in start.rows(service, table)]
            listed = "\n".join(ids)
            for form, edge in carried.items():
                if form in listed and not (service in (edge.source, edge.target) and form in ids):
                    found.append((form, f"an id of {service}.{table}"))
    return found


def _canary(edge: GraphEdge) -> str:
    """How a value of high entropy is written; "" for values that may stand anywhere by chance."""
    if edge.kind in LOW_ENTROPY or isinstance(edge.value, bool | int):
        return ""
    shown = plain_form(edge.kind, edge.value).casefold()
    if isinstance(edge.value, float):  # a round sum stands in many an example
        return shown if len(f"{edge.value:g}".strip("-0").replace(".", "")) >= TELLING_DIGITS else ""
    return shown if len(shown) >= SHORTEST_CANARY else ""


def _shown_to_all(start: Environment) -> Iterable[tuple[str, str]]:
    """(what it is, text) of everything that the catalogue says about services and tools."""
    for slug, info in start.catalogue.services.items():
        yield f"the description of {slug}", f"{slug} {info.title} {info.description}".casefold()
        for name, tool in start.catalogue.tools[slug].items():
            described = (tool.exposed, tool.title, tool.description, tool.input_schema, tool.output_schema)
            yield f"the description of {slug}.{name}", json.dumps(described, ensure_ascii=False).casefold()


def _cheater(task: TaskSpec, start: Environment, ids: Ids, pick: Pick) -> SolverResult:
    world = start.fork()
    answer, guesses = cheat(task, start, ids, world.call, pick)
    verdict = verify(task.rubric, task.scope, world, answer)
    world.close()
    right = sum(guesses.get(edge.register_name) == edge.value for edge in task.graph.edges)
    return SolverResult(
        kind="cheater",
        solver=f"takes the {pick}",
        passed=verdict.passed,
        score=verdict.score,
        guessed=right,
        of=len(task.graph.edges),
    )


class _Blind:
    """The solvers without discovery on one task."""

    def __init__(self, task: TaskSpec, run: ProgramRun, start: Environment) -> None:
        self._task = task
        self._gold = run.registers
        self._start = start
        self._guesses = Guesses(task, start)
        registers = [edge.register_name for edge in task.graph.edges]
        self.needed = decisive(task.reference, registers)
        self.solvers = SOLVERS if registers else ()

    @property
    def _candidates(self) -> list[int]:
        """For each decisive value, how many different ones a search turns up; 0 where it is not among them."""
        edges = [edge for edge in self._task.graph.edges if edge.register_name in self.needed]
        found = [{repr(value) for _, value in self._guesses.hits(edge)} for edge in edges]
        return [
            len(values) if repr(self._gold[edge.register_name]) in values else 0
            for edge, values in zip(edges, found, strict=True)
        ]

    @property
    def chance(self) -> float:
        """How likely a blind choice among what a search turns up is right in every decisive value."""
        return round(prod(1 / count if count else 0.0 for count in self._candidates), 6)

    @property
    def may_be_lucky(self) -> bool:
        """A task of few values is guessed now and then, though each of them has another that is as usable."""
        return self.chance >= LUCK and 1 not in self._candidates

    def solve(self, solver: str) -> SolverResult:
        values = self._guesses.by(solver)
        right = sum(self._gold.get(name) == value for name, value in values.items() if value is not None)
        result = SolverResult(kind="skips discovery", solver=solver, passed=False, guessed=right, of=len(values))
        for edge in self._task.graph.edges:
            if edge.register_name in self.needed and values[edge.register_name] is None:
                return result.model_copy(update={"stopped": f"no idea of the {edge.name}"})
        world = self._start.fork()
        try:
            solved = run_program(skip(self._task.reference, values), world.call)
        except ProgramError as error:
            return result.model_copy(update={"stopped": str(error)[:200]})
        else:
            verdict = verify(self._task.rubric, self._task.scope, world, solved.answer)
            return result.model_copy(update={"passed": verdict.passed, "score": verdict.score})
        finally:
            world.close()


def _listed_first(task: TaskSpec, start: Environment) -> tuple[int, int]:
    """Of the records meant that have a near-duplicate: how many stand before it in their table, and how many."""
    first, pairs = 0, 0
    for place in task.meaning.get("places", ()):
        meant, double = place.get("id"), place.get("double")
        order = [row["id"] for row in start.rows(place["service"], place["table"])] if double else []
        if meant in order and double in order:
            pairs += 1
            first += order.index(meant) < order.index(double)
    return first, pairs


def audit_figures(tasks: Sequence[TaskSpec]) -> dict[str, Any]:
    """Figures of the audits of a set. Shares lie between 0 and 1 and are None where nothing was counted.

    `decisive` is the mean number of carried values that decide; `meant_first` and `needed_mounted_first` are near 0.5
    when order tells nothing.
    """
    audits = [task.proof.audit for task in tasks if task.proof.audit is not None]
    results = [result for one in audits for result in one.solvers]
    return {
        "audited": len(audits),
        "outcomes": dict(Counter(one.outcome for one in audits)),
        "cheater_share": _passing(audits, "cheater"),
        "skipping_share": _passing(audits, "skips discovery"),
        "findings": dict(Counter(finding.kind for one in audits for finding in one.findings)),
        "solvers": {name: _solver_figures([r for r in results if r.solver == name]) for name in _names(results)},
        "decisive": _share(sum(one.decisive for one in audits), len(audits)),
        "meant_first": _share(sum(one.meant_first for one in audits), sum(one.doubles for one in audits)),
        "needed_mounted_first": _needed_first(tasks),
    }


def _names(results: Sequence[SolverResult]) -> list[str]:
    return list(dict.fromkeys(result.solver for result in results))


def _passing(audits: Sequence[Audit], kind: str) -> float | None:
    """Share of the tasks that some solver of this kind passes."""
    passed = sum(any(result.passed for result in one.solvers if result.kind == kind) for one in audits)
    return _share(passed, len(audits))


def _solver_figures(results: Sequence[SolverResult]) -> dict[str, Any]:
    return {
        "passes": sum(result.passed is True for result in results),
        "mean_score": _share(sum(result.score for result in results), len(results)),
        "guessed": _share(sum(result.guessed for result in results), sum(result.of for result in results)),
    }


def _needed_first(tasks: Sequence[TaskSpec]) -> float | None:
    """Share of the pairs of a needed service and a distractor in which the needed one is mounted first."""
    first, pairs = 0, 0
    for task in tasks:
        roles = [service.role for service in task.services]
        for position, role in enumerate(roles):
            if role == "needed":
                first += roles[position:].count("distractor")
                pairs += roles.count("distractor")
    return _share(first, pairs)


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
