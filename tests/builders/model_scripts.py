"""A small service with one tool that no rule covers, and scripted models that write it."""

from __future__ import annotations

from typing import Any

from services_app.specs.model import Specification
from tests.builders.specs import TEXT, WHOLE, tool
from tests.specs.helpers import spec_of
from tests.stub_model import Reply, call, calls

LEFT_OUT = "frobnicate_ticket"
TOOLS = (
    tool(
        "create_ticket",
        {"title": TEXT, "priority": {"type": "string", "enum": ["low", "high"]}},
        "title",
        description="Open a ticket.",
    ),
    tool("get_ticket", {"ticket_id": TEXT}, "ticket_id", description="One ticket."),
    tool("list_tickets", {"limit": WHOLE}, description="Tickets, oldest first."),
    tool(LEFT_OUT, {"ticket_id": TEXT, "factor": WHOLE}, "ticket_id factor", description="Frobnicate a ticket."),
)
FUNCTION = f"""

@service.spec_tool('{LEFT_OUT}', **TOOLS['{LEFT_OUT}'])
def frobnicate_ticket(state, ctx, args):
    ticket = state.tickets.get(args['ticket_id'])
    return state.tickets.patch(ticket.id, title=f"{{ticket.title}} x{{args['factor']}}").plain()
"""
CASES = [
    {
        "tool": "get_ticket",
        "arguments": {"ticket_id": "no-such-id-0"},
        "expected": {"outcome": "refused", "code": 404, "unchanged": True},
    },
    {"tool": "list_tickets", "arguments": {}, "expected": {"outcome": "success", "unchanged": True}},
]


def desk() -> Specification:
    return spec_of(*TOOLS, name="desk")


def last_answer(body: dict[str, Any]) -> str:
    """What the newest tool message of a request says."""
    return str(next(message["content"] for message in reversed(body["messages"]) if message["role"] == "tool"))


def is_adversary(body: dict[str, Any]) -> bool:
    return any(one["function"]["name"] == "add_cases" for one in body["tools"])


class Script:
    """A script whose replies may look at the request; counts what it was asked by role.

    `builder` and `adversary` are replies or functions of the request's JSON, in order.
    """

    def __init__(self, builder: list[Any], adversary: list[Any] | None = None) -> None:
        self._replies = {"builder": iter(builder), "adversary": iter(adversary or ())}
        self.asked = {"builder": 0, "adversary": 0}

    def forget_unstored(self, builder: list[Any], stored: int) -> None:
        """Begin again with the reply after the stored ones: the client never got to see the rest."""
        self._replies["builder"] = iter(builder[stored:])

    def __call__(self, body: dict[str, Any]) -> Any:
        role = "adversary" if is_adversary(body) else "builder"
        self.asked[role] += 1
        reply = next(self._replies[role])
        return reply(body) if callable(reply) else reply


_numbers = iter(range(1, 100_000))


def use(name: str, /, **arguments: Any) -> Reply:
    """A reply with one tool call that has an id of its own."""
    return calls(call(name, arguments, identity=f"call-{next(_numbers)}"))


def append_function(body: dict[str, Any]) -> Reply:
    """After `read_file`: the same text with the missing function at its end."""
    text = last_answer(body).partition("\n")[2]
    assert "service.spec_tool" in text
    return use("write_file", name="tools.py", text=text + FUNCTION)


def write_it() -> list[Any]:
    """Four turns that read, write, test and judge."""
    return [use("read_file", name="tools.py"), append_function, use("run_tests"), use("run_gate")]


def attack(cases: list[Any] | None = None) -> list[Any]:
    return [use("add_cases", cases=CASES if cases is None else cases), use("finish")]
