"""Sampling turns from a model: a plain batched decoding loop, and vLLM where a GPU has it. Needs torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

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
        cache, drawn, logs = None, [], []
        for _ in range(steps):
            out = self._model(
                input_ids=tokens,
                attention_mask=mask,
                position_ids=positions,
                cache=cache,
                use_cache=True,
                logits_to_keep=1,
            )
            cache = out.cache
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
        return [
            Sampled(list(i[:budget]), [float("nan") if p[0] is None else float(p[0]) for p in row[:budget]])
            for i, row, budget in zip(ids, logprobs, budgets, strict=True)
        ]
