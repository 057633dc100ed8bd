"""What a caller may ask of an answer besides its contents: less of it, its headers, a version to hold on to."""

from __future__ import annotations

from typing import Any

from services_app.engine.errors import ToolError
from services_app.engine.plain import canonical, digest
from services_app.engine.state import Record


def etag(value: Any) -> str:
    """A short mark that changes with the value."""
    return f'W/"{digest(canonical(value))[:16]}"'


def brief(value: Any, wanted: object) -> Any:
    """Only that it worked, when the caller wants no more."""
    return {"success": True} if wanted is True else value


def with_headers(value: Any, wanted: object) -> Any:
    """The result with the headers of its answer, when the caller wants them."""
    if wanted is not True:
        return value
    headers = {"Content-Type": "application/json", "ETag": etag(value)}
    return {**value, "headers": headers} if isinstance(value, dict) else {"value": value, "headers": headers}


def refuse_stale(record: Record, version: object) -> None:
    """409 when the caller knows another version of the record (`If-Match`) than the stored one."""
    if version not in (None, "", "*") and str(version) != etag(record.plain()):
        raise ToolError(409, "stale_version", f"{record.id} has changed: read it again for its present ETag.")
