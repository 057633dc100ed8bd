"""The world model of this installation: which tools it answers, and where its answers are kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal

from django.conf import settings
from django.db.models import F
from django.utils.translation import gettext as _

from services_app.engine.catalogue import ToolInfo
from services_app.engine.environment import Edit
from services_app.models import SimulatedCall, Tool
from services_app.simulation.environment import Kept, Limits, Simulated, World
from services_app.simulation.world import Answer, ModelWorld
from webapp.common import clean
from workers.llm.client import Usage
from workers.llm.litellm_client import LiteLLMClient, ModelConfig


def simulation_problem() -> str:
    """Why no tool can be simulated here, in words; "" when it can."""
    if settings.WORKBENCH_WORLD_MODEL:
        return ""
    return _("Not available: no world model is configured (WORKBENCH_WORLD_MODEL).")


def simulated_tools(slugs: Iterable[str]) -> Simulated:
    """Tools of these services that the world model answers, by service."""
    found: dict[str, dict[str, ToolInfo]] = {}
    rows = Tool.objects.filter(service__slug__in=list(slugs), status=Tool.Status.SIMULATED).select_related("service")
    for tool in rows.defer("evidence").order_by("position", "name"):
        found.setdefault(tool.service.slug, {})[tool.name] = ToolInfo(
            name=tool.name,
            exposed=tool.exposed,
            title="",
            description=tool.description,
            summary=tool.summary,
            input_schema=json.loads(tool.schema_text),
            output_schema=None,
            phrase="",
            semantics={},
            examples=[],
        )
    return found


def world_of(simulated: Simulated) -> World:
    """The configured world model over these tools."""
    config = ModelConfig(
        model=settings.WORKBENCH_WORLD_MODEL,
        api_base=settings.WORKBENCH_MODEL_API_BASE,
        api_key=settings.WORKBENCH_MODEL_API_KEY,
        max_tokens=4096,
    )
    model = ModelWorld(LiteLLMClient(config), settings.WORKBENCH_WORLD_MODEL)
    return World(model, StoredAnswers(), simulated, Limits(calls=settings.WORKBENCH_SIMULATED_CALLS))


class StoredAnswers:
    """Answers in the database: the first one to a question holds for ever."""

    def get(self, key: str) -> Answer | None:
        row = SimulatedCall.objects.filter(key=key).first()
        if row is None:
            return None
        SimulatedCall.objects.filter(pk=row.pk).update(uses=F("uses") + 1)
        return _answer(row)

    def put(self, kept: Kept) -> Answer:
        answer = kept.answer
        row, _created = SimulatedCall.objects.get_or_create(
            key=kept.key,
            defaults={
                "slug": kept.slug,
                "version_hash": kept.version_hash,
                "tool": kept.tool,
                "state_hash": kept.state_hash,
                "arguments": clean.json_value(dict(kept.arguments)),
                "observation": clean.json_value(answer.observation),
                "update": clean.json_value([list(edit) for edit in answer.edits]),
                "model": answer.model,
                "attempts": kept.attempts,
                "input_tokens": answer.usage.prompt_tokens,
                "output_tokens": answer.usage.completion_tokens,
                "cost": None if answer.cost_usd is None else Decimal(str(answer.cost_usd)),
            },
        )
        return _answer(row)


def _answer(row: SimulatedCall) -> Answer:
    usage = Usage(row.input_tokens, row.output_tokens)
    cost = None if row.cost is None else float(row.cost)
    return Answer(row.observation, tuple(Edit(*edit) for edit in row.update), row.model, usage, cost)
