"""How varied a set of tasks is. Pure: task artifacts in, figures out.

Nothing here needs a language model or an embedding: skeletons are instructions with every name and number masked,
and two instructions are alike by the share of word trigrams of their skeletons that they have in common.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tasks_app.engine.task import Frozen, TaskSpec

ALIKE: Final = 1 / 3  # share of trigrams from which two instructions count as near-duplicates
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

    Every pair is compared, each instruction being one bit per trigram: 1,000 take about a second.
    """
    number: dict[tuple[str, str, str], int] = {}
    masks = [
        sum(1 << number.setdefault(gram, len(number)) for gram in sorted(trigrams(skeleton(text))))
        for text in instructions
    ]
    sizes = [mask.bit_count() for mask in masks]
    best = [0.0] * len(masks)
    for left, mask in enumerate(masks):
        for right in range(left):
            shared = (mask & masks[right]).bit_count()
            if shared:
                alike = shared / (sizes[left] + sizes[right] - shared)
                best[left], best[right] = max(best[left], alike), max(best[right], alike)
    return best


class Traits(Frozen):
    """What the figures of a set look at in one task; small, so that a thousand can be read at once."""

    instruction: str
    needed: tuple[str, ...]
    edges: tuple[tuple[str, str, bool], ...]
    """(how, kind, revisit) of each carried value in the order of the walk."""
    frame: str = ""
    tags: tuple[str, ...] = ()
    length: int
    calls: tuple[tuple[str, str], ...]
    """(service, tool) of each call of the reference."""
    criteria: int
    simulated_share: float = 0.0


def traits_of(task: TaskSpec) -> Traits:
    """The traits of a task."""
    return Traits(
        instruction=task.instruction,
        needed=task.needed,
        edges=tuple((edge.how, edge.kind, edge.revisit) for edge in task.graph.edges),
        frame=str(task.meaning.get("frame", "")),
        tags=task.tags,
        length=len(task.graph.walk),
        calls=tuple((call.service, call.tool) for call in task.reference.calls),
        criteria=len(task.rubric),
        simulated_share=task.simulated_share,
    )


def shape(task: Traits) -> str:
    """The plan of a task: how each edge carries its value, of which kind, and where the walk comes back."""
    return ">".join(f"{how}:{kind}{'*' if revisit else ''}" for how, kind, revisit in task.edges)


def diversity(
    tasks: Sequence[TaskSpec], *, domains: Mapping[str, str], tools: Mapping[str, Iterable[str]]
) -> dict[str, Any]:
    """Figures of a set of tasks, see `figures_of`."""
    return figures_of([traits_of(task) for task in tasks], domains=domains, tools=tools)


def figures_of(
    tasks: Sequence[Traits], *, domains: Mapping[str, str], tools: Mapping[str, Iterable[str]]
) -> dict[str, Any]:
    """Figures of a set of tasks.

    `domains` gives the domain of each service, `tools` the tools that each service of the pool offers. Shares lie
    between 0 and 1 and are None over an empty set.
    """
    skeletons = Counter(skeleton(task.instruction) for task in tasks)
    shapes = Counter(shape(task) for task in tasks)
    alike = likeness([task.instruction for task in tasks])
    used = {call for task in tasks for call in task.calls}
    offered = {(slug, tool) for slug, names in tools.items() for tool in names}
    return {
        "tasks": len(tasks),
        "service_sets": len({frozenset(task.needed) for task in tasks}),
        "shapes": len(shapes),
        "largest_shape_share": _share(max(shapes.values(), default=0), len(tasks)),
        "skeletons": len(skeletons),
        "largest_skeleton_share": _share(max(skeletons.values(), default=0), len(tasks)),
        "likeness": {"mean": _mean(alike), "largest": round(max(alike, default=0.0), 3)},
        "near_duplicates": sum(index > ALIKE for index in alike),
        "kinds": _counts(tasks, lambda task: (kind for _, kind, _ in task.edges)),
        "ways": _counts(tasks, lambda task: (how for how, _, _ in task.edges)),
        "tags": _counts(tasks, lambda task: task.tags),
        "frames": _counts(tasks, lambda task: [task.frame]),
        "needed": _counts(tasks, lambda task: [len(task.needed)]),
        "lengths": _counts(tasks, lambda task: [task.length]),
        "calls": _counts(tasks, lambda task: [len(task.calls)]),
        "criteria": _counts(tasks, lambda task: [task.criteria]),
        "domains": _counts(tasks, lambda task: {domains[slug] for slug in task.needed if slug in domains}),
        "services_used": len({service for service, _ in used & offered}),
        "services": len(tools),
        "tools_used": len(used & offered),
        "tools": len(offered),
        "tools_used_share": _share(len(used & offered), len(offered)),
        "unused_tools": sorted(f"{service}.{tool}" for service, tool in offered - used),
        "simulated_share": _mean([task.simulated_share for task in tasks]),
    }


def _counts(tasks: Iterable[Traits], of: Callable[[Traits], Iterable[Any]]) -> dict[str, int]:
    found = Counter(str(value) for task in tasks for value in of(task))
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None
