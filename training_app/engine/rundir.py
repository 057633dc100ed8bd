"""The directory of one training run: the only thing a trainer and its supervisor share.

D/config.json       what to do                       D/STOP          finish the step, save, stop
D/metrics.jsonl     numbers per step                 D/heartbeat.json step, time, process
D/events.jsonl      what happened, in words          D/status.json   how the last attempt ended
D/rollouts/step-000012.jsonl  every rollout          D/preflight.json the report before the launch
D/checkpoints/checkpoint-12/  weights and optimizer  D/model/        the final weights
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training_app.engine.checkpoints import NAME, checkpoint_problem
from training_app.engine.errors import TrainingError


@dataclass(frozen=True)
class RunDirectory:
    """Paths and small files of a run directory. All writes are atomic: complete or not there."""

    root: Path

    @property
    def config(self) -> Path:
        """`config.json`."""
        return self.root / "config.json"

    @property
    def metrics(self) -> Path:
        """`metrics.jsonl`."""
        return self.root / "metrics.jsonl"

    @property
    def events(self) -> Path:
        """`events.jsonl`."""
        return self.root / "events.jsonl"

    @property
    def checkpoints(self) -> Path:
        """`checkpoints/`."""
        return self.root / "checkpoints"

    @property
    def model(self) -> Path:
        """`model/`, the final weights."""
        return self.root / "model"

    @property
    def stop(self) -> Path:
        """`STOP`; its presence asks the trainer to stop after the step."""
        return self.root / "STOP"

    def rollouts(self, step: int) -> Path:
        """The file of the rollouts generated for optimizer step `step`."""
        return self.root / "rollouts" / f"step-{step:06d}.jsonl"

    def forget_rollouts_after(self, step: int) -> None:
        """Remove rollouts, and their summaries, of later steps: a resumed run plays those steps anew."""
        for path in (self.root / "rollouts").glob("step-*"):
            if int(path.name.partition(".")[0].rpartition("-")[2]) > step:
                path.unlink()

    def create(self) -> None:
        """Make the directories."""
        for path in (self.root, self.checkpoints, self.root / "rollouts"):
            path.mkdir(parents=True, exist_ok=True)

    def request_stop(self, reason: str) -> None:
        """Ask for a stop after the current step; the reason is kept in the file."""
        write_atomic(self.stop, reason.encode())

    def stop_requested(self) -> bool:
        """Has somebody asked for a stop?"""
        return self.stop.exists()

    def clear_stop(self) -> None:
        """Forget an old stop request before a resume."""
        self.stop.unlink(missing_ok=True)

    def beat(self, *, step: int, at: float, pid: int) -> None:
        """Write the heartbeat: seconds since the epoch, handed in."""
        self.write_json("heartbeat.json", {"step": step, "at": at, "pid": pid})

    def heartbeat(self) -> dict[str, Any] | None:
        """The last heartbeat, or None."""
        return self.read_json("heartbeat.json")

    def write_json(self, name: str, value: Any) -> None:
        """Write a small JSON file atomically."""
        write_atomic(self.root / name, json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n")

    def read_json(self, name: str) -> dict[str, Any] | None:
        """Read a small JSON file; None if it is not there. Raises TrainingError("run:unreadable")."""
        try:
            value = json.loads((self.root / name).read_bytes())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise TrainingError("run:unreadable", f"{name} is no JSON: {error}") from error
        if not isinstance(value, dict):
            raise TrainingError("run:unreadable", f"{name} holds no object")
        return value

    def checkpoint_steps(self) -> tuple[int, ...]:
        """Steps of the complete checkpoints, oldest first."""
        if not self.checkpoints.is_dir():
            return ()
        found = [(int(m[1]), p) for p in self.checkpoints.iterdir() if (m := NAME.match(p.name))]
        return tuple(sorted(step for step, path in found if checkpoint_problem(path) is None))

    def newest_checkpoint(self) -> Path | None:
        """The newest checkpoint that was written to its end, or None."""
        steps = self.checkpoint_steps()
        return self.checkpoints / f"checkpoint-{steps[-1]}" if steps else None


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` so that readers see the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part-{os.getpid()}")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
