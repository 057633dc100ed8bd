"""What a trainer needs of an environment, and nothing more.

The workbench's own environments and any other kind fit behind these two protocols. `load_factory` is the
one place where a run's configuration becomes a live factory.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast, runtime_checkable

from training_app.engine.errors import TrainingError
from training_app.engine.reward import Outcome


@runtime_checkable
class Episode(Protocol):
    """One attempt at one task, with a state of its own.

    instruction: the user's request. tools: OpenAI function schemas, all that the policy may call.
    """

    instruction: str
    tools: list[dict[str, Any]]

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Perform a tool call; the observation as JSON text. Errors of the tool are observations too.

        Raising means that the environment itself failed: the rollout is then invalid, not unsuccessful.
        """

    def finish(self, answer: str) -> dict[str, Outcome]:
        """Judge the end state and the final answer (assistant text only): criterion id ->
        pass/fail/unknown.
        """


@runtime_checkable
class EpisodeFactory(Protocol):
    """Starts episodes. `start` raises KeyError for a task it does not know."""

    def start(self, task_id: str) -> Episode:
        """A fresh episode, independent of all others."""


def load_factory(target: str, arguments: Mapping[str, Any]) -> EpisodeFactory:
    """Import `package.module:callable` and call it with the keyword arguments.

    Raises TrainingError("config:episodes") if the target is not there or gives no factory.
    """
    module_name, _, attribute = target.partition(":")
    try:
        module = importlib.import_module(module_name)
        make = cast("Callable[..., object]", getattr(module, attribute))
    except (ImportError, AttributeError) as error:
        raise TrainingError("config:episodes", f"cannot load {target}: {error}") from error
    factory = make(**arguments)
    if not isinstance(factory, EpisodeFactory):
        raise TrainingError("config:episodes", f"{target} gives no episode factory (an object with `start`)")
    return factory


def is_known(factory: EpisodeFactory, task_id: str) -> bool:
    """Can the factory start the task?"""
    try:
        factory.start(task_id)
    except KeyError:
        return False
    return True


def shorten_observation(text: str, limit: int) -> str:
    """Observations longer than `limit` characters keep head and tail (3 : 1) and say how much is left out.

    The same rule holds when trajectories are collected and when a policy is trained.
    """
    if len(text) <= limit:
        return text
    mark = f"\n[… {len(text) - limit} characters left out …]\n"
    room = max(0, limit - len(mark))
    tail = room // 4
    return text[: room - tail] + mark + (text[-tail:] if tail else "")


def error_observation(code: int, kind: str, message: str) -> str:
    """The envelope of a call that no tool could take (unknown name, arguments that are no object)."""
    error = {"code": code, "type": kind, "message": message}
    return json.dumps({"success": False, "error": error}, ensure_ascii=False)
