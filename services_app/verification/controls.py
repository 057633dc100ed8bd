"""Negative controls: environments whose tools only pretend. The gate must verify next to nothing of them.

`CONTROLS[name](environment)` is the environment with every tool replaced by the pretence; what the engine does itself
(checking arguments, refusing unknown tools) stays as it is, so that only the gate's own checks can notice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from services_app.engine.observation import Observation
from services_app.engine.protocol import Environment
from services_app.engine.schema import SchemaValidator, compile_schema

Json = Any
Answer = Callable[["Pretender", str, dict[str, Json]], Json]
_ROWS = 20


class Pretender:
    """An environment whose tools answer by one pretence and write nothing."""

    def __init__(self, inner: Environment, answer: Answer, validators: dict[tuple[str, str], SchemaValidator]) -> None:
        self.inner = inner
        self._answer = answer
        self._validators = validators

    def call(self, service: str, tool: str, arguments: object = None) -> Observation:
        info = self.inner.catalogue.tools.get(service, {}).get(tool)
        if info is None:
            return self.inner.call(service, tool, arguments)
        validator = self._validators.get((service, tool))
        if validator is None:
            validator = self._validators[(service, tool)] = compile_schema(info.input_schema)
        if not isinstance(arguments, dict) or not validator.is_valid(arguments):
            return self.inner.call(service, tool, arguments)
        return {"success": True, "data": self._answer(self, service, arguments)}

    def fork(self) -> Pretender:
        return Pretender(self.inner.fork(), self._answer, self._validators)

    def edited(self, edits: Any) -> Pretender:
        return Pretender(self.inner.edited(edits), self._answer, self._validators)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def _echo(pretender: Pretender, service: str, arguments: dict[str, Json]) -> Json:
    return {"ok": True, **arguments}


def _ignore(pretender: Pretender, service: str, arguments: dict[str, Json]) -> Json:
    return {"id": "REC-0001", "name": "Northern plan", "status": "done", "total": 3}


def _seeds(pretender: Pretender, service: str, arguments: dict[str, Json]) -> Json:
    tables = pretender.inner.state().get(service, {})
    largest = max(tables.values(), key=len, default=[])
    return {"items": largest[:_ROWS]}


def _control(answer: Answer) -> Callable[[Environment], Environment]:
    return lambda environment: cast(Environment, Pretender(environment, answer, {}))


CONTROLS: dict[str, Callable[[Environment], Environment]] = {
    "echo": _control(_echo),
    "ignore": _control(_ignore),
    "seeds": _control(_seeds),
}
"""Name of the pretence -> what wraps an environment in it: arguments repeated; one answer for all; seeds for all."""
