"""The one envelope of every observation, and its bound.

{"success": true, "data": ...}
{"success": false, "error": {"code": 400|403|404|409|422|429|500, "type": ..., "message": ..., "details": [...]}}
"""

from __future__ import annotations

from typing import Any

import orjson

from services_app.engine.errors import ToolError
from services_app.engine.plain import JsonValue

Observation = dict[str, Any]
OBSERVATION_LIMIT = 64 * 1024
_PREVIEW = 4096


def success(data: JsonValue) -> Observation:
    """A result, cut to a preview that says so when its JSON is longer than 64 KB."""
    size = len(orjson.dumps(data))
    if size <= OBSERVATION_LIMIT:
        return {"success": True, "data": data}
    preview = orjson.dumps(data)[:_PREVIEW].decode(errors="ignore")
    note = (
        f"The result has {size} bytes; the limit is {OBSERVATION_LIMIT}. Ask for less: filter, or use a smaller page."
    )
    return {"success": True, "data": {"truncated": True, "bytes": size, "message": note, "preview": preview}}


def failure(error: ToolError) -> Observation:
    return {"success": False, "error": error.to_json()}


def defect(tool: str, kind: str) -> Observation:
    """What the agent sees when the service itself is wrong: no internals, and that nothing changed."""
    message = f"{tool} failed inside the service ({kind}). Nothing was changed; another call may still work."
    return {"success": False, "error": {"code": 500, "type": "internal_error", "message": message}}
