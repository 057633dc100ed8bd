"""YAML documents become the JSON they stand for, and nothing in them can blow up."""

from __future__ import annotations

import json
import time

import pytest

from services_app.specs import yaml_text
from services_app.specs.errors import SpecError
from services_app.specs.files import load_text
from services_app.specs.yaml_text import parse_yaml
from tests.specs.test_openapi import DOCUMENT

API = """\
# A marina.
openapi: 3.1.0
info: {title: Marina, version: 1.0}
paths:
  /berths/{berth}:
    get:
      operationId: getBerth
      summary: Read one berth.
      parameters:
        - {name: berth, in: path, required: true, schema: {type: string}}
        - name: country
          in: query
          schema: {type: string, enum: [no, se, dk], default: no}
        - name: since
          in: query
          schema: {type: string, format: date, default: 2024-01-01}
      responses:
        200:
          description: Found.
          content:
            application/json:
              schema: &berth
                type: object
                properties: {id: {type: string}, on: {type: boolean}}
  /berths:
    post:
      operationId: addBerth
      requestBody:
        required: true
        content: {application/json: {schema: {<<: *berth, required: [id]}}}
      responses: {}
"""


def test_an_api_document() -> None:
    spec = load_text(API, "marina.yaml")
    assert (spec.title, [tool.name for tool in spec.tools]) == ("Marina", ["getBerth", "addBerth"])
    get, add = spec.tools
    assert get.properties["country"]["enum"] == ["no", "se", "dk"]
    assert get.properties["country"]["default"] == "no"
    assert get.properties["since"]["default"] == "2024-01-01"
    assert get.output_schema is not None
    assert set(get.output_schema["properties"]) == {"id", "on"}
    assert add.required == ("id",)
    assert any(note.code == "file:yaml" for note in spec.notes)
    assert json.loads(spec.model_dump_json())


def test_the_same_document_as_json_and_as_yaml_is_the_same_content() -> None:
    import yaml

    as_json, as_yaml = load_text(json.dumps(DOCUMENT), "a.json"), load_text(yaml.safe_dump(DOCUMENT), "a.yml")
    assert as_json.content_hash == as_yaml.content_hash


def test_a_list_of_tools_in_yaml() -> None:
    spec = load_text("tools:\n- name: list_berths\n  inputSchema: {type: object}\n", "pasted.json")
    assert [tool.name for tool in spec.tools] == ["list_berths"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: no", {"a": "no"}),
        ("a: on", {"a": "on"}),
        ("a: true", {"a": True}),
        ("a: 'true'", {"a": "true"}),
        ("a:", {"a": None}),
        ("a: ~", {"a": None}),
        ("a: 0x1f", {"a": "0x1f"}),
        ("a: 012", {"a": "012"}),
        ("a: 12:30", {"a": "12:30"}),
        ("a: 1.50", {"a": 1.5}),
        ("a: -3e2", {"a": -300.0}),
        ("a: 1_000", {"a": "1_000"}),
        ("a: 2024-01-01", {"a": "2024-01-01"}),
        ("a: !!python/object:os.system x", {"a": "x"}),
        ("200: ok", {"200": "ok"}),
        ("[a, [b]]", ["a", ["b"]]),
        ("", None),
    ],
)
def test_values(text: str, value: object) -> None:
    assert parse_yaml(text, "a.yaml") == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a: [1, 2", "file:not-yaml"),
        ("a: b: c", "file:not-yaml"),
        ("a: 1\n---\nb: 2", "file:not-yaml"),
        ("? [a, b]\n: c", "file:not-yaml"),
        ("a: &x [*x]", "file:not-yaml"),
        ("a: *nothing", "file:not-yaml"),
    ],
)
def test_what_has_no_json_value_gets_a_sentence(text: str, kind: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_yaml(text, "a.yaml")
    assert caught.value.kind == kind
    assert caught.value.message.endswith(".")


def test_aliases_cannot_blow_up(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    monkeypatch.setattr(yaml_text, "MOST_NODES", 100_000)
    started = time.monotonic()
    with pytest.raises(SpecError, match="aliases"):
        parse_yaml("\n".join(lines), "bomb.yaml")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("text", ["[" * 100_000, "a: " + "{b: " * 5_000, "- " * 50_000 + "x"])
def test_depth_ends_in_a_sentence(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_yaml(text, "deep.yaml")
    assert caught.value.kind in ("file:too-deep", "file:not-yaml")


def test_a_yaml_file_that_is_none_says_where() -> None:
    with pytest.raises(SpecError, match="line 2") as caught:
        load_text("openapi: 3.0.0\npaths: {]\n", "api.yaml")
    assert caught.value.kind == "file:not-yaml"
