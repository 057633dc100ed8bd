"""A year of notes: calls, visits, rules and lists."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Project
from services_app.library.notes import texts
from services_app.library.notes.state import Note, Notebook, NotesState, service
from services_app.library.notes.tags import tag_ids

_PLACES = ("Customers", "Customers", "Customers", "Operations", "Inbox", "Projects together", "Sales handbook")


@service.seed
def fill(state: NotesState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for name, stack, team, right in texts.NOTEBOOKS:
        owner = cast.team(team)[-1] if team else ME
        notebook = state.notebooks.create(name=name, stack=stack, owner_email=owner.email, default=name == "Inbox")
        members = [(ME, right)] if team else []
        members += [(person, "edit") for person in cast.team(team)[1:3]] if team else []
        for person, what in members:
            state.notebook_members.create(notebook_id=notebook.id, email=person.email, right=what)
    for place, title, tags, body, pinned in texts.STANDING:
        note = _note(state, ctx, _notebook(state, place), title, body, tags)
        state.notes.patch(note.id, pinned=pinned, locked=title in texts.LOCKED)
        if title in texts.TRASHED:
            state.notes.patch(note.id, trashed_on=ctx.date(-4))
    for project in cast.projects[: ctx.size(95)]:
        _about(state, ctx, cast, project)


def _notebook(state: NotesState, name: str) -> Notebook:
    return next(row for row in state.notebooks if row.name == name)


def _note(
    state: NotesState, ctx: SeedContext, notebook: Notebook, title: str, body: str, tags: tuple[str, ...]
) -> Note:
    """A note, half of them with an earlier version that held only the first paragraph."""
    created, changed = -ctx.random.randint(20, 300), -ctx.random.randint(1, 19)
    twice = "\n\n" in body and ctx.random.random() < 0.5
    note = state.notes.create(
        notebook_id=notebook.id,
        title=title,
        body=body,
        tag_ids=tag_ids(state, tags),
        author_email=notebook.owner_email,
        version=2 if twice else 1,
        created_at=ctx.moment(created, ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
        updated_at=ctx.moment(changed if twice else created, ctx.random.randint(8, 18), ctx.random.randint(0, 59)),
    )
    if twice:
        first = body.split("\n\n", 1)[0]
        state.note_versions.create(note_id=note.id, number=1, title=title, body=first, saved_at=note.created_at)
    return note


def _about(state: NotesState, ctx: SeedContext, cast: Cast, project: Project) -> None:
    facts = {
        **people.facts(ctx, project),
        "phone": project.contact.phone,
        "delivered": str(max(1, project.seats - 2)),
    }
    title, tags, body, checklist = ctx.random.choice(texts.PROJECT)
    notebook = _notebook(state, ctx.random.choice(_PLACES))
    note = _note(state, ctx, notebook, title.format(**facts), body.format(**facts), tags)
    mine = notebook.owner_email == ME.email
    for text in checklist:
        _item(state, ctx, note, text.format(**facts), project)
    if ctx.random.random() < 0.35:
        filename, text = ctx.random.choice(texts.ATTACHMENTS)
        state.attachments.create(
            note_id=note.id,
            filename=filename.format(**facts),
            size_kb=ctx.random.randint(40, 2400),
            recognized_text=text.format(**facts),
        )
    if ctx.random.random() < 0.3:
        done = ctx.random.random() < 0.3
        day = -ctx.random.randint(1, 20) if done else ctx.random.randint(-3, 25)
        state.reminders.create(
            note_id=note.id, remind_at=ctx.moment(day, 9, 30), done_at=ctx.moment(day, 11, 5) if done else None
        )
    if mine and ctx.random.random() < 0.25:
        person = ctx.random.choice((project.owner, project.contact))
        state.shares.create(
            note_id=note.id,
            email=person.email,
            right="edit" if person is project.owner and ctx.random.random() < 0.5 else "view",
        )
    if ctx.random.random() < 0.12:
        _trash(state, ctx, note)


def _item(state: NotesState, ctx: SeedContext, note: Note, text: str, project: Project) -> None:
    done = ctx.random.random() < 0.4
    state.checklist_items.create(
        note_id=note.id,
        text=text,
        checked=done,
        due_date=ctx.date(ctx.random.randint(-6, 30)) if ctx.random.random() < 0.7 else None,
        assignee_email=ctx.random.choice((ME.email, project.owner.email, None)),
        checked_at=ctx.moment(-ctx.random.randint(1, 15), 16) if done else None,
    )


def _trash(state: NotesState, ctx: SeedContext, note: Note) -> None:
    for row in state.reminders.find(note_id=note.id):
        state.reminders.delete(row.id)
    state.notes.patch(note.id, trashed_on=ctx.date(-ctx.random.choice((1, 6, 20, 41))))
