"""The loop inside the sandbox: one JSON line in, one JSON line out, on two descriptors of its own.

A module that runs inside defines `handle(message: dict) -> dict`. Whatever it prints goes to stdout and
stderr, which carry no results.
"""

import json
import os
import resource
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from workers.sandbox.messages import Bounds, MessageError, decode, encode

Handler = Callable[[dict[str, object]], dict[str, object]]

_ERROR_CHARACTERS = 2000
# Room around the handler's own message for the id and the braces.
ENVELOPE_BYTES = 4096
ENVELOPE_LEVELS = 2


@dataclass(frozen=True, slots=True)
class Pipes:
    """The descriptors for requests and replies, the bounds of a message, processor seconds per request."""

    requests: int
    replies: int
    bounds: Bounds
    cpu_seconds: int


def envelope(bounds: Bounds) -> Bounds:
    """The bounds of a whole line, when `bounds` are those of the message in it."""
    return Bounds(bounds.size + ENVELOPE_BYTES, bounds.depth + ENVELOPE_LEVELS, bounds.values + 8)


def serve(handler: Handler, pipes: Pipes) -> None:
    """Answer requests until the caller closes its end."""
    stdout, stderr = sys.stdout, sys.stderr
    line_bounds = envelope(pipes.bounds)
    with open(pipes.requests, "rb", closefd=False) as requests:
        while line := requests.readline(line_bounds.size + 1):
            request = decode(line, line_bounds)
            _renew_processor_time(pipes.cpu_seconds)
            body = _answer(handler, request.get("message"), pipes.bounds)
            for stream in (stdout, stderr):
                _flush(stream)
            send(pipes.replies, str(request.get("id")), body)


def send(descriptor: int, identity: str, body: bytes) -> None:
    """Write one reply line; `body` is its one member besides the id, as JSON text."""
    line = memoryview(b'{"id":%b,%b}\n' % (json.dumps(identity).encode("ascii"), body))
    while line:
        line = line[os.write(descriptor, line) :]


def failure(error: BaseException) -> bytes:
    """The reply that stands for `error`; its traceback goes to stderr, for whoever repairs the code."""
    if isinstance(error, MemoryError):
        return _error("memory", "the memory limit was reached")
    if isinstance(error, MessageError):
        return _error(error.kind, str(error))
    try:
        text = f"{type(error).__name__}: {error}"
        traceback.print_exception(error, limit=-20)
    except BaseException:  # noqa: BLE001 - generated exceptions may fail to describe themselves
        text = type(error).__name__
    return _error("crash", text)


def _error(kind: str, text: str) -> bytes:
    content = json.dumps({"kind": kind, "message": text[:_ERROR_CHARACTERS]})
    return b'"error":' + content.encode("ascii")


def _answer(handler: Handler, message: object, bounds: Bounds) -> bytes:
    try:
        if not isinstance(message, dict):
            raise MessageError("protocol", "the request holds no object")
        result = handler(message)
        if type(result) is not dict:
            raise MessageError("protocol", f"result is not a JSON object: {type(result).__name__}")
        return b'"result":' + encode(result, bounds).rstrip()
    except BaseException as error:  # noqa: BLE001 - the boundary: generated code may raise anything
        return failure(error)


def _renew_processor_time(seconds: int) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = int(usage.ru_utime + usage.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = used + seconds + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _flush(stream: object) -> None:
    flush = getattr(stream, "flush", None)
    if flush is None:
        return
    try:
        flush()
    except (OSError, ValueError):
        return
