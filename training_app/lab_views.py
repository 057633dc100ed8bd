"""The reward lab: paste or pick a group, move λ, see what every rollout gets."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from training_app import group_summaries, lab, rollout_files, selectors
from training_app.engine.pasted import read_group, write_group
from training_app.engine.reward import Verdict
from training_app.forms import LabForm
from training_app.launching import LaunchError
from training_app.models import TrainingRun
from training_app.run_files import training_directory
from training_app.training_api import find_training
from webapp.common.pages import render_page

MAX_RUNS = 12


@require_safe
def reward_lab(request: HttpRequest) -> HttpResponse:
    """Everything is in the address, so that a case can be sent to somebody."""
    picked = _picked(request)
    form = LabForm({**_start(picked), **request.GET.dict()})
    context: dict[str, Any] = {
        "form": form,
        "picked": picked,
        "stored": _stored(picked),
        "nav": "jobs",
        "figures": None,
    }
    if form.is_valid():
        try:
            verdicts = read_group(form.cleaned_data["text"])
            settings = form.settings(request.GET.getlist("dead"), request.GET.getlist("broken"))
            context |= {"figures": lab.figures(verdicts, settings), "settings": settings}
        except ValueError as error:
            form.add_error("text", str(error))
    return render_page(request, "training/lab.html", context, "lab-figures", status=200 if context["figures"] else 422)


def _picked(request: HttpRequest) -> dict[str, Any] | None:
    """The stored group that the address names, or None."""
    name, step, number = (request.GET.get(part, "") for part in ("run", "step", "group"))
    if not (name and step.isdecimal() and number.isdecimal() and max(len(step), len(number)) < 10):
        return None
    try:
        training = find_training(name)
    except LaunchError:
        return None
    if training is None:
        return None
    groups = rollout_files.groups(training_directory(training), int(step))
    group = next((one for one in groups if one.number == int(number)), None)
    return {"training": training, "step": int(step), "group": group} if group else None


def _start(picked: dict[str, Any] | None) -> dict[str, Any]:
    """What the form holds before anything was typed: the picked group with the settings of its run, or an example."""
    if picked is None:
        return {"text": lab.EXAMPLE, "lam": 0.01, "scale": "group", "min_valid": 2, "unknown": "exclude_criterion"}
    config = picked["training"].config
    return {
        "text": write_group(counted(picked["group"], config)),
        "lam": config.get("lam", 0.01),
        "scale": config.get("scale_rewards", "group"),
        "min_valid": config.get("min_valid", 2),
        "unknown": config.get("unknown_everywhere", "exclude_criterion"),
    }


def counted(group: rollout_files.StoredGroup, config: dict[str, Any]) -> list[Verdict | None]:
    """The verdicts as the run counted them: with `mask_truncated`, what was cut counts as never judged."""
    masked = bool(config.get("mask_truncated"))
    return [
        None if masked and row["status"] == "truncated" else row["verdict"]
        for row in sorted(group.rollouts, key=lambda row: row["index"])
    ]


def _stored(picked: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Groups to pick from: those of the picked step, else the last step of the newest runs."""
    if picked is not None:
        return [
            {"run": picked["training"], "step": picked["step"], "groups": _links(picked["training"], picked["step"])}
        ]
    found = []
    for training in selectors.training_list().filter(method="grpo")[:MAX_RUNS]:
        steps = rollout_files.steps(training_directory(training))
        if steps:
            found.append({"run": training, "step": steps[-1], "groups": _links(training, steps[-1])})
    return found


def _links(training: TrainingRun, step: int) -> list[dict[str, Any]]:
    base = f"{reverse('reward-lab')}?run={training.public_id}&step={step}&group="
    return [
        {"href": f"{base}{group.number}", "group": group}
        for group in group_summaries.read(training_directory(training), step)
    ]
