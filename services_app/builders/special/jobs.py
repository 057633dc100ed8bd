"""Rules for tools that set work going: trigger, run, sync, deploy. Each makes a record of the run, queued at first.

Where the service has a list of runs, the run is a record of it; what was run remembers when that was.
"""

from __future__ import annotations

from services_app.builders.body_parts import dry, picked, returned, show_of
from services_app.builders.entities import Reader, add_field, key_parameter, note_key, stored_as
from services_app.builders.plan import Entity, Fixture, ToolPlan
from services_app.builders.roles import is_material, key_of, language_of
from services_app.builders.special.answers import add_fixture, frame, id_parents, idle, known_nouns
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import shared_prefix, types_of, words_of

_MODULE = "services_app.recipes.jobs"
_VERBS = frozenset(
    (
        "run trigger sync deploy rerun retry refresh invoke dispatch warm rebuild launch restart install redeploy "
        "reindex resync requeue execute"
    ).split()
)
_RUNS = ("run", "job", "execution", "build", "invocation", "deployment", "sync", "scan")
_KEYLESS = (*_RUNS, "export", "import", "migration")
_CODE = frozenset(
    "command commands script code sql query statement expression apex_code cmd shell args options method".split()
)
_NO_JOBS = frozenset(
    (
        "report query sql code script command token select cell cells notebook menu browser debugger typing audit "
        "diagnostics status method debug page tab"
    ).split()
)
_WAITS = frozenset("wait wait_for_completion blocking wait_for_result".split())
_PHASES = (
    ("queued", ("queued", "pending", "created", "scheduled", "submitted", "waiting", "new")),
    ("running", ("running", "in_progress", "started", "processing", "active")),
    ("completed", ("success", "completed", "succeeded", "done", "finished", "passed", "successful")),
)
_FIXTURE = Fixture("job_runs", "JobRecord", _MODULE)


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """The plan of a tool that sets work going; None for any other."""
    reading = reader.readings[tool.name]
    verb = _verb(reader, tool)
    if not verb or tool.annotations.get("readOnlyHint") is True or _runs_code(reader, tool):
        return None
    target = reader.by_noun.get(reading.noun) if reading.noun in known_nouns(reader, tool) else None
    key = key_parameter(reader, tool, target) if target is not None else ""
    if target is not None and (
        key not in reader.required(tool) or "array" in types_of(reader.properties(tool).get(key, {}))
    ):
        return None  # what is set going must be named, so that it can remember it
    planned = frame(reader, tool, f"Sets a {verb} going; it is queued at first.")
    lines = []
    if target is not None:
        planned.entity, planned.key = target.noun, key
        planned.key_field = note_key(reader, tool, target, key)
        target.written = True
        lines.append(f"record = {picked(planned, target)}")
    others = [name for name in reader.required(tool) if name != key]
    planned.parents = id_parents(reader, tool, others)
    _control(reader, tool, planned)
    lines += dry(planned, f'"would": {verb!r}')
    run = _run_entity(reader, tool, reading.noun)
    lines += _stored(reader, tool, planned, run, verb) if run else _logged(reader, tool, planned, target, verb)
    if target is not None:
        lines.insert(-1, f"state.{target.table}.patch(record.id, {_remembered(reader, target, verb)}=ctx.now)")
    planned.body = tuple(lines)
    planned.inert |= idle(reader, tool)
    return planned


def _verb(reader: Reader, tool: ToolSpec) -> str:
    """The word that sets something going; "" when the tool does something else."""
    reading = reader.readings[tool.name]
    words = words_of(tool.name)
    if reading.action == "other":
        at = 1 if words[:1] == [shared_prefix(other.name for other in reader.spec.tools)] else 0
        verb = next((word for word in (*words[at : at + 1], *words[-1:]) if word in _VERBS), "")
        return verb if verb != "execute" or reading.noun in known_nouns(reader, tool) else ""
    keyless = reading.action == "status" and reading.verb in ("start", "launch")
    own = reader.entity_of(tool)
    if not keyless or own is None or reading.noun.rsplit("_", 1)[-1] not in _KEYLESS:
        return ""
    return "" if key_parameter(reader, tool, own) in reader.required(tool) else reading.verb


def _runs_code(reader: Reader, tool: ToolSpec) -> bool:
    """Whether it runs code that it is given, or answers a question: no rule for work that only takes time."""
    properties = reader.properties(tool)
    given = [name for name in properties if is_material(name) or key_of(name) in _CODE]
    spoken = [name for name in properties if language_of(name, properties[name], tool.description)]
    return bool(given or spoken or set(words_of(tool.name)) & _NO_JOBS)


def _control(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> None:
    roles = {name: reader.role(tool, name) for name in reader.properties(tool)}
    planned.dry_run = next((name for name, known in roles.items() if known == "dry_run"), "")
    planned.confirm = next((name for name, known in roles.items() if known == "confirm"), "")


def _stored(reader: Reader, tool: ToolSpec, planned: ToolPlan, run: Entity, verb: str) -> list[str]:
    """Lines that add a record to the service's own table of runs."""
    values = []
    planned.imports = {_MODULE: ("started_record",)}
    for name, schema in reader.values(tool).items():
        field = stored_as(reader, tool, run, name)
        add_field(reader, run, field, {key: value for key, value in schema.items() if key != "default"})
        values.append(f"{field!r}: args.get({name!r})")
    status = _status_of(reader, run)
    run.runs = _phases(run, status)
    run.written = True
    planned.entity = planned.entity or run.noun
    phase = f"{run.runs[0]!r}"
    if waits := _waits(reader, tool):
        phase = f"{run.runs[-1]!r} if {waits} else {phase}"
    values.append(f"{status!r}: {phase}")
    lines = [f"run = started_record(state.{run.table}, ctx, {{{', '.join(values)}}})"]
    return [*lines, returned(planned, show_of(run, "run"))]


def _status_of(reader: Reader, run: Entity) -> str:
    found = run.status or next((name for name in ("state", "status") if name in run.fields), "status")
    add_field(reader, run, found, {"type": "string"})
    add_field(reader, run, "created_at", {"type": "string", "format": "date-time"})
    run.status = found
    return found


def _phases(run: Entity, status: str) -> tuple[str, ...]:
    """Queued, running, done, in the spelling of the run's own statuses."""
    choices = {str(choice).lower(): str(choice) for choice in run.fields[status].choices}
    spelled = [next((choices[w] for w in words if w in choices), usual) for usual, words in _PHASES]
    run.statuses = tuple(dict.fromkeys([*run.statuses, *spelled]))
    return tuple(spelled)


def _logged(reader: Reader, tool: ToolSpec, planned: ToolPlan, target: Entity | None, verb: str) -> list[str]:
    """Lines that add a run to a table of their own: no tool of the service lists runs."""
    add_fixture(reader, _FIXTURE)
    planned.imports = {_MODULE: ("started",)}
    of = "record.id" if target is not None else repr(reader.readings[tool.name].noun or None)
    done = f", done={waits}" if (waits := _waits(reader, tool)) else ""
    lines = [f"run = started(state.job_runs, ctx, {verb!r}, {of}, args{done})"]
    return [*lines, returned(planned, "run")]


def _waits(reader: Reader, tool: ToolSpec) -> str:
    """The condition under which the caller waits for the end; "" when it never does."""
    if "wait" in words_of(tool.name):
        return "True"
    for name, schema in reader.properties(tool).items():
        if "boolean" in types_of(schema) and key_of(name) in _WAITS:
            return f"bool(args.get({name!r}))"
        if "boolean" in types_of(schema) and key_of(name) in ("async", "run_async", "background"):
            return f"not args.get({name!r})"
    return ""


def _run_entity(reader: Reader, tool: ToolSpec, noun: str) -> Entity | None:
    """The entity whose records are runs of this kind, when other tools read it."""
    known = known_nouns(reader, tool)
    exact = [f"{noun}_{word}" for word in _RUNS if f"{noun}_{word}" in known]
    if exact or (noun.rsplit("_", 1)[-1] in _RUNS and noun in known):
        return known[exact[0] if exact else noun]
    runs = [name for name in known if name.rsplit("_", 1)[-1] in ("run", "execution", "invocation")]
    return known[runs[0]] if len(runs) == 1 and not noun.endswith("schema") else None


def _remembered(reader: Reader, target: Entity, verb: str) -> str:
    name = f"last_{verb}_at"
    add_field(reader, target, name, {"type": "string", "format": "date-time"})
    return target.fields[name].python
