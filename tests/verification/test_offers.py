"""What a refusal offers instead is tried: nothing else says what an open `expand` takes."""

import pytest

from services_app.verification.liveness import named_values


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("expand cannot be x; there is members, owner.", ["members", "owner"]),
        ("Cannot sort by 'x'; use one of name, created_at.", ["name", "created_at"]),
        ("status must be one of: 'open', 'closed' or 'all'", ["open", "closed", "all"]),
        ("No ticket fits the arguments.", []),
        ("x cannot be y; there is none of these words here.", []),
    ],
)
def test_offered_values(message: str, values: list[str]) -> None:
    assert named_values({"success": False, "error": {"code": 400, "message": message}}) == values


def test_a_success_offers_nothing() -> None:
    assert named_values({"success": True, "data": "one of a, b"}) == []
