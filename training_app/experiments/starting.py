"""Start an experiment, and carry it out: the use cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from training_app import launching
from training_app.engine.config import PRESETS as TRAINERS
from training_app.engine.experiment import PRESETS, Plan, PlanError, choose, plan, read_sizes
from training_app.experiments import world
from training_app.experiments.results import results_of
from training_app.experiments.stages import Steps
from training_app.models import Experiment
from webapp.common import activity, clean
from webapp.common.child_runs import go_through
from webapp.common.models import Run, User
from webapp.common.runs import RunContext, start_run

KIND: Final = "experiment"
TITLES: Final = {
    "composed": _("Composed against single-service tasks"),
    "scaling": _("More training tasks"),
    "rewards": _("Three rewards"),
    "k": _("Services per task (K)"),
    "length": _("Length of tasks (L)"),
}
WORDS: Final = {
    "composed": _("Does training on tasks over several services do better than on tasks of one service, at an equal "
                  "number of tasks, steps and sequences?"),
    "scaling": _("How much do more different tasks help, at an equal number of steps?"),
    "rewards": _("Does the completion-focused reward complete more tasks than equal weights or all-or-nothing?"),
    "k": _("How does the number of services of the training tasks matter, at an equal budget?"),
    "length": _("How does the number of visits of the training tasks matter, at an equal number of tasks and steps?"),
}  # fmt: skip
assert set(TITLES) == set(WORDS) == set(PRESETS)


def make_plan(payload: Mapping[str, Any]) -> Plan:
    """The plan of a request {preset, source, start, trainer, sizes}. Raises PlanError in words."""
    source = payload["source"]
    if source not in world.SOURCES:
        raise PlanError(f"The tasks come from one of {', '.join(world.SOURCES)}.")
    if payload["trainer"] not in TRAINERS:
        raise PlanError(f"There is no preset of training {payload['trainer']}: choose one of {', '.join(TRAINERS)}.")
    if words := launching.device_words(launching.preset_values("sft", payload["trainer"])):
        raise PlanError(words)
    try:
        launching.read_start(payload["start"], "sft")
    except launching.LaunchError as error:
        raise PlanError(str(error)) from error
    made = plan(payload["preset"], read_sizes(payload["sizes"]), world.world_of(payload["preset"], source))
    if source == "catalogue":
        _check_catalogue(made)
    return made


def _check_catalogue(made: Plan) -> None:
    """What the catalogue lacks is said before anything starts. Raises PlanError."""
    train = {kind.name: made.needed(kind.name) for kind in made.kinds}
    held = {portion.kind.name: portion.count for portion in made.held_out}
    found = world.with_families(world.catalogue_kinds(made))
    choose(found, {k: n for k, n in train.items() if n}, held, made.seed)


def start(
    preset: str,
    *,
    source: str = "practice",
    start: str = launching.TINY,
    trainer: str = "cpu-proof",
    sizes: Mapping[str, Any] | None = None,
    by: User | None,
) -> Experiment:
    """Plan an experiment and start it. Raises PlanError in words."""
    payload = {
        "preset": preset,
        "source": source,
        "start": clean.line(start, 500),
        "trainer": trainer,
        "sizes": dict(sizes or {}),
    }
    make_plan(payload)
    with transaction.atomic():
        run = start_run(kind=KIND, title=f"Experiment: {preset}", payload=payload, by=by)
        row = create(run)
        activity.record(actor=by, verb="experiment.started", target=run, after={"preset": preset})
    return row


def create(run: Run) -> Experiment:
    """The row of an experiment for its run, as it is or new. Raises PlanError."""
    known = Experiment.objects.select_related("run__created_by").filter(run=run).first()
    if known is not None:
        return known
    made = make_plan(run.payload)
    return Experiment.objects.create(run=run, preset=made.preset, plan=made.model_dump(mode="json"))


def carry_out(context: RunContext) -> dict[str, Any]:
    """Do what is missing, and say what came of it. Raises PlanError, RunFailed."""
    experiment = create(context.run)
    steps = Steps(experiment, Plan.model_validate(experiment.plan))
    go_through(context, steps.stages)
    experiment.results = clean.json_value(results_of(steps))
    experiment.save(update_fields=["results"])
    for pair in experiment.results["pairs"]:
        rate = pair["success_rate"]
        context.log(
            f"{pair['second']} − {pair['first']}: {rate['difference']:+.1%} [{rate['low']:+.1%}, {rate['high']:+.1%}], "
            f"p = {rate['p_value']:.2g}"
        )
    return {"experiment": experiment.public_id, **experiment.results}
