"""How a result is shown: its rendering, its level of detail, time zone, language and units."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from services_app.engine.errors import ToolError
from services_app.recipes.rows import truth
from services_app.recipes.values import TOPICS
from services_app.recipes.zones import Zone, zone_of

_SHORT = frozenset(
    "concise summary compact minimal brief basic simple short low id_only ids metadata lite light".split()
)
_FULL = frozenset("json detailed full complete long high verbose standard normal default raw medium object all".split())
_MARKDOWN = frozenset("markdown md text txt table plain human human_readable pretty string".split())
_INSTANT = re.compile(r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")
_TAG = re.compile(r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")
_KEPT = 4


def rendered(value: Any, wanted: object, listed: Iterable[str] = ()) -> Any:
    """The result as it is, as text in a format, or with the first fields of each record, as `wanted` says.

    400 for a word that is neither known nor `listed`.
    """
    word = str(wanted or "").casefold().replace("-", "_").rpartition("/")[2]
    if not word or word in _FULL:
        return value
    if word in _SHORT:
        return shortened(value)
    if word in _MARKDOWN:
        return {"text": _markdown(value)}
    if word in _WRITERS:
        return {"format": word, "text": _WRITERS[word](value)}
    if word in {str(name).casefold().replace("-", "_") for name in listed}:
        return {"format": word, "text": _markdown(value)}
    raise ToolError(400, "unknown_format", f"There is no format {wanted!r}; use json, markdown, csv, xml or html.")


def _markdown(value: Any, level: int = 0) -> str:
    if isinstance(value, dict):
        return "\n".join(f"{'  ' * level}- **{name}**: {_inner_text(item, level)}" for name, item in value.items())
    if isinstance(value, list):
        return "\n\n".join(_markdown(item, level) for item in value)
    return "" if value is None else str(value)


def _inner_text(item: Any, level: int) -> str:
    return f"\n{_markdown(item, level + 1)}" if isinstance(item, dict | list) else _markdown(item)


def _records(value: Any) -> list[dict[str, Any]]:
    rows = value if isinstance(value, list) else [value]
    if isinstance(value, dict):
        rows = next((item for item in value.values() if isinstance(item, list)), [value])
    return [row if isinstance(row, dict) else {"value": row} for row in rows]


def _csv(value: Any) -> str:
    rows = _records(value)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {k: json.dumps(v, ensure_ascii=False) if isinstance(v, dict | list) else v for k, v in row.items()}
        )
    return out.getvalue()


def _escaped(value: Any) -> str:
    text = "" if value is None else str(value)
    if isinstance(value, dict | list):
        text = json.dumps(value, ensure_ascii=False)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _xml(value: Any) -> str:
    rows = (
        "".join(f'<field name="{_escaped(name)}">{_escaped(item)}</field>' for name, item in row.items())
        for row in _records(value)
    )
    return f"<records>{''.join(f'<record>{row}</record>' for row in rows)}</records>"


def _html(value: Any) -> str:
    rows = _records(value)
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{_escaped(name)}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{_escaped(row.get(name))}</td>' for name in names)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def _yaml(value: Any) -> str:
    return "\n".join(
        "- " + "\n  ".join(f"{name}: {json.dumps(item, ensure_ascii=False)}" for name, item in row.items())
        for row in _records(value)
    )


_WRITERS: dict[str, Callable[[Any], str]] = {"csv": _csv, "xml": _xml, "html": _html, "yaml": _yaml, "yml": _yaml}


def shortened(value: Any) -> Any:
    """The result with the first fields of each record only."""
    if isinstance(value, list):
        return [shortened(item) for item in value]
    if isinstance(value, dict) and "id" in value:
        return dict(list(value.items())[:_KEPT])
    return {name: shortened(item) for name, item in value.items()} if isinstance(value, dict) else value


def in_zone(value: Any, name: object) -> Any:
    """The result with its instants as wall time of a time zone; 400 for one that is not known."""
    return value if name in (None, "") else _zoned(value, zone_of(str(name)))


def _zoned(value: Any, zone: Zone) -> Any:
    if isinstance(value, dict):
        return {name: _zoned(item, zone) for name, item in value.items()}
    if isinstance(value, list):
        return [_zoned(item, zone) for item in value]
    if isinstance(value, str) and _INSTANT.match(value):
        return zone.local(dt.datetime.fromisoformat(value).replace(tzinfo=None)).isoformat()
    return value


_WORDS: dict[str, tuple[str, ...]] = {
    "de": (
        "Verlängerung Nord", "Umbau am Hafen", "Prüfung im Frühjahr", "Umzug des Campus", "Rückblick auf den Versuch",
        "Wechsel des Lieferanten", "Haushaltsrunde", "Eröffnung der Praxis", "Bereinigung der Daten",
        "Ausgabe Winter", "Übergabe des Museums", "Schulungstag",
    ),
    "fr": (
        "Renouvellement nord", "Travaux du port", "Audit de printemps", "Déménagement du campus", "Bilan du pilote",
        "Changement de fournisseur", "Tour de budget", "Ouverture de la clinique", "Nettoyage des données",
        "Version d'hiver", "Remise du musée", "Jour de formation",
    ),
    "es": (
        "Renovación norte", "Obras del puerto", "Auditoría de primavera", "Mudanza del campus", "Revisión del piloto",
        "Cambio de proveedor", "Ronda de presupuesto", "Apertura de la clínica", "Limpieza de datos",
        "Versión de invierno", "Entrega del museo", "Día de formación",
    ),
}  # fmt: skip


def in_language(value: Any, name: object) -> Any:
    """The result with its usual topics in a language; others stay as they are written. 400 for what is no language."""
    if name in (None, ""):
        return value
    if not _TAG.match(str(name)):
        raise ToolError(400, "unknown_language", f"{name!r} is no language tag; use one such as en, de or fr-FR.")
    words = _WORDS.get(str(name)[:2].casefold())
    return value if words is None else _translated(value, dict(zip(TOPICS, words, strict=True)))


def _translated(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {name: _translated(item, words) for name, item in value.items()}
    if isinstance(value, list):
        return [_translated(item, words) for item in value]
    if isinstance(value, str):
        for topic, other in words.items():
            if topic in value:
                return value.replace(topic, other)
    return value


_FACTORS = {
    "distance": 0.621371, "speed": 0.621371, "wind": 0.621371, "gust": 0.621371, "visibility": 0.621371,
    "weight": 2.204623, "mass": 2.204623, "height": 0.393701, "length": 0.393701, "precipitation": 0.039370,
    "rain": 0.039370, "pressure": 0.029530, "elevation": 3.28084, "altitude": 3.28084, "volume": 0.264172,
}  # fmt: skip
_METRIC = frozenset("metric celsius c si m km kilometers kilometres kg ca eu degc standard".split())
_IMPERIAL = frozenset("imperial fahrenheit f us usc english mi miles lb lbs uk degf us_customary".split())


def in_units(value: Any, name: object) -> Any:
    """The result with its measures in metric units, as they are kept, or in imperial ones; 400 for others."""
    word = str(name or "metric").casefold()
    if word in ("kelvin", "k"):
        return _measured(value, lambda part, number: number + 273.15 if part == "temperature" else number)
    if word in _METRIC:
        return value
    if word not in _IMPERIAL:
        raise ToolError(400, "unknown_units", f"There are no units {name!r}; use metric or imperial.")
    return _measured(
        value,
        lambda part, number: number * 9 / 5 + 32 if part == "temperature" else number * _FACTORS[part],
    )


def _measured(value: Any, convert: Callable[[str, float], float], name: str = "") -> Any:
    if isinstance(value, dict):
        return {inner: _measured(item, convert, inner) for inner, item in value.items()}
    if isinstance(value, list):
        return [_measured(item, convert, name) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        part = _measure(name.casefold())
        return round(convert(part, value), 2) if part else value
    return value


def _measure(name: str) -> str:
    if "temp" in name or "feels" in name or "dew" in name:
        return "temperature"
    return next((part for part in _FACTORS if part in name), "")


def detailed(value: Any, wanted: object, usual: object = False) -> Any:
    """All fields of each record when details are wanted, else the first ones."""
    return value if truth(usual if wanted is None else wanted) is True else shortened(value)


def compact(value: Any, wanted: object, usual: object = False) -> Any:
    """The first fields of each record when less is wanted."""
    return shortened(value) if truth(usual if wanted is None else wanted) is True else value


def ids_only(value: Any, wanted: object) -> Any:
    """The ids instead of the records of each list, and a single record as its id, when that is wanted."""
    return _ids(value) if truth(wanted) is True else value


def _ids(value: Any) -> Any:
    if isinstance(value, list):
        return [item["id"] if isinstance(item, dict) and "id" in item else item for item in value]
    if isinstance(value, dict) and "id" in value:
        return {"id": value["id"]}
    return {name: _ids(item) for name, item in value.items()} if isinstance(value, dict) else value


def as_markdown(value: Any, wanted: object) -> Any:
    """The result as Markdown text when that is wanted."""
    return {"text": _markdown(value)} if truth(wanted) is True else value
