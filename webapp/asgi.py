"""The ASGI entry point: Django, and in front of it the environments that `tasks_app.serving` offers under /env/."""

import os
from collections.abc import Awaitable, Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")

App = Callable[[dict[str, Any], Callable[..., Any], Callable[..., Any]], Awaitable[None]]

PREFIX = "/env"
SERVING = "tasks_app.serving.asgi"

_django: App = get_asgi_application()
_environments: App | None = import_module(SERVING).application if find_spec(SERVING) else None


async def application(scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    """Send /env/… to the environments, with the prefix as ASGI's `root_path`; everything else to Django."""
    if _environments is not None and scope["type"] in ("http", "websocket") and scope["path"].startswith(f"{PREFIX}/"):
        await _environments({**scope, "root_path": scope.get("root_path", "") + PREFIX}, receive, send)
        return
    await _django(scope, receive, send)
