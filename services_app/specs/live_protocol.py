"""What the importing process and its short-lived child tell each other: one JSON object each way."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class LiveLimits(BaseModel):
    """Bounds of one live import, in seconds and bytes. The whole import ends after `deadline_seconds`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    deadline_seconds: float = 90.0
    request_seconds: float = 30.0
    discover_seconds: float = 4.0
    stop_seconds: float = 1.0
    page_bytes: int = 16 << 20
    total_bytes: int = 64 << 20
    pages: int = 200


class LiveRequest(BaseModel):
    """Whom to ask. `environment` is the whole environment of a stdio server, `headers` go to an HTTP one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["stdio", "http"]
    command: tuple[str, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)
    url: str = ""
    headers: dict[str, str] = Field(default_factory=dict)
    limits: LiveLimits = LiveLimits()


class LiveAnswer(BaseModel):
    """The recorded pages of tools/list as the server sent them, or the reason why there are none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pages: list[dict[str, Any]] = Field(default_factory=list)
    server: dict[str, Any] = Field(default_factory=dict)
    instructions: str = ""
    protocol: str = ""
    remarks: tuple[tuple[str, str], ...] = ()
    error_kind: str = ""
    error_message: str = ""
    error_hint: str = ""
