"""Every call has exactly one answer, or nothing is sent (case TRAJ-4)."""

import pytest

from tests.stub_model import StubModel, text
from workers.llm.client import ModelError
from workers.llm.history import check_history

# The first import of LiteLLM takes half a minute on a busy machine.
pytestmark = pytest.mark.timeout(300)

USER = {"role": "user", "content": "go"}


def asks(*ids):
    return {"role": "assistant", "content": "", "tool_calls": [{"id": i, "function": {}} for i in ids]}


def answers(identity):
    return {"role": "tool", "tool_call_id": identity, "content": "x"}


@pytest.mark.parametrize(
    "history",
    [
        [],
        [USER],
        [USER, asks("a", "b"), answers("a"), answers("b"), {"role": "assistant", "content": "done"}],
        [USER, asks("a", "b"), answers("b"), answers("a"), asks("c"), answers("c")],
    ],
)
def test_complete_histories_pass(history):
    check_history(history)


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ([USER, asks("a", "b"), answers("a")], "message 2 leaves 'b' unanswered"),
        ([USER, asks("a"), USER], "message 2 comes before the answer to 'a'"),
        ([answers("a"), USER], "message 0 answers 'a', which is no open call"),
        ([USER, asks("a"), answers("a"), answers("a")], "message 3 answers 'a', which is no open call"),
        ([USER, asks("a", "a"), answers("a")], "two calls with one id"),
    ],
)
def test_broken_histories_never_leave(client, history, words):
    with StubModel([text("x")]) as stub:
        with pytest.raises(ModelError, match=words) as caught:
            client(stub).complete(history)
        assert stub.requests == []
    assert (caught.value.kind, caught.value.retryable) == ("bad_request", False)
