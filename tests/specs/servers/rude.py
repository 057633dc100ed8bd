"""MCP servers that misbehave, written by hand: `python rude.py HOW`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

HOW = sys.argv[1]
TOOL = {"name": "ping", "description": "Ping.", "inputSchema": {"type": "object", "properties": {}}}


def say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def raw(data: bytes) -> None:
    os.write(1, data)


def answer(request: dict[str, Any], result: dict[str, Any]) -> None:
    say({"jsonrpc": "2.0", "id": request["id"], "result": result})


def greet(request: dict[str, Any]) -> None:
    answer(
        request,
        {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "rude", "version": "0"},
        },
    )


def before() -> None:
    if HOW == "crash":
        print("Traceback: no such database", file=sys.stderr)
        sys.exit(3)
    if HOW == "only-junk":
        print("Welcome to my server!", flush=True)
        time.sleep(60)
    if HOW == "only-bytes":
        raw(b"\xff\xfe\xfa\n")
        time.sleep(60)
    if HOW == "deaf":
        time.sleep(600)
    if HOW == "stubborn":
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
        with open(sys.argv[2], "w") as file:
            file.write(f"{os.getpid()} {child.pid}")
        while True:
            time.sleep(60)
    if HOW == "flood":
        while True:
            raw(b"x" * 65536)


def list_tools(request: dict[str, Any]) -> None:
    if HOW == "same-cursor":
        answer(request, {"tools": [TOOL], "nextCursor": "again"})
    elif HOW == "endless":
        answer(request, {"tools": [TOOL], "nextCursor": str(time.monotonic_ns())})
    elif HOW == "big-page":
        answer(request, {"tools": [{**TOOL, "description": "x" * 3_000_000}]})
    elif HOW == "no-tools":
        answer(request, {"tools": []})
    elif HOW == "refuses":
        say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32603, "message": "The licence has expired"}})
    elif HOW == "bad-bytes":
        raw(
            json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": [TOOL | {"description": "caf?"}]}})
            .encode()
            .replace(b"?", b"\xe9")
            + b"\n"
        )
    elif HOW == "surrogate":
        raw(
            json.dumps(
                {"jsonrpc": "2.0", "id": request["id"], "result": {"tools": [TOOL | {"description": "half \ud800"}]}}
            ).encode()
            + b"\n"
        )
    else:
        untyped = {"name": "untyped", "inputSchema": {}}  # the SDK's own models would refuse the whole list
        answer(request, {"tools": [TOOL, untyped], "nextCursor": ""})


def main() -> None:
    before()
    for line in sys.stdin:
        request = json.loads(line)
        method = request.get("method")
        if HOW == "chatty":
            print("got", method, flush=True)
            print("x" * 500_000, file=sys.stderr)
        if method == "initialize":
            greet(request)
        elif method == "tools/list":
            if HOW == "crash-later":
                print("out of memory", file=sys.stderr)
                sys.exit(9)
            list_tools(request)
        elif "id" in request and HOW == "exits-at-unknown":
            sys.exit(1)
        elif "id" in request and HOW != "ignores-unknown":
            say({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "unknown method"}})


main()
