"""What every refusal of the API must look like."""

import json
from typing import Any

PROBLEM = "application/problem+json"


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == PROBLEM
    body = json.loads(response.content)
    assert body["code"] == code
    assert body["status"] == status
    assert body["type"] == f"/help/problems/#{code}"
    assert body["request_id"] == response["X-Request-Id"]
    assert body.keys() >= {"title", "detail", "instance", "errors"}
    return body
