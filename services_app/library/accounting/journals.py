"""Tools for journals: draft, balance, post, void and reverse."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from services_app.engine import UNSET, CallContext, Unset, conflict, given, invalid
from services_app.engine import fields as f
from services_app.library.accounting.chart import AccountId
from services_app.library.accounting.ledger import (
    check_open,
    draft_journal,
    journal_json,
    new_number,
    open_account,
    period_of,
)
from services_app.library.accounting.state import AccountingState, JournalStatus, Origin, service
from services_app.library.shared import (
    LABEL,
    Amount,
    Cursor,
    Json,
    Limit,
    Name,
    Query,
    check_date,
    check_text,
    cursor_page,
    keep,
    newest_first,
    search,
    some_changes,
    total,
    with_fields,
    within,
)

JournalId = Annotated[str, f.ref("journals")]
CostCenterId = Annotated[str, f.ref("cost_centers")]
ContactId = Annotated[str, f.ref("contacts")]
Side = Annotated[Literal["debit", "credit"], LABEL]
Remark = Annotated[str, f.Semantic("text"), Field(max_length=500)]


@service.tool()
def search_journals(  # noqa: PLR0913, PLR0917 - one per filter
    state: AccountingState,
    ctx: CallContext,
    query: Query | None = None,
    status: JournalStatus | None = None,
    origin: Origin | None = None,
    contact_id: ContactId | None = None,
    from_date: f.Date | None = None,
    to_date: f.Date | None = None,
    min_amount: Amount | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find journals by number, narration, reference or contact, latest posting date first, with their amounts.

    Errors: `invalid_range`, `invalid_date`.

    Args:
        query: Words in the number, narration, reference or contact name.
        status: Only journals with this status.
        origin: Only journals that come from this ledger.
        contact_id: Only journals about this contact.
        from_date: Only journals of this day or later.
        to_date: Only journals of this day or earlier.
        min_amount: Only journals whose debits come to this much or more.
        limit: At most so many journals.
        cursor: next_cursor of the previous page.
    """
    names = {row.id: row.name for row in state.contacts}
    amounts: dict[str, list[float]] = {}
    for line in state.journal_lines:
        amounts.setdefault(line.journal_id, []).append(line.debit)
    found = search(
        state.journals,
        query,
        lambda row: (row.number, row.narration, row.reference, names.get(row.contact_id or "", "")),
    )
    found = within(keep(found, status=status, origin=origin, contact_id=contact_id), "posting_date", from_date, to_date)
    rows = [
        with_fields(row, amount=total(amounts.get(row.id, ())), contact_name=names.get(row.contact_id or ""))
        for row in newest_first(found, "posting_date")
    ]
    rows = [row for row in rows if min_amount is None or row["amount"] >= min_amount]
    return cursor_page("journals", rows, limit, cursor)


@service.tool()
def get_journal(state: AccountingState, ctx: CallContext, journal_id: JournalId) -> Json:
    """Show a journal with its lines, sums, history notes, and the journal that reverses it.

    Errors: `not_found`.

    Args:
        journal_id: Id of the journal.
    """
    journal = state.journals.get(journal_id)
    reversal = state.journals.first(reverses_id=journal_id)
    return {
        **journal_json(state, journal),
        "reversed_by": reversal.number if reversal else None,
        "history_notes": state.history_notes.find(journal_id=journal_id),
    }


@service.tool(phrase="draft a manual journal {narration} dated {posting_date}")
def create_manual_journal(
    state: AccountingState,
    ctx: CallContext,
    narration: Name,
    posting_date: f.Date,
    reference: f.Code = "",
    contact_id: ContactId | None = None,
) -> Json:
    """Draft an empty manual journal in an open period; add_journal_line fills it and post_journal books it.

    Errors: `blank_text`, `invalid_date`, `no_period`, `period_closed`, `not_found`.

    Args:
        narration: What the journal is about.
        posting_date: Day it counts for.
        reference: Document it stands on.
        contact_id: Customer or supplier it is about.
    """
    day = check_date(posting_date)
    check_open(state, day)
    if contact_id is not None:
        state.contacts.get(contact_id)
    journal = state.journals.create(
        number=new_number(state, ctx),
        posting_date=day,
        narration=check_text(narration, "narration"),
        reference=reference.strip(),
        contact_id=contact_id,
        created_at=ctx.now,
    )
    return journal_json(state, journal)


@service.tool(phrase="change the draft journal {journal_id}")
def update_journal(
    state: AccountingState,
    ctx: CallContext,
    journal_id: JournalId,
    narration: Name | Unset = UNSET,
    posting_date: f.Date | Unset = UNSET,
    reference: f.Code | Unset = UNSET,
) -> Json:
    """Change the head of a draft journal; what is not sent stays as it is.

    Errors: `not_found`, `not_draft`, `nothing_to_change`, `blank_text`, `invalid_date`, `no_period`, `period_closed`.

    Args:
        journal_id: Id of the draft.
        narration: New narration.
        posting_date: New day it counts for.
        reference: New reference.
    """
    draft_journal(state, journal_id)
    changes = some_changes(given(narration=narration, posting_date=posting_date, reference=reference))
    if "narration" in changes:
        changes["narration"] = check_text(changes["narration"], "narration")
    if "posting_date" in changes:
        check_open(state, check_date(changes["posting_date"]))
    return journal_json(state, state.journals.patch(journal_id, **changes))


@service.tool(phrase="book {amount} as {side} on account {account_id} in the draft {journal_id}")
def add_journal_line(
    state: AccountingState,
    ctx: CallContext,
    journal_id: JournalId,
    account_id: AccountId,
    side: Side,
    amount: Amount,
    description: Remark = "",
    cost_center_id: CostCenterId | None = None,
) -> Json:
    """Add a line to a draft manual journal and show what is missing to balance it.

    Errors: `not_found`, `not_draft`, `account_archived`, `system_account`.

    Args:
        journal_id: Id of the draft.
        account_id: Id of the account.
        side: Debit or credit.
        amount: Amount of the line.
        description: What the line is for.
        cost_center_id: Id of the cost center that it counts for.
    """
    journal = draft_journal(state, journal_id)
    if cost_center_id is not None:
        state.cost_centers.get(cost_center_id)
    state.journal_lines.create(
        journal_id=journal_id,
        account_id=open_account(state, account_id).id,
        description=description.strip(),
        debit=amount if side == "debit" else 0.0,
        credit=amount if side == "credit" else 0.0,
        cost_center_id=cost_center_id,
    )
    return journal_json(state, journal)


@service.tool(phrase="remove the line {line_id} from its draft journal")
def remove_journal_line(
    state: AccountingState, ctx: CallContext, line_id: Annotated[str, f.ref("journal_lines")]
) -> Json:
    """Remove a line from a draft journal and show what is left.

    Errors: `not_found`, `not_draft`.

    Args:
        line_id: Id of the line.
    """
    journal = draft_journal(state, state.journal_lines.get(line_id).journal_id)
    state.journal_lines.delete(line_id)
    return journal_json(state, journal)


@service.tool(phrase="post the journal {journal_id}")
def post_journal(state: AccountingState, ctx: CallContext, journal_id: JournalId) -> Json:
    """Post a draft journal: it needs two lines at least, equal debits and credits, and an open period.

    Errors: `not_found`, `not_draft`, `too_few_lines`, `out_of_balance`, `period_closed`.

    Args:
        journal_id: Id of the draft.
    """
    journal = draft_journal(state, journal_id)
    check_open(state, journal.posting_date)
    shown = journal_json(state, journal)
    if len(shown["lines"]) < 2:
        raise invalid(f"Journal {journal.number} has fewer than two lines; add some first.", type="too_few_lines")
    if shown["difference"]:
        raise invalid(
            f"Debits and credits of {journal.number} differ by {shown['difference']:.2f}; correct the lines first.",
            type="out_of_balance",
        )
    return journal_json(state, state.journals.patch(journal_id, status="posted"))


@service.tool(phrase="void the draft journal {journal_id}")
def void_journal(state: AccountingState, ctx: CallContext, journal_id: JournalId) -> Json:
    """Void a draft journal: it is kept and counts for nothing. Posted journals are reversed instead.

    Errors: `not_found`, `not_draft`.

    Args:
        journal_id: Id of the draft.
    """
    draft_journal(state, journal_id)
    return journal_json(state, state.journals.patch(journal_id, status="voided"))


@service.tool(phrase="reverse the posted journal {journal_id} on {posting_date}")
def reverse_journal(state: AccountingState, ctx: CallContext, journal_id: JournalId, posting_date: f.Date) -> Json:
    """Post a journal that takes a posted one back: the same lines with debit and credit exchanged.

    Errors: `not_found`, `not_posted`, `already_reversed`, `not_manual` (other ledgers correct their own),
    `invalid_date`, `no_period`, `period_closed`, `before_original`.

    Args:
        journal_id: Id of the posted journal.
        posting_date: Day the reversal counts for, not before the original.
    """
    journal = state.journals.get(journal_id)
    if journal.status != "posted":
        raise conflict(f"Journal {journal.number} is {journal.status}, not posted.", type="not_posted")
    if journal.origin != "manual":
        raise conflict(f"Journal {journal.number} comes from {journal.origin}; correct it there.", type="not_manual")
    if state.journals.first(reverses_id=journal_id):
        raise conflict(f"Journal {journal.number} is reversed already.", type="already_reversed")
    day = check_date(posting_date)
    check_open(state, day)
    if day < journal.posting_date:
        raise invalid(f"The original is of {journal.posting_date}; use that day or later.", type="before_original")
    reversal = state.journals.create(
        number=new_number(state, ctx),
        posting_date=day,
        narration=f"Reversal of {journal.number}: {journal.narration}",
        reference=journal.reference,
        origin="reversal",
        status="posted",
        contact_id=journal.contact_id,
        reverses_id=journal.id,
        created_at=ctx.now,
    )
    for line in state.journal_lines.find(journal_id=journal_id):
        swapped = {**line.plain(), "journal_id": reversal.id, "debit": line.credit, "credit": line.debit}
        state.journal_lines.create(**{name: value for name, value in swapped.items() if name != "id"})
    return {**journal_json(state, reversal), "original_period": period_of(state, journal.posting_date).id}
