"""A language model that plays through the meta-tools, by way of a `ModelClient`."""

from __future__ import annotations

from typing import Any

from services_app.engine.observation import Observation
from tasks_app.engine.rollout import Episode, StopEpisode
from workers.llm.client import ModelClient, ModelError, ModelReply
from workers.llm.toolcalls import ToolCall

TRUNCATED_TRIES = 2


class ModelPolicy:
    """Asks the model until it answers without a tool call. A truncated turn is never executed."""

    def __init__(self, name: str, client: ModelClient, *, temperature: float | None = None) -> None:
        self.name = name
        self._client = client
        self._temperature = temperature

    def play(self, episode: Episode) -> None:
        cut = 0
        while episode.answer is None:
            reply = self._ask(episode)
            if reply.truncated:
                cut += 1
                if cut > TRUNCATED_TRIES:
                    raise StopEpisode("truncated", f"{cut} replies in a row were cut off by the output limit")
                continue
            cut = 0
            episode.turn(reply.message, refusals=_refusals(reply.tool_calls))

    def _ask(self, episode: Episode) -> ModelReply:
        seed = episode.seed * 1000 + episode.turns
        try:
            reply = self._client.complete(
                list(episode.messages), tools=list(episode.tools), temperature=self._temperature, seed=seed
            )
        except ModelError as error:
            reason: Any = {"truncated": "truncated", "budget": "cost"}.get(error.kind, "policy_error")
            raise StopEpisode(reason, f"{error.kind}: {error}") from error
        episode.spend(reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.cost_usd)
        return reply


def _refusals(calls: tuple[ToolCall, ...]) -> dict[str, Observation]:
    """Observations for calls that must not be executed (arguments that are no object, no name)."""
    return {
        call.id: {"success": False, "error": {"code": 400, "type": "invalid_call", "message": call.error}}
        for call in calls
        if call.error
    }
