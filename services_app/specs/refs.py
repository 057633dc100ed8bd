"""References: every `$ref` ends as a local JSON pointer whose target is a schema of the same tool.

Nothing is inlined, so recursive schemas stay finite; nothing is fetched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urljoin

from services_app.specs.errors import RefusedError
from services_app.specs.keywords import IN_PLACE_LISTS, IN_PLACE_SINGLES, places, reference_to, resolve, target_of
from services_app.specs.limits import ImportLimits
from services_app.specs.model import Notebook
from services_app.specs.repairs import repair_tree

_SHARED = ("/$defs", "/definitions", "/components/schemas", "/schemas")
_NAMES = ("$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor")


@dataclass
class _Index:
    """What a reference may name: resources by `$id`, places by anchor, and the resource each place is in."""

    ids: dict[str, str] = field(default_factory=dict)
    anchors: dict[str, str] = field(default_factory=dict)
    bases: dict[str, str] = field(default_factory=dict)

    def base_of(self, pointer: str) -> str:
        """Pointer of the innermost resource with an `$id` that holds `pointer`."""
        return max(
            (base for base in self.bases if pointer == base or pointer.startswith(f"{base}/")), key=len, default=""
        )


def settle_references(schema: dict[str, Any], dialect: str, pointer: str, limits: ImportLimits, book: Notebook) -> None:
    """Rewrite all references of a repaired schema in place and check them.

    `pointer` is where the schema stands in its tool, for the notes. Raises RefusedError for a reference that leads
    nowhere or outside, and for schemas whose alternatives multiply beyond the bound.
    """
    index = _index(schema)
    checked: set[str] = set()
    seen = {place.pointer for place in places(schema)}
    while True:
        targets = _rewrite_all(schema, index, checked, pointer, limits, book)
        fresh = [target for target in sorted(targets) if target not in seen]
        if not fresh:
            break
        for target in fresh:
            seen |= _adopt(schema, target, dialect, pointer, book)
    _drop_unused(schema, seen, checked, pointer, book)
    _strip_names(schema, seen, pointer, book)
    _check_expansion(schema, pointer, limits)


def _index(schema: dict[str, Any]) -> _Index:
    index = _Index()
    for pointer, item in places(schema):
        if not isinstance(item, dict):
            continue
        for word in ("$anchor", "$dynamicAnchor"):
            if isinstance(item.get(word), str):
                index.anchors.setdefault(item[word], pointer)
        name = item.get("$id", item.get("id"))
        if not isinstance(name, str):
            continue
        if name.startswith("#"):
            index.anchors.setdefault(name[1:], pointer)
        else:
            full = urljoin(index.bases.get(index.base_of(pointer), ""), name.rstrip("#"))
            for known in (full, name.rstrip("#")):
                index.ids.setdefault(known, pointer)
            index.bases[pointer] = full
    return index


def _rewrite_all(
    schema: dict[str, Any], index: _Index, checked: set[str], pointer: str, limits: ImportLimits, book: Notebook
) -> set[str]:
    """Rewrite every reference not yet checked; the targets of all of them.

    Only what can be reached from the root has to hold: a dangling reference in an unused definition does no harm.
    """
    targets: set[str] = set()
    waiting = [""]
    reached: set[str] = set()
    while waiting:
        start = waiting.pop()
        _, part = resolve(schema, start)
        for at, item in places(part, start, definitions=False):
            if at in reached or not isinstance(item, dict):
                continue
            reached.add(at)
            target = _rewrite(schema, item, at, index, checked, pointer, book)
            if target is not None and target not in targets:
                targets.add(target)
                waiting.append(target)
        if len(targets) > limits.schema_refs:
            raise RefusedError(
                "bound:refs",
                pointer,
                f"The schema refers to more than {limits.schema_refs:,} places, the limit for one tool.",
            )
    return targets


def _rewrite(
    schema: dict[str, Any],
    item: dict[str, Any],
    at: str,
    index: _Index,
    checked: set[str],
    pointer: str,
    book: Notebook,
) -> str | None:
    for word in ("$dynamicRef", "$recursiveRef"):
        if isinstance(item.get(word), str) and "$ref" not in item:
            item["$ref"] = item.pop(word)
            book.warning(f"{pointer}{at}/{word}", "ref:dynamic", f"“{word}” was read as a plain reference.")
    reference = item.get("$ref")
    if reference is None:
        return None
    place = f"{pointer}{at}/$ref"
    if not isinstance(reference, str):
        del item["$ref"]
        book.warning(place, "ref:not-text", "“$ref” was not text; it was removed.")
        return None
    if at in checked:
        return target_of(reference)
    checked.add(at)
    target = _target(schema, reference, at, index)
    if target is None:
        raise _lost(reference, place)
    _, value = resolve(schema, target)
    if not isinstance(value, dict | bool):
        raise RefusedError(
            "ref:not-a-schema", place, f"The reference {reference} leads to {type(value).__name__}, not to a schema."
        )
    item["$ref"] = reference_to(target)
    if unquote(reference) != f"#{target}":
        book.warning(place, "ref:rewritten", f"The reference {reference} was read as #{target}.")
    return target


def _target(schema: dict[str, Any], reference: str, at: str, index: _Index) -> str | None:
    """The pointer that a reference means, or None."""
    resource, _, fragment = reference.partition("#")
    fragment = unquote(fragment)
    here = index.base_of(at)
    base: str | None = here
    if resource:
        base = index.ids.get(urljoin(index.bases.get(here, ""), resource), index.ids.get(resource))
    if base is None:
        return _shared(schema, resource.rpartition("/")[2].removesuffix(".json")) if "://" not in resource else None
    if fragment and not fragment.startswith("/"):
        return index.anchors.get(fragment) or _shared(schema, fragment)
    for candidate in (f"{base}{fragment}", fragment):
        if resolve(schema, candidate)[0]:
            return candidate
    return _shared(schema, fragment.rpartition("/")[2]) if _names_definition(fragment) else None


def _names_definition(fragment: str) -> bool:
    return fragment.rpartition("/")[0] in _SHARED


def _shared(schema: dict[str, Any], name: str) -> str | None:
    """A definition of that name, wherever this schema keeps its definitions."""
    if not name:
        return None
    return next((f"{home}/{name}" for home in _SHARED if resolve(schema, f"{home}/{name}")[0]), None)


def _lost(reference: str, place: str) -> RefusedError:
    if reference.startswith("#"):
        return RefusedError("ref:dangling", place, f"The reference {reference} at {place} leads nowhere.")
    return RefusedError(
        "ref:remote",
        place,
        f"The reference {reference} at {place} leads outside the specification; nothing is fetched.",
    )


def _adopt(schema: dict[str, Any], target: str, dialect: str, pointer: str, book: Notebook) -> set[str]:
    """Repair a schema that is kept under a keyword of its own and found only by a reference."""
    head, _, _ = target.rpartition("/")
    _, container = resolve(schema, head)
    step = target[len(head) + 1 :].replace("~1", "/").replace("~0", "~")
    holder: Any = {"x": container[int(step)] if isinstance(container, list) else container[step]}
    visited = repair_tree(holder, "x", f"{pointer}{target}", dialect, book)
    if isinstance(container, list):
        container[int(step)] = holder["x"]
    else:
        container[step] = holder["x"]
    return {at[len(pointer) :] for at in visited}


def _drop_unused(schema: dict[str, Any], seen: set[str], checked: set[str], pointer: str, book: Notebook) -> None:
    """Definitions that nothing uses stay, but what they refer to need not exist."""
    for at in sorted(seen - checked):
        _, item = resolve(schema, at)
        reference = item.get("$ref") if isinstance(item, dict) else None
        if reference is None or (isinstance(reference, str) and _leads_to_schema(schema, reference)):
            continue
        del item["$ref"]
        place = f"{pointer}{at}/$ref"
        book.warning(
            place, "ref:unused", f"An unused definition refers to {reference!r:.120}, which is not here; removed."
        )


def _leads_to_schema(schema: dict[str, Any], reference: str) -> bool:
    found, value = resolve(schema, target_of(reference))
    return (
        reference.startswith("#")
        and reference == reference_to(target_of(reference))
        and found
        and isinstance(value, dict | bool)
    )


def _strip_names(schema: dict[str, Any], seen: set[str], pointer: str, book: Notebook) -> None:
    """References are pointers now, so names of places only get in the way of a self-contained schema."""
    for at in sorted(seen):
        _, item = resolve(schema, at)
        if not isinstance(item, dict):
            continue
        for word in _NAMES:
            if word in item:
                del item[word]
                book.info(
                    f"{pointer}{at}/{word}", "id:dropped", f"“{word}” was removed; references are written as pointers."
                )


def _check_expansion(schema: dict[str, Any], pointer: str, limits: ImportLimits) -> None:
    """A validator tries alternatives one inside the other; ten lines can ask for millions of attempts."""
    cost: dict[str, int] = {}
    for start, item in places(schema):
        if isinstance(item, dict) and start not in cost and _expansion(schema, start, cost) > limits.schema_expansion:
            raise RefusedError(
                "bound:alternatives",
                f"{pointer}{start}",
                f"The alternatives multiply beyond {limits.schema_expansion:,} attempts for one value.",
            )


def _expansion(schema: dict[str, Any], start: str, cost: dict[str, int]) -> int:
    """How many schemas are tried on one value at `start`; a loop counts once. Fills `cost` for all on the way."""
    stack = [start]
    entered: set[str] = set()
    while stack:
        at = stack[-1]
        if at in cost:
            stack.pop()
            continue
        below = _in_place(schema, at)
        if at in entered:
            cost[at] = 1 + sum(cost.get(inner, 1) for inner in below)
            stack.pop()
            continue
        entered.add(at)
        stack.extend(inner for inner in below if inner not in cost and inner not in entered)
    return cost[start]


def _in_place(schema: dict[str, Any], at: str) -> list[str]:
    """Pointers of the schemas applied to the same value as the one at `at`, as often as they are applied."""
    _, item = resolve(schema, at)
    if not isinstance(item, dict):
        return []
    inner = [f"{at}/{word}" for word in IN_PLACE_SINGLES if word in item]
    for word in IN_PLACE_LISTS:
        branches = item.get(word)
        if isinstance(branches, list):
            inner.extend(f"{at}/{word}/{index}" for index in range(len(branches)))
    if isinstance(item.get("$ref"), str):
        inner.append(target_of(item["$ref"]))
    return inner
