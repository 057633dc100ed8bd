"""A process that judges as the evaluator does, without its libraries; started by the tests of experiments.

stand_in_judge.py --run-dir D [--broken FILE] [--best VERSION]

A model that started nowhere solves nothing; one trained on VERSION of its dataset (3 is the composed arm's, 2 the
single-service arm's) solves nine tenths of the tasks, others a third. Which tasks, their hash decides. While FILE
exists it fails.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from training_app.engine.metrics import LineWriter
from training_app.engine.rundir import RunDirectory


def share_of(model: Path, best: int) -> float:
    """How many tasks these weights solve."""
    config = model.parent / "config.json"
    if model.name != "model" or not config.exists():
        return 0.0
    number = int(json.loads(config.read_text())["provenance"]["dataset_version"])
    return 0.9 if number == best else 1 / 3


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--run-dir", type=Path, required=True)
    parser.add_argument("--broken", type=Path)
    parser.add_argument("--best", type=int, default=3)
    options = parser.parse_args()
    run = RunDirectory(options.run_dir)
    now = {"at": time.time(), "pid": 0}
    if options.broken and options.broken.exists():
        run.write_json("status.json", {"state": "failed", "kind": "run:crashed", "message": "out of memory", **now})
        return 1
    config = json.loads(run.config.read_text())
    share = share_of(Path(config["model"]), options.best)
    writer = LineWriter(run.root / "attempts.jsonl", time.time)
    tasks = [json.loads(line)["task_id"] for line in Path(config["dataset"]).read_text().splitlines()]
    for task in dict.fromkeys(tasks):
        for index in range(config["attempts"]):
            solved = int(task[:4], 16) / 0x10000 < share
            verdict = {"sent": solved, "undamaged": True}
            writer.write("attempt", index, {"task_id": task, "index": index, "verdict": verdict})
    run.write_json("status.json", {"state": "succeeded", "step": len(tasks), "cpu_seconds": 0.5, "message": "", **now})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
