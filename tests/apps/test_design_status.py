"""Every state has a word, an icon and a shape; a pill never speaks by colour alone."""

import re
from enum import Enum
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.db import models
from django.utils.functional import Promise

from webapp.common.rendering.status import LOOKS, look, state_key
from webapp.common.rendering.widgets import status_pill

SPRITE = (Path(__file__).parents[2] / "static/icons/sprite.svg").read_text(encoding="utf-8")
ICONS = set(re.findall(r'<symbol id="([\w-]+)"', SPRITE))


@pytest.mark.parametrize("state", sorted(LOOKS))
def test_every_state_shows_icon_and_word(state: str) -> None:
    html = status_pill(state)
    shown = LOOKS[state]
    assert str(shown.word) in re.sub(r"<[^>]+>", "", html)
    assert f"sprite.svg#{shown.icon}" in html
    assert shown.icon in ICONS
    assert f'data-status="{state}"' in html


def test_states_of_one_hue_differ_by_icon_or_shape() -> None:
    running = ("starting", "running", "exploring", "designing", "probing")
    same_on_purpose = {*running, "succeeded", "passed", "ready", "approved", "agreed", "adjudicated", "failed"}
    same_on_purpose |= {"rejected", "cancelled", "skipped", "revoked", "retired", "archived", "open", "never_run"}
    looks = [(s.hue, s.icon, s.shape) for name, s in LOOKS.items() if name not in same_on_purpose]
    assert len(looks) == len(set(looks))


def test_the_vocabulary_of_the_design_is_there() -> None:
    expected = {
        "verified": ("ok", "shield-check", "solid"),
        "simulated": ("sim", "waves", "dashed"),
        "quarantined": ("quar", "lock", "hatch"),
        "in_validation": ("idle", "flask", "dotted"),
        "needs_review": ("idle", "eye", "dotted"),
        "queued": ("idle", "clock", "outline"),
        "draft": ("idle", "pencil", "outline"),
        "cancelling": ("run", "hand", "progress"),
        "partial": ("quar", "circle-half", "half"),
        "failed": ("fail", "x-circle", "solid bold"),
        "error": ("fail", "plug-off", "outline"),
        "skipped": ("idle", "slash", "struck"),
        "interrupted": ("quar", "pause", "outline"),
        "stale": ("quar", "history", "dotted"),
    }
    for state, (hue, icon, shape) in expected.items():
        assert LOOKS[state][1:] == (hue, icon, shape)


def test_a_compact_pill_has_an_accessible_name() -> None:
    html = status_pill("quarantined", compact=True)
    assert 'role="img"' in html
    assert 'aria-label="Quarantined"' in html


def test_objects_enums_and_spellings_lead_to_the_same_state() -> None:
    class State(models.TextChoices):
        RUNNING = "running", "Läuft"

    class Plain(Enum):
        RUNNING = "running"

    for value in (
        "running",
        "Running",
        State.RUNNING,
        Plain.RUNNING,
        SimpleNamespace(state="running"),
        {"state": "running"},
    ):
        assert state_key(value) == "running"
    assert state_key(SimpleNamespace(status="", provenance="simulated")) == "unknown"
    assert state_key(SimpleNamespace(provenance="simulated")) == "simulated"
    assert state_key("In validation") == "in_validation"
    assert state_key(None) == "unknown"


def test_an_unknown_word_is_shown_as_itself_and_escaped() -> None:
    key, shown = look("half_baked")
    assert (key, shown.word, shown.hue) == ("half_baked", "Half baked", "idle")
    assert "<b>" not in status_pill("<b>x</b>")


def test_words_are_looked_up_when_shown_not_when_imported() -> None:
    assert all(isinstance(shown.word, Promise) for shown in LOOKS.values())
