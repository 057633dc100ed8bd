"""Attempts, waits and deadlines as a server sees them (case LLM-3), with the times of the case scaled down."""

import itertools
import os
import threading
import time
from email.utils import formatdate

import pytest

from tests.stub_model import StubModel, error, text, trickle
from workers.llm.client import ModelError
from workers.llm.litellm_client import load_litellm
from workers.llm.ratelimit import RateLimiter
from workers.llm.retry import Policy

# The first import of LiteLLM takes half a minute on a busy machine.
pytestmark = pytest.mark.timeout(300)

ASK = [{"role": "user", "content": "go"}]


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    load_litellm()


def gaps(stub):
    times = [request.at for request in stub.requests]
    return [later - earlier for earlier, later in itertools.pairwise(times)]


def test_the_case_as_written(client):
    """429 twice with a wait, then a trickle, then 500: three attempts, waits kept, nothing hangs."""
    policy = Policy(attempts=3, call_seconds=1.5, step_seconds=12)
    began = time.monotonic()
    with StubModel([error(429, retry_after=1), error(429, retry_after=1), trickle(0.2), error(500), text("x")]) as stub:
        with pytest.raises(ModelError) as caught:
            client(stub, policy=policy).complete(ASK)
        took = time.monotonic() - began
        assert len(stub.requests) == 3
        assert all(gap >= 1.0 for gap in gaps(stub))
    assert caught.value.kind == "timeout"
    assert "no complete answer within 1.5 s (3 attempts in" in caught.value.message
    assert 3.5 <= took < policy.step_seconds
    first, second, third = caught.value.attempts
    assert (first.outcome, first.waited, first.wait_reason) == ("rate_limited", 0, "")
    assert (second.outcome, second.wait_reason) == ("rate_limited", "retry-after")
    assert (third.outcome, third.wait_reason) == ("timeout", "retry-after")
    assert third.waited >= 1.0
    assert 1.4 < third.seconds < 5


def test_a_trickle_is_cut_by_the_clock(client):
    began = time.monotonic()
    with StubModel([trickle(0.1)]) as stub, pytest.raises(ModelError) as caught:
        client(stub, policy=Policy(attempts=1, call_seconds=1)).complete(ASK)
    assert caught.value.kind == "timeout"
    assert time.monotonic() - began < 10


def test_the_step_ends_in_time_with_the_last_error(client):
    policy = Policy(attempts=10, call_seconds=1, step_seconds=2, first_backoff=0.1)
    began = time.monotonic()
    with StubModel([trickle(0.1)] * 10) as stub:
        with pytest.raises(ModelError, match="no complete answer"):
            client(stub, policy=policy).complete(ASK)
        assert len(stub.requests) <= 3
    assert time.monotonic() - began < 10


def test_a_wait_longer_than_the_step_fails_at_once(client):
    began = time.monotonic()
    with StubModel([error(429, "slow down", retry_after=60)]) as stub:
        with pytest.raises(ModelError) as caught:
            client(stub, policy=Policy(step_seconds=5)).complete(ASK)
        assert len(stub.requests) == 1
    assert caught.value.kind == "rate_limited"
    assert "slow down; waiting 60 s more would exceed the limit of 5 s per step" in caught.value.message
    assert time.monotonic() - began < 10


def test_a_wait_given_as_a_date_is_understood(client):
    def script(_):
        if len(stub.requests) > 1:
            return text("x")
        return error(429, retry_after=formatdate(time.time() + 2, usegmt=True))

    with StubModel(script) as stub:
        assert client(stub).complete(ASK).content == "x"
        assert gaps(stub)[0] >= 1.0  # the form has whole seconds


def test_recovery_after_failures_keeps_their_record(client):
    with StubModel([error(500), error(503), text("x")]) as stub:
        reply = client(stub).complete(ASK)
    assert reply.content == "x"
    assert [attempt.outcome for attempt in reply.attempts] == ["unavailable", "unavailable", "ok"]
    assert [attempt.wait_reason for attempt in reply.attempts] == ["", "backoff", "backoff"]
    assert reply.attempts[2].waited == pytest.approx(2 * reply.attempts[1].waited)


def test_parallel_workers_share_one_pause(client):
    """One call is refused; the others wait too instead of running into the same limit."""
    limiter = RateLimiter()

    def script(request):
        return error(429, retry_after=1) if len(stub.requests) == 1 else text("x")

    with StubModel(script) as stub:
        workers = [threading.Thread(target=client(stub, limiter=limiter).complete, args=(ASK,)) for _ in range(4)]
        workers[0].start()
        while not stub.requests:
            time.sleep(0.01)
        time.sleep(0.3)
        for worker in workers[1:]:
            worker.start()
        for worker in workers:
            worker.join()
        assert len(stub.requests) == 5
        refused = stub.requests[0].at
        assert all(request.at - refused >= 1.0 for request in stub.requests[1:])


def test_requests_per_minute_space_the_calls_of_all_threads(client):
    limiter = RateLimiter()
    with StubModel(lambda _: text("x")) as stub:
        workers = [
            threading.Thread(target=client(stub, limiter=limiter, requests_per_minute=30).complete, args=(ASK,))
            for _ in range(3)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        times = [request.at for request in stub.requests]
        assert max(times) - min(times) >= 2.0  # two gaps of two seconds, less what the first one lost on its way


def test_calls_from_many_threads_run_at_the_same_time(client):
    with StubModel(lambda _: text("x", delay=2)) as stub:
        asking = client(stub)
        asking.complete(ASK)
        workers = [threading.Thread(target=asking.complete, args=(ASK,)) for _ in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        times = [request.at for request in stub.requests[1:]]
        assert max(times) - min(times) < 8  # one after the other they would be ten seconds apart


def test_a_forked_worker_can_call_too(client):
    """Celery forks; the loop's thread and the connections of the parent do not come along."""
    with StubModel(lambda _: text("x")) as stub:
        asking = client(stub)
        asking.complete(ASK)
        child = os.fork()
        if child == 0:
            os._exit(0 if asking.complete(ASK).content == "x" else 1)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_limiter_spaces_and_blocks_per_provider():
    clock = Clock()
    limiter = RateLimiter(clock)
    assert [limiter.reserve("a", 60) for _ in range(3)] == [0, 1, 2]
    assert limiter.reserve("b", 60) == 0
    limiter.block("a", 10)
    limiter.block("a", 3)  # never shortens
    assert limiter.blocked("a") == 10
    assert limiter.reserve("a", 60) == 10
    assert limiter.blocked("b") == 0
    clock.now += 30
    assert limiter.blocked("a") == 0
    assert limiter.reserve("a") == 0
