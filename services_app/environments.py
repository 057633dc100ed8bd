"""Mounting services as they are in the catalogue: shipped ones in this process, built ones in a sandbox.

The moment one built service is asked for, the whole environment runs in the sandbox: generated code is never
imported by a web or queue process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from services_app.builders.source import package_name
from services_app.engine.errors import EngineError
from services_app.engine.protocol import LocalMounting, Mounting
from services_app.engine.remote import ServiceHost
from services_app.library import registry
from services_app.models import Service, Tool
from services_app.simulating import simulated_tools, simulation_problem, world_of
from services_app.simulation.environment import SimulatingMounting, World
from workers.sandbox.limits import Limits
from workers.sandbox.process import SandboxProcess

AVAILABLE = (Tool.Status.VERIFIED, Tool.Status.SIMULATED)
HOST = "services_app.engine.host"


@contextmanager
def mounting_of(slugs: Iterable[str], *, show_hidden: bool = False) -> Iterator[Mounting]:
    """A `Mounting` of the current versions of these services, without the tools that agents must not use.

    `show_hidden` keeps quarantined tools visible, for a curator who tries one.
    Raises EngineError for a service that does not exist or was never built.
    """
    wanted = sorted(set(slugs))
    services = {service.slug: service for service in Service.objects.filter(slug__in=wanted).select_related("current")}
    missing = [slug for slug in wanted if slug not in services or services[slug].current is None]
    if missing:
        raise EngineError(f"services not available: {', '.join(missing)}")
    hidden = {} if show_hidden else hidden_tools(wanted)
    simulated = simulated_tools(wanted) if not simulation_problem() else {}
    world = world_of(simulated) if simulated else None
    built = [service for service in services.values() if service.origin == Service.Origin.BUILT]
    if not built:
        yield _with_world(LocalMounting([registry.load(slug) for slug in wanted], hidden), world)
        return
    with sandbox_of(built) as process:
        yield _with_world(ServiceHost(process, {slug: module_of(services[slug]) for slug in wanted}, hidden), world)


def _with_world(mounting: Mounting, world: World | None) -> Mounting:
    return mounting if world is None else SimulatingMounting(mounting, world)


def hidden_tools(slugs: Iterable[str]) -> dict[str, list[str]]:
    """Tools that agents must not use, by service: simulated ones too while no world model is configured."""
    hidden: dict[str, list[str]] = {}
    usable = AVAILABLE[:1] if simulation_problem() else AVAILABLE
    rows = Tool.objects.filter(service__slug__in=list(slugs)).exclude(status__in=usable)
    for slug, name in rows.values_list("service__slug", "name"):
        hidden.setdefault(slug, []).append(name)
    return hidden


def module_of(service: Service) -> str:
    """Where a service is imported from inside the sandbox."""
    if service.origin == Service.Origin.BUILT:
        return package_name(service.slug)
    return f"services_app.library.{service.slug.replace('-', '_')}"


def sandbox_of(built: Iterable[Service], *, limits: Limits | None = None) -> SandboxProcess:
    """A sandboxed host process with the source of these services in place."""
    files: dict[str, str] = {}
    for service in built:
        assert service.current is not None
        files |= {f"{package_name(service.slug)}/{name}": text for name, text in service.current.files.items()}
    return SandboxProcess(HOST, files=files, limits=limits)
