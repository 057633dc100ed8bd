"""A real HTTP server that speaks the OpenAI chat protocol and answers by script.

    with StubModel([text("hello"), error(429, retry_after=1), calls(call("f", {"a": 1}))]) as stub:
        client = LiteLLMClient(ModelConfig(model="openai/stub", api_base=stub.base_url, api_key="x"))
        ...
        stub.requests[0].json["messages"]

The script is a list of replies, or a function from the request's JSON to one. A reply is a `Reply`, a text
(the assistant's content), a message ({"content": ..., "tool_calls": [...]}) or a whole response body
({"choices": ...}). A list that is used up answers 500 "script exhausted".
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


@dataclass(frozen=True)
class Reply:
    """One HTTP answer; `body` is JSON or bytes, `trickle` the pause in seconds after every byte of it."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    trickle: float | None = None
    endless: bool = False


@dataclass(frozen=True)
class Request:
    """What a client sent, and when (monotonic seconds)."""

    json: dict[str, Any]
    path: str
    headers: Mapping[str, str]
    at: float


Script = Iterable[Any] | Callable[[dict[str, Any]], Any]


def message(content=None, *, tool_calls=None, finish_reason=None, usage=USAGE, delay=0.0, **extra) -> Reply:
    """A response with one choice."""
    body: dict[str, Any] = {"role": "assistant", "content": content, **extra}
    if tool_calls is not None:
        body["tool_calls"] = tool_calls
    reason = finish_reason or ("tool_calls" if tool_calls else "stop")
    return Reply(_response([{"index": 0, "message": body, "finish_reason": reason}], usage), delay=delay)


def text(content: str, **options) -> Reply:
    """An answer in words."""
    return message(content, **options)


def call(name: str, arguments: Any = None, *, identity: str | None = "") -> dict[str, Any]:
    """One tool call; arguments that are a dict become JSON text. `identity=None` leaves the id out."""
    arguments = json.dumps(arguments or {}) if isinstance(arguments, dict | None) else arguments
    found = {"id": identity or f"call_{name}", "type": "function", "function": {"name": name, "arguments": arguments}}
    if identity is None:
        del found["id"]
    return found


def calls(*tool_calls: dict[str, Any], content=None, **options) -> Reply:
    """An answer made of tool calls."""
    return message(content, tool_calls=list(tool_calls), **options)


def error(status: int, words: str = "refused by script", *, retry_after: float | str | None = None) -> Reply:
    """An HTTP error in the provider's form."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Reply({"error": {"message": words, "type": "stub", "code": None}}, status=status, headers=headers)


def trickle(seconds: float) -> Reply:
    """A success that never ends: one byte, a pause, one byte..."""
    return Reply(b" ", trickle=seconds, endless=True)


def no_choices() -> Reply:
    return Reply(_response([], USAGE))


class StubModel:
    """The server, listening on a free port while the context is open."""

    def __init__(self, script: Script) -> None:
        self._script = script if callable(script) else iter(script)
        self._lock = threading.Lock()
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: Request) -> Reply:
        with self._lock:
            self.requests.append(request)
            try:
                value = self._script(request.json) if callable(self._script) else next(self._script)
            except StopIteration:
                return error(500, "script exhausted")
        return _as_reply(value)


def _as_reply(value: Any) -> Reply:
    if isinstance(value, Reply):
        return value
    if isinstance(value, str):
        return text(value)
    if "choices" in value:
        return Reply(value)
    return message(**{"content": None, **{name: part for name, part in value.items() if name != "role"}})


def _response(choices: list[dict[str, Any]], usage: Mapping[str, int] | None) -> dict[str, Any]:
    body: dict[str, Any] = {"id": "stub", "object": "chat.completion", "created": 0, "model": "stub"}
    return {**body, "choices": choices, **({"usage": usage} if usage else {})}


def _handler(stub: StubModel) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = Request(json.loads(data), self.path, dict(self.headers), time.monotonic())
            reply = stub.answer(request)
            stub.closing.wait(reply.delay)
            with suppress(BrokenPipeError, ConnectionResetError):
                self._send(reply)

        def _send(self, reply: Reply) -> None:
            body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(1_000_000 if reply.endless else len(body)))
            self.end_headers()
            if reply.trickle is None:
                self.wfile.write(body)
                return
            while not stub.closing.is_set():
                for byte in body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    stub.closing.wait(reply.trickle)
                if not reply.endless:
                    return

        def log_message(self, *_: object) -> None:
            """The tests' output stays readable."""

    return Handler
