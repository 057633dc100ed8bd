"""System checks: what must hold before anything is served. Run by `manage.py check` and at start."""

import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

MIDDLEWARE_ORDER = (
    "webapp.middleware.RequestIdMiddleware",
    "webapp.middleware.SecurityHeadersMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "webapp.middleware.SignInMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
)


@register(Tags.security)
def protections_are_on(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Sign-in by default, the content policy and the error pages are middleware: none may be left out."""
    places = [settings.MIDDLEWARE.index(name) if name in settings.MIDDLEWARE else -1 for name in MIDDLEWARE_ORDER]
    if -1 in places or places != sorted(places):
        return [Error(f"MIDDLEWARE must hold, in this order: {', '.join(MIDDLEWARE_ORDER)}.", id="workbench.E001")]
    return []


@register(Tags.files)
def storage_is_writable(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Exports and run folders go below WORKBENCH_FILES. A folder that is not there yet is made by `up`."""
    folder = Path(settings.WORKBENCH_FILES)
    if not folder.exists():
        return []
    try:
        with tempfile.TemporaryFile(dir=folder):
            return []
    except OSError as error:
        return [Error(f"Cannot write below {folder}: {error.strerror}.", id="workbench.E002")]


@register(deploy=True)
def generated_code_is_confined(app_configs: Any, **_: Any) -> list[CheckMessage]:
    """Starts a sandbox once, so only with `--deploy`. Without one, generated code is refused."""
    from workers.sandbox.probe import probe

    found = probe()
    if found.mode == "none":
        hint = "; ".join(found.details)
        return [Warning("No sandbox works here: generated code is refused.", hint=hint, id="workbench.W003")]
    return []


@register(deploy=True)
def not_running_inline(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.WORKBENCH_RUN_INLINE:
        return [Warning("WORKBENCH_RUN_INLINE makes requests wait for whole jobs.", id="workbench.W004")]
    return []
