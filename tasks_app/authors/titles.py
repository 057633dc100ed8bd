"""Titles of records about the subject of a story: people name it in full, by its last word, or not at all."""

from __future__ import annotations

import random
import re
from typing import Final

from tasks_app.authors.naming import capital

IN_FULL, BY_ITS_THING = 0.12, 0.6
"""Share of titles with the whole subject in them, and from there on the share of those with its last word."""
_ALONE: Final = re.compile(r"\bthe \{topic\}(?! \w)")
_SET_APART: Final = re.compile(r"\s*[,–:-]\s*(?:the )?\{topic\}$|\s*\((?:the )?\{topic\}\)$")
_AHEAD: Final = re.compile(r"^(?:The )?\{topic\}(?:'s)?(?:\s*[:–,-])? (?=\S)")
_BEFORE_A_NOUN: Final = re.compile(r"\bthe \{topic\} (?=\w)")
_AT_THE_END: Final = re.compile(r" (?:for|about|on|of|in|to|with|from|before|after|during|around) the \{topic\}$")
_FEW: Final = 2


def shortened(template: str, rng: random.Random) -> str:
    """A template with {topic} in it as people would write it: with {topic}, with {thing}, or with neither.

    "Plan for the {topic}" gives "Plan for the {thing}", "Statement of work, {topic}" gives "Statement of work".
    """
    draw = rng.random()
    if "{topic}" not in template or draw < IN_FULL:
        return template
    by_its_thing = _ALONE.sub("the {thing}", template)
    if draw < BY_ITS_THING and "{topic}" not in by_its_thing:
        return by_its_thing
    bare = _without(template)
    if "{topic}" in bare or (len(bare.split()) < _FEW and "{topic}" not in by_its_thing):
        return by_its_thing
    return bare


def _without(template: str) -> str:
    for apart in (_SET_APART, _AT_THE_END):
        template = apart.sub("", template)
    template = _BEFORE_A_NOUN.sub("the ", template)
    return capital(_AHEAD.sub("", template))


def filled(template: str, topic: str, company: str) -> str:
    """The title that a shortened template gives for a subject such as "Spring move"."""
    return template.format(topic=topic, thing=topic.rsplit(maxsplit=1)[-1], company=company)
