"""The LiteLLM client against a real local server (cases LLM-1, LLM-4, TRAJ-3, TRAJ-6)."""

import json
import subprocess
import sys

import pytest

from tests.stub_model import Reply, StubModel, call, calls, error, message, no_choices, text
from workers.llm.budget import Budget
from workers.llm.client import ModelError, Usage
from workers.llm.toolcalls import INVALID_ARGUMENTS

# The first import of LiteLLM takes half a minute on a busy machine.
pytestmark = pytest.mark.timeout(300)

ASK = [{"role": "user", "content": "go"}]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def test_an_answer_in_words(client):
    with StubModel([text("hello")]) as stub:
        reply = client(stub, temperature=0.5).complete(ASK, tools=[TOOL], max_tokens=77, seed=3)
        sent = stub.requests[0].json
    assert reply.message == {"role": "assistant", "content": "hello"}
    assert reply.finish_reason == "stop"
    assert not reply.truncated
    assert reply.usage == Usage(10, 5)
    assert [attempt.outcome for attempt in reply.attempts] == ["ok"]
    assert sent["messages"] == ASK
    assert sent["tools"] == [TOOL]
    assert (sent["max_tokens"], sent["seed"], sent["temperature"]) == (77, 3, 0.5)
    assert "stream" not in sent


def test_a_server_of_ones_own_needs_no_key(client, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with StubModel([text("hello")]) as stub:
        assert client(stub, api_key="").complete(ASK).content == "hello"


def test_tool_calls_of_every_shape_arrive_in_one_form(client):
    reply_calls = [
        call("a", '{"a":1}', identity="x"),
        call("b", "", identity="x"),
        {"function": {"name": " c ", "arguments": {"n": None}}},
        call("d", "[1]"),
        call("e", '{"p":1}{"p":2}'),
    ]
    with StubModel([calls(*reply_calls)]) as stub:
        reply = client(stub).complete(ASK)
    parts = reply.message["tool_calls"]
    assert reply.message["content"] == ""
    assert [part["function"]["name"] for part in parts] == ["a", "b", "c", "d", "e"]
    assert [part["function"]["arguments"] for part in parts[:3]] == ['{"a":1}', "{}", '{"n": null}']
    assert len({part["id"] for part in parts}) == 5
    assert parts[2]["id"] == "call_2"  # ours, the same in every replay
    assert [bool(found.error) for found in reply.tool_calls] == [False, False, False, True, True]
    assert json.loads(parts[4]["function"]["arguments"]) == {INVALID_ARGUMENTS: '{"p":1}{"p":2}'}
    assert reply.raw["tool_calls"] == reply_calls


def test_a_reply_can_be_sent_back_as_history(client):
    with StubModel([calls(call("f", {"a": 1})), text("done")]) as stub:
        asking = client(stub)
        first = asking.complete(ASK)
        answer = {"role": "tool", "tool_call_id": first.tool_calls[0].id, "content": "42"}
        assert asking.complete([*ASK, first.message, answer]).content == "done"
        assert stub.requests[1].json["messages"] == [*ASK, first.message, answer]


def test_calls_cut_off_by_the_limit_are_never_executable(client):
    cut = '{"service":"mail","tool":"send","arguments":{"to":"a@x","body":"aaaa'
    with StubModel([calls(call("whole", {"a": 1}), call("call_tool", cut), finish_reason="length")]) as stub:
        reply = client(stub).complete(ASK)
    assert reply.truncated
    assert all(found.error for found in reply.tool_calls)
    assert json.loads(reply.tool_calls[1].arguments) == {INVALID_ARGUMENTS: cut}
    assert reply.raw["tool_calls"][1]["function"]["arguments"] == cut


def test_a_text_cut_off_by_the_limit_says_so(client):
    with StubModel([message("half a sen", finish_reason="length")]) as stub:
        reply = client(stub).complete(ASK)
    assert (reply.content, reply.truncated) == ("half a sen", True)


@pytest.mark.parametrize(
    ("reply", "kind", "words", "requests"),
    [
        (
            message(None, reasoning_content="hmm", finish_reason="length"),
            "truncated",
            "no answer: output limit reached during reasoning (limit 100 tokens)",
            1,
        ),
        (message(None, finish_reason="length"), "truncated", "before the first word (limit 100 tokens)", 1),
        (message(None), "empty", "no answer: the model returned an empty message", 3),
        (message("  \n"), "empty", "no answer: the model returned an empty message", 3),
        (message(None, finish_reason="content_filter"), "empty", "content filter withheld it", 3),
        (message("half", finish_reason="content_filter"), "empty", "content filter withheld it", 3),
        (no_choices(), "bad_reply", "no answer: the provider returned no choices", 3),
    ],
)
def test_an_empty_answer_is_an_error_and_its_cost_is_booked(client, reply, kind, words, requests):
    budget = Budget()
    with StubModel([reply] * 3) as stub:
        asking = client(stub, budget=budget, max_tokens=100, input_price=1.0, output_price=2.0)
        with pytest.raises(ModelError) as caught:
            asking.complete(ASK)
        assert len(stub.requests) == requests
    assert caught.value.kind == kind
    assert words in caught.value.message
    assert [attempt.outcome for attempt in caught.value.attempts] == [kind] * requests
    assert caught.value.usage == budget.spent == Usage(10 * requests, 5 * requests)
    assert caught.value.cost_usd == pytest.approx(requests * 20e-6)
    assert budget.spent_usd == pytest.approx(requests * 20e-6)


def test_an_answer_lost_to_reasoning_is_asked_for_again_with_more_room(client):
    lost = message(None, reasoning_content="hmm", finish_reason="length")
    with StubModel([lost, lost, text("at last")]) as stub:
        reply = client(stub, max_tokens=100, token_ceiling=300).complete(ASK)
        assert [request.json["max_tokens"] for request in stub.requests] == [100, 200, 300]
    assert reply.content == "at last"
    assert reply.usage == Usage(30, 15)
    assert [attempt.outcome for attempt in reply.attempts] == ["truncated", "truncated", "ok"]


def test_at_the_ceiling_the_answer_stays_an_error(client):
    lost = message(None, reasoning_content="hmm", finish_reason="length")
    with StubModel([lost] * 3) as stub:
        with pytest.raises(ModelError, match=r"limit 200 tokens\)"):
            client(stub, max_tokens=100, token_ceiling=200).complete(ASK)
        assert len(stub.requests) == 2


def test_reasoning_is_kept_apart_from_the_answer(client):
    with StubModel([message("42", reasoning_content="six times seven")]) as stub:
        reply = client(stub).complete(ASK)
    assert (reply.content, reply.reasoning) == ("42", "six times seven")
    assert "reasoning_content" not in reply.message


@pytest.mark.parametrize(
    ("failure", "kind", "retryable", "requests"),
    [
        (error(401, "wrong key sk-secret"), "auth", False, 1),
        (error(403, "not yours"), "auth", False, 1),
        (error(400, "no such field"), "bad_request", False, 1),
        (error(404, "no such model"), "bad_request", False, 1),
        (error(400, "This model's maximum context length is 10 tokens"), "context", False, 1),
        (error(429), "rate_limited", True, 3),
        (error(500), "unavailable", True, 3),
        (error(503), "unavailable", True, 3),
        (Reply(b"<html>oops</html>"), "bad_reply", True, 3),
        (Reply(b'{"choices": [{"mess'), "bad_reply", True, 3),
        (Reply(b"null"), "bad_reply", True, 3),
        (Reply({"hello": 1}), "bad_reply", True, 3),
        (Reply({"choices": [{"message": None}]}), "bad_reply", True, 3),
        (calls("junk"), "bad_reply", True, 3),
    ],
)
def test_failures_by_kind(client, failure, kind, retryable, requests):
    with StubModel([failure] * 3) as stub:
        with pytest.raises(ModelError) as caught:
            client(stub).complete(ASK)
        assert len(stub.requests) == requests
    assert (caught.value.kind, caught.value.retryable) == (kind, retryable)
    assert len(caught.value.attempts) == requests
    assert "sk-secret" not in str(caught.value)
    assert "sk-secret" not in repr(caught.value.attempts)


def test_a_server_that_is_not_there_is_unavailable(client):
    with StubModel([]) as stub:
        pass
    with pytest.raises(ModelError) as caught:
        client(stub).complete(ASK)
    assert caught.value.kind == "unavailable"


def test_missing_usage_is_zero(client):
    with StubModel([text("x", usage=None)]) as stub:
        assert client(stub).complete(ASK).usage == Usage(0, 0)


def test_cost_of_an_unknown_model_is_unknown(client):
    with StubModel([text("x")] * 2) as stub:
        assert client(stub).complete(ASK).cost_usd is None
        assert client(stub, input_price=0.0, output_price=0.0).complete(ASK).cost_usd == 0.0


@pytest.mark.parametrize(
    ("bounds", "prices", "words"),
    [
        ({"requests": 2}, {}, "budget of 2 model requests is used up"),
        ({"tokens": 30}, {}, "budget of 30 tokens is used up"),
        ({"usd": 30e-6}, {"input_price": 1.0, "output_price": 1.0}, "is used up"),
    ],
)
def test_a_budget_stops_before_the_next_request(client, bounds, prices, words):
    budget = Budget(**bounds)
    with StubModel([text("x")] * 3) as stub:
        asking = client(stub, budget=budget, **prices)
        asking.complete(ASK)
        asking.complete(ASK)
        with pytest.raises(ModelError, match=words) as caught:
            asking.complete(ASK)
        assert len(stub.requests) == 2
    assert (caught.value.kind, caught.value.retryable) == ("budget", False)


def test_a_budget_also_counts_the_requests_of_retries(client):
    with StubModel([error(500)] * 3) as stub:
        with pytest.raises(ModelError, match="budget of 2 model requests") as caught:
            client(stub, budget=Budget(requests=2)).complete(ASK)
        assert len(stub.requests) == 2
    assert len(caught.value.attempts) == 2


@pytest.mark.parametrize(("bounds", "usage", "words"), [
    ({"usd": 1.0}, {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}, "price is unknown"),
    ({"tokens": 100}, None, "does not report usage"),
])  # fmt: skip
def test_a_bound_that_cannot_be_kept_is_refused(client, bounds, usage, words):
    with StubModel([text("x", usage=usage)] * 2) as stub:
        asking = client(stub, budget=Budget(**bounds))
        asking.complete(ASK)
        with pytest.raises(ModelError, match=words):
            asking.complete(ASK)


def test_the_key_is_not_shown(client):
    with StubModel([]) as stub:
        assert "sk-secret" not in repr(client(stub).config)


def test_litellm_is_imported_late_and_fetches_nothing():
    script = """
import sys
import workers.llm.litellm_client as client
assert "litellm" not in sys.modules
seen = []
sys.addaudithook(lambda event, _: seen.append(event) if event in ("socket.connect", "socket.getaddrinfo") else None)
client.load_litellm()
assert "litellm" in sys.modules
assert not seen, seen
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=240)
