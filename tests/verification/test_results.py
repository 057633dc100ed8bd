"""Results are read as they are, and as the JSON text that they may be."""

from __future__ import annotations

import json

from services_app.verification.pool import Pool
from services_app.verification.results import next_tokens


def test_tokens_are_found_in_json_text() -> None:
    page = {"rows": [{"id": 1}], "next_page_token": "7"}
    assert list(next_tokens(page)) == ["7"]
    assert list(next_tokens({"result": json.dumps(page)})) == ["7"]
    assert list(next_tokens({"result": "no more"})) == []


def test_an_id_names_what_the_tool_is_about_before_others_of_its_kind() -> None:
    pool = Pool()
    pool.harvest({"success": True, "data": [{"id": "C-1"}]}, "message")
    pool.harvest({"success": True, "data": [{"id": "M-1"}]}, "mail_message")
    assert pool.candidates("messageId", "mail_message")[:2] == ["M-1", "C-1"]
    assert pool.candidates("messageId", "message")[0] == "C-1"
