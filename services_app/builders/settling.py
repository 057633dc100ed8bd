"""The last word on writing tools: every parameter does something, or is declared to do nothing with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable

from services_app.builders.entities import Reader
from services_app.builders.formats import format_checks
from services_app.builders.plan import Entity, Fixture, Plan, ToolPlan
from services_app.builders.provisos import note_provisos
from services_app.builders.referring import note_called
from services_app.builders.roles import key_of
from services_app.builders.stated import stated_checks
from services_app.builders.states import work_said
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, types_of

TRASH = Fixture("trash", "Removed", "services_app.recipes.trash")
_FORCE = re.compile(r"(?:^|_)(?:force|forced|cascade|recursive|recursively|with_children)(?:_|$)|^delete_")
_PERMANENT = frozenset("permanent permanently hard_delete hard skip_trash permanent_delete".split())
_CREDENTIAL = re.compile(
    r"(?:^|_)(?:api_?key|access_?token|auth_?token|token|password|secret|credentials?)$|^user_google"
)
_TRANSPORT = re.compile(
    r"^(?:retry|timeout|auth_method|debug|no_cache|use_cache|cache|refresh|api_version|pretty|headers|custom_headers|"
    r"user_agent|prefer|consistency_level|accept|x_|authorization|supports_all_drives|random_string|dummy)"
)
_NOTIFIES = re.compile(r"(?:^|_)(?:notify|notif\w*|send_updates?|silent|suppress\w*)(?:_|$)")
_HOW = "presentation: it says how the work is done, and the record is the same either way"
_BASED = re.compile(r"\b([01])-based\b")
_WRITES = frozenset(
    (
        "create create_many append_many strip_many update update_many update_each status status_all copy link unlink "
        "delete delete_many delete_equal clear restore flag"
    ).split()
)


def settle(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Give each parameter of a writing tool that has no work yet what its name asks for, or a reason for none."""
    _note_serial(reader, planned)
    planned.checks = (*stated_checks(reader, tool, planned), *format_checks(reader, tool, planned))
    note_called(reader, tool, planned)
    if planned.kind not in _WRITES:
        return
    own = reader.by_noun[planned.entity]
    _wake(reader, tool, planned)
    note_provisos(reader, tool, own, planned)
    for name, schema in reader.properties(tool).items():
        if name in used(planned) or (schema.get("const") is not None and name in tool.required):
            continue
        key = key_of(name)
        if key == "exclude_response":
            planned.brief = name
        elif key == "include_headers":
            planned.headers_shown = name
        elif planned.kind in ("delete", "delete_many", "delete_equal"):
            _settle_removal(reader, tool, own, planned, name)
        else:
            done = "boolean" in types_of(schema) and work_said(schema)
            planned.inert[name] = _HOW if done and not _NOTIFIES.search(key) else _reason(name, key)
    planned.inert = {name: why for name, why in planned.inert.items() if name in tool.properties}
    write = planned.write
    if (write.trash or write.final or write.notes or planned.kind == "restore") and TRASH not in reader.plan.fixtures:
        reader.plan.fixtures.append(TRASH)


def note_positions(reader: Reader) -> None:
    """index (0-based): such a key says where a record stands in its list, and is no field of it."""
    specs = {tool.name: tool for tool in reader.spec.tools}
    keyed = [planned for planned in reader.plan.every() if planned.key_field and key_of(planned.key) == "index"]
    for planned in keyed:
        said = _BASED.search(str(reader.properties(specs[planned.name])[planned.key].get("description", "")))
        if said is not None and planned.kind in ("get", "update", "status", "flag", "delete"):
            planned.position = int(said[1])
    for planned in keyed:
        if planned.position is not None:
            name, planned.key_field = planned.key_field, ""
            mine = [other for other in reader.plan.every() if other.entity == planned.entity]
            if not any(name in _fields(other) for other in mine):
                reader.by_noun[planned.entity].fields.pop(name, None)


def give_serials(reader: Reader) -> None:
    """The number of a new record is counted by the service: a creation does not take one from the caller."""
    specs = {tool.name: tool for tool in reader.spec.tools}
    for planned in reader.plan.every():
        serial = reader.by_noun[planned.entity].serial if planned.entity in reader.by_noun else ""
        required = specs[planned.name].required if planned.name in specs else ()
        if planned.kind == "create" and serial:
            for name in [name for name, known in planned.fields.items() if known == serial and name not in required]:
                del planned.fields[name]
                planned.inert[name] = "read-only: the service gives it"


def _fields(planned: ToolPlan) -> set[str]:
    return {planned.key_field, *planned.fields.values(), *planned.lookups.values(), *(f.field for f in planned.filters)}


def _note_serial(reader: Reader, planned: ToolPlan) -> None:
    """issue_number, iid: what tools name a record by and no creation asks for is counted by the service."""
    if not planned.key_field or planned.entity not in reader.by_noun:
        return
    own = reader.by_noun[planned.entity]
    known = own.fields[planned.key_field]
    counted = known.type in ("int", "float") or key_of(known.name).rsplit("_", 1)[-1] == "iid"
    if counted and key_of(known.name).rsplit("_", 1)[-1] in ("number", "iid", "no", "num") and not known.target:
        own.serial = known.name
        known.type = "int" if known.type == "float" else known.type
        under = [name for name in planned.lookups.values() if name != known.name]
        own.serial_under = tuple(dict.fromkeys([*own.serial_under, *under]))


def gather_inert(plan: Plan) -> None:
    """A tool with several actions has a parameter without effect when none of its actions gives it one."""
    for tool in plan.tools:
        for name in dict.fromkeys(name for part in tool.parts.values() for name in part.inert):
            if not any(name in used(part) - set(part.inert) for part in tool.parts.values()):
                tool.inert[name] = next(part.inert[name] for part in tool.parts.values() if name in part.inert)


def _wake(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    """Take back the reason for no effect where a write does give the parameter one."""
    live = {*planned.fields, *planned.lookups, planned.write.once}
    planned.inert = {name: why for name, why in planned.inert.items() if name not in live}
    planned.headers = tuple(name for name in planned.headers if name not in live)
    version = next((name for name in reader.properties(tool) if key_of(name) == "if_match"), "")
    if version and planned.key and planned.kind in ("update", "delete", "status", "flag"):
        planned.inert.pop(version, None)
        planned.headers = tuple(name for name in planned.headers if name != version)
        planned.write.version = version


def used(planned: ToolPlan) -> set[str]:
    """Parameters that a plan gives some work."""
    write = planned.write
    names: Iterable[str] = (
        planned.key, planned.text, planned.select, planned.format, planned.dry_run, planned.confirm, planned.sort,
        planned.order, planned.items, planned.brief, planned.headers_shown, planned.switch, write.rename, write.own_id,
        write.once, write.version, write.token, write.force, write.heir, write.permanent, *planned.lookups,
        *planned.parents, *planned.fields, *planned.pages.values(), *planned.headers, *planned.inert, *write.adds,
        *write.strips, *write.notes, *write.expects, *planned.needs, *planned.unwraps, *planned.waits,
        *planned.versions, *(item.parameter for item in planned.filters),
    )  # fmt: skip
    return set(names)


def _settle_removal(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan, name: str) -> None:
    """Parameters beside what names a removed record."""
    key, schema = key_of(name), reader.properties(tool)[name]
    kinds = types_of(schema)
    write = planned.write
    trashed = re.search(r"trash|permanent|recycle", str(schema.get("description", "")).lower())
    if (key in _PERMANENT or trashed) and "boolean" in kinds:
        write.permanent, write.trash = name, True
    elif _FORCE.search(key) and "boolean" in kinds and planned.kind != "delete_many":
        if _is_used(reader, own):
            write.force = name
        else:
            planned.inert[name] = "nothing in this service refers to such a record, so there is nothing to force"
    elif _TRANSPORT.search(key) or _CREDENTIAL.search(key) or _NOTIFIES.search(key):
        planned.inert[name] = _reason(name, key)
    else:
        write.notes = (*write.notes, name)


def _is_used(reader: Reader, own: Entity) -> bool:
    return any(
        known.target == own.table and known.type in ("str", "int", "float")
        for other in reader.plan.entities.values()
        for known in other.fields.values()
    )


def _reason(name: str, key: str) -> str:
    if _CREDENTIAL.search(key):
        return "credential: checked, while a simulated service has one account"
    if _NOTIFIES.search(key):
        return "a simulated service sends no notifications"
    if _TRANSPORT.search(key):
        return "transport: checked, without effect on a simulated service"
    if id_target(name, "x") is not None:
        return "read-only: the service gives it"
    return "presentation: a write answers with the record"
