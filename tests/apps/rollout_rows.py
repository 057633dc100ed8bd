"""Stored rollouts of a GRPO run as the trainer writes them: rewards and advantages by the engine, real messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from training_app.engine.advantage import classify_group, group_advantages
from training_app.engine.reward import Verdict, group_reward
from training_app.exports.ndjson import write_ndjson
from training_app.models import TrainingRun
from training_app.run_files import training_directory

GOOD = [("find_lead", {"name": "Ada"}), ("move_lead", {"id": 7, "stage": "won"}), ("send", {"to": "ada@example.org"})]


def messages(calls: Sequence[tuple[str, dict[str, Any]]], answer: str = "Done.") -> list[dict[str, Any]]:
    """A conversation: one call a turn, each answered, then a final text."""
    talk: list[dict[str, Any]] = [{"role": "user", "content": "Move the lead, then tell Ada."}]
    for tool, arguments in calls:
        function = {"name": "call_tool", "arguments": {"service": "crm", "tool": tool, "arguments": arguments}}
        talk.append({"role": "assistant", "content": "", "tool_calls": [{"function": function}]})
        talk.append({"role": "tool", "name": "call_tool", "content": '{"success": true, "data": {}}'})
    return [*talk, {"role": "assistant", "content": answer}]


def group_rows(
    step: int, number: int, task: str, verdicts: Sequence[Verdict | None], calls: Sequence[Any] = ()
) -> list[dict[str, Any]]:
    """The rows of one group; `calls[i]` are the calls of rollout i (GOOD where there are none)."""
    reward = group_reward(verdicts)
    advantages = group_advantages(reward.rewards)
    solved = [bool(verdict) and all(outcome is True for outcome in (verdict or {}).values()) for verdict in verdicts]
    state = classify_group(reward.rewards, solved=solved, truncated=[False] * len(verdicts))
    return [
        {
            "step": step, "kind": "rollout", "group": number, "index": index, "state": state,
            "skipped": reward.skipped, "task_id": task, "reward": reward.rewards[index],
            "advantage": advantages[index], "verdict": verdict, "status": "completed" if verdict else "error",
            "detail": "" if verdict else "SandboxError: gone", "pass_rates": dict(reward.pass_rates),
            "weights": dict(reward.weights), "broken": list(reward.broken), "turns": 3, "calls": 2, "tool_errors": 0,
            "prompt_tokens": 9, "sampled_tokens": 7, "observation_tokens": 5,
            "messages": messages(calls[index] if index < len(calls) else GOOD),
            "parts": [{"origin": "sampled", "tokens": 2, "text": "<script>x</script>"}],
        }
        for index, verdict in enumerate(verdicts)
    ]  # fmt: skip


def store_step(training: TrainingRun, step: int, groups: Sequence[list[dict[str, Any]]]) -> None:
    """Write the rollouts of a step where the run keeps them."""
    write_ndjson(training_directory(training).rollouts(step), [row for group in groups for row in group])
