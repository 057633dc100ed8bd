"""Forms from a JSON Schema: unset, null and empty stay three things, and nothing typed is changed."""

import json

from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

from webapp.common.rendering.schema_form import Input, fields, parse

SCHEMA = {
    "type": "object",
    "required": ["to", "subject", "limits"],
    "properties": {
        "to": {"type": "array", "items": {"type": "string"}},
        "subject": {"type": "string"},
        "note": {"type": "string"},
        "due": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "count": {"type": ["integer", "null"]},
        "level": {"enum": ["low", "high", 3]},
        "urgent": {"type": "boolean"},
        "who": {"$ref": "#/$defs/Person"},
        "limits": {"type": "object", "properties": {"max": {"type": "number"}}},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "a/b": {"type": "integer"},
    },
    "$defs": {
        "Person": {"type": "object", "properties": {"name": {"type": "string"}, "boss": {"$ref": "#/$defs/Person"}}}
    },
}


def by_pointer(items: list[Input]) -> dict[str, Input]:
    found = {}
    for item in items:
        found[item.pointer] = item
        found |= by_pointer(item.children)
    return found


def submitted(items: list[Input]) -> dict[str, str]:
    """What a browser would send for the fields as drawn."""
    data = {}
    for item in by_pointer(items).values():
        if item.kind == "object":
            continue
        data[item.name] = item.text
        if item.asks_mode:
            data[item.name + "@mode"] = item.mode
    return data


def test_kinds_follow_the_schema() -> None:
    found = by_pointer(fields(SCHEMA, None, {}))
    kinds = {pointer: item.kind for pointer, item in found.items()}
    assert kinds["/to"] == kinds["/either"] == "json"
    assert kinds["/subject"] == "text"
    assert (kinds["/due"], found["/due"].nullable) == ("text", True)
    assert (kinds["/count"], found["/count"].nullable) == ("integer", True)
    assert (kinds["/level"], kinds["/urgent"]) == ("enum", "boolean")
    assert (kinds["/who"], kinds["/who/name"]) == ("object", "text")
    assert found["/a~1b"].label == "a/b"
    # A type that contains itself ends in JSON for the innermost part.
    assert "json" in {kind for pointer, kind in kinds.items() if pointer.endswith("/boss")}


def test_unset_null_and_empty_are_three_things() -> None:
    base = {"arg/to": "[]", "arg/subject": "", "arg/due": "", "arg/count": ""}
    modes = {f"arg/{name}@mode": "unset" for name in ("note", "due", "count", "level", "urgent", "either", "a~1b")}
    modes |= {"arg/who/name@mode": "unset", "arg/who/boss/name@mode": "unset", "arg/limits/max@mode": "unset"}
    modes |= {p.name + "@mode": "unset" for p in by_pointer(fields(SCHEMA, None, {})).values() if p.asks_mode}
    value, errors = parse(SCHEMA, {**base, **modes})
    assert (value, errors) == ({"to": [], "subject": "", "limits": {}}, {})
    value, _ = parse(SCHEMA, {**base, **modes, "arg/due@mode": "null"})
    assert value["due"] is None
    value, _ = parse(SCHEMA, {**base, **modes, "arg/due@mode": "value"})
    assert value["due"] == ""


def test_what_does_not_parse_is_an_error_at_its_place_and_stays_as_typed() -> None:
    data = submitted(fields(SCHEMA, {"to": ["a"], "subject": "s", "limits": {"max": 1}}, {}))
    data |= {"arg/to": "[oops", "arg/count": "1.5", "arg/count@mode": "value", "arg/limits/max": "NaN"}
    value, errors = parse(SCHEMA, data)
    assert set(errors) == {"/to", "/count", "/limits/max"}
    assert "to" not in value
    again = by_pointer(fields(SCHEMA, data, errors))
    assert again["/to"].text == "[oops"
    assert again["/count"].text == "1.5"
    assert again["/to"].error


def test_text_that_looks_like_a_number_stays_text() -> None:
    data = submitted(fields(SCHEMA, {"to": [], "subject": "007", "limits": {}}, {}))
    assert parse(SCHEMA, data).value["subject"] == "007"
    data["arg/urgent"], data["arg/urgent@mode"] = "true", "value"
    data["arg/level"], data["arg/level@mode"] = "3", "value"
    value = parse(SCHEMA, data).value
    assert value["urgent"] is True
    assert value["level"] == 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.fixed_dictionaries(
        {"to": st.lists(json_values, max_size=3), "subject": st.text(st.characters(exclude_categories=["Cs"]))},
        optional={
            "note": st.text(st.characters(exclude_categories=["Cs"])),
            "due": st.none() | st.text(st.characters(exclude_categories=["Cs"])),
            "count": st.none() | st.integers(),
            "level": st.sampled_from(["low", "high", 3]),
            "urgent": st.booleans(),
            "either": json_values,
            "a/b": st.integers(),
        },
    )
)
def test_any_value_comes_back_as_it_was(value: dict[str, object]) -> None:
    value["limits"] = {}
    assert parse(SCHEMA, submitted(fields(SCHEMA, value, {}))).value == value


def test_the_form_ties_errors_to_their_fields() -> None:
    template = Template("{% load ui %}{% schema_form schema None errors %}")
    page = template.render(Context({"schema": SCHEMA, "errors": {"/subject": "Too long."}}))
    assert 'aria-invalid="true" aria-describedby="f-arg-subject-error"' in page
    assert 'id="f-arg-subject-error">Too long.' in page
    assert page.count("<legend") == 5
    for item in by_pointer(fields(SCHEMA, None, {})).values():
        if item.kind != "object":
            assert f'<label for="{item.id}">' in page


def test_a_schema_without_properties_says_so() -> None:
    page = Template("{% load ui %}{% schema_form schema %}").render(Context({"schema": {"type": "object"}}))
    assert "no arguments" in page


def test_odd_schemas_do_not_break_the_form() -> None:
    odd = {
        "properties": {
            "t": True,
            "n": None,
            "loop": {"$ref": "#/properties/loop"},
            "gone": {"$ref": "#/nowhere"},
            "e": {"enum": []},
            "list": {"type": ["string", "integer"]},
            "pattern": {"type": "object", "properties": {"x": {}}, "patternProperties": {"^a": {}}},
        }
    }
    found = by_pointer(fields(odd, None, {}))
    assert {item.kind for item in found.values()} == {"json"}
    assert json.loads(json.dumps(sorted(found))) == sorted(found)
