"""A hand-made task on a service of its own: enough to play the workbench's real episodes."""

from services_app.engine import About, CallContext, Record, SeedContext, Service, State, Table
from services_app.engine import fields as f
from services_app.engine.protocol import LocalMounting
from tasks_app.engine.program import Program
from tasks_app.engine.task import Criterion, Goal, Graph, InitialState, MountedService, TaskSpec, WriteScope


class Note(Record):
    about = About("note", prefix="NOTE-", key="title")
    title: f.Title
    text: f.Text


class NotesState(State):
    notes: Table[Note]


def make_notes() -> Service:
    notes = Service("notes", title="Notes", description="A notebook.", domain="office", state=NotesState)

    @notes.seed
    def seed(state: NotesState, ctx: SeedContext) -> None:
        for number in range(3):
            state.notes.create(title=f"Note {number}", text=f"text {number}")

    @notes.tool(phrase="add a note")
    def add_note(state: NotesState, ctx: CallContext, title: str, text: str) -> Note:
        """Add a note.

        Args:
            title: heading
            text: body
        """
        return state.notes.create(title=title, text=text)

    @notes.tool(phrase="delete a note")
    def delete_note(state: NotesState, ctx: CallContext, id: str) -> Note:
        """Delete a note. Errors: `not_found`.

        Args:
            id: which note
        """
        return state.notes.delete(id)

    return notes


def make_task(**changes) -> TaskSpec:
    service = make_notes()
    values = {
        "instruction": 'Add the note "Tea" saying 4 pm, and confirm.',
        "services": (MountedService(slug="notes", version_hash=service.version_hash, role="needed"),),
        "initial": InitialState(seed=1),
        "graph": Graph(walk=("notes",), edges=()),
        "reference": Program(steps=()),
        "goal": Goal(state_hash="", changes=()),
        "rubric": (
            Criterion(id="added", text="t", expression='added.notes.notes.exists(n, n.title == "Tea")'),
            Criterion(id="confirmed", text="t", kind="answer", expression='answer.contains("done")'),
        ),
        "scope": (WriteScope(service="notes", table="notes", action="create"),),
        "lineage": "one-family",
    }
    return TaskSpec(**values | changes)


def mounting() -> LocalMounting:
    return LocalMounting([make_notes()])
