"""Where a supervised process works: this machine or a cluster, behind one handle."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from training_app.engine.config import TrainerConfig
from workers.launchers.base import Command, Identity, Stopped
from workers.launchers.clusters import ClusterLauncher, LauncherName, Place, Shape, plan
from workers.launchers.local import LocalLauncher


class Running(Protocol):
    """Something that was started and can be found again."""

    @property
    def words(self) -> str:
        """What it is, for the log."""

    def to_json(self) -> dict[str, Any]:
        """For storing with the run."""

    def is_alive(self) -> bool:
        """Does any of it still run, or wait in a cluster's queue?"""

    def exit_status(self) -> int | None:
        """Its exit status, or minus the signal that ended it; None where that is not known."""

    def stop(self, *, stop_file: Path | None, patience: Sequence[float]) -> Stopped:
        """Stop in steps; `patience` as in `workers.launchers.base`."""


@dataclass(frozen=True)
class LocalProcess:
    """A process group of this machine."""

    launcher: LocalLauncher
    identity: Identity

    @property
    def words(self) -> str:
        return f"pid {self.identity.pid}"

    def to_json(self) -> dict[str, Any]:
        return self.identity.to_json()

    def is_alive(self) -> bool:
        return self.launcher.is_alive(self.identity)

    def exit_status(self) -> int | None:
        return self.launcher.exit_status(self.identity)

    def stop(self, *, stop_file: Path | None, patience: Sequence[float]) -> Stopped:
        return self.launcher.stop(self.identity, stop_file=stop_file, patience=patience)


@dataclass(frozen=True)
class ClusterJob:
    """A job of a cluster."""

    launcher: ClusterLauncher
    job: str

    @property
    def words(self) -> str:
        return f"{self.launcher.name} job {self.job}"

    def to_json(self) -> dict[str, Any]:
        return {"launcher": self.launcher.name, "job": self.job}

    def is_alive(self) -> bool:
        return self.launcher.is_alive(self.job)

    def exit_status(self) -> None:
        return None

    def stop(self, *, stop_file: Path | None, patience: Sequence[float]) -> Stopped:
        return self.launcher.stop(self.job, stop_file=stop_file, patience=patience)


def start(command: Command, shape: Shape, place: Place, variables: Mapping[str, str]) -> Running:
    """Start the command there. Raises LaunchError."""
    planned = plan(command, shape, place)
    if planned is None:
        local = LocalLauncher(base_environment=variables)
        return LocalProcess(local, local.start(command))
    cluster = ClusterLauncher(place.launcher)
    return ClusterJob(cluster, cluster.submit(planned))


def find(value: Mapping[str, Any]) -> Running:
    """What `to_json` stored."""
    if "job" in value:
        return ClusterJob(ClusterLauncher(cast("LauncherName", value["launcher"])), str(value["job"]))
    return LocalProcess(LocalLauncher(base_environment=dict(os.environ)), Identity.from_json(value))


def shape_of(name: str, config: TrainerConfig | Mapping[str, Any], hours: float | None) -> Shape:
    """What a configuration asks of a cluster."""
    values = config if isinstance(config, Mapping) else config.model_dump()
    return Shape(
        name=name,
        nodes=int(values.get("nodes", 1)),
        processes=int(values.get("processes", 1)),
        gpus=values.get("device") != "cpu",
        hours=hours,
    )
