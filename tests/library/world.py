"""Short ways to look at and change a seeded service in tests."""

from __future__ import annotations

from typing import Any

from services_app.engine import Edit, ProductEnvironment

Row = dict[str, Any]


def rows(env: ProductEnvironment, slug: str, table: str, **equal: Any) -> list[Row]:
    """Records whose fields equal the given values, in order."""
    found = env.rows(slug, table)
    return [row for row in found if all(row[name] == value for name, value in equal.items())]


def one(env: ProductEnvironment, slug: str, table: str, **equal: Any) -> Row:
    found = rows(env, slug, table, **equal)
    assert found, f"no record of {slug}.{table} with {equal}"
    return found[0]


def ok(env: ProductEnvironment, slug: str, tool: str, **arguments: Any) -> Any:
    """The data of a call that has to succeed."""
    observation = env.call(slug, tool, arguments)
    assert observation["success"], observation
    return observation["data"]


def refused(env: ProductEnvironment, slug: str, tool: str, **arguments: Any) -> str:
    """The error type of a call that has to be refused and to change nothing."""
    before = env.state_hash()
    observation = env.call(slug, tool, arguments)
    assert not observation["success"], observation
    assert env.state_hash() == before
    return str(observation["error"]["type"])


def patched(env: ProductEnvironment, slug: str, table: str, identity: str, **changes: Any) -> ProductEnvironment:
    """An environment whose initial state has this record changed."""
    return env.edited([Edit(slug, table, identity, patch=changes)])


def added(env: ProductEnvironment, slug: str, table: str, *records: Row) -> ProductEnvironment:
    """An environment whose initial state has more records."""
    return env.edited([Edit(slug, table, record["id"], record=record) for record in records])
