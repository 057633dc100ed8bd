"""What the author and the rephraser are told. Facts about the proof in our own words."""

from __future__ import annotations

from collections.abc import Sequence

from services_app.engine.protocol import Environment
from tasks_app.authors.model.draft import Brief
from tasks_app.authors.model.exploring import overview

AUTHOR = """\
You write one task for agents that work in several applications ("services") through tools: an initial state, an \
instruction as a colleague would write it, a reference solution, and checks of the end state. A machine then proves \
the task; what is not proven is not used. You work only through the tools you are given. Text outside of tool calls \
is not used.

THE WALK is a sequence of visits to services. Each step of it carries a VALUE: the source shows it, and the next \
service needs it. Nothing else may give the value away: it stands neither in the instruction nor in another mounted \
service. Coming back to a service means that something there was changed by the agent's own earlier write, or that \
the detour showed what to act on. The agent writes in two services at least.

1. EXPLORE the services with `explore`: overview, tools with their measured effects, rows, trial calls.

2. DESIGN with `design`.
plant: [{{"service", "table", "id", "record": {{...}}}}] adds a record (with its "id" and every required field), \
"patch": {{...}} changes fields of an existing one, neither removes it. Plant what the story needs and near-duplicates \
that a hasty agent would take instead; plant notes in the words of people.
edges: [{{"register_name": register of the reference, "name": what the instruction calls the value, "ablation"?: edits \
that put another value in its place, needed where claim 6 finds none}}], one for each step of the walk, in order. The \
other value has to be as usable: plant the near-duplicate that it names. A value read from free text has a \
name that at least two records of its service mention, so that a search for the name does not find it at once.
instruction: goals, rules and names as a person says them; no tool names, no ids, no list of steps. It uses the name \
of every edge. Every name in capitals, quoted text, address or code in it is used by the reference or stands in a \
record. Dates are written like 13 April 2026, amounts like 1,250.00.

3. PROBE with `probe`: the reference as steps.
Call: {{"service", "tool", "arguments": {{name: expression}}}}. Calls are numbered from 1 and go along the walk.
Expressions: {{"kind": "literal", "value", "origin": "instruction"}} (it stands in the instruction), the same with \
"origin": "constant" (free for the agent, such as wording), {{"kind": "register", "name", "style"?}}, \
{{"kind": "template", "parts": [literals and registers]}} (one text; a register in it has the style of its kind, such \
as money or date), {{"kind": "list", "items": [...]}}. Every value that the agent has to find out comes from a register.
Get: {{"register_name", "call": number, "path": "$.tickets[*].id", "where"?: [{{"path", "value": expression}}], \
"rank"?: {{"path", "order": "max" or "min"}}, "operation"?: "path" (default), "text" (the value of "kind" in a text; \
"choices" for one of a fixed set), "sum", "policy" (the rule for the number in "argument": register; a rule is a \
sentence such as: Over 500.00: ask the board.)}}. "$" is the data of the observation, [*] every row; rows are chosen \
by where and rank, never by position; exactly one value must remain. Kinds: email, code, date, timestamp, time, money, \
percent, count, duration, person, organisation, title, product, place, phone, url, label. In free text, titles, \
products, places and labels stand in “ ”.

4. SUBMIT with `submit`. Leave the criteria out first: they are made from what the reference changes. Your own are CEL \
over added, removed, changed (changed.desk.tickets.exists(r, r.id == "T-1" && r.after.status == "closed")), before, \
after, calls, answer; a "-" in a service name is written "_". Functions: has_text(text, part), has_number(text, \
number), norm(text), near(a, b, tolerance).
The proof: s0 is valid; the reference replays and reaches the goal; the checks accept it and refuse doing nothing and \
only reading; each check can fail; with another value in its place each edge changes what has to be written; other \
right ways pass; an extra write fails; all that is sent was stated or read; no value leaks, and whoever skips \
discovery or takes the first record listed fails; each needed service is called, with at least as many calls as \
visits; reading earlier or later changes nothing; the instruction closes. \
Claims that fail come back to you: repair the draft and submit again. `finish` gives up.

You may use at most {turns} replies.
"""

REPHRASE = """\
You reword the instruction of a task: the same request in other words, as a colleague would write it. The task itself \
does not change. Keep every item of the list exactly as it is written, and add no name, number, date or quotation. \
Leave nothing out that is asked for, keep the order of what depends on each other, and do not say how it is done. \
Answer only by the tool `reword`; it says what is wrong. You may use at most {turns} replies.
"""


def author_messages(brief: Brief, environment: Environment, turns: int) -> list[dict[str, str]]:
    """The system message and the assignment: walk, length, services."""
    low, high = brief.length
    task = (
        f"Write a task over the services {', '.join(brief.needed)}.\n"
        f"The walk that was drawn: {' > '.join(brief.walk)}. You may design another over the same services, with "
        f"{low} to {high} visits.\n\n{overview(environment, brief.needed)}"
    )
    return [_message("system", AUTHOR.format(turns=turns)), _message("user", task)]


def rephrase_messages(instruction: str, kept: Sequence[str], turns: int) -> list[dict[str, str]]:
    """The system message, the instruction, and what has to stay in it."""
    items = "\n".join(f"- {item}" for item in kept)
    task = f"INSTRUCTION\n{instruction}\n\nKEEP EXACTLY\n{items}"
    return [_message("system", REPHRASE.format(turns=turns)), _message("user", task)]


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
