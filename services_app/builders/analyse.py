"""From a specification to a plan: entities from nouns and id parameters, one rule per kind of verb."""

from __future__ import annotations

import re
from collections.abc import Callable

from services_app.builders.actions import Action, fold_actions, need_of, split_actions, switch_of
from services_app.builders.aliases import note_aliases, note_blanks
from services_app.builders.around import plan_around
from services_app.builders.aspects import parts_of, unnamed
from services_app.builders.baseless import leave_out_baseless
from services_app.builders.by_filters import chooses, plan_chosen
from services_app.builders.changes import assigns_one
from services_app.builders.entities import Reader, add_field, entity, read_specification
from services_app.builders.envelopes import name_result
from services_app.builders.existing import done_to_one
from services_app.builders.filling import fill_poor, fill_promised
from services_app.builders.first_values import give_first_values
from services_app.builders.held import show_held
from services_app.builders.keyed import join_named
from services_app.builders.linking import hide_replies, joins, merge_threads, plan_link, plan_status
from services_app.builders.main_times import find_main_times
from services_app.builders.meaning import name_people
from services_app.builders.misread import misread
from services_app.builders.narrowing import join_plurals
from services_app.builders.nested import plan_graph
from services_app.builders.outputs import learn_fields, wrap_of
from services_app.builders.plan import Entity, Plan, ToolPlan
from services_app.builders.presentation import open_parts, plan_presentation, switched_on
from services_app.builders.promised import give_usual, learn_promised, leave_out_unknown
from services_app.builders.reached import reach_created
from services_app.builders.reads import plan_get, plan_list
from services_app.builders.referring import free_unknown, give_keys, join_keys
from services_app.builders.roles import key_of, language_of
from services_app.builders.said_order import plan_orders
from services_app.builders.settling import gather_inert, give_serials, note_positions, settle
from services_app.builders.special import RULES
from services_app.builders.states import work_said
from services_app.builders.unseen import leave_out_unseen
from services_app.builders.usual import plan_usual
from services_app.builders.writes import choose_natural_keys, plan_change, plan_copy, plan_create, plan_delete
from services_app.specs.documented import documented_values
from services_app.specs.model import Specification, ToolSpec
from services_app.specs.vocabulary import WRITES, read_name, shared_prefix, types_of, words_of

Rule = Callable[[Reader, ToolSpec, Entity], ToolPlan | str]
_RULES: dict[str, Rule] = {
    "get": plan_get,
    "list": plan_list,
    "search": plan_list,
    "count": plan_list,
    "create": plan_create,
    "update": plan_change,
    "delete": plan_delete,
    "status": plan_status,
    "copy": plan_copy,
    "link": plan_link,
}
_OPTIONS = re.compile(
    r"\boptions for the `[^`]+` command|\b(?:command[- ]line|cli) (?:options|arguments|flags)\b", re.I
)
_KEPT = re.compile(r"^(?:output|save|dest|destination|download|export)_?(?:path|file|filename|dir|directory|folder)$")
_REPLACES = frozenset(("find", "replace"))
_SAVES = re.compile(
    r"\b(?:local|absolute|output|destination) (?:\w+ )?(?:path|directory|folder)(?: name)?,? "
    r"(?:to|where)\b[^.]{0,24}\b(?:sav|writ|stor|download)",
    re.IGNORECASE,
)
_GUIDES = re.compile(
    r"^\W*(?:gets?|returns?|provides?|retrieves?|shows?)(?: the| detailed| an?)* (?:\w+ ){0,2}"
    r"(?:instructions|guidance for|best practices)\b",
    re.IGNORECASE,
)
# Creations teach the fields, then the writes that depend on them; reads filter by what is known.
_ORDER = ("create", "update", "status", "link", "copy", "delete", "get", "list", "search", "count")


def analyse(spec: Specification) -> Plan:
    """The plan of a specification. Every tool is in `tools` or in `left_out`, never in both."""
    whole, (spec, actions) = spec, _with_actions(spec)
    reader = read_specification(spec, {action.tool.name: action.reading for action in actions})
    merge_threads(reader)
    choose_natural_keys(reader)
    rank = {action: number for number, action in enumerate(_ORDER)}
    readings = reader.readings
    for tool in sorted(spec.tools, key=lambda tool: rank.get(readings[tool.name].action, len(rank))):
        planned = _plan_tool(reader, tool)
        if isinstance(planned, str):
            reader.plan.left_out[tool.name] = planned
        else:
            reader.plan.tools.append(planned)
    needs = {action.tool.name: need_of(action, whole.tool(action.of)) for action in actions}
    for planned in reader.plan.tools:
        planned.needs = (*planned.needs, *needs.get(planned.name, ()))
    fold_actions(reader, whole, actions, lambda tool: _plan_whole(reader, tool))
    position = {tool.name: number for number, tool in enumerate(whole.tools)}
    reader.plan.tools.sort(key=lambda planned: position[planned.name])
    _complete(reader, whole)
    return reader.plan


def _complete(reader: Reader, whole: Specification) -> None:
    """What only the whole plan tells: parts, promised fields, usual values, keys."""
    for planned in reader.plan.every():
        if planned.read.blocks:
            planned.read.blocks = open_parts(reader, planned, reader.by_noun[planned.entity])
    specs = {tool.name: tool for tool in (*whole.tools, *reader.spec.tools)}
    for learn in (learn_promised, plan_usual):
        for planned in reader.plan.every():
            if planned.entity:
                learn(reader, specs[planned.name], planned, reader.by_noun[planned.entity])
    for planned in reader.plan.every():
        if planned.read.part and planned.wrap != "fit":
            planned.read.only = parts_of(reader, reader.by_noun[planned.entity], planned.read.part)
    fill_promised(reader, specs)
    leave_out_unknown(reader)
    fill_poor(reader)
    leave_out_baseless(reader)
    plan_orders(reader, specs)
    find_main_times(reader, specs)
    leave_out_unseen(reader)
    show_held(reader)
    free_unknown(reader)
    _drop_orphans(reader.plan)
    join_plurals(reader.plan)
    for planned in reader.plan.every():
        settle(reader, specs[planned.name], planned)
    note_positions(reader)
    give_serials(reader)
    join_keys(reader)
    join_named(reader)
    give_keys(reader.plan)
    reach_created(reader.plan)
    for planned in reader.plan.every():
        if planned.name in specs:
            note_aliases(reader, specs[planned.name], planned)
            note_blanks(reader, specs[planned.name], planned)
    hide_replies(reader)
    gather_inert(reader.plan)
    _give_default_fields(reader)
    _key_singles(reader)
    give_first_values(reader.plan)
    for known in reader.plan.entities.values():
        name_people(known)
        _name_fields(known)


def _with_actions(spec: Specification) -> tuple[Specification, list[Action]]:
    """The specification with tools that do several things split, but for those that a special rule covers whole."""
    if not any(switch_of(tool)[0] for tool in spec.tools):
        return spec, []
    reader = read_specification(spec)
    return split_actions(spec, lambda tool: any(isinstance(rule(reader, tool), ToolPlan) for rule in RULES))


def _plan_whole(reader: Reader, tool: ToolSpec) -> ToolPlan | str:
    """The plan of a tool that was split in vain."""
    reading = read_name(tool.name, shared_prefix(other.name for other in reader.spec.tools), tool.description)
    reader.readings[tool.name] = reading
    if reading.action != "other" and reading.noun:
        entity(reader, reading.noun)
    return _plan_tool(reader, tool)


def _plan_tool(reader: Reader, tool: ToolSpec) -> ToolPlan | str:
    for rule in RULES:
        special = rule(reader, tool)
        if special is not None:
            return special
    reading = reader.readings[tool.name]
    if reading.action == "other":
        return (
            f"no rule covers the verb {reading.verb!r}" if reading.verb else "the name holds no verb that a rule covers"
        )
    if not reading.noun:
        return "the name says no entity"
    if problem := misread(reader, tool) or _beyond(reader, tool):
        return problem
    own = reader.by_noun[reading.noun]
    names_one = reading.action == "get" and bool(reader.required(tool))
    graph = plan_graph(reader, tool) if reading.action not in WRITES and not names_one else None
    how: Rule = plan_link if joins(reader, tool, own) else _RULES[reading.action]
    how = plan_change if how is plan_link and assigns_one(reader, tool, own) else how
    done = done_to_one(reader, tool, own) if how is plan_create else ""
    if done == "other":
        return f"it {reading.verb}s what is there already by its words, which no rule does"
    how = {"step": plan_status, "change": plan_change}.get(done, how)
    how = plan_chosen if reading.action in ("delete", "status") and chooses(reader, tool) else how
    planned = graph or how(reader, tool, own)
    if isinstance(planned, str):
        return planned
    if planned.kind == "find" and reading.verb in ("open", "load", "login"):
        return f"it {reading.verb}s something, and no parameter names a record"
    owner = reader.by_noun[planned.entity]
    if graph is None and planned.kind in ("get", "find", "list", "create", "update", "get_or_list"):
        learn_fields(reader, tool, owner)
    planned.wrap = wrap_of(tool)
    planned.unwraps = reader.unwraps(tool)
    plan_around(reader, tool, planned)
    if reading.action not in WRITES:
        plan_presentation(reader, tool, planned, owner)
        name_result(reader, tool, planned)
    else:
        _gate_write(reader, tool, planned)
    return planned


def _beyond(reader: Reader, tool: ToolSpec) -> str:
    """Why no rule of records covers a tool, by what its parameters and its description say; "" for no reason."""
    for name in reader.required(tool):
        language = language_of(name, reader.properties(tool)[name], tool.description)
        if language:
            return f"{name} takes {language}, a language that no rule speaks"
    for name, schema in reader.properties(tool).items():
        if _OPTIONS.search(f"{schema.get('description', '')} {tool.description if name == 'options' else ''}"):
            return f"{name} takes options of a command line, which no rule reads"
    if reader.readings[tool.name].action not in WRITES and set(words_of(tool.name)) >= _REPLACES:
        return "it replaces what it finds in a text, which no rule of records does"
    if reader.readings[tool.name].action not in WRITES:
        said = {name: str(schema.get("description", "")) for name, schema in reader.properties(tool).items()}
        kept = next((name for name in said if _KEPT.search(key_of(name)) or _SAVES.search(said[name])), "")
        if kept:
            return f"it writes what it reads to {kept}, a file, which no rule of records does"
        return (
            "it gives instructions, a text that no rule writes"
            if _GUIDES.match(tool.description)
            else unnamed(reader, tool)
        )
    for name, schema in reader.values(tool).items():
        steps = reader.readings[tool.name].action in ("status", "link")
        acts = key_of(name) in ("action", "operation") and (steps or name in reader.required(tool))
        words = documented_values(name, tool.properties.get(name, {})) if acts else ()
        words = words or tuple(schema.get("enum") or ()) if steps else words
        if acts and (steps or reader.readings[tool.name].action == "update") and len(words) > 1:
            return f"{name} says what is done, which no rule of records does"
        if types_of(schema) - {"null"} == {"boolean"} and work_said(schema) == "more":
            return f"{name} says that more is done than a record is written, which no rule does"
    return ""


def _gate_write(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """What keeps a write from happening: a dry run, on by default where its words say so, or a missing confirmation."""
    roles = {name: reader.role(tool, name) for name in reader.properties(tool)}
    planned.dry_run = next((name for name, role in roles.items() if role == "dry_run"), "")
    if planned.dry_run and switched_on(reader.properties(tool)[planned.dry_run]):
        planned.defaults[planned.dry_run] = True
    planned.confirm = next((name for name, role in roles.items() if role == "confirm"), "")
    if planned.confirm and "off by default" in str(reader.properties(tool)[planned.confirm].get("description", "")):
        planned.inert[planned.confirm] = "the gate that asks for it is off by default"
        planned.confirm = ""


def _drop_orphans(plan: Plan) -> None:
    """Entities that no tool uses and nothing refers to are not written down."""
    used = {tool.entity for tool in plan.every() if tool.entity}
    used |= {noun for tool in plan.every() for noun in (*tool.parents.values(), *tool.lists.values())}
    used |= {block.noun for tool in plan.every() for block in tool.read.blocks if block.noun}
    tables = {known.target for entity in plan.entities.values() for known in entity.fields.values()}
    for noun, known in list(plan.entities.items()):
        if noun not in used and known.table not in tables:
            del plan.entities[noun]


def _give_default_fields(reader: Reader) -> None:
    """Records of which nothing is known but ids get the fields that their noun, else nearly every record, has."""
    for own in reader.plan.entities.values():
        plain = [known for known in own.fields.values() if not known.target and known.type == "str"]
        if own.promised and not own.written:
            continue
        if len(plain) < 2 and not own.implied and not _is_pair(reader.plan, own) and not give_usual(reader, own):
            for name in ("name", "description"):
                if name not in own.fields:
                    add_field(reader, own, name, {"type": "string"})
                    own.fields[name].invented = True
            if "status" not in own.fields and not own.status:
                add_field(reader, own, "created_at", {"type": "string", "format": "date-time"})


def _is_pair(plan: Plan, entity: Entity) -> bool:
    return any(tool.entity == entity.noun and tool.kind in ("link", "unlink") for tool in plan.every())


def _key_singles(reader: Reader) -> None:
    """A table holds one record only when no tool makes, lists or picks records of it."""
    many = {"get", "get_many", "list", "get_or_list", "create", "create_many", "delete", "delete_many", "count"}
    for tool in reader.plan.every():
        if tool.kind in many:
            reader.plan.entities[tool.entity].single = False


def _name_fields(entity: Entity) -> None:
    """Python names that are unique and no other field's original name, which would be taken for its alias."""
    originals = set(entity.fields)
    taken: set[str] = {known.name for known in entity.fields.values() if known.python == known.name}
    for known in entity.fields.values():
        if known.python != known.name:
            while known.python in taken or known.python in originals:
                known.python += "_x"
        taken.add(known.python)
