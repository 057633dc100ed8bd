"""Every component on one page, for development and for the visual tests: /help/components/.

The values shown are examples of form and say so on the page; none of them is a result.
"""

import math
from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from webapp.common.rendering.status import LOOKS
from webapp.common.rendering.text import Markup
from webapp.common.svg import (
    CriterionRow,
    Edge,
    HeatCell,
    Marker,
    Node,
    RolloutColumn,
    Series,
    Step,
    chart_table,
    dependency_graph,
    graph_list,
    group_matrix,
    heat_map,
    line_chart,
    scrubber,
    sparkline,
)

CODE = '''"""Mail: threads, drafts and delivery."""

@mail.tool(mutates=True)
def send_message(state: MailState, ctx: CallContext, to: list[str], subject: str) -> Message:
    """Send a message. Errors: `unknown_recipient`, `mailbox_full`."""
    if not all(address in state.addresses for address in to):
        raise ToolError("unknown_recipient", f"no such address: {to[0]}")
    # The id comes from the context, so a replay makes the same one.
    return state.append(Message(id=ctx.next_id("msg"), to=to, subject=subject))
'''

BEFORE = {
    "messages": {"msg_1": {"subject": "Quarterly numbers", "folder": "inbox", "read": False}},
    "drafts": {"dr_7": {"to": "lena@example.org", "subject": "Meeting on Tuesday"}},
    "settings": {"signature": "Lena", "quota_mb": 512},
}
AFTER = {
    "messages": {
        "msg_1": {"subject": "Quarterly numbers", "folder": "archive", "read": True},
        "msg_2": {"subject": "Meeting on Thursday", "folder": "sent", "read": True},
    },
    "drafts": {},
    "settings": {"signature": "Lena", "quota_mb": 511},
}
HOSTILE = "</script><script>alert(1)</script> user\u202etxt.exe\u0000 zero\u200bwidth"
STATE = {
    "success": True,
    "data": {
        "thread_id": "thr_0192",
        "unread": 3,
        "labels": ["finance", "board"],
        "next_page": None,
        "messages": [{"id": "msg_1", "from": "otto@example.org", "body": "word " * 600}, {"id": "msg_2"}],
        "untrusted": HOSTILE,
    },
}
SCHEMA = {
    "type": "object",
    "required": ["to", "subject"],
    "properties": {
        "to": {"type": "array", "items": {"type": "string"}, "description": "Addresses, at least one.", "minItems": 1},
        "subject": {"type": "string", "maxLength": 120, "description": "One line."},
        "priority": {"enum": ["low", "normal", "high"], "default": "normal"},
        "send_at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
        "options": {
            "type": "object",
            "properties": {"track": {"type": "boolean"}, "retries": {"type": "integer", "minimum": 0, "maximum": 5}},
        },
    },
}


@require_safe
def component_gallery(request: HttpRequest) -> HttpResponse:
    """All components with example values."""
    return render(request, "help/components.html", {**_small_parts(), **_data_parts(), **_pictures()})


def _small_parts() -> dict[str, object]:
    now = timezone.now()
    running = {"state": "running", "done": 63, "total": 150, "unit": "steps", "phase": ""}
    return {
        "states": list(LOOKS),
        "run": {**running, "started_at": now - timedelta(minutes=12)},
        "ended": {**running, "state": "interrupted", "started_at": now - timedelta(hours=2)},
        "phase": {"state": "starting", "phase": "Loading the checkpoint"},
        "moments": [now - timedelta(seconds=4), now - timedelta(minutes=3), now - timedelta(days=2)],
        "kv_rows": [("Id", "svc_0192f3c1"), ("Version", 3), ("Last validated", None, "never validated")],
        "filters": [
            {"label": "Status", "value": "quarantined", "remove_url": "?domain=mail"},
            {"label": "Domain", "value": "mail", "remove_url": "?status=quarantined"},
        ],
        "tabs": [
            {"key": "overview", "label": "Overview", "url": "?tab=overview"},
            {"key": "tools", "label": "Tools", "url": "?tab=tools", "count": 23},
            {"key": "tests", "label": "Tests", "url": "?tab=tests", "error": True},
            {"key": "versions", "label": "Versions", "url": "?tab=versions"},
        ],
        "steps": [("explore", "Explore"), ("design", "Design"), ("probe", "Probe"), ("submit", "Submit")],
        "failed_steps": [("parse", "Parse", "done"), ("build", "Build", "failed"), ("test", "Test", "waiting")],
        "page": {"next": "c3", "prev": "c1", "count": 10130, "shown": 50},
        "decisions": [
            {"value": "approve", "label": "Approve", "key": "a", "primary": True},
            {"value": "quarantine", "label": "Quarantine", "key": "q", "danger": True},
            {"value": "simulate", "label": "Simulate", "key": "s"},
            {"value": "request_changes", "label": "Request changes", "key": "r"},
        ],
        "bulk": [
            {"value": "approve", "label": "Approve"},
            {"value": "quarantine", "label": "Quarantine", "danger": True},
        ],
    }


def _data_parts() -> dict[str, object]:
    now = timezone.now()
    return {
        "code_text": CODE,
        "code_after": CODE.replace("to[0]", "missing[0]") + "\n# one tool per file\n",
        "before": BEFORE,
        "after": AFTER,
        "state": STATE,
        "relevant": ["/messages", "/drafts"],
        "schema": SCHEMA,
        "schema_errors": {"/to": "This is not valid JSON."},
        "hostile": HOSTILE,
        "log_lines": [
            {"at": now, "level": "info", "message": "claimed by worker 2"},
            {"at": now, "level": "info", "message": "step 1: mean reward 0.41 (n=8)"},
            {"at": now, "level": "warning", "message": "zero variance in group 3: no gradient"},
            {"at": now, "level": "error", "message": "sandbox:timeout after 10.0 s in calendar.create_event"},
        ],
        "rows": [
            ("mail", "Mail", "communication", (18, 2, 1), "verified", [0.2, 0.4, 0.5, 0.55, 0.79]),
            ("crm", "Customer records", "sales", (21, 0, 0), "verified", [0.6, 0.5, 0.62, 0.7]),
            ("calendar", "Calendar", "communication", (9, 4, 0), "simulated", [0.4, None, 0.35]),
            ("bank", "Bank transfers", "finance", (6, 0, 3), "quarantined", []),
            ("files", "Shared files", "storage", (14, 1, 0), "in_validation", [0.1, 0.1]),
        ],
    }


def _pictures() -> dict[str, object]:
    nodes = [
        Node("mail", "Mail", "#mail", (1, 4), 18, 2, 1, "communication"),
        Node("crm", "Customer records", "#crm", (2,), 21, sub="sales"),
        Node("calendar", "Calendar", "#calendar", (3,), 9, 4, sub="communication"),
        Node("bank", "Bank transfers", "#bank", (5, 7), 6, 0, 3, "finance"),
        Node("files", "Shared files", "#files", (6,), 14, 1, sub="storage"),
    ]
    edges = [
        Edge("mail", "crm", ("customer_email",), href="#e1", verdict="yes"),
        Edge("crm", "calendar", ("account_owner", "region"), href="#e2"),
        Edge("calendar", "mail", ("event_id",), revisit=True, href="#e3", verdict="unclear"),
        Edge("mail", "bank", ("invoice_no",), href="#e4", selected=True),
        Edge("bank", "files", ("receipt_id",), href="#e5", verdict="no"),
        Edge("files", "bank", ("checksum",), revisit=True, href="#e6"),
        Edge("crm", "files", ("folder",), href="#e7"),
    ]
    others = [
        Node("weather", "Weather", verified=4, sub="public data"),
        Node("maps", "Maps", simulated=6, sub="travel"),
    ]
    return {
        "graph_svg": dependency_graph(nodes, edges, others, columns=3),
        "graph_listing": graph_list(nodes, edges, others),
        **_charts(),
        **_trajectory(),
        "heat": _heat(),
    }


def _charts() -> dict[str, object]:
    steps = range(0, 151, 2)
    wobble = [math.sin(step * 0.9) * 0.04 for step in steps]
    reward = [(float(s), 0.35 + 0.4 * (1 - math.exp(-s / 60)) + w) for s, w in zip(steps, wobble, strict=True)]
    complete = [
        (float(s), None if 60 < s < 76 else 0.05 + 0.28 * (1 - math.exp(-s / 80)) + w / 2)
        for s, w in zip(steps, wobble, strict=True)
    ]
    pair = [Series("mean reward", reward), Series("full completion", complete)]
    six = [Series(f"criterion {i}", [(float(s), 0.1 * i + 0.002 * s / i) for s in steps]) for i in range(1, 7)]
    return {
        "chart": line_chart(
            pair, title="Reward and completion", x_label="step", smoothing=0.6, markers=[Marker(50, "evaluation")]
        ),
        "chart_rows": chart_table(pair, x_label="step", limit=20),
        "chart_six": line_chart(six, title="Pass rate by criterion", x_label="step", y_label="share of 8"),
        "spark": sparkline([0.2, 0.4, None, 0.5, 0.55, 0.79], label="pass rate"),
    }


CALLS = [
    ("", "3 discovery calls", "", "", "passed", 0, 210),
    ("mail", "mail.search_threads", '{"query": "invoice", "limit": 5}', "verified", "passed", 0, 42),
    ("crm", "crm.get_account", '{"email": "otto@example.org"}', "verified", "passed", 0, 31),
    ("calendar", "calendar.create_event", '{"title": "Renewal", "attendees": [7]}', "simulated", "error", 0, 880),
    (
        "calendar",
        "calendar.create_event",
        '{"title": "Renewal", "attendees": ["otto"]}',
        "simulated",
        "passed",
        2,
        640,
    ),
    (
        "mail",
        "mail.send_message",
        '{"to": ["otto@example.org"], "subject": "Renewal"}',
        "verified",
        "passed",
        1,
        55,
    ),
]


def _trajectory() -> dict[str, object]:
    steps = [
        {
            "number": number,
            "call": call,
            "arguments": arguments,
            "provenance": provenance,
            "state": state,
            "failed": state == "error",
            "changes": changes,
            "duration_ms": duration,
            "criteria": [2] if number == 6 else [],
        }
        for number, (_, call, arguments, provenance, state, changes, duration) in enumerate(CALLS, 1)
    ]
    bars = [
        Step(n, service, call.partition(".")[2], f"#s-{n}", state == "error", changes > 0, duration)
        for n, (service, call, _, _, state, changes, duration) in enumerate(CALLS, 1)
    ]
    passed: list[list[bool | None]] = [
        [True, True, False, True, True, False, True, True],
        [False, True, False, False, True, False, None, False],
        [True] * 8,
    ]
    rates = [[bool(cell) for cell in row].count(True) / 8 for row in passed]
    names = ("archives the thread", "replies exactly once", "keeps the draft")
    rewards = [sum(bool(row[i]) for row in passed) / 3 for i in range(8)]
    mean = sum(rewards) / 8
    return {
        "steps_list": steps,
        "scrubber": scrubber(bars, 4),
        "group": group_matrix(
            [CriterionRow(name, rate, 1 - rate, "#criterion") for name, rate in zip(names, rates, strict=True)],
            [RolloutColumn(str(i + 1), reward, reward - mean, f"#r{i}") for i, reward in enumerate(rewards)],
            passed,
            caption="Eight rollouts of one task",
        ),
    }


def _heat() -> Markup:
    passed: list[list[int | None]] = [[0, 1, 3, 4, 5], [2, 2, None, 6, 7], [6, 7, 8, 8, 8]]
    cells = [[None if n is None else HeatCell(n / 8, "#group", f"{n} of 8") for n in row] for row in passed]
    return heat_map(
        ["archives the thread", "replies once", "keeps the draft"],
        ["10", "20", "30", "40", "50"],
        cells,
        caption="Pass rate of each criterion by step, groups of 8",
        corner="criterion",
    )
