"""Tools for what happened with a customer and what has to happen next."""

from __future__ import annotations

from typing import Annotated

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.cast import ME
from services_app.library.crm.accounts import AccountId, ContactId, user_by_email
from services_app.library.crm.deals import DealId
from services_app.library.crm.state import Activity, ActivityKind, CrmState, Priority, Task, TaskStatus, service
from services_app.library.shared import (
    Body,
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
    with_fields,
)

TaskId = Annotated[str, f.ref("tasks")]


@service.tool()
def list_activities(
    state: CrmState,
    ctx: CallContext,
    account_id: AccountId | None = None,
    deal_id: DealId | None = None,
    kind: ActivityKind | None = None,
    query: Query | None = None,
    limit: Limit = 20,
    cursor: Cursor = "",
) -> Json:
    """List calls, emails, meetings and notes, newest first.

    Args:
        account_id: Only those of this account.
        deal_id: Only those of this deal.
        kind: Only activities of this kind.
        query: Words in the subject or text.
        limit: At most so many activities.
        cursor: next_cursor of the previous page.
    """
    found = search(state.activities, query, lambda row: (row.subject, row.text))
    found = keep(found, account_id=account_id, deal_id=deal_id, kind=kind)
    found = newest_first(found, "happened_at")
    return cursor_page("activities", found, limit, cursor)


@service.tool(phrase="log a {kind} about {subject} with {account_id}")
def log_activity(
    state: CrmState,
    ctx: CallContext,
    account_id: AccountId,
    kind: ActivityKind,
    subject: Name,
    text: Body,
    contact_id: ContactId | None = None,
) -> Activity:
    """Record a call, email, meeting or note on an account.

    Errors: `not_found`, `wrong_account` (the contact works elsewhere), `do_not_contact` (no calls and emails),
    `blank_text`.

    Args:
        account_id: Id of the account.
        kind: What it was.
        subject: What it was about.
        text: What was said.
        contact_id: Who it was with.
    """
    account = state.accounts.get(account_id)
    contact = state.contacts.get(contact_id) if contact_id is not None else None
    if contact is not None and contact.account_id != account_id:
        raise invalid(f"{contact.name} does not work at {account.name}.", type="wrong_account")
    if contact is not None and contact.do_not_contact and kind in ("call", "email"):
        raise conflict(f"{contact.name} does not want calls or emails.", type="do_not_contact")
    return state.activities.create(
        account_id=account_id,
        contact_id=contact_id,
        kind=kind,
        subject=check_text(subject, "subject"),
        text=check_text(text, "text"),
        author_email=ME.email,
        happened_at=ctx.now,
    )


@service.tool(phrase="add a note to the deal {deal_id}")
def add_deal_note(state: CrmState, ctx: CallContext, deal_id: DealId, text: Body) -> Activity:
    """Add a note to a deal, open or closed; it also shows on the account.

    Errors: `not_found`, `blank_text`.

    Args:
        deal_id: Id of the deal.
        text: The note.
    """
    deal = state.deals.get(deal_id)
    return state.activities.create(
        account_id=deal.account_id,
        deal_id=deal_id,
        kind="note",
        subject=deal.title,
        text=check_text(text, "text"),
        author_email=ME.email,
        happened_at=ctx.now,
    )


@service.tool()
def list_tasks(
    state: CrmState,
    ctx: CallContext,
    assignee_email: f.Email | None = None,
    account_id: AccountId | None = None,
    status: TaskStatus = "open",
    due_before: f.Date | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List follow-up tasks, the next one due first, saying which are overdue.

    Args:
        assignee_email: Only tasks of this sales user.
        account_id: Only tasks about this account.
        status: Open or done tasks.
        due_before: Only tasks due on this day or earlier.
        limit: At most so many tasks.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.tasks, assignee_email=assignee_email, account_id=account_id, status=status)
    found = [task for task in found if due_before is None or task.due_date <= due_before]
    found.sort(key=lambda task: (task.due_date, task.id))
    rows = [with_fields(task, overdue=task.status == "open" and task.due_date < ctx.today) for task in found]
    return cursor_page("tasks", rows, limit, cursor)


@service.tool(phrase="create the follow-up {title} for {account_id}, due on {due_date}")
def create_task(
    state: CrmState,
    ctx: CallContext,
    account_id: AccountId,
    title: Name,
    due_date: f.Date,
    priority: Priority = "normal",
    assignee_email: f.Email | None = None,
    deal_id: DealId | None = None,
) -> Task:
    """Create a follow-up task for an account.

    Errors: `not_found`, `wrong_account` (the deal is another customer's), `in_the_past`, `invalid_date`,
    `unknown_user`, `blank_text`.

    Args:
        account_id: Id of the account.
        title: What has to be done.
        due_date: By when.
        priority: How urgent it is.
        assignee_email: Sales user who does it; whoever looks after the account, if left out.
        deal_id: Deal that it is about.
    """
    account = state.accounts.get(account_id)
    if deal_id is not None and state.deals.get(deal_id).account_id != account_id:
        raise invalid(f"Deal {deal_id} is not one of {account.name}.", type="wrong_account")
    if check_date(due_date) < ctx.today:
        raise invalid(f"The due date {due_date} is over; today is {ctx.today}.", type="in_the_past")
    return state.tasks.create(
        account_id=account_id,
        deal_id=deal_id,
        title=check_text(title, "title"),
        due_date=due_date,
        priority=priority,
        status="open",
        assignee_email=user_by_email(state, assignee_email or account.owner_email).email,
    )


@service.tool(phrase="mark the task {task_id} as done")
def complete_task(state: CrmState, ctx: CallContext, task_id: TaskId) -> Task:
    """Mark a task as done.

    Errors: `not_found`, `already_done`.

    Args:
        task_id: Id of the task.
    """
    if state.tasks.get(task_id).status == "done":
        raise conflict(f"Task {task_id} is done already.", type="already_done")
    return state.tasks.patch(task_id, status="done", completed_at=ctx.now)
