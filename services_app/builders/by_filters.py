"""Writes that choose their records as a list does: `delete_tasks(statuses, before)`, "based on provided filters"."""

from __future__ import annotations

import re

from services_app.builders.body_parts import returned, table_of
from services_app.builders.entities import Reader
from services_app.builders.linking import set_status
from services_app.builders.plan import ROWS, Entity, ToolPlan
from services_app.builders.reads import plan_list
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import types_of

_FILTERS = re.compile(r"\b(?:filters?|criteria|match(?:ing|es)?|based on)\b", re.IGNORECASE)


def chooses(reader: Reader, tool: ToolSpec) -> bool:
    """Whether a write requires nothing, and takes lists of values by which its description says records are chosen."""
    properties = reader.values(tool)
    lists = [name for name, schema in properties.items() if "array" in types_of(schema)]
    required = [name for name in reader.required(tool) if name in properties]
    return not required and len(lists) > 1 and _FILTERS.search(tool.description) is not None


def plan_chosen(reader: Reader, tool: ToolSpec, own: Entity) -> ToolPlan | str:
    """What fits all filters that are sent is deleted, or gets the status of the verb; 400 when none is sent."""
    listed = plan_list(reader, tool, own)
    if isinstance(listed, str):
        return listed
    if listed.lookups or listed.pages or not listed.filters:
        return "records are chosen by filters that no rule understands"
    names = [item.parameter for item in listed.filters]
    if set(names) != set(reader.values(tool)):
        return "records are chosen by filters that no rule understands"
    deletes = reader.readings[tool.name].action == "delete"
    planned = ToolPlan(tool.name, "written", own.noun, filters=listed.filters, parents=listed.parents)
    if not deletes:
        set_status(reader, tool, own, planned)
    noun = own.noun.replace("_", " ")
    planned.about = f"{'Deletes' if deletes else 'Changes the status of'} every {noun} that fits the filters."
    table = table_of(own)
    lines = [f"some_filter(args, {tuple(names)!r})", ROWS]
    if deletes:
        lines.append(f"ids = [{table}.delete(row.id).id for row in rows]")
    else:
        status = own.fields[own.status].python
        lines.append(f"ids = [{table}.patch(row.id, {status}={planned.value!r}).id for row in rows]")
    word = "deleted" if deletes else "changed"
    planned.body = (*lines, returned(planned, f'{{"{word}": ids, "total": len(ids)}}'))
    planned.imports = {"services_app.recipes.narrow": ("some_filter",)}
    own.written = True
    return planned
