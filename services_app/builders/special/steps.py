"""Rules for writes that ask first how things are: cards between columns, merges, status by name, drafts, transfers."""

from __future__ import annotations

from services_app.builders.body_parts import picked, returned, show_of, table_of
from services_app.builders.entities import (
    SCALARS,
    Reader,
    add_field,
    key_parameter,
    names_own,
    note_key,
    parents,
    stored_as,
)
from services_app.builders.homes import synonyms
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of, scalar_choices
from services_app.builders.special.answers import frame, idle, meaningful
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, shared_prefix, singular, types_of, words_of

_MODULE = "services_app.recipes.steps"
_INTO = frozenset("to into target destination dest".split())
_TEXTS = ("body", "text", "content", "message", "comment", "note")


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of such a tool; None for any other."""
    verb = reader.readings[tool.name].verb
    words = words_of(tool.name)
    if verb == "move":
        return _plan_shift(reader, tool)
    if verb == "merge":
        return _plan_merge(reader, tool)
    if verb == "publish":
        return _plan_publish(reader, tool)
    if "transition" in (*words[-1:], *words[:2]):
        return _plan_transition(reader, tool)
    return _plan_transfer(reader, tool)


def _keyed(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity, key: str) -> str:
    """The line that finds the record which a key parameter names; the plan learns of entity and key."""
    planned.entity, planned.key = own.noun, key
    planned.key_field = note_key(reader, tool, own, key)
    own.written = True
    return f"record = {picked(planned, own)}"


def _plan_shift(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """move_card(card_id, from_column, to_column): only from where it lies."""
    own = reader.entity_of(tool)
    names = {key_of(name): name for name in reader.required(tool)}
    stems = [key.removeprefix("from_") for key in names if key.startswith("from_")]
    stems = [stem for stem in stems if f"to_{stem}" in names]
    key = key_parameter(reader, tool, own) if own is not None else ""
    if own is None or len(stems) != 1 or not key or not names_own(reader, tool, key, own):
        return None
    source, target = names[f"from_{stems[0]}"], names[f"to_{stems[0]}"]
    if any(types_of(reader.properties(tool)[name]) != {"string"} for name in (source, target)):
        return None
    planned = frame(reader, tool, f"Moves a {own.noun.replace('_', ' ')} on, from where it lies.")
    lines = [_keyed(reader, tool, planned, own, key)]
    others = [name for name in meaningful(reader, tool) if name not in (key, source, target)]
    placed = {}
    for name in others:
        known = stored_as(reader, tool, own, name)
        add_field(reader, own, known, reader.properties(tool)[name])
        placed[name] = own.fields[known].python
    if placed:
        lines.append(f"record = owned(record, args, {placed!r})")
    add_field(reader, own, stems[0], {"type": "string"}, filtered=True)
    field = own.fields[stems[0]].python
    lines.append(f"changes = shifted(record, {field!r}, args[{source!r}], args[{target!r}])")
    lines.append(f"record = {table_of(own)}.patch(record.id, **changes)")
    planned.body = (*lines, returned(planned, show_of(own, "record")))
    planned.imports = {_MODULE: ("shifted",), "services_app.recipes.changing": ("owned",) if placed else ()}
    return planned


def _plan_merge(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """merge_versions(id, move_issues_to): the one is gone, what refers to it refers to the other."""
    own = reader.entity_of(tool) or reader.by_noun.get(reader.readings[tool.name].noun)
    named = meaningful(reader, tool)
    if own is None or own.implied or len(named) != 2 or set(named) != set(reader.required(tool)):
        return None
    if any(not types_of(schema := reader.properties(tool)[name]) & SCALARS or "array" in types_of(schema)
           for name in named):  # fmt: skip
        return None
    into = [name for name in named if _INTO & {words_of(name)[0], words_of(name)[-1]}]
    if len(into) != 1 or own.natural_key:
        return None
    source = next(name for name in named if name not in into)
    if not (names_own(reader, tool, source, own) or words_of(source)[0] in ("source", "from")):
        return None
    planned = frame(reader, tool, f"Lets one {own.noun.replace('_', ' ')} take in another.")
    planned.entity, own.written = own.noun, True
    planned.body = (
        f"source = pick({table_of(own)}, args.get({source!r}))",
        f"target = pick({table_of(own)}, args.get({into[0]!r}))",
        f"record = merged(state, {table_of(own)}, source, target)",
        returned(planned, show_of(own, "record")),
    )
    planned.imports = {_MODULE: ("merged",)}
    first, second = (1, 2) if own.integer_id else (f"{own.prefix}0001", f"{own.prefix}0002")
    planned.examples = ({source: first, into[0]: second},)
    planned.inert |= idle(reader, tool)
    return planned


def _plan_transition(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """transition_issue(issue_key, target_status, comment): the status by its name, from and to in the answer."""
    words = [word for word in words_of(tool.name) if word != "transition"]
    if words[:1] == [shared_prefix(other.name for other in reader.spec.tools)]:
        words = words[1:]
    own = reader.by_noun.get("_".join([*words[:-1], singular(words[-1])])) if words else None
    named = meaningful(reader, tool)
    status = next((name for name in reader.required(tool) if words_of(name)[-1] in ("status", "state")), "")
    if own is None or not status:
        return None
    key = key_parameter(reader, tool, own)
    if not key or "array" in types_of(reader.properties(tool)[key]):
        return None
    planned = frame(reader, tool, f"Gives a {own.noun.replace('_', ' ')} the status of that name.")
    lines = [_keyed(reader, tool, planned, own, key)]
    name = own.status or next((name for name in own.fields if key_of(name) in ("status", "state")), "status")
    add_field(reader, own, name, {"type": "string"}, filtered=True)
    own.status = name
    field, choices = own.fields[name].python, tuple(map(str, own.fields[name].choices))
    lines.append(f"before = record.{field}")
    lines.append(f"changes = {{{field!r}: known_status({table_of(own)}, {field!r}, args[{status!r}], {choices!r})}}")
    lines += _beside(reader, tool, own, key, [other for other in named if other not in (key, status)])
    lines.append(f"record = {table_of(own)}.patch(record.id, **changes)")
    answer = f'"success": True, {key!r}: args[{key!r}], "from_status": before, "to_status": record.{field}'
    planned.body = (*lines, returned(planned, f"{{{answer}}}"))
    planned.imports = {_MODULE: ("known_status",)}
    if planned.key_field and not own.integer_id:
        planned.examples = tuple({key: f"{own.prefix}0001", status: choice} for choice in choices[:3])
    planned.inert |= idle(reader, tool)
    return planned


def _beside(reader: Reader, tool: ToolSpec, own: Entity, key: str, names: list[str]) -> list[str]:
    """Lines for what a status comes with: a comment of its own where comments are kept, else fields of the record."""
    lines, comments, fields = [], _comments(reader, own, key), {}
    for name in names:
        if key_of(name) in ("comment", "note") and comments is not None:
            table, about, text = comments
            lines.append(f"if args.get({name!r}) is not None:")
            lines.append(f"    state.{table}.create({about}=args[{key!r}], {text}=args[{name!r}])")
        else:
            known = stored_as(reader, tool, own, name)
            add_field(reader, own, known, reader.properties(tool)[name])
            fields[name] = own.fields[known].python
    return [*lines, *([f"changes.update(take(args, {fields!r}))"] if fields else [])]


def _comments(reader: Reader, own: Entity, key: str) -> tuple[str, str, str] | None:
    """(table, field that names the record, field with the text) of the comments on records of this kind."""
    for noun in ("comment", f"{own.noun}_comment", "note"):
        known = reader.by_noun.get(noun)
        text = next((field for field in _TEXTS if known is not None and field in known.fields), "")
        if known is not None and text and key in known.fields:
            return known.table, known.fields[key].python, known.fields[text].python
    return None


def _plan_publish(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """bulk_publish_draft_notes(merge_request_iid, note): all drafts become notes, with a summary if there is one."""
    reading = reader.readings[tool.name]
    drafts, noun = reader.by_noun.get(reading.noun), reading.noun.removeprefix("draft_")
    if drafts is None or noun == reading.noun or not ({"bulk", "all"} & set(words_of(tool.name))):
        return None
    required = [name for name in reader.required(tool) if name in meaningful(reader, tool)]
    placed = parents(reader, tool, drafts, required)
    posts = _posts(reader, noun, placed)
    if posts is None or set(placed) != set(required) or not required:
        return None
    planned = frame(reader, tool, f"Every draft becomes a {noun.replace('_', ' ')}.")
    planned.entity, planned.parents = posts.noun, placed
    drafts.written = posts.written = True
    names = {}
    for name in required:
        add_field(reader, drafts, name, reader.properties(tool)[name], target=placed[name])
        names[name] = drafts.fields[name].python
    shared = {known.python: posts.fields[name].python for name, known in drafts.fields.items() if name in posts.fields}
    stamped = [posts.fields[name].python for name in ("created_at", "createdAt") if name in posts.fields]
    stamps = "{" + ", ".join(f"{name!r}: ctx.now" for name in stamped) + "}"
    lines = [f"found = equal({table_of(drafts)}, args, {names!r})", f"stamps = {stamps}"]
    lines.append(f"made = published({table_of(drafts)}, {table_of(posts)}, found, {shared!r}, stamps)")
    lines += _summary(reader, tool, posts, noun, required)
    lines += _reviewed(reader, tool, noun, placed)
    planned.body = (*lines, returned(planned, f'{{"published": [{show_of(posts, "row")} for row in made]}}'))
    planned.imports = {_MODULE: ("published",)}
    planned.inert |= idle(reader, tool)
    return planned


def _posts(reader: Reader, noun: str, placed: dict[str, str]) -> Entity | None:
    """The entity that drafts become: `merge_request_note` where they lie in merge requests, else `note`."""
    named = [*(f"{owner}_{noun}" for owner in placed.values()), noun]
    found = [reader.by_noun[other] for other in named if other in reader.by_noun]
    return next((known for known in found if set(placed) <= set(known.fields)), None)


def _summary(reader: Reader, tool: ToolSpec, posts: Entity, noun: str, required: list[str]) -> list[str]:
    """Lines that add one post with a text of its own, and what is said about it."""
    names = [*synonyms(noun), noun, "summary", "body"]
    text = next((name for name in meaningful(reader, tool) if key_of(name) in names), "")
    field = next((name for name in _TEXTS if name in posts.fields), "")
    if not text or not field:
        return []
    values = {name: posts.fields[name].python for name in required}
    for name, schema in reader.values(tool).items():
        if "boolean" in types_of(schema) and name not in required:
            add_field(reader, posts, name, schema)
            values[name] = posts.fields[name].python
    values[text] = posts.fields[field].python
    return [f"if args.get({text!r}):", f"    made.append({table_of(posts)}.create(**take(args, {values!r}), **stamps))"]


def _reviewed(reader: Reader, tool: ToolSpec, noun: str, placed: dict[str, str]) -> list[str]:
    """Lines that keep a state which the tool gives to what the posts lie in."""
    name = next((n for n, s in reader.values(tool).items() if words_of(n)[-1] in ("state", "status")), "")
    if not name or not placed:
        return []
    parameter, owner = max(placed.items(), key=lambda item: len(item[1]))  # the merge request, not its project
    known = reader.by_noun[owner]
    add_field(reader, known, name, reader.properties(tool)[name])
    line = f"state.{known.table}.patch(key(args[{parameter!r}]), {known.fields[name].python}=args[{name!r}])"
    return [f"if args.get({name!r}) is not None:", f"    {line}"]


def _plan_transfer(reader: Reader, tool: ToolSpec) -> ToolPlan | None:
    """transfer_folders(ids, mode: copy | move, target): copies keep the source, moves do not."""
    own = reader.entity_of(tool)
    named = meaningful(reader, tool)
    modes = {"copy", "move"}
    mode = next((name for name in named if set(scalar_choices(reader.properties(tool)[name])) == modes), "")
    listed = [name for name in named if "array" in types_of(reader.properties(tool)[name])]
    ids = [name for name in listed if name == "ids" or id_target(name, "")]
    if own is None or own.natural_key or not mode or len(ids) != 1 or not {mode, *ids} <= set(reader.required(tool)):
        return None
    planned = frame(reader, tool, f"Copies or moves records of kind {own.noun.replace('_', ' ')}.")
    planned.entity, own.written = own.noun, True
    fields = {}
    for name in named:
        if name not in (mode, *ids):
            known = stored_as(reader, tool, own, name)
            add_field(reader, own, known, reader.properties(tool)[name])
            fields[name] = own.fields[known].python
    planned.body = (
        f"changes = take(args, {fields!r})",
        *_placed(reader, tool, own, named),
        f"rows = transferred({table_of(own)}, args[{ids[0]!r}], changes, copy=args[{mode!r}] == 'copy')",
        returned(planned, f'{{"{own.table.rstrip("_")}": [{show_of(own, "row")} for row in rows]}}'),
    )
    placed = any("placed_in" in line for line in planned.body)
    planned.imports = {_MODULE: ("placed_in", "transferred") if placed else ("transferred",)}
    planned.inert |= idle(reader, tool)
    return planned


def _placed(reader: Reader, tool: ToolSpec, own: Entity, names: list[str]) -> list[str]:
    """Lines for `target: {id, model: collection | folder}`: the record refers to the one that is named."""
    lines = []
    for name in names:
        inner = reader.properties(tool)[name].get("properties") or {}
        nouns = [str(choice) for choice in scalar_choices(inner.get("model") or {})] if "id" in inner else []
        held = {known.target: known for known in own.fields.values() if known.target}
        known = {noun: reader.by_noun[noun].table for noun in nouns if noun in reader.by_noun}
        pairs = [f"{noun!r}: (state.{t}, {held[t].python!r})" for noun, t in known.items() if t in held]
        if pairs and name in reader.required(tool):
            lines.append(f"changes.update(placed_in(args[{name!r}], {{{', '.join(pairs)}}}))")
    return lines
