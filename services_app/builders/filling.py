"""What records still lack once everything is read: what lists in words promise, and what such records usually hold.

A record with nothing but an id, what it is asked for by and one more word is no answer to anybody, however right it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from services_app.builders.bounds import is_time
from services_app.builders.entities import Reader
from services_app.builders.field_types import COUNTED, FLAGS, LISTS, MEASURED, NAMED, typed
from services_app.builders.plan import Block, Entity, Plan, ToolPlan
from services_app.builders.promised import give_field, one_moment
from services_app.builders.roles import key_of
from services_app.builders.world import held_by
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, words_of
from services_app.verification.promised_content import is_shown
from services_app.verification.promised_words import promised_lists, stems_of

_READS = frozenset(("get", "find", "list", "get_or_list", "get_many"))
_MOST_FIELDS = 40
_LONGEST = 3
# Fields of nearly every record: alone they say nothing.
_PLAIN = frozenset(
    "name title description status state created_at updated_at created updated id type url timestamp summary".split()
)
# One of these is in the name of a field of whatever may be told by its words.
_TELLS = frozenset(
    (
        "name title label subject symbol ticker email username login text body content message comment note summary "
        "description question answer caption key code number sku url path hash address domain date time timestamp "
        "value amount price quantity count total score query word headline"
    ).split()
)
_WHEN = frozenset("created_at updated_at timestamp date".split())
# Fields that say the same: a comment with a body needs no text.
_SAME = tuple(
    frozenset(words.split())
    for words in (
        "title name label subject headline caption",
        "text body content message comment description note description_html body_html markdown summary",
        "author creator owner user username owner_name",
        "url link href website homepage permalink",
        "created_at created date_created created_date created_on created_time date timestamp",
        "status state active enabled is_enabled is_active",
        "amount price total value cost",
        "number code key sku reference",
    )
)
_PIPES = re.compile(r"\breturns?:?\s+([^.\n|:]+(?:\|[^.\n|]+){2,})", re.IGNORECASE)
_LABELLED = re.compile(r"\A\W*(?P<label>[A-Z][A-Za-z0-9 /'()-]{3,60}): (?P<row>[^.\n:]{6,200})(?:\.|\n|\Z)")
_NO_LABEL = re.compile(
    r"\b(?:warning|note|requires?|important|tip|deprecated|use|usage|example|when|either|one of|filter\w*|by|beta|"
    r"kpi|card|actions?|operations?|manage|supports?|alpha|experimental|hint|caution)\b",
    re.IGNORECASE,
)
_RESPONSE = re.compile(r"\b(?:response|returns?): ?\w+(?:\[\])? ?\((?P<row>[^()\n]{6,300})\)", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:the|its|their|a|an|all|any|both|last|first|latest|basic|full|associated|related|current|and|or|\d+)\s+)+"
)
_TAIL = re.compile(r"\s+(?:information|info|details?|data|metadata|if any|when available)$")
_NO_NAME = frozenset(
    (
        "per with to for of in by from using use used optional both item items call target more other others results "
        "result response ids id list lists details information data metadata if when where whether not no and or s "
        "page pagination error errors success each every all available required fields field value values along only "
        "including such via over read write upload download delete showing retrieves optionally identifies the summary "
        "review example examples parameters arguments options filters custom ones"
    ).split()
)


def fill_promised(reader: Reader, specs: Mapping[str, ToolSpec]) -> None:
    """Give records the fields that lists of descriptions name and no other rule found."""
    for planned in reader.plan.every():
        own = reader.plan.entities.get(planned.entity)
        if planned.kind in _READS and own is not None and planned.name in specs and not planned.read.part:
            _give_promised(reader, specs[planned.name], planned, own)


def fill_poor(reader: Reader) -> None:
    """Give records that say next to nothing what records of their noun usually hold."""
    for own in reader.plan.entities.values():
        if not own.implied and _is_poor(reader.plan, own):
            _give_usual(reader, own)


def _give_promised(reader: Reader, tool: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    many = planned.kind in ("list", "get_or_list")
    blocks = [block.name for block in planned.read.blocks]
    before = len(own.fields)
    sent = {key_of(name) for name in reader.properties(tool)}  # what its rule made of a parameter stands
    missed = unshown(tool.description, [*own.fields, *blocks, planned.result_key, "id"])
    for name in (name for name in missed if key_of(name) not in sent):
        rows = _rows_of(reader, own, name) if planned.kind == "get" else None
        if rows is not None and planned.wrap != "fit":
            planned.read.blocks.append(rows)
        elif len(own.fields) < _MOST_FIELDS:
            last = name.rsplit("_", 1)[-1]
            single = many and last not in LISTS | COUNTED | MEASURED
            known = f"{name.removesuffix(last)}{singular(last)}" if single else one_moment(name)
            schema, kind = typed(known)
            give_field(reader, own, known, schema, kind, {key_of(held) for held in own.fields})
    own.promised = own.promised or len(own.fields) > before + 1  # one word is no list: the usual fields come beside it


def _rows_of(reader: Reader, own: Entity, name: str) -> Block | None:
    """The rows that refer to a record, where what is promised of it are records of their own: its open tasks."""
    *front, last = name.split("_")
    nouns = ["_".join([*front, singular(last)]), singular(last)] if singular(last) != last else []
    for other in (reader.by_noun[noun] for noun in nouns if noun in reader.by_noun):
        back = next((known.name for known in other.fields.values() if known.target == own.table), "")
        if back and other is not own and not other.implied:
            return Block("", "", name, "rows", other.noun, back)
    return None


def unshown(description: str, shown: list[str]) -> Iterator[str]:
    """Names of what the lists of a description promise and no field shows.

    A list within a sentence counts where a field shows a part of it already, or where half of its parts end with
    words of fields: lists of kinds, of products and of purposes look alike otherwise.
    """
    stems = frozenset(part for name in shown for part in stems_of(name))
    for items in _listed(description):
        yield from (name for item in items if (name := _name_of(item)) and not is_shown(stems_of(name), stems))
    for told in promised_lists(description):
        names = list(dict.fromkeys(name for item, _ in told if (name := _name_of(item))))
        missed = [name for name in names if not is_shown(stems_of(name), stems)]
        known = [name for name in names if _is_known(name)]
        if len(names) > 1 and (len(missed) < len(names) or 2 * len(known) >= len(told)):
            yield from (name for name in missed if len(missed) < len(names) or name in known)


def _listed(description: str) -> Iterator[list[str]]:
    """Parts of `Returns: id | title | price`, of `Response: jobs[] (id, title)`, and of a label with a list behind."""
    for found in _PIPES.finditer(description):
        yield found[1].split("|")
    for found in _RESPONSE.finditer(description):
        yield found["row"].split(",")
    labelled = _LABELLED.match(description)
    parts = re.split(r", (?:and )?", labelled["row"]) if labelled else []
    if labelled and len(parts) > 2 and not _NO_LABEL.search(labelled["label"]) and all(map(_name_of, parts[:2])):
        yield parts


def _name_of(item: str) -> str:
    """`last 5 notes` -> notes; "" for what is no name of a field."""
    plain = re.sub(r"\([^)]*\)?", "", item).strip(" .:;`'\"*\n")
    if "_" in plain or re.search(r"[a-z][A-Z]", plain):
        return plain if re.fullmatch(r"[A-Za-z]\w+", plain) and key_of(plain).rsplit("_", 1)[-1] != "id" else ""
    plain = _TAIL.sub("", _LEAD.sub("", plain.lower().replace("-", " ").replace("'s", "")))
    plain = plain.split("/")[0] if plain.count("/") == 1 and " " not in plain else plain
    words = plain.split()
    fits = 1 <= len(words) <= _LONGEST and all(re.fullmatch(r"[a-z]{2,20}", word) for word in words)
    if not fits or set(words) & _NO_NAME or words[-1].endswith(("ing", "ly")):
        return ""
    return "_".join(words)


def _is_known(name: str) -> bool:
    """Whether the last word of a name is one of fields, alone or of several."""
    last = key_of(name).rsplit("_", 1)[-1]
    known = NAMED | COUNTED | MEASURED | LISTS | FLAGS
    return last in known or singular(last) in known


def _is_poor(plan: Plan, own: Entity) -> bool:
    """Whether records that tools read hold next to nothing but what is asked for and usual; or no words."""
    tools = [tool for tool in plan.every() if tool.entity == own.noun]
    reads = [tool for tool in tools if tool.kind in _READS]
    if not reads or own.single or any(tool.kind in ("written", "link", "unlink") for tool in tools):
        return False
    sent = {known for tool in reads for known in (*tool.lookups.values(), tool.key_field, own.natural_key)}
    content = [
        known.name
        for known in own.fields.values()
        if known.name not in sent and not known.target and known.type != "Json" and key_of(known.name) not in _PLAIN
    ]
    words = {word for name in own.fields for word in words_of(name)}
    return len(content) < 2 or not (words & _TELLS or own.natural_key)


def _give_usual(reader: Reader, own: Entity) -> None:
    said = [tool.description for tool in reader.spec.tools if reader.entity_of(tool) is own]
    keys = {key_of(name) for name in own.fields}
    lasts = {words_of(name)[-1] for name in own.fields if words_of(name)}
    for name in held_by(own.noun, " ".join([reader.spec.slug, own.noun, *said])):
        same = next((group for group in _SAME if name in group), frozenset((name,)))
        if name in words_of(own.natural_key) or (name in _WHEN and any(map(is_time, own.fields.values()))):
            continue
        if not same & keys and not (name in ("name", "title", "text", "author") and same & lasts):
            schema, kind = typed(name)
            give_field(reader, own, name, schema, kind, keys)
