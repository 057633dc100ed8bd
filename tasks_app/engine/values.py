"""Values that do not occur yet: fresh ones of a kind, near ones that are easily taken for another."""

from __future__ import annotations

import datetime as dt
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from tasks_app.engine import lexicon as words

_BASE_DAY = dt.date(2026, 3, 9)
_SECOND_WORDS = {
    "organisation": words.FIRM_TRADES,
    "person": words.LAST_NAMES,
    "title": words.SUBJECT_THINGS,
    "place": words.PLACES,
    "product": words.PRODUCT_THINGS,
}
OWN_DAY = 200  # draws after which a time may fall on a day that is used already
_ENDLESS = frozenset({"label", "flag", "count", "duration", "percent", "time"})


class NoFreshValueError(RuntimeError):
    """No unused value of a kind could be found."""


class Values:
    """Draws values from a seeded generator and does not give the same one twice."""

    def __init__(self, rng: random.Random, used: Sequence[str] = (), *, reuse: bool = False) -> None:
        """`used` are taken already; with `reuse`, a stock that is used up starts again."""
        self._rng = rng
        self._reuse = reuse
        self.used: set[Any] = set(used)

    def fresh(self, kind: str, like: Any = None, choices: Sequence[str] = ()) -> Any:
        """An unused value of `kind`, shaped like `like` where shape matters (codes, labels, flags).

        Raises NoFreshValueError when a label has no other choice or the stock is used up.
        """
        for attempt in range(300):
            value = self._draw(kind, like, choices)
            day = value[:10] if kind == "timestamp" and not self._reuse else None  # or a time elsewhere tells the day
            if kind in _ENDLESS or (value not in self.used and (day not in self.used or attempt > OWN_DAY)):
                self.used.update((value, day) if day else (value,))
                return value
        if self._reuse:
            return value
        raise NoFreshValueError(f"no unused value of kind {kind}")

    def alike(self, like: str) -> str:
        """An unused name in the spelling of `like`: its case, its joint, another number where it has one.

        Raises NoFreshValueError for what is no word (EUR) and when the stock is used up.
        """
        for attempt in range(300):
            value = self._respelled(like, longer=attempt > OWN_DAY)
            if value not in self.used:
                self.used.add(value)
                return value
        raise NoFreshValueError(f"no unused name like {like!r}")

    def _respelled(self, like: str, *, longer: bool) -> str:
        rng = self._rng
        if re.search(r"\d", like):
            return re.sub(r"\d+", lambda found: str(rng.randint(10, 299)), like, count=1)
        joint = next(iter(re.findall(r"[ ._-]", like)), "")
        if like.isupper() or not like.strip():
            raise NoFreshValueError(f"{like!r} is no word")
        parts = [rng.choice(words.SUBJECT_PLACES)]
        if joint or longer:
            parts.append(rng.choice(words.SUBJECT_THINGS))
        name = (joint or "-").join(parts)
        return name.lower() if like.islower() else name

    def past(self, kind: str, today: str) -> str:
        """A date or instant within the last weeks before `today`."""
        day = dt.date.fromisoformat(today[:10]) - dt.timedelta(days=self._rng.randint(2, 25))
        return day.isoformat() if kind == "date" else f"{day.isoformat()}T{self._rng.randint(8, 16):02d}:00:00Z"

    def near(self, kind: str, value: Any, choices: Sequence[str] = ()) -> Any:
        """A value of the same kind that a hurried reader takes for `value`: one digit, one name differs."""
        for _ in range(60):
            candidate = self._near(kind, value, choices)
            if candidate != value and (kind in _ENDLESS or candidate not in self.used):
                self.used.add(candidate)
                return candidate
        raise NoFreshValueError(f"no value near {value!r}")

    def _draw(self, kind: str, like: Any, choices: Sequence[str]) -> Any:
        rng = self._rng
        if choices:
            others = [choice for choice in choices if choice != like]
            if not others:
                raise NoFreshValueError("the set has one value only")
            return rng.choice(others)
        draws: dict[str, Callable[[], Any]] = {
            "email": self._email,
            "person": lambda: f"{rng.choice(words.FIRST_NAMES)} {rng.choice(words.LAST_NAMES)}",
            "organisation": lambda: f"{rng.choice(words.FIRM_NAMES)} {rng.choice(words.FIRM_TRADES)}",
            "title": lambda: f"{rng.choice(words.SUBJECT_PLACES)} {rng.choice(words.SUBJECT_THINGS)}",
            "label": lambda: f"{rng.choice(words.SUBJECT_PLACES).lower()}",
            "product": lambda: f"{rng.choice(words.PRODUCT_FIRST)} {rng.choice(words.PRODUCT_THINGS)}",
            "place": lambda: f"{rng.choice(words.PLACE_PARTS)} {rng.choice(words.PLACES)}",
            "money": lambda: float(rng.randint(8, 190) * 10) + rng.choice((0, 0, 5, 0.5)),
            "percent": lambda: float(rng.randint(2, 40)),
            "count": lambda: rng.randint(2, 60),
            "duration": lambda: rng.randint(2, 60),
            "date": self._date,
            "timestamp": self._timestamp,
            "time": lambda: f"{rng.randint(8, 17):02d}:{rng.choice(('00', '15', '30', '45'))}",
            "phone": lambda: f"+44 20 7{rng.randint(100, 999)} {rng.randint(1000, 9999)}",
            "url": lambda: f"https://{rng.choice(words.FIRM_NAMES).lower()}.example/{rng.randint(1000, 9999)}",
            "flag": lambda: not like,
            "code": lambda: self._code(like),
            "text": lambda: f"Zq{rng.randint(1000, 9999)} remark on the {rng.choice(words.SUBJECT_THINGS)}.",
        }
        draw = draws.get(kind)
        if draw is None:
            raise NoFreshValueError(f"values of kind {kind} cannot be made up")
        return draw()

    def _email(self) -> str:
        rng = self._rng
        name = f"{rng.choice(words.FIRST_NAMES)}.{rng.choice(words.LAST_NAMES)}".lower()
        return f"{name}@{rng.choice(words.FIRM_NAMES).lower()}.example"

    def _date(self) -> str:
        return (_BASE_DAY + dt.timedelta(days=self._rng.randint(0, 80))).isoformat()

    def _timestamp(self) -> str:
        rng = self._rng
        day = _BASE_DAY + dt.timedelta(days=rng.randint(0, 60))
        return f"{day.isoformat()}T{rng.randint(8, 16):02d}:{rng.choice(('00', '15', '30'))}:00Z"

    def _code(self, like: Any) -> str:
        pattern = like if isinstance(like, str) and re.search(r"\d", like) else "REF-48213"
        digits = re.search(r"\d+$", pattern)
        if digits is None:  # the number is not at the end: every digit is drawn anew
            return re.sub(r"\d", lambda _: self._rng.choice("123456789"), pattern)
        width = max(4, len(digits[0]))
        number = self._rng.choice("123456789") + "".join(self._rng.choice("0123456789") for _ in range(width - 1))
        return pattern[: digits.start()] + number

    def _near(self, kind: str, value: Any, choices: Sequence[str]) -> Any:
        rng = self._rng
        if choices or not isinstance(value, str) or kind in ("date", "timestamp", "time"):
            return self._draw(kind, value, choices)
        first, _, rest = value.partition(" ")
        if kind in _SECOND_WORDS and rest:
            return f"{first} {rng.choice(_SECOND_WORDS[kind])}"
        if kind == "email":
            name, _, domain = value.partition("@")
            return f"{name.split('.')[0]}.{rng.choice(words.LAST_NAMES).lower()}@{domain}"
        if kind in ("code", "phone"):
            places = [index for index, letter in enumerate(value) if letter.isdigit()][-3:]
            place = rng.choice(places) if places else len(value) - 1
            return value[:place] + rng.choice("123456789") + value[place + 1 :]
        return self._draw(kind, value, choices)
