"""How a reference program, an edge and the steps of a trajectory are put into words: `{% load task_tags %}`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks_app.engine.program import Call, Constant, Get, Program, Register, Template
from tasks_app.engine.task import Audit, GraphEdge, TaskSpec
from webapp.common.rendering.text import Markup
from webapp.common.svg import Step, scrubber

register = template.Library()

LINE = 300
DIGITS = 7
MUTANTS = 5  # number of the claim that each criterion can fail
NECESSITY = 6  # and of the one that every edge is necessary


@register.simple_tag
def reference_arguments(program: Program, number: int) -> list[tuple[str, str]]:
    """(argument, words) of a call: literals as JSON, read values as the observation and path they come from."""
    gets = {get.register_name: get for get in program.gets}
    call = next(call for call in program.calls if call.number == number)
    return [(name, _words(expression, gets)) for name, expression in call.arguments.items()]


def _words(expression: Any, gets: Mapping[str, Get]) -> str:
    if isinstance(expression, Constant):
        return json.dumps(expression.value, ensure_ascii=False)
    if isinstance(expression, Register):
        return _origin(expression.name, gets)
    if isinstance(expression, Template):
        parts = (str(p.value) if isinstance(p, Constant) else _origin(p.name, gets) for p in expression.parts)
        return f'"{"".join(parts)}"'
    return f"[{', '.join(_words(item, gets) for item in expression.items)}]"


def _origin(name: str, gets: Mapping[str, Get]) -> str:
    get = gets.get(name)
    return f"⟨{name}⟩" if get is None else f"⟨{get.call}: {get.path.removeprefix('$.')}⟩"


@register.simple_tag
def edge_evidence(spec: TaskSpec, edge: GraphEdge) -> dict[str, Any]:
    """Of a carried value: the call that shows it and where, the arguments that need it, and its ablation."""
    program = spec.reference
    ablation = _ablation(spec, edge)
    get = next((get for get in program.gets if get.register_name == edge.register_name), None)
    if get is None:
        return {"ablation": ablation}
    calls = {call.number: call for call in program.calls}
    uses = [
        {"call": call, "argument": name}
        for call in program.calls
        for name, expression in call.arguments.items()
        if edge.register_name in _registers(expression)
    ]
    shown = {"call": calls.get(get.call), "path": get.path}
    return {**shown, "uses": uses, "in_answer": _answers(program, edge), "ablation": ablation}


def _ablation(spec: TaskSpec, edge: GraphEdge) -> dict[str, Any]:
    """What the proof found with another value in the place of this one; {} when it did not look."""
    claims = (claim.evidence.get("edges") for claim in spec.proof.claims if claim.number == NECESSITY)
    rows = next((rows for rows in claims if isinstance(rows, list)), [])
    wanted = (f"{edge.source} > {edge.target}", edge.name)
    return next((row for row in rows if (row.get("edge"), row.get("name")) == wanted), {})


@register.simple_tag
def proof_evidence(spec: TaskSpec) -> dict[str, Any]:
    """What a proof rests on, as rows: the ablation of each edge, each mutant, the audit; [] for what is not stored."""
    evidence = {claim.number: claim.evidence for claim in spec.proof.claims}
    mutants = evidence.get(MUTANTS, {})
    audit = spec.proof.audit
    return {
        "edges": evidence.get(NECESSITY, {}).get("edges", []),
        "mutants": mutants.get("each", []),
        "kill_share": f"{mutants.get('kill_rate', 0.0):.0%}",
        "audit": audit,
        "found": () if audit is None else {finding.kind for finding in audit.findings},
        "decisive": "" if audit is None else _decisive(audit),
    }


def _decisive(audit: Audit) -> str:
    """How many values decide, and how likely they are guessed."""
    words = ngettext("%(n)s carried value decides", "%(n)s carried values decide", audit.decisive)
    if audit.chance:
        words += "; " + _("a blind choice among what a search turns up is right once in %(times)s")
    times = f"{1 / audit.chance:,.0f}" if audit.chance else ""
    return words % {"n": audit.decisive, "times": times}


def _registers(expression: Any) -> set[str]:
    if isinstance(expression, Register):
        return {expression.name}
    inner: Iterable[Any] = getattr(expression, "parts", None) or getattr(expression, "items", None) or ()
    return {name for part in inner for name in _registers(part)}


def _answers(program: Program, edge: GraphEdge) -> bool:
    return program.answer is not None and edge.register_name in _registers(program.answer)


@register.filter
def one_line(arguments: object) -> str:
    """`name=value, ...` with JSON values, cut at LINE characters; text that was no JSON as it is."""
    if not isinstance(arguments, Mapping):
        return str(arguments or "")[:LINE]
    words = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in arguments.items())
    return words if len(words) <= LINE else f"{words[:LINE]}…"


@register.simple_tag
def step_scrubber(steps: Sequence[Mapping[str, Any]], chosen: str = "") -> Markup:
    """The steps of a page as bars as wide as they took long; the lanes follow the step whose number is chosen."""
    first = steps[0]["index"]
    return scrubber(
        [
            Step(
                number=step["index"] + 1,
                service=step["service"],
                tool=step["tool"] or step["name"],
                href=f"?from={first}&step={step['index'] + 1}#s-{step['index']}",
                failed=not step["success"],
                changed=bool(step["changes"]),
                weight=max(float(step["duration_ms"]), 1.0),
            )
            for step in steps
        ],
        int(chosen) if chosen.isdecimal() and len(chosen) < DIGITS else 0,
        title=_("Steps in order; a bar is as wide as its step took long"),
    )


@register.filter
def call_name(call: Call) -> str:
    """`service.tool` of a call of the reference."""
    return f"{call.service}.{call.tool}"


@register.filter
def message_text(message: Mapping[str, Any]) -> str:
    """What a message of the conversation says: its content, or its calls as text."""
    calls = message.get("tool_calls") or ()
    lines = [f"{call['function']['name']}({call['function']['arguments']})" for call in calls]
    return "\n".join([part for part in (message.get("content"), *lines) if part])


@register.filter
def item(found: Mapping[str, Any], name: str) -> Any:
    """`{{ kinds|item:criterion.id }}`: the value under a name, None when there is none."""
    return found.get(name)


@register.filter
def sides(words: str) -> list[str]:
    """ "fail to pass" as ["fail", "pass"]."""
    return words.split(" to ")


@register.inclusion_tag("tasks/verdict_cell.html")
def verdict_cell(passed: bool | None, score: float | None) -> dict[str, Any]:
    """`{% verdict_cell verdict.passed verdict.score %}`: the verdict on the whole, and the share of criteria."""
    return {"passed": passed, "score": score}
