"""Finds arguments for tools from a seeded state: coherent enough that every tool can succeed, odd enough to fail."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

from services_app.engine import ProductEnvironment
from services_app.library.registry import load


def environment(slug: str, *, scale: str = "small", seed: int = 7) -> ProductEnvironment:
    return ProductEnvironment([load(slug)], seed=seed, scale=scale)


def declared_errors(description: str) -> set[str]:
    """The error types that a tool's text promises."""
    _, _, tail = description.partition("Errors:")
    return set(re.findall(r"`([a-z_]+)`", tail))


class Driver:
    """Draws arguments for the tools of one service in the present state of an environment."""

    def __init__(self, env: ProductEnvironment, slug: str, seed: int = 0) -> None:
        self.env, self.slug, self.rng = env, slug, random.Random(seed)
        self.info = env.catalogue.services[slug]
        self.refresh()

    def refresh(self) -> None:
        """Values of the state by meaning, and ids by table."""
        self.by_kind: dict[str, list[Any]] = {}
        self.by_name: dict[str, list[Any]] = {}
        self.ids: dict[str, list[str]] = {}
        self.records: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, list[str]] = {}
        for table, rows in self.env.state()[self.slug].items():
            meanings = self.info.tables[table].semantics
            self.ids[table] = [row["id"] for row in rows]
            key = self.info.tables[table].key
            self.keys[table] = [row[key] for row in rows if key and isinstance(row[key], str)]
            for row in rows:
                self.records[row["id"]] = row
                for name, value in row.items():
                    values = value if isinstance(value, list) else [value]
                    kind = meanings.get(name, {}).get("kind", "")
                    pool = [item for item in values if item not in (None, "")]
                    self.by_kind.setdefault(kind, []).extend(pool)
                    self.by_name.setdefault(name, []).extend(pool)

    def arguments(self, tool: str, *, wild: float = 0.1, optional: float = 0.3) -> dict[str, Any]:
        """Arguments for a tool; `wild` is the share of values that are meant to be refused."""
        described = self.info.tools[tool]
        schema = described.input_schema
        required = set(schema.get("required", ()))
        values: dict[str, Any] = {}
        for name, part in schema["properties"].items():
            if name not in required and self.rng.random() > optional:
                continue
            meaning = described.semantics.get(name, {})
            value = self._value(name, part, meaning, schema.get("$defs", {}), values, wild)
            values[name] = value
        special = SPECIAL.get((self.slug, tool))
        if special is not None and self.rng.random() < 0.7:
            values.update(special(self, values))
        return values

    def _value(self, name: str, part: Any, meaning: Any, defs: Any, chosen: dict[str, Any], wild: float) -> Any:
        if "anyOf" in part:
            part = next((item for item in part["anyOf"] if item.get("type") != "null"), part["anyOf"][0])
        if "$ref" in part:
            part = defs[part["$ref"].rsplit("/", 1)[-1]]
        if "enum" in part:
            return self.rng.choice(part["enum"])
        kind = part.get("type")
        if kind == "array":
            count = self.rng.randint(max(1, part.get("minItems", 0)), max(2, part.get("minItems", 0)))
            many = 60 if self.rng.random() < wild / 2 and part.get("maxItems", 60) >= 60 else count
            return [self._value(name, part["items"], meaning, defs, chosen, wild) for _ in range(many)]
        if kind == "object" and "properties" not in part:
            return {self.rng.choice(("name", "customer", "region")): self._fresh(name, "", {})}
        if kind == "object":
            return {key: self._value(key, item, {}, defs, chosen, wild) for key, item in part["properties"].items()}
        if kind == "boolean":
            return self.rng.random() < 0.5
        if kind in ("integer", "number"):
            return self._number(name, part, kind)
        return self._text(name, part, meaning, chosen, wild)

    def _number(self, name: str, part: Any, kind: str) -> float:
        low = part.get("minimum", part.get("exclusiveMinimum", 0) + 1)
        high = part.get("maximum", 1_000_000)
        pool: list[float] = [low, high, 1, 2, 3, 5, 15, 25, 30, 60, 90, 250, 5000, *self.by_name.get(name, [])[:40]]
        if kind == "number":
            pool += [12.5, 99.99, *self.by_kind.get("money", [])[:40]]
        fitting = [value for value in pool if isinstance(value, int | float) and low <= value <= high]
        value = self.rng.choice(fitting or [low])
        return int(value) if kind == "integer" else value

    def _text(self, name: str, part: Any, meaning: Any, chosen: dict[str, Any], wild: float) -> str:
        kind = meaning.get("kind", "")
        if self.rng.random() < wild:
            odd = self._odd(kind, part)
            if odd is not None:
                return odd
        if kind == "ref":
            return self._reference(meaning["target"], chosen)
        if kind in ("date", "timestamp") or part.get("format") in ("date", "date-time"):
            return self._when(part)
        named = self.keys.get(f"{name}s", [])
        if named and self.rng.random() < 0.8:
            return self._fit(self.rng.choice(named), part, name)
        pool = self.by_name.get(name, []) if self.rng.random() < 0.6 else self.by_kind.get(kind, [])
        texts = [item for item in pool if isinstance(item, str)]
        if texts and self.rng.random() < 0.7:
            return self._fit(self.rng.choice(texts), part, name)
        return self._fresh(name, kind, part)

    def _odd(self, kind: str, part: Any) -> str | None:
        if kind == "ref":
            return "NOPE-0000"
        if part.get("format") == "date":
            return "2026-02-30"
        if part.get("format") == "date-time":
            return "2026-02-30T10:00:00Z"
        if "pattern" in part:
            return None
        return "   "

    def _reference(self, target: str, chosen: dict[str, Any]) -> str:
        """An id, more often one that belongs to what was chosen before."""
        ids = self.ids[target]
        known = {value for value in chosen.values() if isinstance(value, str)}
        known |= {
            value
            for identity in list(known)
            for value in self.records.get(identity, {}).values()
            if isinstance(value, str)
        }
        related = [
            identity
            for identity in ids
            if identity in known or known & {v for v in self.records[identity].values() if isinstance(v, str)}
        ]
        if related and self.rng.random() < 0.6:
            return self.rng.choice(related)
        return self.rng.choice(ids) if ids else "NOPE-0001"

    def _when(self, part: Any) -> str:
        day = f"2026-{self.rng.choice(('01', '02', '03', '03', '04', '05'))}-{self.rng.randint(1, 28):02d}"
        if part.get("format") == "date-time":
            return f"{day}T{self.rng.randint(7, 19):02d}:{self.rng.choice((0, 15, 30)):02d}:00Z"
        return day

    def _fit(self, text: str, part: Any, name: str) -> str:
        text = self.rng.choice(text.split()) if name in ("query", "q") else text
        text = text[: part.get("maxLength", 20_000)]
        return text if re.search(part.get("pattern", ""), text) else self._fresh(name, "", part)

    def _fresh(self, name: str, kind: str, part: Any) -> str:
        number = self.rng.randint(10_000, 99_999)
        options = [f"new-{number}", f"{number}", f"New {name.replace('_', ' ')} {number}", f"{number % 24:02d}:30"]
        if kind == "email" or "@" in part.get("pattern", ""):
            options = [f"person.{number}@fresh.example"]
        fitting = [text for text in options if re.search(part.get("pattern", ""), text)]
        return self.rng.choice(fitting)[: part.get("maxLength", 200)] if fitting else options[0]

    def working(self, tool: str, tries: int = 1500) -> dict[str, Any] | None:
        """Arguments with which a tool succeeds on a fork, or None."""
        for attempt in range(tries):
            values = self.arguments(tool, wild=0.0, optional=0.1 + 0.4 * (attempt % 3))
            if self.env.fork().call(self.slug, tool, values)["success"]:
                return values
        return None


def _template_values(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """A text for each slot of the chosen template."""
    body = driver.records.get(values["template_id"], {}).get("body", "")
    return {"values": {slot: f"Text {slot}" for slot in re.findall(r"{{(\w+)}}", body)}}


def _passage(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    """The beginning of the chosen document."""
    return {"find": driver.records.get(values["document_id"], {}).get("body", "Nothing")[:30] or "Nothing"}


def _present_tag(driver: Driver, values: dict[str, Any]) -> dict[str, Any]:
    tags = driver.records.get(values["ticket_id"], {}).get("tags")
    return {"tag": tags[0]} if tags else {}


# Arguments that no generic draw finds.
SPECIAL: dict[tuple[str, str], Callable[[Driver, dict[str, Any]], dict[str, Any]]] = {
    ("documents", "create_from_template"): _template_values,
    ("documents", "replace_text"): _passage,
    ("help-desk", "remove_tag"): _present_tag,
}
