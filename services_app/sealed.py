"""Secrets that a job needs and nobody may read: headers and full addresses of live servers.

A job's payload is shown to everybody who may see jobs, so it holds the names of headers and the sealed rest. The key
follows from SECRET_KEY; whoever changes that makes sealed values unreadable, and the job says so.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class SealError(ValueError):
    """A sealed value that cannot be opened."""


def seal(value: Mapping[str, Any]) -> str:
    """A JSON object as text that only this installation can open."""
    return _fernet().encrypt(json.dumps(dict(value)).encode()).decode()


def unseal(text: str) -> dict[str, Any]:
    """What was sealed. Raises SealError."""
    try:
        value: dict[str, Any] = json.loads(_fernet().decrypt(text.encode()))
    except InvalidToken as error:
        raise SealError("The stored secret cannot be opened: SECRET_KEY has changed since.") from error
    return value


def _fernet() -> Fernet:
    key = hashlib.blake2b(settings.SECRET_KEY.encode(), digest_size=32, person=b"services.sealed").digest()
    return Fernet(base64.urlsafe_b64encode(key))
