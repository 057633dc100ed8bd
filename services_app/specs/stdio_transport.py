"""A stdio transport that counts bytes, keeps the last error output and stays in its parent's process group."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import mcp_types
from anyio.abc import Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from services_app.specs.live_protocol import LiveLimits
from services_app.specs.live_watch import Watch

_GONE = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError)
Inbound = MemoryObjectReceiveStream[SessionMessage | Exception]
Outbound = MemoryObjectSendStream[SessionMessage]


@asynccontextmanager
async def stdio_pipes(
    command: Sequence[str], environment: Mapping[str, str], limits: LiveLimits, watch: Watch
) -> AsyncIterator[tuple[Inbound, Outbound]]:
    """Start a server and yield the streams for a dispatcher. The server is stopped on leaving.

    The server stays in this process group, so that whoever ends the group ends the server with it.
    Raises OSError when the command cannot be started.
    """
    process = await anyio.open_process(list(command), env=dict(environment), start_new_session=False)
    inbound_writer, inbound = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbound, outbound_reader = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks, inbound_writer, inbound, outbound, outbound_reader:
        tasks.start_soon(_read, process, inbound_writer, limits, watch)
        tasks.start_soon(_write, process, outbound_reader)
        tasks.start_soon(_drain_errors, process, watch)
        try:
            yield inbound, outbound
        finally:
            with anyio.CancelScope(shield=True):
                await _stop(process, limits.stop_seconds)
                watch.exit_code = watch.exit_code if watch.exit_code is not None else process.returncode
            tasks.cancel_scope.cancel()


async def _read(
    process: Process, inbound: MemoryObjectSendStream[SessionMessage | Exception], limits: LiveLimits, watch: Watch
) -> None:
    assert process.stdout is not None
    parts: list[bytes] = []
    held = total = 0
    async with inbound:
        with suppress(*_GONE):
            async for chunk in process.stdout:
                *lines, rest = chunk.split(b"\n")
                total += len(chunk)
                for line in lines:
                    await _deliver(b"".join([*parts, line]), inbound, watch)
                    parts, held = [], 0
                parts.append(rest)
                held += len(rest)
                if held > limits.page_bytes or total > limits.total_bytes:
                    watch.too_large = True
                    return
        with anyio.move_on_after(limits.stop_seconds, shield=True):
            # An exit code tells a crash from a server that only closed its output.
            watch.exit_code = await process.wait()


async def _deliver(line: bytes, inbound: MemoryObjectSendStream[SessionMessage | Exception], watch: Watch) -> None:
    if not line.strip():
        return
    try:
        text = line.decode()
    except UnicodeDecodeError:
        watch.not_utf8 = True
        text = line.decode("utf-8", "replace")
    message = _message(text)
    if message is None:
        watch.saw_junk(text)
        return
    watch.messages += 1
    await inbound.send(SessionMessage(message))


def _message(text: str) -> Any:
    """The JSON-RPC message in a line, read exactly (the SDK's own reader refuses lone surrogates); None for junk."""
    try:
        return mcp_types.jsonrpc_message_adapter.validate_python(json.loads(text), by_name=False)
    except (ValueError, RecursionError):
        return None


async def _write(process: Process, outbound: MemoryObjectReceiveStream[SessionMessage]) -> None:
    assert process.stdin is not None
    with suppress(*_GONE):
        async with outbound:
            async for item in outbound:
                await process.stdin.send(
                    item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                )


async def _drain_errors(process: Process, watch: Watch) -> None:
    assert process.stderr is not None
    with suppress(*_GONE):
        async for chunk in process.stderr:
            watch.saw_stderr(chunk)


async def _stop(process: Process, seconds: float) -> None:
    """Close its input, ask, then kill: each step gets `seconds`."""
    with suppress(*_GONE):
        if process.stdin is not None:
            await process.stdin.aclose()
    for step in (None, process.terminate, process.kill):
        if step is not None:
            with suppress(ProcessLookupError):
                step()
        with anyio.move_on_after(seconds):
            await process.wait()
        if process.returncode is not None:
            return
