"""From what a process did to the one error that says it in words."""

import signal

from workers.sandbox import channel
from workers.sandbox.limits import Limits, SandboxError, SandboxErrorKind
from workers.sandbox.messages import MessageError

# bwrap reports a child killed by signal n as exit code 128 + n.
_SHELL_OFFSET = 128

# What a process may say about itself; it is not trusted, so anything else becomes a crash.
_KINDS: dict[object, SandboxErrorKind] = {
    "memory": "memory",
    "message": "message",
    "protocol": "protocol",
    "crash": "crash",
}


def from_reply(reply: dict[str, object], output: str, limits: Limits, *, started: bool) -> dict[str, object]:
    """The result in `reply`; raises the `SandboxError` it describes."""
    result = reply.get("result")
    if isinstance(result, dict):
        return result
    error = reply.get("error")
    if not isinstance(error, dict):
        raise SandboxError("protocol", "the reply holds neither a result nor an error", output, alive=started)
    kind = _KINDS.get(error.get("kind"), "crash")
    text = str(error.get("message"))
    if kind == "memory":
        text = _memory(limits)
    if not started:
        text = f"the module could not be imported: {text}"
    raise SandboxError(kind, text, output, alive=started)


def ended(error: Exception, code: int | None, output: str, limit: str, limits: Limits) -> SandboxError:
    """The error for an exchange that failed with `error`; `code` is the exit code if it ended by itself."""
    kind: SandboxErrorKind
    match error:
        case channel.DeadlineError():
            kind, text = "timeout", f"timed out: more than {limit}"
        case channel.OutputLimitError():
            kind, text = "output", f"output limit exceeded: more than {limits.output_bytes:,} bytes were printed"
        case channel.ReplyLimitError():
            kind, text = "message", f"the message is larger than {limits.message_bytes:,} bytes"
        case channel.ForgedReplyError():
            kind, text = "protocol", "the process wrote to the result channel out of turn"
        case MessageError():
            kind, text = error.kind, str(error)
        case _:
            kind, text = _exit(code, limits)
    return SandboxError(kind, text, output)


def _exit(code: int | None, limits: Limits) -> tuple[SandboxErrorKind, str]:
    if code is None:
        return "crash", "the process closed its result channel"
    number = -code if code < 0 else code - _SHELL_OFFSET
    if number == signal.SIGXCPU:
        return "cpu", f"used more than {limits.cpu_seconds} seconds of processor time"
    if number == signal.SIGSYS:
        return "refused", "made a system call of another architecture"
    if number in signal.valid_signals():
        return "crash", f"the process was ended by {signal.Signals(number).name}"
    return "crash", f"the process ended with exit code {code}"


def _memory(limits: Limits) -> str:
    return f"needed more than {limits.memory_bytes:,} bytes of memory"
