"""The order of a queue is that of its rows: a message takes the first in line, whichever run it names."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.apps.problems import assert_problem
from tests.factories import make_run
from webapp.common import jobs, runs, selectors
from webapp.common.models import Activity, Run
from webapp.common.run_queue import next_up, waiting

pytestmark = pytest.mark.django_db


def three(queue: str = "train") -> list[Run]:
    now = timezone.now()
    return [make_run(queue=queue, title=name, created_at=now + timedelta(seconds=n)) for n, name in enumerate("abc")]


def order(queue: str = "train") -> str:
    return "".join(waiting(queue).values_list("title", flat=True))


def test_age_decides_until_somebody_moves_a_run() -> None:
    first, _second, last = three()
    assert order() == "abc"
    runs.move(last, None, "front")
    assert order() == "cab"
    runs.move(first, None, "back")
    assert order() == "cba"
    assert selectors.place_in_line(Run.objects.get(pk=last.pk)) == (1, 3)
    other = make_run(queue="export")
    assert selectors.place_in_line(other) == (1, 1)


def test_a_message_takes_the_first_in_line_and_every_run_is_taken_once(monkeypatch: Any) -> None:
    rows = three()
    runs.move(rows[2], None, "front")
    taken: list[str] = []

    def execute(run_id: Any, **_: Any) -> bool:
        taken.append(Run.objects.get(pk=run_id).title)
        return bool(Run.objects.filter(pk=run_id, state="queued").update(
            state="succeeded", finished_at=timezone.now(), send_at=None
        ))  # fmt: skip

    monkeypatch.setattr(jobs.runs, "execute", execute)
    for row in rows:  # the messages arrive in the order of their making
        jobs.execute(str(row.pk))
    assert taken == ["c", "a", "b"]
    jobs.execute(str(rows[0].pk))  # delivered twice: nothing is left to take
    assert not Run.objects.filter(state="queued").exists()


def test_a_lost_run_waits_until_it_is_due_and_other_queues_are_not_touched() -> None:
    now = timezone.now()
    lost = make_run(queue="train", priority=9, heartbeat_at=now, send_at=now + timedelta(minutes=5))
    fresh = make_run(queue="train")
    elsewhere = make_run(queue="export", priority=50)
    assert next_up(fresh.pk, now) == fresh.pk
    assert next_up(fresh.pk, now + timedelta(minutes=6)) == lost.pk
    assert next_up(lost.pk, now) == lost.pk  # its own message decides for itself
    assert next_up(elsewhere.pk, now) == elsewhere.pk


def test_only_trainers_reorder_and_only_what_still_waits(client_as: Any, api_as: Any) -> None:
    rows = three()
    url = f"/jobs/{rows[2].public_id}/move/"
    assert client_as("curator").post(url, {"place": "front"}).status_code == 403
    trainer = client_as("trainer")
    assert trainer.post(url, {"place": "sideways"}).status_code == 400
    assert "3 of 3 in the queue" in trainer.get(rows[2].get_absolute_url()).content.decode()
    assert trainer.post(url, {"place": "front"}).status_code == 302
    assert order() == "cab"
    assert Activity.objects.filter(verb="job.reordered", actor=trainer.user).exists()
    api = api_as("jobs:read", "jobs:write", role="trainer")
    path = f"/api/v1/jobs/{rows[1].public_id}/priority"
    reply = api.patch(path, {"priority": 7}, format="json")
    assert (reply.status_code, reply.json()["priority"]) == (200, 7)
    assert order() == "bca"
    assert_problem(api.patch(path, {"priority": 10_000}, format="json"), 422, "validation-failed")
    done = make_run(state="succeeded", finished_at=timezone.now(), send_at=None)
    refused = api.patch(f"/api/v1/jobs/{done.public_id}/priority", {"priority": 1}, format="json")
    assert_problem(refused, 409, "state-conflict")
