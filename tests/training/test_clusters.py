"""Plans for Slurm and SkyPilot to the letter, and their tools driven through programs that stand in for them."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from workers.launchers.base import Command, LaunchError
from workers.launchers.clusters import RENDEZVOUS, ClusterLauncher, Place, Shape, plan

PATIENCE = (5.0, 5.0, 1.0)


def command(directory: Path, *arguments: str) -> Command:
    return Command(
        arguments or ("python", "-m", "trainer"), directory, directory / "process.log", {"PYTHONPATH": "/a b"}
    )


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """`sbatch`, `squeue`, `scancel` and `sky` that run the job in the background, one job at a time."""
    programs = tmp_path / "bin"
    programs.mkdir()
    state = tmp_path / "job.pid"
    alive = f'kill -0 $(cat "{state}") 2>/dev/null'
    scripts = {
        "sbatch": f'setsid bash "$2" >/dev/null 2>&1 & echo $! > "{state}"; echo "77;cluster"',
        "squeue": f"if {alive}; then echo RUNNING; else echo 'Invalid job id' >&2; exit 1; fi",
        "scancel": f'kill -TERM -- -$(cat "{state}")',
        "srun": 'exec "$@"',
        "sky": f"""
case "$2" in
  launch) sed -n '/^run:/,$p' "${{@: -1}}" | tail -n +2 > "{tmp_path}/run.sh"
          setsid bash "{tmp_path}/run.sh" >/dev/null 2>&1 & echo $! > "{state}";;
  queue) if {alive}; then echo "1 mine RUNNING"; else echo "1 mine SUCCEEDED"; fi;;
  cancel) kill -TERM -- -$(cat "{state}");;
esac""",
    }
    for name, text in scripts.items():
        (programs / name).write_text(f"#!/bin/bash\n{text}\n")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    yield tmp_path
    if state.exists():
        subprocess.run(["kill", "-9", "--", f"-{state.read_text().strip()}"], check=False, capture_output=True)


def test_the_slurm_script_says_everything(tmp_path):
    shape = Shape("trn_1", nodes=2, processes=16, hours=1.5)
    arguments = ("python", "-m", "accelerate", *RENDEZVOUS["slurm"].split(), "--run-dir", "/runs/trn 1")
    made = plan(command(tmp_path, *arguments), shape, Place("slurm", "gpu"))
    for line in (
        "#SBATCH --nodes=2", "#SBATCH --gpus-per-node=8", "#SBATCH --partition=gpu", "#SBATCH --time=90",
        "#SBATCH --signal=TERM@120", "export PYTHONPATH='/a b'",
    ):  # fmt: skip
        assert line in made.text, line
    assert '"$SLURM_NODEID"' in made.text  # each node fills in its own number
    assert made.submit == ("sbatch", "--parsable", str(tmp_path / "job.sbatch"))
    subprocess.run(["bash", "-n"], input=made.text, text=True, check=True)


def test_the_sky_task_says_everything(tmp_path):
    made = plan(command(tmp_path), Shape("trn-1", processes=4), Place("skypilot", "A100:4"))
    assert "accelerators: A100:4" in made.text
    assert "num_nodes: 1" in made.text
    assert "sky jobs launch --yes --detach-run --name trn-1" in made.command
    assert "gpus" not in plan(command(tmp_path), Shape("x", gpus=False), Place("slurm")).text
    assert plan(command(tmp_path), Shape("x"), Place()) is None


def test_a_tool_that_is_not_here_is_named_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    made = plan(command(tmp_path), Shape("x"), Place("slurm"))
    assert not made.available
    with pytest.raises(LaunchError, match="sbatch is not installed") as caught:
        ClusterLauncher("slurm").submit(made)
    assert caught.value.kind == "launch:no-tool"
    assert not made.file.exists()


@pytest.mark.parametrize("name", ["slurm", "skypilot"])
def test_a_job_is_submitted_watched_and_stopped(cluster, name):
    launcher = ClusterLauncher(name, poll=0.05)
    program = "import time, pathlib\nprint('up', flush=True)\nwhile not pathlib.Path('STOP').exists(): time.sleep(.02)"
    (cluster / "p.py").write_text(program)
    made = plan(command(cluster, "python3", "p.py"), Shape("mine", gpus=False), Place(name))
    job = launcher.submit(made)
    assert job == ("77" if name == "slurm" else "mine")
    time.sleep(0.3)
    assert launcher.is_alive(job)
    assert launcher.stop(job, stop_file=cluster / "STOP", patience=PATIENCE).by == "STOP"
    assert not launcher.is_alive(job)
    assert launcher.stop(job, stop_file=None, patience=PATIENCE).by == "already gone"


@pytest.mark.parametrize("name", ["slurm", "skypilot"])
def test_a_deaf_job_is_cancelled_by_its_cluster(cluster, name):
    launcher = ClusterLauncher(name, poll=0.05)
    made = plan(command(cluster, "sleep", "60"), Shape("mine", gpus=False), Place(name))
    job = launcher.submit(made)
    time.sleep(0.3)
    stopped = launcher.stop(job, stop_file=cluster / "STOP", patience=(0.2, 5.0, 1.0))
    assert stopped.gone
    assert stopped.by in ("scancel", "sky")


def test_a_refused_job_gives_the_tools_own_words(cluster):
    (cluster / "bin" / "sbatch").write_text("#!/bin/bash\necho 'invalid partition' >&2; exit 1\n")
    made = plan(command(cluster), Shape("x"), Place("slurm", "nowhere"))
    with pytest.raises(LaunchError, match="invalid partition"):
        ClusterLauncher("slurm").submit(made)


def test_places_travel_as_json():
    for place in (Place(), Place("slurm"), Place("skypilot", "H100:8")):
        assert Place.from_json(place.to_json()) == place
    with pytest.raises(ValueError, match="no launcher moon"):
        Place.from_json({"launcher": "moon"})
