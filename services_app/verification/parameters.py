"""The parameters of a tool as they are tried one by one, and the part each plays by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from services_app.specs.vocabulary import id_target, words_of
from services_app.verification.arguments import kind_of, resolve

Json = Any
Part = Literal["limit", "page", "offset", "cursor", "sort", "order", "select", "from", "until", "text", "id", ""]

PAGING: frozenset[Part] = frozenset(("limit", "page", "offset", "cursor"))
HEADERS = frozenset(("accept", "content_type"))
LIMITS = frozenset(
    (
        "limit per_page page_size max_results count top size max_items num_results first page_limit rows take max num "
        "page_length limit_page_length hits_per_page entries_per_page items_per_page results_per_page"
    ).split()
)
_PAGES = frozenset("page page_number page_no page_num page_index current_page".split())
_OFFSETS = frozenset("offset skip start_index from_index start start_at".split())
_CURSORS = frozenset(
    "cursor page_token next_token after before next_page_token continuation_token starting_after pagination_token "
    "next_cursor start_cursor marker skiptoken skip_token paging_token page_cursor after_cursor bookmark continuation "
    "scroll_id next_page next_link delta_token page_after".split()
)
_SORTS = frozenset("sort sort_by order_by orderby sort_field sort_key ordering sort_column".split())
_ORDERS = frozenset("order direction sort_order sort_direction order_direction sort_dir ascending descending".split())
_SELECTS = frozenset("fields select columns include expand properties attributes fields_to_return".split())
_TEXTS = frozenset(
    "q query search term keyword keywords filter text search_query search_term search_text find pattern sql statement "
    "old_text contains phrase".split()
)
_FROM = frozenset("from since start after begin min minimum gte gt least lower earliest".split())
_UNTIL = frozenset("to until end before max maximum lte lt most upper latest".split())


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter. A lone wrapping object is looked into: its parts are the parameters, `params.limit`."""

    name: str
    path: tuple[str, ...]
    schema: dict[str, Any]
    required: bool

    @property
    def last(self) -> str:
        return self.path[-1]

    @property
    def key(self) -> str:
        """The name in lower-case words joined by `_`."""
        return key_of(self.last)


@lru_cache(maxsize=65536)
def key_of(name: str) -> str:
    """An identifier in lower-case words joined by `_`."""
    return "_".join(words_of(name))


def parameters_of(schema: Mapping[str, Any]) -> list[Parameter]:
    """The parameters in declared order, the parts of a lone wrapping object instead of the object."""
    properties = schema.get("properties") or {}
    required = frozenset(schema.get("required") or ())
    if len(properties) == 1:
        (outer,) = properties
        inner = resolve(properties[outer], schema)
        if kind_of(inner) == "object" and inner.get("properties"):
            wanted = frozenset(inner.get("required") or ())
            return [
                Parameter(f"{outer}.{name}", (outer, name), resolve(part, schema), name in wanted)
                for name, part in inner["properties"].items()
            ]
    return [Parameter(name, (name,), resolve(part, schema), name in required) for name, part in properties.items()]


def own_key(names: Iterable[str], noun: str) -> str | None:
    """Which of several parameters names a record of the noun: of service integrations `integration_id`, not `id`."""
    found = {name: id_target(name, noun) for name in names}
    own = [name for name, target in found.items() if target == noun]
    tails = [name for name, target in found.items() if target and noun.endswith(f"_{target}")]
    bare = [name for name in own if key_of(name) == "id"]
    named = next((name for name in own if name not in bare), None)
    return named or next(iter([*tails[-1:], *bare]), None)


def value_at(arguments: Mapping[str, Json], path: tuple[str, ...]) -> Json:
    """The value of a parameter in a call; None when it is not sent."""
    value: Json = arguments
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def put(arguments: Mapping[str, Json], path: tuple[str, ...], value: Json) -> dict[str, Json]:
    """The call with another value for one parameter."""
    head, *rest = path
    inner = arguments.get(head)
    return {
        **arguments,
        head: put(inner if isinstance(inner, Mapping) else {}, tuple(rest), value) if rest else value,
    }


def drop(arguments: Mapping[str, Json], path: tuple[str, ...]) -> dict[str, Json]:
    """The call without one parameter."""
    head, *rest = path
    if head not in arguments:
        return dict(arguments)
    if not rest:
        return {name: value for name, value in arguments.items() if name != head}
    inner = arguments[head]
    return {**arguments, head: drop(inner, tuple(rest)) if isinstance(inner, Mapping) else inner}


def without_paging(parameters: list[Parameter], arguments: Mapping[str, Json]) -> dict[str, Json]:
    """The call without its optional limits, offsets, page numbers and cursors."""
    bare = dict(arguments)
    for parameter in parameters:
        if not parameter.required and part_of(parameter, "") in PAGING:
            bare = drop(bare, parameter.path)
    return bare


def part_of(parameter: Parameter, noun: str) -> Part:
    """What a parameter is for, by its name alone."""
    key, words = parameter.key, parameter.key.split("_")
    tables: tuple[tuple[Part, frozenset[str]], ...] = (
        ("limit", LIMITS), ("page", _PAGES), ("offset", _OFFSETS), ("cursor", _CURSORS), ("sort", _SORTS),
        ("order", _ORDERS), ("select", _SELECTS), ("text", _TEXTS),
    )  # fmt: skip
    for part, names in tables:
        if key in names:
            return part
    if id_target(parameter.last, noun) is not None:
        return "id"
    if words[0] in _FROM or words[-1] in _FROM:
        return "from"
    return "until" if words[0] in _UNTIL or words[-1] in _UNTIL else ""
