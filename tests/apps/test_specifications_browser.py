"""Pages about specifications in Chromium: axe finds nothing in both themes, and nothing sticks out sideways."""

import json
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from services_app import actions
from services_app.models import Specification

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FIRST = {
    "name": "Desk",
    "tools": [
        {
            "name": "get_ticket",
            "description": "todo",
            "inputSchema": {
                "type": "object",
                "properties": {"ticket_id": {"type": "string"}},
                "required": ["ticket_id", "gone"],
            },
        },
        {"name": "list_tickets", "description": "List tickets.", "inputSchema": {"type": "object", "properties": {}}},
    ],
}
SECOND = {
    "name": "Desk",
    "tools": [
        {
            "name": "get_ticket",
            "description": "Get a ticket by its id.",
            "inputSchema": {
                "type": "object",
                "properties": {"ticket_id": {"type": "integer"}, "with_notes": {"type": "boolean"}},
                "required": ["ticket_id"],
            },
        },
        {"name": "close_ticket", "description": "Close a ticket.", "inputSchema": {"type": "object"}},
    ],
}


@pytest.fixture
def updated(db: None) -> Specification:
    """A specification that replaced an older one of the same server."""
    for value in (FIRST, SECOND):
        found, _created = actions.import_text(text=json.dumps(value), name="desk.json", by=None)
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 800])
def test_axe_finds_nothing(page_as: Any, updated: Specification, theme: str, width: int) -> None:
    page = page_as("curator")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    batch = actions.start_build_all(by=None)
    paths = {
        "new": "/services/new/",
        "specifications": "/services/specifications/",
        "specification": f"/services/specifications/{updated.public_id}/",
        "lint": "/help/lint/",
        "batch": f"/services/batches/{batch.public_id}/",
        "sessions": "/services/sessions/",
    }
    for name, path in paths.items():
        page.goto(page.url_of(path), wait_until="networkidle")
        found = Axe().run(page).response["violations"]
        assert [(name, one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0, name
