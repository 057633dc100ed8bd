"""Parameters that only lie around the real ones: the body of a request, the object with the fields of a record."""

from __future__ import annotations

import re
from typing import Any

from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, words_of
from services_app.verification.arguments import resolve

_WRAPPERS = frozenset(
    (
        "body data payload query_model params options request input args arguments criteria parameters request_body "
        "query_params filters filter pagination"
    ).split()
)


_BODIES = frozenset("model request body payload data input params".split())
_WRITTEN = frozenset("create update add put edit modify patch replace insert".split())


def opened(
    properties: dict[str, dict[str, Any]], tool: ToolSpec, outer: tuple[str, ...] = ()
) -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
    """The parameters without the objects around them, and these from the outside in.

    What must be sent beside the object is not asked for a second time inside it.
    """
    objects = [name for name, schema in properties.items() if schema.get("properties")]
    around = [name for name in objects if _is_body(name, tool, inside=bool(outer))]
    if len(around) != 1 and len(objects) != 1:
        return properties, outer
    wrapper = around[0] if len(around) == 1 else objects[0]
    inner = {name: resolve(schema, tool.input_schema) for name, schema in properties[wrapper]["properties"].items()}
    usual = not outer and len(objects) == 1 and (len(properties) == 1 or key_of(wrapper) in _WRAPPERS)
    twice = set(inner) & set(properties)
    if twice - set(tool.required) or not (usual or wrapper in around):
        return properties, outer
    inner = {name: schema for name, schema in inner.items() if name not in twice}
    inside = {**{name: schema for name, schema in properties.items() if name != wrapper}, **inner}
    return opened(inside, tool, (*outer, wrapper)) if _writes(tool) and not outer else (inside, (*outer, wrapper))


def _is_body(name: str, tool: ToolSpec, *, inside: bool = False) -> bool:
    """`create_model` of any write, `service` of update_service: the object with the fields of the record.

    `inside` another one: there `budget` of update_campaign_budget is a field of the campaign.
    """
    words = words_of(name)
    about = re.split(r"_(?:for|in|of|on|to|from|by)_", "_".join(words_of(tool.name)))[0]
    own = [singular(word) for word in about.split("_")]
    tail = bool(words) and own[-len(words) :] == [*words[:-1], singular(words[-1])]
    whole = tail and own[: -len(words)][-1:] and own[: -len(words)][-1] in _WRITTEN
    return _writes(tool) and bool((whole if inside else tail) or (len(words) > 1 and words[-1] in _BODIES))


def _writes(tool: ToolSpec) -> bool:
    return bool(_WRITTEN & set(words_of(tool.name)))
