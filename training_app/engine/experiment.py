"""Experiments: which arms are trained on what, at which budget, and which pairs are compared. Pure: nothing runs here.

An experiment answers one question. Its arms differ in one thing and agree in everything else: starting weights, steps,
sequences or rollouts, seeds, held-out tasks. `plan` decides all of it before anything starts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Preset = Literal["composed", "scaling", "rewards", "k", "length"]
PRESETS: Final[tuple[Preset, ...]] = ("composed", "scaling", "rewards", "k", "length")
REWARDS: Final = ("completion_focused", "equal", "binary")
PRACTICE_LENGTH: Final = 2048
"""Tokens; longer practice episodes refuse the launch."""
MOST: Final = 99
"""Stands for no upper limit of K or L."""


class PlanError(ValueError):
    """An experiment that cannot be planned as asked; the message says why and what to do."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Sizes(_Frozen):
    """What may be chosen; all other numbers follow. The defaults are sized for two CPU cores."""

    tasks: int = Field(default=400, ge=2, le=100_000, description="Training tasks per arm (of the largest arm).")
    held_out: int = Field(default=120, ge=2, le=10_000, description="Held-out tasks, the same for all arms.")
    steps: int = Field(default=160, ge=1, le=1_000_000, description="Optimizer steps of supervised fine-tuning.")
    batch: int = Field(default=16, ge=1, le=4096, description="Sequences per optimizer step.")
    grpo_steps: int = Field(default=40, ge=1, le=1_000_000, description="Steps of reinforcement learning.")
    groups_per_step: int = Field(default=8, ge=1, le=4096, description="Tasks per step of reinforcement learning.")
    group_size: int = Field(default=8, ge=2, le=256, description="Rollouts per task.")
    repeats: int = Field(default=1, ge=1, le=10, description="Training runs per arm, each with a seed of its own.")
    seed: int = Field(default=1, ge=0, lt=2**31, description="Of tasks, splits, training and evaluation.")
    values: tuple[int, ...] = Field(
        default=(), max_length=6, description="Points of a sweep: K, L, or numbers of training tasks."
    )

    @model_validator(mode="after")
    def _points_differ(self) -> Self:
        if list(self.values) != sorted(set(self.values)) or any(value < 1 for value in self.values):
            raise ValueError("the points of a sweep are whole numbers from 1 on, each once, in rising order")
        return self


class Kind(_Frozen):
    """A kind of task: practice tasks of that name, or tasks of the catalogue by K and L (from, to)."""

    name: str
    services: tuple[str, ...] = ()
    needed: tuple[int, int]
    length: tuple[int, int]


class World(_Frozen):
    """What tasks there can be: the kinds, and whether they are written or taken from the catalogue."""

    source: Literal["practice", "catalogue"]
    kinds: tuple[Kind, ...]
    most_needed: int
    """The largest K that its services allow."""


class Portion(_Frozen):
    """So many tasks of a kind."""

    kind: Kind
    count: int


class Arm(_Frozen):
    """One training, `repeats` times: name, method, data, and what differs from the preset of the trainer."""

    name: str
    method: Literal["sft", "grpo"]
    data: tuple[Portion, ...]
    overrides: dict[str, Any]
    budget: dict[str, int]
    """Planned: tasks, steps, and sequences (SFT) or rollouts (GRPO)."""


class Plan(_Frozen):
    """Everything that decides an experiment. `pairs` are (first, second): differences are second − first."""

    preset: Preset
    source: Literal["practice", "catalogue"]
    arms: tuple[Arm, ...]
    pairs: tuple[tuple[str, str], ...]
    held_out: tuple[Portion, ...]
    base: Arm | None = None
    """Trained once; the arms start from it."""
    temperature: float
    attempts: int
    seeds: tuple[int, ...]
    """Of the training runs of each arm."""
    seed: int

    def needed(self, kind: str) -> int:
        """Most training tasks of a kind that any one arm takes; arms share their tasks."""
        counts = [p.count for arm in self.trained for p in arm.data if p.kind.name == kind]
        return max(counts, default=0)

    @property
    def trained(self) -> tuple[Arm, ...]:
        """The arms and what they start from."""
        return (self.base, *self.arms) if self.base is not None else self.arms

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """All kinds, each once, in the order of their names."""
        portions = [*self.held_out, *(p for arm in self.trained for p in arm.data)]
        return tuple({p.kind.name: p.kind for p in sorted(portions, key=lambda p: p.kind.name)}.values())


def read_sizes(values: Mapping[str, Any]) -> Sizes:
    """Checked sizes. Raises PlanError naming the field."""
    try:
        return Sizes.model_validate({name: value for name, value in values.items() if value not in (None, "")})
    except ValidationError as error:
        wrong = (f"{'.'.join(map(str, e['loc'])) or 'values'}: {e['msg']}" for e in error.errors())
        raise PlanError("; ".join(wrong)) from error


def plan(preset: str, sizes: Sizes, world: World) -> Plan:
    """The plan of a preset in a world. Raises PlanError in words."""
    if preset not in PRESETS:
        raise PlanError(f"There is no experiment {preset!r}: choose one of {', '.join(PRESETS)}.")
    if sizes.values and preset not in ("scaling", "k", "length"):
        raise PlanError(f"The experiment {preset} has no points of a sweep: leave `values` out.")
    makers = {"composed": _composed, "scaling": _scaling, "rewards": _rewards, "k": _k, "length": _length}
    made = makers[preset](sizes, world)
    short = [arm.name for arm in made.trained if any(p.count < 1 for p in arm.data)]
    if short or any(p.count < 1 for p in made.held_out):
        raise PlanError(
            f"{sizes.tasks} training and {sizes.held_out} held-out tasks leave a kind of task without any"
            f"{f' in {short[0]}' if short else ''}: ask for more."
        )
    return _fitted(made, sizes) if world.source == "practice" else made


def _fitted(made: Plan, sizes: Sizes) -> Plan:
    """Practice episodes are short and the model is tiny: whole batches fit into one pass."""
    own: dict[str, dict[str, Any]] = {
        "sft": {"micro_batch": sizes.batch, "max_length": PRACTICE_LENGTH},
        "grpo": {"micro_batch": sizes.group_size * sizes.groups_per_step},
    }

    def fitted(arm: Arm) -> Arm:
        return arm.model_copy(update={"overrides": {**arm.overrides, **own[arm.method]}})

    base = fitted(made.base) if made.base is not None else None
    return made.model_copy(update={"arms": tuple(map(fitted, made.arms)), "base": base})


def _composed(sizes: Sizes, world: World) -> Plan:
    """One service per task against several, at the same number of tasks, steps and sequences."""
    single = [kind for kind in world.kinds if kind.needed == (1, 1)]
    several = _joined(world)
    arms = (
        _sft("single-service", share(single, sizes.tasks), sizes),
        _sft("composed", share(several, sizes.tasks), sizes),
    )
    held = (*share(several, sizes.held_out - sizes.held_out // 2), *share(single, sizes.held_out // 2))
    return _greedy("composed", sizes, world, arms, [("single-service", "composed")], held)


def _scaling(sizes: Sizes, world: World) -> Plan:
    """More different tasks at the same number of steps; a smaller set is part of each larger one."""
    points = sizes.values or tuple(sorted({max(1, sizes.tasks // part) for part in (8, 4, 2, 1)}))
    if sizes.values and max(points) > sizes.tasks:
        raise PlanError(f"{max(points)} training tasks are asked for and `tasks` is {sizes.tasks}: raise it.")
    if len(points) < 2:
        raise PlanError("A sweep needs two points or more: name several numbers of tasks, or raise `tasks`.")
    several = _joined(world)
    arms = tuple(_sft(f"{count} tasks", share(several, count), sizes) for count in points)
    return _greedy("scaling", sizes, world, arms, _neighbours(arms), share(several, sizes.held_out))


def _rewards(sizes: Sizes, world: World) -> Plan:
    """The three rewards from the same weights, on the same tasks in the same order; judged as they sample."""
    several = _joined(world)
    data = share(several, sizes.tasks)
    base = _sft("start", data, sizes)
    # A policy that fails now and then has something to learn, so imitation stops early.
    base = base.model_copy(update={"overrides": {**base.overrides, "stop_loss": 0.05}})
    rollouts = sizes.group_size * sizes.groups_per_step
    arms = tuple(
        Arm(
            name=reward,
            method="grpo",
            data=data,
            overrides={
                "reward": reward,
                "steps": sizes.grpo_steps,
                "groups_per_step": sizes.groups_per_step,
                "group_size": sizes.group_size,
                "save_every": sizes.grpo_steps,
            },
            budget={"tasks": sizes.tasks, "steps": sizes.grpo_steps, "rollouts": rollouts * sizes.grpo_steps},
        )
        for reward in REWARDS
    )
    pairs = (("equal", "completion_focused"), ("binary", "completion_focused"))
    return Plan(
        preset="rewards", source=world.source, arms=arms, pairs=pairs, held_out=share(several, sizes.held_out),
        base=base, temperature=1.0, attempts=2, seeds=_seeds(sizes), seed=sizes.seed,
    )  # fmt: skip


def _k(sizes: Sizes, world: World) -> Plan:
    """Tasks over K services, K by K, at the same length where the world has it."""
    offered = sorted({kind.needed[0] for kind in world.kinds})
    points = sizes.values or tuple(offered)
    if max(points) > world.most_needed:
        raise PlanError(
            f"K = {max(points)} is larger than the {world.most_needed} services that these tasks can join: "
            f"choose from {', '.join(map(str, offered))}."
        )
    kinds = {point: [k for k in world.kinds if k.needed[0] == point and k.length[0] in (1, 3)] for point in points}
    return _sweep("k", "K", sizes, world, kinds, offered)


def _length(sizes: Sizes, world: World) -> Plan:
    """Tasks of L visits over the same two services, L by L."""
    several = [kind for kind in world.kinds if kind.needed[0] == 2 and kind.length[0] > 1]
    offered = sorted({kind.length[0] for kind in several})
    points = sizes.values or tuple(offered)
    kinds = {point: [kind for kind in several if kind.length[0] == point] for point in points}
    return _sweep("length", "L", sizes, world, kinds, offered)


def _sweep(
    preset: Preset,
    letter: str,
    sizes: Sizes,
    world: World,
    kinds: Mapping[int, Sequence[Kind]],
    offered: Sequence[int],
) -> Plan:
    """One arm for each point; the held-out set holds equally many tasks of each."""
    missing = [point for point, found in kinds.items() if not found]
    if missing or len(kinds) < 2:
        words = f"there are no tasks with {letter} = {missing[0]}" if missing else "a sweep needs two points or more"
        raise PlanError(f"{words[0].upper()}{words[1:]}: choose from {', '.join(map(str, offered)) or 'nothing'}.")
    arms = tuple(_sft(f"{letter} = {point}", share(found, sizes.tasks), sizes) for point, found in kinds.items())
    counts = _parts(sizes.held_out, len(kinds))
    held = [p for found, count in zip(kinds.values(), counts, strict=True) for p in share(found, count)]
    return _greedy(preset, sizes, world, arms, _neighbours(arms), tuple(held))


def _joined(world: World) -> list[Kind]:
    """Kinds over two services or more; of practice tasks those of three visits, as tasks over one service have."""
    return [kind for kind in world.kinds if kind.needed[0] == 2 and kind.length[0] in (1, 3)]


def _sft(name: str, data: tuple[Portion, ...], sizes: Sizes) -> Arm:
    """Steps and sequences are fixed, so neither epochs nor a falling loss decide when an arm ends."""
    tasks = sum(portion.count for portion in data)
    return Arm(
        name=name,
        method="sft",
        data=data,
        overrides={
            "max_steps": sizes.steps,
            "epochs": float(max(1, -(-sizes.steps * sizes.batch // max(1, tasks)) + 1)),
            "global_batch": sizes.batch,
            # Otherwise arms with fewer tasks have smaller steps, as their epochs end more often.
            "fill_batches": True,
            "stop_loss": None,
            # Leaving records out would break the budget without a word.
            "overlong": "refuse",
            "save_every": sizes.steps,
        },
        budget={"tasks": tasks, "steps": sizes.steps, "sequences": sizes.steps * sizes.batch},
    )


def _greedy(
    preset: Preset,
    sizes: Sizes,
    world: World,
    arms: tuple[Arm, ...],
    pairs: Sequence[tuple[str, str]],
    held: tuple[Portion, ...],
) -> Plan:
    return Plan(
        preset=preset, source=world.source, arms=arms, pairs=tuple(pairs), held_out=held, temperature=0.0, attempts=1,
        seeds=_seeds(sizes), seed=sizes.seed,
    )  # fmt: skip


def _neighbours(arms: Sequence[Arm]) -> list[tuple[str, str]]:
    """Each arm against the one before it."""
    return [(a.name, b.name) for a, b in pairwise(arms)]


def _seeds(sizes: Sizes) -> tuple[int, ...]:
    return tuple(sizes.seed + number for number in range(sizes.repeats))


def share(kinds: Sequence[Kind], count: int) -> tuple[Portion, ...]:
    """`count` tasks, equally many of each kind; the first get what is left over. Raises PlanError without kinds."""
    if not kinds:
        raise PlanError("There are no tasks of a kind that this experiment compares: generate some first.")
    return tuple(Portion(kind=k, count=n) for k, n in zip(kinds, _parts(count, len(kinds)), strict=True))


def _parts(count: int, parts: int) -> list[int]:
    return [count // parts + (place < count % parts) for place in range(parts)]


class Candidate(_Frozen):
    """A task that may be chosen: its id, its kind and its family."""

    id: str
    kind: str
    family: str


def choose(
    candidates: Sequence[Candidate], train: Mapping[str, int], held: Mapping[str, int], seed: int
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """(training tasks, held-out tasks), each by kind and in order; no family lies on both sides.

    Families go to the held-out side, in an order drawn from the seed, until every kind has enough there. A smaller
    count of the same candidates takes the beginning of a larger one. Raises PlanError with the numbers.
    """
    of_family: dict[str, list[Candidate]] = {}
    for one in candidates:
        of_family.setdefault(one.family, []).append(one)
    order = sorted(of_family, key=lambda family: hashlib.sha256(f"{seed}|{family}".encode()).digest())
    found: dict[str, list[str]] = {kind: [] for kind in held}
    outside: set[str] = set()
    for family in order:
        if any(len(found[one.kind]) < held[one.kind] for one in of_family[family] if one.kind in held):
            outside.add(family)
            for one in of_family[family]:
                if one.kind in held:
                    found[one.kind].append(one.id)
    rest = {kind: [one.id for one in candidates if one.kind == kind and one.family not in outside] for kind in train}
    _check_enough(rest, train, "training")
    _check_enough(found, held, "held-out")
    return {k: rest[k][:n] for k, n in train.items()}, {k: found[k][:n] for k, n in held.items()}


def _check_enough(found: Mapping[str, Sequence[str]], wanted: Mapping[str, int], what: str) -> None:
    for kind, count in wanted.items():
        if len(found[kind]) < count:
            raise PlanError(
                f"Of the kind {kind} there are {len(found[kind])} {what} tasks that share no family with the other "
                f"side, and {count} are wanted: generate more varied tasks, or ask for fewer."
            )


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for their number (Holm's step-down), in the same order."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
