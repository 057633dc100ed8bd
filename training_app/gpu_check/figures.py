"""What the metrics of a short training run say: whether it went well, and its figures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from training_app.engine.metrics import Record, read_metrics
from training_app.engine.rundir import RunDirectory

GAP: Final = 0.1
"""Mean difference of log-probabilities between sampler and trainer above which tokens are not what they seem."""
MEAN_OF: Final = 3


def problem(run: RunDirectory, kind: str) -> str:
    """Why a finished run must not be trusted, in words; "" where nothing speaks against it."""
    lines = read_metrics(run.metrics)
    train = [line for line in lines if line["kind"] == "train"]
    if not train:
        return "it logged no step"
    for line in train:
        if "loss" in (line.get("nonfinite") or ()) or line.get("loss") is None:
            return f"the loss of step {line['step']} is not finite"
    return _sft_problem(train) if kind == "sft" else _grpo_problem(train, lines)


def _sft_problem(train: Sequence[Record]) -> str:
    first, last = _losses(train)
    return "" if last < first else f"the loss did not fall: {first:.3g} at first, {last:.3g} at last"


def _grpo_problem(train: Sequence[Record], lines: Sequence[Record]) -> str:
    rollouts = [line for line in lines if line["kind"] == "rollouts"]
    if not rollouts:
        return "it stored no rollouts"
    odd = [line["step"] for line in rollouts if not 0 <= line["reward"] <= 1]
    if odd:
        return f"the reward of step {odd[0]} is outside of 0..1"
    gap = max((float(line["sampler_gap"]) for line in train if line.get("sampler_gap") is not None), default=0.0)
    return f"log-probabilities of sampler and trainer differ by {gap:.3g}, above {GAP:g}" if gap > GAP else ""


def of(run: RunDirectory, kind: str, status: Mapping[str, Any]) -> dict[str, Any]:
    """Steps, losses, reward, tokens per second and peak memory, as far as the run says them."""
    lines = read_metrics(run.metrics)
    train = [line for line in lines if line["kind"] == "train"]
    rollouts = [line for line in lines if line["kind"] == "rollouts"]
    found: dict[str, Any] = {"steps": train[-1]["step"] if train else 0}
    if train:
        found["loss_first"], found["loss_last"] = _losses(train)
    if kind != "sft" and rollouts:
        last = rollouts[-MEAN_OF:]
        for name in ("reward", "success_rate", "rubric_score"):
            found[name] = math.fsum(float(line.get(name, math.nan)) for line in last) / len(last)
        gaps = [float(line["sampler_gap"]) for line in train if line.get("sampler_gap") is not None]
        found |= {"sampler_gap": max(gaps)} if gaps else {}
    speed = _sft_speed(train) if kind == "sft" else _rollout_speed(rollouts)
    found |= {"tokens_per_second": round(speed, 1)} if speed else {}
    if status.get("peak_gib") is not None:
        found["peak_gib"] = status["peak_gib"]
    return found


def _losses(train: Sequence[Record]) -> tuple[float, float]:
    """The first loss, and the mean of the last three."""
    losses = [float(line["loss"]) for line in train if line.get("loss") is not None] or [math.nan]
    last = losses[-MEAN_OF:]
    return losses[0], math.fsum(last) / len(last)


def _sft_speed(train: Sequence[Record]) -> float:
    """Tokens per second after the first step, which also loads and compiles."""
    known = [line for line in train if line.get("num_tokens") is not None]
    return _rate(known, [float(line["num_tokens"]) for line in known])


def _rollout_speed(rollouts: Sequence[Record]) -> float:
    """Tokens of the episodes, sampled and observed, per second of whole steps."""
    total, sums = 0.0, []
    for line in rollouts:
        total += float(line.get("sampled_tokens", 0)) + float(line.get("observation_tokens", 0))
        sums.append(total)
    return _rate(rollouts, sums)


def _rate(lines: Sequence[Record], sums: Sequence[float]) -> float:
    if len(lines) < 2:
        return 0.0
    seconds = float(lines[-1]["at"]) - float(lines[0]["at"])
    return (sums[-1] - sums[0]) / seconds if seconds > 0 else 0.0
