"""The host's ends of four pipes: requests, replies, stdout, stderr. Every read is bounded in time and bytes."""

import os
import select
import time

from workers.sandbox.capture import Capture
from workers.sandbox.limits import Limits, Output

_CHUNK = 64 * 1024
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class ChannelError(Exception):
    """The exchange cannot be finished; the process has to be killed."""


class DeadlineError(ChannelError):
    """The time for the request is over."""


class EndedError(ChannelError):
    """The process closed its end."""


class OutputLimitError(ChannelError):
    """stdout and stderr together exceeded their bound."""


class ReplyLimitError(ChannelError):
    """The reply is longer than a message may be."""


class ForgedReplyError(ChannelError):
    """Bytes where none were expected: a reply before its request, or more than one line."""


class Channel:
    """Owns the descriptors it is given and closes them."""

    def __init__(self, *, requests: int, replies: int, stdout: int, stderr: int, limits: Limits) -> None:
        self._requests, self._replies = requests, replies
        self._limits = limits
        self._captures = {stdout: Capture(), stderr: Capture()}
        self._streams = (stdout, stderr)
        self._open = {requests, replies, stdout, stderr}
        self._poll = select.poll()
        for descriptor in self._open:
            os.set_blocking(descriptor, False)
        for descriptor in (replies, stdout, stderr):
            self._poll.register(descriptor, select.POLLIN)

    def exchange(self, line: bytes, *, deadline: float, reply_bytes: int) -> bytes:
        """Send `line` and return the one line that answers it, without its newline.

        `deadline` is on the monotonic clock. Raises one of the `ChannelError`s.
        """
        for stream in self._streams:
            self._captures[stream] = Capture()
        reply, pending = bytearray(), memoryview(line)
        self._poll.register(self._requests, select.POLLOUT)
        while not reply.endswith(b"\n"):
            for descriptor, event in self._wait(deadline):
                if descriptor == self._requests:
                    pending = self._write(pending, event)
                elif descriptor == self._replies:
                    self._read_reply(reply, reply_bytes, answered=not pending)
                else:
                    self._read_output(descriptor)
        self._read_remaining_output()
        return bytes(reply[:-1])

    def output(self) -> Output:
        """What was printed since the last request was sent."""
        stdout, stderr = (self._captures[stream].text() for stream in self._streams)
        return Output(stdout, stderr)

    def wait_for_end(self, deadline: float) -> bool:
        """Read until every pipe is closed at the other end: then no process holds one any more."""
        self._unregister(self._requests)
        ends = self._open - {self._requests}
        while ends and time.monotonic() < deadline:
            for descriptor, _ in self._poll.poll(100):
                data = os.read(descriptor, _CHUNK)
                if not data:
                    self._unregister(descriptor)
                    ends.discard(descriptor)
                elif descriptor in self._captures:
                    self._captures[descriptor].feed(data)
        return not ends

    def close(self) -> None:
        """Close the host's ends."""
        while self._open:
            os.close(self._open.pop())

    def _wait(self, deadline: float) -> list[tuple[int, int]]:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise DeadlineError
        return self._poll.poll(remaining * 1000 + 1)

    def _write(self, pending: memoryview, event: int) -> memoryview:
        if event & (select.POLLERR | select.POLLHUP):
            raise EndedError
        try:
            written = os.write(self._requests, pending)
        except BrokenPipeError as error:
            raise EndedError from error
        if written == len(pending):
            self._unregister(self._requests)
        return pending[written:]

    def _read_reply(self, reply: bytearray, reply_bytes: int, *, answered: bool) -> None:
        data = os.read(self._replies, _CHUNK)
        if not data:
            raise EndedError
        end = data.find(b"\n")
        if not answered or 0 <= end < len(data) - 1:
            raise ForgedReplyError
        reply += data
        if len(reply) > reply_bytes:
            raise ReplyLimitError

    def _read_output(self, descriptor: int) -> None:
        data = os.read(descriptor, _CHUNK)
        if not data:
            self._unregister(descriptor)
        self._captures[descriptor].feed(data)
        if sum(capture.total for capture in self._captures.values()) > self._limits.output_bytes:
            raise OutputLimitError

    def _read_remaining_output(self) -> None:
        """The process flushes before it replies, so all it printed is already in the pipes."""
        while ready := [fd for fd, event in self._poll.poll(0) if fd in self._captures and event & _READABLE]:
            for descriptor in ready:
                self._read_output(descriptor)

    def _unregister(self, descriptor: int) -> None:
        try:
            self._poll.unregister(descriptor)
        except KeyError:
            return
