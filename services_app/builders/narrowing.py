"""What each parameter of a tool that lists does to the rows: filter, range, flag, text, page, sort."""

from __future__ import annotations

import re

from services_app.builders.bounds import range_field
from services_app.builders.by_words import plan_said, plan_text, said_by
from services_app.builders.entities import (
    SCALARS,
    Reader,
    Schema,
    add_field,
    is_apart,
    names_own,
    referred,
    stored_as,
)
from services_app.builders.plan import Entity, Filter, Plan, ToolPlan
from services_app.builders.prose import (
    about,
    after_row,
    default_size,
    first_page,
    is_row_number,
    largest_size,
    size_said,
    takes_commas,
)
from services_app.builders.roles import (
    is_order,
    is_sort,
    is_text_query,
    key_of,
    page_kind,
    range_kind,
)
from services_app.builders.sort_fields import plan_sort_fields
from services_app.specs.documented import counts_from_one
from services_app.specs.model import ToolSpec
from services_app.specs.said_ids import said_target
from services_app.specs.vocabulary import id_target, singular, types_of, words_of

_AFTER = frozenset(("starting_after", "after_id", "last_id", "since_id", "last_seen_id", "after_key", "min_id"))
_COUNTS = frozenset(("count", "include_count", "total", "with_count", "count_total"))
_ONE_EACH = frozenset(
    (
        "statuses types states symbols names codes sites countries currencies kinds priorities severities levels "
        "regions environments urgencies origins classes keys modes operations tickers stages phases formats"
    ).split()
)
_EXACTLY = re.compile(r"(?:\.any_of|\.eq|__i?exact|__in)$")
_FIGURES = frozenset("analytics stats statistics metrics aggregate insights performance".split())
# Words of parameters that choose among series of an outside source.
_VARIANTS = frozenset(
    (
        "interval period timespan timeframe resolution frequency granularity adjusted currency currencies convert "
        "market exchange window multiplier series indicator aggregation"
    ).split()
)


def plan_parameter(reader: Reader, tool: ToolSpec, planned: ToolPlan, name: str, *, required: bool) -> str:
    """Give one parameter of a list its work; a sentence when no rule says what it does."""
    own, schema = reader.by_noun[planned.entity], reader.properties(tool)[name]
    kinds, told = types_of(schema), said_by(reader, tool, own, name)
    if told is not None and plan_said(reader, tool, planned, name, told):
        return ""
    bounds = None if _is_place(name, schema, required=required) else range_kind(name, kinds)
    flag = _only_flag(name, kinds)
    both = is_order(name) and _BOTH.search(about(schema)) is not None  # `balance DESC`
    turns = (is_order(name) and not both) or (is_sort(name) and _is_direction(schema, strict=True))
    if name in planned.parents:
        known = stored_as(reader, tool, own, name)
        add_field(reader, own, known, schema, target=planned.parents[name])
        own.fields[known].scope = own.fields[known].scope or required
        planned.filters.append(Filter(name, "equal", known))
    elif key_of(name) in _COUNTS and kinds == {"boolean"} and planned.kind == "list":
        planned.read.totals = name
    elif _is_page(name, schema) and (not kinds or kinds & {"integer", "number", "string"}):
        _plan_page(planned, name, schema)
    elif is_row_number(name, schema) and "offset" not in planned.pages:
        planned.pages["offset"] = name
        planned.read.first_row = int(counts_from_one(schema))
    elif _is_parts(name, schema):
        planned.filters.append(Filter(name, "parts"))
    elif is_text_query(name) and kinds & {"string", "array"}:
        plan_text(reader, tool, planned, name)
    elif turns and not planned.order and _is_direction(schema) and not kinds & {"array", "object"}:
        planned.order = name
    elif (is_sort(name) or both or _is_way(name, schema)) and not planned.sort and kinds & {"string", "array"}:
        plan_sort_fields(reader, own, planned, name, schema)
    elif flag:
        planned.read.flags[_flag_of(reader, own, flag)] = name
    elif bounds is not None:
        strict = words_of(name)[-1] in ("gt", "lt")
        planned.filters.append(Filter(name, bounds[0], range_field(reader, own, bounds, schema), strict))
    else:
        return _plan_value(reader, tool, planned, name, required=required)
    return ""


def _plan_value(reader: Reader, tool: ToolSpec, planned: ToolPlan, name: str, *, required: bool) -> str:
    """A parameter whose value records must have."""
    own, schema = reader.by_noun[planned.entity], reader.properties(tool)[name]
    if names_own(reader, tool, name, own) and own.natural_key != name:
        _plan_own_id(reader, own, planned, name, schema, required=required)
    elif is_plain(types_of(schema), schema):
        _plan_equality(reader, tool, planned, name, required=required)
    elif required:
        return f"no rule says what {name} does when records are read"
    return ""


def _is_page(name: str, schema: Schema) -> bool:
    """Whether a parameter is one of paging: `after` is none where it takes a moment."""
    dated = key_of(name) == "after" and (
        _INSTANT.search(about(schema)) or schema.get("format") in ("date", "date-time")
    )
    return page_kind(name) is not None and not dated


_BOTH = re.compile(
    r"\bfield (?:names? )?(?:and|with|plus) (?:the |a |its )?(?:sort )?(?:direction|order)|\bfield name followed by|"
    r"\b\w+ (?:ASC|DESC)\b.{0,20}\b\w+ (?:ASC|DESC)\b"
)
_INSTANT = re.compile(
    r"^(?!.*\b(?:cursor|ids?|token)\b).*\b(?:dates?|timestamps?|iso[- ]?8601|yyyy-mm-dd)\b", re.I | re.S
)
_DATED = re.compile(r"date|time|day|yyyy|iso|unix|epoch|timestamp|period|month|year|since|range|before|after", re.I)
_DIRECTIONS = frozenset("asc desc ascending descending ascend descend 1 -1 oldest newest".split())


def _is_place(name: str, schema: Schema, *, required: bool) -> bool:
    """Whether a bare `from` or `to` names an end of something that is no span of time: a currency, a station."""
    if key_of(name) not in ("from", "to", "start", "end", "before", "after"):
        return False
    said = f"{schema.get('description') or ''} {schema.get('format') or ''} {schema.get('pattern') or ''}".strip()
    if "currency" in said.lower():  # ISO 4217 is no date
        return True
    return not _DATED.search(said) if said else required


def _is_direction(schema: Schema, *, strict: bool = False) -> bool:
    """Whether the listed values are directions (or none are listed, unless `strict`)."""
    choices = {str(choice).lower() for choice in schema.get("enum") or ()}
    return choices <= _DIRECTIONS if choices else not strict


def _is_way(name: str, schema: Schema) -> bool:
    """Whether a parameter of order lists fields with their directions: `LAST_NAME_ASCENDING`."""
    choices = [str(choice) for choice in schema.get("enum") or ()]
    return is_order(name) and bool(choices) and all(re.search(r"(?i)[-_. ](asc|desc)\w*$", each) for each in choices)


def _plan_page(planned: ToolPlan, name: str, schema: Schema) -> None:
    kind = page_kind(name)
    assert kind is not None
    key = key_of(name)
    if kind == "cursor" and (key in _AFTER or after_row(schema)) and not planned.read.after:
        planned.read.after = name
    elif kind not in planned.pages:
        planned.pages[kind] = name
    else:
        return
    if kind == "limit":
        planned.read.usual, planned.read.most = default_size(schema), largest_size(schema)
        if planned.read.most and planned.read.usual > planned.read.most:
            planned.read.most = 0
        if planned.read.usual:
            planned.defaults[name] = planned.read.usual
    elif kind == "page":
        planned.read.first = first_page(schema)
        planned.read.usual = planned.read.usual or size_said(about(schema))
    elif kind == "offset":
        planned.read.first_row = int(counts_from_one(schema))
    elif kind == "cursor":
        planned.read.following = _following(name)


def _following(name: str) -> str:
    """`next_cursor` for `cursor`, `nextPageToken` for `pageToken`; a name that says next stays."""
    words = words_of(name)
    if "next" in words:
        return name
    stem = words[1:] if words[0] in ("start", "starting", "page") and len(words) > 1 and words[-1] != "token" else words
    stem = ["cursor"] if stem in (["after"], ["cursor"]) else stem
    camel = name != name.lower()
    return "next" + "".join(map(str.capitalize, stem)) if camel else "_".join(["next", *stem])


_PARTS = frozenset(
    "filter filters where conditions criteria query_filter filter_by or_filters and_filters domain".split()
)


def _is_parts(name: str, schema: Schema) -> bool:
    """Whether a parameter holds conditions on fields: an object, a list of them, or either as JSON text."""
    kinds = types_of(schema)
    if key_of(name) not in _PARTS or schema.get("enum"):
        return False
    inner = types_of(schema.get("items") or {})
    if "object" in kinds or ("array" in kinds and (not inner or inner & {"object", "array"})):
        return True
    return "string" in kinds and "json" in str(schema.get("description", "")).lower()


def _plan_own_id(reader: Reader, own: Entity, planned: ToolPlan, name: str, schema: Schema, *, required: bool) -> None:
    """Its own id narrows a list to one record; a list that requires it shows what lies under that record."""
    counted = set(words_of(planned.name)) & _FIGURES  # the figures of one record, not of what lies under it
    if not required or "array" in types_of(schema) or planned.kind != "list" or counted:
        planned.filters.append(Filter(name, "equal", "id"))
        if counted and required and "array" not in types_of(schema):
            planned.parents[name] = own.noun
        return
    apart = said_target(about(schema).lower(), own.noun, lambda noun: is_apart(reader, noun, own))
    target = apart or own.noun
    table = reader.by_noun[target].table
    held = next((known.name for known in own.fields.values() if apart and known.target == table), "")
    known = held or (f"{target}_id" if apart else f"parent_{own.noun}_id")
    add_field(reader, own, known, schema, target=target)
    planned.parents[name] = target
    planned.filters.append(Filter(name, "equal", known))


def _only_flag(name: str, kinds: set[str]) -> str:
    """`unread` for only_unread and unread_only; "" for a parameter of another kind."""
    words = words_of(name)
    if "boolean" not in kinds or len(words) < 2:
        return ""
    if words[0] in ("only", "just"):
        return "_".join(words[1:])
    return "_".join(words[:-1]) if words[-1] == "only" else ""


def _flag_of(reader: Reader, own: Entity, stem: str) -> str:
    for known in own.fields.values():
        if known.type == "bool" and key_of(known.name) in (stem, f"is_{stem}"):
            return known.name
    name = stem if stem not in own.fields and stem != "id" else f"is_{stem}"
    add_field(reader, own, name, {"type": "boolean"})
    return name


def is_plain(kinds: set[str], schema: Schema) -> bool:
    items = schema.get("items") or {}
    return bool(kinds & SCALARS) or not kinds or ("array" in kinds and not types_of(items) - SCALARS)


def _plan_equality(reader: Reader, tool: ToolSpec, planned: ToolPlan, name: str, *, required: bool) -> None:
    own, schema = reader.by_noun[planned.entity], reader.properties(tool)[name]
    target = id_target(name, "") if "array" in types_of(schema) else None
    if target and target != own.noun and not names_own(reader, tool, name, own):
        other = referred(reader, target)
        held = next((known.name for known in own.fields.values() if known.target == other.table), f"{target}_id")
        add_field(reader, own, held, schema.get("items") or {"type": "string"}, target=other.noun, filtered=True)
        planned.filters.append(Filter(name, "equal", held))
        return
    known = _single_field(own, name, schema) or stored_as(reader, tool, own, name)
    plain = _EXACTLY.sub("", name)
    if plain != name and known not in own.fields:  # `channel.any_of` and `name__iexact` are about a channel, a name
        known = next((held for held in own.fields if key_of(held) == key_of(plain)), plain)
    if known not in own.fields and key_of(name).startswith(("is_", "has_", "only_")):
        known = key_of(name).removeprefix("only_")
    single = schema.get("items") if "array" in types_of(schema) and known not in own.fields else None
    add_field(reader, own, known, single or schema, filtered=True)
    if required and "array" not in types_of(schema) and id_target(name, "") is None:
        planned.lookups[name] = known
    else:
        planned.filters.append(Filter(name, "equal", known))


def _single_field(own: Entity, name: str, schema: Schema) -> str:
    """`statuses` of tasks is the status that each has: the field of a list of values; "" where records hold lists."""
    words = words_of(name)
    several = "array" in types_of(schema) or takes_commas(schema)
    if not several or not words or name in own.fields:
        return ""
    if words[-1] == "list" and len(words) > 1:  # service_code_list: each has a service code
        return next((known for known in own.fields if key_of(known) == "_".join(words[:-1])), "_".join(words[:-1]))
    if singular(words[-1]) == words[-1]:
        return ""
    single = "_".join([*words[:-1], singular(words[-1])])
    held = next((known for known in own.fields if key_of(known) == single), "")
    if held or words[-1] not in _ONE_EACH:
        return held
    camel = name != name.lower() and "_" not in name
    return single if not camel else words[0] + "".join(map(str.capitalize, single.split("_")[1:]))


def join_plurals(plan: Plan) -> None:
    """A field `statuses` that lists filter by, beside the `status` of the records, is that status."""
    for own in plan.entities.values():
        tools = [tool for tool in plan.every() if tool.entity == own.noun]
        for name, known in list(own.fields.items()):
            words = words_of(name)
            single = next((n for n in own.fields if key_of(n) == "_".join([*words[:-1], singular(words[-1])])), name)
            items = [item for tool in tools for item in tool.filters if item.field == name and item.kind == "equal"]
            held = own.fields[single]
            if single == name or not items or held.type != "str" or known.type not in ("str", "tuple[str, ...]"):
                continue
            if known.target not in ("", held.target) or any(_keeps(tool, name) for tool in tools):
                continue
            for item in items:
                item.field = single
            held.filtered, held.choices = True, held.choices or known.choices
            del own.fields[name]


def _keeps(tool: ToolPlan, name: str) -> bool:
    """Whether a tool does more with a field than to filter by its values."""
    kept = (*tool.fields.values(), *tool.lookups.values(), *tool.read.same.values(), *tool.write.adds.values())
    others = (part for item in tool.filters if item.kind != "equal" for part in item.field.split("|"))
    return name in (*kept, *others, tool.key_field, *(block.name for block in tool.read.blocks), *tool.read.only)


def choose_variants(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Optional parameters that name another series of an outside source, such as its interval."""
    chosen = [
        item.parameter
        for item in planned.filters
        if item.kind == "equal" and item.parameter not in planned.parents and set(words_of(item.parameter)) & _VARIANTS
    ]
    fields = {item.parameter: item.field for item in planned.filters}
    planned.filters = [item for item in planned.filters if item.parameter not in chosen]
    planned.read.variants = {name: fields[name] for name in chosen}
