"""What the schema needs beyond drf-spectacular: problems, the bearer scheme, idempotency and version headers."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from webapp.common.problems import CATALOGUE, CONTENT_TYPE

_METHODS = ("get", "post", "put", "patch", "delete")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # the library has no types here
    target_class = "webapp.common.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "cwk_<id>.<secret>"}


PROBLEM = {
    "type": "object",
    "description": "RFC 9457. `code` is stable; `errors` names each wrong value by JSON Pointer.",
    "required": ["type", "title", "status", "detail", "instance", "code", "request_id", "errors"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "code": {"enum": sorted(CATALOGUE)},
        "request_id": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "pointer": {"type": "string"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
    },
}


def postprocess(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Adds the Problem component and the refusals that any operation may answer with."""
    result.setdefault("components", {}).setdefault("schemas", {})["Problem"] = PROBLEM
    answer = {
        "description": "Refused; see `code`.",
        "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path in result.get("paths", {}).values():
        for method in _METHODS:
            if operation := path.get(method):
                for status in ("4XX", "5XX"):
                    operation.setdefault("responses", {}).setdefault(status, answer)
    plain: dict[str, Any] = _without_nullable(result)
    return plain


def _without_nullable(node: Any) -> Any:
    """OpenAPI 3.1 has no `nullable`; some generators still write it."""
    if isinstance(node, list):
        return [_without_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {key: _without_nullable(value) for key, value in node.items() if key != "nullable"}
    if node.get("nullable") is True and isinstance(node.get("type"), str):
        plain["type"] = [node["type"], "null"]
    if plain.get("oneOf") == [{}, {"type": "null"}]:  # "anything, or null" is anything: null fits the first twice
        del plain["oneOf"]
    return plain
