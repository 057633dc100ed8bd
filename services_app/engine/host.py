"""Environments on the far side of a sandbox: one process keeps many, spoken to in JSON messages.

Runs inside `workers.sandbox`; `services_app.engine.remote` is the near side. Generated services are imported
here and nowhere else.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from services_app.engine.catalogue import describe
from services_app.engine.environment import Edit, ProductEnvironment
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.service import Service
from services_app.engine.state import table_types

_services: dict[str, Service] = {}
_environments: dict[int, ProductEnvironment] = {}
_last = 0


def handle(message: dict[str, Any]) -> dict[str, Any]:
    """Answer one message `{"op": ..., ...}` with `{"result": ...}` or `{"error": {"type", "message"}}`."""
    operation = _OPERATIONS.get(str(message.pop("op", "")))
    if operation is None:
        return {"error": {"type": "EngineError", "message": "unknown operation"}}
    try:
        return {"result": operation(**message)}
    except (EngineError, ServiceDefect, KeyError) as error:
        return {"error": {"type": type(error).__name__, "message": str(error)[:2000]}}


def _keep(environment: ProductEnvironment) -> int:
    global _last
    _last += 1
    _environments[_last] = environment
    return _last


def load(module: str) -> dict[str, Any]:
    """Import a service module and describe it."""
    try:
        service = getattr(importlib.import_module(module), "service", None)
    except Exception as error:
        raise ServiceDefect(f"module {module} does not load: {type(error).__name__}: {error}") from error
    if not isinstance(service, Service):
        raise ServiceDefect(f"module {module} has no `service`")
    table_types(service.state_type)
    _services[service.slug] = service
    return describe(service).to_json()


def mount(slugs: list[str], hidden: dict[str, list[str]], seed: int, scale: str, clock: str) -> int:
    services = [_services[slug] for slug in slugs]
    return _keep(ProductEnvironment(services, seed=seed, scale=scale, clock=clock, hidden=hidden))


def call(env: int, service: str, tool: str, arguments: Any) -> dict[str, Any]:
    """The observation, the journal entries of this call, and what the near side keeps in step."""
    environment = _environments[env]
    known = len(environment.defects)
    observation = environment.call(service, tool, arguments)
    record = environment.calls[-1]
    first, last = record.changes
    return {
        "observation": observation,
        "arguments": record.arguments,
        "coerced": list(record.coerced),
        "changes": [change.to_json() for change in environment.changes[first:last]],
        "defects": [list(defect) for defect in environment.defects[known:]],
        "now": environment.now,
    }


def record_answer(
    env: int, service: str, tool: str, arguments: Any, observation: dict[str, Any], edits: list[list[Any]]
) -> dict[str, Any]:
    """Record a call answered outside; its journal entries, or why its edits cannot be made."""
    environment = _environments[env]
    mark = len(environment.changes)
    problems = environment.record_answer(service, tool, arguments, observation, [Edit(*edit) for edit in edits])
    changes = [change.to_json() for change in environment.changes[mark:]]
    return {"problems": problems, "changes": changes, "now": environment.now}


def edited(env: int, edits: list[list[Any]]) -> int:
    return _keep(_environments[env].edited([Edit(*edit) for edit in edits]))


def close(envs: list[int]) -> None:
    for env in envs:
        _environments.pop(env, None)


def reset(env: int) -> None:
    _environments[env].reset()


def rewind(env: int, calls: int) -> None:
    _environments[env].rewind(calls)


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "load": load,
    "mount": mount,
    "call": call,
    "record_answer": record_answer,
    "edited": edited,
    "close": close,
    "reset": reset,
    "rewind": rewind,
    "fork": lambda env: _keep(_environments[env].fork()),
    "rows": lambda env, service, table: _environments[env].rows(service, table),
    "record": lambda env, service, table, id: _environments[env].record(service, table, id),
    "state": lambda env: _environments[env].state(),
    "state_hash": lambda env: _environments[env].state_hash(),
    "service_hash": lambda env, service: _environments[env].service_hash(service),
}
