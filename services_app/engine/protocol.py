"""What authors, verifiers, rollouts and trainers may do with an environment, wherever it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

from services_app.engine.catalogue import Catalogue
from services_app.engine.environment import Defect, Edit, ProductEnvironment
from services_app.engine.errors import EngineError
from services_app.engine.observation import Observation
from services_app.engine.plain import JsonValue
from services_app.engine.service import Service
from services_app.engine.store import CLOCK_START


class JsonRecord(Protocol):
    """A journal entry or call that can be written down."""

    def to_json(self) -> dict[str, JsonValue]: ...


class CallRecord(JsonRecord, Protocol):
    """One tool call as made."""

    @property
    def service(self) -> str: ...
    @property
    def tool(self) -> str: ...
    @property
    def arguments(self) -> JsonValue: ...
    @property
    def success(self) -> bool: ...
    @property
    def changes(self) -> tuple[int, int]: ...
    @property
    def coerced(self) -> tuple[str, ...]: ...


class Environment(Protocol):
    """A product environment in this process (`ProductEnvironment`) or in a sandbox (`RemoteEnvironment`)."""

    @property
    def catalogue(self) -> Catalogue: ...
    @property
    def changes(self) -> Sequence[JsonRecord]: ...
    @property
    def calls(self) -> Sequence[CallRecord]: ...
    @property
    def defects(self) -> Sequence[Defect]: ...
    @property
    def now(self) -> str: ...
    @property
    def clock(self) -> str: ...
    def call(self, service: str, tool: str, arguments: object = None) -> Observation: ...
    def record_answer(
        self, service: str, tool: str, arguments: object, observation: Observation, edits: Iterable[Edit] = ()
    ) -> list[str]: ...
    def meta(self, name: str, arguments: Any = None) -> Observation: ...
    def fork(self) -> Self: ...
    def reset(self) -> None: ...
    def rewind(self, calls: int) -> None: ...
    def edited(self, edits: Iterable[Edit]) -> Self: ...
    def rows(self, service: str, table: str) -> list[dict[str, JsonValue]]: ...
    def record(self, service: str, table: str, identity: str) -> dict[str, JsonValue] | None: ...
    def state(self) -> dict[str, dict[str, list[JsonValue]]]: ...
    def state_hash(self) -> str: ...
    def service_hash(self, service: str) -> str: ...
    def close(self) -> None: ...


class Mounting(Protocol):
    """Makes environments out of service slugs."""

    def mount(
        self, slugs: Sequence[str], *, seed: int = 0, scale: str = "small", clock: str = CLOCK_START
    ) -> Environment: ...


class LocalMounting:
    """Services of this process: the shipped library, or test worlds. Never generated code."""

    def __init__(self, services: Iterable[Service], hidden: Mapping[str, Iterable[str]] | None = None) -> None:
        self._services = {service.slug: service for service in services}
        self._hidden = hidden

    def mount(
        self, slugs: Sequence[str], *, seed: int = 0, scale: str = "small", clock: str = CLOCK_START
    ) -> ProductEnvironment:
        missing = [slug for slug in slugs if slug not in self._services]
        if missing:
            raise EngineError(f"services not available: {', '.join(missing)}")
        mounted = [self._services[slug] for slug in slugs]
        return ProductEnvironment(mounted, seed=seed, scale=scale, clock=clock, hidden=self._hidden)
