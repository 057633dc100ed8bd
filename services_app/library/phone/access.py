"""Numbers, who is behind them, and which lines are yours. You use your direct line and all shared ones."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import ToolError, conflict, forbidden, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.phone.state import BlockedNumber, Contact, Line, PhoneState, User
from services_app.library.shared import same

LineId = Annotated[str, f.ref("lines")]
PhoneNumber = Annotated[str, f.Semantic("phone"), Field(min_length=1, max_length=30)]


def digits(number: str) -> str:
    """The digits of a number: `+44 20 7946 0101` and `+442079460101` are the same number."""
    return "".join(char for char in number if char.isdigit())


def same_number(left: str, right: str) -> bool:
    return digits(left) == digits(right)


def check_number(number: str) -> str:
    """A number without outer spaces; 422 `invalid_number` when it is none."""
    if not 7 <= len(digits(number)) <= 15 or not set(number) <= set("+0123456789 ()-./"):
        raise invalid(f"{number!r} is not a phone number; use +<country> and 7 to 15 digits.", type="invalid_number")
    return number.strip()


def me(state: PhoneState) -> User:
    """The signed-in user."""
    return user_by(state, ME.email)


def user_by(state: PhoneState, email: str) -> User:
    """The user with this address; 404 `unknown_user` otherwise."""
    for user in state.users:
        if same(user.email, email):
            return user
    raise ToolError(404, "unknown_user", f"Nobody here has the address {email}; see list_lines and list_call_queues.")


def contact_of(state: PhoneState, number: str) -> Contact | None:
    """The first contact with this number."""
    wanted = digits(number)
    return next((row for row in state.contacts if digits(row.phone) == wanted), None)


def blocked(state: PhoneState, number: str) -> BlockedNumber | None:
    return next((row for row in state.blocked_numbers if same_number(row.number, number)), None)


def own_line_ids(state: PhoneState) -> set[str]:
    """Ids of the lines that you may use."""
    user = me(state)
    return {line.id for line in state.lines if line.owner_id in (None, user.id)}


def usable(state: PhoneState, line_id: str | None) -> Line:
    """The line with this id, or your direct line; 403 `not_your_line` for the direct line of somebody else."""
    if line_id is None:
        own = state.lines.first(owner_id=me(state).id)
        if own is None:
            raise conflict("You have no direct line; name a shared one.", type="not_your_line")
        return own
    line = state.lines.get(line_id)
    if line.id not in own_line_ids(state):
        raise forbidden(f"{line.label} is the direct line of somebody else; use a shared line.", type="not_your_line")
    return line


def reachable(state: PhoneState, number: str) -> str:
    """A number that may be called or written to; 409 `number_blocked` otherwise."""
    clean = check_number(number)
    if blocked(state, clean):
        raise conflict(f"{clean} is blocked; unblock it first.", type="number_blocked")
    return clean


def name_of(state: PhoneState, number: str) -> str | None:
    contact = contact_of(state, number)
    return contact.name if contact else None
