"""What somebody wants to train: a preset, data, a starting point and the fields that differ; checked before it runs.

Nothing here writes. `Request` is the payload of a run, so that a retry starts from the same words.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, Self

from django.db.models import Count
from pydantic import ValidationError

from training_app import episodes
from training_app.engine.config import PRESETS, GRPOConfig, SFTConfig, TrainerConfig, grpo_preset, sft_preset
from training_app.models import DatasetMember, DatasetVersion, TrainingRun
from webapp.common import ids
from workers.launchers.clusters import Place

Method = Literal["sft", "grpo"]
TINY: Final = "tiny"
START: Final = "start"
"""Stands, in an evaluation, for the weights that a run started from: what its training is measured against."""
CLASSES: Final[Mapping[str, type[TrainerConfig]]] = {"sft": SFTConfig, "grpo": GRPOConfig}
OURS: Final = frozenset(
    {
        "kind", "preset", "model", "dataset", "provenance", "episodes", "episode_arguments", "holdout", "reference",
        "system_prompt", "evaluation",
    }
)  # fmt: skip
"""Fields that the workbench fills in; all others may differ from the preset."""
_PLACE: Final = "(set when the run starts)"

# The preset "cpu-proof" was made for the toy world, whose episodes have 79 tokens. Ours are longer.
_CPU_PROOF: Final[Mapping[str, dict[str, Any]]] = {
    "sft": {
        "max_length": 12288, "overlong": "drop", "global_batch": 8, "micro_batch": 4, "epochs": 100, "max_steps": 200,
    },
    "grpo": {
        "max_turns": 24, "max_turn_tokens": 160, "max_completion_length": 12288, "groups_per_step": 2, "micro_batch": 4,
        "steps": 10, "save_every": 5,
    },
}  # fmt: skip


class LaunchError(ValueError):
    """A launch that cannot be made as asked. `fields` maps the names of wrong fields to words."""

    def __init__(self, message: str, fields: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.fields = dict(fields or {})


@dataclass(frozen=True)
class Request:
    """Everything that decides a training run. `start` is "tiny", "model:<directory or hub name>" or
    "run:<trn_…>[@checkpoint]".
    """

    method: Method
    preset: str
    version: DatasetVersion
    start: str
    mode: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    hours: float | None = None
    max_simulated: float = 1.0
    place: Place = field(default_factory=Place)

    @classmethod
    def parse(cls, payload: Mapping[str, Any]) -> Self:
        """Read it back from a run's payload. Raises LaunchError when its dataset version is gone."""
        version = (
            DatasetVersion.objects.select_related("dataset")
            .filter(dataset__slug=payload["dataset"], number=payload["version"])
            .first()
        )
        if version is None:
            raise LaunchError(f"There is no dataset version {payload['dataset']} v{payload['version']}.")
        return cls(
            method=payload["method"],
            preset=payload["preset"],
            version=version,
            start=payload["start"],
            mode=payload.get("mode", ""),
            overrides=dict(payload.get("overrides") or {}),
            hours=payload.get("hours"),
            max_simulated=payload.get("max_simulated", 1.0),
            place=Place.from_json(payload.get("place") or {}),
        )

    def payload(self) -> dict[str, Any]:
        """JSON for the run and for the REST API."""
        return {
            "method": self.method,
            "preset": self.preset,
            "dataset": self.version.dataset.slug,
            "version": self.version.number,
            "start": self.start,
            "mode": self.mode,
            "overrides": dict(self.overrides),
            "hours": self.hours,
            "max_simulated": self.max_simulated,
            "place": self.place.to_json(),
        }


@dataclass(frozen=True)
class Start:
    """Where the weights come from, resolved."""

    base: str
    run: TrainingRun | None = None
    checkpoint: str = ""


def cloned(
    training: TrainingRun, changes: Mapping[str, Any], *, start: str = "", hours: float | None = None
) -> Request:
    """The request of a run with changes; a change to None takes the preset's value. Raises LaunchError."""
    request = Request.parse(training.run.payload)
    merged = {**request.overrides, **changes}
    return replace(
        request,
        overrides={name: value for name, value in merged.items() if name not in changes or value is not None},
        start=start or request.start,
        hours=hours if hours is not None else request.hours,
    )


def preset_values(method: str, preset: str) -> dict[str, Any]:
    """All values of a preset, as this workbench uses it on its own tasks."""
    return _config(method, preset, {}).model_dump(mode="json")


def configure(request: Request) -> TrainerConfig:
    """The checked configuration; paths are filled in when the run starts. Raises LaunchError naming fields."""
    if request.method not in CLASSES:
        raise LaunchError("The method is sft or grpo.", {"method": "sft or grpo"})
    if request.preset not in PRESETS:
        raise LaunchError(f"There is no preset {request.preset}.", {"preset": ", ".join(PRESETS)})
    if request.hours is not None and request.hours <= 0:
        raise LaunchError("The limit of hours must be above 0.", {"hours": "above 0"})
    taken = sorted(set(request.overrides) & OURS)
    if taken:
        raise LaunchError(
            f"The workbench sets {', '.join(taken)} itself.", dict.fromkeys(taken, "set by the workbench")
        )
    try:
        return _config(request.method, request.preset, request.overrides)
    except ValidationError as error:
        wrong = {".".join(map(str, e["loc"])) or "overrides": str(e["msg"]) for e in error.errors()}
        raise LaunchError("; ".join(f"{name}: {words}" for name, words in wrong.items()), wrong) from error


def _config(method: str, preset: str, overrides: Mapping[str, Any]) -> TrainerConfig:
    ours = _CPU_PROOF[method] if preset == "cpu-proof" else {}
    values = {"model": _PLACE, "dataset": _PLACE, **ours, **overrides}
    if method == "sft":
        return sft_preset(preset, **values)
    return grpo_preset(preset, episodes=episodes.TARGET, **values)


def changed_fields(method: str, preset: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """What differs from the preset, of the fields that a user may set."""
    usual = preset_values(method, preset)
    return {name: value for name, value in values.items() if name not in OURS and usual.get(name) != value}


def resolve_start(request: Request) -> Start:
    """The starting point. Raises LaunchError for a run or checkpoint that is not there."""
    return read_start(request.start, request.method)


def read_start(text: str, method: Method) -> Start:
    """The starting point that `text` names, in the words of `Request.start`. Raises LaunchError."""
    kind, _, rest = text.partition(":")
    if text == TINY:
        if method != "sft":
            raise LaunchError(
                "The tiny model knows nothing yet: train it with SFT first, then start from that run.",
                {"start": "needs a run of SFT"},
            )
        return Start(TINY)
    if kind == "model" and rest.strip():
        return Start(rest.strip())
    if kind == "run":
        return _start_run(rest)
    raise LaunchError("Start from tiny, model:<directory or hub name> or run:<trn_…>.", {"start": "not understood"})


def find_run(name: str) -> TrainingRun:
    """A training run by its shown id. Raises LaunchError naming `start`."""
    try:
        found = TrainingRun.objects.select_related("run", "dataset_version").filter(pk=ids.parse("trn", name)).first()
    except ids.IdError as error:
        raise LaunchError(str(error), {"start": str(error)}) from error
    if found is None:
        raise LaunchError("There is no such training run.", {"start": "no such run"})
    return found


def _start_run(text: str) -> Start:
    name, _, checkpoint = text.partition("@")
    earlier = find_run(name)
    return Start("run", earlier, resolve_checkpoint(earlier, checkpoint))


def resolve_checkpoint(training: TrainingRun, wanted: str = "") -> str:
    """`wanted` if the run has it, else its final model or newest checkpoint. Raises LaunchError if there is none."""
    usable = usable_checkpoints(training)
    chosen = wanted or (usable[0] if usable else "")
    if chosen not in usable:
        raise LaunchError(
            f"{training.public_id} has no checkpoint {wanted or 'yet'}; it has {', '.join(usable) or 'none'}.",
            {"start": "no such checkpoint"},
        )
    return chosen


def usable_checkpoints(training: TrainingRun) -> list[str]:
    """What can be started from or evaluated, best first: the final model, then checkpoints from the newest on."""
    final = ["model"] if training.run.state == "succeeded" else []
    return [*final, *reversed(training.checkpoints)]


def judgeable(training: TrainingRun) -> list[str]:
    """What can be evaluated: what can be started from, and what the run itself started from where that is on disk."""
    begun = training.base == TINY or training.start_from is not None or Path(training.base).is_dir()
    usable = usable_checkpoints(training)
    return [*usable, START] if usable and begun else usable


@dataclass(frozen=True)
class Estimate:
    """What a launch amounts to, in rows; `warnings` are sentences."""

    figures: dict[str, Any]
    warnings: list[str]


def estimate(request: Request, config: TrainerConfig, start: Start) -> Estimate:
    """Counts and warnings that need no model: steps, rollouts, what may go wrong."""
    counts = request.version.members.order_by().values_list("split").annotate(Count("id"), Count("task", distinct=True))
    rows = list(counts)
    splits, tasks = {split: n for split, n, _ in rows}, {split: n for split, _, n in rows}
    figures: dict[str, Any] = {"train_rows": splits.get("train", 0), "train_tasks": tasks.get("train", 0)}
    if isinstance(config, SFTConfig):
        per_epoch = -(-splits.get("train", 0) // config.global_batch)
        figures |= {"steps_per_epoch": per_epoch, "steps": config.max_steps or int(per_epoch * config.epochs)}
    elif isinstance(config, GRPOConfig):
        rollouts = config.group_size * config.groups_per_step
        figures |= {"steps": config.steps, "rollouts_per_step": rollouts, "rollouts": rollouts * config.steps}
    return Estimate(figures, [*_data_warnings(request, splits), *_machine_warnings(request, config, start)])


def _data_warnings(request: Request, splits: Mapping[str, int]) -> list[str]:
    found = []
    if not set(splits) - {"train"}:
        found.append("The dataset has no held-out split: nothing can be evaluated on tasks that were not trained on.")
    if request.version.dataset.kind == "rl" and request.method == "sft":
        found.append("A dataset of tasks has no trajectories: the reference solutions of its tasks are imitated.")
    share = request.version.stats.get("simulated_share", 0.0)
    if share > request.max_simulated:
        found.append(f"{share:.0%} of the calls are simulated; the limit is {request.max_simulated:.0%}.")
    return found


def _machine_warnings(request: Request, config: TrainerConfig, start: Start) -> list[str]:
    found = []
    if request.place.launcher == "local" and (words := device_words(config.model_dump())):
        found.append(words)
    if isinstance(config, GRPOConfig) and start.run is None:
        found.append("Reinforcement learning needs a model that solves some tasks already; begin with SFT.")
    return found


def check_leakage(request: Request, start: Start) -> None:
    """Raises LaunchError where held-out tasks are relatives of what the starting run was trained on."""
    if start.run is None:
        return
    splits = ("validation", "test")
    leaked = seen_before(start.run, request.version, splits)
    if leaked:
        held = request.version.members.filter(split__in=splits).order_by().values("task").distinct().count()
        words = (
            f"{leaked} of {held} held-out tasks of {request.version} belong to families that {start.run.public_id}, "
            "where this run starts, or what that one started from was trained on: no evaluation on them would tell "
            "anything. Start from a run that was trained on this version, or freeze one without a held-out split."
        )
        raise LaunchError(words, {"dataset": words})


def evaluation_split(version: DatasetVersion) -> str:
    """The held-out split whose tasks are played while a run trains: validation before test; "" where there is none."""
    held = set(version.members.filter(split__in=("validation", "test")).values_list("split", flat=True).distinct())
    return next((split for split in ("validation", "test") if split in held), "")


def check_evaluation(request: Request, config: TrainerConfig) -> None:
    """Raises LaunchError where tasks are to be played while it trains and none are held out."""
    if isinstance(config, SFTConfig) and config.evaluate_every is not None and not evaluation_split(request.version):
        words = f"{request.version} has no held-out split whose tasks could be played while it trains."
        raise LaunchError(words, {"evaluate_every": words})


def device_words(config: Mapping[str, Any]) -> str:
    """Why this machine cannot compute as configured, "" where it may. What torch sees decides when the run starts."""
    if config.get("device") != "cuda" or has_gpu():
        return ""
    return (
        "device is cuda, and this machine shows no GPU: choose device cpu with precision float32 (as the preset "
        "cpu-proof does), or a launcher that brings the run to a machine with one."
    )


def has_gpu() -> bool:
    """Whether this machine shows a GPU: NVIDIA's driver, AMD's, or that of Windows' subsystem."""
    return any(Path(device).exists() for device in ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg"))


def seen_before(run: TrainingRun, version: DatasetVersion, splits: tuple[str, ...]) -> int:
    """Tasks in these splits whose lineage or self was in the training data of a run or of what it started from."""
    chain: list[TrainingRun] = []
    current: TrainingRun | None = run
    while current is not None and current not in chain:
        chain.append(current)
        current = current.start_from
    trained = DatasetMember.objects.filter(
        dataset_version__in=[each.dataset_version_id for each in chain], split="train"
    )
    held = version.members.filter(split__in=splits)
    return held.filter(task__lineage__in=trained.values("task__lineage")).order_by().values("task").distinct().count()


def command_line(request: Request) -> str:
    """The same launch for a terminal."""
    words = ["./workbench", "train", request.method, "--preset", request.preset]
    words += ["--dataset", f"{request.version.dataset.slug}@{request.version.number}", "--start", request.start]
    for name, value in sorted(request.overrides.items()):
        words += ["--set", f"{name}={json.dumps(value)}"]
    if request.mode:
        words += ["--mode", request.mode]
    if request.hours is not None:
        words += ["--hours", f"{request.hours:g}"]
    for name, value in request.place.to_json().items():
        words += [f"--{name}", value]
    return shlex.join(words)


def api_call(request: Request, base: str) -> str:
    """The same launch as an HTTP request."""
    body = json.dumps({key: value for key, value in request.payload().items() if value not in ("", None, {})})
    headers = ["Authorization: Bearer $TOKEN", "Content-Type: application/json", "Idempotency-Key: $(uuidgen)"]
    sent = [f'-H "{text}"' for text in headers]
    return " \\\n  ".join([f"curl -X POST {base}/api/v1/training-runs", *sent, f"-d {shlex.quote(body)}"])
