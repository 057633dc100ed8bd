"""A process that writes what a trainer writes, without its libraries; started by the supervision tests.

stand_in_trainer.py --run-dir D [--steps N] [--seconds S] [--behaviour steady|deaf|crash|refuse|killed] [--child]
"""

import argparse
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from training_app.engine.metrics import LineWriter
from training_app.engine.rundir import RunDirectory


def save(run: RunDirectory, step: int) -> None:
    """A checkpoint that the run directory accepts as complete."""
    path = run.checkpoints / f"checkpoint-{step}"
    path.mkdir(parents=True, exist_ok=True)
    header = json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
    (path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + b"\0\0\0\0")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("data", "x")
    for name in ("optimizer.pt", "scheduler.pt"):
        (path / name).write_bytes(packed.getvalue())
    (path / "rng_state.pth").write_bytes(b"x")
    (path / "trainer_state.json").write_text(json.dumps({"global_step": step}))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=0.02)
    parser.add_argument("--behaviour", default="steady")
    parser.add_argument("--child", action="store_true")
    options = parser.parse_args()
    run = RunDirectory(options.run_dir)
    run.create()
    if options.child:  # a part of the same process group, as a launcher's workers are
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        (run.root / "child.pid").write_text(str(child.pid))
    return work(run, options)


def end(run: RunDirectory, **status: object) -> None:
    run.write_json("status.json", {**status, "at": time.time(), "pid": os.getpid()})


def work(run: RunDirectory, options: argparse.Namespace) -> int:
    metrics, events = LineWriter(run.metrics, time.time), LineWriter(run.events, time.time)
    asked: list[int] = []
    if options.behaviour == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
    if options.behaviour == "refuse":
        end(run, state="refused", kind="preflight:refused", message="the data set is empty")
        return 2
    newest = run.checkpoint_steps()
    begin = newest[-1] if newest else 0
    metrics.write("begin", begin, {"pid": os.getpid()})
    events.write("info", begin, {"message": f"training starts at step {begin}"})
    run.write_json(
        "preflight.json", {"figures": {"steps": options.steps}, "warnings": [], "problems": [], "samples": []}
    )
    for step in range(begin + 1, options.steps + 1):
        time.sleep(options.seconds)
        metrics.write("train", step, {"loss": 1.0 / step, "entropy": float("nan"), "clip_ratio/low_mean": 0.0})
        metrics.write("rollouts", step, {"reward": 0.5, "groups": {"alive": 2}, "dead_tasks": ["x"]})
        run.beat(step=step, at=time.time(), pid=os.getpid())
        if options.behaviour in ("crash", "killed") and step == 5:
            print("Traceback: the tensor has the wrong shape", flush=True)
            if options.behaviour == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            end(run, state="failed", kind="run:crashed", message="RuntimeError: wrong shape")
            return 1
        if options.behaviour != "deaf" and (asked or run.stop_requested()):
            save(run, step)
            state = "interrupted" if asked else "stopped"
            end(run, state=state, step=step, steps=options.steps, message=f"{state} after step {step}")
            return 0
        if step % 4 == 0:
            save(run, step)
    run.model.mkdir(exist_ok=True)
    end(run, state="succeeded", step=options.steps, steps=options.steps, early_stop=False, message="succeeded")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
