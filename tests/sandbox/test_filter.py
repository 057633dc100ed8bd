"""The filter program of both machines, run on a small interpreter of the kernel's instructions."""

import pytest

from workers.sandbox import seccomp, syscalls
from workers.sandbox.seccomp import ALLOW, KILL_PROCESS, MACHINES, NOT_IMPLEMENTED, REFUSE

WORD = 0xFFFF_FFFF


def decide(program, machine, number, arguments=(0,) * 6):
    """What the kernel would answer to one system call."""
    fields = {0: number & WORD, 4: machine.audit}
    for index, value in enumerate(arguments):
        fields[16 + 8 * index], fields[20 + 8 * index] = value & WORD, value >> 32 & WORD
    position, register = 0, 0
    while True:
        code, yes, no, constant = program[position]
        position += 1
        if code == seccomp.RETURN:
            return constant
        if code == seccomp.LOAD_WORD:
            register = fields[constant]
            continue
        taken = {
            seccomp.JUMP_EQUAL: register == constant,
            seccomp.JUMP_GREATER: register > constant,
            seccomp.JUMP_ANY_BIT: bool(register & constant),
        }[code]
        position += yes if taken else no


@pytest.fixture(params=list(MACHINES))
def machine(request):
    return MACHINES[request.param]


@pytest.fixture
def ask(machine):
    program = seccomp.build(machine.name)
    return lambda number, *arguments: decide(program, machine, number, (*arguments, *(0,) * (6 - len(arguments))))


def test_every_listed_call_is_refused(machine, ask):
    for call in syscalls.REFUSED:
        number = machine.number(call)
        assert number is None or ask(number) == REFUSE, call.name


def test_everyday_calls_pass(machine, ask):
    everyday = {
        "x86_64": {"read": 0, "write": 1, "mmap": 9, "brk": 12, "futex": 202, "openat": 257, "exit_group": 231},
        "aarch64": {"read": 63, "write": 64, "mmap": 222, "brk": 214, "futex": 98, "openat": 56, "exit_group": 94},
    }
    for name, number in everyday[machine.name].items():
        assert ask(number) == ALLOW, name


def test_no_refused_number_is_listed_twice(machine):
    numbers = [machine.number(call) for call in syscalls.REFUSED if machine.number(call) is not None]
    assert len(numbers) == len(set(numbers))


def test_threads_pass_and_processes_do_not(machine, ask):
    clone = machine.number(syscalls.CLONE)
    pthread = 0x3D0F00  # what glibc passes for a thread
    assert ask(clone, pthread) == ALLOW
    assert ask(clone, 17) == REFUSE  # fork by clone(SIGCHLD)
    assert ask(clone, pthread | 0x1000_0000) == REFUSE  # a thread in a new user namespace
    assert ask(machine.number(syscalls.CLONE3), pthread) == NOT_IMPLEMENTED


def test_argument_rules(machine, ask):
    fcntl, ioctl, prlimit = (machine.number(rule.call) for rule in syscalls.REFUSED_ARGUMENTS)
    assert [ask(fcntl, 3, command) for command in (1, 3, 8, 10, 15)] == [ALLOW, ALLOW, REFUSE, REFUSE, REFUSE]
    assert [ask(ioctl, 0, request) for request in (0x5401, 0x5412, 0x8901)] == [ALLOW, REFUSE, REFUSE]
    assert [ask(prlimit, pid) for pid in (0, 1)] == [ALLOW, REFUSE]


def test_unknown_numbers_are_not_implemented(ask):
    assert ask(syscalls.HIGHEST_KNOWN + 1) == NOT_IMPLEMENTED


def test_numbers_of_another_machine_kill(machine):
    program = seccomp.build(machine.name)
    other = next(candidate for candidate in MACHINES.values() if candidate is not machine)
    assert decide(program, other, 0) == KILL_PROCESS


def test_x32_calls_kill():
    program = seccomp.build("x86_64")
    assert decide(program, MACHINES["x86_64"], 0x4000_0000 | 41) == KILL_PROCESS


def test_an_unknown_machine_is_an_error_and_not_an_open_door():
    with pytest.raises(OSError, match="riscv64"):
        seccomp.build("riscv64")
