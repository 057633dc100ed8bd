"""Arguments to try for a tool: values that tools have shown where they fit, made ones elsewhere."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from services_app.specs.documented import documented_values
from services_app.specs.said_ids import said_target
from services_app.specs.vocabulary import id_target, types_of
from services_app.verification.arguments import example, resolve, variants
from services_app.verification.parameters import Parameter, key_of, parameters_of, put, value_at
from services_app.verification.pool import Pool
from services_app.verification.subject import Subject, fits

Json = Any
MIXES = 240
AMENDED = 3
_UNKNOWN = re.compile(r"No ([a-z][\w ]*?) with id '(.+)'")
TURNS = 12  # as many as the pool keeps values for a key
_QUERIES = ("q", "query", "search", "term", "keyword", "keywords")


def attempts(pool: Pool, subject: Subject) -> Iterator[dict[str, Json]]:
    """Valid calls: required parameters alone, then all, then each optional one, over the pool's values."""
    parameters = parameters_of(subject.schema)
    required = [parameter for parameter in parameters if parameter.required]
    optional = [parameter for parameter in parameters if not parameter.required]
    sets = [required, [*required, *optional], *([*required, one] for one in optional)]
    if subject.reading.action == "create":  # full records first: they give later tools more to work on
        sets = [sets[1], sets[0], *sets[2:]]
    in_turn = (
        _call(subject, ((one, value_for(pool, subject, one, turn)) for one in some))
        for turn in range(TURNS)
        for some in sets[: 2 if turn else None]
    )
    tried: list[dict[str, Json]] = []
    for arguments in itertools.chain(
        itertools.islice(in_turn, 2 * len(sets)), _from_rows(pool, subject, required), in_turn, mixes(pool, subject)
    ):
        if arguments not in tried and subject.validator.is_valid(arguments):
            tried.append(arguments)
            yield arguments


def _call(subject: Subject, values: Iterable[tuple[Parameter, Json]]) -> dict[str, Json]:
    """A call with these values; a wrapping object that is required is there even when nothing is in it."""
    arguments: dict[str, Json] = {}
    for parameter, item in values:
        arguments = put(arguments, parameter.path, item)
    if not arguments:
        outer = {parameter.path[0] for parameter in parameters_of(subject.schema) if len(parameter.path) > 1}
        arguments = {name: {} for name in outer & set(subject.schema.get("required") or ())}
    return arguments


def _from_rows(pool: Pool, subject: Subject, required: list[Parameter]) -> Iterator[dict[str, Json]]:
    """Required values that belong together: all from one record that was shown."""
    noun = subject.reading.noun
    lone_id = [parameter.last for parameter in required] == ["id"]
    for row in _rows_about(pool, noun) if len(required) > 1 or lone_id else ():
        by_key = {key_of(name): item for name, item in row.items()}
        found: list[tuple[Parameter, Json]] = []
        for parameter in required:
            own = id_target(parameter.last, noun) == noun and parameter.key != "id"
            item = by_key.get(parameter.key, by_key.get("id") if own else None)
            found.append((parameter, value_for(pool, subject, parameter) if item is None else item))
        yield _call(subject, found)
        parents = [by_key.get(f"{'_'.join(noun.split('_')[:end])}_id") for end in range(1, len(noun.split("_")))]
        owner = next((item for item in (*parents, by_key.get(f"{noun}_owner_id")) if item is not None), None)
        if owner is not None and any(parameter.last == "id" for parameter in required):
            yield _call(subject, ((one, owner if one.last == "id" else item) for one, item in found))


def _rows_about(pool: Pool, noun: str) -> list[dict[str, Json]]:
    """Records of a noun, else of what its first words name: the title of an issue is changed on an issue."""
    words = noun.split("_")
    fronts = ("_".join(words[:end]) for end in range(len(words), 0, -1))
    return next((rows for front in fronts if (rows := pool.rows(front))), [])


def amended(
    pool: Pool, subject: Subject, arguments: dict[str, Json], error: Mapping[str, Any]
) -> Iterator[dict[str, Json]]:
    """The call again with ids of what the service says does not exist: "No group with id 'USE-0001'"."""
    said = _UNKNOWN.match(str(error.get("message", "")))
    if said is None:
        return
    known = pool.ids(said[1].replace(" ", "_"))
    for parameter in parameters_of(subject.schema):
        sent = value_at(arguments, parameter.path)
        listed = isinstance(sent, list)
        if said[2] in map(str, sent if listed else [sent]):
            inner = resolve(parameter.schema.get("items", {}), subject.schema) if listed else parameter.schema
            for item in _fitting([key for key in known if str(key) != said[2]], inner)[:AMENDED]:
                yield put(arguments, parameter.path, [item] if listed else item)


def mixes(pool: Pool, subject: Subject) -> Iterator[dict[str, Json]]:
    """Seeded mixtures: each parameter's value drawn on its own, each optional one there or not."""
    parameters = parameters_of(subject.schema)
    rng = random.Random(subject.info.name)  # noqa: S311 - reproducible test data
    drawn = [parameter for parameter in parameters if parameter.required]
    optional = [parameter for parameter in parameters if not parameter.required]
    values = {parameter.name: choices(pool, subject, parameter) for parameter in parameters}
    for _ in range(MIXES):
        some = [*drawn, *(parameter for parameter in optional if rng.random() < 0.5)]
        yield _call(subject, ((parameter, rng.choice(values[parameter.name])) for parameter in some))


def choices(pool: Pool, subject: Subject, parameter: Parameter) -> list[Json]:
    """Everything worth trying for one parameter: what was seen, and what the schema allows."""
    plain = parameter.schema
    if "const" in plain:
        return [plain["const"]]
    found = _fitting(seen_for(pool, subject, parameter), plain)
    if "array" in types_of(plain):
        found += [[item] for item in _items(pool, subject, parameter)]
    found += variants(plain, subject.schema, parameter.last)
    return found or [None]


def _fitting(seen: list[Json], plain: dict[str, Any]) -> list[Json]:
    """The values that fit a schema; where it takes only numbers, texts of digits as numbers."""
    numbers = bool(types_of(plain)) and types_of(plain) <= {"integer", "number", "null"}
    known = [int(item) if numbers and isinstance(item, str) and item.isdecimal() else item for item in seen]
    return [item for item in known if fits(item, plain)]


def _items(pool: Pool, subject: Subject, parameter: Parameter) -> list[Json]:
    """Seen values that fit into an array parameter."""
    items = resolve(parameter.schema.get("items", {}), subject.schema)
    return [item for item in seen_for(pool, subject, parameter) if fits(item, items)]


def seen_for(pool: Pool, subject: Subject, parameter: Parameter) -> list[Json]:
    """Values that were seen for a parameter: of a bare `id` first those of what its words say that it names."""
    found = pool.candidates(parameter.last, subject.reading.noun)
    said = str(parameter.schema.get("description") or "")
    if parameter.key != "id":
        told = pool.told(parameter.last, subject.reading.noun, said)
        return [*found, *(item for item in told if item not in found)]
    named = said_target(said, subject.reading.noun, pool.knows)
    first = pool.ids(named) if named else []
    return [*first, *(item for item in found if item not in first)]


def value_for(pool: Pool, subject: Subject, parameter: Parameter, turn: int = 0) -> Json:
    """A fitting value for one parameter: seen values first where the type allows, else from the schema."""
    plain, noun = parameter.schema, subject.reading.noun
    listed = documented_values(parameter.last, plain) if types_of(plain) - {"null"} == {"string"} else ()
    if listed and not _fitting(list(listed), plain)[:1]:
        listed = ()
    if listed and subject.reading.action in ("create", "update"):
        return listed[turn % len(listed)]
    if not plain.get("enum") and "const" not in plain:
        seen = _fitting(seen_for(pool, subject, parameter), plain)
        creates = subject.reading.action == "create" and id_target(parameter.last, noun) is None
        if seen and not creates:
            return seen[turn % len(seen)]
        inner = _items(pool, subject, parameter) if "array" in types_of(plain) else []
        if inner:
            return inner[:1]
        words = pool.words() if parameter.last.lower() in _QUERIES else []
        if words:
            return words[turn % len(words)]
    return example(plain, subject.schema, full=turn > 0, name=parameter.last)
