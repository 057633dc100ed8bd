"""Playing a task: an episode keeps the conversation, performs the calls, keeps to the limits and is judged.

trajectory = roll_out(task, policy, mounting, limits=Limits(), seed=0, timer=time.monotonic)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from services_app.engine.errors import EngineError
from services_app.engine.meta import META_TOOLS, direct_tools
from services_app.engine.observation import Observation
from services_app.engine.plain import parse_object
from services_app.engine.protocol import Environment, Mounting
from tasks_app.engine.rubric import CriterionResult, evaluate, outcome_of, verify
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.trajectory import Step, StopReason, Trajectory, Usage

SYSTEM = (
    "You work in several applications through tools. Find out what is needed with the tools, do what is asked "
    "and nothing else, then answer in a sentence or two. A reply without a tool call ends the work."
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one rollout; the stop reason names the one that was hit."""

    steps: int = 120
    turns: int = 100
    seconds: float = 600.0
    tokens: int = 400_000
    cost_usd: float | None = None


class StopEpisode(Exception):  # noqa: N818 - control flow, caught by roll_out
    """Ends an episode early for a stated reason."""

    def __init__(self, reason: StopReason, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


class Policy(Protocol):
    """Plays an episode to its end: calls `episode.turn(...)` until the work is done."""

    name: str

    def play(self, episode: Episode) -> None: ...


@dataclass
class Episode:
    """One conversation about one task. A policy sees `messages` and `tools` and adds turns."""

    task: TaskSpec
    environment: Environment
    limits: Limits
    seed: int
    timer: Callable[[], float]
    mode: Literal["meta", "direct"] = "meta"
    messages: list[dict[str, Any]] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    answer: str | None = None

    def __post_init__(self) -> None:
        self.started = self.timer()
        self.turns = 0
        self.tools: tuple[dict[str, Any], ...] = (
            META_TOOLS if self.mode == "meta" else tuple(direct_tools(self.environment.catalogue))
        )
        self.messages += [
            {"role": "system", "content": SYSTEM},
            {"role": "user", "content": self.task.instruction},
        ]
        self._statuses = self._evaluate()
        self._flips: list[tuple[int, dict[str, str]]] = []

    def turn(self, message: dict[str, Any], refusals: Mapping[str, Observation] | None = None) -> list[Observation]:
        """Add one assistant message; perform its calls in order and add one tool message for each.

        A message without tool calls is the final answer. `refusals` holds the observation of calls (by id) that
        must not be executed. Raises StopEpisode when a limit is reached.
        """
        self.turns += 1
        calls = message.get("tool_calls") or []
        self.messages.append(_assistant(message, calls))
        if not calls:
            self.answer = str(message.get("content") or "")
            return []
        observations = []
        for call in calls:
            function = call["function"]
            refusal = (refusals or {}).get(call["id"])
            observation = self._perform(function["name"], function["arguments"], refusal)
            observations.append(observation)
            self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": dump_observation(observation)})
        self._check_limits()
        return observations

    def use(self, name: str, arguments: dict[str, Any], content: str = "") -> Observation:
        """One turn with one call."""
        call = {
            "id": f"call_{len(self.steps) + 1}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
        }
        return self.turn({"role": "assistant", "content": content, "tool_calls": [call]})[0]

    def call(self, service: str, tool: str, arguments: dict[str, Any]) -> Observation:
        """One turn that calls a service's tool, in the form of the episode's mode."""
        exposed = self.environment.catalogue.services[service].tools[tool].exposed
        if self.mode == "direct":
            return self.use(exposed, arguments)
        return self.use("call_tool", {"tool": exposed, "arguments": arguments})

    def finish(self, answer: str) -> None:
        """The final answer."""
        self.turn({"role": "assistant", "content": answer})

    def spend(self, prompt_tokens: int, completion_tokens: int, cost_usd: float | None) -> None:
        """Book one model call."""
        usage = self.usage
        cost = usage.cost_usd if cost_usd is None else (usage.cost_usd or 0.0) + cost_usd
        self.usage = Usage(
            prompt_tokens=usage.prompt_tokens + prompt_tokens,
            completion_tokens=usage.completion_tokens + completion_tokens,
            cost_usd=cost,
            model_calls=usage.model_calls + 1,
        )

    def _perform(self, name: str, arguments_text: str, refusal: Observation | None) -> Observation:
        before, made = self.timer(), len(self.environment.calls)
        arguments = parse_object(arguments_text)
        if refusal is not None:
            observation = refusal
        elif arguments is None:
            observation = _refusal(f"The arguments of {name} are not a JSON object: send one and call again.")
        elif self.mode == "meta":
            observation = self.environment.meta(name, arguments)
        else:
            observation = self.environment.meta("call_tool", {"tool": name, "arguments": dict(arguments)})
        self._record(name, arguments_text if arguments is None else arguments, observation, made, before)
        return observation

    def _record(self, name: str, arguments: Any, observation: Observation, made: int, before: float) -> None:
        more: dict[str, Any] = {}
        if len(self.environment.calls) > made:
            call = self.environment.calls[-1]
            first, last = call.changes
            more = {
                "service": call.service,
                "tool": call.tool,
                "tool_arguments": call.arguments,
                "coerced": call.coerced,
                "changes": tuple(change.to_json() for change in self.environment.changes[first:last]),
            }
        step = Step(
            index=len(self.steps),
            turn=self.turns,
            name=name,
            arguments=arguments,
            observation=observation,
            success=bool(observation["success"]),
            simulated=(more.get("service"), more.get("tool")) in self.environment.catalogue.simulated,
            duration_ms=round((self.timer() - before) * 1000, 3),
            **more,
        )
        self.steps.append(step)
        if step.changes:
            self._note_flips(step.index)

    def _evaluate(self) -> dict[str, str]:
        results: Sequence[CriterionResult] = evaluate(self.task.rubric, outcome_of(self.environment, self.answer or ""))
        return {result.id: result.status for result in results}

    def _note_flips(self, index: int) -> None:
        now = self._evaluate()
        flips = {name: status for name, status in now.items() if status != self._statuses.get(name)}
        self._statuses = now
        if flips:
            self._flips.append((index, flips))

    def decided_steps(self, final: dict[str, str]) -> list[Step]:
        """The steps, each with the criteria whose final status it settled."""
        last: dict[str, int] = {}
        for index, flips in self._flips:
            for name, status in flips.items():
                if final.get(name) == status:
                    last[name] = index
        steps = list(self.steps)
        for name, index in last.items():
            kind = "decided" if final[name] == "pass" else "broke"
            steps[index] = steps[index].model_copy(update={kind: (*getattr(steps[index], kind), name)})
        return steps

    def _check_limits(self) -> None:
        limits, usage = self.limits, self.usage
        if len(self.steps) >= limits.steps:
            raise StopEpisode("steps", f"{limits.steps} tool calls were made without a final answer")
        if self.turns >= limits.turns:
            raise StopEpisode("turns", f"{limits.turns} turns were taken without a final answer")
        if self.timer() - self.started > limits.seconds:
            raise StopEpisode("time", f"the episode took longer than {limits.seconds:g} seconds")
        if usage.prompt_tokens + usage.completion_tokens > limits.tokens:
            raise StopEpisode("tokens", f"more than {limits.tokens} tokens were used")
        if limits.cost_usd is not None and (usage.cost_usd or 0.0) > limits.cost_usd:
            raise StopEpisode("cost", f"more than {limits.cost_usd} USD were spent")


def dump_observation(observation: Observation) -> str:
    """The one JSON text of an observation: key order kept, non-ASCII kept."""
    return json.dumps(observation, ensure_ascii=False, separators=(", ", ": "))


def _assistant(message: dict[str, Any], calls: list[dict[str, Any]]) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": "assistant", "content": str(message.get("content") or "")}
    if message.get("reasoning_content"):
        plain["reasoning_content"] = str(message["reasoning_content"])
    if calls:
        plain["tool_calls"] = calls
    return plain


def _refusal(message: str) -> Observation:
    return {"success": False, "error": {"code": 400, "type": "invalid_arguments", "message": message}}


def roll_out(
    task: TaskSpec,
    policy: Policy,
    mounting: Mounting,
    *,
    timer: Callable[[], float],
    limits: Limits | None = None,
    seed: int = 0,
    mode: Literal["meta", "direct"] = "meta",
) -> Trajectory:
    """Play `task` once and judge it. A policy or environment that breaks gives a trajectory without verdict."""
    environment = task.environment(mounting)
    episode = Episode(task, environment, limits or Limits(), seed, timer, mode)
    reason: StopReason = "answered"
    error = ""
    try:
        policy.play(episode)
        if episode.answer is None:
            reason, error = "policy_error", "the policy stopped without a final answer"
    except StopEpisode as stop:
        reason, error = stop.reason, str(stop)
    except EngineError as broken:
        reason, error = "environment_error", str(broken)
    return _finished(episode, policy.name, reason, error)


def _finished(episode: Episode, policy: str, reason: StopReason, error: str) -> Trajectory:
    environment, task = episode.environment, episode.task
    verdict = None
    if reason not in ("policy_error", "environment_error"):
        verdict = verify(task.rubric, task.scope, environment, episode.answer or "").to_json()
    final = {} if verdict is None else {result["id"]: result["status"] for result in verdict["results"]}
    trajectory = Trajectory(
        task_hash=task.task_hash,
        policy=policy,
        seed=episode.seed,
        mode=episode.mode,
        messages=tuple(episode.messages),
        tools=tuple(episode.tools),
        steps=tuple(episode.decided_steps(final)),
        answer=episode.answer or "",
        stop_reason=reason,
        error=error,
        verdict=verdict,
        state_hash="" if reason == "environment_error" else environment.state_hash(),
        usage=episode.usage,
        duration_ms=round((episode.timer() - episode.started) * 1000, 3),
    )
    environment.close()
    return trajectory
