"""The task artifact: everything a task is, frozen, JSON, hashed by content."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from services_app.engine import Edit
from services_app.engine.plain import digest
from services_app.engine.protocol import Environment, Mounting
from services_app.engine.store import CLOCK_START
from tasks_app.engine.program import Program

Scale = Literal["small", "normal", "large"]


class Frozen(BaseModel):
    """Base of the parts of a task."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class MountedService(Frozen):
    """One mounted service."""

    slug: str
    version_hash: str
    role: Literal["needed", "distractor"]


def mounted_services(environment: Environment, needed: Collection[str]) -> tuple[MountedService, ...]:
    """What is mounted, in mount order; what is not among `needed` is a distractor."""
    return tuple(
        MountedService(slug=slug, version_hash=info.version_hash, role="needed" if slug in needed else "distractor")
        for slug, info in environment.catalogue.services.items()
    )


class StateEdit(Frozen):
    """One planted, changed (`patch`) or removed (neither) record of the initial state."""

    service: str
    table: str
    id: str
    record: dict[str, Any] | None = None
    patch: dict[str, Any] | None = None

    def to_edit(self) -> Edit:
        return Edit(self.service, self.table, self.id, self.record, self.patch)


class InitialState(Frozen):
    """s0: a seed that every service knows, and the records the author planted over it."""

    seed: int
    scale: Scale = "small"
    clock: str = CLOCK_START
    edits: tuple[StateEdit, ...] = ()


class GraphEdge(Frozen):
    """One consecutive pair of the walk: what the target needs and only the source shows."""

    position: int
    """0-based position in the walk of the source visit."""
    source: str
    target: str
    name: str
    """Name of the carried value in people's words: "invoice number"."""
    kind: str
    """Kind of value: email, code, money ..."""
    how: str
    """How the source shows it: field, text, note, ranked, total, derived, policy, generated ..."""
    value: Any = None
    alternative: Any = None
    revisit: bool = False
    stale: bool = False
    """The target re-reads something that the author's own earlier write changed."""
    register_name: str = ""
    """Register of the reference program that holds the value."""
    ablation: tuple[StateEdit, ...] = ()
    """Edits of s0 that put the alternative in the value's place; empty where a search has to find some."""


class Graph(Frozen):
    """The information-dependency graph G of a task (paper: random walk over K services of length L)."""

    walk: tuple[str, ...]
    edges: tuple[GraphEdge, ...]


class Criterion(Frozen):
    """One executable check of the rubric."""

    id: str
    text: str
    kind: Literal["goal", "constraint", "answer", "judge"] = "goal"
    expression: str
    """CEL over before, after, added, removed, changed, calls, answer."""
    reads: tuple[str, ...] = ()
    """`service.table` paths that the expression looks at."""
    weight: float = 1.0


class WriteScope(Frozen):
    """One place where the task may change state; anything outside is collateral damage."""

    service: str
    table: str
    action: Literal["create", "change", "delete"]
    ids: tuple[str, ...] = ()
    """For change and delete: the records meant."""


class Goal(Frozen):
    """g: hash of the end state, and its changed part."""

    state_hash: str
    changes: tuple[dict[str, Any], ...]


class ClaimResult(Frozen):
    """One claim of the proof with its evidence."""

    number: int
    name: str
    passed: bool
    evidence: dict[str, Any] = Field(default_factory=dict)


class AuditFinding(Frozen):
    """One way round the work that the audit found."""

    kind: Literal["cheater", "skips discovery", "canary"]
    what: str
    """The solver that passed, or the gold value and where it can be read."""


class SolverResult(Frozen):
    """How one solver that cannot know the carried values fared."""

    kind: Literal["cheater", "skips discovery"]
    solver: str
    passed: bool | None
    """Null when the verdict could not be told."""
    score: float = 0.0
    guessed: int = 0
    """Carried values that it got right."""
    of: int = 0
    stopped: str = ""
    """Why it could not play to the end."""


class Audit(Frozen):
    """Whether the task can be solved by a short cut, and what gives values away."""

    outcome: Literal["pass", "fail", "unknown"]
    """fail: there is a finding. unknown: a solver's verdict, or the whole audit, could not be told."""
    findings: tuple[AuditFinding, ...] = ()
    solvers: tuple[SolverResult, ...] = ()
    decisive: int = 0
    """Carried values that writes or the answer rest on: whoever has these needs none of the others."""
    chance: float = 0.0
    """How likely a blind choice among what one search turns up is right in all decisive values."""
    doubles: int = 0
    """Records meant that have a near-duplicate in the same table."""
    meant_first: int = 0
    """How many of these are listed before their near-duplicate; half of them when order tells nothing."""
    why: str = ""
    """Why the outcome is unknown."""


class Proof(Frozen):
    """Outcome of all claims that were checked; `audit` is part of the claim that nothing leaks."""

    claims: tuple[ClaimResult, ...] = ()
    audit: Audit | None = None

    @property
    def passed(self) -> bool:
        return bool(self.claims) and all(claim.passed for claim in self.claims)

    @property
    def failing(self) -> tuple[str, ...]:
        return tuple(claim.name for claim in self.claims if not claim.passed)


class TaskSpec(Frozen):
    """A task: instruction u, initial state s0, graph G, reference, goal g, rubric v, write scope, proof."""

    version: Literal[1] = 1
    instruction: str
    services: tuple[MountedService, ...]
    """In mount order, needed and distractors shuffled together."""
    initial: InitialState
    graph: Graph
    reference: Program
    answer: str = ""
    """Final answer of the reference solution; "" when the task asks for none."""
    goal: Goal
    rubric: tuple[Criterion, ...]
    scope: tuple[WriteScope, ...]
    meaning: dict[str, Any] = Field(default_factory=dict)
    """The instruction as data (goals, definitions, rules), beside its text."""
    tags: tuple[str, ...] = ()
    author: dict[str, Any] = Field(default_factory=dict)
    """Backend, model, seed."""
    simulated_share: float = 0.0
    lineage: str = ""
    """Family key: tasks from one plan shape and service set never fall into different splits."""
    proof: Proof = Proof()
    parent: str = ""

    @property
    def needed(self) -> tuple[str, ...]:
        return tuple(service.slug for service in self.services if service.role == "needed")

    @property
    def distractors(self) -> tuple[str, ...]:
        return tuple(service.slug for service in self.services if service.role == "distractor")

    @property
    def task_hash(self) -> str:
        """Content hash; the proof is about the content and not part of it."""
        return digest(self.model_dump(mode="json", exclude={"proof", "parent"}))

    def environment(self, mounting: Mounting) -> Environment:
        """A fresh environment in s0. Raises EngineError for a missing service, ServiceDefect for a bad record."""
        initial = self.initial
        slugs = [service.slug for service in self.services]
        plain = mounting.mount(slugs, seed=initial.seed, scale=initial.scale, clock=initial.clock)
        return plain.edited(edit.to_edit() for edit in initial.edits)

    def with_proof(self, proof: Proof) -> Self:
        return self.model_copy(update={"proof": proof})
