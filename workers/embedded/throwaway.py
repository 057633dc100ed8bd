"""Embedded services for a test session: started quickly, gone with the process that asked for them."""

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from workers.embedded.home import Home
from workers.embedded.parts import Part, wait_ready
from workers.embedded.postgres import Postgres
from workers.embedded.processes import Identity, spawn, stop_all
from workers.embedded.valkey import Valkey

PREFIX = "workbench-test-"
OWNER = "owner.json"


@dataclass
class Throwaway:
    """PostgreSQL and Valkey in a folder of their own, without any promise about power cuts."""

    home: Home
    running: "list[tuple[Part, subprocess.Popen[bytes]]]" = field(default_factory=list)

    @classmethod
    def start(cls) -> "Throwaway":
        """Start both. Raises PartError."""
        _remove_abandoned()
        home = Home.at(tempfile.mkdtemp(prefix=PREFIX))
        owner = Identity.of(os.getpid())
        home.create()
        (home.root / OWNER).write_text(json.dumps(owner.as_dict() if owner else None))
        services = cls(home)
        parts: tuple[Part, ...] = (Postgres(home, durable=False), Valkey(home, durable=False))
        for part in parts:
            part.prepare()
            log = home.logs / f"{part.name}.log"
            process = spawn(part.command(), log=log, on_parent_death=part.stop_signal)
            services.running.append((part, process))
            wait_ready(part, process, log)
        return services

    def stop(self) -> None:
        """Stop both and remove the folder."""
        for part, process in reversed(self.running):
            identity = Identity.of(process.pid)
            if identity is not None:
                stop_all([identity], grace=part.grace, first=part.stop_signal)
            process.wait()
        self.running.clear()
        shutil.rmtree(self.home.sockets, ignore_errors=True)
        shutil.rmtree(self.home.root, ignore_errors=True)

    def log_of(self, name: str) -> Path:
        return self.home.logs / f"{name}.log"


def _remove_abandoned() -> None:
    """Folders of test sessions that were killed; their servers died with them."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            owner = Identity.parse(json.loads((folder / OWNER).read_text()))
        except (OSError, ValueError):  # just being made, or someone else's
            continue
        if owner is not None and not owner.alive():
            shutil.rmtree(Home.at(folder).sockets, ignore_errors=True)
            shutil.rmtree(folder, ignore_errors=True)
