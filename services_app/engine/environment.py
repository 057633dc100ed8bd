"""A product environment: several services, one joint state, one journal.

    environment = ProductEnvironment([mail, calendar], seed=7)
    environment.call("mail", "send_message", {"to": ["ana@north.example"], "subject": "Hi", "body": "..."})
    twin = environment.fork()

A call is a transition: arguments are validated, the tool runs, what it changed is validated record by record,
and on any error everything is taken back, including generated ids. A call changes only its own service.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from services_app.engine.catalogue import Catalogue, describe
from services_app.engine.context import CallContext
from services_app.engine.errors import EngineError, ServiceDefect, ToolError
from services_app.engine.meta import call_meta
from services_app.engine.observation import Observation, defect, failure, success
from services_app.engine.plain import JsonValue, NotJsonError, to_plain
from services_app.engine.service import Service
from services_app.engine.state import Record, State, parse_rows
from services_app.engine.store import CLOCK_START, Change, Rows, Store, TableKey, plain_rows
from services_app.engine.tool import Arguments


class Call(NamedTuple):
    """One tool call as made: `changes` is the slice of the journal it wrote, `coerced` the decoded paths."""

    service: str
    tool: str
    arguments: JsonValue
    success: bool
    changes: tuple[int, int]
    coerced: tuple[str, ...]
    counters: dict[TableKey, int]  # id counters after the call, for an exact rewind

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "service": self.service,
            "tool": self.tool,
            "arguments": self.arguments,
            "success": self.success,
        }


class Defect(NamedTuple):
    """A tool that broke its contract during a call."""

    service: str
    tool: str
    kind: str
    message: str


class Edit(NamedTuple):
    """A change of the initial state by an author: `record` replaces or adds, None deletes, `patch` changes fields."""

    service: str
    table: str
    id: str
    record: dict[str, JsonValue] | None = None
    patch: dict[str, JsonValue] | None = None


class ProductEnvironment:
    """Services mounted together. Not thread-safe; fork one per caller."""

    __slots__ = ("_origin", "_services", "_states", "_store", "calls", "catalogue", "defects")

    def __init__(
        self,
        services: Sequence[Service],
        *,
        seed: int = 0,
        scale: str = "normal",
        clock: str = CLOCK_START,
        state: Mapping[str, Mapping[str, list[Any]]] | None = None,
        hidden: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """Mount `services` in the given order, seeded, or with `state` (service -> table -> records) as it is.

        `hidden` names tools that agents must not see. Raises ServiceDefect when a state is not valid.
        """
        self.catalogue = Catalogue([describe(service) for service in services], hidden)
        self._services = {service.slug: service for service in services}
        rows: dict[TableKey, Rows] = {}
        for service in services:
            given = None if state is None else state.get(service.slug, {})
            rows.update(
                service.template(seed=seed, scale=scale, clock=clock) if given is None else _parse_state(service, given)
            )
        self._start(Store(rows, seed=seed, clock=clock))

    def _start(self, store: Store) -> None:
        self._origin = store
        self._store = store.fork()
        self._states: dict[str, State] = {}
        self.calls: list[Call] = []
        self.defects: list[Defect] = []

    # Calls

    def call(self, service: str, tool: str, arguments: object = None) -> Observation:
        """Make one tool call and return its observation. Never raises for what an agent or a service does."""
        store = self._store
        mark, counters = len(store.changes), dict(store.counters)
        prepared = Arguments({})
        try:
            definition = self._tool(service, tool)
            prepared = definition.prepare(arguments)
            shown = dict(prepared.values)
            value = definition.run(self._state(service), CallContext(store), prepared.values)
            observation = success(to_plain(value))
        except ToolError as error:
            shown, observation = _raw(arguments), failure(error)
        except Exception as error:  # noqa: BLE001 - the boundary to service code: anything else is its defect
            shown, observation = _raw(arguments), defect(tool, type(error).__name__)
            self.defects.append(Defect(service, tool, type(error).__name__, str(error)[:2000]))
        if not observation["success"]:
            store.undo_to(mark)
            store.counters = counters
        elif len(store.changes) > mark:
            store.writes += 1
        store.call += 1
        span = (mark, len(store.changes))
        self.calls.append(
            Call(service, tool, shown, observation["success"], span, prepared.coerced, dict(store.counters))
        )
        return observation

    def record_answer(
        self, service: str, tool: str, arguments: object, observation: Observation, edits: Iterable[Edit] = ()
    ) -> list[str]:
        """Record a call that something outside answered: its observation, and what it changes in this service.

        Each edit passes the state model, as after any other call. Returns why edits cannot be made, and then
        nothing has changed and nothing is recorded; [] when the call stands.
        """
        store = self._store
        mark = len(store.changes)
        problems = [problem for edit in edits if (problem := self._apply(service, edit))]
        if problems:
            store.undo_to(mark)
            return problems
        store.writes += len(store.changes) > mark
        store.call += 1
        span = (mark, len(store.changes))
        counters = dict(store.counters)
        self.calls.append(Call(service, tool, _raw(arguments), bool(observation["success"]), span, (), counters))
        return []

    def _apply(self, service: str, edit: Edit) -> str:
        """Make one edit; a sentence when it cannot be made."""
        key = (service, edit.table)
        if edit.service != service or key not in self._store.rows:
            return f"{edit.service} has no table {edit.table} that this call may change"
        if edit.record is not None and edit.record.get("id") != edit.id:
            return f"{edit.table}: the record's id is {edit.record.get('id')!r}, the change says {edit.id!r}"
        try:
            if edit.record is not None or edit.patch is not None:
                self._store.put(key, self._edited_record(edit, self._store))
            elif edit.id in self._store.rows[key]:
                self._store.remove(key, edit.id)
            else:
                return f"{edit.table} has no record {edit.id!r} to delete"
        except (EngineError, ServiceDefect) as error:
            return f"{edit.table} {edit.id}: {error}"
        return ""

    def _tool(self, service: str, tool: str) -> Any:
        tools = self.catalogue.tools.get(service)
        if tools is None:
            self.catalogue.service(service)
        if tools is None or tool not in tools:
            self.catalogue.resolve(f"{service}__{tool}")
        return self._services[service].tools[tool]

    def _state(self, service: str) -> State:
        state = self._states.get(service)
        if state is None:
            state = self._states[service] = self._services[service].state_type(self._store, service)
        return state

    def meta(self, name: str, arguments: Any = None) -> Observation:
        """Make one meta-tool call: list_services, list_tools, describe_tool or call_tool."""
        return call_meta(self, name, arguments)

    def replay(self, calls: Iterable[Call]) -> list[Observation]:
        """Make the same calls again; equal to the record when made from the same state."""
        return [self.call(call.service, call.tool, call.arguments) for call in calls]

    # Copies

    def fork(self) -> ProductEnvironment:
        """An independent environment in the same state. Costs microseconds: nothing is copied until written."""
        twin = ProductEnvironment.__new__(ProductEnvironment)
        twin.catalogue, twin._services, twin._origin = self.catalogue, self._services, self._origin
        twin._store, twin._states = self._store.fork(), {}
        twin.calls, twin.defects = list(self.calls), list(self.defects)
        return twin

    snapshot = fork

    def restore(self, snapshot: ProductEnvironment) -> None:
        """Go back to (or over to) the state of a snapshot."""
        self._store, self._states = snapshot._store.fork(), {}
        self.calls, self.defects = list(snapshot.calls), list(snapshot.defects)

    def reset(self) -> None:
        """Back to the initial state, with an empty journal."""
        self._start(self._origin)

    def edited(self, edits: Iterable[Edit]) -> ProductEnvironment:
        """A new environment whose *initial* state is this one's present state with `edits` applied.

        Tables that gained records are ordered by id, so that planted records do not stand out by position.
        Raises ServiceDefect when a record is not valid.
        """
        twin = self.fork()
        store, grown = twin._store, set()
        for edit in edits:
            key = (edit.service, edit.table)
            if edit.record is None and edit.patch is None:
                store.remove(key, edit.id)
                continue
            grown |= {key} if edit.id not in store.rows[key] else set()
            store.put(key, self._edited_record(edit, store))
        for key in grown:
            store.rows[key] = dict(sorted(store.rows[key].items()))
        twin._start(Store(store.rows, seed=store.seed, clock=store.clock))
        return twin

    def _edited_record(self, edit: Edit, store: Store) -> Record:
        record_type = self._services[edit.service].tables[edit.table]
        if edit.record is not None:
            body: dict[str, JsonValue] = edit.record
        elif edit.id in store.rows[(edit.service, edit.table)]:
            body = {**store.rows[(edit.service, edit.table)][edit.id].plain(), **(edit.patch or {})}
        else:
            raise EngineError(f"{edit.service}.{edit.table} has no record {edit.id!r} to patch")
        return next(iter(parse_rows(record_type, [body]).values()))

    # Looking

    def rows(self, service: str, table: str) -> list[dict[str, JsonValue]]:
        """Fresh JSON of one table, in order."""
        return [record.plain() for record in self._store.rows[(service, table)].values()]

    def record(self, service: str, table: str, identity: str) -> dict[str, JsonValue] | None:
        found = self._store.rows[(service, table)].get(identity)
        return None if found is None else found.plain()

    def state(self) -> dict[str, dict[str, list[JsonValue]]]:
        """Fresh JSON of the joint state: service -> table -> records."""
        return plain_rows(self._store.rows)

    @property
    def changes(self) -> Sequence[Change]:
        """The journal since the initial state (or since `edited`)."""
        return self._store.changes

    @property
    def now(self) -> str:
        return self._store.now_text()

    @property
    def clock(self) -> str:
        """Start of the session clock."""
        return self._store.clock

    def rewind(self, calls: int) -> None:
        """Undo back to the state after the first `calls` calls."""
        if not 0 <= calls <= len(self.calls):
            raise EngineError(f"cannot rewind to call {calls}: there are {len(self.calls)}")
        mark = self.calls[calls - 1].changes[1] if calls else 0
        self._store.undo_to(mark)
        self._store.writes = sum(1 for call in self.calls[:calls] if call.changes[1] > call.changes[0])
        self._store.call = calls
        self._store.counters = dict(self.calls[calls - 1].counters) if calls else {}
        del self.calls[calls:]

    def service_hash(self, service: str) -> str:
        """Hash of one service's state; equal states have equal hashes, whatever way led there."""
        text = ";".join(
            f"{key[1]}={self._store.table_hash(key):032x}" for key in sorted(self._store.rows) if key[0] == service
        )
        return hashlib.blake2b(f"{service}:{text}".encode(), digest_size=16).hexdigest()

    def state_hash(self) -> str:
        """Hash of the joint state."""
        text = ";".join(f"{slug}={self.service_hash(slug)}" for slug in sorted(self._services))
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def close(self) -> None:
        """Nothing to release in this process; see `RemoteEnvironment`."""

    def to_json(self) -> dict[str, JsonValue]:
        """Everything needed to go on elsewhere: state, clock, counters."""
        store = self._store
        return {
            "services": {slug: service.version_hash for slug, service in self._services.items()},
            "seed": store.seed,
            "clock": store.clock,
            "writes": store.writes,
            "counters": [[*key, number] for key, number in sorted(store.counters.items())],
            "state": self.state(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], services: Sequence[Service]) -> ProductEnvironment:
        """The environment saved by `to_json`; raises EngineError when a service has changed since."""
        by_slug = {service.slug: service for service in services}
        for slug, version in data["services"].items():
            if slug not in by_slug or by_slug[slug].version_hash != version:
                raise EngineError(f"service {slug} is missing or differs from the one that was saved")
        mounted = [by_slug[slug] for slug in data["services"]]
        environment = cls(mounted, seed=data["seed"], clock=data["clock"], state=data["state"])
        environment._store.writes = data["writes"]
        environment._store.counters = {(service, table): number for service, table, number in data["counters"]}
        return environment


def _parse_state(service: Service, given: Mapping[str, list[Any]]) -> dict[TableKey, Rows]:
    unknown = given.keys() - service.tables.keys()
    if unknown:
        raise ServiceDefect(f"service {service.slug} has no tables {sorted(unknown)}")
    return {
        (service.slug, name): dict(parse_rows(record_type, given.get(name, [])))
        for name, record_type in service.tables.items()
    }


def _raw(arguments: object) -> JsonValue:
    """What was sent, for the record; what JSON cannot carry is described instead."""
    try:
        return to_plain(arguments)
    except NotJsonError as error:
        return {"not_json": str(error)}
