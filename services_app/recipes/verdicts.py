"""Verdicts that change nothing: whether something exists, is free, is permitted, is well formed, what would be."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from services_app.engine.errors import ToolError
from services_app.engine.plain import canonical
from services_app.engine.state import Table
from services_app.recipes.records import SpecRecord, key

SECRET = "simulated-webhook-secret"  # noqa: S105 - there is no outside that it could open
_PAIRS = {")": "(", "]": "[", "}": "{"}
_MOST_ERRORS = 20


def existence(rows: Sequence[SpecRecord], word: str) -> dict[str, Any]:
    """Whether rows were found, under `word` ("exists", or "available" when a find means no), with the first of them."""
    first = rows[0].plain() if rows else None
    return {word: bool(rows) != (word in ("available", "unused")), "matches": len(rows), "record": first}


_FORMS = {
    "email": r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+",
    "phone": r"\+?[\d\s().-]{6,20}",
    "url": r"https?://[^\s/]+\.[^\s]+",
    "domain": r"([a-z0-9-]+\.)+[a-z]{2,}",
    "ip": r"(\d{1,3}\.){3}\d{1,3}|[0-9a-f:]{3,39}",
    "date": r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
}


def well_formed(value: object, form: str) -> dict[str, Any]:
    """Whether a value has the form of an email address, phone number, url, domain, ip address or date."""
    text = str(value).strip()
    valid = re.fullmatch(_FORMS[form], text, re.IGNORECASE) is not None
    kept = re.sub(r"[^\d+]", "", text) if form == "phone" else text.lower()
    return {"valid": valid, "normalized": kept if valid else None, "length": len(text)}


def examined(text: object) -> dict[str, Any]:
    """Whether text is well formed: as JSON when it starts like it, else by its brackets and tags."""
    body = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    stripped = body.strip()
    if not stripped:
        return _report("text", body, [{"line": 1, "message": "it is empty"}])
    if stripped[0] in "{[":
        return _report("json", body, _json_errors(body))
    markup = stripped[0] == "<"
    return _report("markup" if markup else "text", body, _tag_errors(body) if markup else _bracket_errors(body))


def _report(kind: str, body: str, errors: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "valid": not errors,
        "format": kind,
        "errors": errors[:_MOST_ERRORS],
        "lines": body.count("\n") + 1,
        "characters": len(body),
        "words": len(body.split()),
    }


def _json_errors(body: str) -> list[dict[str, Any]]:
    try:
        json.loads(body)
    except ValueError as error:
        return [{"line": getattr(error, "lineno", 1), "message": str(getattr(error, "msg", error))}]
    except RecursionError:
        return [{"line": 1, "message": "it is nested too deeply"}]
    return []


def _bracket_errors(body: str) -> list[dict[str, Any]]:
    opened: list[tuple[str, int]] = []
    errors = []
    for number, line in enumerate(body.split("\n"), 1):
        for char in line:
            if char in "([{":
                opened.append((char, number))
            elif char in _PAIRS and (not opened or opened.pop()[0] != _PAIRS[char]):
                errors.append({"line": number, "message": f"{char!r} closes nothing"})
    return errors + [{"line": number, "message": f"{char!r} is not closed"} for char, number in opened]


_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


def _tag_errors(body: str) -> list[dict[str, Any]]:
    opened: list[tuple[str, int]] = []
    errors = []
    for found in re.finditer(r"<(/?)([A-Za-z][\w:-]*)[^<>]*?(/?)>", body):
        name, line = found[2].lower(), body.count("\n", 0, found.start()) + 1
        if found[1]:
            if not opened or opened.pop()[0] != name:
                errors.append({"line": line, "message": f"</{name}> closes nothing"})
        elif not found[3] and name not in _VOID:
            opened.append((name, line))
    return errors + [{"line": line, "message": f"<{name}> is not closed"} for name, line in opened]


def signed(body: object, signature: object, secret: object = None, address: object = None) -> dict[str, Any]:
    """Whether a signature (hexadecimal or base64 HMAC-SHA256 of address and body) is right, and the event in the body.

    Without a secret the service's own one counts. A header with parts, `ts=1;h1=...`, signs `1:` and the body.
    """
    text, given = str(body), str(signature)
    parts = dict(part.split("=", 1) for part in re.split(r"[;,]", given) if "=" in part and len(part.split("=")[0]) < 4)
    given = parts.get("h1") or parts.get("v1") or given
    message = f"{parts['ts']}:{text}" if "ts" in parts else f"{address or ''}{text}"
    made = hmac.new(str(secret or SECRET).encode(), message.encode(), hashlib.sha256)
    right = hmac.compare_digest(given.encode(), made.hexdigest().encode()) or _is_base64(given, made.digest())
    return {"valid": right, "event": _event(text) if right else None, "body_bytes": len(text.encode())}


def _is_base64(given: str, wanted: bytes) -> bool:
    return hmac.compare_digest(given.encode(), base64.b64encode(wanted))


def _event(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return {"text": text}


def preview(table: Table[Any], record: SpecRecord | None, changes: Mapping[str, Any]) -> dict[str, Any]:
    """What a record would be with the changes (a new one for None), field by field; nothing is kept.

    Placeholders such as `{{name}}` in its texts are filled from the changes.
    """
    before = record.plain() if record is not None else {}
    sent = {name: value for name, value in changes.items() if value is not None}
    after = _filled({**before, **sent}, _flat(sent))
    changed = {name: {"before": before.get(name), "after": value} for name, value in sent.items()}
    total = _total(sent)
    return {
        "preview": after,
        "changed_fields": sorted(name for name, pair in changed.items() if pair["before"] != pair["after"]),
        "is_new": record is None,
        "existing": len(table),
        **({"total": total} if total is not None else {}),
        "saved": False,
    }


def _flat(values: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in values.items():
        found |= _flat(value) if isinstance(value, Mapping) else {name: str(value)}
    return found


def _filled(record: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    def fill(text: str) -> str:
        return re.sub(r"\{\{\s*([\w.]+)\s*\}\}", lambda m: values.get(m[1].rsplit(".", 1)[-1], m[0]), text)

    return {name: fill(value) if isinstance(value, str) else value for name, value in record.items()}


def _total(values: Mapping[str, Any]) -> float | None:
    """Quantity times price of every line of the first list of objects; None without one."""
    lines = next((v for v in values.values() if isinstance(v, list) and v and isinstance(v[0], Mapping)), None)
    if lines is None:
        return None
    return round(sum(_number(line, "quantity", 1) * _number(line, "price", 10) for line in lines), 2)


def _number(line: Any, word: str, usual: float) -> float:
    if not isinstance(line, Mapping):
        return usual
    found = [v for name, v in line.items() if word in name.lower() and isinstance(v, int | float)]
    return float(found[0]) if found and not isinstance(found[0], bool) else usual


def side_by_side(table: Table[Any], wanted: Sequence[Any], by: str = "") -> dict[str, Any]:
    """The records named, the fields in which they differ, and who has most of each number. 404 for an unknown one."""
    rows = [table.first(**{by: value}) if by else table.get(key(value)) for value in wanted]
    if missing := [value for value, row in zip(wanted, rows, strict=True) if row is None]:
        raise ToolError(404, "not_found", f"No {table.record_type.about.noun} named {missing[0]!r}.")
    shown = [row.plain() for row in rows if row is not None]
    names = [name for name in (shown[0] if shown else {}) if name != "id"]
    differences = [name for name in names if len({canonical(row[name]) for row in shown}) > 1]
    highest = {}
    for name in names:
        values = [row[name] for row in shown if isinstance(row[name], int | float) and not isinstance(row[name], bool)]
        if values and len(values) == len(shown):
            highest[name] = shown[values.index(max(values))]["id"]
    return {"compared": shown, "differences": differences, "highest": highest}
