"""The steps of an experiment. Each looks at what is there and gives the jobs that are missing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from uuid import UUID

from django.conf import settings

from services_app.shipped import verify_missing
from training_app import datasets, records
from training_app.child_jobs import evaluation_job, trained, training_job
from training_app.datasets import DatasetError
from training_app.engine.experiment import Arm, Plan, PlanError, choose
from training_app.experiments import world
from training_app.exports.ndjson import write_ndjson
from training_app.launching import START, TINY, Method, Request
from training_app.models import Dataset, DatasetVersion, Experiment, TrainingRun
from training_app.training import build_tiny
from webapp.common.child_runs import Job, Stage
from webapp.common.runs import RunContext, RunFailed


@dataclass(frozen=True)
class Steps:
    """The steps of one experiment, and its parts by name once they are there."""

    experiment: Experiment
    plan: Plan

    @property
    def stages(self) -> tuple[Stage, ...]:
        """In order, with words for the reader."""
        return (
            ("verifying shipped services", self.verify),
            ("making the task sets", self.freeze),
            ("making the starting weights", self.weights),
            ("training what the arms start from", self.base),
            ("training the arms", self.arms),
            ("judging all arms on the same tasks", self.judge),
        )

    def verify(self, _context: RunContext) -> list[Job]:
        """The services of practice tasks."""
        return verify_missing(world.services_of(self.plan))

    def freeze(self, context: RunContext) -> list[Job]:
        """Choose tasks for both sides and freeze them: the held-out set, then the data of each arm."""
        if self.experiment.data:
            return []
        try:
            self._freeze(context)
        except (PlanError, DatasetError) as error:
            raise RunFailed("experiment:data", str(error)) from error
        return []

    def _freeze(self, context: RunContext) -> None:
        found = world.candidates(context, self.plan)
        train = {kind.name: self.plan.needed(kind.name) for kind in self.plan.kinds}
        held = {portion.kind.name: portion.count for portion in self.plan.held_out}
        training, outside = choose(found, {k: n for k, n in train.items() if n}, held, self.plan.seed)
        family_of = {one.id: one.family for one in found}
        dataset = self._dataset()
        tests = dict.fromkeys((UUID(pk) for ids in outside.values() for pk in ids), "test")

        def frozen(split_of: dict[UUID, str]) -> int:
            version = datasets.freeze_chosen(
                dataset, split_of=split_of, family_of=family_of, seed=self.plan.seed, by=context.run.created_by
            )
            return version.number

        held_out, versions = frozen(tests), {}
        for arm in self.plan.trained:
            chosen = [pk for portion in arm.data for pk in training[portion.kind.name][: portion.count]]
            versions[arm.name] = frozen({**dict.fromkeys(map(UUID, chosen), "train"), **tests})
        self.experiment.data = {"dataset": dataset.slug, "held_out": held_out, "arms": versions}
        self.experiment.save(update_fields=["data"])
        context.log(f"{len(tests)} held-out tasks and the data of {len(versions)} trainings are frozen.")

    def _dataset(self) -> Dataset:
        slug = f"experiment-{self.experiment.pk.hex[-12:]}"
        query = {"author": "practice"} if self.plan.source == "practice" else {}
        made, _ = Dataset.objects.get_or_create(
            slug=slug,
            defaults={
                "title": self.experiment.run.title, "kind": Dataset.Kind.RL, "query": {**query, "status": "verified"},
                "created_by": self.experiment.run.created_by,
            },
        )  # fmt: skip
        return made

    def weights(self, context: RunContext) -> list[Job]:
        """One random model for all arms; its tokenizer is made from the training data of all of them."""
        out = self.start_directory
        if self._asked_start != TINY or (out / "config.json").exists():
            return []
        data = out.parent / "data" / "train.jsonl"
        write_ndjson(data, self._records())
        build_tiny(context, data, out, self.plan.seed)
        return []

    def _records(self) -> Iterator[dict[str, object]]:
        """Training records of all arms; a task that several arms share comes once."""
        numbers = sorted(set(self.experiment.data["arms"].values()))
        seen: set[str] = set()
        for one in chain.from_iterable(records.imitated(self.version(n), "train", self.mode) for n in numbers):
            name = str(one.get("id") or one.get("task_id") or one)
            if name not in seen:
                seen.add(name)
                yield one

    @property
    def start_directory(self) -> Path:
        """Where the common starting weights lie when they are made here."""
        return Path(settings.WORKBENCH_FILES) / "experiments" / self.experiment.public_id / "start"

    @property
    def _asked_start(self) -> str:
        return str(self.experiment.run.payload["start"])

    @property
    def mode(self) -> records.Mode:
        """Practice tasks offer their tools directly, others through the meta-tools."""
        return "direct" if self.plan.source == "practice" else "meta"

    def version(self, number: int) -> DatasetVersion:
        """A frozen version of this experiment."""
        slug = self.experiment.data["dataset"]
        return DatasetVersion.objects.select_related("dataset").get(dataset__slug=slug, number=number)

    @property
    def held_out(self) -> DatasetVersion:
        """What every arm is judged on."""
        return self.version(int(self.experiment.data["held_out"]))

    def base(self, _context: RunContext) -> list[Job]:
        """What the arms start from, where it is trained first."""
        return [self._training(self.plan.base, self.plan.seed)] if self.plan.base is not None else []

    def arms(self, _context: RunContext) -> list[Job]:
        """Every arm, as often as wanted."""
        return [self._training(arm, seed) for arm in self.plan.arms for seed in self.plan.seeds]

    def _training(self, arm: Arm, seed: int) -> Job:
        method: Method = arm.method
        request = Request(
            method=method,
            preset=str(self.experiment.run.payload["trainer"]),
            version=self.version(int(self.experiment.data["arms"][arm.name])),
            start=self._start_of(arm),
            mode=self.mode,
            overrides={**arm.overrides, "seed": seed},
        )
        return training_job(f"Experiment, {arm.name}, seed {seed}: {method}", request)

    def _start_of(self, arm: Arm) -> str:
        if self.plan.base is not None and arm is not self.plan.base:
            return f"run:{self.training(self.plan.base, self.plan.seed).public_id}@model"
        return f"model:{self.start_directory}" if self._asked_start == TINY else self._asked_start

    def training(self, arm: Arm, seed: int) -> TrainingRun:
        """The finished training of an arm. Raises DoesNotExist before."""
        return trained(self.experiment.run, self._training(arm, seed).payload)

    def judge(self, _context: RunContext) -> list[Job]:
        """All arms on the same held-out tasks, and what they started from."""
        jobs = [self.judging(arm, seed) for arm in self.plan.arms for seed in self.plan.seeds]
        return [self.judging(self.plan.arms[0], self.plan.seeds[0], START), *jobs]

    def judging(self, arm: Arm, seed: int, checkpoint: str = "model") -> Job:
        """The evaluation of one training; with START of what all arms started from."""
        name = "what all arms start from" if checkpoint == START else f"{arm.name}, seed {seed}"
        return evaluation_job(
            f"Experiment: judge {name}",
            self.training(arm, seed),
            self.held_out,
            checkpoint=checkpoint,
            attempts=self.plan.attempts,
            temperature=self.plan.temperature,
            seed=self.plan.seed,
        )
