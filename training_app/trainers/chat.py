"""Tokenizer and chat template of a model: rendering, masks, parsing. Needs transformers and TRL."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trl.chat_template_utils import (
    add_response_schema,
    get_training_chat_template,
    has_generation_markers,
    parse_response,
    supports_tool_calling,
)

from training_app.engine.errors import TrainingError
from training_app.engine.masks import spans

MaskSource = Literal["the template's own markers", "TRL's training template", "rendered prefixes"]
Ids = list[int]
Message = dict[str, Any]


@dataclass(frozen=True)
class Tokenized:
    """A row as trained: ids, mask (1 = in the loss), and the assistant turns as inference renders them."""

    ids: Ids
    mask: list[int]


class Chat:
    """One tokenizer with the template that training uses, and where the mask of a row comes from."""

    def __init__(self, tokenizer: Any) -> None:
        if not tokenizer.chat_template:
            raise TrainingError(
                "preflight:template",
                f"{tokenizer.name_or_path} has no chat template, so that nothing says how it is spoken to: "
                "take a model that was made for chats, or put a chat_template.jinja into its directory",
            )
        if not supports_tool_calling(tokenizer):
            raise TrainingError(
                "preflight:template",
                f"the chat template of {tokenizer.name_or_path} does not print tool calls: "
                "take a model that calls tools, or put a chat_template.jinja that prints them into its directory",
            )
        self.tokenizer = tokenizer
        self.template, self.mask_source = _training_template(tokenizer)
        self._parser = add_response_schema(copy.deepcopy(tokenizer)) if _can_parse(tokenizer) else None

    def render(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]], *, header: bool = False) -> str:
        """The text that the model sees; `header` adds the beginning of the next assistant turn."""
        return str(self._apply(messages, tools, header=header, tokenize=False))

    def tokenize(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Tokenized:
        """A conversation with the mask over its assistant turns."""
        if self.mask_source == "rendered prefixes":
            return self.tokenize_pieces(messages, tools)
        row = self._apply(messages, tools, return_dict=True, return_assistant_tokens_mask=True)
        ids = list(row["input_ids"])
        return Tokenized(ids, self._trim(ids, list(row["assistant_masks"])))

    def tokenize_turn(
        self, prompt: Sequence[Message], completion: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> Tokenized:
        """A prompt and its one completion; the completion is trained, tokenised apart as a policy samples it."""
        start = self.prompt(prompt, tools)
        before = self.render(prompt, tools, header=True)
        after = self.render([*prompt, *completion], tools)
        if not after.startswith(before):
            raise TrainingError("preflight:prefix", "the template prints the prompt differently once it is answered")
        answer = self._encode(self._to_end_of_turn(after[len(before) :]))
        return Tokenized(start + answer, [0] * len(start) + [1] * len(answer))

    def tokenize_pieces(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Tokenized:
        """A conversation with each assistant turn tokenised apart from its context, as at inference."""
        whole = self.render(messages, tools)
        ids: Ids = []
        mask: list[int] = []
        position = 0
        for start, turn in self._turns(messages, tools):
            end = start + len(self._to_end_of_turn(turn))
            for text, trained in ((whole[position:start], 0), (whole[start:end], 1)):
                piece = self._encode(text)
                ids += piece
                mask += [trained] * len(piece)
            position = end
        rest = self._encode(whole[position:])
        return Tokenized(ids + rest, mask + [0] * len(rest))

    def turns(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> list[str]:
        """Each assistant turn as inference would have produced it, from prompts rendered turn by turn.

        Raises TrainingError("preflight:prefix") where the whole conversation does not begin with what inference
        sent for a turn: then training would see another context than inference.
        """
        return [text for _, text in self._turns(messages, tools)]

    # The codec of the turn loop.

    def prompt(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Ids:
        """Ids up to and including the assistant header."""
        return self._ids(messages, tools, header=True)

    def parse(self, ids: Ids, prefix: Ids, tools: Sequence[dict[str, Any]]) -> Message:
        """The assistant message spelled by `ids`."""
        if self._parser is None:
            raise TrainingError("preflight:template", "tool calls of this chat template cannot be parsed")
        return dict(parse_response(self._parser, ids, prefix=prefix, tools=list(tools)))

    def observations(self, messages: Sequence[Message]) -> Ids:
        """Ids of tool messages and the next header, found by rendering a dummy call with and without them."""
        calls = [{"type": "function", "function": {"name": m["name"], "arguments": {}}} for m in messages]
        dummy: list[Message] = [
            {"role": "user", "content": "dummy"},
            {"role": "assistant", "content": "", "tool_calls": calls},
        ]
        prefix = self._ids(dummy, ())
        ends = [i for i, token in enumerate(prefix) if token == self.tokenizer.eos_token_id]
        prefix = prefix[: ends[-1] + 1] if ends else prefix  # the newline after a turn belongs to what follows
        full = self._ids([*dummy, *messages], (), header=True)
        if full[: len(prefix)] != prefix:
            raise TrainingError("preflight:prefix", "the template prints a tool call differently once it is answered")
        return full[len(prefix) :]

    def is_finished(self, ids: Ids) -> bool:
        """Does the turn end with the end-of-turn token?"""
        return bool(ids) and ids[-1] == self.tokenizer.eos_token_id

    def text(self, ids: Ids) -> str:
        """Ids as text."""
        return str(self.tokenizer.decode(ids))

    def _trim(self, ids: Ids, mask: list[int]) -> list[int]:
        """Markers of templates often cover the newline of the header and the one after end-of-turn, which
        no policy ever samples; such tokens leave the mask."""
        for span in spans(mask):
            start, end = span
            if self.tokenizer.eos_token_id in ids[start:end]:
                while ids[end - 1] != self.tokenizer.eos_token_id:
                    end -= 1
            while start < end and self.text([ids[start]]).isspace():
                start += 1
            mask[span.start : span.end] = [int(start <= i < end) for i in range(span.start, span.end)]
        return mask

    def _turns(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]]) -> Iterator[tuple[int, str]]:
        """(position in the rendered whole, text) of each assistant turn."""
        whole = self.render(messages, tools)
        for number, message in enumerate(messages):
            if message["role"] != "assistant":
                continue
            before = self.render(messages[:number], tools, header=True)
            after = self.render(messages[: number + 1], tools)
            if not after.startswith(before) or not whole.startswith(after.rstrip("\n")):
                raise TrainingError(
                    "preflight:prefix",
                    f"turn {number + 1}: the template prints earlier turns differently later on; "
                    "export one record per turn instead",
                )
            yield len(before), after[len(before) :]

    def _to_end_of_turn(self, text: str) -> str:
        """Without what the template prints after end-of-turn, which is not the model's."""
        end = str(self.tokenizer.eos_token)
        return text[: text.rindex(end) + len(end)] if end in text else text

    def _encode(self, text: str) -> Ids:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def _ids(self, messages: Sequence[Message], tools: Sequence[dict[str, Any]], *, header: bool = False) -> Ids:
        return list(self._apply(messages, tools, header=header, return_dict=False))

    def _apply(
        self, messages: Sequence[Message], tools: Sequence[dict[str, Any]], *, header: bool = False, **kwargs: Any
    ) -> Any:
        return self.tokenizer.apply_chat_template(
            list(messages),
            tools=list(tools) or None,
            chat_template=self.template,
            add_generation_prompt=header,
            **{"tokenize": True, **kwargs},
        )


def _training_template(tokenizer: Any) -> tuple[str, MaskSource]:
    own = str(tokenizer.chat_template)
    try:
        patched = get_training_chat_template(tokenizer)
    except ValueError:  # a template that TRL does not know
        return own, "the template's own markers" if has_generation_markers(own) else "rendered prefixes"
    return (own, "the template's own markers") if patched is None else (patched, "TRL's training template")


def _can_parse(tokenizer: Any) -> bool:
    try:
        add_response_schema(copy.deepcopy(tokenizer))
    except ValueError:
        return False
    return True
