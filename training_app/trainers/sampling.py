"""Sampling turns from a model: a plain batched decoding loop, and vLLM where a GPU has it. Needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from accelerate.utils import broadcast_object_list, gather_object

from training_app.engine.errors import TrainingError
from training_app.trainers.rollouts import Ids, Sampled


class ModelSampler:
    """Samples from a causal language model with a key-value cache, rows padded on the left.

    The log-probabilities returned are those of the distribution that was sampled from (temperature applied,
    no truncation of the distribution), which is what the trainer recomputes. Temperature 0 = greedy.
    """

    def __init__(self, model: Any, *, eos: int, pad: int, temperature: float) -> None:
        self._model, self._eos, self._pad, self._temperature = model, eos, pad, temperature

    def __call__(self, prefixes: Sequence[Ids], budgets: Sequence[int]) -> list[Sampled]:
        """One turn per prefix; rows end with end-of-turn or at their budget."""
        was_training = self._model.training
        self._model.eval()
        try:
            with torch.no_grad():
                ids, logprobs = self._decode(prefixes, max(budgets))
        finally:
            self._model.train(was_training)
        return [self._cut(i, p, budget) for i, p, budget in zip(ids, logprobs, budgets, strict=True)]

    def _decode(self, prefixes: Sequence[Ids], steps: int) -> tuple[list[Ids], list[list[float]]]:
        device = next(self._model.parameters()).device
        width = max(map(len, prefixes))
        rows = [[self._pad] * (width - len(p)) + list(p) for p in prefixes]
        kept = [[0] * (width - len(p)) + [1] * len(p) for p in prefixes]
        tokens, mask = torch.tensor(rows, device=device), torch.tensor(kept, device=device)
        positions = (mask.cumsum(1) - 1).clamp(min=0)
        done = torch.zeros(len(prefixes), dtype=torch.bool, device=device)
        cache: dict[str, Any] = {}
        drawn, logs = [], []
        for _ in range(steps):
            out = self._model(
                input_ids=tokens,
                attention_mask=mask,
                position_ids=positions,
                use_cache=True,
                logits_to_keep=1,
                **cache,
            )
            # Its name changed between the transformers of our lock and the one that vLLM brings.
            name = "cache" if "cache" in out else "past_key_values"
            cache = {name: out[name]}
            token, log = self._draw(out.logits[:, -1].float())
            drawn.append(token)
            logs.append(log)
            done |= token == self._eos
            if bool(done.all()):
                break
            tokens = token.unsqueeze(1)
            mask = torch.cat([mask, torch.ones_like(tokens)], dim=1)
            positions = positions[:, -1:] + 1
        return torch.stack(drawn, 1).tolist(), torch.stack(logs, 1).tolist()

    def _draw(self, logits: Any) -> tuple[Any, Any]:
        scaled = torch.log_softmax(logits / (self._temperature or 1.0), dim=-1)
        if bool(scaled.isnan().any()):
            raise TrainingError("run:nan", "The model's outputs for the next token are not finite: it cannot play.")
        greedy = self._temperature == 0
        token = scaled.argmax(dim=-1) if greedy else torch.multinomial(scaled.exp(), 1).squeeze(1)
        return token, scaled.gather(1, token.unsqueeze(1)).squeeze(1)

    def _cut(self, ids: Ids, logprobs: list[float], budget: int) -> Sampled:
        length = ids.index(self._eos) + 1 if self._eos in ids else len(ids)
        length = min(length, budget)
        return Sampled(ids[:length], logprobs[:length])


class TrainerSampler:
    """Samples from the weights that a TRL trainer is training. They must not be sharded over processes."""

    def __init__(self, trainer: Any, temperature: float) -> None:
        self._trainer, self._temperature = trainer, temperature

    def __call__(self, prefixes: Sequence[Ids], budgets: Sequence[int]) -> list[Sampled]:
        """One turn per prefix."""
        tokenizer = self._trainer.processing_class
        sampler = ModelSampler(
            self._trainer.accelerator.unwrap_model(self._trainer.model),
            eos=tokenizer.eos_token_id,
            pad=tokenizer.pad_token_id,
            temperature=self._temperature,
        )
        return sampler(prefixes, budgets)


class VllmSampler:
    """Samples through TRL's vLLM connection, whose weights TRL keeps in step with the trainer's."""

    def __init__(self, trainer: Any, turn_tokens: int) -> None:
        self._trainer, self._turn_tokens = trainer, turn_tokens

    def __call__(self, prefixes: Sequence[Ids], budgets: Sequence[int]) -> list[Sampled]:
        """One turn per prefix."""
        engine = self._trainer.vllm_generation
        engine.max_completion_length = self._turn_tokens
        _, ids, logprobs, _ = engine.generate(prompts=list(prefixes), images=None, num_generations=1)
        return [_turn(i[:budget], row[:budget]) for i, row, budget in zip(ids, logprobs, budgets, strict=True)]


class ServerSampler:
    """Samples through a vLLM server for all processes together: only the first one speaks to it.

    Each call is a round of all processes. Episodes end at different turns, so a process whose episodes are over goes on
    with empty rounds (`drain`) until nobody has a live one.
    """

    def __init__(self, trainer: Any, turn_tokens: int) -> None:
        self._trainer, self._turn_tokens = trainer, turn_tokens

    def __call__(self, prefixes: Sequence[Ids], budgets: Sequence[int]) -> list[Sampled]:
        """One turn per prefix."""
        turns = self._round(list(prefixes)) or []
        return [Sampled(turn.ids[:most], turn.logprobs[:most]) for turn, most in zip(turns, budgets, strict=True)]

    def drain(self) -> None:
        """Take part in the rounds of the others; returns in all processes at once."""
        while self._round([]) is not None:
            pass

    def _round(self, prefixes: list[Ids]) -> list[Sampled] | None:
        """The turns of this process; None where no process has a prefix."""
        batches = gather_object([prefixes])
        if not any(batches):
            return None
        payload = [self._generate([p for batch in batches for p in batch]) if self._is_first() else None]
        broadcast_object_list(payload, from_process=0)
        turns = payload[0] or []
        begin = sum(len(batch) for batch in batches[: self._trainer.accelerator.process_index])
        return turns[begin : begin + len(prefixes)]

    def _is_first(self) -> bool:
        return bool(self._trainer.accelerator.is_main_process)

    def _generate(self, prompts: list[Ids]) -> list[Sampled]:
        engine = self._trainer.vllm_generation
        answer = engine.vllm_client.generate(
            prompts=prompts,
            n=1,
            repetition_penalty=engine.repetition_penalty,
            temperature=engine.temperature,
            top_p=engine.top_p,
            top_k=engine.top_k,
            min_p=engine.min_p or 0.0,
            max_tokens=self._turn_tokens,
            logprobs=0,
        )
        return [_turn(ids, row) for ids, row in zip(answer["completion_ids"], answer["logprobs"], strict=True)]


def _turn(ids: Sequence[int], logprobs: Sequence[Sequence[float | None]]) -> Sampled:
    """A turn as vLLM gives it: per token the log-probability of what was drawn, first of its list."""
    return Sampled(list(ids), [float("nan") if p[0] is None else float(p[0]) for p in logprobs])
