"""Values in prose: how notes and instructions write a value, and how it is read back.

`render` and `extract` are inverse for every kind that is carried by text: `extract(kind, "... " + render(kind, v))`
gives `v`. A policy is a text whose sentences tie a range of a number to a value; `read_policy` applies it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Any


class NoValueError(ValueError):
    """A text holds no value of the wanted kind, or more than one that cannot be told apart."""


QUOTED_KINDS = frozenset({"title", "product", "place", "label"})
NAME_KINDS = frozenset({"person", "organisation"})
NUMBER_KINDS = frozenset({"money", "count", "duration", "percent"})

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAY = rf"(\d{{1,2}}) ({'|'.join(_MONTHS)}) (\d{{4}})"
_DAY_IN_WORDS = re.compile(_DAY, re.IGNORECASE)
_ISO_DAY = re.compile(r"\b\d{4}-\d\d-\d\d")
_PATTERNS = {
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]+",
    "code": r"\b(?=[A-Z0-9/-]*\d)[A-Z][A-Z0-9]*(?:[-/][A-Z0-9]+)*\b",
    "phone": r"\+?\d[\d ()-]{6,}\d",
    "url": r"https?://[^\s“”]+[^\s“”.,;]",
    "time": r"\b(?:[01]\d|2[0-3]):[0-5]\d\b",
    "money": r"(?<![\w.-])\d[\d,]*\.\d\d(?![\d])",
    "percent": r"\d+(?:\.\d+)?(?= ?%)",
    "whole": r"(?<![\w.,:/-])\d+(?![\w:/-]|[.,]\d)",
    "quoted": r"“([^”]+)”",
    "name": r"\b[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+",
}


def human_date(text: str) -> str:
    """`2026-04-13` as "13 April 2026"."""
    day = dt.date.fromisoformat(text[:10])
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def stands_in(form: str, text: str) -> bool:
    """Whether a text contains a form and not just a longer number or word that ends alike: 9 May, not 19 May."""
    at = text.find(form)
    while at > 0 and _within_a_word(text[at - 1]) and _within_a_word(form[0]):
        at = text.find(form, at + 1)
    return at >= 0


def _within_a_word(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()  # other scripts are written without spaces


def days_in(text: str) -> set[str]:
    """The days that a text names, in digits or in words, as `2026-04-13`."""
    found = set(_ISO_DAY.findall(text))
    for day, month, year in _DAY_IN_WORDS.findall(text):
        found.add(f"{year}-{_MONTHS.index(month.capitalize()) + 1:02d}-{int(day):02d}")
    return found


def date_forms(value: str) -> list[str]:
    """The usual ways of writing a date, as the rubric takes them."""
    day, month, year = human_date(value).split()
    chinese = f"{year}年{int(value[5:7])}月{day}日"
    english = [f"{day} {month} {year}", f"{month} {day}, {year}", f"{day} {month[:3]} {year}", f"{day} {month}"]
    return [value, *english, chinese]


def human_label(value: str) -> str:
    """`in_progress` as "in progress"."""
    return value.replace("_", " ").replace("-", " ").strip()


def render(kind: str, value: Any) -> str:
    """How a person writes `value`: "1,250.00", "13 April 2026", "09:30 UTC on 13 April 2026", “Spring audit”."""
    if kind == "money":
        return f"{float(value):,.2f}"
    if kind == "percent":
        return f"{value:g}%"
    if kind == "date":
        return human_date(value)
    if kind == "timestamp":
        return f"{value[11:16]} UTC on {human_date(value)}"
    if kind == "label":
        return human_label(str(value))
    if kind in QUOTED_KINDS:
        return f"“{value}”"
    return str(value)


def plain_form(kind: str, value: Any) -> str:
    """`render` without quotation marks: what another text has to contain to state the value."""
    return render(kind, value).strip("“”")


def extract(kind: str, text: str, choices: Sequence[str] = ()) -> Any:
    """The value of `kind` in `text`; with `choices`, the one of them that the text names.

    Raises NoValueError when there is none, or when two different values are there.
    """
    return _one(_found(kind, text, choices), kind, text)


def values_in(kind: str, text: str, choices: Sequence[str] = ()) -> list[Any]:
    """All different values of `kind` in `text`, by kind of writing and then in order; [] for kinds no text carries."""
    try:
        return list(dict.fromkeys(_found(kind, text, choices)))
    except NoValueError:
        return []


def _found(kind: str, text: str, choices: Sequence[str]) -> list[Any]:
    if choices:
        return list(_named_choices(text, choices))
    if kind in ("date", "timestamp"):
        return list(_moments(kind, text))
    return [_parse(kind, match) for match in _matches(kind, text)]


def _one(found: Sequence[Any], kind: str, text: str) -> Any:
    distinct = list(dict.fromkeys(found))
    if len(distinct) != 1:
        what = "no value" if not distinct else f"{len(distinct)} values"
        raise NoValueError(f"{what} of kind {kind} in {text[:80]!r}")
    return distinct[0]


def _named_choices(text: str, choices: Sequence[str]) -> list[str]:
    """The choices whose words occur in the text; a choice inside a longer one that occurs does not count."""
    spoken = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
    found = []
    for choice in sorted(choices, key=len, reverse=True):
        words = f" {re.sub(r'[^a-z0-9]+', ' ', choice.lower()).strip()} "
        if words in spoken:
            found.append(choice)
            spoken = spoken.replace(words, " | ")
    return found


def _moments(kind: str, text: str) -> list[str]:
    found = []
    clock = r"(\d\d:\d\d) UTC on " if kind == "timestamp" else r"(?<! UTC on )()"
    for clock_time, day, month, year in re.findall(clock + r"\b" + _DAY, text):
        date = f"{year}-{_MONTHS.index(month) + 1:02d}-{int(day):02d}"
        found.append(f"{date}T{clock_time}:00Z" if kind == "timestamp" else date)
    iso = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ" if kind == "timestamp" else r"\d{4}-\d\d-\d\d(?!T)"
    return found + re.findall(iso, text)


def _matches(kind: str, text: str) -> list[str]:
    if kind in NAME_KINDS and "“" not in text:
        return list(re.findall(_PATTERNS["name"], text))
    if kind in QUOTED_KINDS or kind in NAME_KINDS:
        return re.findall(_PATTERNS["quoted"], text)
    name = "whole" if kind in ("count", "duration") else kind
    if name not in _PATTERNS:
        raise NoValueError(f"values of kind {kind} are not carried by text")
    return re.findall(_PATTERNS[name], text)


def _parse(kind: str, text: str) -> Any:
    if kind in ("money", "percent"):
        return float(text.replace(",", ""))
    if kind in ("count", "duration"):
        return int(text)
    return text


_NUMBER = r"(\d[\d,]*(?:\.\d+)?)"
_AT_MOST = re.compile(
    rf"(?:up to|at most|no more than|not more than) {_NUMBER}|{_NUMBER} or (?:less|under|fewer)", re.IGNORECASE
)
_ABOVE = re.compile(rf"(?:over|above|more than|beyond|exceeds?) {_NUMBER}", re.IGNORECASE)


def read_policy(kind: str, text: str, number: float, choices: Sequence[str] = ()) -> Any:
    """What the policy in `text` says for `number`.

    Each rule is one line or sentence with one bound ("up to 500.00", "over 500.00") and one value of `kind`.
    Raises NoValueError when no rule, or rules with different values, apply.
    """
    found = [_rule_value(kind, rule, choices) for rule in _rules(text) if _applies(rule, number)]
    return _one(found, kind, text)


def _rules(text: str) -> list[str]:
    return [rule for rule in re.split(r"\n|(?<=[^\d])[.;] |(?<=\d)[.;] (?=[A-Z])", text) if rule.strip()]


def _bound(pattern: re.Pattern[str], rule: str) -> float | None:
    match = pattern.search(rule)
    if match is None:
        return None
    return float(next(group for group in match.groups() if group).replace(",", ""))


def _applies(rule: str, number: float) -> bool:
    above, at_most = _bound(_ABOVE, rule.replace("no more than", "at most")), _bound(_AT_MOST, rule)
    if above is None and at_most is None:
        return False
    return (above is None or number > above) and (at_most is None or number <= at_most)


def _rule_value(kind: str, rule: str, choices: Sequence[str]) -> Any:
    stripped = _ABOVE.sub("", _AT_MOST.sub("", rule)) if kind in NUMBER_KINDS else rule
    return extract(kind, stripped, choices)
