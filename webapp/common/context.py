"""Template context of the page shell."""

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from webapp.common import panels, selectors


def shell(request: HttpRequest) -> dict[str, Any]:
    """Numbers in rail and top bar; a fragment that does not print them does not ask for them."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return {}
    return {
        "running_jobs": SimpleLazyObject(selectors.running_count),
        "your_turn": SimpleLazyObject(lambda: panels.turn_count(user)),
    }
