"""The tools of the author's four phases, and of rewording, as OpenAI functions."""

from __future__ import annotations

from services_app.builders.model.schemas import TEXT, Schema, described, tool_schema

_OBJECTS: Schema = {"type": "array", "items": {"type": "object"}}
_WHOLE: Schema = {"type": "integer", "minimum": 0}
_CRITERION: Schema = {
    "type": "object",
    "properties": {
        "text": described(TEXT, "What is checked, for people."),
        "kind": {"enum": ["goal", "constraint", "answer"]},
        "expression": described(TEXT, "CEL that gives true or false."),
    },
    "required": ["text", "kind", "expression"],
    "additionalProperties": False,
}

AUTHOR_TOOLS: tuple[Schema, ...] = (
    tool_schema(
        "explore",
        "EXPLORE. Without arguments: all mounted services. With service: its tools, effects and tables. With table as "
        "well: its rows. With tool: its schema and effect profile. With arguments too: make that call on a copy of "
        "the designed world; nothing of it stays.",
        service=TEXT,
        tool=described(TEXT, "Name of a tool of the service, without the service."),
        table=TEXT,
        arguments={"type": "object"},
        first=described(_WHOLE, "First row to show, from 0."),
    ),
    tool_schema(
        "design",
        "DESIGN. Each part that is given replaces the earlier one; the others stay.",
        walk={"type": "array", "items": TEXT, "description": "Services in the order of the visits."},
        plant=described(_OBJECTS, "Records to plant, change or remove in the initial state."),
        edges=described(_OBJECTS, "One carried value for each step of the walk, in order."),
        instruction=described(TEXT, "What the agent will be told."),
    ),
    tool_schema(
        "probe",
        "PROBE. Run these steps after the ones that are kept, on a copy of the designed world. When all of them work "
        "they join the reference program; otherwise none does, and you are told why.",
        "steps",
        steps=described(_OBJECTS, "Calls and gets, in order."),
        keep=described(_WHOLE, "How many of the earlier steps stay; left out: all of them."),
    ),
    tool_schema(
        "submit",
        "SUBMIT. Freeze the task and prove it. Claims that fail are named; then repair and submit again.",
        criteria={
            "type": "array",
            "items": _CRITERION,
            "description": "Leave them out to have them made from what the reference changes.",
        },
        answer=described(_OBJECTS, "Parts of the final answer: literals and registers. Left out: none is asked for."),
    ),
    tool_schema("finish", "Give up: no task can be made of this.", summary=described(TEXT, "Why.")),
)

REPHRASE_TOOLS: tuple[Schema, ...] = (
    tool_schema("reword", "Give the new wording. It is checked.", "text", text=TEXT),
    tool_schema("finish", "Give up: the wording stays as it is.", summary=described(TEXT, "Why.")),
)
