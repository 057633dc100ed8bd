"""Lists and searches whose parameter is a query in a small language: JQL, CQL, an OData filter."""

from __future__ import annotations

import re

from services_app.builders.around import plan_around
from services_app.builders.entities import Reader, add_field, entity
from services_app.builders.outputs import learn_fields, wrap_of
from services_app.builders.plan import Entity, Filter, ToolPlan
from services_app.builders.presentation import plan_presentation
from services_app.builders.reads import plan_list
from services_app.builders.roles import key_of, language_of
from services_app.builders.special.formula import first_id
from services_app.specs.model import ToolSpec
from services_app.specs.vocabulary import Reading, words_of

_SPOKEN = {"JQL": "jql", "CQL": "cql"}
_NOUNS = {"JQL": ("issue", "ticket", "work_item"), "CQL": ("content", "page", "document")}
# What queries name and specifications often do not: every record of such an application has it.
_FIELDS = {
    "JQL": ("project", "summary", "status", "assignee", "priority", "issuetype", "labels", "created", "updated"),
    "CQL": ("space", "title", "type", "creator", "created", "lastmodified"),
}
_STATUSES = ["To Do", "In Progress", "Done"]
_PREFIX = "\u0001"  # no tool is named so


def plan(reader: Reader, tool: ToolSpec) -> ToolPlan | str | None:
    """A list of the records that the query finds, with whatever else the tool's parameters do to a list."""
    if reader.readings[tool.name].action not in ("list", "search", "count", "get"):
        return None
    spoken = _spoken(reader, tool)
    if spoken is None:
        return None
    parameter, language = spoken
    own = _entity(reader, tool, language)
    _give_fields(reader, own, language)
    keys = {name: match[1] for name in reader.properties(tool) if (match := _AMONG.fullmatch(key_of(name)))}
    plain = [name for name in reader.properties(tool) if key_of(name) == "use_display_names"]
    rest = _without(tool, {parameter, *keys, *plain})
    action = "count" if reader.readings[tool.name].action == "count" else "search"
    reader.readings[rest.name] = Reading("search", action, own.noun, True)  # type: ignore[arg-type]
    reader.by_noun.setdefault(own.noun, own)
    try:
        planned = plan_list(reader, rest, own)
        if not isinstance(planned, str):
            _finish(reader, rest, planned, own)
    finally:
        del reader.readings[rest.name]
    if isinstance(planned, str):
        return planned
    planned.name = tool.name
    simple = language == "CQL" and re.search(r"simple (text|terms)", str(reader.properties(tool)[parameter]))
    planned.filters.append(Filter(parameter, "spoken", "cql or words" if simple else _SPOKEN[language]))
    planned.filters += [Filter(name, "spoken", field) for name, field in keys.items()]
    planned.inert |= dict.fromkeys(plain, "there are no custom fields, whose names alone it would change")
    cursor = planned.pages.get("cursor", "")
    if "offset" in planned.pages and re.search(r"cloud only", str(reader.properties(tool).get(cursor)), re.IGNORECASE):
        del planned.pages["cursor"]
        planned.inert[cursor] = "the simulated server is no cloud: it pages by position"
    planned.imports = {**planned.imports, "services_app.recipes.query": ("spoken",)}
    planned.read.newest = ""
    known = {name: first_id(reader, noun) for name, noun in planned.parents.items() if name in tool.required}
    if set(tool.required) <= {parameter, *known} and not planned.unwraps:
        queries = _EXAMPLES["user" if own.noun == "user" else language]
        planned.examples = tuple({**known, parameter: query} for query in queries)
    return planned


_EXAMPLES = {
    "JQL": ('status = "To Do" ORDER BY created DESC', "status != Done", "created >= 2000-01-01"),
    "CQL": ("created >= 2000-01-01 ORDER BY title", "title ~ 'a'", "type = page"),
    "user": ("user.fullname ~ 'a'", "user.fullname ~ 'e' ORDER BY user.fullname"),
}
_AMONG = re.compile(r"(project|space)s?_(filter|keys?)")


def _spoken(reader: Reader, tool: ToolSpec) -> tuple[str, str] | None:
    for name, schema in reader.properties(tool).items():
        said = language_of(name, schema, tool.description)
        key = key_of(name)
        language = said if said in _SPOKEN else key.upper() if key.upper() in _SPOKEN else ""
        if language:
            return name, language
    return None


def _entity(reader: Reader, tool: ToolSpec, language: str) -> Entity:
    """What the query is over: what the name says, else what queries of this language are over."""
    words = "_".join(words_of(tool.name))
    if language == "CQL" and re.search(r"(^|_)users?($|_)", words):
        return entity(reader, "user")
    known = next((reader.by_noun[noun] for noun in _NOUNS[language] if noun in reader.by_noun), None)
    return known or entity(reader, _NOUNS[language][0])


def _give_fields(reader: Reader, own: Entity, language: str) -> None:
    known = {key_of(name).replace("_", "") for name in own.fields}
    for name in ("name",) if own.noun == "user" else _FIELDS[language]:
        if not any(other.startswith(name.replace("_", "")) for other in known):
            schema: dict[str, object] = {"type": "string"}
            if name == "status":
                schema["enum"] = _STATUSES
            elif name in ("created", "updated", "lastmodified"):
                schema["format"] = "date-time"
            elif name == "type":
                schema["enum"] = ["page", "blogpost", "comment"]
            add_field(reader, own, name, schema, filtered=True)


def _without(tool: ToolSpec, parameters: set[str]) -> ToolSpec:
    """The tool as if it had no such parameters, under a name of its own."""

    def cut(schema: dict[str, object]) -> dict[str, object]:
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return schema
        kept = {
            name: cut(inner) if isinstance(inner, dict) and "properties" in inner else inner
            for name, inner in properties.items()
            if name not in parameters
        }
        required = [name for name in schema.get("required") or () if name not in parameters]  # type: ignore[attr-defined]
        return {**schema, "properties": kept, "required": required}

    return tool.model_copy(update={"name": _PREFIX + tool.name, "input_schema": cut(tool.input_schema)})


def _finish(reader: Reader, rest: ToolSpec, planned: ToolPlan, own: Entity) -> None:
    """What every list of records gets after its own rule."""
    learn_fields(reader, rest, own)
    planned.wrap = wrap_of(rest)
    planned.unwraps = reader.unwraps(rest)
    plan_around(reader, rest, planned)
    plan_presentation(reader, rest, planned, own)
