"""Notes: notebooks, notes that link to each other, checklists, reminders and tags."""

from services_app.library.notes import checklists, notebooks, reading, reminders, seed, tags, writing
from services_app.library.notes.state import service

__all__ = ["checklists", "notebooks", "reading", "reminders", "seed", "service", "tags", "writing"]
