"""The whole API against its own description: every operation with generated requests on a filled database."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from services_app import actions, decisions
from services_app.models import EffectProfile, ModelSession, Tool
from tasks_app.policies.rules import ReferencePolicy
from tests.apps.test_api_services import DESK
from tests.catalogue import install_tasks, install_trajectory, profiles
from tests.factories import make_run, make_token, make_user
from webapp.common.roles import Scope

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300), pytest.mark.slow]

EXAMPLES = 4
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)


@pytest.fixture
def known(db: None) -> dict[str, dict[str, Any]]:
    """Path prefix -> path parameters of a row that exists."""
    task = install_tasks()[0]
    played = install_trajectory(task, ReferencePolicy())
    curator = make_user("curator")
    text = json.dumps(DESK)
    specification, _ = actions.import_text(text=text, name="desk.json", by=curator)
    tool = Tool.objects.get(exposed="mail__search_messages")
    decision = decisions.decide(tool=tool, kind="quarantine", by=curator, reason_code="not_deterministic")
    measured = profiles()["mail"]
    EffectProfile.objects.create(
        slug="mail", version_hash=measured.version_hash, profile=measured.model_dump(mode="json")
    )
    session = ModelSession.objects.create(role="builder", slug="desk", model="openai/some", specification=specification)
    session.transcript.create(number=0, message={"role": "user", "content": "Go."})
    goal = task.to_spec().goal.changes[0]
    return {
        "/jobs": {"id": make_run(state="running").public_id},
        "/operations": {"id": make_run(state="failed").public_id},
        "/services": {"slug": "mail", "number": 1},
        "/specifications": {"id": specification.public_id},
        "/sessions": {"id": session.public_id},
        "/tools": {"id": tool.public_id},
        "/decisions": {"id": decision.public_id},
        "/tasks": {"id": task.public_id, "service": goal["service"], "table": goal["table"]},
        "/trajectories": {"id": played.public_id, "number": 1},
        "/regradings": {"id": make_run(kind="regrade", state="succeeded").public_id},
        "/groups": {"id": f"grp_{played.group_id.hex}"},
    }


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Requests leave the test's connection open, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def _aim(case: Any, known: dict[str, dict[str, Any]]) -> None:
    """Point a generated request at a row that exists."""
    prefix = "/" + case.path.removeprefix("/api/v1").split("/")[1]
    for name, value in known.get(prefix, {}).items():
        if name in (case.path_parameters or {}):
            case.path_parameters[name] = value


def test_every_operation_keeps_what_the_schema_says(known: dict[str, dict[str, Any]], one_connection: None) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema/?format=json", get_wsgi_application())
    headers = {"Authorization": f"Bearer {make_token(make_user('admin'), *Scope.values)}"}
    broken: list[str] = []
    answered: set[str] = set()
    for found in schema.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(), aimed=st.sampled_from((True, True, False)))
        def check(case: Any, aimed: bool) -> None:
            if aimed:
                _aim(case, known)
            before = transaction.savepoint()
            response = case.call(headers=headers)
            if response.status_code >= 500:  # so that one crash does not look like many
                transaction.savepoint_rollback(before)
            if response.status_code < 300:
                answered.add(f"{case.method} {case.path}")
            case.validate_response(response, checks=CHECKS)

        try:
            check()
        except (FailureGroup, AssertionError) as error:
            broken.append(f"{operation.method} {operation.path}: {error}")
    assert not broken, "\n\n".join(broken)
    reads = {f"GET {path}" for path, methods in schema.raw_schema["paths"].items() if "get" in methods}
    ours = [f"/api/v1{prefix}" for prefix in known if prefix not in ("/jobs", "/operations")]
    missed = {read for read in reads - answered if read.removeprefix("GET ").startswith(tuple(ours))}
    assert not missed, "no request was answered by these, so nothing was checked"
