"""What callers send about the call itself: media types, headers with fixed values, waiting times, versions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from services_app.engine.errors import ToolError
from services_app.recipes.records import Arguments

_VERSION = re.compile(
    r"^([a-z0-9.-]+/)?v?\d{1,4}([.-]\d{1,4}){0,3}([a-z0-9.-]*)$|^(latest|stable|beta|preview|unstable|current|default)$"
)


def checked_header(arguments: Arguments, name: str, accepted: Sequence[str]) -> None:
    """400 for a header with another value than the accepted ones; one that is not sent is as good as accepted.

    Media types match without their parameters; `*/*` accepts anything.
    """
    value = arguments.get(name)
    if value is None:
        return
    sent = [part.split(";")[0].strip().casefold() for part in str(value).split(",")]
    if not {"*/*", *(item.casefold() for item in accepted)} & set(sent):
        raise ToolError(400, "not_acceptable", f"{name} must be {' or '.join(accepted)}, not {value!r}.")


def checked_waits(arguments: Arguments, names: Iterable[str]) -> None:
    """400 for a waiting time or a number of tries below what makes sense; what does make sense changes nothing here."""
    for name in names:
        value = arguments.get(name)
        if isinstance(value, str):
            value = float(value) if re.fullmatch(r"-?\d+(\.\d+)?", value) else -1
        if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
            raise ToolError(400, "invalid_wait", f"{name} must be a number, not below 0.")


def checked_version(arguments: Arguments, name: str) -> None:
    """400 for a version of the interface that is none."""
    value = arguments.get(name)
    if value is not None and not _VERSION.match(str(value).casefold()):
        raise ToolError(400, "unknown_version", f"{name} must be a version such as v1 or 2026-01-15, not {value!r}.")
