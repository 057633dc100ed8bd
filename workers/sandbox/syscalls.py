"""System calls the sandbox refuses, as data: name, number on x86-64, number on aarch64 (None: absent).

Why each group is here stands above it. Everything not listed is allowed up to the highest number known
when this table was written; later calls answer "not implemented", as they do on an older kernel.
"""

from typing import NamedTuple


class Syscall(NamedTuple):
    """One system call and its number on each supported machine."""

    name: str
    x86_64: int | None
    aarch64: int | None


class ArgumentRule(NamedTuple):
    """Refuse `call` when the low half of argument number `argument` is one of `values` (or, inverted, is not)."""

    call: Syscall
    argument: int
    values: tuple[int, ...]
    inverted: bool = False


HIGHEST_KNOWN = 467  # open_tree_attr, Linux 6.15; the numbers above 423 are shared by both machines

REFUSED: tuple[Syscall, ...] = (
    # Network and local sockets.
    Syscall("socket", 41, 198),
    Syscall("socketpair", 53, 199),
    Syscall("connect", 42, 203),
    Syscall("bind", 49, 200),
    Syscall("listen", 50, 201),
    Syscall("accept", 43, 202),
    Syscall("accept4", 288, 242),
    Syscall("sendto", 44, 206),
    Syscall("sendmsg", 46, 211),
    Syscall("sendmmsg", 307, 269),
    Syscall("recvfrom", 45, 207),
    Syscall("recvmsg", 47, 212),
    Syscall("recvmmsg", 299, 243),
    # New programs and processes (clone has a rule of its own: threads are allowed).
    Syscall("fork", 57, None),
    Syscall("vfork", 58, None),
    Syscall("execve", 59, 221),
    Syscall("execveat", 322, 281),
    # Leaving the process group by which the caller kills.
    Syscall("setsid", 112, 157),
    Syscall("setpgid", 109, 154),
    # Signals to others; without namespaces the caller has the same user id.
    Syscall("kill", 62, 129),
    Syscall("tkill", 200, 130),
    Syscall("tgkill", 234, 131),
    Syscall("rt_sigqueueinfo", 129, 138),
    Syscall("rt_tgsigqueueinfo", 297, 240),
    Syscall("pidfd_send_signal", 424, 424),
    Syscall("pidfd_open", 434, 434),
    Syscall("pidfd_getfd", 438, 438),
    # Looking into others, or changing how they are scheduled.
    Syscall("ptrace", 101, 117),
    Syscall("process_vm_readv", 310, 270),
    Syscall("process_vm_writev", 311, 271),
    Syscall("process_madvise", 440, 440),
    Syscall("process_mrelease", 448, 448),
    Syscall("kcmp", 312, 272),
    Syscall("setpriority", 141, 140),
    Syscall("sched_setparam", 142, 118),
    Syscall("sched_setscheduler", 144, 119),
    Syscall("sched_setaffinity", 203, 122),
    Syscall("sched_setattr", 314, 274),
    Syscall("ioprio_set", 251, 30),
    Syscall("migrate_pages", 256, 238),
    Syscall("move_pages", 279, 239),
    # Namespaces and mounts.
    Syscall("unshare", 272, 97),
    Syscall("setns", 308, 268),
    Syscall("mount", 165, 40),
    Syscall("umount2", 166, 39),
    Syscall("pivot_root", 155, 41),
    Syscall("chroot", 161, 51),
    Syscall("open_tree", 428, 428),
    Syscall("move_mount", 429, 429),
    Syscall("fsopen", 430, 430),
    Syscall("fsconfig", 431, 431),
    Syscall("fsmount", 432, 432),
    Syscall("fspick", 433, 433),
    Syscall("mount_setattr", 442, 442),
    Syscall("open_tree_attr", 467, 467),
    # Kernel interfaces with a long history of holes.
    Syscall("bpf", 321, 280),
    Syscall("perf_event_open", 298, 241),
    Syscall("userfaultfd", 323, 282),
    Syscall("io_uring_setup", 425, 425),
    Syscall("io_uring_enter", 426, 426),
    Syscall("io_uring_register", 427, 427),
    Syscall("add_key", 248, 217),
    Syscall("request_key", 249, 218),
    Syscall("keyctl", 250, 219),
    Syscall("fanotify_init", 300, 262),
    Syscall("vmsplice", 278, 75),
    Syscall("modify_ldt", 154, None),
    Syscall("uselib", 134, None),
    Syscall("personality", 135, 92),
    # Memory that outlives the process or escapes its limit.
    Syscall("memfd_create", 319, 279),
    Syscall("memfd_secret", 447, 447),
    Syscall("shmget", 29, 194),
    Syscall("shmctl", 31, 195),
    Syscall("shmat", 30, 196),
    Syscall("msgget", 68, 186),
    Syscall("semget", 64, 190),
    Syscall("mq_open", 240, 180),
    # Files by handle, around every path rule.
    Syscall("name_to_handle_at", 303, 264),
    Syscall("open_by_handle_at", 304, 265),
    # Administration of the machine.
    Syscall("init_module", 175, 105),
    Syscall("finit_module", 313, 273),
    Syscall("delete_module", 176, 106),
    Syscall("kexec_load", 246, 104),
    Syscall("kexec_file_load", 320, 294),
    Syscall("quotactl", 179, 60),
    Syscall("quotactl_fd", 443, 443),
    Syscall("acct", 163, 89),
    Syscall("swapon", 167, 224),
    Syscall("swapoff", 168, 225),
    Syscall("reboot", 169, 142),
    Syscall("sethostname", 170, 161),
    Syscall("setdomainname", 171, 162),
    Syscall("settimeofday", 164, 170),
    Syscall("clock_settime", 227, 112),
    Syscall("clock_adjtime", 305, 266),
    Syscall("adjtimex", 159, 171),
    Syscall("iopl", 172, None),
    Syscall("ioperm", 173, None),
    Syscall("syslog", 103, 116),
    Syscall("vhangup", 153, 58),
)

CLONE = Syscall("clone", 56, 220)
CLONE3 = Syscall("clone3", 435, 435)  # its flags lie in memory, out of a filter's sight

CLONE_THREAD = 0x0001_0000
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
CLONE_NEW_NAMESPACES = 0x7E02_0000

REFUSED_ARGUMENTS: tuple[ArgumentRule, ...] = (
    # F_SETOWN, F_SETSIG, F_SETOWN_EX: a pipe could be made to signal any process.
    ArgumentRule(Syscall("fcntl", 72, 25), 1, (8, 10, 15)),
    # TIOCSTI and TIOCLINUX type into a terminal; FIOSETOWN and SIOCSPGRP are F_SETOWN again.
    ArgumentRule(Syscall("ioctl", 16, 29), 1, (0x5412, 0x541C, 0x8901, 0x8902)),
    # Limits of other processes; 0 is the caller itself.
    ArgumentRule(Syscall("prlimit64", 302, 261), 0, (0,), inverted=True),
)
