"""What a process does to itself before it imports generated code. Standard library only, no way back."""

import ctypes
import os
import resource
import signal
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from workers.sandbox import landlock, seccomp

NOBODY = 65534

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION_3 = 0x2008_0522
_HIGHEST_CAPABILITY = 63
_OPEN_FILES = 64


@dataclass(frozen=True, slots=True)
class Lockdown:
    """What may be read, and whether a namespace already hides everything else."""

    read_only: Sequence[str]
    memory_bytes: int
    inside_namespace: bool


def apply(plan: Lockdown) -> None:
    """Confine the calling process; raises `OSError` when the kernel refuses a required part."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not plan.inside_namespace:
        give_up_root(plan.read_only, libc)
        # After the change of user, which clears it.
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    set_limits(plan.memory_bytes)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    _restrict_files(plan)
    seccomp.install()


def set_limits(memory_bytes: int) -> None:
    """Address space, no files, no core dumps; processor time is set per request by `child`."""
    for limit, wanted in (
        (resource.RLIMIT_AS, memory_bytes),
        # Nothing can be written anywhere: results leave through a pipe.
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(limit, (value, value))


def give_up_root(needed: Sequence[str], libc: ctypes.CDLL) -> None:
    """Become nobody if nobody can read what is needed, else stay root by name, without capabilities."""
    if os.geteuid() == 0 and _readable_by_nobody(needed):
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    elif os.geteuid() == 0:
        for capability in range(_HIGHEST_CAPABILITY + 1):
            libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    number = _CAPSET.get(os.uname().machine)
    if number is None:
        raise seccomp.UnsupportedMachineError(f"no system-call table for {os.uname().machine}")
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    if libc.syscall(number, header, bytes(24)) != 0:
        raise OSError(ctypes.get_errno(), "the capabilities could not be dropped")


def _readable_by_nobody(paths: Sequence[str]) -> bool:
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        return all(os.access(path, os.R_OK, effective_ids=True) for path in paths)
    finally:
        os.seteuid(0)
        os.setegid(0)


def _restrict_files(plan: Lockdown) -> None:
    try:
        landlock.restrict(plan.read_only, ("/dev/null",))
    except landlock.LandlockUnavailableError:
        # Inside a namespace only read-only binds exist, so Landlock is a second wall there.
        if not plan.inside_namespace:
            raise
