"""Built services, running where generated code runs: in a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.protocol import Environment
from services_app.engine.remote import ServiceHost
from services_app.specs.model import Specification
from tests.builders import specs
from workers.sandbox.process import SandboxProcess

Call = Callable[..., dict]


@pytest.fixture(scope="session")
def built() -> dict[str, BuiltService]:
    makers: list[Callable[[], Specification]] = [specs.garage, specs.library, specs.awkward, specs.weather]
    return {make.__name__: build_with_rules(make()) for make in makers}


@pytest.fixture(scope="session")
def host(built: dict[str, BuiltService]) -> Iterator[ServiceHost]:
    files = {name: text for service in built.values() for name, text in service.packaged().items()}
    with SandboxProcess("services_app.engine.host", files=files) as process:
        yield ServiceHost(process, {service.slug: service.module for service in built.values()})


@pytest.fixture
def environment(host: ServiceHost, built: dict[str, BuiltService]) -> Environment:
    return host.mount([service.slug for service in built.values()])


@pytest.fixture
def call(environment: Environment, built: dict[str, BuiltService]) -> Call:
    """`call("garage", "get_car", car_id=...)` gives the data of a success or the error."""

    def make(service: str, tool: str, **arguments: object) -> dict:
        observation = environment.call(built[service].slug, tool, arguments)
        return observation["data"] if observation["success"] else observation["error"]

    return make
