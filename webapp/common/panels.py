"""What apps show on Home: cards, "your turn" items and first steps. Registered in `<app>/panels.py`.

Each card is loaded and fails by itself: a broken one shows a Retry, the others stay.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.functional import Promise

from webapp.common.models import User

Text = str | Promise

_TURN_SECONDS = 15


@dataclass(frozen=True, slots=True)
class Card:
    """`context(request)` feeds `template`, a body without frame. `poll_seconds` reloads it while visible."""

    key: str
    title: Text
    template: str
    context: Callable[[HttpRequest], Mapping[str, Any]]
    order: int = 50
    poll_seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Work that waits for this user: how much, since when, and where to go on."""

    label: Text
    count: int
    url: str
    oldest: datetime | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the first-steps list; `done()` says whether it can be ticked."""

    key: str
    label: Text
    url: str
    done: Callable[[], bool]
    order: int = 50


TurnProvider = Callable[[User], list[Turn]]

_cards: dict[str, Card] = {}
_turns: dict[str, TurnProvider] = {}
_steps: dict[str, Step] = {}


def register_card(card: Card) -> None:
    _cards[card.key] = card


def register_turn(key: str, provider: TurnProvider) -> None:
    _turns[key] = provider


def register_step(step: Step) -> None:
    _steps[step.key] = step


def cards() -> list[Card]:
    return sorted(_cards.values(), key=lambda card: (card.order, card.key))


def card(key: str) -> Card | None:
    return _cards.get(key)


def turns(user: User) -> list[Turn]:
    """What waits for the user, empty entries left out."""
    return [turn for provider in _turns.values() for turn in provider(user) if turn.count]


def turn_count(user: User) -> int:
    """The number in the rail; asked for on every page, so it may be some seconds old."""
    if not _turns:
        return 0
    key = f"turn-count:{user.pk}"
    known = cache.get(key)
    if known is None:
        known = sum(turn.count for turn in turns(user))
        cache.set(key, known, _TURN_SECONDS)
    return int(known)


def steps() -> list[Step]:
    return sorted(_steps.values(), key=lambda step: (step.order, step.key))
