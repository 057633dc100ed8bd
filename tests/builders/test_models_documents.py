"""Text documents: a server built from a specification, called in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.engine.remote import ServiceHost
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from workers.sandbox.process import SandboxProcess

Call = Callable[..., dict[str, Any]]
FLAG = {"type": "boolean"}
FILE = {"filename": "/report.docx"}


@pytest.fixture(scope="module")
def built() -> BuiltService:
    file, cell = {"filename": TEXT}, {"table_index": WHOLE, "row_index": WHOLE, "col_index": WHOLE}
    letters = {"paragraph_index": WHOLE, "start_pos": WHOLE, "end_pos": WHOLE, "bold": FLAG}
    near = {"target_text": TEXT, "target_paragraph_index": WHOLE, "line_text": TEXT, "position": TEXT}
    return build_with_rules(
        spec_of(
            tool("get_document_text", file, "filename"),
            tool("get_document_outline", file, "filename"),
            tool("add_heading", {**file, "text": TEXT, "level": WHOLE}, "filename text"),
            tool("add_paragraph", {**file, "text": TEXT, "bold": FLAG}, "filename text"),
            tool("insert_line_or_paragraph_near_text", {**file, **near}, "filename"),
            tool("delete_paragraph", {**file, "paragraph_index": WHOLE}, "filename paragraph_index"),
            tool(
                "search_and_replace",
                {**file, "find_text": TEXT, "replace_text": TEXT},
                "filename find_text replace_text",
            ),
            tool("format_text", {**file, **letters}, "filename paragraph_index start_pos end_pos"),
            tool(
                "format_table_cell_text",
                {**file, **cell, "text_content": TEXT},
                "filename table_index row_index col_index",
            ),
            tool("protect_document", {**file, "password": TEXT}, "filename password"),
            tool("unprotect_document", {**file, "password": TEXT}, "filename password"),
        )
    )


@pytest.fixture(scope="module")
def host(built: BuiltService) -> Iterator[ServiceHost]:
    with SandboxProcess("services_app.engine.host", files=built.packaged()) as process:
        yield ServiceHost(process, {built.slug: built.module})


@pytest.fixture
def call(host: ServiceHost, built: BuiltService) -> Call:
    environment = host.mount([built.slug])

    def make(name: str, **arguments: Any) -> dict[str, Any]:
        observation = environment.call(built.slug, name, {**FILE, **arguments})
        shown: dict[str, Any] = observation["data"] if observation["success"] else observation["error"]
        return shown

    return make


def blocks(call: Call) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call("get_document_outline")["blocks"]
    return found


def test_what_is_added_stands_at_the_end(call: Call) -> None:
    call("add_heading", text="Open points", level=2)
    call("add_paragraph", text="None so far.", bold=True)
    assert [(one["text"], one["style"]) for one in blocks(call)[-2:]] == [
        ("Open points", "Heading 2"),
        ("None so far.", "Normal"),
    ]
    assert blocks(call)[-1]["format"] == {"bold": "True"}
    assert call("add_heading", text="Too deep", level=12)["type"] == "invalid_level"


def test_a_line_is_inserted_beside_the_text_that_is_named(call: Call) -> None:
    call("insert_line_or_paragraph_near_text", target_text="Costs", line_text="In euros.", position="before")
    texts = [one["text"] for one in blocks(call)]
    assert texts[texts.index("Costs") - 1] == "In euros."
    both = {"target_text": "Costs", "target_paragraph_index": 0, "line_text": "x"}
    assert call("insert_line_or_paragraph_near_text", **both)["type"] == "two_places"
    assert call("insert_line_or_paragraph_near_text", target_text="nowhere", line_text="x")["code"] == 404


def test_words_are_replaced_in_paragraphs_and_tables(call: Call) -> None:
    assert call("search_and_replace", find_text="Paint", replace_text="Varnish")["replaced"] == 1
    assert "Varnish | 120" in call("get_document_text")["text"]
    assert call("search_and_replace", find_text="Paint", replace_text="x")["code"] == 404


def test_formats_stay_with_their_letters_and_cells(call: Call) -> None:
    call("format_text", paragraph_index=0, start_pos=0, end_pos=7, bold=True)
    call("format_table_cell_text", table_index=0, row_index=1, col_index=1, text_content="125")
    assert blocks(call)[0]["marks"] == {"0-7": {"bold": "True"}}
    assert blocks(call)[4]["rows"][1] == ["Paint", "125"]
    assert call("format_text", paragraph_index=0, start_pos=5, end_pos=500, bold=True)["type"] == "invalid_range"


def test_a_deleted_paragraph_is_gone(call: Call) -> None:
    gone = call("delete_paragraph", paragraph_index=1)["deleted"]
    assert gone not in call("get_document_text")["text"]
    assert call("delete_paragraph", paragraph_index=99)["code"] == 404


def test_a_protected_document_is_not_changed(call: Call) -> None:
    call("protect_document", password="salt")
    assert call("add_paragraph", text="x")["type"] == "protected"
    assert call("unprotect_document", password="pepper")["code"] == 403
    call("unprotect_document", password="salt")
    assert "filename" in call("add_paragraph", text="x")
