"""Fields that the description of a tool promises in words: "Returns id, title, authors and published date"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from services_app.builders.chinese import chinese_fields
from services_app.builders.entities import Reader, add_field
from services_app.builders.enumerated import enumerated_fields
from services_app.builders.field_types import COUNTED, FLAGS, LISTS, MEASURED, NAMED, Typed, typed, typed_by_words
from services_app.builders.plan import Entity, ToolPlan
from services_app.builders.roles import key_of
from services_app.builders.world import MARKETS, VALUES, held_by
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import id_target, plural_of, singular, words_of

_READS = frozenset(("get", "find", "list", "get_or_list", "get_many"))
_WRITES = frozenset(("create", "update"))
_MOST_PROMISED = 24
_ASKED = _READS | {"count", "graph"}
_BARE = frozenset(("name", "description", "created_at"))
_PLAIN = _BARE | {"title", "text", "content", "url"}
_TRADED = frozenset("price exchange exchange_code market_cap change quantity weight volume".split())
# Words of the answer around a record, not of the record.
_ENVELOPE = frozenset(
    (
        "success ok error errors result results data response total has_more next_page page per_page limit offset "
        "next_cursor cursor next_page_token count message isError meta pagination warnings hint hints instructions"
    ).split()
)
_BARRED = frozenset(
    (
        "a an the and or of for to in on at by with from if when all any each every other more most least that which "
        "this these those it its is are was were be been as not no your you their them specific provided given same "
        "only used using based new optional required available different various multiple existing matching relevant "
        "filter filters filtering search query pagination support parameters parameter options requires accepts "
        "complete full detailed comprehensive whole list array object json string markdown table str dict int bool "
        "float none tuple bytes"
    ).split()
)
_LISTED_VALUES = re.compile(
    r"\b(?P<of>category|status(?:es)?|state|type|kind|priority|severity|level|visibility|role|side|direction)s?"
    r"[`*]* ?\((?P<row>(?!e\.g)[A-Za-z_-]{2,24}(?:(?:, ?| ?\| ?|/)(?:or |and )?[A-Za-z_-]{2,24}){1,9})\)",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r"\b(?:with|and|has|have)?\s*(?:the )?(?:following )?(?:keys?|fields?)\s*(?:returned)?\s*:\s*([^\n]{3,400})", re.I
)
_RETURNS = re.compile(
    r"\b(?:returns?|returning|response (?:contains|includes)|results? (?:contain|include)s?|each (?:\w+ ){1,2}"
    r"(?:contains|includes|has|with)|outputs?|shows?|retrieves?|gets?|lists?|fetche?s?)\b([^\n]{3,400})",
    re.I,
)
_BEHIND = re.compile(
    r"(?:\bincluding|\bincludes?|\bcontaining|\bcontains|\bwith|\bsuch as|\(|:|—|\s-)\s*"
    r"(?:(?:its|their|the|the following|fields?|"
    r"details|information|info|data|metadata)\s*(?:like|such as|about)?\s*:?\s*)*([^()\n]{3,300})",
    re.I,
)
_MARKER = re.compile(r"\b(?:including|includes?|containing|contains|with|such as)\b", re.I)
_NOT_SHOWN = re.compile(
    r"\b(?:filter|filters|filtering|sort|search|support|option|parameter|pagination|paging|criteria|by default|if you|"
    r"optional|based on|according|ranked by|grouped by)\w*\b",
    re.I,
)
_HEADER = re.compile(r"^\s*(?:returns?|response(?: includes| contains)?|output|fields?|the response will include|"
                     r"(?:each|every) \w+ (?:includes|contains|has))\b[^:\n]{0,80}:\s*$", re.I)  # fmt: skip
_BULLET = re.compile(
    r"^\s*(?:[-*•]\s*)?[`'\"*]{0,3}([A-Za-z][A-Za-z0-9_]{1,39}|[A-Z][a-z]+(?: [a-z]+){1,2})[`'\"*]{0,3}"
    r"(\s*(?:\([^)]*\))?\s*(?::|-|–|—)\s*.*|\s*(?:\([^)]*\))?)$"
)
_NEW_PART = re.compile(
    r"^\s*(?:args?|arguments|parameters|params|examples?|raises|notes?|usage|tips?|requires)\b[^:]*:", re.I
)
_IDENTIFIER = re.compile(r"^[a-z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)*$")
_NUMBER_OF = re.compile(r"^(?:total |the )*number of ([a-z]+(?: [a-z]+)?)$")
_LEADING = re.compile(
    r"^(?:[a-z ]*\b(?:including|includes|containing|contains|with|such as|like)\s+)?"
    r"(?:(?:the|its|their|a|an|current|basic|key|associated|related|full)\s+)*"
)


def learn_promised(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    """Give the entity the fields that the description of a tool about it says that the answer holds."""
    if planned.kind not in _READS | _WRITES:
        return
    many = planned.kind in ("list", "get_or_list")
    found = promised_fields(tool.description, own.noun, written=planned.kind in _WRITES, many=many)
    keys = {key_of(name) for name in own.fields}
    own.promised = own.promised or (planned.kind in _READS and bool(found))
    for name, (schema, kind) in found.items():
        give_field(reader, own, name, schema, kind, keys)
    if planned.kind in _READS:
        _learn_values(own, tool.description)


def _learn_values(own: Entity, description: str) -> None:
    """The values that a field has, where the description lists them: "with their category (TO_DO, DONE)"."""
    for said in _LISTED_VALUES.finditer(description):
        words = [word for word in re.findall(r"[\w-]+", said["row"]) if word not in ("or", "and")]
        field = next((f for name, f in own.fields.items() if key_of(name) == singular(said["of"].lower())), None)
        if field is not None and field.type == "str" and not (field.choices or field.target or field.samples):
            field.choices = tuple(dict.fromkeys(words))


def leave_out_unknown(reader: Reader) -> None:
    """Take out the reads of what nothing is known about; common nouns get the fields that they have in the world."""
    plan = reader.plan
    for own in plan.entities.values():
        tools = [tool for tool in plan.every() if tool.entity == own.noun]
        if own.implied or not tools or any(tool.kind not in _ASKED for tool in tools):
            if tools and not own.written and not own.implied and _is_bare(own):
                give_usual(reader, own)
            continue
        if not _content(own, tools) or not (own.promised or own.described) or _is_bare(own):
            give_usual(reader, own)
        if not _content(own, tools):
            article = "an" if own.noun[0] in "aeiou" else "a"
            why = f"nothing says what {article} {own.noun.replace('_', ' ')} holds"
            gone = {tool.origin or tool.name for tool in tools if tool.kind != "count"}
            plan.left_out.update(dict.fromkeys(sorted(gone), why))
            plan.tools[:] = [tool for tool in plan.tools if tool.name not in gone]


def _content(own: Entity, tools: list[ToolPlan]) -> bool:
    """Whether records hold anything but ids, what the caller has to send, a bare name, and what a lone tool asks by."""
    sent = {known for tool in tools for known in (*tool.lookups.values(), tool.key_field, own.natural_key)}
    asked = [
        {f.field for f in tool.filters if f.kind not in ("least", "most")}
        | {*tool.read.same.values(), *tool.read.variants.values()}
        for tool in tools
    ]
    sent |= set.intersection(*asked)
    return any(known.name not in sent | _BARE and not known.target for known in own.fields.values())


def _is_bare(own: Entity) -> bool:
    """Whether nothing but a title and a text is known of a record."""
    return {key_of(known.name) for known in own.fields.values() if not known.target} <= _PLAIN


def give_usual(reader: Reader, own: Entity) -> bool:
    """Give the entity what records of its noun usually hold; False for a noun that is not a common one."""
    keys = {key_of(name) for name in own.fields}
    said = [tool.description for tool in reader.spec.tools if reader.entity_of(tool) is own]
    fields = held_by(own.noun, " ".join([reader.spec.slug, own.noun, *said]))
    words = own.noun.split("_")
    if fields[:2] == ["price", "currency"] and not any(known.type == "str" for known in own.fields.values()):
        fields = ["symbol", "name", *fields]  # prices of a market that nothing names
    within = [word for word in words_of(own.natural_key) if word != own.natural_key]  # symbol_or_id holds the symbol
    for name in (name for name in fields if name not in within):
        schema, kind = typed(name)
        market = next((MARKETS[word] for word in words if word in MARKETS), "") if "symbol" in fields[:2] else ""
        if market and name in ("symbol", "name"):
            kind = f"{market}_{name}"
        elif (
            name == "name" and "symbol" in fields[:2] and _TRADED & set(fields)
        ):  # what has a symbol first is a company that is traded
            kind = "listed"
        known = set(own.fields)
        give_field(reader, own, name, schema, kind, keys)
        for given in set(own.fields) - known:
            own.fields[given].invented = True
        if market and name == "symbol" and name in own.fields:
            own.fields[name].kind = own.fields[name].kind or kind
    return bool(fields)


def give_field(reader: Reader, own: Entity, name: str, schema: dict[str, Any], kind: str, keys: set[str]) -> None:
    """Add a field with its kind of seed value, unless the entity knows one of this name by any spelling."""
    key = key_of(name)
    if "symbol" in keys and key.endswith(("_symbol", "_ticker")):  # the stock symbol of what has a symbol
        return
    if key in keys or key in ("id", f"{own.noun}_id", f"{own.noun}s", own.table):
        return
    keys.add(key)
    add_field(reader, own, name, schema)
    own.fields[name].kind = kind


def promised_fields(description: str, noun: str, *, written: bool = False, many: bool = False) -> dict[str, Typed]:
    """Name -> (schema, kind of seed value) of what a description promises of a record of this noun.

    Of a write only what it is said to return counts; where it speaks of many records, plurals mean one value each.
    """
    found: dict[str, Typed] = {}
    spoken = [] if written else [_single(name, many) for name in _sentences(description)]
    told = [] if written else list(chinese_fields(description))
    told += (
        []
        if written
        else [_each(name) if many else one_moment(name) for name in enumerated_fields(description, many=many)]
    )
    told = [name for name in told if not _is_noun(name, noun)]
    bullets = dict(_bullets(description))
    for name in [*_listed_keys(description, many=many), *bullets, *spoken, *told]:
        key = key_of(name)
        barred = key in _ENVELOPE or (key in ("id", "status") and written) or key in noun.split("_")[-1:]
        if not barred and key not in {key_of(other) for other in found} and len(found) < _MOST_PROMISED:
            counted = typed(name)[0]["type"] == "string" and _is_counted(name, description)
            found[name] = ({"type": "integer"}, "") if counted else typed(name)
            if found[name][0]["type"] in ("string", "array") and not found[name][1]:
                found[name] = typed_by_words(bullets.get(name, "")) or found[name]
    return found


def _is_counted(name: str, description: str) -> bool:
    """Whether a name stands in a list of what is counted: "the total number of buy, hold and sell ratings"."""
    listed = re.search(r"\bnumber of ((?:[\w -]+, )+(?:and |or )?[\w -]+)", description, re.IGNORECASE)
    return listed is not None and name.replace("_", " ") in listed[1].lower()


def _listed_keys(description: str, *, many: bool = False) -> Iterator[str]:
    """`Fields: a, b, c` and `JSON with keys: 'a' (..), 'b'` and `{a, b, c}`."""
    for found in _KEYS.finditer(description):
        if not re.search(r"(?:search|filter|required|optional|update|supported|sort|valid|custom)\w*\W*$",
                         description[max(0, found.start() - 24) : found.start() + 1], re.I):  # fmt: skip
            yield from _identifiers(found[1])
    whole = r"\breturns?\b[^.{\n]{0,60}\{([^{}]{3,300})\}"
    rows = list(
        re.finditer(r"\breturns?\b[^.{\n]{0,60}\{[^{}\[\]]*:\s*\[\s*\{([^{}]{3,300})\}\s*\]", description, re.I)
    )
    for inner in rows if many else ():
        yield from _identifiers(inner[1])
    nested = re.sub(r"(?<=\w):\s*(?:\[\s*)?\{[^{}]*\}\s*\]?", "", description)
    for braces in list(re.finditer(whole, description, re.I)) or re.finditer(whole, nested, re.I):
        yield from _identifiers(braces[1])


def _identifiers(text: str) -> Iterator[str]:
    """Names out of a list of bare or quoted names: at least two, up to the first part that is none."""
    quoted = re.findall(
        r"['\"`]([A-Za-z][A-Za-z0-9_]*)['\"`](?=\s*(?:[(,.:\]]|and\b|$))(?!\s*/)", re.sub(r"\([^)]*\)", "()", text)
    )
    if len(quoted) >= 2:
        yield from quoted
        return
    names = []
    for part in re.split(r",|\band\b", re.sub(r"\([^)]*\)", "", text.split(". ", maxsplit=1)[0])):
        name = re.sub(r"[:?].*", "", part).strip(" .`'\"{}[]")
        if not _IDENTIFIER.match(name) or name in _BARRED:
            break
        names.append(name)
    if len(names) >= 2:
        yield from names


def _bullets(description: str) -> Iterator[tuple[str, str]]:
    """Names that lines below "Returns:" and the like begin with, and what they say of them."""
    lines = description.splitlines()
    for number, line in enumerate(lines):
        if not _HEADER.match(line):
            continue
        names: list[tuple[str, str]] = []
        for below in lines[number + 1 : number + 40]:
            if _NEW_PART.match(below) or (not below.strip() and names):
                break
            bullet = _BULLET.match(below)
            if bullet is None:
                continue
            name = _as_name(bullet[1]) if " " in bullet[1] or bullet[1][0].isupper() else bullet[1]
            described = bullet[2].strip() or below.lstrip()[:1] in "-*•"
            if name and described and name.lower() not in _BARRED:
                names.append((name, bullet[2].lstrip(" :-–—(*`")))
        if len(names) >= 2:
            yield from names


def _single(name: str, many: bool) -> str:
    """`names` -> name where many records are spoken of; lists such as tags stay, times are always single."""
    start, _, last = name.rpartition("_")
    plural = singular(last) != last and singular(last) in NAMED and last not in LISTS | COUNTED
    if not plural or last in VALUES or not (many or last in ("timestamps", "dates", "times")):
        return name
    return f"{start}_{singular(last)}" if start else singular(last)


def one_moment(name: str) -> str:
    """`start_dates` of one record -> start_date: "start and end dates" are one of each."""
    start, _, last = name.rpartition("_")
    return f"{start}_{singular(last)}" if start and last in ("dates", "timestamps", "times") else name


def _each(name: str) -> str:
    """`market_values` -> market_value, of each of many records; lists such as tags stay."""
    start, _, last = name.rpartition("_")
    if last in LISTS | COUNTED | MEASURED or singular(last) == last or ("_" not in name and not last.islower()):
        return name
    return f"{start}_{singular(last)}" if start else singular(last)


def _is_noun(name: str, noun: str) -> bool:
    """Whether a name is only another word for the record itself: `npm_package` of a package."""
    plain = "_".join(singular(word) for word in words_of(name))
    return plain == noun or noun.endswith(f"_{plain}") or plain.endswith(f"_{noun}")


def _sentences(description: str) -> Iterator[str]:
    """Names in "Returns X with title, authors and published date": lists of at least two known words."""
    head = re.split(r"\n\s*(?:args?|arguments|parameters|params|examples?)\b[^:\n]*:", description, flags=re.I)[0]
    for sentence in re.split(r"(?<=[.;])\s+|\n\s*\n", " ".join(head.split("\n")) if "\n-" not in head else head):
        for found in _RETURNS.finditer(sentence):
            behind = found[1]
            plain = _MARKER.split(behind, maxsplit=1)[0]  # "the post including its title": the post is no field
            for tail in (plain, *(match[1] for match in _BEHIND.finditer(behind))):
                yield from _enumerated(tail)
            break


def _enumerated(text: str) -> Iterator[str]:
    """The names of an enumeration when at least two of its parts, and half of them, are known words of records.

    Where three or more are known, and they are most of it, what stands between them is taken for fields too.
    """
    text = text.split(". ", maxsplit=1)[0].strip(" .:")
    if _NOT_SHOWN.search(text):
        return
    parts = [part.strip() for part in re.split(r",\s*(?:and|or)?\s*|\s+(?:and|&)\s+|/", text) if part.strip()]
    known = [_as_name(part) for part in parts]
    count = sum(bool(name) for name in known)
    if count < 2 or 2 * count < len(parts):
        return
    clear = count >= 3 and 3 * count >= 2 * len(parts)
    for part, name in zip(parts, known, strict=True):
        if name or (clear and (name := _as_name(part, strict=False))):
            yield name


def _as_name(part: str, *, strict: bool = True) -> str:
    """`published date` -> published_date, `number of comments` -> comment_count; "" for what is no field.

    Strictly the last word must be known as one of records; otherwise any noun phrase of three words will do.
    """
    plain = re.sub(r"\([^)]*\)?", "", part).strip(" .:;`'\"*").strip()
    if _IDENTIFIER.match(plain) and ("_" in plain or re.search(r"[a-z][A-Z]", plain)):
        return plain if id_target(plain, "") != "" else ""
    counted = _NUMBER_OF.match(plain.lower())
    if counted:
        return f"{'_'.join(singular(word) for word in counted[1].split())}_count"
    words = _LEADING.sub("", plain.lower()).split()
    if not 1 <= len(words) <= 3 or any(word in _BARRED or not word.isalpha() for word in words):
        return ""
    last = words[-1]
    if last in ("metadata", "details", "information", "data", "ids"):
        return ""
    known = NAMED | COUNTED | MEASURED | LISTS | FLAGS
    if last in known:
        return "_".join(words)
    if singular(last) in NAMED and plural_of(singular(last)) == last and singular(last) not in ("id", "status"):
        return "_".join(words)
    return "_".join(words) if not strict and len(last) > 2 and not last.endswith(("ing", "ly", "ed", "s")) else ""
