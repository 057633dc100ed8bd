"""The checks on one message: they agree with the parser on good text and stop bad text before it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.sandbox.messages import Bounds, MessageError, decode, encode

ROOMY = Bounds(1 << 20, 64, 100_000)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def depth(value):
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return isinstance(value, dict | list) + max(map(depth, members), default=0)


@given(st.dictionaries(st.text(), JSON))
def test_what_is_encoded_is_decoded_unchanged(message):
    line = encode(message, ROOMY)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line, ROOMY) == message


@given(st.dictionaries(st.text(), JSON), st.booleans())
def test_depth_is_counted_exactly_and_brackets_in_strings_are_not(message, ascii_only):
    line = json.dumps(message, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    exact = depth(message)
    with_room = Bounds(1 << 20, exact, 100_000)
    if b"\xed" not in line:  # lone surrogates are no UTF-8, the parser refuses them
        assert decode(line, with_room) == message
    if exact > 1:
        with pytest.raises(MessageError, match=f"deeper than {exact - 1} levels"):
            decode(line, Bounds(1 << 20, exact - 1, 100_000))
        with pytest.raises(MessageError, match=f"deeper than {exact - 1} levels"):
            encode(message, Bounds(1 << 20, exact - 1, 100_000))


def test_escaped_quotes_do_not_hide_brackets():
    for text in ('"', "\\", '\\"', '"[', "[\\", '\\\\"[{', "]" * 5):
        message = {"k" + text: [text, [text]]}
        assert decode(encode(message, Bounds(1000, 3, 100)), Bounds(1000, 3, 100)) == message


def test_tuples_become_lists():
    assert decode(encode({"t": (1, (2,))}, ROOMY), ROOMY) == {"t": [1, [2]]}


def test_numbers_keep_their_digits():
    message = {"big": 10**30, "negative": -(2**63) - 1, "float": 0.1}
    assert decode(encode(message, ROOMY), ROOMY) == message


@pytest.mark.parametrize("line", [b"", b"{", b"]", b"][", b'{"a":1}{"b":2}', b"nul", b'{"a":Infinity}', b'{"a":1e999}'])
def test_other_text_is_a_protocol_error(line):
    with pytest.raises(MessageError) as caught:
        decode(line, ROOMY)
    assert caught.value.kind == "protocol"


def test_values_are_counted():
    few = Bounds(1 << 20, 64, 10)
    message = {"items": list(range(8))}
    assert decode(encode(message, few), few) == message
    for call in (lambda: encode({"items": list(range(9))}, few), lambda: decode(b'{"items":[0,1,2,3,4,5,6,7,8]}', few)):
        with pytest.raises(MessageError, match="more than 10 values") as caught:
            call()
        assert caught.value.kind == "message"


def test_a_cycle_ends():
    cycle = {}
    cycle["self"] = cycle
    with pytest.raises(MessageError, match="deeper than 64"):
        encode(cycle, ROOMY)
