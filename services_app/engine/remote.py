"""Environments whose services run in a sandbox: the near side of `services_app.engine.host`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from services_app.engine.catalogue import Catalogue, ServiceInfo
from services_app.engine.environment import Defect, Edit
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.meta import call_meta
from services_app.engine.observation import Observation
from services_app.engine.plain import JsonValue
from services_app.engine.store import CLOCK_START

START_SECONDS = 30.0


class Channel(Protocol):
    """A sandboxed process that answers JSON messages (`workers.sandbox.SandboxProcess`)."""

    def request(self, message: dict[str, Any], timeout: float | None = None) -> dict[str, Any]: ...


class RemoteCall(NamedTuple):
    """One tool call as made."""

    service: str
    tool: str
    arguments: JsonValue
    success: bool
    changes: tuple[int, int]
    coerced: tuple[str, ...]
    now: str

    def to_json(self) -> dict[str, JsonValue]:
        return {"service": self.service, "tool": self.tool, "arguments": self.arguments, "success": self.success}


class RemoteChange(NamedTuple):
    """A journal entry as JSON."""

    body: dict[str, JsonValue]

    def to_json(self) -> dict[str, JsonValue]:
        return dict(self.body)


class ServiceHost:
    """A sandboxed process with loaded services; makes environments (`Mounting`)."""

    def __init__(self, channel: Channel, modules: Mapping[str, str], hidden: Mapping[str, Iterable[str]] | None = None):
        """Load `modules` (slug -> module inside the sandbox). Raises ServiceDefect when one does not load."""
        self.channel = channel
        self.services: dict[str, ServiceInfo] = {}
        self._hidden = {slug: sorted(tools) for slug, tools in (hidden or {}).items()}
        self._dead: list[int] = []
        for slug, module in modules.items():
            info = ServiceInfo.from_json(self.ask("load", module=module))
            if info.slug != slug:
                raise ServiceDefect(f"module {module} holds the service {info.slug}, not {slug}")
            self.services[slug] = info

    def ask(self, operation: str, **message: Any) -> Any:
        """One round trip. Raises the far side's EngineError or ServiceDefect, and the channel's own errors."""
        if len(self._dead) >= 64:
            dead, self._dead = self._dead, []
            self.channel.request({"op": "close", "envs": dead})
        # Loading and seeding happen once for a service of any size; a call has the channel's own, shorter bound.
        timeout = START_SECONDS if operation in ("load", "mount") else None
        reply = self.channel.request({"op": operation, **message}, timeout)
        error = reply.get("error")
        if error is None:
            return reply.get("result")
        kind = EngineError if error.get("type") == "EngineError" else ServiceDefect
        raise kind(str(error.get("message")))

    def mount(
        self, slugs: Sequence[str], *, seed: int = 0, scale: str = "small", clock: str = CLOCK_START
    ) -> RemoteEnvironment:
        missing = [slug for slug in slugs if slug not in self.services]
        if missing:
            raise EngineError(f"services not available: {', '.join(missing)}")
        env = self.ask("mount", slugs=list(slugs), hidden=self._hidden, seed=seed, scale=scale, clock=clock)
        return RemoteEnvironment(self, env, Catalogue([self.services[slug] for slug in slugs], self._hidden), clock)

    def release(self, env: int) -> None:
        """Note an environment as no longer needed; the far side is told in batches, with a later request."""
        self._dead.append(env)


class RemoteEnvironment:
    """Same behaviour as `ProductEnvironment`, one round trip per call. Records arrive as JSON."""

    def __init__(self, host: ServiceHost, env: int, catalogue: Catalogue, clock: str) -> None:
        self._host = host
        self._env = env
        self.catalogue = catalogue
        self.clock = clock
        self.changes: list[RemoteChange] = []
        self.calls: list[RemoteCall] = []
        self.defects: list[Defect] = []

    @property
    def now(self) -> str:
        return self.calls[-1].now if self.calls else self.clock

    def call(self, service: str, tool: str, arguments: object = None) -> Observation:
        reply = self._host.ask("call", env=self._env, service=service, tool=tool, arguments=arguments)
        mark = len(self.changes)
        self.changes += [RemoteChange(body) for body in reply["changes"]]
        self.defects += [Defect(*map(str, defect)) for defect in reply["defects"]]
        observation: Observation = reply["observation"]
        span = (mark, len(self.changes))
        success = bool(observation["success"])
        coerced = tuple(reply["coerced"])
        self.calls.append(RemoteCall(service, tool, reply["arguments"], success, span, coerced, reply["now"]))
        return observation

    def record_answer(
        self, service: str, tool: str, arguments: object, observation: Observation, edits: Iterable[Edit] = ()
    ) -> list[str]:
        changes = [list(edit) for edit in edits]
        asked = {"service": service, "tool": tool, "arguments": arguments, "observation": observation}
        reply = self._host.ask("record_answer", env=self._env, edits=changes, **asked)
        problems: list[str] = reply["problems"]
        if not problems:
            mark = len(self.changes)
            self.changes += [RemoteChange(body) for body in reply["changes"]]
            span, success = (mark, len(self.changes)), bool(observation["success"])
            self.calls.append(RemoteCall(service, tool, arguments, success, span, (), reply["now"]))
        return problems

    def meta(self, name: str, arguments: Any = None) -> Observation:
        return call_meta(self, name, arguments)

    def fork(self) -> RemoteEnvironment:
        return self._twin(self._host.ask("fork", env=self._env), keep=True)

    def edited(self, edits: Iterable[Edit]) -> RemoteEnvironment:
        return self._twin(self._host.ask("edited", env=self._env, edits=[list(edit) for edit in edits]), keep=False)

    def _twin(self, env: int, *, keep: bool) -> RemoteEnvironment:
        twin = RemoteEnvironment(self._host, env, self.catalogue, self.clock)
        if keep:
            twin.changes, twin.calls, twin.defects = list(self.changes), list(self.calls), list(self.defects)
        return twin

    def reset(self) -> None:
        self._host.ask("reset", env=self._env)
        self.changes, self.calls, self.defects = [], [], []

    def rewind(self, calls: int) -> None:
        self._host.ask("rewind", env=self._env, calls=calls)
        del self.calls[calls:]
        del self.changes[self.calls[-1].changes[1] if self.calls else 0 :]

    def rows(self, service: str, table: str) -> list[dict[str, JsonValue]]:
        return self._host.ask("rows", env=self._env, service=service, table=table)  # type: ignore[no-any-return]

    def record(self, service: str, table: str, identity: str) -> dict[str, JsonValue] | None:
        return self._host.ask("record", env=self._env, service=service, table=table, id=identity)  # type: ignore[no-any-return]

    def state(self) -> dict[str, dict[str, list[JsonValue]]]:
        return self._host.ask("state", env=self._env)  # type: ignore[no-any-return]

    def state_hash(self) -> str:
        return str(self._host.ask("state_hash", env=self._env))

    def service_hash(self, service: str) -> str:
        return str(self._host.ask("service_hash", env=self._env, service=service))

    def close(self) -> None:
        self._host.release(self._env)

    def __del__(self) -> None:
        # Proofs fork thousands of environments; the far side must be able to forget them.
        self._host.release(self._env)
