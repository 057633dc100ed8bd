"""The turn loop: a batch of episodes played by one policy, token by token true.

Ids that were sampled are the ids that are trained; earlier turns are never tokenised again; observation
tokens carry mask 0; a turn that the token limit cut off is never executed. The loop knows neither torch nor
TRL: a `Sampler` continues id sequences and a `Codec` turns ids into messages and observations into ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from training_app.engine.episodes import Episode, EpisodeFactory, error_observation, shorten_observation
from training_app.engine.masks import Segment, mask_of
from training_app.engine.reward import Outcome

Ids = list[int]
Message = dict[str, Any]
Status = Literal["completed", "truncated", "error"]


class Sampled(NamedTuple):
    """One sampled turn: token ids and the log-probability with which each was drawn."""

    ids: Ids
    logprobs: list[float]


class Sampler(Protocol):
    """Continues prefixes; `budgets[i]` is the most tokens that row i may get. Rows end at end-of-turn."""

    def __call__(self, prefixes: Sequence[Ids], budgets: Sequence[int]) -> list[Sampled]:
        """One turn for each prefix."""


class Codec(Protocol):
    """Between ids and messages, for one tokenizer and chat template."""

    def prompt(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Ids:
        """Ids of a prompt, up to and including the assistant header."""

    def parse(self, ids: Ids, prefix: Ids, tools: Sequence[dict[str, Any]]) -> Message:
        """The assistant message that the ids spell; text that is no well-formed call is content."""

    def observations(self, messages: Sequence[Message]) -> Ids:
        """Ids between the end of an assistant turn and the next: the tool messages and the next header."""

    def is_finished(self, ids: Ids) -> bool:
        """Do the ids end with end-of-turn?"""

    def text(self, ids: Ids) -> str:
        """The ids as text, special tokens included."""


@dataclass(frozen=True)
class Limits:
    """Bounds of an episode. `completion_tokens` covers all turns and observations after the prompt."""

    turns: int
    turn_tokens: int
    completion_tokens: int
    observation_characters: int


@dataclass
class Rollout:
    """One episode as it was played. Invalid ones (status "error") have no verdict and never get a reward."""

    task_id: str
    prompt_ids: Ids = field(default_factory=list)
    completion_ids: Ids = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    status: Status = "completed"
    detail: str = ""
    verdict: dict[str, Outcome] | None = None
    turns: int = 0
    calls: int = 0
    tool_errors: int = 0

    def mask(self) -> list[int]:
        """1 for sampled tokens, 0 for observations."""
        return mask_of(self.segments)

    @property
    def solved(self) -> bool:
        """Every criterion met (and at least one there)."""
        return bool(self.verdict) and all(outcome is True for outcome in (self.verdict or {}).values())


@dataclass
class _Live:
    rollout: Rollout
    episode: Episode
    tools: list[dict[str, Any]]


class Player:
    """Plays batches of tasks with fixed limits. `beat` is called once per turn, so that a long step shows
    life.
    """

    def __init__(
        self,
        factory: EpisodeFactory,
        codec: Codec,
        limits: Limits,
        *,
        system_prompt: str = "",
        workers: int = 1,
        beat: Callable[[], None] = lambda: None,
    ) -> None:
        self._factory = factory
        self._codec = codec
        self._limits = limits
        self._system = [{"role": "system", "content": system_prompt}] if system_prompt else []
        self._workers = workers
        self._beat = beat

    def play(self, task_ids: Sequence[str], sampler: Sampler) -> list[Rollout]:
        """One rollout per task id, in order; a task id given twice is played twice, independently."""
        rollouts = [Rollout(task_id) for task_id in task_ids]
        with ThreadPoolExecutor(self._workers) as pool:
            spread = pool.map if self._workers > 1 else map
            started = list(spread(self._start, rollouts))
            live = [entry for entry in started if entry is not None]
            everyone = list(live)
            for turn in range(1, self._limits.turns + 1):
                if not live:
                    break
                self._beat()
                turns = self._sample(live, sampler)
                going = list(spread(self._step, live, turns, [turn] * len(live)))
                live = [entry for entry, more in zip(live, going, strict=True) if more]
            list(spread(self._finish, everyone))
        return rollouts

    def _start(self, rollout: Rollout) -> _Live | None:
        try:
            episode = self._factory.start(rollout.task_id)
        except Exception as error:  # noqa: BLE001 - a crashed environment is data about the environment
            _fail(rollout, error)
            return None
        rollout.messages = [*self._system, {"role": "user", "content": episode.instruction}]
        tools = list(episode.tools)
        rollout.prompt_ids = self._codec.prompt(rollout.messages, tools)
        return _Live(rollout, episode, tools)

    def _sample(self, live: Sequence[_Live], sampler: Sampler) -> list[Sampled]:
        prefixes = [entry.rollout.prompt_ids + entry.rollout.completion_ids for entry in live]
        budgets = [min(self._limits.turn_tokens, self._room(entry.rollout)) for entry in live]
        return sampler(prefixes, budgets)

    def _step(self, entry: _Live, turn: Sampled, number: int) -> bool:
        """Record a sampled turn and perform its calls; True while the episode goes on."""
        rollout = entry.rollout
        prefix = rollout.prompt_ids + rollout.completion_ids
        _append(rollout, "sampled", turn.ids, turn.logprobs)
        rollout.turns = number
        if not self._codec.is_finished(turn.ids):
            _cut(rollout, self._codec.text(turn.ids), "the turn was cut by the token limit; nothing was executed")
            return False
        message = self._codec.parse(turn.ids, prefix, entry.tools)
        rollout.messages.append(message)
        calls = message.get("tool_calls") or []
        if not calls:
            return False
        if number == self._limits.turns:
            _cut(rollout, "", f"the limit of {number} turns was reached; its last calls were not executed")
            return False
        return self._perform(entry, calls)

    def _perform(self, entry: _Live, calls: Sequence[dict[str, Any]]) -> bool:
        rollout = entry.rollout
        try:
            answers = [self._call(entry, call) for call in calls]
        except Exception as error:  # noqa: BLE001 - a crashed environment is data about the environment
            _fail(rollout, error)
            return False
        ids = self._codec.observations(answers)
        if len(ids) >= self._room(rollout):
            _cut(rollout, "", "the observation does not fit the completion budget")
            return False
        rollout.messages += answers
        _append(rollout, "observation", ids, [0.0] * len(ids))
        return True

    def _call(self, entry: _Live, call: dict[str, Any]) -> Message:
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        entry.rollout.calls += 1
        known = {tool["function"]["name"] for tool in entry.tools}
        if name not in known:
            text = error_observation(404, "unknown_tool", f"there is no tool {name}")
        elif not isinstance(arguments, dict):
            text = error_observation(400, "invalid_arguments", "the arguments are no JSON object")
        else:
            text = entry.episode.call(name, arguments)
        entry.rollout.tool_errors += '"success": false' in text or '"success":false' in text
        return {"role": "tool", "name": name, "content": shorten_observation(text, self._limits.observation_characters)}

    def _finish(self, entry: _Live) -> None:
        rollout = entry.rollout
        if rollout.status == "error":
            return
        answer = rollout.messages[-1] if rollout.status == "completed" else {}
        try:
            rollout.verdict = dict(entry.episode.finish(str(answer.get("content") or "")))
        except Exception as error:  # noqa: BLE001 - a crashed verifier is data about the environment
            _fail(rollout, error)

    def _room(self, rollout: Rollout) -> int:
        return self._limits.completion_tokens - len(rollout.completion_ids)


def _append(rollout: Rollout, origin: Literal["sampled", "observation"], ids: Ids, logprobs: list[float]) -> None:
    rollout.completion_ids += ids
    rollout.logprobs += logprobs
    rollout.segments.append(Segment(origin, len(ids)))


def _cut(rollout: Rollout, text: str, detail: str) -> None:
    rollout.status, rollout.detail = "truncated", detail
    if text:
        rollout.messages.append({"role": "assistant", "content": text, "truncated": True})


def _fail(rollout: Rollout, error: Exception) -> None:
    rollout.status, rollout.detail = "error", f"{type(error).__name__}: {error}"
    rollout.verdict = None
