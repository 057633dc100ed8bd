"""The system-call filter: built from the tables in `syscalls`, put in force with one call."""

import ctypes
import os
import struct
from dataclasses import dataclass

from workers.sandbox import syscalls
from workers.sandbox.syscalls import ArgumentRule, Syscall

# Classic BPF as the kernel defines it (linux/bpf_common.h, linux/seccomp.h).
LOAD_WORD = 0x20
JUMP_EQUAL = 0x15
JUMP_GREATER = 0x25
JUMP_ANY_BIT = 0x45
RETURN = 0x06

ALLOW = 0x7FFF_0000
KILL_PROCESS = 0x8000_0000
_ERRNO = 0x0005_0000
REFUSE = _ERRNO | 1  # EPERM
NOT_IMPLEMENTED = _ERRNO | 38  # ENOSYS

# Offsets in struct seccomp_data; arguments are 64 bits, low half first on both machines.
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16

_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2
_X32_BIT = 0x4000_0000


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor architecture: its audit constant and its column in the table."""

    name: str
    audit: int

    def number(self, call: Syscall) -> int | None:
        return call.x86_64 if self.name == "x86_64" else call.aarch64


MACHINES = {
    "x86_64": Machine("x86_64", 0xC000_003E),
    "aarch64": Machine("aarch64", 0xC000_00B7),
}

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


class UnsupportedMachineError(OSError):
    """No filter table exists for this processor."""


def build(machine_name: str) -> list[Instruction]:
    """The filter program for one machine; raises `UnsupportedMachineError`."""
    machine = MACHINES.get(machine_name)
    if machine is None:
        raise UnsupportedMachineError(f"no system-call table for {machine_name}")
    program = _entry(machine)
    program += _when(machine.number(syscalls.CLONE3), [(RETURN, 0, 0, NOT_IMPLEMENTED)])
    program += _clone(machine)
    for rule in syscalls.REFUSED_ARGUMENTS:
        program += _argument(machine, rule)
    for call in syscalls.REFUSED:
        program += _when(machine.number(call), [(RETURN, 0, 0, REFUSE)])
    return [*program, (RETURN, 0, 0, ALLOW)]


def install() -> None:
    """Put the filter of this machine in force for the calling thread and all it starts."""
    program = build(os.uname().machine)
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = _Program(len(program), ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(head), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the system-call filter was not accepted")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _entry(machine: Machine) -> list[Instruction]:
    """Another architecture's numbers mean other calls: kill. Unknown numbers: not implemented."""
    program: list[Instruction] = [
        (LOAD_WORD, 0, 0, _MACHINE),
        (JUMP_EQUAL, 1, 0, machine.audit),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD_WORD, 0, 0, _NUMBER),
    ]
    if machine.name == "x86_64":
        program += [(JUMP_GREATER, 0, 1, _X32_BIT - 1), (RETURN, 0, 0, KILL_PROCESS)]
    return [*program, (JUMP_GREATER, 0, 1, syscalls.HIGHEST_KNOWN), (RETURN, 0, 0, NOT_IMPLEMENTED)]


def _when(number: int | None, block: list[Instruction]) -> list[Instruction]:
    """`block` for that call only; blocks end by returning or by loading the number again."""
    return [] if number is None else [(JUMP_EQUAL, 0, len(block), number), *block]


def _clone(machine: Machine) -> list[Instruction]:
    """Threads pass; anything else that clone can make is refused."""
    block: list[Instruction] = [
        (LOAD_WORD, 0, 0, _ARGUMENTS),
        (JUMP_ANY_BIT, 0, 2, syscalls.CLONE_THREAD),
        (JUMP_ANY_BIT, 1, 0, syscalls.CLONE_NEW_NAMESPACES),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    return _when(machine.number(syscalls.CLONE), block)


def _argument(machine: Machine, rule: ArgumentRule) -> list[Instruction]:
    on_match, otherwise = (ALLOW, REFUSE) if rule.inverted else (REFUSE, ALLOW)
    block: list[Instruction] = [(LOAD_WORD, 0, 0, _ARGUMENTS + 8 * rule.argument)]
    for position, value in enumerate(rule.values):
        block.append((JUMP_EQUAL, len(rule.values) - position, 0, value))
    block += [(RETURN, 0, 0, otherwise), (RETURN, 0, 0, on_match)]
    return _when(machine.number(rule.call), block)
