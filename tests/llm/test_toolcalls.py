"""One form for every provider's tool calls (cases LLM-1 and LLM-2)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.llm.toolcalls import INVALID_ARGUMENTS, ids_in, normalise


def one(arguments, name="f", **call):
    (found,) = normalise([{"id": "a", "function": {"name": name, "arguments": arguments}, **call}])
    return found


@pytest.mark.parametrize(
    ("arguments", "text", "flags"),
    [
        ('{"a":1}', '{"a":1}', ()),
        ({"a": 1}, '{"a": 1}', ("object_arguments",)),
        ({}, "{}", ("object_arguments",)),
        ("", "{}", ("empty_arguments",)),
        ("  ", "{}", ("empty_arguments",)),
        (None, "{}", ("empty_arguments",)),
        ("null", "{}", ("empty_arguments",)),
        ('"{\\"a\\":1}"', '{"a": 1}', ("decoded_twice",)),
        ('"null"', "{}", ("decoded_twice", "empty_arguments")),
        (' {"é": "\\u0000"} ', '{"é": "\\u0000"}', ()),
    ],
)
def test_forms_of_arguments_that_mean_an_object(arguments, text, flags):
    call = one(arguments)
    assert (call.arguments, call.flags, call.error) == (text, flags, "")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ("[1]", "must be a JSON object, not an array"),
        ([1], "must be a JSON object, not an array"),
        ("7", "not a number"),
        ("true", "not a boolean"),
        (7, "not a number"),
        ('"[1]"', "not an array"),
        ('"\\"{}\\""', "not a string"),
        ('{"p":1}{"p":2}', "not one JSON document"),
        ('{"p":1}\n{"p":2}', "not one JSON document"),
        ('{"a": "b', "not one JSON document"),
        ('{"a": NaN}', "NaN is not JSON"),
        ("{'a': 1}", "not one JSON document"),
        ("[" * 100_000, "nested too deeply"),
        ('"{\\"a\\":"', "not one JSON document"),
    ],
)
def test_other_arguments_are_errors_and_stay_visible(arguments, error):
    call = one(arguments)
    assert error in call.error
    kept = json.loads(call.arguments)[INVALID_ARGUMENTS]
    assert kept == (arguments if isinstance(arguments, str) else json.dumps(arguments))


def test_ids_become_unique_and_non_empty():
    raw = [
        {"id": identity, "function": {"name": "f", "arguments": "{}"}}
        for identity in ("x", "x", "", None, "call_1", 5, ["y"])
    ] + [{"function": {"name": "f", "arguments": "{}"}}]
    ids = [call.id for call in normalise(raw, used_ids=["call_2"])]
    assert ids[0] == "x"
    assert len(set(ids)) == len(ids)
    assert all(ids)
    assert "call_2" not in ids
    assert ids[5] == "5"


def test_ids_of_earlier_turns_are_not_used_again():
    history = [{"role": "assistant", "tool_calls": [{"id": "call_1"}, {"id": "x"}]}, {"role": "user", "content": ""}]
    (call,) = normalise([{"id": "x", "function": {"name": "f"}}], ids_in(history))
    assert call.id not in {"call_1", "x"}
    assert "id_replaced" in call.flags


def test_names_are_stripped_and_required():
    assert one("{}", name=" call_tool ").name == "call_tool"
    for name in ("", "  ", None, 7):
        assert one("{}", name=name).error == "The tool call names no tool."


def test_a_missing_type_is_a_function_and_the_raw_call_is_kept():
    raw = {"function": {"name": "f", "arguments": {"a": 1}}}
    (call,) = normalise([raw])
    assert call.as_message_part()["type"] == "function"
    assert call.raw is raw


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text() | st.binary(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))  # fmt: skip
def test_anything_at_all_gives_valid_calls(raw):
    for call in normalise(raw) + normalise([{"id": raw, "function": {"name": raw, "arguments": raw}}]):
        assert call.id
        assert isinstance(json.loads(call.arguments), dict)
        assert call.error or call.name
