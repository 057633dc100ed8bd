"""Specifications from live MCP servers, over stdio or streamable HTTP.

The conversation happens in a short-lived process of its own session, which is ended as a whole: no server that
hangs, floods or forks outlives its import.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from services_app.specs.errors import SpecError
from services_app.specs.files import build_specification
from services_app.specs.live_protocol import LiveAnswer, LiveLimits, LiveRequest
from services_app.specs.model import Notebook, Source, Specification
from services_app.specs.process_tree import end_tree
from services_app.specs.secrets import shown_command, shown_url

DEFAULT_LIMITS = LiveLimits()
_SERVER_VARIABLES = ("HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TZ", "USER")
_NETWORK_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
_GRACE_SECONDS = 8.0
_LAUNCHERS = frozenset(
    {"python", "python3", "node", "npx", "uvx", "uv", "bunx", "docker", "deno", "run", "exec", "env"}
)


def import_stdio(
    command: str | Sequence[str], *, env: Mapping[str, str] | None = None, limits: LiveLimits = DEFAULT_LIMITS
) -> Specification:
    """The tools of a server that is started with `command` and speaks on its standard streams.

    A command given as text is split into words once; no shell is involved. The server sees a minimal environment
    plus `env`. Raises SpecError with kind `server:...`.
    """
    words = split_command(command) if isinstance(command, str) else list(command)
    if not words:
        raise SpecError("server:no-command", "There is no command to start the server with.")
    request = LiveRequest(
        kind="stdio", command=tuple(words), environment={**_inherited(_SERVER_VARIABLES), **(env or {})}, limits=limits
    )
    return _specification(_ask(request), Source(kind="stdio", locator=shown_command(words)), _name_from_command(words))


def import_http(
    url: str, *, headers: Mapping[str, str] | None = None, limits: LiveLimits = DEFAULT_LIMITS
) -> Specification:
    """The tools of a server at `url`, asked over streamable HTTP with the given `headers`.

    Raises SpecError with kind `server:...`. Headers are not kept anywhere.
    """
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SpecError("server:bad-url", "The URL must start with http:// or https:// and name a host.")
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="")
    # A name and password in the URL would replace an Authorization header that was given on purpose.
    given = any(name.lower() == "authorization" for name in headers or {})
    request = LiveRequest(
        kind="http", url=(bare if given else parts).geturl(), headers=dict(headers or {}), limits=limits
    )
    return _specification(_ask(request), Source(kind="http", locator=shown_url(url)), parts.hostname)


def split_command(command: str) -> list[str]:
    """The words of a command line. Raises SpecError for an open quote."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise SpecError("server:bad-command", f"The command cannot be split into words: {error}.") from error


def _name_from_command(words: Sequence[str]) -> str:
    """The word that names the server: not the launcher, not a flag."""
    names = [Path(word).stem for word in words if not word.startswith("-")]
    return next(
        (name for name in names if name.lower() not in _LAUNCHERS and not name.startswith("python3.")),
        names[0] if names else "server",
    )


def _inherited(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


def _ask(request: LiveRequest) -> LiveAnswer:
    root = Path(__file__).resolve().parents[2]
    variables = (*_SERVER_VARIABLES, *_NETWORK_VARIABLES, *(name.lower() for name in _NETWORK_VARIABLES))
    with tempfile.TemporaryDirectory(prefix="spec-import-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "services_app.specs.live_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**_inherited(variables), "PYTHONPATH": str(root)},
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(
                request.model_dump_json().encode(), timeout=request.limits.deadline_seconds + _GRACE_SECONDS
            )
        except subprocess.TimeoutExpired as error:
            raise SpecError("server:timeout", "The server did not answer in time and was ended.") from error
        finally:
            end_tree(process)
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream is not None:
                    stream.close()
    return _parsed(output, errors)


def _parsed(output: bytes, errors: bytes) -> LiveAnswer:
    try:
        answer = LiveAnswer.model_validate(json.loads(output))
    except (ValueError, RecursionError) as error:
        raise SpecError(
            "server:importer",
            "The importing process ended without an answer.",
            errors.decode("utf-8", "replace")[-500:].strip(),
        ) from error
    if answer.error_kind:
        raise SpecError(answer.error_kind, answer.error_message, answer.error_hint)
    return answer


def _specification(answer: LiveAnswer, source: Source, fallback_name: str) -> Specification:
    book = Notebook()
    for code, message in answer.remarks:
        book.warning("", code, message)
    value = {
        "serverInfo": answer.server,
        "protocolVersion": answer.protocol,
        "instructions": answer.instructions,
        "pages": answer.pages,
    }
    try:
        return build_specification(value, source, fallback_name, book=book)
    except SpecError as error:
        if error.kind in ("file:empty-list", "file:no-tools"):
            raise SpecError("server:no-tools", "The server lists no tools.") from error
        raise
