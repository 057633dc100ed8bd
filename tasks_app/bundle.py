"""Tasks with the services they need, in one folder that a process without a database can play.

D/tasks.jsonl           one TaskSpec per line
D/services.json         {"modules": slug -> module, "hidden": slug -> tools that agents must not use}
D/sources/PACKAGE/FILE  source of generated services; it is only ever imported inside a sandbox

Pure: training nodes read a bundle with nothing but the engine installed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from services_app.engine.errors import EngineError
from services_app.engine.protocol import LocalMounting, Mounting
from services_app.engine.remote import ServiceHost
from services_app.library import registry
from tasks_app.engine.task import TaskSpec
from workers.sandbox.process import SandboxProcess

HOST: Final = "services_app.engine.host"
LIBRARY: Final = "services_app.library."


class BundleError(Exception):
    """A bundle that cannot be read or played; the message says what is wrong with it."""


@dataclass(frozen=True)
class Sources:
    """Services of a bundle: module and hidden tools by slug, and the source files of the generated ones."""

    modules: Mapping[str, str]
    hidden: Mapping[str, list[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


def write_bundle(directory: Path, specs: Iterable[TaskSpec], sources: Sources) -> int:
    """Write a bundle and return its number of tasks. `tasks.jsonl` comes last: where it lies, the bundle is whole."""
    directory.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(directory / "sources", ignore_errors=True)
    for name, text in sources.files.items():
        path = directory / "sources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    services = {"modules": dict(sources.modules), "hidden": dict(sources.hidden)}
    (directory / "services.json").write_text(json.dumps(services, indent=1) + "\n", encoding="utf-8")
    part = directory / ".tasks.jsonl.part"
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for spec in specs:
            file.write(spec.model_dump_json() + "\n")
            count += 1
    part.replace(directory / "tasks.jsonl")
    return count


def read_tasks(directory: Path) -> Iterator[TaskSpec]:
    """The tasks of a bundle. Raises BundleError naming the line that is none."""
    path = directory / "tasks.jsonl"
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                try:
                    yield TaskSpec.model_validate_json(line)
                except ValueError as error:
                    raise BundleError(f"{path.name}, line {number}: {error}") from error
    except OSError as error:
        raise BundleError(f"cannot read {path.name}: {error}") from error


def mount(directory: Path) -> Mounting:
    """A mounting of the services of a bundle: in this process if all are shipped ones, else in a sandbox.

    The sandbox lives as long as the mounting does. Raises BundleError for a service that is not there, SandboxError
    or ServiceDefect if a generated one does not load.
    """
    sources = read_sources(directory)
    if all(module.startswith(LIBRARY) for module in sources.modules.values()):
        try:
            return LocalMounting([registry.load(slug) for slug in sources.modules], sources.hidden)
        except EngineError as error:
            raise BundleError(str(error)) from error
    process = SandboxProcess(HOST, files=sources.files)
    return ServiceHost(process, dict(sources.modules), sources.hidden)


def read_sources(directory: Path) -> Sources:
    """`services.json` and the source files. Raises BundleError."""
    try:
        services: dict[str, Any] = json.loads((directory / "services.json").read_bytes())
        root = directory / "sources"
        files = {
            path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(root.rglob("*"))
            if path.is_file()
        }
        return Sources(dict(services["modules"]), dict(services["hidden"]), files)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BundleError(f"cannot read the services of the bundle: {error}") from error


def outdated(mounting: Mounting, specs: Iterable[TaskSpec]) -> list[str]:
    """Services whose version is another than the one a task was proven with."""
    wanted = {(service.slug, service.version_hash) for spec in specs for service in spec.services}
    found: dict[str, str] = {}
    for slug in {slug for slug, _ in wanted}:
        environment = mounting.mount([slug])
        found[slug] = environment.catalogue.services[slug].version_hash
        environment.close()
    return sorted({slug for slug, version in wanted if found[slug] != version})
