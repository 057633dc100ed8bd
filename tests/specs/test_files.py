"""Files and text: every envelope gives the same tools, everything else one clear message."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from services_app.specs.errors import SpecError
from services_app.specs.files import load_directory, load_file, load_text
from services_app.specs.model import Specification
from tests.specs.helpers import codes, note, spec_of

TOOLS: list[dict[str, Any]] = [
    {
        "name": "find_boat",
        "description": "Find a boat.",
        "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    },
    {
        "name": "moor_boat",
        "description": "Moor a boat.",
        "inputSchema": {"type": "object", "properties": {"berth": {"type": "integer"}}},
    },
]
FUNCTIONS = [
    {
        "type": "function",
        "function": {"name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"]},
    }
    for tool in TOOLS
]
BEDROCK = [
    {
        "toolSpec": {
            "name": tool["name"],
            "description": tool["description"],
            "inputSchema": {"json": tool["inputSchema"]},
        }
    }
    for tool in TOOLS
]
SNAKE = [
    {"name": tool["name"], "description": tool["description"], "input_schema": tool["inputSchema"]} for tool in TOOLS
]


@pytest.mark.parametrize(
    "value",
    [
        TOOLS,
        {"tools": TOOLS},
        {"result": {"tools": TOOLS}},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": TOOLS, "nextCursor": None}},
        {"data": {"tools": TOOLS}},
        [{"result": {"tools": TOOLS[:1], "nextCursor": "a"}}, {"result": {"tools": TOOLS[1:]}}],
        [{"tools": TOOLS[:1]}, {"tools": TOOLS[1:]}],
        {"pages": [{"tools": TOOLS[:1]}, {"tools": TOOLS[1:]}], "serverInfo": {"name": "x"}},
        {"tools": {tool["name"]: {word: part for word, part in tool.items() if word != "name"} for tool in TOOLS}},
        {"functions": FUNCTIONS},
        FUNCTIONS,
        {"tools": [{"functionDeclarations": SNAKE}]},
        {"tools": BEDROCK},
        SNAKE,
        [
            {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18"}},
            {"jsonrpc": "2.0", "id": 2, "result": {"tools": TOOLS}},
        ],
    ],
)
def test_every_envelope_gives_the_same_tools(value: Any) -> None:
    spec = load_text(json.dumps(value), "harbour.json")
    assert spec.refused == ()
    assert spec.content_hash == load_text(json.dumps(TOOLS), "plain.json").content_hash
    assert spec.raw == value


def test_one_tool_by_itself_and_one_value_a_line_are_read() -> None:
    assert [tool.name for tool in load_text(json.dumps(TOOLS[0]), "one.json").tools] == ["find_boat"]
    lines = "\n".join(json.dumps(item) for item in ({"id": 1, "result": {}}, {"id": 2, "result": {"tools": TOOLS}}))
    assert len(load_text(lines, "session.jsonl").tools) == 2


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("", "file:empty", "empty"),
        (" \n", "file:empty", "empty"),
        ("[]", "file:empty-list", "empty"),
        ('{"tools": []}', "file:empty-list", "empty"),
        ('{"tools": [{"name": "a",}]}', "file:not-json", "line 1, column"),
        ('{"tools": [', "file:not-json", "line 1"),
        ("<!doctype html>", "file:not-json", "line 1, column 1"),
        ("name: yaml", "file:not-json", "line 1"),
        ('{"a": 1}\n{"b": oops}', "file:not-json", "line 2"),
        ("5", "file:no-tools", "no list of tools"),
        ("null", "file:no-tools", "no list of tools"),
        ("[1, 2]", "file:no-tools", "no list of tools"),
        ('{"hello": "world"}', "file:no-tools", "no list of tools"),
        ('{"tools": 5}', "file:no-tools", "no list of tools"),
        ('{"mcpServers": {"a": {"command": "x"}}}', "file:client-config", "configuration"),
        ('{"openapi": "3.1.0", "paths": {}}', "file:openapi", "OpenAPI"),
        (
            '{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}}',
            "file:error-answer",
            "Method not found",
        ),
        ("9" * 5000, "file:not-json", "too long"),
    ],
)
def test_what_is_no_specification_gets_one_clear_message(text: str, kind: str, words: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_text(text, "sample.json")
    assert caught.value.kind == kind
    assert words in caught.value.message
    assert caught.value.to_json().keys() == {"kind", "message", "hint"}


def test_byte_order_marks_and_wrong_encodings() -> None:
    text = json.dumps({"tools": [{"name": "straße", "description": "Grüße 你好"}]}, ensure_ascii=False)
    assert load_text(codecs.BOM_UTF8 + text.encode(), "bom.json").tools[0].name == "straße"
    assert load_text("\ufeff" + text, "bom.json").tools[0].description == "Grüße 你好"
    for data in (text.encode("utf-16"), text.encode("latin-1", "replace"), b'{"tools": "\xff"}'):
        with pytest.raises(SpecError) as caught:
            load_text(data, "odd.json")
        assert caught.value.kind == "file:not-utf8"
        assert caught.value.hint == "Save it as UTF-8."


def test_files_that_are_missing_or_folders_are_named(tmp_path: Path) -> None:
    for path, kind in ((tmp_path / "nothing.json", "file:missing"), (tmp_path, "file:unreadable")):
        with pytest.raises(SpecError) as caught:
            load_file(path)
        assert caught.value.kind == kind
        assert path.name in caught.value.message


def test_a_directory_gives_every_file_its_own_outcome(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(TOOLS))
    (tmp_path / "b.json").write_text("{broken")
    (tmp_path / "c.json").write_bytes(b"\xff\xfe")
    (tmp_path / "d.json").write_text(json.dumps({"tools": TOOLS}))
    (tmp_path / "notes.txt").write_text("not looked at")
    (tmp_path / "sub.json").mkdir()
    outcomes = list(load_directory(tmp_path))
    assert [outcome.path.name for outcome in outcomes] == ["a.json", "b.json", "c.json", "d.json"]
    assert [outcome.error.kind if outcome.error else "ok" for outcome in outcomes] == [
        "ok",
        "file:not-json",
        "file:not-utf8",
        "ok",
    ]
    assert all((outcome.specification is None) == (outcome.error is not None) for outcome in outcomes)


def test_what_json_cannot_carry_is_replaced_and_noted() -> None:
    spec = load_text(
        '[{"name": "t", "description": "nul \\u0000 half \\ud800", '
        '"inputSchema": {"properties": {"n": {"default": NaN, "maximum": 1e999}}}}]',
        "x.json",
    )
    assert spec.tools[0].description == "nul \ufffd half \ufffd"
    assert spec.tools[0].properties["n"] == {"default": None}
    assert note(spec, "raw:unstorable").severity == "warning"
    assert Specification.model_validate_json(spec.model_dump_json()) == spec


def test_repeated_keys_are_noted() -> None:
    spec = load_text(
        '[{"name": "t", "inputSchema": {"properties": {"a": {"type": "string"}, "a": {"type": "integer"}}}}]', "x.json"
    )
    assert spec.tools[0].properties == {"a": {"type": "integer"}}
    assert "'a'" in note(spec, "json:repeated-key").message


def test_names_titles_and_domains_come_from_the_file() -> None:
    spec = spec_of(*TOOLS, name="Harbour Office", title="The harbour", domain="logistics", source="x")
    assert (spec.slug, spec.title, spec.domain) == ("harbour-office", "The harbour", "logistics")
    assert spec.source.locator == "sample.json"
    bare = load_text(json.dumps(TOOLS), "My Boats.json")
    assert (bare.slug, bare.title, bare.domain) == ("my-boats", "My Boats", None)
    foreign = load_text(json.dumps(TOOLS), "港.json")
    assert foreign.slug.startswith("service-")
    assert foreign.title == "港"


def test_specifications_round_trip_and_are_frozen() -> None:
    spec = spec_of(*TOOLS, {"name": ""}, {"name": "x", "inputSchema": {"type": "any"}}, name="harbour")
    again = Specification.model_validate_json(spec.model_dump_json())
    assert again == spec
    assert again.content_hash == spec.content_hash
    assert again.raw_hash == spec.raw_hash
    with pytest.raises(ValueError, match="frozen"):
        spec.title = "other"  # type: ignore[misc]


def test_the_content_hash_sees_meaning_and_nothing_else() -> None:
    base = spec_of(*TOOLS, name="a")
    assert base.content_hash == spec_of(*reversed(TOOLS), name="b").content_hash
    assert base.content_hash == spec_of(*TOOLS, {"name": ""}).content_hash
    changed = json.loads(json.dumps(TOOLS))
    changed[0]["inputSchema"]["properties"]["name"]["type"] = "integer"
    assert base.content_hash != spec_of(*changed).content_hash
    assert base.raw_hash != spec_of(*reversed(TOOLS), name="a").raw_hash


def test_tools_are_found_by_name_and_notes_by_tool() -> None:
    spec = spec_of(*TOOLS, {"name": "odd", "inputSchema": {"type": "any"}})
    assert spec.tool("moor_boat").properties.keys() == {"berth"}
    assert codes(spec, "odd") == ["type:any", "type:added", "properties:added"]
    assert [item.code for item in spec.notes_for("odd")] == codes(spec, "odd")
    with pytest.raises(KeyError):
        spec.tool("none")
