"""Fields and values of records as query languages name and compare them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.errors import ToolError


def bad(message: str) -> ToolError:
    return ToolError(400, "bad_query", message)


def plain_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_SAME = {
    "project": "projectkey projectid", "issuetype": "type", "type": "issuetype contenttype",
    "created": "createdat createddate",
    "updated": "updatedat lastmodified updateddate modifiedat", "assignee": "assigneeid assigneename assigneeaccountid",
    "reporter": "reporterid creator", "key": "issuekey id", "summary": "title name", "title": "name summary subject",
    "space": "spacekey spaceid", "label": "labels tags", "labels": "label tags", "duedate": "due dueat",
    "fixversion": "fixversions version", "description": "body content", "creator": "author authorid createdby",
    "parent": "parentid parentkey epiclink", "id": "key", "fullname": "name displayname", "text": "",
}  # fmt: skip


def column(name: str, columns: Sequence[str]) -> str:
    """The field that a name means: `project` is `project_key` where there is no `project`. 400 when there is none."""
    known = {plain_name(own): own for own in columns}
    wanted = plain_name(name.rsplit(".", 1)[-1])
    candidates = [
        plain_name(name),
        wanted,
        *_SAME.get(wanted, "").split(),
        f"{wanted}name",
        f"{wanted}key",
        f"{wanted}id",
    ]
    found = next((known[one] for one in candidates if one in known), None)
    if found is None:
        raise bad(f"There is no field {name!r}. Known are {', '.join(sorted(columns))}.")
    return found


def words_in(value: Any) -> list[str]:
    """The texts in a value, in lower case."""
    if isinstance(value, Mapping):
        return [text for item in value.values() for text in words_in(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in words_in(item)]
    return [] if value is None else [str(value).casefold()]


def moment_text(value: Any) -> str | None:
    """A date or an instant in a form that sorts; None for anything else."""
    text = str(value).strip().replace("/", "-")
    if not re.match(r"\d{4}-\d{2}-\d{2}", text):
        return None
    try:
        moment = dt.datetime.fromisoformat(text.replace(" ", "T"))
    except ValueError:
        return None
    return (moment.astimezone(dt.UTC) if moment.tzinfo else moment).strftime("%Y-%m-%dT%H:%M:%S")


def _pair(value: Any, wanted: Any) -> tuple[Any, Any] | None:
    """Both in a form in which they can be compared; None when they cannot."""
    if isinstance(value, bool) or isinstance(wanted, bool):
        return (str(value).lower(), str(wanted).lower()) if value is not None else None
    if isinstance(value, int | float):
        try:
            return float(value), float(wanted)
        except (TypeError, ValueError):
            return None
    if isinstance(value, str) and wanted is not None:
        first, second = moment_text(value), moment_text(wanted)
        if first and second:
            return (
                (first[: len("2026-03-02")], second[:10]) if len(str(wanted)) == len("2026-03-02") else (first, second)
            )
        return value.casefold(), str(wanted).casefold()
    return None


def compare(value: Any, operator: str, wanted: Any) -> bool:
    """One comparison. A list fits when one of its items does; nothing equals null but null."""
    if isinstance(value, list | tuple):
        hits = [compare(item, "=" if operator == "!=" else operator, wanted) for item in value]
        return not any(hits) if operator == "!=" else any(hits)
    if operator in ("=", "!=") and (wanted is None or value is None):
        return (value is wanted) == (operator == "=") if wanted is None else operator == "!="
    if operator in ("contains", "startswith", "endswith"):
        text, part = " ".join(words_in(value)), str(wanted).casefold()
        return {"contains": part in text, "startswith": text.startswith(part), "endswith": text.endswith(part)}[
            operator
        ]
    pair = _pair(value, wanted)
    if pair is None:
        return operator == "!="
    a, b = pair
    return bool({"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator])
