"""Results come over one bounded channel that nothing else can speak on (cases SANDBOX-3, SANDBOX-4)."""

import gc
import json
import time
from pathlib import Path

import pytest

from tests.sandbox.probing import fail, resident_bytes, start
from workers.sandbox.limits import Limits, SandboxError

EVIL = """
class Evil:
    def __reduce__(self):
        import os
        return (os.system, ("touch /tmp/pwned",))
value = Evil()
"""


def test_a_huge_result_costs_the_caller_nothing(mode):
    gc.collect()
    before = resident_bytes()
    with start(mode) as process:
        with pytest.raises(SandboxError) as caught:
            process.request({"code": "value = 'x' * 200_000_000"})
        assert (caught.value.kind, caught.value.message) == ("message", "the message is larger than 8,388,608 bytes")
        assert process.request({"code": "value = 1"}) == {"value": 1}
    assert resident_bytes() - before < 50 << 20


def test_a_huge_reply_around_the_check_costs_the_caller_nothing(mode):
    """Code inside may write to the descriptor itself; the host bounds what it reads."""
    gc.collect()
    before = resident_bytes()
    code = "import os, sys\nwhile True: os.write(int(sys.argv[2]), b'x' * 60000)"
    error, _, _ = fail(mode, code, Limits(wall_seconds=20))
    assert error.kind == "message"
    assert resident_bytes() - before < 50 << 20


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        ("b'[' * 100000 + b']' * 100000", "message", "nested deeper than 66 levels"),
        ("b'[' * 100000", "protocol", "brackets do not match"),
        ("b'[' + b'[],' * 2000000 + b'0]'", "message", "holds more than 500,008 values"),
        ("b'{\"id\": 1e400}'", "protocol", "1e400 is out of range"),
        ("b'{\"id\": NaN}'", "protocol", "NaN"),
        ("b'\\xff\\xfe'", "protocol", "not JSON"),
        ("b'7'", "protocol", "not a JSON object: int"),
        ("b'{\"id\": \"guess\", \"result\": {}}'", "protocol", "out of turn"),
    ],
)  # fmt: skip
def test_hostile_bytes_on_the_result_channel(mode, reply, kind, words):
    code = f"""
import os, sys
data = memoryview({reply} + b"\\n")
while data:
    data = data[os.write(int(sys.argv[2]), data):]
import time
time.sleep(60)
"""
    error, _, _ = fail(mode, code, Limits(wall_seconds=20))
    assert error.kind == kind
    assert words in error.message


def test_deep_nesting_is_a_clean_error(mode):
    code = "value = []\nfor _ in range(100_000): value = [value]"
    with start(mode) as process:
        with pytest.raises(SandboxError, match="nested deeper than 64 levels") as caught:
            process.request({"code": code})
        assert caught.value.kind == "message"


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("value = b'x'", "bytes"),
        ("value = {1, 2}", "set"),
        ("value = float('nan')", "nan"),
        ("value = [float('-inf')]", "-inf"),
        ("import datetime\nvalue = {'at': datetime.datetime.now()}", "datetime"),
        ("value = {1: 'x'}", "a key of type int"),
        ("import decimal\nvalue = decimal.Decimal(1)", "Decimal"),
        (EVIL, "Evil"),
        ("class Keys(dict):\n  def keys(self): raise RuntimeError\n  items = keys\nvalue = Keys(a=1)", "Keys"),
    ],
)  # fmt: skip
def test_what_is_not_json_is_refused_by_its_type(mode, code, name):
    with start(mode) as process:
        with pytest.raises(SandboxError) as caught:
            process.request({"code": code})
        assert caught.value.kind == "protocol"
        assert caught.value.message == f"result is not JSON: {name}"
        assert caught.value.alive
        assert process.request({"code": "value = 1"}) == {"value": 1}
    assert not Path("/tmp/pwned").exists()


def test_printed_results_change_nothing(mode):
    forged = json.dumps({"ok": True, "tests_passed": 999, "id": "start", "result": {"value": 999}})
    with start(mode) as process:
        with pytest.raises(SandboxError, match="AssertionError: it failed") as caught:
            process.request({"code": f"print({forged!r})\nraise AssertionError('it failed')"})
        assert caught.value.kind == "crash"
        assert "999" in caught.value.output
        assert "Traceback" in caught.value.output
        assert process.request({"code": f"print({forged!r})\nvalue = 'real'"}) == {"value": "real"}


def test_an_answer_prepared_for_the_next_request_is_not_taken(mode):
    code = """
import os, sys, threading, time
def later():
    time.sleep(0.3)
    os.write(int(sys.argv[2]), b'{"id": "0", "result": {"tests_passed": 999}}\\n')
threading.Thread(target=later, daemon=True).start()
"""
    with start(mode) as process:
        process.request({"code": code})
        time.sleep(0.6)
        with pytest.raises(SandboxError) as caught:
            process.request({"code": "value = 1"})
        assert caught.value.kind == "protocol"
        assert "out of turn" in caught.value.message


def test_requests_are_bounded_too(mode):
    with start(mode, Limits(message_bytes=10_000)) as process:
        for message, words in (
            ({"code": "x" * 20_000}, "larger than 10,000 bytes"),
            ({"code": "", "value": float("nan")}, "request is not JSON: nan"),
            ({"code": "", "value": {1}}, "request is not JSON: set"),
        ):
            with pytest.raises(SandboxError, match=words) as caught:
                process.request(message)
            assert caught.value.alive
        assert process.request({"code": "value = 1"}) == {"value": 1}


def test_large_messages_pass_in_both_directions(mode):
    text = "é" * 1_000_000
    with start(mode) as process:
        assert process.request({"code": "value = message['text'] + '!'", "text": text}) == {"value": text + "!"}
