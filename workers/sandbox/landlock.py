"""Landlock: read-only access to named paths, no write, no TCP, no signals out of the sandbox."""

import ctypes
import os
import struct
from collections.abc import Sequence

# linux/landlock.h; the three numbers are the same on every machine.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _RULE_PATH_BENEATH = 1, 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_ALL_RIGHTS_V1 = (1 << 13) - 1
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_TCP_RIGHTS, _SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals


class LandlockUnavailableError(OSError):
    """This kernel has no Landlock, or it is switched off."""


def version() -> int:
    """The Landlock version of this kernel; 0 when there is none."""
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)))


def restrict(read_only: Sequence[str], read_write_files: Sequence[str]) -> int:
    """Confine this process for good and return the Landlock version; no_new_privs must be set.

    `read_only` are files or trees, `read_write_files` single files such as /dev/null. Running
    programs is granted nowhere.
    """
    abi = version()
    if abi < 1:
        raise LandlockUnavailableError("this kernel offers no Landlock")
    attributes = _attributes(abi)
    ruleset = _call(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path in read_only:
            _allow(ruleset, path, _READ_FILE | _READ_DIR)
        for path in read_write_files:
            _allow(ruleset, path, _READ_FILE | _WRITE_FILE)
        _call(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return abi


def _attributes(abi: int) -> bytes:
    rights = _ALL_RIGHTS_V1
    for since, right in ((2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEVICE)):
        rights |= right if abi >= since else 0
    fields = [rights]
    if abi >= 4:
        fields.append(_TCP_RIGHTS)
    if abi >= 6:
        fields.append(_SCOPES)
    return struct.pack(f"={len(fields)}Q", *fields)


def _allow(ruleset: int, path: str, rights: int) -> None:
    if not os.path.exists(path):
        return
    if not os.path.isdir(path):
        rights &= _READ_FILE | _WRITE_FILE
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
    finally:
        os.close(handle)


def _call(number: int, *arguments: int | bytes) -> int:
    converted = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = int(_libc().syscall(number, *converted))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
