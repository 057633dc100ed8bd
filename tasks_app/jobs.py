"""Run kinds of this app. Each handler loads by id and calls one pipeline."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.pipelines import batch, sessions
from services_app.pipelines.building import sandbox_words
from tasks_app import pipelines, regrading
from tasks_app.authors.batch import GenerateRequest
from tasks_app.engine.rollout import Limits, Policy
from tasks_app.engine.walk import WalkError
from tasks_app.models import Task
from tasks_app.pipelines import GENERATION
from tasks_app.policies.model import ModelPolicy
from tasks_app.policies.rules import RULE_POLICIES
from webapp.common.models import Run
from webapp.common.runs import RunContext, RunFailed, register
from workers.llm.budget import Budget
from workers.llm.litellm_client import LiteLLMClient, ModelConfig
from workers.sandbox.limits import SandboxError


def _generate_context(run: Run, request: HttpRequest) -> dict[str, Any]:
    return {**batch.report_context(run, request), "sessions": sessions.newest_rows(run)}


@register(
    GENERATION.kind, queue="author", lease_seconds=120, max_attempts=20, detail_template="tasks/job_generate.html",
    detail_context=_generate_context,
)  # fmt: skip
def generate(context: RunContext) -> dict[str, Any]:
    """Author and prove tasks: payload {count, k, distractors, length: [a, b], seed, services?, mode?, policy?,
    weights?: {slug: number}, lanes?, author?, "by_model"?: `ModelAuthoring` as JSON}."""
    try:
        return pipelines.generate(context, GenerateRequest.parse(context.payload))
    except WalkError as error:
        raise RunFailed("author:impossible", str(error)) from error
    except (EngineError, ServiceDefect, SandboxError) as error:
        raise sandbox_words(error) from error


@register(GENERATION.lane, queue="author", lease_seconds=120, max_attempts=20)
def generate_lane(context: RunContext) -> dict[str, Any]:
    """Help to generate tasks: payload {"batch": id of the run that is helped}."""
    try:
        return pipelines.generate_lane(context)
    except (EngineError, ServiceDefect, SandboxError) as error:
        raise sandbox_words(error) from error


@register("prove", queue="author", lease_seconds=120)
def prove(context: RunContext) -> dict[str, Any]:
    """Run proofs again: payload {"tasks": [ids]}."""
    return pipelines.prove_again(context, Task.objects.filter(pk__in=context.payload["tasks"]).order_by("id"))


@register(regrading.KIND, queue="author", lease_seconds=120, detail_template="tasks/job_regrade.html")
def regrade(context: RunContext) -> dict[str, Any]:
    """Judge stored rollouts by a changed rubric: payload {"tasks": [ids], "expressions": {criterion: CEL},
    "added": CEL, "policy": name, "editions": bool}."""
    return regrading.regrade_stored(context)


@register("rollout", queue="rollout", lease_seconds=120)
def rollout(context: RunContext) -> dict[str, Any]:
    """Play tasks with a policy: payload {"tasks": [ids], "policy": name, "n": count}."""
    tasks = Task.objects.filter(pk__in=context.payload["tasks"]).order_by("id")
    policy = make_policy(str(context.payload["policy"]))
    limits = Limits(cost_usd=context.payload.get("cost_usd"))
    return pipelines.roll_out_tasks(context, tasks, policy, count=int(context.payload.get("n", 1)), limits=limits)


def make_policy(name: str, *, temperature: float | None = None) -> Policy:
    """A rule policy by name, or any model that LiteLLM can reach, at its own temperature or at this one."""
    rules = RULE_POLICIES.get(name)
    if rules is not None:
        return rules()
    config = ModelConfig(
        model=name,
        api_base=settings.WORKBENCH_MODEL_API_BASE,
        api_key=settings.WORKBENCH_MODEL_API_KEY,
        max_tokens=4096,
    )
    return ModelPolicy(name, LiteLLMClient(config, budget=Budget()), temperature=temperature)
