"""From an exception of LiteLLM or the HTTP layer to the one `ModelError`, with the server's wait."""

import re
import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from json import JSONDecodeError

from workers.llm.client import ModelError, ModelErrorKind

_STATUS: dict[int, ModelErrorKind] = {
    401: "auth",
    403: "auth",
    408: "timeout",
    429: "rate_limited",
    504: "timeout",
}
_NAMES: dict[str, ModelErrorKind] = {"ContextWindowExceededError": "context", "Timeout": "timeout"}
_NOT_A_RESPONSE = re.compile(r"invalid response|no 'choices'|not valid JSON", re.IGNORECASE)
# LiteLLM puts its own class names before the provider's words, sometimes several.
_PREFIX = re.compile(r"^(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)\s*[:-]\s*)+")
_SHOWN_CHARACTERS = 500


def translate(error: Exception, secrets: tuple[str, ...] = ()) -> ModelError:
    """The `ModelError` for `error`; texts in `secrets` do not appear in it."""
    kind = _kind(error)
    text = _PREFIX.sub("", str(error)).strip() or type(error).__name__
    for secret in secrets:
        text = text.replace(secret, "***") if secret else text
    first_line = text.splitlines()[0][:_SHOWN_CHARACTERS]
    return ModelError(kind, f"{_WORDS[kind]}: {first_line}", retry_after=_retry_after(error))


_WORDS: dict[ModelErrorKind, str] = {
    "timeout": "the model did not answer in time",
    "rate_limited": "the provider limits the rate of requests",
    "auth": "the provider refused the key",
    "context": "the conversation is longer than the model's context",
    "bad_reply": "the answer could not be read",
    "bad_request": "the provider refused the request",
    "unavailable": "the model could not be reached",
}


def _kind(error: Exception) -> ModelErrorKind:
    named = _NAMES.get(type(error).__name__)
    if named is not None:
        return named
    if any(isinstance(link, JSONDecodeError) for link in _chain(error)) or _NOT_A_RESPONSE.search(str(error)):
        return "bad_reply"
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return "unavailable"
    return _STATUS.get(status) or ("bad_request" if 400 <= status < 500 else "unavailable")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _retry_after(error: Exception) -> float | None:
    """Seconds the server asked to wait, from `Retry-After` in either of its forms."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = str(headers.get("retry-after", "")).strip()
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
