"""The adversarial checks of one tool, each from the specification and observations alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.engine.schema import compile_schema
from services_app.specs.vocabulary import READS, base_name, id_target, types_of, words_of
from services_app.verification.arguments import example, resolve
from services_app.verification.attempts import value_for
from services_app.verification.bench import Bench
from services_app.verification.parameters import HEADERS, key_of, own_key, parameters_of, put, value_at
from services_app.verification.report import Check, Outcome, cut
from services_app.verification.subject import Subject
from services_app.verification.wrong import wrong_arguments

Json = Any
HOSTILE = '<b>x</b> "quoted" {{ 7*7 }} \u202eabc Žluťoučký 数 \'; DROP TABLE t; --'
PLAIN = "Plain words 4711"
UNKNOWN_ID = {"string": "no-such-id-0", "integer": 987654321, "number": 987654321}


def make_check(
    subject: Subject,
    name: str,
    passed: bool | None,
    sent: Json = None,
    expected: str = "",
    got: Json = None,
    note: str = "",
) -> Check:
    """A check; what was sent and got is kept only where it is evidence of a failure."""
    outcome: Outcome = "untold" if passed is None else "pass" if passed else "fail"
    sent, got = (None, None) if passed else (cut(sent), cut(got))
    return Check(tool=subject.info.name, name=name, outcome=outcome, sent=sent, expected=expected, got=got, note=note)


def works(bench: Bench, subject: Subject) -> Iterator[Check]:
    """At least one call succeeds."""
    found = bench.find_working_call(subject)
    yield make_check(
        subject,
        "works",
        found,
        None,
        "a call that succeeds",
        subject.last_error,
        "" if found else subject.broke or "no arguments were found that the tool accepts",
    )


def refuses_bad_arguments(bench: Bench, subject: Subject, only: str = "") -> Iterator[Check]:
    """Missing, mistyped, null, out of range and unknown arguments: 400, and nothing changes. `only`: of a parameter."""
    valid = subject.working or example(subject.schema, subject.schema)
    for wrong in wrong_arguments(subject.schema, valid, subject.validator):
        if only and wrong.path != only:
            continue
        trial = bench.fork(subject)
        before = trial.state_hash()
        observation = bench.call(trial, subject.info.name, wrong.arguments)
        refused = not observation["success"] and observation["error"]["code"] in (400, 422)
        unchanged = trial.state_hash() == before
        name = f"refuses:{wrong.rule}:{wrong.path}"
        yield make_check(
            subject,
            name,
            refused and unchanged,
            wrong.arguments,
            "refused with 400, state unchanged",
            _short(observation),
        )
        trial.close()


def refuses_unknown_ids(bench: Bench, subject: Subject) -> Iterator[Check]:
    """A required id that does not exist: an error that is not a defect, and nothing changes."""
    if subject.working is None or subject.reading.action not in ("get", "update", "delete", "status"):
        return
    for name in subject.schema.get("required") or ():
        plain = resolve((subject.schema.get("properties") or {}).get(name, {}), subject.schema)
        unknown = next((UNKNOWN_ID[kind] for kind in UNKNOWN_ID if kind in types_of(plain)), None)
        arguments = {**subject.working, name: unknown}
        if (
            id_target(name, subject.reading.noun) is None
            or unknown is None
            or not subject.validator.is_valid(arguments)
        ):
            continue
        trial = bench.fork(subject)
        before = trial.state_hash()
        observation = bench.call(trial, subject.info.name, arguments)
        refused = not observation["success"] and observation["error"]["code"] in (400, 403, 404, 409, 422)
        yield make_check(
            subject,
            f"unknown_id:{name}",
            refused and trial.state_hash() == before,
            arguments,
            "an error such as 404",
            _short(observation),
        )
        trial.close()


def is_deterministic(bench: Bench, subject: Subject, twin: Environment | None) -> Iterator[Check]:
    """The same call from the same state gives the same observation and state, also in another process."""
    if subject.working is None:
        return
    outcomes = []
    for source in (bench.fork(subject), bench.fork(subject), None if twin is None else bench.replay(subject, twin)):
        if source is None:
            continue
        trial = source
        outcomes.append((bench.call(trial, subject.info.name, subject.working), trial.state_hash()))
        trial.close()
    same = all(outcome == outcomes[0] for outcome in outcomes[1:])
    yield make_check(
        subject,
        "deterministic",
        same,
        subject.working,
        "equal observations and states",
        [_short(o) for o, _ in outcomes],
    )


def reads_do_not_write(bench: Bench, subject: Subject, read_only: bool) -> Iterator[Check]:
    """A reading tool leaves the state alone."""
    if subject.working is None or not (read_only or subject.reading.action in READS):
        return
    yield make_check(
        subject, "read_only", not subject.changed, subject.working, "no change of state", "the state changed"
    )


def keeps_shape(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Results keep their type; where the specification has an output schema they fit it."""
    if subject.working is None or subject.observation is None:
        return
    data = subject.observation["data"]
    if subject.info.output_schema is not None:
        problems = compile_schema(subject.info.output_schema).problems(data)
        yield make_check(
            subject,
            "output_schema",
            not problems,
            subject.working,
            "a result that fits the output schema",
            [p.message for p in problems[:3]],
        )
    other = bench.fork(subject)
    again = bench.call(other, subject.info.name, _other_values(bench, subject))
    if again["success"]:
        yield make_check(
            subject,
            "stable_type",
            _shape(again["data"]) == _shape(data),
            subject.working,
            _shape(data),
            _shape(again["data"]),
        )
    other.close()


def _other_values(bench: Bench, subject: Subject) -> dict[str, Json]:
    """The working call with another value for every id in it."""
    arguments = dict(subject.working or {})
    for parameter in parameters_of(subject.schema):
        sent = value_at(arguments, parameter.path) is not None
        if sent and id_target(parameter.last, subject.reading.noun) is not None:
            arguments = put(arguments, parameter.path, value_for(bench.pool, subject, parameter, 1))
    return arguments


def _shape(value: Json) -> str:
    return type(value).__name__


def no_defects(bench: Bench, subject: Subject) -> Iterator[Check]:
    """Hostile text, huge numbers and long text never break the service, and text comes back as it was sent."""
    if subject.working is None:
        return
    texts = [
        name
        for name, schema in (subject.schema.get("properties") or {}).items()
        if types_of(resolve(schema, subject.schema)) == {"string"}
        and not resolve(schema, subject.schema).get("enum")
        and id_target(name, subject.reading.noun) is None
    ]
    for name in texts[:6]:
        arguments = {**subject.working, name: HOSTILE}
        trial = bench.fork(subject)
        observation = bench.call(trial, subject.info.name, arguments)
        broken = not observation["success"] and observation["error"]["code"] == 500
        yield make_check(
            subject, f"hostile_text:{name}", not broken, arguments, "no internal error", _short(observation)
        )
        if observation["success"] and _stores(bench, subject, name, PLAIN) is True:
            stored = _stores(bench, subject, name, HOSTILE)
            yield make_check(
                subject, f"text_survives:{name}", stored, arguments, "the text as it was sent", "it changed"
            )
        trial.close()


def _stores(bench: Bench, subject: Subject, name: str, text: str) -> bool:
    """Whether a text sent for a parameter stands in what the call wrote, as it was sent."""
    trial = bench.fork(subject)
    mark = len(trial.changes)
    bench.call(trial, subject.info.name, {**(subject.working or {}), name: text})
    written = [change.to_json()["after"] for change in trial.changes[mark:]]
    trial.close()
    return _holds_text(written, text)


def _holds_text(value: Json, text: str) -> bool:
    if isinstance(value, dict | list):
        return any(_holds_text(item, text) for item in (value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and text in value


def _getter(bench: Bench, subject: Subject, sent: dict[str, Json]) -> tuple[Subject | None, str | None]:
    """The tool that gets such a record, with the name of its key: one that asks for no more than the write was told."""
    getters = [
        (other, own_key(other.schema.get("required") or (), other.reading.noun))
        for other in bench.subjects.values()
        if other.reading.action == "get" and other.reading.noun == subject.reading.noun
    ]
    told_of = {base_name(name) for name in sent}
    told = [
        (other, key)
        for other, key in getters
        if all(name in told_of or name == key or key_of(name) in HEADERS for name in other.schema.get("required") or ())
    ]
    return next(iter(told or getters[:1]), (None, None))


def round_trip(bench: Bench, subject: Subject) -> Iterator[Check]:
    """What was created can be got and is listed; what was deleted is gone."""
    if subject.working is None or subject.reading.action not in ("create", "delete"):
        return
    getter, key = _getter(bench, subject, subject.working)
    if getter is None or key is None:
        return
    if subject.reading.verb == "remove" and "from" in words_of(subject.info.name) and len(subject.working) > 1:
        return  # remove_user_from_team: who is taken out may stay
    trial = bench.fork(subject)
    observation = bench.call(trial, subject.info.name, subject.working)
    if not observation["success"]:
        return
    if subject.reading.action == "delete":
        named = own_key(subject.working, subject.reading.noun)
        gone = None if named is None else subject.working[named]
        again = bench.call(trial, getter.info.name, {**(getter.working or {}), key: gone})
        yield make_check(
            subject,
            "deleted_is_gone",
            gone is None or not again["success"],
            {key: gone},
            "not found after deletion",
            _short(again),
        )
    else:
        made = _added(subject) or _find_id(observation["data"], subject.reading.noun)
        if made is not None:
            known = getter.schema.get("properties") or {}
            sent = {base_name(name): value for name, value in subject.working.items()}
            shared = {n: v for n, v in sent.items() if n in known and key_of(n) not in HEADERS}
            again = bench.call(trial, getter.info.name, {**(getter.working or {}), **shared, key: made})
            yield make_check(
                subject, "created_is_found", bool(again["success"]), {key: made}, "found after creation", _short(again)
            )
    trial.close()


def _added(subject: Subject) -> Json:
    """The id of what is there already and only added to something else: add_user_to_team(team_id, user_id)."""
    noun, words = subject.reading.noun, words_of(subject.info.name)
    if subject.working is None or subject.reading.verb != "add" or "to" not in words:
        return None
    required = subject.schema.get("required") or ()
    own = [n for n in subject.working if n in required and n != "id" and id_target(n, noun) == noun]
    return subject.working[own[0]] if own else None


def _find_id(data: Json, noun: str) -> Json:
    if not isinstance(data, dict):
        return None
    for name, value in data.items():
        if id_target(name, noun) == noun and not isinstance(value, dict | list):
            return value
    return next(
        (found for value in data.values() if isinstance(value, dict) and (found := _find_id(value, noun)) is not None),
        None,
    )


def _short(observation: Observation) -> Json:
    return (
        observation["error"] if not observation["success"] else {"success": True, "data": cut(observation["data"], 300)}
    )
