"""What is asked of a model at work, whatever its role: which one, its limits, the size of its replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from django.conf import settings
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from services_app.builders.model.limits import MODEL_NAME, Limits

NOT_CONFIGURED = "not available: no model is configured"


class ModelRequest(BaseModel):
    """A model and what it may take."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(min_length=1, max_length=MODEL_NAME)
    """A name that LiteLLM knows."""
    limits: Limits = Field(default_factory=Limits)
    """Of each session."""
    reply_tokens: int = Field(8_192, ge=256, le=200_000)
    """Output tokens of one reply."""


class AskedError(ValueError):
    """Work of a model that cannot be started as asked. `field` is what is wrong, "" for all of it."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


Asked = TypeVar("Asked", bound=ModelRequest)


def read_request(kind: type[Asked], asked: Mapping[str, Any]) -> Asked:
    """The request in `asked`, with the model of the settings when none is named. Raises AskedError in words."""
    model = str(asked.get("model") or settings.WORKBENCH_MODEL).strip()
    if not model:
        raise AskedError(f"{NOT_CONFIGURED}; name one, or set WORKBENCH_MODEL.", "model")
    try:
        return kind.model_validate({**asked, "model": model})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise AskedError(f"{place}: {first['msg']}", place) from error


def is_configured() -> bool:
    """Whether the settings name a model or a server; a name given by hand may work without."""
    return bool(settings.WORKBENCH_MODEL or settings.WORKBENCH_MODEL_API_BASE)
