"""Rules for tools that change a state, set a flag, or make and take away pairs."""

from __future__ import annotations

import re

from services_app.builders.entities import (
    Reader,
    add_field,
    entity,
    key_parameter,
    names_own,
    note_key,
    parents,
    stored_as,
)
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.builders.scopes import is_alias, locks, scope
from services_app.builders.statuses import FLAGS, step_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import UNLINKS, Reading, plural_of, singular, types_of, words_of

_WHOM = frozenset("user account member person people contact agent employee".split())
_RESTORES = frozenset(("restore", "untrash", "undelete", "recover"))
_MARKS = {
    "done": "done", "complete": "completed", "completed": "completed", "incomplete": "incomplete", "undone": "open",
    "spam": "spam", "paid": "paid", "resolved": "resolved", "sent": "sent", "void": "void", "ready": "ready",
    "uncollectible": "uncollectible", "synced": "synced", "reviewed": "reviewed", "delivered": "delivered",
}  # fmt: skip
_HISTORIES = ("channel_history", "conversation_history", "thread_reply", "conversation_reply")
_AS = re.compile(r"\bmarks?\b[^.]{1,80}? (?:as|with an?) (?:an? |the |not )?[`'\"]?([a-z]+)", re.IGNORECASE)
_MARKED_FLAGS = {
    "read": ("read", True), "unread": ("read", False), "seen": ("seen", True), "unseen": ("seen", False),
    "done": ("done", True), "undone": ("done", False), "complete": ("completed", True),
    "completed": ("completed", True), "incomplete": ("completed", False),
}  # fmt: skip


def plan_status(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """Sets the status that the verb leads to; other parameters become fields of the record."""
    properties = reader.values(tool)
    verb = reader.readings[tool.name].verb
    if verb == "withdraw" and any(key_of(name) in ("amount", "quantity") for name in properties):
        return "no rule moves money out of what the service keeps"
    own = _marked(reader, tool, own) if verb == "mark" else own
    key = key_parameter(reader, tool, own)
    if not key:
        found = parents(reader, tool, own, [name for name in reader.required(tool) if name in properties])
        if not found or (reader.readings[tool.name].plural and _aborts(tool)):
            return _plan_all(reader, tool, own)
        last = "id" if "id" in found else next(reversed(found))
        key, noun = last, found[last]  # close_conversation(channel): the last id is what is closed
        if own.noun in reader.kept() and not (is_alias(reader, own, noun) or _names(tool, noun)):
            return "a status is changed, but no required parameter names the record"
        own = own if is_alias(reader, own, noun) else reader.by_noun[noun]
        own.written = True
    if (
        verb in _RESTORES
        and "array" not in types_of(properties[key])
        and any(reader.readings[t.name].action == "delete" and reader.entity_of(t) is own for t in reader.spec.tools)
    ):
        return _plan_restore(reader, tool, own, key)
    several = "array" in types_of(properties[key])
    if not several and (flagged := _flagged(reader, tool, own, key)):
        return flagged
    said = _said_state(reader, tool) if not several else ""
    planned = ToolPlan(tool.name, "update_each" if several else "update" if said else "status", own.noun, key=key)
    planned.key_field = "" if several else note_key(reader, tool, own, key)
    if not said:
        set_status(reader, tool, own, planned)
    planned.parents = parents(reader, tool, own, [other for other in properties if other != key])
    planned.lookups = scope(reader, tool, own, key, planned.parents)
    for other, schema in properties.items():
        if other not in (key, own.status) and other not in planned.lookups:
            known = stored_as(reader, tool, own, other)
            add_field(reader, own, known, schema, target=planned.parents.get(other, ""))
            planned.fields[other] = known
    if not several:
        planned.write.deferred = _deferral(reader, tool)
        if planned.write.deferred[0]:
            add_field(reader, own, "scheduled_change", {"type": "object"})
    return planned


def _flagged(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> ToolPlan | str | None:
    """The plan of a status that is a flag of the record; None for any other."""
    verb = reader.readings[tool.name].verb
    if "toggle" in words_of(tool.name):
        return _plan_flag(reader, tool, own, key, "done" if verb == "mark" else verb, "")
    if verb == "mark" and (marked := _marked_flag(tool, own)):
        return _plan_flag(reader, tool, own, key, *marked)
    if verb in FLAGS and FLAGS[verb][0] not in _choices(own):
        return _plan_flag(reader, tool, own, key, *_wanted(verb))
    return None


def _said_state(reader: Reader, tool: ToolSpec) -> str:
    """The required parameter that says which of several states is set: `workflow_state` of active and resolved."""
    for name in reader.required(tool):
        choices = reader.properties(tool)[name].get("enum") or ()
        if len(choices) > 1 and words_of(name)[-1:] in (["state"], ["status"]):
            return name
    return ""


def _deferral(reader: Reader, tool: ToolSpec) -> tuple[str, str]:
    """(effective_from, "immediately"): without that value the change waits for the end of the period."""
    for name, schema in reader.values(tool).items():
        choices = [str(choice) for choice in schema.get("enum") or ()]
        at_once = next((choice for choice in choices if choice.lower() in ("immediately", "immediate", "now")), "")
        if at_once and any(re.search(r"next|end|period", choice.lower()) for choice in choices):
            return name, at_once
    return "", ""


def _marked(reader: Reader, tool: ToolSpec, own: Entity) -> Entity:
    """What is marked: `mark_task_done` is about tasks, "Marks a checklist item as done" about checklist items."""
    said = re.match(r"\s*marks? (?:an?|the|one|this) ((?:\w+ )?\w+) as\b", tool.description.lower())
    nouns = [said[1].replace(" ", "_"), said[1].split()[-1]] if said else []
    words = own.noun.split("_")
    nouns += ["_".join(words[:end]) for end in range(len(words) - 1, 0, -1)]
    return next((reader.by_noun[noun] for noun in nouns if noun in reader.by_noun), own)


def _marked_flag(tool: ToolSpec, own: Entity) -> tuple[str, str] | None:
    """("done", "False") for `mark_task_undone` where tasks have a flag `done`; None where no flag says it."""
    words = words_of(tool.name)
    for word in words:
        name, wanted = _MARKED_FLAGS.get(word, ("", False))
        held = next((known for known in own.fields.values() if key_of(known.name) in (name, f"is_{name}")), None)
        if name and (held.type == "bool" if held is not None else name in ("read", "seen")):
            return held.name if held is not None else name, str(wanted)
    said = _AS.search(tool.description)
    if said is None or set(words) & set(_MARKS) or said[1].lower() in _MARKS:
        return None
    word = said[1].lower()  # as golden, as an answer: what no status is called
    off = word.startswith("un") and word[2:] in {*words, *words_of(tool.description)}
    return (word[2:], "False") if off else (word, "True")


def _choices(own: Entity) -> set[str]:
    held = [known for known in own.fields.values() if words_of(known.name)[-1:] in (["status"], ["state"])]
    return {str(choice).lower() for known in held for choice in known.choices}


def set_status(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """Give a plan the status that its verb leads to, and the entity the states that it needs."""
    verb = _verb(reader, tool)
    name = own.status or next((n for n in own.fields if words_of(n)[-1:] in (["status"], ["state"])), "status")
    add_field(reader, own, name, {"type": "string"})
    own.status = name
    step = step_of(verb, own.fields[name].choices or _american(tool, verb))
    planned.value, planned.write.only, planned.write.never = step.value, step.only, step.never
    own.initial = own.initial or step.first
    if not own.fields[name].choices:
        own.statuses = tuple(dict.fromkeys([*own.statuses, *step.only[:1], step.value]))


def _american(tool: ToolSpec, verb: str) -> tuple[str, ...]:
    """`canceled`, where the description spells it so and no enum says otherwise."""
    return ("canceled",) if verb == "cancel" and "canceled" in tool.description.lower() else ()


def merge_threads(reader: Reader) -> None:
    """Replies, thread replies and the history of a channel are its messages, where one tool posts messages."""
    posted = reader.by_noun.get("message")
    creators = [t for t in reader.spec.tools if reader.readings[t.name] == Reading("post", "create", "message", False)]
    if posted is None or not creators or any("thread_ts" in reader.properties(tool) for tool in creators):
        return
    for tool in reader.spec.tools:
        reading = reader.readings[tool.name]
        replies = reading.action == "create" and reading.verb == "reply" and reading.noun in ("thread", "message")
        if replies:
            reader.readings[tool.name] = Reading("reply", "create", "message", plural=False)
        elif reading.action in ("get", "list") and reading.noun in _HISTORIES:
            reader.readings[tool.name] = Reading(reading.verb, "list", "message", plural=True)
    for noun in {*_HISTORIES, "thread"}:
        if noun in reader.by_noun and not any(reading.noun == noun for reading in reader.readings.values()):
            reader.plan.entities.pop(reader.by_noun[noun].noun, None)
            del reader.by_noun[noun]


def hide_replies(reader: Reader) -> None:
    """The history of a channel shows root messages: replies show in their thread."""
    specs = {tool.name: tool for tool in reader.spec.tools}
    for planned in reader.plan.every():
        known = reader.by_noun.get("message")
        if known is None or planned.entity != "message" or planned.kind != "list" or planned.name not in specs:
            continue
        if "thread_ts" in known.fields and "history" in words_of(planned.name):
            planned.read.shows = {**planned.read.shows, "thread_ts": ""}
            known.fields["thread_ts"].sparse = True


def _verb(reader: Reader, tool: ToolSpec) -> str:
    """The verb; for `mark_invoice_paid` the word that says as what it is marked."""
    verb = reader.readings[tool.name].verb
    if "tentatively" in words_of(tool.name):
        return "tentatively_accept"
    if verb == "mark":
        told = _AS.search(tool.description)
        spoken = [*reversed(words_of(tool.name)), *([told[1].lower()] if told else [])]
        said = next((word for word in spoken if word in _MARKS), "")
        return _MARKS.get(said, verb)
    return verb


def _names(tool: ToolSpec, noun: str) -> bool:
    """Whether the name or the description of a tool speaks of what an id names."""
    said = {singular(word) for word in words_of(f"{tool.name} {tool.description[:80]}")}
    return bool(set(noun.split("_")) & said)


def _aborts(tool: ToolSpec) -> bool:
    """abort_pending_imports(account_id): those of a parent that can be, not the parent."""
    return bool({"all", "pending", "running", "active", "open"} & set(words_of(tool.name)))


def _plan_all(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """cancel_all_orders(): every record that can take the status."""
    placed = parents(reader, tool, own, reader.required(tool))
    if not _aborts(tool) or set(reader.required(tool)) - set(placed):
        return "a status is changed, but no required parameter names the record"
    own = next((reader.by_noun[noun] for noun in _without_first(own.noun) if noun in reader.by_noun), own)
    planned = ToolPlan(tool.name, "status_all", own.noun, parents=placed)
    set_status(reader, tool, own, planned)
    for name, schema in reader.values(tool).items():
        known = stored_as(reader, tool, own, name)
        add_field(reader, own, known, schema, target=placed.get(name, ""))
        planned.lookups[name] = known
    return planned


def _without_first(noun: str) -> list[str]:
    """pending_import: the import."""
    first, _, rest = noun.partition("_")
    return [rest] if first in ("pending", "running", "active", "open") else []


def _plan_restore(reader: Reader, tool: ToolSpec, own: Entity, key: str) -> ToolPlan:
    planned = ToolPlan(tool.name, "restore", own.noun, key=key)
    planned.parents = parents(reader, tool, own, [name for name in reader.values(tool) if name != key])
    for name, schema in reader.values(tool).items():
        if name != key:
            known = stored_as(reader, tool, own, name)
            add_field(reader, own, known, schema, target=planned.parents.get(name, ""))
            planned.fields[name] = known
    return planned


def _wanted(verb: str) -> tuple[str, str]:
    name, wanted = FLAGS[verb]
    return name, str(wanted)


def _plan_flag(reader: Reader, tool: ToolSpec, own: Entity, key: str, name: str, wanted: str) -> ToolPlan | str:
    """lock_issue, star_repository: a flag of the record, which keeps its status. `wanted` "" changes it over."""
    properties = reader.values(tool)
    flags = [known.name for known in own.fields.values() if known.type == "bool"]
    name = next((flag for flag in flags if words_of(flag)[-1:] == [name]), name)
    if name in own.fields and own.fields[name].type != "bool":
        name = f"is_{name}"
    planned = ToolPlan(tool.name, "flag", own.noun, key=key, value=wanted)
    planned.key_field = note_key(reader, tool, own, key) if key else ""
    add_field(reader, own, name, {"type": "boolean"})
    planned.write.flag = name
    if name.endswith("locked"):
        planned.write.marks_locked = True
        if locks(tool):
            own.lock = name
    planned.parents = parents(reader, tool, own, [other for other in properties if other != key])
    for other, noun in planned.parents.items():
        if noun.rsplit("_", 1)[-1] in _WHOM and other not in reader.required(tool):
            return f"it is done for {other} or for the caller, and a flag of the {own.noun} says nothing of whom"
    planned.lookups = scope(reader, tool, own, key, planned.parents)
    for other in reader.required(tool) if not key else ():
        if other in properties:
            planned.lookups[other] = stored_as(reader, tool, own, other)
            add_field(reader, own, planned.lookups[other], properties[other])
    for other, schema in properties.items():
        if other not in (key, name) and other not in planned.lookups:
            known = stored_as(reader, tool, own, other)
            add_field(reader, own, known, schema, target=planned.parents.get(other, ""))
            planned.fields[other] = known
    own.written = True
    return planned


def joins(reader: Reader, tool: ToolSpec, own: Entity) -> bool:
    """add_user_to_team(team_id, user_id), remove_user_from_team: a user is there already, and stays."""
    reading, words = reader.readings[tool.name], words_of(tool.name)
    if reading.verb not in ("add", "remove") or not {"to", "from"} & set(words):
        return False
    required = [name for name in reader.required(tool) if name in reader.values(tool)]
    mine = [name for name in required if names_own(reader, tool, name, own)]
    said = words_of(tool.description[:60])[:3]
    destroys = reading.verb == "remove" and bool({"delete", "deletes", "permanently"} & set(said))
    return len(mine) == 1 and not destroys and bool(parents(reader, tool, own, required))


def plan_link(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """A pair of things that belong together: made once, taken away, shown by the tools that list it."""
    properties = reader.values(tool)
    required = [name for name in reader.required(tool) if name in properties]
    verb = reader.readings[tool.name].verb
    if not required:
        return f"no required parameter says what to {verb}"
    found = parents(reader, tool, own, required)
    own_ids = [name for name in required if names_own(reader, tool, name, own)]
    if verb in FLAGS and not found and not any("array" in types_of(properties[name]) for name in required):
        return _plan_flag(reader, tool, own, key_parameter(reader, tool, own), *_wanted(verb))
    ends = {**found, **dict.fromkeys(own_ids, own.noun)}
    undone = verb in UNLINKS or verb in ("detach", "remove")
    if len(ends) == 1:
        held = _plan_held(reader, tool, ends, undone=undone)
        if held is not None:
            return held
    return _plan_pair(reader, tool, own, ends, verb, undone=undone)


def _plan_held(reader: Reader, tool: ToolSpec, ends: dict[str, str], *, undone: bool) -> ToolPlan | None:
    """attach_tag(bookmark_id, tag_name): the record holds what is no record itself in a field with several values."""
    ((key, noun),) = ends.items()
    owner = reader.by_noun[noun]
    others = [name for name in reader.required(tool) if name != key and name in reader.values(tool)]
    schema = reader.properties(tool)[others[0]] if others else {}
    items = types_of(schema.get("items") or {})
    texts = types_of(schema) == {"string"} or ("array" in types_of(schema) and items == {"string"})
    if len(others) != 1 or not texts or "array" in types_of(reader.properties(tool)[key]):
        return None
    words = [word for word in words_of(others[0]) if word not in ("name", "names", "id", "ids", "key")]
    if not words or "_".join(words) == noun:
        return None
    field = "_".join([*words[:-1], plural_of(singular(words[-1]))])
    if field in owner.fields and not owner.fields[field].type.startswith("tuple["):
        return None
    planned = ToolPlan(tool.name, "update", noun, key=key, key_field=note_key(reader, tool, owner, key))
    add_field(reader, owner, field, {"type": "array", "items": {"type": "string"}})
    (planned.write.strips if undone else planned.write.adds)[others[0]] = field
    for name, optional in reader.values(tool).items():
        if name not in (key, others[0]):
            known = stored_as(reader, tool, owner, name)
            add_field(reader, owner, known, optional)
            planned.fields[name] = known
    owner.written = True
    return planned


def _plan_pair(
    reader: Reader, tool: ToolSpec, own: Entity, ends: dict[str, str], verb: str, *, undone: bool
) -> ToolPlan:
    """A row for the pair, and in each end that is a record the name of the other."""
    stem = verb[2:] if verb in UNLINKS and verb.startswith("un") else verb.removeprefix("de").removeprefix("dis")
    stem = {"leave": "join", "tach": "attach", "remove": "add"}.get(stem, stem)
    front = "_".join(sorted(dict.fromkeys(ends.values() or [own.noun])))
    made = [noun for noun in reader.by_noun if noun.rpartition("_")[0] == front and reader.by_noun[noun].written]
    noun = f"{front}_{stem}"  # remove_member_from_card undoes assign_member_to_card, where nothing else is undone
    pair = entity(reader, made[0] if undone and len(made) == 1 and noun not in reader.by_noun else noun)
    pair.written = True
    planned = ToolPlan(tool.name, "unlink" if undone else "link", pair.noun, parents=dict(ends))
    for name, schema in reader.values(tool).items():
        _plan_end(reader, tool, pair, planned, name, own)
        if name in reader.required(tool) and "array" in types_of(schema):
            planned.write.adds[name] = planned.lookups[name]
    if len(set(ends.values())) == 2 and len(ends) == 2:
        planned.write.ties = tuple(_tie(reader, name, other, ends) for name, other in (tuple(ends), tuple(ends)[::-1]))
    return planned


def _tie(reader: Reader, name: str, other: str, ends: dict[str, str]) -> tuple[str, str, str, str]:
    """In the records of one end, the field with the ids of the other."""
    owner, field = reader.by_noun[ends[name]], f"{ends[other]}_ids"
    if field in owner.fields and not owner.fields[field].type.startswith("tuple[str"):
        field = f"linked_{field}"
    add_field(reader, owner, field, {"type": "array", "items": {"type": "string"}})
    owner.fields[field].linked = True
    owner.written = True
    return name, ends[name], field, other


def _plan_end(reader: Reader, tool: ToolSpec, pair: Entity, planned: ToolPlan, name: str, own: Entity) -> None:
    """Give one parameter of a pair its field: an end of it when it is required, else an attribute."""
    schema = reader.properties(tool)[name]
    known = stored_as(reader, tool, pair, name) if name != "id" else f"{planned.parents.get(name, own.noun)}_id"
    target = planned.parents.get(name, "")
    if target:
        known = next((n for n, f in pair.fields.items() if f.target == reader.by_noun[target].table), known)
    required = name in reader.required(tool)
    single = schema.get("items") if required and "array" in types_of(schema) and known not in pair.fields else None
    add_field(reader, pair, known, single or schema, target=target)
    if required or planned.kind == "unlink":
        planned.lookups[name] = known
    else:
        planned.fields[name] = known
