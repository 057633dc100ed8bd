"""Tools for envelopes: who signs in which order, sending, signing, reminding, correcting, voiding."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, forbidden, given
from services_app.engine import fields as f
from services_app.library.cast import ME, outside
from services_app.library.contracts.drafting import AgreementId
from services_app.library.contracts.state import Agreement, ContractsState, Recipient, RecipientRole, service
from services_app.library.contracts.terms import (
    agreement_shown,
    comment,
    owned,
    recipients_of,
    user_by_email,
    words_of,
)
from services_app.library.shared import Body, Json, check_text, minutes_between, same, some_changes

RecipientId = Annotated[str, f.ref("recipients")]
Position = Annotated[int, f.count("positions"), Field(ge=1, le=9)]
REMIND_AFTER_MINUTES = 2 * 24 * 60


def _may_sign(state: ContractsState, agreement: Agreement, email: str) -> None:
    """404 `unknown_user`, 403 `no_signing_authority` for one of us who may not sign this value."""
    user = user_by_email(state, email)
    if user.signing_limit < max(agreement.value, 0.01):
        raise forbidden(
            f"{user.name} may sign up to {user.signing_limit:.2f}, {agreement.number} is worth {agreement.value:.2f}; "
            "choose someone with a higher limit.",
            type="no_signing_authority",
        )


def _unused_address(state: ContractsState, agreement_id: str, email: str) -> None:
    if any(same(row.email, email) for row in state.recipients.find(agreement_id=agreement_id)):
        raise conflict(f"{email} is a recipient already; correct that entry.", type="duplicate_recipient")


@service.tool(phrase="add {name} ({email}) as a recipient of the agreement {agreement_id}")
def add_recipient(
    state: ContractsState,
    ctx: CallContext,
    agreement_id: AgreementId,
    name: f.Person,
    email: f.Email,
    routing_order: Position = 1,
    role: RecipientRole = "signer",
) -> Recipient:
    """Add somebody who signs an agreement of yours or gets a copy, before it is sent.

    Addresses of our own company belong to users whose signing limit must cover the value.
    Errors: `not_found`, `not_owner`, `already_sent`, `duplicate_recipient`, `unknown_user`, `no_signing_authority`,
    `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        name: Full name.
        email: Address that the envelope goes to.
        routing_order: Lower numbers get it first, equal ones together.
        role: Whether they sign or only get a copy.
    """
    agreement = owned(state, agreement_id)
    if agreement.status not in ("draft", "in_review", "approved"):
        raise conflict(f"{agreement.number} is {words_of(agreement)}; void the envelope first.", type="already_sent")
    _unused_address(state, agreement_id, email)
    ours = not outside(email)
    if ours and role == "signer":
        _may_sign(state, agreement, email)
    return state.recipients.create(
        agreement_id=agreement_id,
        side="us" if ours else "them",
        role=role,
        name=check_text(name, "name"),
        email=email,
        routing_order=routing_order,
    )


@service.tool(phrase="correct the recipient {recipient_id}")
def correct_recipient(
    state: ContractsState,
    ctx: CallContext,
    recipient_id: RecipientId,
    name: f.Person | Unset = UNSET,
    email: f.Email | Unset = UNSET,
    routing_order: Position | Unset = UNSET,
) -> Recipient:
    """Correct a recipient who has not signed; an envelope that is out goes to the new address at once.

    Errors: `not_found`, `not_owner`, `already_signed`, `nothing_to_change`, `duplicate_recipient`, `unknown_user`,
    `no_signing_authority`, `wrong_side` (the address belongs to the other party), `already_sent` (the order is fixed).

    Args:
        recipient_id: Id of the recipient.
        name: New name.
        email: New address.
        routing_order: New place in the order, only before sending.
    """
    old = state.recipients.get(recipient_id)
    agreement = owned(state, old.agreement_id)
    if old.status in ("signed", "declined"):
        raise conflict(f"{old.name} has {old.status} already.", type="already_signed")
    changes = some_changes(given(name=name, email=email, routing_order=routing_order))
    if "routing_order" in changes and agreement.status == "out_for_signature":
        raise conflict("The envelope is out; void it to change the order.", type="already_sent")
    if "email" in changes:
        if not same(changes["email"], old.email):
            _unused_address(state, old.agreement_id, changes["email"])
        ours = not outside(changes["email"])
        if ours != (old.side == "us"):
            raise conflict(f"{old.name} signs for the other party; add a new recipient instead.", type="wrong_side")
        if ours and old.role == "signer":
            _may_sign(state, agreement, changes["email"])
        if old.status == "sent":
            changes["sent_at"] = ctx.now
    return state.recipients.patch(recipient_id, **changes)


def send_next(state: ContractsState, ctx: CallContext, agreement_id: str) -> None:
    """Hand the envelope to those with the lowest number that have not had it, unless somebody still has to sign."""
    rows = recipients_of(state, agreement_id)
    for order in dict.fromkeys(row.routing_order for row in rows):
        group = [row for row in rows if row.routing_order == order]
        for row in group:
            if row.status == "created":
                state.recipients.patch(row.id, status="sent", sent_at=ctx.now)
        if any(row.role == "signer" and row.status != "signed" for row in group):
            return
    if all(row.status == "signed" for row in rows if row.role == "signer"):
        state.agreements.patch(agreement_id, status="signed", signed_on=ctx.today)


@service.tool(phrase="send the agreement {agreement_id} for signature")
def send_for_signature(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, message: Body) -> Json:
    """Send an approved agreement of yours to the first recipients; both parties need a signer.

    Errors: `not_found`, `not_owner`, `not_approved`, `signer_missing`, `no_signing_authority`, `unknown_user`,
    `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        message: What recipients read first; it is kept as a comment.
    """
    agreement = owned(state, agreement_id)
    if agreement.status != "approved":
        raise conflict(f"{agreement.number} is {words_of(agreement)}, not approved.", type="not_approved")
    signers = [row for row in recipients_of(state, agreement_id) if row.role == "signer"]
    if {row.side for row in signers} != {"us", "them"}:
        raise conflict("Add a signer of ours and one of the counterparty first.", type="signer_missing")
    for row in signers:
        if row.side == "us":
            _may_sign(state, agreement, row.email)
    comment(state, ctx, agreement_id, check_text(message, "message"))
    state.agreements.patch(agreement_id, status="out_for_signature")
    send_next(state, ctx, agreement_id)
    return agreement_shown(state, ctx, agreement_id)


def _out(state: ContractsState, agreement_id: str) -> Agreement:
    agreement = state.agreements.get(agreement_id)
    if agreement.status != "out_for_signature":
        raise conflict(f"{agreement.number} is {words_of(agreement)}, not out for signature.", type="not_out")
    return agreement


def _my_turn(state: ContractsState, agreement_id: str) -> Recipient:
    agreement = _out(state, agreement_id)
    for row in state.recipients.find(agreement_id=agreement_id, role="signer", status="sent"):
        if same(row.email, ME.email):
            return row
    raise forbidden(f"{agreement.number} does not wait for your signature now.", type="not_your_turn")


@service.tool(phrase="sign the agreement {agreement_id}")
def sign_agreement(state: ContractsState, ctx: CallContext, agreement_id: AgreementId) -> Json:
    """Sign an envelope that waits for you; the next recipients get it, and after the last it is signed.

    Errors: `not_found`, `not_out`, `not_your_turn`, `no_signing_authority`.

    Args:
        agreement_id: Id of the agreement.
    """
    row = _my_turn(state, agreement_id)
    _may_sign(state, state.agreements.get(agreement_id), row.email)
    state.recipients.patch(row.id, status="signed", signed_at=ctx.now)
    send_next(state, ctx, agreement_id)
    return agreement_shown(state, ctx, agreement_id)


@service.tool(phrase="decline to sign the agreement {agreement_id} because {reason}")
def decline_to_sign(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, reason: Body) -> Json:
    """Decline an envelope that waits for you: nobody else can sign it any more. The reason becomes a comment.

    Errors: `not_found`, `not_out`, `not_your_turn`, `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        reason: Why you do not sign.
    """
    row = _my_turn(state, agreement_id)
    comment(state, ctx, agreement_id, check_text(reason, "reason"))
    state.recipients.patch(row.id, status="declined")
    state.agreements.patch(agreement_id, status="declined")
    return agreement_shown(state, ctx, agreement_id)


@service.tool(phrase="remind the recipient {recipient_id} to sign")
def remind_recipient(state: ContractsState, ctx: CallContext, recipient_id: RecipientId) -> Recipient:
    """Remind a signer who has the envelope and has not signed, two days after the last message at the earliest.

    Errors: `not_found`, `not_out`, `not_waiting`, `too_soon`.

    Args:
        recipient_id: Id of the recipient.
    """
    row = state.recipients.get(recipient_id)
    _out(state, row.agreement_id)
    if row.status != "sent" or row.role != "signer":
        raise conflict(f"{row.name} has nothing to sign now.", type="not_waiting")
    last = max(row.sent_at or "", row.reminded_at or "")
    if last and minutes_between(last, ctx.now) < REMIND_AFTER_MINUTES:
        raise conflict(f"{row.name} was written to at {last}; wait two days.", type="too_soon")
    return state.recipients.patch(recipient_id, reminded_at=ctx.now)


@service.tool(phrase="void the envelope of the agreement {agreement_id} because {reason}")
def void_envelope(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, reason: Body) -> Json:
    """Take back an envelope of yours that is out or was declined: the agreement is a draft again, signatures are lost.

    Errors: `not_found`, `not_owner`, `not_out`, `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        reason: Why; recipients read it, and it becomes a comment.
    """
    agreement = owned(state, agreement_id)
    if agreement.status != "declined":
        _out(state, agreement_id)
    comment(state, ctx, agreement_id, check_text(reason, "reason"))
    for row in state.recipients.find(agreement_id=agreement_id):
        state.recipients.patch(row.id, status="created", sent_at=None, reminded_at=None, signed_at=None)
    state.agreements.patch(agreement_id, status="draft")
    return agreement_shown(state, ctx, agreement_id)
