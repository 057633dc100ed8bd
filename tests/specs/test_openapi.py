"""OpenAPI 3 documents: one tool for every operation, each with the schemas it uses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services_app.engine.schema import compile_schema
from services_app.specs.errors import SpecError
from services_app.specs.files import load_text
from services_app.specs.model import Specification

DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Marina", "description": "Berths and boats.", "version": "2"},
    "paths": {
        "/berths": {
            "get": {
                "operationId": "listBerths",
                "summary": "List berths.",
                "description": "Newest first.",
                "parameters": [
                    {"$ref": "#/components/parameters/Page"},
                    {"name": "Authorization", "in": "header", "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {
                        "content": {
                            "application/json": {
                                "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Berth"}}
                            }
                        }
                    }
                },
            },
            "post": {
                "operationId": "addBerth",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Berth"}}},
                },
                "responses": {
                    "201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Berth"}}}}
                },
            },
        },
        "/berths/{id}": {
            "parameters": [
                {
                    "name": "id",
                    "in": "path",
                    "required": True,
                    "schema": {"type": "string"},
                    "description": "of the path",
                }
            ],
            "delete": {"responses": {"204": {"description": "gone"}}},
            "put": {
                "operationId": "moveBoat",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "requestBody": {
                    "content": {
                        "text/csv": {},
                        "application/json": {"schema": {"oneOf": [{"type": "string"}, {"type": "object"}]}},
                    }
                },
            },
            "patch": {
                "operationId": "lost",
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/Nowhere"}}}
                        }
                    }
                },
            },
        },
    },
    "components": {
        "parameters": {
            "Page": {
                "name": "page",
                "in": "query",
                "schema": {"type": "integer", "minimum": 0, "exclusiveMinimum": True},
            }
        },
        "schemas": {
            "Berth": {
                "type": "object",
                "required": ["code"],
                "properties": {
                    "code": {"type": "string"},
                    "boat": {"$ref": "#/components/schemas/Boat"},
                    "note": {"type": "string", "nullable": True},
                },
            },
            "Boat": {
                "type": "object",
                "properties": {"berth": {"$ref": "#/components/schemas/Berth"}, "length": {"type": "number"}},
            },
            "Unused": {"type": "object"},
        },
    },
}


@pytest.fixture(scope="module")
def marina() -> Specification:
    return load_text(json.dumps(DOCUMENT), "api.json")


def test_operations_become_tools_and_the_document_describes_the_service(marina: Specification) -> None:
    assert [tool.name for tool in marina.tools] == ["listBerths", "addBerth", "moveBoat", "delete_berths_id"]
    assert (marina.slug, marina.title, marina.description) == ("marina", "Marina", "Berths and boats.")
    assert marina.tool("listBerths").description == "List berths.\n\nNewest first."
    assert marina.tool("listBerths").annotations["readOnlyHint"] is True
    assert marina.tool("delete_berths_id").annotations["destructiveHint"] is True
    assert marina.raw == DOCUMENT


def test_parameters_and_plain_bodies_become_arguments(marina: Specification) -> None:
    assert marina.tool("listBerths").properties == {"page": {"type": "integer", "exclusiveMinimum": 0}}
    add = marina.tool("addBerth")
    assert add.properties.keys() == {"code", "boat", "note"}
    assert add.required == ("code",)
    assert add.properties["note"]["type"] == ["string", "null"]
    move = marina.tool("moveBoat")
    assert move.properties["id"] == {"type": "integer"}
    assert move.properties.keys() == {"id", "body"}
    assert move.required == ("id",)


def test_shared_schemas_travel_with_the_tools_that_use_them(marina: Specification) -> None:
    add = marina.tool("addBerth")
    assert add.input_schema["$defs"].keys() == {"Berth", "Boat"}
    problems = compile_schema(add.input_schema).problems({"code": "A1", "boat": {"berth": {"code": 5}}})
    assert [problem.path for problem in problems] == ["boat.berth.code"]
    assert "$defs" not in marina.tool("listBerths").input_schema


def test_results_are_objects(marina: Specification) -> None:
    listed, added = marina.tool("listBerths").output_schema, marina.tool("addBerth").output_schema
    assert listed is not None
    assert added is not None
    assert compile_schema(listed).is_valid({"result": [{"code": "A1"}]})
    assert not compile_schema(listed).is_valid({"result": [{"code": 1}]})
    assert not compile_schema(added).is_valid({"code": 1})
    assert marina.tool("delete_berths_id").output_schema is None


def test_an_operation_with_a_lost_schema_is_refused_alone(marina: Specification) -> None:
    (refused,) = marina.refused
    assert (refused.name, refused.code) == ("lost", "ref:dangling")


@pytest.mark.parametrize(
    "document",
    [
        {"swagger": "2.0", "paths": {}},
        {"openapi": "3.1.0"},
        {"openapi": "3.1.0", "paths": 5},
        {"openapi": "3.1.0", "paths": {"/a": None, "/b": {"get": "x"}, "/c": {"$ref": "http://example.com/y"}}},
        {"openapi": None},
    ],
)
def test_documents_without_usable_operations_are_refused(document: Any) -> None:
    with pytest.raises(SpecError) as caught:
        load_text(json.dumps(document), "api.json")
    assert caught.value.kind == "file:openapi"


def test_odd_documents_do_not_crash() -> None:
    odd = {
        "get": {
            "parameters": [5, {"name": "a"}, {"name": "b", "in": "query", "schema": 7}],
            "requestBody": {"content": {"x/y": {"schema": 3}}},
            "responses": {"200": 4},
        }
    }
    spec = load_text(json.dumps({"openapi": "3.1.0", "paths": {"/": odd}}), "api.json")
    assert [tool.name for tool in spec.tools] == ["get"]
    assert spec.tools[0].properties == {"b": {}}
