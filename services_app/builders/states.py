"""Flags that choose records by what they are, apart from flags that say how the work is done."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from services_app.builders.prose import about
from services_app.builders.roles import key_of

# What is said of a flag that chooses among records.
_CHOOSES = re.compile(
    r"\b(?:only|filter\w*|filtrer|exclud\w+|restrict\w*|limit(?:s|ed)? (?:results )?to|"
    r"that (?:are|is|have|has|were|can)|which (?:are|have)|those (?:with|without|that)|"
    r"returns? (?:\w+ ){0,3}(?:with|where|that|whose)|determine whether|prefer|"
    r"search for (?:\w+ )?(?:that|which)|indicates whether)\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(r"^(?:filter_)?(?:is|has|have|supports?|requires?|can|was)(?:_|$)")
# Words for what a record is, or for what was done with it.
_STATES = frozenset(
    (
        "active archived public private starred pinned published resolved protected favorite favourite enabled "
        "disabled read unread completed closed open deleted locked verified billable paid trial visible hidden "
        "featured major selectable membership owned draft default muted internal external recommended inactive "
        "overdue flagged answered checked refundable dismissed merged expired cancelled canceled trashed approved "
        "processed done solved available online premium free animated earliest due owner mine own me"
    ).split()
)
_WORK = re.compile(
    r"^(?:(?:optional(?: flag| boolean)?|boolean|flag|whether) to |"
    r"(?:when|if) (?:(?:this is )?(?:true|set|enabled|yes)(?: to true)?)[^,]{0,20}, |set (?:this )?to \W?true\W? to )?"
    r"(?:also )?(?:includ|return|get|fetch|show|use|run|skip|sort|parse|present|issu|attempt|re-?download|"
    r"generat|enabl|force|allow|query|download|save|install|start|suppress|aggregat|perform|group|expand|resolve|wait|"
    r"validat|appl|roll|mak|set|bypass|ignor|treat|convert|calculat|comput|add|append|format|render|follow|merg|"
    r"combin|split|count|"
    r"continue|do\b|don't|retriev|search (?:in|across)|organi[sz]|break|match|warn|simulat|referenc|needs to be|"
    r"reverse|traverse|recurs|process|submissions? (?:counts )?will be)\w*\b",
    re.IGNORECASE,
)
_DOES = frozenset(
    (
        "skip allow ignore auto get explain group use force remove start unmask enrich compare fallback recursive "
        "recursively nested additive minified shuffle interleaved full generate save download resolve wait dry fuzzy "
        "exact strict raw async sync background refresh radio summary timestamps all case"
    ).split()
)
_TURNS = re.compile(r"ascend|descend|(?:newest|oldest|latest|recent) first|\breverse", re.IGNORECASE)
_REGROUPS = re.compile(
    r"\bgroup(?:s|ed)?\b[^.]* by\b|\borgani[sz]es the response by\b|\bcalculated and grouped\b", re.IGNORECASE
)
_SORTS = re.compile(r"\bsorts (?:\w+ )*by\b", re.IGNORECASE)


def is_state(name: str, schema: Mapping[str, Any]) -> bool:
    """Whether a flag says which records are meant: what they are or have, not what is done with them or shown."""
    key, said = key_of(name), about(schema).strip()
    words = key.split("_")
    if _TURNS.search(f"{key} {said}"):  # the way of a list, which other rules read
        return True
    if _CHOOSES.search(re.split(r"[.;:(]", said)[0]) or _HOLDS.match(key):
        return True
    if not said:
        return words[0] not in _DOES and words[-1] not in ("mode", "schema", "spelling", "all", "query")
    if _WORK.match(said) or words[0] in _DOES:
        return False
    return bool(set(words) & _STATES) or len(said.split()) <= 4


def reshapes(schema: Mapping[str, Any]) -> str:
    """What a flag does to a whole list that no rule does: it groups the rows, or sorts them; "" for nothing such."""
    said = about(schema)
    if _REGROUPS.search(said):
        return "groups the rows"
    return "sorts by a field of its own" if _SORTS.search(said) else ""


_LEAD = (
    r"^\W*(?:\(?optional\)?[.,:]?\s*|a?\s*bool(?:ean)?[,:]?\s*|a?\s*flag\s*)?(?:\(default\W*\w+\)\s*)?"
    r"(?:(?:if|when) (?:true|set|enabled|specified|provided|set to true)(?: \(default\))?[,:]?\s*|true to\s*|"
    r"set (?:this )?to [`'\"]?true[`'\"]? (?:to|if you want to|if)\s*|whether (?:or not )?to\s*|"
    r"(?:indicates|specifies|determines|controls) whether (?:or not )?to\s*|to\s+)?"
)
_PREVIEWS = re.compile(
    rf"{_LEAD}(?:returns?|shows?|validate and show) (?:a |the )?(?:preview|planned)|"
    r"\bpreview\b[^.;]{0,30}\bwithout \w+ing|^\W*set true \(default\) to preview|"
    r"^\W*(?:only |just )?(?:simulate|preview|validate)\b[^.;]{0,60}\bwithout "
    r"(?:actually )?(?:creat|sav|execut|apply|mak|chang|send|updat|delet|perform|commit|writ)ing",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    rf"{_LEAD}(?:also )?(?:include|return|fetch|expand|show|highlight)s?\b[^.]*\b(?:response|result|return|output|"
    r"answer|details)\b|\bthe response (?:will |should )?includes?\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    rf"{_LEAD}(?:skip|force|ignore|bypass|acknowledge|wait\b|enforces? validation|validate|simulate|suppress|"
    r"send (?:an? |the |bulk |out )*(?:change |rejection |confirmation |invitation |welcome )?(?:e-?mail|notif)|"
    r"notif(?:y|ies)\b|referenc(?:e|ing) (?:the|tasks?)[^.]* custom|issue the request|"
    r"deletes? the message as|posts? the message as|"
    r"update the message as)|\bby (?:its|their) custom (?:task )?ids?\b|\bcustom task ids? (?:rather|instead)|"
    r"\basynchronous(?:ly)?\b|\b(?:users?|creator|participants|watchers|subscribers|attendees|guests)\b[^.]{0,24} "
    r"(?:are|is|will be|be|will(?: also)? receive) (?:also )?(?:a )?notifi",
    re.IGNORECASE,
)
_MORE = re.compile(
    rf"{_LEAD}(?:overwrites?\b|merge (?!request|commit)|appends?\b|replaces? (?:all|the|existing|every|if|trigger|"
    r"policy|"
    r"view|any)|deletes? (?:the )?(?:source|original|all|existing)|transfer\b|create missing|fail if|"
    r"appl(?:y|ies) the change to that)",
    re.IGNORECASE,
)


def work_said(schema: Mapping[str, Any]) -> str:
    """What an optional flag of a write does, by its description: "dry_run", "presentation", "more"; "" for a value.

    "more" is work beside what the tool does anyway: overwriting, merging, removing something else.
    """
    said = about(schema)
    if _PREVIEWS.search(said):
        return "dry_run"
    if _ANSWERS.search(said) or _HOW.search(said):
        return "presentation"
    return "more" if _MORE.search(said) else ""
