"""What the page frame shows: sections of the rail, remembered preferences, the list of keys."""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.contrib.staticfiles import finders
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Section(NamedTuple):
    """One entry of the rail; `prefixes` are the paths that belong to it."""

    key: str
    label: str | Promise
    href: str
    icon: str
    prefixes: tuple[str, ...]


RAIL: tuple[tuple[str | Promise, tuple[Section, ...]], ...] = (
    ("", (Section("home", _("Home"), "/", "home", ()),)),
    (
        _("Build"),
        (
            Section("services", _("Services"), "/services/", "services", ("/services/", "/sandbox/", "/tools/")),
            Section("compose", _("Compose"), "/compose/", "compose", ("/compose/",)),
            Section("tasks", _("Tasks"), "/tasks/", "tasks", ("/tasks/",)),
        ),
    ),
    (
        _("Judge"),
        (
            Section("review", _("Review"), "/review/", "review", ("/review/", "/annotate/", "/queues/")),
            Section(
                "trajectories",
                _("Trajectories"),
                "/trajectories/",
                "rollouts",
                ("/trajectories/", "/groups/", "/rollouts/", "/compare/"),
            ),
        ),
    ),
    (
        _("Ship"),
        (
            Section("datasets", _("Datasets"), "/datasets/", "datasets", ("/datasets/", "/exports/")),
            Section("jobs", _("Jobs"), "/jobs/", "jobs", ("/jobs/",)),
        ),
    ),
    (_("Track"), (Section("activity", _("Activity"), "/activity/", "activity", ("/activity/",)),)),
    ("", (Section("settings", _("Settings"), "/settings/", "settings", ("/settings/", "/manage/")),)),
)

PREFERENCES: dict[str, tuple[str, ...]] = {
    "theme": ("auto", "light", "dark"),
    "density": ("compact", "comfortable"),
    "rail": ("open", "closed"),
    "keys": ("on", "off"),
}


def current_section(path: str) -> str:
    """The key of the section a path belongs to; "home" for the front page, "" for paths of none."""
    if path == "/":
        return "home"
    for _group, sections in RAIL:
        for section in sections:
            if path.startswith(section.prefixes):
                return section.key
    return ""


def preferences(request: HttpRequest | None) -> dict[str, str]:
    """Each preference from its cookie, else from the user, else the first of its values."""
    user = getattr(request, "user", None)
    stored = getattr(user, "preferences", None)
    saved: Mapping[str, str] = stored if isinstance(stored, Mapping) else {}
    cookies = request.COOKIES if request is not None else {}
    chosen = {}
    for name, allowed in PREFERENCES.items():
        wanted = (cookies.get(f"cw-{name}"), saved.get(name))
        chosen[name] = next((value for value in wanted if value in allowed), allowed[0])
    return chosen


# For the message catalogue: the same words stand in static/js/shortcuts.json, which a test compares.
SHORTCUT_WORDS = (
    _("Go to"), _("Rows and pages"), _("Decide"), _("Read"), _("Everywhere"),
    _("Home"), _("Services"), _("Compose"), _("Tasks"), _("Review"), _("Trajectories"), _("Datasets"), _("Jobs"),
    _("Activity"), _("Settings"), _("Next row or item"), _("Previous row or item"), _("Open"), _("Peek"),
    _("Select"), _("Select from the last to this one"), _("Approve"), _("Quarantine"), _("Simulate"),
    _("Request changes"), _("Skip"), _("Undo the last decision"), _("Choose an option"), _("Comment"), _("Edit"),
    _("Previous or next step"), _("Previous or next step of the same tool"), _("Next or previous hit"),
    _("Follow the log"), _("Copy a link to this page"), _("Search"), _("Show these keys"), _("Close"),
)  # fmt: skip


@lru_cache(maxsize=1)
def shortcuts() -> list[dict[str, object]]:
    """The groups of keys, from the one list that the browser uses too."""
    found = finders.find("js/shortcuts.json")
    if not isinstance(found, str):
        raise FileNotFoundError("static/js/shortcuts.json")
    groups: list[dict[str, object]] = json.loads(Path(found).read_text(encoding="utf-8"))
    return groups
