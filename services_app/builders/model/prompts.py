"""What the models are told. Facts about the engine in our own words; the specification comes as the first message."""

from __future__ import annotations

import json

from services_app.builders.model import recipe_texts
from services_app.builders.model.candidate import Best
from services_app.specs.model import Specification

SPEC_CHARACTERS = 24_000
REPORT_CHARACTERS = 12_000

BUILDER = """\
You write one simulated application as a small Python package: a "service". Agents will call its tools; each call must \
read or change typed state as the specification says. You work only through the tools you are given. Text outside of \
tool calls is not used.

FILES
- spec.py and __init__.py come from the specification and are protected. spec.py holds TOOLS: original tool name -> \
description and input_schema (the truth; never change or repeat them).
- state.py: records and the state class. tools.py: one function per tool. seed.py: fills a fresh state. tests.json: \
own tests. Further modules of the package are allowed; import them as `from {package}.name import ...`.

STATE
from services_app.engine import About, State, Table
from services_app.engine import fields as f
from services_app.recipes.records import SpecRecord

class Ticket(SpecRecord):
    about = About("ticket", plural="tickets", prefix="TKT-")   # noun, plural, prefix of generated ids
    title: f.Title | None = None
    customer_id: Annotated[str, f.ref("customers")] | None = None   # a reference names the other table
    tags: tuple[str, ...] | None = None                        # sequences are tuples; records are frozen
    status: str | None = "open"
    created_at: str | None = None

class DeskState(State):
    tickets: Table[Ticket]

Every record has `id: str` already. Values are str, int, float, bool, None, tuples and nested SpecRecords; for free \
JSON use the type `Json` of services_app.recipes.records. Dates are 2026-03-14, instants 2026-03-14T09:30:00Z.
A table: get(id) (raises 404), first(**equal), find(**equal), where(predicate), create(**fields) (makes the next id), \
add(record), patch(id, **changes), delete(id), count(**equal), new_id(), `id in table`, len(table), iteration in \
insertion order. This is the only way to change state; a record itself cannot be changed.

TOOLS (tools.py begins with: from {package} import service; from {package}.spec import TOOLS; from \
services_app.engine import CallContext, ToolError)
@service.spec_tool("close_ticket", **TOOLS["close_ticket"])
def close_ticket(state: DeskState, ctx: CallContext, args: Arguments) -> Any:
    ticket = pick(state.tickets, args.get("ticket_id"))
    if ticket.status == "closed":
        raise ToolError(409, "no_change", f"Ticket {{ticket.id}} is closed already.")
    return show(state.tickets.patch(ticket.id, status="closed"))

`args` holds the arguments under their original names, already checked against input_schema; absent ones are missing. \
A refusal is ToolError(code, type, message) with code 400, 403, 404, 409, 422 or 429 (from services_app.engine). Any \
other exception is a defect. Whatever a call did before it raised is taken back. The result is JSON: dict, list, text, \
number. Use ctx.now, ctx.today, ctx.in_days(n), ctx.random; there is no other clock, chance or id. Allowed imports: \
the package itself, services_app.engine, services_app.recipes, pydantic and the plain parts of the standard library \
(re, json, math, datetime, collections, itertools, difflib, statistics ...). No os, sys, io, network, eval, exec, \
open, print, dunder attributes or wall clock.

RECIPES make all this short; read_recipes shows the functions of a module. Those for rows with ids:
{recipes}

SEED
@service.seed
def fill(state: DeskState, ctx: SeedContext) -> None: ... uses ctx.size(n), ctx.date(days), ctx.moment(days, hour), \
ctx.random, value_for and state.tickets.create(...). Fill tables that others refer to first; give every list tool \
rows to show.

TESTS: {{"tests": [{{"name": "...", "steps": [{{"tool": "create_ticket", "arguments": {{"title": "A"}}, "expect": \
{{"success": true}}, "keep": {{"made": ["id"]}}}}, {{"tool": "get_ticket", "arguments": {{"ticket_id": {{"kept": \
"made"}}}}, "expect": {{"success": true, "holds": "A"}}}}]}}]}}

WHAT THE GATE WANTS OF EACH TOOL: some arguments work; bad arguments and unknown ids are refused and change nothing; \
reads change nothing; writes can be seen by reads; the same input gives the same output; every parameter has an \
effect; filters and limits hold; what was created is listed; no placeholder answers.

HOW TO WORK: read the failing checks, read the files you need, change little at a time with replace_in_file, call \
run_tests, then run_gate. Do not break tools that are verified. When all are verified, or you cannot get further, call \
finish. You may use at most {turns} replies.
"""

ADVERSARY = """\
You test a simulated application that you have never seen and will not see: you know only its specification. Write \
test cases that an honest implementation of the specification passes and a careless one fails. You work only through \
the tools you are given. Text outside of tool calls is not used.

A case is {"tool": name, "before": [[tool, arguments], ...], "arguments": {...}, "expected": {"outcome": "success" or \
"refused", "code": 400|403|404|409|422|429 (for refused, if it is certain), "contains": a JSON value that must stand \
somewhere in the result (for success), "unchanged": true if the state must be as before}, "note": the reason}.

RULES
- You do not know the data. A case must hold whatever records exist: never name an id that would have to exist. Ids \
that surely do not exist (such as "no-such-id-0") are fine and are refused with 404.
- Arguments of calls in `before`, and of a case whose outcome is success, must fit the input schemas.
- Expect a refusal only where the schema or the description says so: missing or mistyped arguments, values out of \
range or enumeration, unknown ids, steps in a wrong order.
- Expect success only where nothing else can be true: creations with complete arguments, lists and searches without \
conditions. A read has "unchanged": true, and so has every refusal.
- At most {most} cases per tool. Cover every tool. Prefer what a careless implementation gets wrong: derived totals, \
filters that are ignored, empty results, repeated calls, text with quotes, markup or other alphabets.

Call read_spec for the schemas, add_cases as often as you like, and finish when every tool is covered. You may use at \
most {turns} replies.
"""


def builder_messages(
    spec: Specification, package: str, best: Best, report: str, scratch: bool, turns: int
) -> list[dict[str, str]]:
    """The system message and the task: what stands, and what fails."""
    return [
        _message("system", BUILDER.format(package=package, turns=turns, recipes=_recipes())),
        _task(spec, best, report, scratch),
    ]


def _recipes() -> str:
    core = "\n".join(recipe_texts.functions_of(name) for name in recipe_texts.CORE)
    return f"{core}\nAll modules of services_app.recipes:\n{recipe_texts.overview()}"


def _task(spec: Specification, best: Best, report: str, scratch: bool) -> dict[str, str]:
    tools = len(spec.tools)
    if scratch:
        start = f"The files are empty but for the specification. Write the service with its {tools} tools."
    else:
        start = (
            f"A rule-based builder wrote the files; {len(best.verified)} of {tools} tools are verified. "
            "Make the others work and keep what works."
        )
    failing = "".join(f"\n- {name}: not written ({reason})" for name, reason in best.left_out.items())
    parts = [
        f"The service is {spec.title!r}. {start}",
        f"TOOLS OF THE SPECIFICATION\n{overview(spec)}",
        *([f"WHAT FAILS NOW{failing}\n{report}"[:REPORT_CHARACTERS]] if failing or report else []),
    ]
    return _message("user", "\n\n".join(parts))


def adversary_messages(spec: Specification, most: int, turns: int) -> list[dict[str, str]]:
    """The system message and the specification; nothing of the implementation or of any report."""
    rules = ADVERSARY.replace("{most}", str(most)).replace("{turns}", str(turns))
    about = f"The application is {spec.title!r}. {spec.description}".strip()
    return [_message("system", rules), _message("user", f"{about}\n\nTOOLS\n{overview(spec)}")]


def overview(spec: Specification) -> str:
    """Each tool in one entry, with its schema while there is room: `read_spec` gives the rest."""
    lines: list[str] = []
    room = SPEC_CHARACTERS
    for tool in spec.tools:
        head = f"- {tool.name}: {' '.join(tool.description.split())[:400]}"
        schema = f"\n  {json.dumps(tool.input_schema, ensure_ascii=False)}"
        line = head + schema if len(head) + len(schema) < min(room, 3_000) else head
        room -= len(line)
        lines.append(line if room > 0 else f"- {tool.name}")
    return "\n".join(lines)


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
