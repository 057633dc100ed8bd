"""A small help desk: enough rules to test every part of the engine against."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from services_app.engine import (
    UNSET,
    About,
    CallContext,
    Record,
    SeedContext,
    Service,
    State,
    Table,
    Unset,
    conflict,
    given,
)
from services_app.engine import fields as f


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str
    price: f.Money


class Ticket(Record):
    about = About("ticket", prefix="TKT-", key="subject")
    subject: f.Title
    status: Literal["open", "closed"] = "open"
    requester: f.Email
    cost: f.Money = 0.0
    due: f.Date | None = None
    tags: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    created_at: f.SystemTime


class Comment(Record):
    about = About("comment", prefix="CMT-", carrier="note")
    ticket_id: Annotated[str, f.ref("tickets")]
    body: f.Text


class DeskState(State):
    tickets: Table[Ticket]
    comments: Table[Comment]


def make_desk(slug: str = "desk") -> Service:  # noqa: C901 - a list of tools
    desk = Service(slug, title="Desk", description="Tickets of a help desk.", domain="support", state=DeskState)

    @desk.seed
    def seed(state: DeskState, ctx: SeedContext) -> None:
        for number in range(ctx.size(20)):
            ticket = state.tickets.create(
                subject=f"Printer {number}",
                requester=f"user{number}@north.example",
                cost=number * 2.5,
                created_at=ctx.moment(-number),
            )
            state.comments.create(ticket_id=ticket.id, body=f"Seen on floor {ctx.random.randint(1, 9)}.")

    @desk.tool()
    def get_ticket(state: DeskState, ctx: CallContext, ticket_id: str) -> Ticket:
        """Get one ticket. Errors: `not_found`.

        Args:
            ticket_id: Id of the ticket,
                such as TKT-0001.
        """
        return state.tickets.get(ticket_id)

    @desk.tool()
    def list_tickets(
        state: DeskState, ctx: CallContext, status: Literal["open", "closed"] | None = None, limit: int = 50
    ) -> dict[str, object]:
        """List tickets."""
        rows = [row for row in state.tickets if status is None or row.status == status]
        return {"tickets": rows[:limit], "total": len(rows)}

    @desk.tool(phrase="open a ticket titled {subject}")
    def create_ticket(
        state: DeskState,
        ctx: CallContext,
        subject: str,
        requester: f.Email,
        tags: list[str] | None = None,
        parts: list[Part] | None = None,
    ) -> Ticket:
        """Open a ticket."""
        return state.tickets.create(
            subject=subject, requester=requester, created_at=ctx.now, tags=tags or (), parts=tuple(parts or ())
        )

    @desk.tool(phrase="change the ticket {ticket_id}")
    def update_ticket(
        state: DeskState,
        ctx: CallContext,
        ticket_id: str,
        subject: str | Unset = UNSET,
        due: f.Date | Unset | None = UNSET,
        limit: int = 20,
    ) -> Ticket:
        """Change a ticket."""
        return state.tickets.patch(ticket_id, **given(subject=subject, due=due))

    @desk.tool()
    def close_ticket(state: DeskState, ctx: CallContext, ticket_id: str) -> Ticket:
        """Close a ticket. Errors: `not_found`, `already_closed`."""
        if state.tickets.get(ticket_id).status == "closed":
            raise conflict(f"Ticket {ticket_id} is closed already.", type="already_closed")
        return state.tickets.patch(ticket_id, status="closed")

    @desk.tool()
    def delete_ticket(state: DeskState, ctx: CallContext, ticket_id: str) -> dict[str, int]:
        """Delete a ticket with its comments."""
        state.tickets.delete(ticket_id)
        gone = state.comments.find(ticket_id=ticket_id)
        for comment in gone:
            state.comments.delete(comment.id)
        return {"comments_deleted": len(gone)}

    @desk.tool()
    def break_half_way(state: DeskState, ctx: CallContext, how: str) -> object:
        """Write twice, then break in the way asked for."""
        state.tickets.create(subject="half", requester="x@north.example", created_at=ctx.now)
        state.tickets.delete("TKT-0003")
        state.comments.patch("CMT-0001", body="changed")
        if how == "refuse":
            raise conflict("No.")
        if how == "crash":
            raise KeyError("dst")
        if how == "invalid":
            state.tickets.patch("TKT-0001", cost="many")
        if how == "identity":
            state.tickets.patch("TKT-0001", id="other")
        return {"set": {1}, "nan": float("nan"), "bytes": b"x", "int": 2**70, "deep": _deep(80)}[how]

    @desk.tool()
    def flood(state: DeskState, ctx: CallContext) -> str:
        """Return more than an observation may hold."""
        return "x" * 100_000

    @desk.tool()
    def roll(state: DeskState, ctx: CallContext) -> dict[str, object]:
        """A number from the seeded stream, and the clock."""
        return {"number": ctx.random.randint(1, 10**9), "now": ctx.now, "today": ctx.today, "week": ctx.in_days(7)}

    return desk


def _deep(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value
