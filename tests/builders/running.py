"""A built service, running where generated code runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from services_app.builders.rules import BuiltService
from services_app.engine.remote import ServiceHost
from workers.sandbox.process import SandboxProcess


@contextmanager
def calling(built: BuiltService) -> Iterator[Callable[..., Any]]:
    """`call("get_car", car_id=...)` gives the data of a success or the error."""
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        mounted = ServiceHost(process, {built.slug: built.module}).mount([built.slug])

        def make(name: str, **arguments: Any) -> Any:
            seen = mounted.call(built.slug, name, arguments)
            return seen["data"] if seen["success"] else seen["error"]

        yield make
