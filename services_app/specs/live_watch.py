"""What was seen of a server while it was asked, and the one sentence that explains a failure."""

from __future__ import annotations

from dataclasses import dataclass, field

from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

from services_app.specs.errors import SpecError
from workers.text import sanitise_text

_STDERR_KEPT = 8 << 10
_STDERR_LINES = 8
_SHOWN = 200
_SDK_WORDS = frozenset({"Server returned an error response", "Session terminated", "Not Found"})


@dataclass
class Watch:
    """Filled by the transports. `exit_code` stays None while a stdio server runs."""

    page_bytes: int
    messages: int = 0
    junk: list[str] = field(default_factory=list)
    junk_lines: int = 0
    not_utf8: bool = False
    too_large: bool = False
    exit_code: int | None = None
    statuses: list[int] = field(default_factory=list)
    network_error: str = ""
    timed_out: bool = False
    foreign_type: str = ""
    stderr: bytes = b""

    def saw_junk(self, text: str) -> None:
        self.junk_lines += 1
        if len(self.junk) < 3:
            self.junk.append(sanitise_text(text[:_SHOWN])[0])

    def saw_stderr(self, data: bytes) -> None:
        self.stderr = (self.stderr + data)[-_STDERR_KEPT:]

    def last_words(self) -> str:
        """The last lines that the server wrote to its error output."""
        text = sanitise_text(self.stderr.decode("utf-8", "replace"))[0]
        lines = [line.strip()[:_SHOWN] for line in text.splitlines() if line.strip()]
        return "\n".join(lines[-_STDERR_LINES:])

    def remarks(self) -> tuple[tuple[str, str], ...]:
        """Code and sentence for everything odd that did not prevent the import."""
        found: list[tuple[str, str]] = []
        if self.junk_lines:
            text = f"The server printed {self.junk_lines} lines that are no messages, such as {self.junk[0]!r}"
            found.append(("server:junk", f"{text}; they were skipped."))
        if self.not_utf8:
            found.append(("server:not-utf8", "The server sent bytes that are not UTF-8; they were replaced."))
        return tuple(found)


def innermost(error: BaseException) -> BaseException:
    """Everything from inside a task group arrives wrapped."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def is_closed(error: BaseException) -> bool:
    return isinstance(error, MCPError) and error.code == CONNECTION_CLOSED


def explain(error: BaseException, watch: Watch) -> SpecError:
    """The failure in the user's words; the most telling observation wins."""
    cause = innermost(error)
    if isinstance(cause, SpecError):
        return cause
    if isinstance(cause, FileNotFoundError | PermissionError | NotADirectoryError):
        return SpecError(
            "server:command-not-found",
            f"The command cannot be started: {cause.strerror}.",
            "Check that it is installed here.",
        )
    return _from_transport(watch) or _from_protocol(cause, watch)


def _from_transport(watch: Watch) -> SpecError | None:
    if watch.too_large:
        return SpecError(
            "server:too-large",
            f"One answer of the server is larger than {watch.page_bytes >> 20} MB, the limit for one page.",
        )
    if any(status in (401, 403) for status in watch.statuses):
        return SpecError(
            "server:unauthorized",
            f"The server refused access ({next(status for status in watch.statuses if status in (401, 403))}).",
            "Give a header such as “Authorization: Bearer …” with a valid token.",
        )
    if watch.network_error:
        return SpecError(
            "server:refused",
            f"No connection to the server: {watch.network_error}",
            "Check the address and that the server runs.",
        )
    if watch.foreign_type:
        return SpecError(
            "server:not-mcp",
            f"The URL answers with {watch.foreign_type}, not with MCP messages.",
            "Check the path of the URL; many servers use /mcp.",
        )
    return None


def _from_protocol(cause: BaseException, watch: Watch) -> SpecError:
    timed_out = (
        watch.timed_out
        or isinstance(cause, TimeoutError)
        or (isinstance(cause, MCPError) and cause.code == REQUEST_TIMEOUT)
    )
    silent = watch.messages == 0
    if silent and watch.not_utf8:
        return SpecError(
            "server:not-utf8",
            "The server sends bytes that are not UTF-8 and no MCP message.",
            "An MCP server sends JSON in UTF-8.",
        )
    if silent and watch.junk:
        return SpecError(
            "server:not-mcp",
            f"The server printed text that is no MCP message: {watch.junk[0]!r}",
            "Standard output must carry nothing but MCP messages; logs belong on standard error.",
        )
    if timed_out:
        return SpecError(
            "server:timeout",
            "The server did not answer in time.",
            watch.last_words() or "Check that it starts and needs no input.",
        )
    if watch.exit_code is not None and is_closed(cause):
        return SpecError(
            "server:crashed",
            f"The server ended with exit code {watch.exit_code} before it listed its tools.",
            watch.last_words(),
        )
    status = next((status for status in watch.statuses if status >= 400), None)
    if status is not None and not _speaks_for_itself(cause):
        return SpecError(
            "server:http-status",
            f"The server answered with HTTP status {status}.",
            "Check the path of the URL; many servers use /mcp.",
        )
    return _from_answer(cause, watch)


def _speaks_for_itself(cause: BaseException) -> bool:
    """Whether an error is the server's own; for an answer without a message the SDK puts in one of its own."""
    return isinstance(cause, MCPError) and not is_closed(cause) and cause.error.message not in _SDK_WORDS


def _from_answer(cause: BaseException, watch: Watch) -> SpecError:
    if is_closed(cause):
        return SpecError(
            "server:closed", "The server closed the connection before it listed its tools.", watch.last_words()
        )
    if isinstance(cause, MCPError):
        return SpecError(
            "server:error", f"The server answered with an error: {cause.error.message[:_SHOWN]}", watch.last_words()
        )
    return SpecError(
        "server:not-mcp",
        f"The server does not keep to the protocol: {str(cause)[:_SHOWN] or type(cause).__name__}",
        watch.last_words(),
    )
