"""Where the list of tools is in a JSON value: every envelope found in the wild."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from services_app.specs.errors import SpecError
from services_app.specs.model import Notebook
from services_app.specs.openapi import is_openapi, tools_of

_LIST_WORDS = ("tools", "functions", "functionDeclarations", "function_declarations")
_ENVELOPES = ("result", "data", "response", "specification")
_SCHEMA_WORDS = ("inputSchema", "input_schema", "parameters")


@dataclass
class Found:
    """The tools as served, and what the envelope says about their server."""

    tools: list[Any] = field(default_factory=list)
    name: str = ""
    title: str = ""
    domain: str | None = None
    description: str = ""


def find_tools(value: Any, book: Notebook) -> Found:
    """The tools in `value`. Raises SpecError when there is no list of tools, or an empty one."""
    found = Found()
    _refuse_relatives(value)
    if isinstance(value, dict):
        _describe(value, found)
        if is_openapi(value) and not isinstance(value.get("tools"), list):
            found.tools = list(tools_of(value, book))
            return found
    listed = _listed(value, found, 0)
    if listed is None:
        raise SpecError(
            "file:no-tools",
            "There is no list of tools in it.",
            'Give the result of tools/list: a list of tools, {"tools": [...]} or a whole JSON-RPC answer.',
        )
    found.tools = [_unwrapped(item, book) for item in listed]
    if not found.tools:
        raise SpecError("file:empty-list", "The list of tools is empty.", "A service needs at least one tool.")
    return found


def _refuse_relatives(value: Any) -> None:
    if not isinstance(value, dict):
        return
    if "mcpServers" in value:
        raise SpecError(
            "file:client-config",
            "This is the configuration of an MCP client; it names servers but not their tools.",
            "Import from the running server instead, with the command or URL given here.",
        )
    if isinstance(value.get("error"), dict) and "result" not in value:
        message = str(value["error"].get("message", "no message"))[:200]
        raise SpecError(
            "file:error-answer", f"This is an error that a server answered with: {message}", "Ask the server again."
        )


def _describe(value: dict[str, Any], found: Found) -> None:
    server = value.get("serverInfo") or value.get("server_info") or value.get("server") or value.get("info")
    for holder in (value, server if isinstance(server, dict) else {}):
        for word in ("name", "title", "domain", "description"):
            text = holder.get(word)
            if isinstance(text, str) and text.strip() and not getattr(found, word):
                setattr(found, word, text.strip())
    if not found.description and isinstance(value.get("instructions"), str):
        found.description = value["instructions"]


def _listed(value: Any, found: Found, depth: int) -> list[Any] | None:
    """The list of tools in an envelope; pages of one listing are joined."""
    if depth > 4:
        return None
    if isinstance(value, list):
        pages = [_page(item, found, depth) for item in value]
        if any(page is not None for page in pages):
            return [tool for page in pages if page is not None for tool in page]
        return value if not value or any(_is_tool(item) for item in value) else None
    if not isinstance(value, dict):
        return None
    for word in _LIST_WORDS:
        inner = value.get(word)
        if isinstance(inner, list):
            nested = _listed(inner, found, depth + 1)
            return inner if nested is None else nested
        if isinstance(inner, dict) and all(isinstance(item, dict) for item in inner.values()):
            return [{"name": name, **item} for name, item in inner.items()]
    for word in (*_ENVELOPES, "pages"):
        nested = _listed(value.get(word), found, depth + 1)
        if nested is not None:
            if isinstance(value[word], dict):
                _describe(value[word], found)
            return nested
    return [value] if depth == 0 and _is_tool(value) and any(word in value for word in _SCHEMA_WORDS) else None


def _page(item: Any, found: Found, depth: int) -> list[Any] | None:
    if not isinstance(item, dict) or _is_tool(item):
        return None
    return _listed(item, found, depth + 1)


def _is_tool(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    inner = item.get("function") or item.get("toolSpec")
    return (isinstance(item.get("name"), str) and not isinstance(item.get("tools"), list)) or isinstance(inner, dict)


def _unwrapped(item: Any, book: Notebook) -> Any:
    """OpenAI's `{"type": "function", "function": {...}}` and Bedrock's `{"toolSpec": {...}}`."""
    if isinstance(item, dict):
        for word in ("function", "toolSpec"):
            if isinstance(item.get(word), dict) and "name" not in item:
                book.info("", "file:function-format", f"Tools stood inside “{word}”; they were taken out.")
                return item[word]
    return item
