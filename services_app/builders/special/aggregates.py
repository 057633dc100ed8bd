"""Rules for figures over records: statistics, summaries, reports, groups, and two periods side by side.

`get_ticket_stats` counts the tickets that `list_tickets` shows, under the same filters. A report whose measures no
field carries (an output schema names them) is left to the rules for records.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from services_app.builders.body_parts import returned
from services_app.builders.bounds import is_time
from services_app.builders.entities import Reader, add_field, bare_parent
from services_app.builders.outputs import wrap_of
from services_app.builders.plan import ROWS, Entity, ToolPlan
from services_app.builders.roles import is_format, is_order, is_sort, key_of, page_kind, range_kind
from services_app.builders.special.answers import (
    frame,
    id_parents,
    idle,
    known_nouns,
    meaningful,
    named_entity,
    narrowed,
)
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, singular, types_of, words_of

_MODULE = "services_app.recipes.aggregate"
_MARKS = frozenset(
    (
        "stats statistics statistic summary metrics metric analytics report insights overview count counts total "
        "totals breakdown kpi aggregate aggregated aggregation distribution trend trends funnel dashboard"
    ).split()
)
_NO_ORDER = "single figures have no order"
_LEADING = frozenset("kpi aggregate aggregated stats statistics".split())
_READS = frozenset("get list fetch view show read count search retrieve run generate calculate analyze compare".split())
_GROUPS = frozenset(
    "group_by groupby group_by_field group_by_fields dimension dimensions breakdown pivot aggregate_by summarize_by "
    "grouping grouped_by group_by_dimension".split()
)
_BUCKETS = frozenset("interval granularity aggregate_unit frequency bucket time_unit group_by_period".split())
_WINDOWS = {"days": 1, "weeks": 7, "months": 30, "weeks_back": 7, "months_back": 30, "days_back": 1}
_PERIODS = frozenset("period timeframe time_frame time_range reporting_window window duration date_preset".split())
_MEASURES = frozenset("metrics metric measures measure metric_names metric_name aggregations".split())


@dataclass
class _Parts:
    """The parameters of a report by what they do."""

    group: str = ""
    bucket: str = ""
    window: str = ""
    period: str = ""
    measures: str = ""
    limit: str = ""
    order: str = ""
    fixed: str = ""
    """Field that the tool's name groups by: metrics by service, across teams."""
    details: list[str] = field(default_factory=list)
    periods: list[str] = field(default_factory=list)

    def used(self) -> set[str]:
        names = (self.group, self.bucket, self.window, self.period, self.measures, self.limit, self.order)
        return {name for name in (*names, *self.details) if name}


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that counts or sums what the service holds; None for any other."""
    periods = _two_periods(reader, tool)
    if periods:
        return _compare(reader, tool, periods)
    reading = reader.readings[tool.name]
    if reading.action not in ("get", "list", "count", "other") or not (reading.verb in _READS or reading.verb == ""):
        return None
    words = [word for word in words_of(reading.noun or tool.name) if word not in ("list", "details", reading.verb)]
    parts = _parts(reader, tool)
    last = next((word for word in reversed(words_of(tool.name)) if word != "tool"), "")
    marks = {*words[:1]} & _LEADING or {last} & _MARKS
    if reading.action == "count" or not (marks or parts.group):
        return None
    rest = [word for word in words if word not in _MARKS]
    return _plan_report(reader, tool, rest, parts) if marks else _plan_rollup(reader, tool, parts)


def _plan_report(reader: Reader, tool: ToolSpec, words: list[str], parts: _Parts) -> ToolPlan | None:
    own = reader.entity_of(tool)
    required = reader.required(tool)
    if own is not None and any(id_target(name, "") == own.noun for name in required):
        return None  # a report that has an id of its own is a record
    if own is not None and own.noun in known_nouns(reader, tool) and not parts.group:
        return None  # so is one that other tools list or make
    names = _schema_names(tool)
    unread = reader.readings[tool.name].action == "other"
    target = named_entity(reader, tool, words, tool.description if unread or not words else "", listed=True)
    if target is not None and not _is_store(reader, target):
        return None
    if target is None:
        return _plan_whole(reader, tool, words)
    if wrap_of(tool) == "fit" and not _countable(names):
        return None
    bare = [] if bare_parent(reader, tool) else ["id"]
    about = [name for name in required if id_target(name, "") == target.noun or name in bare]
    if len(about) == 1 and not parts.group:
        return _plan_around(reader, tool, target, about[0], parts)
    return _plan_rows(reader, tool, target, words, parts, names)


def _is_store(reader: Reader, target: Entity) -> bool:
    """Whether the records of an entity lie in the service itself: they are written, or listed without any key."""
    if set(target.noun.split("_")) & {*_MARKS, "insight"}:
        return False
    lists = [tool for tool in reader.spec.tools if reader.readings[tool.name].action in ("list", "search")]
    open_lists = [tool for tool in lists if not any(name in reader.values(tool) for name in reader.required(tool))]
    return target.written or any(reader.entity_of(tool) is target for tool in open_lists)


def _plan_rows(
    reader: Reader, tool: ToolSpec, target: Entity, words: list[str], parts: _Parts, names: list[str]
) -> ToolPlan | None:
    """Figures over the rows that the list of `target` shows."""
    base = narrowed(reader, tool, target, "_".join(words) or target.noun, without=parts.used())
    if base is None or (base.derived and not base.lookups):
        return None
    planned = frame(reader, tool, f"Figures over records of kind {target.noun.replace('_', ' ')}.", base)
    functions = {"summary"}
    lines = [ROWS]
    if parts.window or parts.period:
        name = parts.window or parts.period
        if not any(is_time(known) for known in target.fields.values()):
            add_field(reader, target, "created_at", {"type": "string", "format": "date-time"})
        lines.append(f"rows = recent(rows, ctx.today, {_sent(reader, tool, name)}{_unit(parts)})")
        functions.add("recent")
    value = _measures(reader, tool, parts, functions)
    if reader.readings[tool.name].action == "count" and value == "summary(rows)":
        value, functions = '{"count": len(rows)}', functions - {"summary"}
    if names and planned.wrap == "fit":
        value = f"{{**{value}, **figures_for(rows, {tuple(names)!r})}}"
        functions.add("figures_for")
    value = _with_groups(reader, tool, parts, value, functions)
    return _finish(reader, tool, planned, lines, value, functions, parts)


def _measures(reader: Reader, tool: ToolSpec, parts: _Parts, functions: set[str]) -> str:
    if not parts.measures:
        return "summary(rows)"
    functions.add("measured")
    name = parts.measures
    if name in reader.required(tool):
        functions.discard("summary")
        return f"measured(rows, args[{name!r}])"
    return f"measured(rows, args[{name!r}]) if args.get({name!r}) else summary(rows)"


def _with_groups(reader: Reader, tool: ToolSpec, parts: _Parts, value: str, functions: set[str]) -> str:
    """The figures with groups, buckets and details where parameters ask for them."""
    extra = []
    name = parts.group or parts.bucket
    limit = f"args.get({parts.limit!r})" if parts.limit else "None"
    if name or parts.fixed:
        functions |= {"grouped", "ranked"}
        by = _sent(reader, tool, name, "month") if name else repr(parts.fixed)
        order = f", args.get({parts.order!r})" if parts.order else ""
        extra.append(f'"groups": ranked(grouped(rows, {by}), {limit}{order})')
    elif parts.limit:
        functions |= {"first_rows", "ranked"}
        extra.append(f'"rows": ranked(first_rows(rows), {limit})')
    for flag in parts.details:
        functions.add("first_rows")
        inner = re.sub(r"^(include|with|show)_", "", key_of(flag)) or "rows"
        extra.append(f'"{inner}": first_rows(rows) if args.get({flag!r}) else None')
    return f"{{**({value}), {', '.join(extra)}}}" if extra else value


def _plan_rollup(reader: Reader, tool: ToolSpec, parts: _Parts) -> ToolPlan | None:
    """A list that is rolled up by one of several fields: its own rows, each with a value for every group."""
    own = reader.entity_of(tool)
    choices = reader.properties(tool)[parts.group].get("enum") or ()
    if own is None or not choices or own.noun in known_nouns(reader, tool):
        return None
    for choice in choices:
        if isinstance(choice, str) and choice.lower() not in ("day", "week", "month", "none", "quarter", "year"):
            add_field(reader, own, choice, {"type": "string"}, filtered=True)
    add_field(reader, own, "quantity", {"type": "number"})
    for name, schema in reader.properties(tool).items():
        said = re.search(r"\b[A-Z_]{4,}(?:, [A-Z_]{4,}){2,}", str(schema.get("description", "")))
        if said and name not in parts.used():
            add_field(reader, own, name, {"type": "string", "enum": said[0].split(", ")}, filtered=True)
        bounds = range_kind(name, types_of(schema))
        if bounds is not None and bounds[0] in ("from", "until") and bounds[1]:
            add_field(reader, own, f"{bounds[1]}_date", {"type": "string", "format": "date"})
    base = narrowed(reader, tool, own, own.noun, without=parts.used())
    if base is None:
        return None
    planned = frame(reader, tool, f"{own.noun.replace('_', ' ').capitalize()} rows rolled up by a field.", base)
    lines = []
    defaults = {name: value for name in reader.properties(tool) if (value := _prose_default(reader, tool, name))}
    if defaults:
        lines.append(
            f"args = {{**{defaults!r}, **{{name: value for name, value in args.items() if value is not None}}}}"
        )
    limit = f"args.get({parts.limit!r})" if parts.limit else "None"
    lines += [ROWS, f"groups = ranked(grouped(rows, {_sent(reader, tool, parts.group)}), {limit})"]
    shown = '{"groups": groups, "total": len(groups), "rows": len(rows)}'
    return _finish(reader, tool, planned, lines, shown, {"grouped", "ranked"}, parts)


def _prose_default(reader: Reader, tool: ToolSpec, name: str) -> list[str]:
    """`Defaults to NOT_STARTED + IN_PROGRESS` as a list."""
    said = re.search(
        r"[Dd]efaults? to ([A-Z_]{3,}(?:(?: \+ |, | and )[A-Z_]{3,})+)",
        str(reader.properties(tool)[name].get("description", "")),
    )
    return re.split(r" \+ |, | and ", said[1]) if said else []


def _plan_around(reader: Reader, tool: ToolSpec, target: Entity, key: str, parts: _Parts) -> ToolPlan | None:
    """A record and the rows of other tables that refer to it."""
    others = [name for name in meaningful(reader, tool) if name != key]
    parents = id_parents(reader, tool, others)
    if any(name not in parents for name in others) or "array" in types_of(reader.properties(tool)[key]):
        return None
    planned = frame(reader, tool, f"A {target.noun.replace('_', ' ')} with figures over all that refers to it.")
    planned.entity = target.noun
    planned.parents = parents
    planned.key = key
    lines = [f"record = pick(state.{target.table}, args[{key!r}])"]
    return _finish(reader, tool, planned, lines, "around(state, record)", {"around"}, parts)


def _plan_whole(reader: Reader, tool: ToolSpec, words: list[str]) -> ToolPlan | None:
    """Figures over everything, for a report that names nothing and asks for nothing."""
    if words or meaningful(reader, tool) or wrap_of(tool) == "fit":
        return None
    if not any(entity.written for entity in known_nouns(reader, tool).values()):
        return None
    planned = frame(reader, tool, "How many records of each kind there are, and how they spread.")
    return _finish(reader, tool, planned, [], "whole(state)", {"whole"}, _Parts())


def _finish(
    reader: Reader,
    tool: ToolSpec,
    planned: ToolPlan,
    lines: list[str],
    value: str,
    functions: set[str],
    parts: _Parts,
) -> ToolPlan | None:
    if planned.parents and planned.wrap != "fit" and ROWS in lines:
        functions.add("scope")
        value = f'{{"scope": scope(args, {tuple(planned.parents)!r}), **{value}}}'
    if _unplaced(reader, tool, planned, parts):
        return None
    planned.body = (*lines, returned(planned, value))
    planned.imports = {_MODULE: tuple(sorted(functions))}
    planned.inert |= idle(reader, tool, parts.used())
    grouped = "grouped" in functions
    for name in reader.properties(tool):
        if (is_sort(name) or is_order(name)) and not (grouped and name == parts.order):
            planned.inert[name] = _NO_ORDER
    return planned


def _unplaced(reader: Reader, tool: ToolSpec, planned: ToolPlan, parts: _Parts) -> bool:
    """Whether some parameter has no work, such as a page or a choice of fields: then the tool is no mere report."""
    placed = {*parts.used(), *planned.parents, *planned.lookups, *(item.parameter for item in planned.filters)}
    placed |= {planned.key, *parts.periods}
    left = [name for name in meaningful(reader, tool) if name not in placed and not (is_sort(name) or is_order(name))]
    return any(page_kind(name) != "limit" for name in left)


def _two_periods(reader: Reader, tool: ToolSpec) -> list[str]:
    """The parameters of two periods: start and end of the first, start and end of the second; [] if it has none."""
    if not {"compare", "comparison"} & set(words_of(tool.name)):
        return []
    names = reader.required(tool)
    starts = [name for name in names if "start" in words_of(name) or "from" in words_of(name)]
    ends = [name for name in names if "end" in words_of(name) or "to" in words_of(name)]
    if len(starts) != 2 or len(ends) != 2 or len(names) != 4:
        return []
    return [starts[0], ends[0], starts[1], ends[1]]


def _compare(reader: Reader, tool: ToolSpec, names: list[str]) -> ToolPlan | None:
    planned = frame(reader, tool, "Averages of two periods, the change between them, and what it means.")
    lines = []
    for variable, start, end in (("first", *names[:2]), ("second", *names[2:])):
        lines.append(f"{variable} = (day_of(args[{start!r}], ctx.today), day_of(args[{end!r}], ctx.today, end=True))")
    return _finish(
        reader, tool, planned, lines, "compared(state, first, second)", {"compared", "day_of"}, _Parts(periods=names)
    )


def _parts(reader: Reader, tool: ToolSpec) -> _Parts:
    found = _Parts(fixed=_fixed_group(reader, tool))
    for name, schema in reader.properties(tool).items():
        key, kinds = key_of(name), types_of(schema)
        if key in _GROUPS and kinds & {"string", "array"} and not found.group:
            found.group = name
        elif key in _BUCKETS and "string" in kinds:
            found.bucket = name
        elif key in _WINDOWS and kinds & {"integer", "number"}:
            found.window = name
        elif key in _PERIODS and "string" in kinds and not found.window:
            found.period = name
        elif key in _MEASURES and kinds & {"string", "array"}:
            found.measures = name
        elif page_kind(name) is not None:
            found.limit = name if page_kind(name) == "limit" else found.limit
        elif is_order(name) or is_sort(name):
            found.order = name
        elif key.startswith(("include_", "with_", "show_")) and kinds == {"boolean"} and not is_format(name):
            found.details.append(name)
    return found


def _fixed_group(reader: Reader, tool: ToolSpec) -> str:
    said = re.search(r"_(?:by|per|across|for_all)_([a-z]+)$", "_".join(words_of(tool.name)))
    word = singular(said[1]) if said else ""
    names = {id_target(name, "") for name in reader.properties(tool)}
    return word if word and word in names else ""


def _unit(parts: _Parts) -> str:
    unit = _WINDOWS.get(key_of(parts.window), 1) if parts.window else 1
    return f", {unit}" if unit != 1 else ""


def _sent(reader: Reader, tool: ToolSpec, name: str, usual: str = "") -> str:
    default = reader.properties(tool)[name].get("default") or usual
    if name in reader.required(tool):
        return f"args[{name!r}]"
    return f"args.get({name!r}) or {default!r}" if default else f"args.get({name!r})"


def _schema_names(tool: ToolSpec) -> list[str]:
    """Number properties that the output schema names, at the top or one level down."""
    schema = tool.output_schema or {}
    found = []
    for name, inner in (schema.get("properties") or {}).items():
        if isinstance(inner, dict) and types_of(inner) & {"integer", "number"}:
            found.append(name)
    return found


def _countable(names: list[str]) -> bool:
    words = {word for name in names for word in words_of(name)}
    return bool(words & {"count", "total", "number", "num"})
