"""What a service makes for a new record: the address under which it lies, a token that opens it."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any
from urllib.parse import quote

from services_app.engine.state import Table


def address(table: Table[Any], identity: str) -> str:
    """The address of a record: no two records have the same."""
    place = table.record_type.about.plural or table.record_type.about.noun
    return f"https://app.north.example/{quote(place.replace(' ', '-'))}/{quote(identity)}"


def token(table: Table[Any], identity: str) -> str:
    """A token that belongs to one record and says nothing about it."""
    return hashlib.sha256(f"{table.record_type.about.noun} {identity}".encode()).hexdigest()[:32]


def caller(table: Table[Any], identity: str) -> str:
    """Who makes a record: the one account of a simulated service, as its journal calls it."""
    return "operator"


def unique_name(table: Table[Any], identity: str) -> str:
    """A UUID that belongs to one record."""
    return str(uuid.UUID(hex=token(table, identity)))
