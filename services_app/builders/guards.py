"""What the description of a write says about the records that it works on: which exist, are protected, must be so.

Only sentences about the tool's own entity and its own verb count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from services_app.builders.entities import Reader, add_field
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.prose import about
from services_app.builders.roles import key_of
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, types_of, words_of

_FLAGS = r"(default|primary|system|built-?in)"
_CANNOT = r"(?:cannot|can't|can not|may not) be"
_PROTECTED = re.compile(rf"\b{_FLAGS}(?:[- ]provided)? ([\w' -]{{1,40}}?) (?:are protected and )?{_CANNOT} (\w+)", re.I)
_SPARED = re.compile(rf"\bcannot (delete|remove|rename|update|modify) (?:the |an? )?{_FLAGS} ([\w-]+)\b(?!['’])", re.I)
_ONLY = re.compile(
    r"\bonly ([\w ]{2,30}?) (?:with|in|that are)(?: an?| the)? ([\w-]+)(?: status| state)? (?:can|may) be (\w+)", re.I
)
_ONLY_SO = re.compile(r"\bonly (?:an? )?(un|in|non-)?([\w-]+) ((?:\w+ )?\w+) (?:can|may) be (\w+)", re.I)
_EMPTY = re.compile(
    r"\bmust (?:first )?be empty\b|\bmust (?:first )?have no (?:associated|child|sub|remaining|linked|active)|"
    r"\bonly empty [\w ]+ can be (?:deleted|removed)|"
    r"\bcannot be (?:deleted|removed) (?:while|if|when) (?:it|they|there) (?:still )?(?:has|have|contains?|are|is) |"
    r"\bcannot delete an? [\w ]+ (?:with|that (?:has|contains)) ",
    re.I,
)
_REPLACES = re.compile(
    r"\bif (?![^.;]*(?:\bnot\b|n't|\bfails?\b|\berror\b))([^.;]*\bexists?\b[^.;]*?\b)(?:updat|overwrit|replac)", re.I
)
_TAKEN = re.compile(r"\b(?:fails?|errors?|returns? an error|rejected) if ([^.;]*\balready exists?\b[^.;]*)", re.I)
_UNIQUE = re.compile(r"\bmust be unique\b(?! (?:within|in) (?:the |this |one )?(?:request|batch|call|list))", re.I)
_ONE_EACH = re.compile(r"\beach (\w+) (?:can|may) (?:only )?have (?:only )?(?:one|a single)\b", re.I)
_TOGETHER = re.compile(r"\btogether with (?:the |its )?([\w ]+?) uniquely identif|\bname and (\w+) combination\b", re.I)
_WITHIN = re.compile(r"\bunique (?:within|in|across|per) (?:the |an? |your )?([\w ]+)", re.I)
_NAMES = frozenset("name title key path slug code email username".split())
_PLACES = frozenset("owner repo org organization account project workspace namespace database bucket region".split())
_GROUPS = (
    frozenset("deleted delete removed remove".split()),
    frozenset("updated update changed modified modify edited renamed rename".split()),
    frozenset("archived disabled deactivated cancelled canceled published closed sent finalized finalised".split()),
)


def note_guards(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """Let a plan heed what its description says about existing, protected and unfit records."""
    if planned.kind == "create":
        _note_same(reader, tool, own, planned)
        return
    if planned.kind not in ("update", "delete", "status", "flag") or not planned.key:
        return
    said = re.sub(r" ?\([^)]*\)", "", tool.description)
    for flag, noun, done in _protections(said):
        if _about(own, noun) and _does(planned, done):
            field = _flag_field(reader, own, flag.lower().replace("-", "_").replace("builtin", "built_in"))
            planned.write.guards = (*planned.write.guards, ("spared", field, flag.lower(), True))
    _note_states(said, own, planned)
    write = planned.write
    if planned.kind == "delete" and _EMPTY.search(said) and not (write.force or write.cascade or write.heir):
        write.empty = any(
            reader.entity_of(other) is own and reader.readings[other.name].action == "create"
            for other in reader.spec.tools
        )


def _protections(said: str) -> Iterator[tuple[str, str, str]]:
    """(flag, noun, what cannot be done) of each sentence that protects records."""
    yield from ((found[1], found[2], found[3]) for found in _PROTECTED.finditer(said))
    yield from ((found[2], found[3], found[1]) for found in _SPARED.finditer(said))


def _about(own: Entity, noun: str) -> bool:
    words = words_of(noun)
    return bool(words) and singular(words[-1]) == own.noun.rsplit("_", 1)[-1]


def _does(planned: ToolPlan, done: str) -> bool:
    group = 0 if planned.kind == "delete" else 1 if planned.kind == "update" else 2
    return done.lower() in _GROUPS[group]


def _flag_field(reader: Reader, own: Entity, flag: str) -> str:
    """The field that says which record is the default one; made where the entity has none."""
    last = own.noun.rsplit("_", 1)[-1]
    wanted = {flag, f"is_{flag}", f"is_{flag}_{last}", f"is_{flag}_{own.noun}"}
    name = next((n for n, known in own.fields.items() if key_of(n) in wanted and known.type == "bool"), "")
    if not name:
        camel = any(re.search(r"[a-z][A-Z]", known) for known in own.fields)
        name = "is" + "".join(word.capitalize() for word in flag.split("_")) if camel else f"is_{flag}"
        add_field(reader, own, name, {"type": "boolean"})
    own.fields[name].kind = "first"
    return name


def _note_states(said: str, own: Entity, planned: ToolPlan) -> None:
    """Only draft bills can be deleted: any other is refused, where bills have such a state."""
    found, plain = _ONLY.search(said), _ONLY_SO.search(said)
    if found is not None:
        negated, noun, state, done = "", found[1], found[2], found[3]
    elif plain is not None:
        negated, noun, state, done = plain[1] or "", plain[3], plain[2], plain[4]
    else:
        return
    flag = next((n for n, known in own.fields.items() if key_of(n) == state.lower() and known.type == "bool"), "")
    if negated and flag and _about(own, noun) and _does(planned, done):
        planned.write.guards = (*planned.write.guards, ("spared", flag, state.lower(), True))
        return
    name = own.status or next((n for n in own.fields if words_of(n)[-1:] in (["status"], ["state"])), "")
    choices = [str(choice) for choice in own.fields[name].choices] if name in own.fields else []
    fits = [choice for choice in choices if choice.casefold() == state.casefold()]
    whole = [choice for choice in choices if choice.casefold() == f"{negated}{state}".casefold()]
    if whole:  # "inactive" is a state of its own where the field knows it
        negated, fits = "", whole
    if not fits or not _about(own, noun) or not _does(planned, done):
        return
    allowed = tuple(choice for choice in choices if choice not in fits) if negated else tuple(fits)
    planned.write.guards = (*planned.write.guards, ("in_state", name, allowed))


def _note_same(reader: Reader, tool: ToolSpec, own: Entity, planned: ToolPlan) -> None:
    """The record that exists already is changed, or refuses a second one."""
    keyed = bool(planned.write.own_id) or own.natural_key in planned.fields.values()
    replaces, taken = _REPLACES.search(tool.description), _TAKEN.search(tool.description)
    if replaces or planned.write.upserts:
        same = () if keyed else _identifying(reader, tool, planned, replaces[1] if replaces else "")
        planned.write.upserts = planned.write.upserts or keyed or bool(same)
        planned.write.unique = same
    elif taken and not keyed:
        planned.write.unique = _identifying(reader, tool, planned, taken[1])
    elif not keyed:
        planned.write.unique = _unique(reader, tool, planned) or _combined(reader, tool, planned)


def _identifying(reader: Reader, tool: ToolSpec, planned: ToolPlan, said: str) -> tuple[str, ...]:
    """The fields by which a record is known again: those that the sentence names, else the required name."""
    properties, required = reader.properties(tool), reader.required(tool)
    scalar = [n for n in planned.fields if types_of(properties[n]) & {"string", "integer"} and n not in planned.parents]
    spoken = f"_{'_'.join(words_of(said))}_"
    named = [n for n in scalar if f"_{key_of(n)}_" in spoken]
    named = named or [n for n in planned.fields if key_of(n).endswith("_address") and "_address_" in spoken]
    if not {"id", f"{planned.entity}_id"} & {key_of(n) for n in properties}:  # else that is what names the record
        named = named or [n for n in scalar if n in required and _is_name(n, planned)][:1]
    owners = [n for n in planned.fields if n in required and (n in planned.parents or key_of(n) in _PLACES)]
    return tuple(dict.fromkeys(planned.fields[n] for n in (*owners, *named))) if named else ()


def _is_name(name: str, planned: ToolPlan) -> bool:
    """name, path, policy_name of a policy: what a record is called."""
    *before, last = key_of(name).split("_")
    return last in _NAMES and (not before or planned.entity.endswith("_".join(before)))


def _combined(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> tuple[str, ...]:
    """ "Each course can have only one": the parent; "which together with the version uniquely identifies": both."""
    single = _ONE_EACH.search(tool.description)
    if single:
        owners = [n for n, noun in planned.parents.items() if noun.endswith(single[1].lower()) and n in planned.fields]
        return tuple(planned.fields[n] for n in owners[:1])
    for name, schema in reader.properties(tool).items():
        said = _TOGETHER.search(about(schema))
        other = next((n for n in planned.fields if said and key_of(n) == "_".join(words_of(said[1] or said[2]))), "")
        if other and name in planned.fields:
            return tuple(dict.fromkeys((planned.fields[name], planned.fields[other])))
    return ()


def _unique(reader: Reader, tool: ToolSpec, planned: ToolPlan) -> tuple[str, ...]:
    """The one field that "must be unique", with what it must be unique within."""
    for name, schema in reader.properties(tool).items():
        plain = name in planned.fields and name not in planned.parents and types_of(schema) & {"string"}
        if plain and _UNIQUE.search(about(schema)) and _is_name(name, planned):
            within = _WITHIN.search(about(schema))
            place = {singular(word) for word in words_of(within[1])} if within else set()
            owners = [n for n, noun in planned.parents.items() if noun.rsplit("_", 1)[-1] in place]
            owners += [n for n in reader.required(tool) if key_of(n) in _PLACES]
            return tuple(
                dict.fromkeys([*(planned.fields[n] for n in owners if n in planned.fields), planned.fields[name]])
            )
    return ()
