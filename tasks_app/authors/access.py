"""Access paths: chains of reads that lead from a value someone knows to the columns wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from services_app.engine.catalogue import ServiceInfo
from tasks_app.engine.columns import KEY_KINDS, Column
from tasks_app.engine.profile import DerivedFigure, ParameterProfile, ServiceProfile, ToolProfile, in_order

_LENGTH = 3
LITERAL_TARGETS = frozenset({"title", "label", "code", "product", "place", "email", "person"})
"""A second record of a call may be named by one of these, as the seeded records have it."""
_COUNTED = re.compile(r"(?<!s)s$|count|number|total|balance")
_NOT_PROSE = re.compile(r"sql|query|formula|expression|html|json|template|regex")


@dataclass(frozen=True, slots=True)
class Edge:
    """One read that finds records by one column, fed into `parameter`; "" for a list in which it is looked up."""

    tool: ToolProfile
    parameter: str
    column: str
    fillers: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A read of a chain; `source` is the column it is fed with, "" for the value that starts the chain.

    `parameter` is "" for a list that is not asked for anything: the record is then found in it.
    """

    tool: str
    parameter: str
    source: str
    fillers: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """Reads in order, and for each column the step and path that show it."""

    steps: tuple[ChainStep, ...]
    outputs: dict[str, tuple[int, str]]
    visible: dict[str, Any] = field(default_factory=dict)
    """Columns that have to hold these values, or a default filter hides the record."""


class Payload(NamedTuple):
    """A parameter that takes a value: its profile and the column in which the value lands."""

    name: str
    detail: ParameterProfile
    column: Column
    member: bool

    @property
    def kind(self) -> str:
        """Kind of value: that of the column, unless the parameter is the more telling of the two."""
        vague = ("", "ref", "id", "title", "text", "label")
        if self.detail.kind in vague and self.column.kind not in ("text", "title", "object", "ref", "id"):
            return self.column.kind
        return self.detail.kind if self.detail.kind not in ("", "ref", "id") else self.column.kind

    @property
    def choices(self) -> tuple[str, ...]:
        return self.detail.choices or (self.column.choices if self.column.kind == "label" else ())


def _goes(chain: Chain, via: str) -> bool:
    """Whether the read has its place in the chain, and something is taken from it."""
    return not via or any(
        step.tool == via and any(shown[0] == position for shown in chain.outputs.values())
        for position, step in enumerate(chain.steps)
    )


def payloads_of(reach: Reach, tool: ToolProfile) -> list[Payload]:
    """The parameters of a writer that take values."""
    found = []
    for name, detail in tool.parameters.items():
        if detail.lands and not detail.target and detail.type != "object":
            landing = detail.lands[0]
            found.append(Payload(name, detail, reach.columns[landing.column], landing.mode == "member"))
    return found


def _aimed(profile: ServiceProfile) -> ServiceProfile:
    """The profile with targets that name the record itself where they were measured on what refers to it.

    A write that clears the reminder of a note is seen to act on reminders, though the note is what it is told.
    """
    tools = {}
    for name, tool in profile.tools.items():
        aims = {key: _aim(profile, detail.target) for key, detail in tool.parameters.items() if detail.target}
        details = {
            key: detail.model_copy(update={"target": aims[key]}) if key in aims else detail
            for key, detail in tool.parameters.items()
        }
        tools[name] = tool.model_copy(update={"parameters": details})
    return profile.model_copy(update={"tools": tools})


def _aim(profile: ServiceProfile, target: str) -> str:
    column = profile.columns[target]
    identity = f"{column.target}.id"
    return identity if column.kind == "ref" and identity in profile.columns else target


class Reach:
    """What can be found in one service, from its profile."""

    def __init__(self, profile: ServiceProfile, info: ServiceInfo) -> None:
        self.profile = profile = _aimed(in_order(profile, info))
        self._carriers = {name: table.carrier for name, table in info.tables.items()}
        self.columns = {
            key: Column(key.partition(".")[0], key.partition(".")[2], **column.model_dump())
            for key, column in profile.columns.items()
        }
        self.readers = [tool for tool in profile.tools.values() if tool.works and not tool.writes and tool.returns]
        self.writers = [tool for tool in profile.tools.values() if self._plannable(tool)]
        self.edges = list(self._edges())
        self._figures: dict[str, list[tuple[ToolProfile, str, str, DerivedFigure]]] = {}
        self._chains: dict[tuple[str, tuple[str, ...], str, str], Chain | None] = {}

    @staticmethod
    def _plannable(tool: ToolProfile) -> bool:
        """Writers every required argument of which the author understands; of those that delete, the plain ones."""
        if not tool.works or not tool.writes:
            return False
        targets = {detail.target.partition(".")[0] for detail in tool.parameters.values() if detail.target}
        if tool.deletes and (tool.creates or not targets & {*tool.deletes, *tool.changes}):
            return False
        for name, detail in tool.parameters.items():
            if detail.required and not detail.target and detail.type == "string" and _NOT_PROSE.search(name):
                return False
        return all(
            detail.target or detail.lands or detail.choices or detail.type in ("integer", "number")
            for detail in tool.parameters.values()
            if detail.required
        )

    def _edges(self) -> Iterator[Edge]:
        for tool in self.readers:
            for name, detail in tool.parameters.items():
                if detail.choices or detail.type != "string" or detail.many:
                    continue
                fillers = self._fillers(tool, name)
                if fillers is not None:
                    for column in detail.selects:
                        yield Edge(tool, name, column, fillers)
            yield from self._lists(tool)

    def _lists(self, tool: ToolProfile) -> Iterator[Edge]:
        """The columns by which a record can be looked up in a list that wants no argument."""
        fillers = self._fillers(tool, "")
        for key, path in tool.returns.items() if fillers is not None else ():
            column = self.columns[key]
            if path.count("[*]") == 1 and column.kind in KEY_KINDS and not column.many:
                yield Edge(tool, "", key, fillers or ())

    @staticmethod
    def _fillers(tool: ToolProfile, but: str) -> tuple[tuple[str, Any], ...] | None:
        """Constants for the other required parameters; None when one of them would need knowledge."""
        found = []
        for name, detail in tool.parameters.items():
            if name != but and detail.required:
                if detail.filler is None:
                    return None
                found.append((name, detail.filler))
        return tuple(found)

    def opened_by(self, tool: ToolProfile) -> tuple[str, ...]:
        """The tables whose records a read opens: by their id or number, or by a reference to them."""
        found = []
        for edge in self.edges:
            column = self.columns[edge.column]
            if edge.tool is tool and edge.parameter:
                found += [column.table] if column.kind in ("id", "code") else [column.target] if column.target else []
        return tuple(dict.fromkeys(found))

    def table_columns(self, table: str) -> list[Column]:
        return [column for column in self.columns.values() if column.table == table]

    def key_columns(self) -> list[Column]:
        """Columns by which a record can be found with a value known from elsewhere."""
        found = []
        for column in self.columns.values():
            if column.kind not in KEY_KINDS or column.choices or column.system:
                continue
            if self.chain(column.key, (f"{column.table}.id",)) is not None:
                found.append(column)
        return found

    def text_columns(self, table: str) -> list[Column]:
        columns = (c for c in self.table_columns(table) if c.kind == "text" and not c.many and not c.system)
        return [column for column in columns if not _NOT_PROSE.search(column.field)]

    def note_columns(self, table: str) -> list[tuple[Column, Column]]:
        """(text column, reference column) of child tables that hold remarks on records of `table`."""
        found = []
        for reference in self.columns.values():
            if reference.target != table or reference.table == table or reference.many:
                continue
            if any(self._carriers.values()) and self._carriers[reference.table] != "note":
                continue
            texts = self.text_columns(reference.table)
            others = [c for c in self.table_columns(reference.table) if c.kind in ("money", "count", "code", "title")]
            if len(texts) == 1 and not [column for column in others if not column.system]:
                found.append((texts[0], reference))
        return found

    def children(self, table: str) -> list[tuple[str, Column]]:
        """(child table, its reference column) of records of `table`."""
        return [
            (column.table, column)
            for column in self.columns.values()
            if column.target == table and column.table != table and not column.many
        ]

    def figures(self, table: str) -> list[tuple[ToolProfile, str, str, DerivedFigure]]:
        """(reader, parameter, key column, figure) of derived numbers about records of `table`."""
        if table not in self._figures:
            self._figures[table] = list(self._figures_of(table))
        return self._figures[table]

    def _figures_of(self, table: str) -> Iterator[tuple[ToolProfile, str, str, DerivedFigure]]:
        for edge in self.edges:
            column = self.columns[edge.column]
            if column.table != table or edge.fillers or not edge.parameter:
                continue
            if not (column.field == "id" or column.kind == "code"):
                continue
            for figure in edge.tool.derived:
                if "[" not in figure.path and not _is_vague(figure):
                    yield edge.tool, edge.parameter, edge.column, figure

    def moving(self, tool: ToolProfile, table: str) -> bool:
        """Whether the write moves a figure about records of `table`."""
        return any(tool.tool in figure.moved_by for _, _, _, figure in self.figures(table))

    def system_columns(self) -> set[str]:
        """Columns that the service fills by itself: nobody passes them on."""
        found = {column.key for column in self.columns.values() if column.system}
        for tool in self.writers:
            found |= {key for key in tool.generated if self.columns[key].kind in ("count", "money")}
        return found

    def starts(self, key: str) -> list[str]:
        """Reads by which a record can be found from `key`, in the order of the service."""
        identity = f"{key.partition('.')[0]}.id"
        return list(dict.fromkeys(e.tool.tool for e in self.edges if e.column == key and identity in e.tool.returns))

    def chain(self, key: str, need: tuple[str, ...], start: str = "", via: str = "") -> Chain | None:
        """The shortest chain from `key` that shows the id of its record and all of `need`.

        `start` is its first read; `via` a later one, which then shows all it can.
        """
        wanted = tuple(sorted(set(need)))
        mark = (key, wanted, start, via)
        if mark not in self._chains:
            self._chains[mark] = self._search(key, frozenset(wanted), start, via)
        return self._chains[mark]

    def _search(self, key: str, need: frozenset[str], start: str, via: str) -> Chain | None:
        table = key.partition(".")[0]
        identity = f"{table}.id"
        frontier = []
        for edge in self.edges:
            if start and edge.tool.tool != start:
                continue
            if edge.column == key and (identity in edge.tool.returns or need <= edge.tool.returns.keys()):
                outputs = {column: (0, path) for column, path in edge.tool.returns.items()}
                step = ChainStep(edge.tool.tool, edge.parameter, "", edge.fillers)
                frontier.append(Chain((step,), outputs, self._visible(edge, table)))
        for _ in range(_LENGTH):
            done = [chain for chain in frontier if need <= chain.outputs.keys() and _goes(chain, via)]
            if done:
                return min(
                    done, key=lambda chain: (not chain.steps[0].parameter, len(chain.visible), len(chain.outputs))
                )
            frontier = [longer for chain in frontier for longer in self._longer(chain, table, via)]
        return None

    def _longer(self, chain: Chain, table: str, via: str) -> Iterator[Chain]:
        used = {step.tool for step in chain.steps}
        for edge in self.edges:
            if edge.tool.tool in used or not edge.parameter:
                continue
            source = self._source(edge.column, chain, table)
            fed = {source, f"{table}.id", *(step.source for step in chain.steps)}
            kept = fed if edge.tool.tool == via else chain.outputs.keys()  # what feeds a read is shown before it
            outputs = {
                column: (len(chain.steps), path) for column, path in edge.tool.returns.items() if column not in kept
            }
            if source and outputs:
                step = ChainStep(edge.tool.tool, edge.parameter, source, edge.fillers)
                visible = {**chain.visible, **self._visible(edge, table)}
                yield Chain((*chain.steps, step), {**chain.outputs, **outputs}, visible)

    def _source(self, wanted: str, chain: Chain, table: str) -> str:
        """The column already seen that feeds a selector."""
        column = self.columns[wanted]
        if column.table == table and column.kind in ("id", "code") and wanted in chain.outputs:
            return wanted
        if column.target == table and f"{table}.id" in chain.outputs:
            return f"{table}.id"
        return ""

    def _visible(self, edge: Edge, table: str) -> dict[str, Any]:
        """What default filters of the tool want of the records that it shows."""
        found = {}
        for name, detail in edge.tool.parameters.items():
            if name != edge.parameter and detail.default not in (None, "") and detail.choices:
                for key in detail.selects:
                    if key.partition(".")[0] == table:
                        found[key] = detail.default
        return found


def _is_vague(figure: DerivedFigure) -> bool:
    """Whether nobody would speak of the figure: it has no name of its own, or one that stands in the records."""
    leaf = figure.path.rsplit(".", 1)[-1]
    if " " in leaf or re.fullmatch(r"total|count|offset|size|\$", leaf):
        return True
    return figure.whole and not _COUNTED.search(leaf)
