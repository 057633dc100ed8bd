"""Which isolation works on this machine. Asked once per process, by trying to break out of it."""

import functools
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workers.sandbox.limits import Limits, SandboxError
from workers.sandbox.process import Mode, SandboxProcess

OVERRIDE = "WORKBENCH_SANDBOX"
_MODES: tuple[Literal["bwrap", "lockdown"], ...] = ("bwrap", "lockdown")


@dataclass(frozen=True, slots=True)
class Probe:
    """`mode` is the strongest isolation found; `details` say in words what was tried.

    `unsafe` is set when nothing works and the operator decided to run generated code all the same: the
    user interface has to show that.
    """

    mode: Literal["bwrap", "lockdown", "none"]
    details: tuple[str, ...]
    unsafe: bool = False


def probe() -> Probe:
    """The isolation of this machine; the first call takes a few tenths of a second."""
    return _probe(os.environ.get(OVERRIDE, ""))


def require() -> Mode:
    """The mode to run generated code in; raises `SandboxError` ("refused") when there is none."""
    found = probe()
    if found.mode != "none":
        return found.mode
    if found.unsafe:
        return "unsafe"
    raise SandboxError(
        "refused",
        "Generated code is not run on this machine, because no isolation works here: "
        + "; ".join(found.details)
        + f". To run it without any protection, set {OVERRIDE}=unsafe.",
    )


def check(mode: Mode) -> str | None:
    """None when `mode` holds; otherwise a sentence that says what failed or got through."""
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "secret"
        secret.write_text("not for the sandbox", encoding="utf-8")
        try:
            with SandboxProcess(
                "workers.sandbox.selfcheck", sources=(), mode=mode, limits=Limits(start_seconds=20)
            ) as process:
                reply = process.request({"secret": str(secret), "folder": folder})
        except (SandboxError, OSError) as error:
            return f"{mode} does not start: {_reason(error)}"
    allowed = reply.get("allowed")
    return f"{mode} lets code {', '.join(map(str, allowed))}" if isinstance(allowed, list) and allowed else None


@functools.lru_cache(maxsize=8)
def _probe(override: str) -> Probe:
    if override not in ("", "unsafe", *_MODES):
        raise ValueError(f"{OVERRIDE} must be bwrap, lockdown or unsafe, not {override!r}.")
    details: list[str] = []
    for mode in _MODES:
        if override in _MODES and mode != override:
            details.append(f"{mode} was not tried: {OVERRIDE}={override}")
            continue
        failure = check(mode)
        details.append(failure or f"{mode} holds")
        if failure is None:
            return Probe(mode, tuple(details))
    return Probe("none", tuple(details), unsafe=override == "unsafe")


def _reason(error: SandboxError | OSError) -> str:
    output = error.output.strip().splitlines() if isinstance(error, SandboxError) else []
    return f"{error} ({output[-1]})" if output else str(error)
