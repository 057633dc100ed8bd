import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workers.launchers.base import Command, Identity, LaunchError
from workers.launchers.local import LocalLauncher

OBEDIENT = "import pathlib, time\nwhile not pathlib.Path('STOP').exists(): time.sleep(0.02)\nprint('saved', flush=True)"
DEAF_TO_FILE = "import time\nprint('up', flush=True)\ntime.sleep(60)"
LEAVES_A_CHILD = """
import subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print("left")
"""
# A trainer that ignores SIGTERM, with a child that does so too and holds a port.
STUBBORN = """
import os, signal, socket, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if len(sys.argv) == 1:
    child = subprocess.Popen([sys.executable, sys.argv[0], "child"])
    time.sleep(60)
server = socket.socket()
server.bind(("127.0.0.1", int(open("port").read())))
server.listen()
print("listening", flush=True)
time.sleep(60)
"""


def launcher():
    return LocalLauncher(base_environment=os.environ)


def start(directory: Path, program: str, **environment) -> Identity:
    (directory / "program.py").write_text(program)
    command = Command((sys.executable, "program.py"), directory, directory / "logs" / "out.log", environment)
    return launcher().start(command)


def wait_for(directory: Path, text: str) -> None:
    log = directory / "logs" / "out.log"
    for _ in range(400):
        if log.exists() and text in log.read_text():
            return
        time.sleep(0.025)
    raise AssertionError(f"{text!r} not seen in {log.read_text()!r}")


def test_a_stop_file_is_enough_for_an_obedient_process(tmp_path):
    identity = start(tmp_path, OBEDIENT)
    assert launcher().is_alive(identity)
    assert os.getpgid(identity.pid) == identity.pid
    assert os.getsid(identity.pid) == identity.pid
    stopped = launcher().stop(identity, stop_file=tmp_path / "STOP", patience=(10, 1, 1))
    assert (stopped.by, stopped.gone) == ("STOP", True)
    assert (tmp_path / "logs" / "out.log").read_text() == "saved\n"
    assert launcher().stop(identity).by == "already gone"


def test_another_launcher_can_stop_it_by_its_stored_identity(tmp_path):
    identity = start(tmp_path, DEAF_TO_FILE)
    wait_for(tmp_path, "up")
    stored = Identity.from_json(identity.to_json())
    stopped = launcher().stop(stored, stop_file=tmp_path / "STOP", patience=(0.2, 10, 1))
    assert (stopped.by, stopped.gone) == ("SIGTERM", True)


def test_the_whole_group_is_killed_and_its_port_is_free(tmp_path):
    """OPS-5."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (tmp_path / "port").write_text(str(port))
    identity = start(tmp_path, STUBBORN)
    wait_for(tmp_path, "listening")
    stopped = launcher().stop(identity, patience=(0.1, 0.3, 10))
    assert (stopped.by, stopped.gone) == ("SIGKILL", True)
    with socket.socket() as again:
        again.bind(("127.0.0.1", port))
        again.listen()


def test_a_group_lives_as_long_as_any_of_its_members(tmp_path):
    program = (
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\nprint('left')"
    )
    identity = start(tmp_path, program)
    wait_for(tmp_path, "left")
    time.sleep(0.3)
    assert launcher().is_alive(identity)
    assert launcher().stop(identity, patience=(0, 10, 1)).by == "SIGTERM"


def test_a_stranger_with_the_same_number_is_left_alone(tmp_path):
    """Same process id, another start time or another boot: not ours."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)
    try:
        own = start(tmp_path, OBEDIENT)
        for stranger in (Identity(process.pid, 1, own.boot), Identity(own.pid, own.started, "another boot")):
            assert not launcher().is_alive(stranger)
            assert launcher().stop(stranger, patience=(0, 0, 0)).by == "already gone"
        assert process.poll() is None
        assert launcher().is_alive(own)
        launcher().stop(own, stop_file=tmp_path / "STOP")
    finally:
        process.kill()
        process.wait()


def test_it_outlives_its_starter(tmp_path):
    (tmp_path / "program.py").write_text(OBEDIENT)
    code = (
        "import os, sys, json, pathlib\n"
        "from workers.launchers.base import Command\n"
        "from workers.launchers.local import LocalLauncher\n"
        "d = pathlib.Path(sys.argv[1])\n"
        "c = Command((sys.executable, 'program.py'), d, d / 'logs' / 'out.log', {})\n"
        "print(json.dumps(LocalLauncher(base_environment=os.environ).start(c).to_json()))\n"
    )
    import json

    result = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    identity = Identity.from_json(json.loads(result.stdout))
    assert launcher().is_alive(identity)
    assert launcher().stop(identity, stop_file=tmp_path / "STOP").by == "STOP"


def test_environment_and_missing_programs(tmp_path):
    identity = start(tmp_path, "import os; print(os.environ['ADDED'], flush=True)", ADDED="yes")
    wait_for(tmp_path, "yes")
    for _ in range(200):
        if not launcher().is_alive(identity):
            break
        time.sleep(0.025)
    assert not launcher().is_alive(identity)
    with pytest.raises(LaunchError, match="no-such-program"):
        launcher().start(Command(("no-such-program",), tmp_path, tmp_path / "log", {}))


# As torch's launcher does it: each worker leads a session of its own and ignores SIGTERM; the launcher itself may end
# or be killed before them.
WORKERS_IN_SESSIONS = """
import subprocess, sys, time
worker = "import signal as s, time; s.signal(s.SIGTERM, s.SIG_IGN); print('working', flush=True); time.sleep(60)"
workers = [subprocess.Popen([sys.executable, "-c", worker], start_new_session=True) for _ in range(2)]
print("pids", *(w.pid for w in workers), flush=True)
time.sleep(60)
"""


def workers_of(directory: Path) -> list[int]:
    wait_for(directory, "working\nworking")
    lines = (directory / "logs" / "out.log").read_text().splitlines()
    return [int(word) for word in next(line for line in lines if line.startswith("pids")).split()[1:]]


def runs(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_workers_in_sessions_of_their_own_are_stopped_too(tmp_path):
    identity = start(tmp_path, WORKERS_IN_SESSIONS)
    pids = workers_of(tmp_path)
    assert all(map(runs, pids))
    stopped = launcher().stop(Identity.from_json(identity.to_json()), patience=(0.1, 0.3, 10))
    assert (stopped.by, stopped.gone) == ("SIGKILL", True)
    assert not any(map(runs, pids))


def test_workers_whose_leader_was_killed_are_still_ours(tmp_path):
    identity = start(tmp_path, WORKERS_IN_SESSIONS)
    pids = workers_of(tmp_path)
    os.kill(identity.pid, 9)
    while runs(identity.pid):
        time.sleep(0.01)
    assert launcher().is_alive(identity)
    assert launcher().stop(identity, patience=(0.1, 0.3, 10)).gone
    assert not any(map(runs, pids))


def test_a_launch_inside_a_launch_is_another_one(tmp_path):
    """A process that was launched and launches others itself does not take them for its own parts."""
    code = (
        "import json, os, pathlib, sys, time\n"
        "from workers.launchers.base import Command\n"
        "from workers.launchers.local import LocalLauncher\n"
        "d = pathlib.Path.cwd()\n"
        "c = Command((sys.executable, '-c', 'import time; time.sleep(60)'), d, d / 'inner.log', {})\n"
        "print(json.dumps(LocalLauncher(base_environment=os.environ).start(c).to_json()), flush=True)\n"
        "time.sleep(60)\n"
    )
    import json

    outer = start(tmp_path, code, PYTHONPATH=str(Path(__file__).parents[2]))
    wait_for(tmp_path, "}")
    inner = Identity.from_json(json.loads((tmp_path / "logs" / "out.log").read_text()))
    assert launcher().stop(outer, patience=(0, 10, 1)).gone
    assert launcher().is_alive(inner)
    assert launcher().stop(inner, patience=(0, 10, 1)).gone
