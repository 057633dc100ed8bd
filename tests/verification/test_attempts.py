"""Working calls are found where a header is fixed, and where only an error says which kind of id is meant."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from services_app.engine.schema import compile_schema
from services_app.specs.vocabulary import Reading
from services_app.verification.attempts import amended, attempts
from services_app.verification.pool import Pool
from services_app.verification.subject import Subject

TEXT = {"type": "string"}


def subject(properties: dict[str, Any], noun: str) -> Subject:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    info: Any = SimpleNamespace(name=f"get_{noun}", input_schema=schema, examples=())
    return Subject(info, Reading("get", "get", noun, plural=False), compile_schema(schema))


def pool() -> Pool:
    found = Pool()
    found.harvest({"success": True, "data": [{"id": "USE-0001", "content_type": "image/png"}]}, "user")
    found.harvest({"success": True, "data": [{"id": "GRO-0001"}]}, "group")
    return found


def test_a_constant_is_sent_whatever_was_seen_under_its_name() -> None:
    fixed = {"type": "string", "const": "application/json"}
    first = next(iter(attempts(pool(), subject({"Content-Type": fixed, "user_id": TEXT}, "user"))))
    assert first == {"Content-Type": "application/json", "user_id": "USE-0001"}


def test_an_error_that_names_a_kind_gets_ids_of_that_kind() -> None:
    joining = subject({"id": TEXT, "user_id": TEXT}, "user")
    error = {"code": 404, "message": "No group with id 'USE-0009'."}
    found = list(amended(pool(), joining, {"id": "USE-0009", "user_id": "USE-0001"}, error))
    assert found == [{"id": "GRO-0001", "user_id": "USE-0001"}]
    assert not list(amended(pool(), joining, {"id": "x"}, {"message": "Something else is wrong."}))


def test_values_that_belong_together_come_from_one_record_also_of_the_first_words_of_a_noun() -> None:
    seen = Pool()
    rows = [{"id": f"ISS-{number}", "number": number, "repo": f"repo-{number}"} for number in range(1, 30)]
    seen.harvest({"success": True, "data": rows}, "issue")
    renaming = subject({"number": {"type": "integer"}, "repo": TEXT}, "issue_title")
    assert {"number": 7, "repo": "repo-7"} in list(attempts(seen, renaming))[:40]
