"""Collect the static files under hashed names, only when one of them changed."""

import hashlib
import os
from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.test.utils import override_settings

HASHED = "whitenoise.storage.CompressedManifestStaticFilesStorage"


def collect_if_changed(say: Callable[[str], None]) -> bool:
    """True when files were collected."""
    stamp = settings.STATIC_ROOT / ".collected"
    wanted = fingerprint()
    if stamp.exists() and stamp.read_text() == wanted:
        return False
    say("Collecting the static files …")
    hashed = {**settings.STORAGES, "staticfiles": {"BACKEND": HASHED}}
    with override_settings(STORAGES=hashed):
        call_command("collectstatic", interactive=False, verbosity=0, clear=settings.STATIC_ROOT.exists())
    stamp.write_text(wanted)
    return True


def fingerprint() -> str:
    """Names, sizes and times of every static file of every app."""
    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = os.stat(storage.path(path))
            digest.update(f"{path}\0{found.st_size}\0{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()
