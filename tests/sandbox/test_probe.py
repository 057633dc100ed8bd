"""Finding the strongest isolation, and refusing when there is none."""

import pytest

from workers.sandbox import probe as probing
from workers.sandbox.limits import Limits, SandboxError
from workers.sandbox.process import SandboxProcess


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.delenv(probing.OVERRIDE, raising=False)
    probing._probe.cache_clear()
    yield
    probing._probe.cache_clear()


def test_the_strongest_working_mode_is_found_and_used(working_modes):
    working = [mode for mode, failure in working_modes.items() if failure is None]
    found = probing.probe()
    assert found.mode == (working[0] if working else "none")
    if working:
        assert found.details[-1] == f"{found.mode} holds"
        with SandboxProcess("m", files={"m.py": "def handle(m): return m"}, sources=()) as process:
            assert process.mode == found.mode
            assert process.request({"a": 1}) == {"a": 1}


def test_an_operator_can_choose_the_mode(monkeypatch, working_modes):
    if working_modes["lockdown"] is not None:
        pytest.skip(working_modes["lockdown"])
    monkeypatch.setenv(probing.OVERRIDE, "lockdown")
    assert probing.probe().mode == "lockdown"


def test_a_wrong_choice_is_an_error(monkeypatch):
    monkeypatch.setenv(probing.OVERRIDE, "off")
    with pytest.raises(ValueError, match="WORKBENCH_SANDBOX must be"):
        probing.probe()


@pytest.fixture
def nothing_works(monkeypatch):
    """A machine without user namespaces and without filters, as far as the probe can see."""
    monkeypatch.setattr("workers.sandbox.layout.bwrap_command", lambda *_: ["/bin/false"])
    monkeypatch.setattr("workers.sandbox.layout.python_command", lambda *_: ["/bin/false"])


def test_without_isolation_generated_code_is_refused(nothing_works):
    with pytest.raises(SandboxError, match=r"not run on this machine.*bwrap does not start.*lockdown") as caught:
        SandboxProcess("m", files={"m.py": ""}, sources=())
    assert caught.value.kind == "refused"


def test_the_override_is_explicit_and_visible(nothing_works, monkeypatch):
    monkeypatch.setenv(probing.OVERRIDE, "unsafe")
    found = probing.probe()
    assert (found.mode, found.unsafe) == ("none", True)
    assert probing.require() == "unsafe"


def test_the_override_changes_nothing_where_isolation_works(monkeypatch, working_modes):
    if all(failure is not None for failure in working_modes.values()):
        pytest.skip("no isolation here")
    monkeypatch.setenv(probing.OVERRIDE, "unsafe")
    found = probing.probe()
    assert found.mode != "none"
    assert not found.unsafe


def test_a_process_without_protection_still_has_time_and_memory_limits():
    limits = Limits(wall_seconds=1, memory_bytes=512 << 20)
    code = "def handle(m):\n  if m: return {'n': len(bytearray(2 << 30))}\n  while True: pass"
    with SandboxProcess("m", files={"m.py": code}, sources=(), limits=limits, mode="unsafe") as process:
        with pytest.raises(SandboxError) as caught:
            process.request({"a": 1})
        assert caught.value.kind == "memory"
        with pytest.raises(SandboxError, match="timed out"):
            process.request({})


def test_the_probe_notices_holes():
    """The check fails when attempts succeed, not only when the sandbox does not start."""
    found = probing.check("unsafe")
    for attempt in ("open a socket", "start a process", "run a program", "read a file of the host"):
        assert attempt in found
