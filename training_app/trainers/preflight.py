"""What is looked at before any money is spent; a launch that would waste it is refused in words.

The report is written to `D/preflight.json` and shown on the run page whether or not the launch was refused.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from training_app.engine.config import GRPOConfig, SFTConfig
from training_app.engine.episodes import EpisodeFactory
from training_app.engine.errors import TrainingError
from training_app.engine.masks import compare_spans, spans, trained_share
from training_app.trainers.chat import Chat, Tokenized
from training_app.trainers.tool_lists import ToolLists

Record = Mapping[str, Any]
_SHOWN = 3
_LISTED = 5
_COMPARED = 16
_BUCKETS = (128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)


@dataclass
class Report:
    """Findings: numbers for the page, warnings, and problems (any problem refuses the launch)."""

    figures: dict[str, Any] = field(default_factory=dict)
    samples: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """The report as stored."""
        return {
            "figures": self.figures,
            "samples": self.samples,
            "warnings": self.warnings,
            "problems": self.problems,
        }

    def raise_if_refused(self) -> None:
        """Raise TrainingError("preflight:refused") listing the problems, if there are any."""
        if self.problems:
            more = len(self.problems) - _LISTED
            shown = [*self.problems[:_LISTED], *([f"and {more} more"] if more > 0 else [])]
            raise TrainingError("preflight:refused", "; ".join(shown))


def tokenize_record(chat: Chat, record: Record) -> Tokenized:
    """A training record (see exports.sft) as ids and mask."""
    tools = json.loads(record["tools"]) if record.get("tools") else []
    if "completion" in record:
        return chat.tokenize_turn(record["prompt"], record["completion"], tools)
    return chat.tokenize(record["messages"], tools)


def check_sft(
    chat: Chat, config: SFTConfig, records: Sequence[Record], holdout: Sequence[Record] = ()
) -> tuple[Report, list[Tokenized]]:
    """The report, and the rows that will be trained: the same rows that were looked at.

    They keep the order of the records; overlong ones are dropped only if the configuration says so.
    """
    report = Report()
    if not records:
        report.problems.append(
            f"the data set is empty: {config.dataset} holds no record; freeze a version with passed trajectories in "
            "its train split, or loosen what its data set selects"
        )
        return report, []
    rows = [tokenize_record(chat, record) for record in records]
    names = [str(record.get("id") or number) for number, record in enumerate(records, start=1)]
    kept = _check_lengths(report, config, rows, names)
    _check_markers(report, chat, config, records)
    _check_masks(report, chat, records, rows)
    _check_duplicates(report, rows, names)
    _check_leakage(report, records, holdout)
    trained = [rows[i] for i in kept]
    tokens = sum(len(row.ids) for row in trained)
    steps = -(-len(trained) // config.global_batch)
    report.figures |= {
        "records": len(records),
        "mask_source": chat.mask_source,
        "trained_share": round(trained_share([row.mask for row in trained]), 4),
        "tokens_per_epoch": tokens,
        "steps_per_epoch": steps,
        "steps": config.max_steps or int(steps * config.epochs),
    }
    return report, trained


def check_grpo(
    chat: Chat,
    config: GRPOConfig,
    rows: Sequence[Record],
    factory: EpisodeFactory,
    references: Sequence[Record] = (),
    window: int | None = None,
) -> Report:
    """The report for a GRPO launch: rows are prompt records, `window` is the model's context in tokens.

    Each distinct task is started once. The prompt of a rollout is made of the episode's own instruction, so a row
    whose stored prompt says something else is refused.
    """
    prompts = {str(row["task_id"]): row.get("prompt") for row in rows}
    report = Report(figures={"tasks": len(prompts), "mask_source": chat.mask_source})
    if not rows:
        report.problems.append(
            f"there are no tasks: {config.dataset} holds no row; freeze a version with tasks in its train split"
        )
        return report
    shown = {str(row["task_id"]): row for row in references if str(row.get("task_id")) in prompts and row.get("tools")}
    lengths = _start_each(report, chat, config, prompts, factory, ToolLists(shown))
    _check_budget(report, chat, config, references)
    _check_sizes(report, config, rows)
    longest = max(lengths, default=0)
    report.figures |= {"prompt_tokens_longest": longest, "completion_budget": config.max_completion_length}
    if window is not None and longest + config.max_completion_length > window:
        report.problems.append(
            f"the longest prompt ({longest} tokens) and the completion budget "
            f"({config.max_completion_length}) exceed the model's window of {window} tokens"
        )
    return report


def _check_lengths(report: Report, config: SFTConfig, rows: Sequence[Tokenized], names: Sequence[str]) -> list[int]:
    lengths = [len(row.ids) for row in rows]
    overlong = [i for i, length in enumerate(lengths) if length > config.max_length]
    report.figures |= {
        "length_median": int(statistics.median(lengths)),
        "length_longest": max(lengths),
        "length_histogram": _histogram(lengths),
        "overlong": [names[i] for i in overlong],
    }
    if overlong and config.overlong == "refuse":
        listed = ", ".join(f"{names[i]} ({lengths[i]})" for i in overlong[:5])
        report.problems.append(
            f"{len(overlong)} of {len(rows)} records are longer than max_length {config.max_length}: {listed}"
            f"{' and more' if len(overlong) > 5 else ''}; they are not cut: raise max_length or drop them"
        )
    elif overlong:
        report.warnings.append(f"{len(overlong)} overlong records are left out")
    kept = [i for i in range(len(rows)) if i not in set(overlong)]
    if not kept:
        report.problems.append(f"no record fits max_length {config.max_length}")
    return kept


def _check_markers(report: Report, chat: Chat, config: SFTConfig, records: Sequence[Record]) -> None:
    """Whole conversations need a template that says which tokens are the assistant's."""
    unmarked = sum("completion" not in record for record in records)
    if unmarked and chat.mask_source == "rendered prefixes" and config.masks == "markers":
        report.problems.append(
            f"the chat template has no generation markers and no training template is known for it, so nothing in it "
            f"says which tokens of {unmarked} of {len(records)} records are the assistant's: take a model whose "
            "template has them, or set masks to rendered, which finds them by rendering the prompt of each turn"
        )


def _check_masks(report: Report, chat: Chat, records: Sequence[Record], rows: Sequence[Tokenized]) -> None:
    empty = [i for i, row in enumerate(rows) if not any(row.mask)]
    if empty:
        report.problems.append(
            f"{len(empty)} records have no trained token (first: record {empty[0] + 1}): mask from {chat.mask_source}"
        )
    for number, (record, row) in enumerate(zip(records[:_COMPARED], rows[:_COMPARED], strict=False), start=1):
        trained = [chat.text(row.ids[span.start : span.end]) for span in spans(row.mask)]
        if number <= _SHOWN:
            report.samples.append({"tokens": len(row.ids), "trained_tokens": sum(row.mask), "parts": _parts(chat, row)})
        problems = compare_spans(trained, _expected(chat, record, report, number))
        report.problems += [f"record {number}: {problem}" for problem in problems]
        if not problems and "messages" in record:
            _check_boundaries(report, chat, record, row, number)


def _check_boundaries(report: Report, chat: Chat, record: Record, row: Tokenized, number: int) -> None:
    """A token that spans header and turn is one that inference never sees."""
    tools = json.loads(record["tools"]) if record.get("tools") else []
    if chat.tokenize_pieces(record["messages"], tools).ids != row.ids:
        report.warnings.append(f"record {number}: tokens cross the beginning or end of a turn")


def _expected(chat: Chat, record: Record, report: Report, number: int) -> list[str]:
    tools = json.loads(record["tools"]) if record.get("tools") else []
    if "completion" in record:
        before = chat.render(record["prompt"], tools, header=True)
        return [chat.render([*record["prompt"], *record["completion"]], tools)[len(before) :]]
    try:
        return chat.turns(record["messages"], tools)
    except TrainingError as error:
        report.problems.append(f"record {number}: {error.message}")
        return []


def _parts(chat: Chat, row: Tokenized) -> list[dict[str, Any]]:
    """The row as alternating pieces of text, trained or not, for coloured display."""
    parts: list[dict[str, Any]] = []
    position = 0
    for span in spans(row.mask):
        if span.start > position:
            parts.append({"trained": False, "text": chat.text(row.ids[position : span.start])})
        parts.append({"trained": True, "text": chat.text(row.ids[span.start : span.end])})
        position = span.end
    if position < len(row.ids):
        parts.append({"trained": False, "text": chat.text(row.ids[position:])})
    return parts


def _check_duplicates(report: Report, rows: Sequence[Tokenized], names: Sequence[str]) -> None:
    seen: dict[bytes, str] = {}
    repeated = []
    for row, name in zip(rows, names, strict=True):
        key = sha256(repr(row.ids).encode()).digest()
        if key in seen:
            repeated.append(f"{name} = {seen[key]}")
        seen.setdefault(key, name)
    report.figures["duplicates"] = len(repeated)
    if repeated:
        report.warnings.append(f"{len(repeated)} records repeat another exactly (first: {repeated[0]})")


def _check_leakage(report: Report, records: Sequence[Record], holdout: Sequence[Record]) -> None:
    shared = {key: sorted(_values(records, key) & _values(holdout, key)) for key in ("id", "task_id", "family")}
    report.figures["leakage"] = {key: len(values) for key, values in shared.items()}
    for key, values in shared.items():
        if values:
            report.problems.append(f"{len(values)} values of {key} are also in the held-out records ({values[0]})")


def _values(records: Iterable[Record], key: str) -> set[str]:
    return {str(record[key]) for record in records if record.get(key)}


def _start_each(
    report: Report,
    chat: Chat,
    config: GRPOConfig,
    prompts: Mapping[str, Any],
    factory: EpisodeFactory,
    lists: ToolLists,
) -> list[int]:
    unknown, lengths, differing = [], [], []
    system = [{"role": "system", "content": config.system_prompt}] if config.system_prompt else []
    for task_id, stored in prompts.items():
        try:
            episode = factory.start(task_id)
        except KeyError:
            unknown.append(task_id or "(empty)")
            continue
        messages = [*system, {"role": "user", "content": episode.instruction}]
        ids = chat.prompt(messages, episode.tools)
        lists.compare(task_id, episode.tools)
        lengths.append(len(ids))
        text = chat.text(ids)
        if episode.instruction not in text or (stored is not None and list(stored) != messages):
            differing.append(task_id)
        if len(report.samples) < _SHOWN:
            tools = [tool["function"]["name"] for tool in episode.tools]
            report.samples.append({"task_id": task_id, "prompt": text, "tools": tools})
    if unknown:
        report.problems.append(f"{len(unknown)} tasks are not known: {', '.join(sorted(unknown)[:20])}")
    if differing:
        report.problems.append(
            f"{len(differing)} tasks have another prompt in the data set than their episode and the system prompt "
            f"give: {', '.join(differing[:20])}"
        )
    lists.conclude(report)
    return lengths


def _check_budget(report: Report, chat: Chat, config: GRPOConfig, references: Sequence[Record]) -> None:
    if not references:
        report.warnings.append("no reference trajectories were given: the completion budget is unchecked")
        return
    lengths = sorted(_completion_tokens(chat, record) for record in references)
    median, high = int(statistics.median(lengths)), lengths[min(len(lengths) - 1, int(0.95 * len(lengths)))]
    budget = config.max_completion_length
    report.figures |= {"reference_median": median, "reference_p95": high}
    if median > budget:
        report.problems.append(
            f"the completion budget of {budget} tokens covers the whole episode, observations included, "
            f"but half of the reference solutions need {median} or more"
        )
    elif high > budget:
        report.warnings.append(f"5 % of the reference solutions need {high} tokens or more, the budget is {budget}")


def _check_sizes(report: Report, config: GRPOConfig, rows: Sequence[Record]) -> None:
    unsized = [str(row["task_id"]) for row in rows if row.get("k") is None or row.get("l") is None]
    if config.curriculum_steps is not None and unsized:
        report.problems.append(
            f"a curriculum orders tasks by K and L, and {len(unsized)} of {len(rows)} rows have none ({unsized[0]}): "
            "give each row k and l, or leave curriculum_steps empty"
        )


def _completion_tokens(chat: Chat, record: Record) -> int:
    messages = record["messages"]
    first = next(i for i, message in enumerate(messages) if message["role"] == "assistant")
    tools = json.loads(record["tools"]) if record.get("tools") else []
    return len(tokenize_record(chat, record).ids) - len(chat.prompt(messages[:first], tools))


def _histogram(lengths: Sequence[int]) -> dict[str, int]:
    """Counts by upper bound in tokens; the last key is `more`."""
    counts = {str(bound): 0 for bound in _BUCKETS} | {"more": 0}
    for length in lengths:
        bound = next((b for b in _BUCKETS if length <= b), None)
        counts[str(bound) if bound else "more"] += 1
    return {key: count for key, count in counts.items() if count}
