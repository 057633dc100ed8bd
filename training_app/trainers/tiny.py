"""A tiny random Qwen3 with a tokenizer made from a data set: `python -m training_app.trainers.tiny --data F
--out D`.

For tests of the mechanics and for the proof on a CPU. What repeats in the data (lines of the system prompt,
the beginnings of tool calls and observations) becomes one token each, and so does each value that is
carried from an observation into an argument, so that an episode is some tens of tokens long. The chat
template is Qwen2.5's.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training_app.exports.ndjson import read_ndjson

_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_MARK = re.compile("|".join(map(re.escape, _SPECIAL)))
_PIECE = re.compile(r"[^\n]*\n|[^\n]+")
_LONGEST_VALUE = 40


@dataclass(frozen=True)
class Shape:
    """Size of the model. An `initializer_range` of 0.02 instead of 0.08 makes such a model learn far too
    slowly.
    """

    hidden: int = 128
    layers: int = 2
    heads: int = 4
    feed_forward: int = 128
    initializer_range: float = 0.08
    context: int = 16384
    byte_vocabulary: int = 512
    fragments: int = 1500
    values: int = 3000


SIZES: Mapping[str, Shape] = {
    "tiny": Shape(),
    # For a GPU: heads of 64, which the attention kernels of vLLM know, and matrices that are worth a GPU.
    "small": Shape(hidden=512, layers=6, heads=8, feed_forward=1536, initializer_range=0.04),
}


def build_tiny(
    records: Sequence[Mapping[str, Any]], out: Path, *, seed: int = 0, shape: Shape | None = None
) -> dict[str, int]:
    """Make and save model and tokenizer for SFT records; returns their sizes (parameters, vocabulary)."""
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    shape = shape or Shape()
    tokenizer = build_tokenizer(records, shape)
    torch.manual_seed(seed)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=shape.hidden,
        intermediate_size=shape.feed_forward,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        head_dim=shape.hidden // shape.heads,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        initializer_range=shape.initializer_range,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0},
    )
    model = Qwen3ForCausalLM(config)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return {"parameters": int(model.num_parameters()), "vocabulary": len(tokenizer)}


def build_tokenizer(records: Sequence[Mapping[str, Any]], shape: Shape) -> Any:
    """A byte-level tokenizer with the data's own fragments and values as whole tokens."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast
    from trl.chat_template_utils import qwen2_5_chat_template

    inner = Tokenizer(models.BPE())
    words = Regex(r" ?[A-Za-z0-9_]+|[^A-Za-z0-9_]+?(?= ?[A-Za-z0-9_]|$)")
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(words, "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    inner.decoder = decoders.ByteLevel()
    plain = PreTrainedTokenizerFast(tokenizer_object=inner)
    plain.chat_template = qwen2_5_chat_template
    texts = [_render(plain, record) for record in records]
    trainer = trainers.BpeTrainer(
        vocab_size=shape.byte_vocabulary,
        special_tokens=list(_SPECIAL),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    inner.train_from_iterator(texts[:400], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner,
        eos_token="<|im_end|>",  # noqa: S106 - a token of the vocabulary
        pad_token="<|endoftext|>",  # noqa: S106 - a token of the vocabulary
        model_max_length=shape.context,
    )
    tokenizer.chat_template = qwen2_5_chat_template
    values = frequent_values(records, shape.values)
    fragments = frequent_fragments(texts, values, shape.fragments)
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=False) for text in fragments])
    # Values count as whole words only: "art" must not split "start".
    tokenizer.add_tokens([AddedToken(v, special=False, normalized=False, single_word=True) for v in values])
    return tokenizer


def frequent_values(records: Iterable[Mapping[str, Any]], limit: int) -> list[str]:
    """Leaves of tool-call arguments and observations that occur in several records: strings and numbers as
    text.
    """
    counts: Counter[str] = Counter()
    for record in records:
        counts.update(set(_leaves(record)))
    usable = [v for v, n in _ranked(counts) if n > 1 and 1 < len(v) <= _LONGEST_VALUE and v.strip() == v]
    return usable[:limit]


def frequent_fragments(texts: Sequence[str], values: Sequence[str], limit: int) -> list[str]:
    """Pieces of rendered text between values, cut after each newline, that occur in at least 1 % of the
    texts.
    """
    ordered = sorted(values, key=len, reverse=True)
    splitter = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)") if ordered else None
    counts: Counter[str] = Counter()
    for text in texts:
        pieces: set[str] = set()
        for part in _MARK.split(text):
            for between in splitter.split(part) if splitter else [part]:
                pieces.update(_PIECE.findall(between))
        counts.update(pieces)
    floor = max(2, len(texts) // 100)
    # The header of an assistant turn stays in parts: its newline lies outside of some templates' markers.
    usable = [t for t, n in _ranked(counts) if n >= floor and len(t) > 2 and t != "assistant\n"]
    return usable[:limit]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """By frequency, ties by text: the same data give the same vocabulary in every process."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def main(arguments: list[str] | None = None) -> int:
    """Command line: build from a JSONL file of SFT records, print the sizes as JSON."""
    parser = argparse.ArgumentParser(description="Build a tiny random model with a tokenizer made from a data set.")
    parser.add_argument("--data", required=True, type=Path, help="JSONL file of SFT records")
    parser.add_argument("--out", required=True, type=Path, help="directory to write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", choices=sorted(SIZES), default="tiny")
    options = parser.parse_args(arguments)
    records = list(read_ndjson(options.data))
    sizes = build_tiny(records, options.out, seed=options.seed, shape=SIZES[options.size])
    sys.stdout.write(json.dumps(sizes) + "\n")
    return 0


def _render(tokenizer: Any, record: Mapping[str, Any]) -> str:
    tools = json.loads(record["tools"]) if record.get("tools") else None
    messages = [*record["prompt"], *record["completion"]] if "completion" in record else record["messages"]
    return str(tokenizer.apply_chat_template(messages, tools=tools or None, tokenize=False))


def _leaves(record: Mapping[str, Any]) -> Iterator[str]:
    messages = [*record["prompt"], *record["completion"]] if "completion" in record else record["messages"]
    for message in messages:
        for call in message.get("tool_calls") or ():
            yield from _scalars(call["function"]["arguments"])
        if message["role"] == "tool":
            try:
                yield from _scalars(json.loads(message["content"]))
            except ValueError:
                continue


def _scalars(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _scalars(item)
    elif isinstance(value, list):
        for item in value:
            yield from _scalars(item)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield str(value)


if __name__ == "__main__":
    raise SystemExit(main())
