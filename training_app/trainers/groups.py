"""From played rollouts to rewards, advantages and stored groups. Knows neither torch nor TRL."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from training_app.engine.advantage import GroupState, classify_group, group_advantages
from training_app.engine.config import GRPOConfig
from training_app.engine.masks import check_rollout_mask
from training_app.engine.pool import Played as PlayedGroup
from training_app.engine.reward import GroupReward, check_groups, group_reward
from training_app.trainers.rollouts import Ids, Rollout


@dataclass(frozen=True)
class Played:
    """A rollout without its token ids: small enough to travel between processes and to be stored."""

    task_id: str
    status: str
    detail: str
    verdict: dict[str, bool | None] | None
    solved: bool
    turns: int
    calls: int
    tool_errors: int
    prompt_tokens: int
    sampled_tokens: int
    observation_tokens: int
    logprob_mean: float
    parts: tuple[dict[str, Any], ...]
    messages: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Group:
    """A whole group with its reward, advantages (0 for those left out) and state."""

    task_id: str
    rollouts: tuple[Played, ...]
    reward: GroupReward
    advantages: tuple[float, ...]
    state: GroupState


def summarise(rollout: Rollout, text: Callable[[Ids], str]) -> Played:
    """A rollout for storage; its completion as text parts with their origin, for coloured display."""
    parts, position = [], 0
    for segment in rollout.segments:
        ids = rollout.completion_ids[position : position + segment.tokens]
        parts.append({"origin": segment.origin, "tokens": segment.tokens, "text": text(ids)})
        position += segment.tokens
    mask = rollout.mask()
    drawn = [p for p, m in zip(rollout.logprobs, mask, strict=True) if m]
    return Played(
        task_id=rollout.task_id,
        status=rollout.status,
        detail=rollout.detail,
        verdict=rollout.verdict,
        solved=rollout.solved,
        turns=rollout.turns,
        calls=rollout.calls,
        tool_errors=rollout.tool_errors,
        prompt_tokens=len(rollout.prompt_ids),
        sampled_tokens=sum(mask),
        observation_tokens=len(mask) - sum(mask),
        logprob_mean=math.fsum(drawn) / len(drawn) if drawn else 0.0,
        parts=tuple(parts),
        messages=tuple(rollout.messages),
    )


def trained_mask(rollout: Rollout, left_out: bool) -> list[int]:
    """The mask that goes into the loss: sampled tokens, or none at all if the rollout is left out.

    Raises RuntimeError if the mask does not fit the rollout's own record of where its tokens came from.
    """
    mask = rollout.mask()
    problems = check_rollout_mask(mask, rollout.segments)
    if problems or len(mask) != len(rollout.completion_ids):
        raise RuntimeError(f"mask of task {rollout.task_id}: {'; '.join(problems) or 'wrong length'}")
    return [0] * len(mask) if left_out else mask


def score(played: Sequence[Played], config: GRPOConfig) -> list[Group]:
    """Rewards and advantages of whole groups, in order. Raises ValueError if the batch holds split groups."""
    check_groups([p.task_id for p in played], config.group_size)
    size = config.group_size
    return [_group(played[start : start + size], config) for start in range(0, len(played), size)]


def _group(members: Sequence[Played], config: GRPOConfig) -> Group:
    counted = [None if _masked(p, config) else p.verdict for p in members]
    reward = group_reward(
        counted,
        variant=config.reward,
        lam=config.lam,
        min_valid=config.min_valid,
        unknown_everywhere=config.unknown_everywhere,
    )
    state = classify_group(
        reward.rewards,
        solved=[p.solved for p in members],
        truncated=[p.status == "truncated" for p in members],
    )
    advantages = group_advantages(reward.rewards, scale=config.scale_rewards)
    return Group(members[0].task_id, tuple(members), reward, advantages, state)


def _masked(played: Played, config: GRPOConfig) -> bool:
    return config.mask_truncated and played.status == "truncated"


def stored_rows(groups: Sequence[Group], step: int) -> list[dict[str, Any]]:
    """One row per rollout for `rollouts/step-NNNNNN.jsonl`."""
    return [
        {
            "step": step,
            "kind": "rollout",
            "group": number,
            "index": index,
            "state": group.state,
            "skipped": group.reward.skipped,
            "reward": group.reward.rewards[index],
            "advantage": group.advantages[index],
            "pass_rates": dict(group.reward.pass_rates),
            "weights": dict(group.reward.weights),
            "broken": list(group.reward.broken),
            **vars(played),
        }
        for number, group in enumerate(groups)
        for index, played in enumerate(group.rollouts)
    ]


def played(group: Group) -> PlayedGroup:
    """What the choice of tasks has to know of a group."""
    counted = [p for p, reward in zip(group.rollouts, group.reward.rewards, strict=True) if reward is not None]
    return PlayedGroup(group.task_id, group.state, sum(p.solved for p in counted), len(counted))


def stored_history(rows: Sequence[Mapping[str, Any]]) -> list[PlayedGroup]:
    """`played` of each group of a step, from its stored rows (`stored_rows`)."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["group"], []).append(row)
    return [_restored(found[number]) for number in sorted(found)]


def _restored(rows: Sequence[Mapping[str, Any]]) -> PlayedGroup:
    valid = [row for row in rows if row["reward"] is not None]
    return PlayedGroup(rows[0]["task_id"], rows[0]["state"], sum(row["solved"] for row in valid), len(valid))


def metrics(groups: Sequence[Group]) -> dict[str, Any]:
    """Numbers of a step. Rates are over valid rollouts; invalid ones are counted by cause."""
    everyone = [p for group in groups for p in group.rollouts]
    valid = [group.rollouts[i] for group in groups for i in group.reward.valid]
    rewards = [r for group in groups for r in group.reward.rewards if r is not None]
    states = Counter(group.state for group in groups)
    return {
        "rollouts": len(everyone),
        "valid": len(valid),
        "success_rate": _mean([float(p.solved) for p in valid]),
        "rubric_score": _mean([_share(p) for p in valid]),
        "reward": _mean(rewards),
        "groups": {state: states[state] for state in get_args(GroupState)},
        "dead_share": 1 - states["alive"] / len(groups),
        "dead_tasks": sorted({g.task_id for g in groups if g.state != "alive"}),
        "no_signal": sum(len(g.reward.no_signal) for g in groups),
        "broken_criteria": sorted({name for g in groups for name in g.reward.broken}),
        "invalid": dict(_causes(everyone)),
        "truncated_share": _mean([float(p.status == "truncated") for p in everyone]),
        "turns": _mean([float(p.turns) for p in everyone]),
        "calls": _mean([float(p.calls) for p in everyone]),
        "tool_error_share": sum(p.tool_errors for p in everyone) / max(1, sum(p.calls for p in everyone)),
        "sampled_tokens": sum(p.sampled_tokens for p in everyone),
        "observation_tokens": sum(p.observation_tokens for p in everyone),
    }


def _causes(everyone: Sequence[Played]) -> Counter[str]:
    causes: Counter[str] = Counter()
    for played in everyone:
        if played.status == "error":
            causes[played.detail.partition(":")[0]] += 1
        elif played.verdict and any(outcome is None for outcome in played.verdict.values()):
            causes["unknown outcome"] += 1
    return causes


def _share(played: Played) -> float:
    judged = [o for o in (played.verdict or {}).values() if o is not None]
    return sum(judged) / len(judged) if judged else 0.0


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
