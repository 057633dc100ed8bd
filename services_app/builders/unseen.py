"""Creations that change a document which is there, where what they add would lie in a table that no tool shows."""

from __future__ import annotations

from services_app.builders.entities import Reader
from services_app.builders.plan import Plan, ToolPlan
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import singular, words_of

_DOCUMENTS = frozenset("doc document presentation slide page sheet spreadsheet workbook worksheet paragraph".split())
_PARTS = frozenset(
    (
        "text table row column cell chart image picture shape box bullet point paragraph heading slide sheet footnote "
        "header footer connector element bullet list content format"
    ).split()
)
_WRITTEN = frozenset("insert append write put draw prepend paste".split())
_MESSAGES = frozenset("draft message mail email".split())
_READS = frozenset(("get", "get_many", "get_or_list", "find", "list", "count", "graph"))
_MAKES = frozenset(("create", "create_many"))


def leave_out_unseen(reader: Reader) -> None:
    """Say so of every such tool: the document that the others show would stay as it is."""
    plan = reader.plan
    specs = {tool.name: tool for tool in reader.spec.tools}
    seen = _seen(plan)
    for planned in list(plan.tools):
        if planned.kind not in _MAKES or planned.name not in specs or planned.entity in seen:
            continue
        why = _changes_document(planned, specs[planned.name], reader, seen) or _drafts(planned, seen)
        if why:
            plan.tools.remove(planned)
            plan.left_out[planned.name] = why


def _seen(plan: Plan) -> set[str]:
    """Nouns of the records that some tool shows, or does something to."""
    nouns = {tool.entity for tool in plan.every() if tool.kind not in _MAKES}
    nouns |= {noun for tool in plan.every() for noun in tool.lists.values()}
    return nouns | {block.noun for tool in plan.every() for block in tool.read.blocks if block.noun}


def _changes_document(planned: ToolPlan, tool: ToolSpec, reader: Reader, seen: set[str]) -> str:
    written = _WRITTEN & set(words_of(tool.name))
    kept = planned.parents if written else [name for name in planned.parents if name in reader.required(tool)]
    shown = [planned.parents[name] for name in kept if planned.parents[name] in seen]
    held = next((noun for noun in shown if singular(noun.rsplit("_", 1)[-1]) in _DOCUMENTS), "")
    words = {singular(word) for word in planned.entity.split("_")}
    if held and (words & _PARTS or written):
        return f"it changes what is in the {held.replace('_', ' ')}, which no rule of records does"
    return ""


def _drafts(planned: ToolPlan, seen: set[str]) -> str:
    """create_reply_draft(message_id): a draft that lies with no others."""
    kept = any(noun.rsplit("_", 1)[-1] in _MESSAGES for noun in seen)
    if planned.entity.rsplit("_", 1)[-1] == "draft" and kept:
        return f"what it makes, the {planned.entity.replace('_', ' ')}, lies where no tool shows it"
    return ""
