"""Values seen in observations, by what they are: the only source of ids for the adversarial suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from services_app.specs.said_ids import names_kin, spoken_nouns
from services_app.specs.vocabulary import id_target, read_name, singular, words_of

Json = Any
_LIMIT = 40  # values kept per key
_ROWS = 12  # objects kept per entity


class Pool:
    """What reading tools have shown so far: ids by entity, other values by key."""

    def __init__(self) -> None:
        self._ids: dict[str, list[Json]] = {}
        self._values: dict[str, list[Json]] = {}
        self._rows: dict[str, list[dict[str, Json]]] = {}

    def harvest(self, observation: Mapping[str, Any], noun: str) -> None:
        """Take the values of a successful observation; `noun` is what the tool is about."""
        if observation.get("success"):
            self._walk(observation.get("data"), noun, 0)

    def _walk(self, value: Json, noun: str, depth: int) -> None:
        if depth > 6:
            return
        if isinstance(value, str) and value[:1] in ("{", "["):
            value = _parsed(value)
        if isinstance(value, list):
            for item in value[:60]:
                self._walk(item, noun, depth + 1)
        elif isinstance(value, dict):
            rows = self._rows.setdefault(noun, [])
            if len(rows) < _ROWS and value not in rows:
                rows.append(value)
            for key, item in value.items():
                inner = "_".join([*words_of(key)[:-1], singular(words_of(key)[-1])]) if words_of(key) else noun
                if isinstance(item, dict | list | str):
                    self._walk(item, inner if inner not in ("data", "result") else noun, depth + 1)
                self._note(key, item, noun)

    def _note(self, key: str, value: Json, noun: str) -> None:
        scalars = value if isinstance(value, list) else [value]
        for item in scalars[:5]:
            if item is None or isinstance(item, dict | list | bool) or item == "":
                continue
            _append(self._values.setdefault("_".join(words_of(key)), []), item)
            target = id_target(key, noun)
            if target is not None:
                _append(self._ids.setdefault(target, []), item)

    def ids(self, entity: str) -> list[Json]:
        """Ids of an entity; of one whose name ends alike when there is none by this name."""
        known = self._ids.get(entity)
        if known:
            return known
        last = entity.rsplit("_", 1)[-1]
        for name, values in self._ids.items():
            if name.rsplit("_", 1)[-1] == last or name.endswith(entity):
                return values
        return []

    def knows(self, entity: str) -> bool:
        """Whether an id of just this entity was seen."""
        return bool(self._ids.get(entity))

    def _own_ids(self, target: str, noun: str) -> list[Json]:
        """Ids of an entity: `messageId` of a tool about mail messages names one of these before any other message."""
        own = self._ids.get(noun, []) if noun.endswith(f"_{target}") else []
        return [*own, *(value for value in self.ids(target) if value not in own)]

    def candidates(self, parameter: str, noun: str) -> list[Json]:
        """Values to try for a parameter, best first: ids of the entity it names, values under the same key."""
        target = id_target(parameter, noun)
        key = "_".join(words_of(parameter))
        if target is None and key in self._ids:  # `channel`: an id, or a name, of a channel
            target = key
        found = list(self._own_ids(target, noun)) if target is not None else []
        if key == "id":  # list_team_members(id): perhaps the id of what comes before
            words = noun.split("_")
            for end in range(len(words) - 1, 0, -1):
                for value in self._ids.get("_".join(words[:end]), ()):
                    _append(found, value)
        words = words_of(parameter)
        single = "_".join([*words[:-1], singular(words[-1])]) if words else key
        for name in dict.fromkeys((key, f"{noun}_{key}", single)):
            for value in self._values.get(name, ()):
                _append(found, value)
        if not found and target is None:
            for name, values in self._values.items():
                if name.endswith(f"_{single}") or single.endswith(f"_{name}"):
                    found += [value for value in values if value not in found]
        return found[:_LIMIT]

    def told(self, parameter: str, noun: str, said: str) -> list[Json]:
        """Ids of what the words of an id parameter say that it names, then of its own kind for a parent."""
        target = id_target(parameter, noun)
        if target is None or target == noun:
            return []
        spoken = next((name for name in spoken_nouns(target, said) if self.knows(name)), "")
        kin = self._ids.get(noun, []) if names_kin(parameter, said) else []
        return [*self._ids.get(spoken, []), *kin][:_LIMIT]

    def rows(self, noun: str) -> list[dict[str, Json]]:
        """Objects that were shown for an entity."""
        return self._rows.get(noun, [])

    def words(self) -> list[str]:
        """Words of longer texts, for search parameters."""
        texts = [
            value for values in self._values.values() for value in values if isinstance(value, str) and " " in value
        ]
        return list(dict.fromkeys(word for text in texts[:20] for word in text.split() if len(word) > 3))[:_LIMIT]


def _parsed(text: str) -> Json:
    """What JSON text holds: many tools wrap their result in text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _append(values: list[Json], item: Json) -> None:
    if item not in values and len(values) < _LIMIT:
        values.append(item)


def noun_of(tool: str, prefix: str) -> str:
    """The entity a tool is about, by its name."""
    return read_name(tool, prefix).noun


def ordered(tools: Iterable[str], prefix: str) -> list[str]:
    """Tools in the order in which they help each other: lists, searches, gets, creations, the rest, deletions."""
    rank = {"list": 0, "search": 1, "count": 2, "get": 3, "create": 4, "update": 5, "link": 5, "status": 6, "delete": 8}
    return sorted(tools, key=lambda name: rank.get(read_name(name, prefix).action, 7))
