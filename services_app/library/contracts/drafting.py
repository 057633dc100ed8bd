"""Tools to find agreements, read them, and draft new ones."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, given, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.contracts.state import ContractsState, Currency, Kind, Status, service
from services_app.library.contracts.terms import (
    add_months,
    agreement_json,
    agreement_shown,
    comment,
    document,
    draft,
    new_number,
)
from services_app.library.shared import (
    Body,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    brief,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    some_changes,
    with_fields,
    within,
)

AgreementId = Annotated[str, f.ref("agreements")]
CounterpartyId = Annotated[str, f.ref("counterparties")]
Months = Annotated[int, f.duration("months"), Field(ge=1, le=60)]
Value = Annotated[float, f.Semantic("money"), Field(ge=0, le=100_000_000)]
NoticeDays = Annotated[int, f.duration("days"), Field(ge=0, le=365)]


@service.tool()
def search_agreements(  # noqa: PLR0913, PLR0917 - one per filter
    state: ContractsState,
    ctx: CallContext,
    query: Query | None = None,
    status: Status | None = None,
    kind: Kind | None = None,
    counterparty_id: CounterpartyId | None = None,
    owner_email: f.Email | None = None,
    waiting_for_my_signature: bool | None = None,
    ends_from: f.Date | None = None,
    ends_to: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find agreements by number, title, order number, counterparty or the wording of their clauses.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the number, title, order number, counterparty name or clauses.
        status: Only agreements with this status.
        kind: Only agreements of this kind.
        counterparty_id: Only agreements with this counterparty.
        owner_email: Only agreements that this colleague looks after.
        waiting_for_my_signature: true for envelopes that you have to sign now, false for all others.
        ends_from: Only agreements that end on this day or later.
        ends_to: Only agreements that end on this day or earlier.
        limit: At most so many agreements.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: row.name for row in state.counterparties}
    texts: dict[str, list[str]] = {}
    for clause in state.agreement_clauses if query else ():
        texts.setdefault(clause.agreement_id, []).append(clause.text)
    found = search(
        state.agreements,
        query,
        lambda row: (row.number, row.title, row.order_number, names[row.counterparty_id], *texts.get(row.id, ())),
    )
    mine = {row.agreement_id for row in state.recipients.find(email=ME.email, status="sent", role="signer")}
    found = keep(found, status=status, kind=kind, counterparty_id=counterparty_id, owner_email=owner_email)
    found = within(found, "end_date", ends_from, ends_to)
    found = [
        row
        for row in newest_first(found, "number")
        if waiting_for_my_signature in (None, row.id in mine and row.status == "out_for_signature")
    ]
    return cursor_page("agreements", [agreement_json(state, row, ctx.today) for row in found], limit, cursor)


@service.tool()
def get_agreement(state: ContractsState, ctx: CallContext, agreement_id: AgreementId) -> Json:
    """Show an agreement with its clauses, deviations, reviews, recipients, obligations, comments and notice deadline.

    Errors: `not_found`.

    Args:
        agreement_id: Id of the agreement.
    """
    return agreement_shown(state, ctx, agreement_id)


@service.tool()
def get_agreement_document(state: ContractsState, ctx: CallContext, agreement_id: AgreementId) -> Json:
    """Read the full text of an agreement, as it would be signed.

    Errors: `not_found`.

    Args:
        agreement_id: Id of the agreement.
    """
    agreement = state.agreements.get(agreement_id)
    return {**brief(agreement, "id", "number", "status"), "text": document(state, agreement)}


@service.tool()
def search_counterparties(
    state: ContractsState, ctx: CallContext, query: Query | None = None, limit: Limit = 25, cursor: Cursor = ""
) -> Json:
    """Find counterparties by name, address, signatory or remark, with how many agreements are signed with each.

    Args:
        query: Words in the name, address, signatory or remark.
        limit: At most so many counterparties.
        cursor: next_cursor of the previous page.
    """
    found = search(
        state.counterparties,
        query,
        lambda row: (row.name, row.address, row.signatory_name, row.signatory_email, row.remark),
    )
    found.sort(key=lambda row: (row.name, row.id))
    rows = [
        with_fields(row, signed_agreements=state.agreements.count(counterparty_id=row.id, status="signed"))
        for row in found
    ]
    return cursor_page("counterparties", rows, limit, cursor)


@service.tool()
def list_templates(state: ContractsState, ctx: CallContext, kind: Kind | None = None) -> Json:
    """List contract templates with the clauses that each starts with, term and notice.

    Args:
        kind: Only templates of this kind.
    """
    titles = {row.id: row.title for row in state.clauses}
    rows = [
        with_fields(row, clause_titles=[titles[key] for key in row.clause_ids])
        for row in keep(state.templates, kind=kind)
    ]
    return {"templates": rows, "total": len(rows)}


@service.tool(phrase="draft {title} with {counterparty_id} from the template {template_id}")
def create_agreement(  # noqa: PLR0913, PLR0917 - one per field
    state: ContractsState,
    ctx: CallContext,
    template_id: Annotated[str, f.ref("templates")],
    counterparty_id: CounterpartyId,
    title: Name,
    value: Value,
    effective_on: f.Date,
    term_months: Months | None = None,
    currency: Currency = "EUR",
    order_number: f.Code = "",
) -> Json:
    """Draft an agreement of your own with the clauses of a template; it ends when the term is over.

    Errors: `not_found`, `blank_text`, `invalid_date`.

    Args:
        template_id: Id of the template.
        counterparty_id: Id of the counterparty.
        title: Title of the agreement.
        value: What it is worth over its term.
        effective_on: Day from which it counts.
        term_months: Months that it runs; those of the template, if left out.
        currency: Currency of the value.
        order_number: The customer's purchase order.
    """
    template = state.templates.get(template_id)
    state.counterparties.get(counterparty_id)
    start = check_date(effective_on)
    agreement = state.agreements.create(
        number=new_number(state, ctx),
        title=check_text(title, "title"),
        kind=template.kind,
        counterparty_id=counterparty_id,
        template_id=template.id,
        owner_email=ME.email,
        value=value,
        currency=currency,
        order_number=order_number.strip(),
        effective_on=start,
        end_date=add_months(start, term_months or template.term_months),
        notice_days=template.notice_days,
        created_at=ctx.now,
    )
    for position, clause_id in enumerate(template.clause_ids, start=1):
        text = state.clauses.get(clause_id).text
        state.agreement_clauses.create(agreement_id=agreement.id, clause_id=clause_id, position=position, text=text)
    return agreement_shown(state, ctx, agreement.id)


@service.tool(phrase="change the terms of the draft {agreement_id}")
def update_agreement(  # noqa: PLR0913, PLR0917 - one per field
    state: ContractsState,
    ctx: CallContext,
    agreement_id: AgreementId,
    title: Name | Unset = UNSET,
    value: Value | Unset = UNSET,
    effective_on: f.Date | Unset = UNSET,
    end_date: f.Date | Unset = UNSET,
    order_number: f.Code | Unset = UNSET,
    notice_days: NoticeDays | Unset = UNSET,
    auto_renew: bool | Unset = UNSET,
) -> Json:
    """Change the terms of a draft of yours; what is not sent stays as it is.

    Errors: `not_found`, `not_owner`, `not_draft`, `nothing_to_change`, `blank_text`, `invalid_date`,
    `invalid_range` (it would end before it starts).

    Args:
        agreement_id: Id of the draft.
        title: New title.
        value: New value.
        effective_on: New first day.
        end_date: New last day.
        order_number: New purchase order of the customer.
        notice_days: New number of days of notice.
        auto_renew: true renews it unless somebody gives notice.
    """
    agreement = draft(state, agreement_id)
    changes = some_changes(
        given(
            title=title,
            value=value,
            effective_on=effective_on,
            end_date=end_date,
            order_number=order_number,
            notice_days=notice_days,
            auto_renew=auto_renew,
        )
    )
    if "title" in changes:
        changes["title"] = check_text(changes["title"], "title")
    first = check_date(changes.get("effective_on", agreement.effective_on))
    last = check_date(changes.get("end_date", agreement.end_date))
    if last < first:
        raise invalid(f"It would end on {last}, before it starts on {first}; change both.", type="invalid_range")
    state.agreements.patch(agreement_id, **changes)
    return agreement_shown(state, ctx, agreement_id)


@service.tool(phrase="comment on the agreement {agreement_id}: {text}")
def add_agreement_comment(state: ContractsState, ctx: CallContext, agreement_id: AgreementId, text: Body) -> Json:
    """Add a comment that only colleagues see.

    Errors: `not_found`, `blank_text`.

    Args:
        agreement_id: Id of the agreement.
        text: What to say.
    """
    state.agreements.get(agreement_id)
    return comment(state, ctx, agreement_id, check_text(text, "text"))
