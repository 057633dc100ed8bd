"""How varied a set of tasks is. Pure: task artifacts in, figures out.

Nothing here needs a language model or an embedding: skeletons are instructions with every name and number masked,
and two instructions are alike by the share of word trigrams of their skeletons that they have in common.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tasks_app.engine.task import TaskSpec

ALIKE: Final = 1 / 3  # share of trigrams from which two instructions count as near-duplicates
_COMMON_SHARE: Final = 0.2  # trigrams in more of the instructions than this say nothing about likeness
_FEW_TASKS: Final = 20
_MASKS: Final = (
    (re.compile(r"“[^”]*”"), "“_”"),
    (re.compile(r"https?://[^\s“”]+[^\s“”.,;]"), "_"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]+"), "_"),
    (re.compile(r"\+?\d[\d ()-]{6,}\d"), "_"),
    (re.compile(r"\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4}\b"), "_"),
    (re.compile(r"\b[\w/-]*\d[\w/:.,-]*\w|\b\d\b"), "_"),
    (re.compile(r"(?<=[a-z,;] )[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*"), "_"),
    (re.compile(r"(?:^|(?<=\. ))[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+"), "_"),
)


def skeleton(instruction: str) -> str:
    """The instruction with names, addresses, codes, numbers and dates masked by `_`."""
    for pattern, mask in _MASKS:
        instruction = pattern.sub(mask, instruction)
    return " ".join(instruction.split())


def trigrams(text: str) -> frozenset[tuple[str, str, str]]:
    """Word trigrams of a text, lower case, without punctuation."""
    words = re.findall(r"[\w'’]+", text.lower())
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def likeness(instructions: Sequence[str]) -> list[float]:
    """For each instruction the largest Jaccard index of skeleton trigrams with any other; 0.0 where it shares none.

    Pairs are found over shared trigrams; those that more than a fifth of a larger set has are not used to find pairs
    (they still count in the index), so that 1,000 instructions take seconds.
    """
    grams = [trigrams(skeleton(text)) for text in instructions]
    holders: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for index, found in enumerate(grams):
        for gram in sorted(found):
            holders[gram].append(index)
    most = max(len(grams) * _COMMON_SHARE, _FEW_TASKS)
    best = [0.0] * len(grams)
    seen: set[tuple[int, int]] = set()
    for members in holders.values():
        if len(members) > most:
            continue
        for position, left in enumerate(members):
            for right in members[position + 1 :]:
                if (left, right) not in seen:
                    seen.add((left, right))
                    alike = _jaccard(grams[left], grams[right])
                    best[left], best[right] = max(best[left], alike), max(best[right], alike)
    return best


def _jaccard(left: frozenset[Any], right: frozenset[Any]) -> float:
    shared = len(left & right)
    return shared / (len(left) + len(right) - shared)


def shape(task: TaskSpec) -> str:
    """The plan of a task: how each edge carries its value, of which kind, and where the walk comes back."""
    return ">".join(f"{edge.how}:{edge.kind}{'*' if edge.revisit else ''}" for edge in task.graph.edges)


def diversity(
    tasks: Sequence[TaskSpec], *, domains: Mapping[str, str], tools: Mapping[str, Iterable[str]]
) -> dict[str, Any]:
    """Figures of a set of tasks.

    `domains` gives the domain of each service, `tools` the tools that each service of the pool offers. Shares lie
    between 0 and 1 and are None over an empty set.
    """
    skeletons = Counter(skeleton(task.instruction) for task in tasks)
    alike = likeness([task.instruction for task in tasks])
    used = {(call.service, call.tool) for task in tasks for call in task.reference.calls}
    offered = {(slug, tool) for slug, names in tools.items() for tool in names}
    return {
        "tasks": len(tasks),
        "service_sets": len({frozenset(task.needed) for task in tasks}),
        "shapes": len({shape(task) for task in tasks}),
        "skeletons": len(skeletons),
        "largest_skeleton_share": _share(max(skeletons.values(), default=0), len(tasks)),
        "likeness": {"mean": _mean(alike), "largest": round(max(alike, default=0.0), 3)},
        "near_duplicates": sum(index > ALIKE for index in alike),
        "kinds": _counts(tasks, lambda task: (edge.kind for edge in task.graph.edges)),
        "ways": _counts(tasks, lambda task: (edge.how for edge in task.graph.edges)),
        "tags": _counts(tasks, lambda task: task.tags),
        "frames": _counts(tasks, lambda task: [str(task.meaning.get("frame", ""))]),
        "lengths": _counts(tasks, lambda task: [len(task.graph.walk)]),
        "calls": _counts(tasks, lambda task: [len(task.reference.calls)]),
        "domains": _counts(tasks, lambda task: {domains[slug] for slug in task.needed if slug in domains}),
        "services_used": len({service for service, _ in used & offered}),
        "services": len(tools),
        "tools_used": len(used & offered),
        "tools": len(offered),
        "tools_used_share": _share(len(used & offered), len(offered)),
        "unused_tools": sorted(f"{service}.{tool}" for service, tool in offered - used),
        "simulated_share": _mean([task.simulated_share for task in tasks]),
    }


def _counts(tasks: Iterable[TaskSpec], of: Callable[[TaskSpec], Iterable[Any]]) -> dict[str, int]:
    found = Counter(str(value) for task in tasks for value in of(task))
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
