"""The sanitiser that stands before every JSON column (case OPS-3)."""

from hypothesis import given
from hypothesis import strategies as st

from workers.text import sanitise_json, sanitise_text


def test_refused_code_points_are_replaced_and_whole_characters_are_not():
    assert sanitise_text("ok \x00 end") == ("ok \ufffd end", True)
    assert sanitise_text("half \ud83d") == ("half \ufffd", True)
    assert sanitise_text("half \ud83d end") == ("half \ufffd end", True)
    assert sanitise_text("other half \ude00 end") == ("other half \ufffd end", True)
    assert sanitise_text("whole \U0001f600 e\u0301") == ("whole \U0001f600 e\u0301", False)


def test_two_halves_next_to_each_other_are_one_character():
    assert sanitise_text("whole \ud83d\ude00 \x00") == ("whole \U0001f600 \ufffd", True)


def test_json_is_cleaned_in_values_and_keys_at_every_depth():
    dirty = {"a\x00": [1, {"b": ("x\ud800", None, True, 1.5)}], "c": "fine"}
    assert sanitise_json(dirty) == ({"a\ufffd": [1, {"b": ["x\ufffd", None, True, 1.5]}], "c": "fine"}, True)
    assert sanitise_json({"c": ["fine"]}) == ({"c": ["fine"]}, False)


@given(st.text(st.characters(codec=None, categories=None)))
def test_the_result_can_be_stored_and_is_stable(text):
    clean, changed = sanitise_text(text)
    clean.encode("utf-8")
    assert "\x00" not in clean
    assert changed == (clean != text)
    assert sanitise_text(clean) == (clean, False)
