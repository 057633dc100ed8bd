"""What is shown and kept of commands and URLs holds no keys, and still says what was run."""

from __future__ import annotations

import shlex

import pytest

from services_app.specs.secrets import shown_command, shown_url


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("npx -y some-server --port 80", "npx -y some-server --port 80"),
        ("server --api-key abc123 --verbose", "server --api-key '***' --verbose"),
        ("server --api-key=abc123", "server '--api-key=***'"),
        ("env GITHUB_TOKEN=abc DEBUG=1 server", "env 'GITHUB_TOKEN=***' DEBUG=1 server"),
        ("server --token abc --key def", "server --token '***' --key '***'"),
        ("server sk-abcdefghijklmnop", "server '***'"),
        ("server postgres://me:word@host/db?x=1", "server postgres://host/db"),
        ("server --keyboard de --monkey x", "server --keyboard de --monkey x"),
        ("server --db-password 'p w'", "server --db-password '***'"),
    ],
)
def test_commands(command: str, shown: str) -> None:
    assert shown_command(shlex.split(command)) == shown


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://host/mcp", "https://host/mcp"),
        ("https://me:word@host:8080/mcp?key=abc#part", "https://host:8080/mcp"),
        (" http://host/?api_key=abc", "http://host/"),
    ],
)
def test_urls(url: str, shown: str) -> None:
    assert shown_url(url) == shown
