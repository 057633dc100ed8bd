"""Which writes move which derived figures: the reader before, the writer, the reader again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasks_app.engine.probes import Probe, flat
from tasks_app.engine.probing import Prober
from tasks_app.engine.profile import DerivedFigure, ToolProfile

_WRITES_TRIED = 3


def add_figures(
    prober: Prober, tools: Mapping[str, ToolProfile], writes: Mapping[str, Sequence[Probe]]
) -> dict[str, ToolProfile]:
    """The profiles with `moved_by` filled in; figures that only a write brought to light are added."""
    found = dict(tools)
    for name, reader in tools.items():
        keyed = [(p, key) for p, detail in reader.parameters.items() for key in detail.selects]
        needed = [p for p, detail in reader.parameters.items() if detail.required]
        if reader.writes or not keyed or len(needed) > 1:
            continue
        moved: dict[str, tuple[set[str], set[str], bool]] = {}
        for writer, probes in writes.items():
            for probe in probes[:_WRITES_TRIED]:
                for parameter, key in keyed:
                    if needed in ([], [parameter]):
                        _watch(prober, reader, parameter, key, writer, probe, moved)
        found[name] = _with_figures(reader, moved)
    return found


def _watch(
    prober: Prober,
    reader: ToolProfile,
    parameter: str,
    key: str,
    writer: str,
    probe: Probe,
    moved: dict[str, tuple[set[str], set[str], bool]],
) -> None:
    table, _, field = key.partition(".")
    row = _related(prober, probe, table)
    if row is None or not isinstance(row.get(field), str):
        return
    if not (field == "id" or prober.columns[key].unique):
        return
    before = _numbers(prober, reader.tool, {parameter: row[field]}, None)
    after = _numbers(prober, reader.tool, {parameter: row[field]}, (writer, probe.arguments))
    touched = {f"{change['table']}.+" for change in probe.changes}
    for path, value in after.items():
        if path in before and value != before[path] and path not in reader.returns.values():
            tools, causes, whole = moved.get(path, (set(), set(), True))
            both_whole = isinstance(value, int) and isinstance(before[path], int)
            moved[path] = (tools | {writer}, causes | touched, whole and both_whole)


def _related(prober: Prober, probe: Probe, table: str) -> dict[str, Any] | None:
    """The row of `table` that a write touched or that a touched record belongs to, over at most two refs."""
    records = [(change["table"], change["before"] or change["after"]) for change in probe.changes]
    for _ in range(3):
        parents = []
        for name, record in records:
            if name == table:
                return prober.row(table, record["id"])
            for column in prober.columns.values():
                if column.table == name and column.target and isinstance(record.get(column.field), str):
                    parent = prober.row(column.target, record[column.field])
                    if parent is not None:
                        parents.append((column.target, parent))
        records = parents
    return None


def _numbers(
    prober: Prober, tool: str, arguments: dict[str, Any], write: tuple[str, dict[str, Any]] | None
) -> dict[str, Any]:
    """Numbers outside lists in the answer of a read, after a write if one is given."""
    twin = prober.environment.fork()
    if write is not None:
        twin.call(prober.slug, write[0], write[1])
    envelope = twin.call(prober.slug, tool, arguments)
    twin.close()
    prober.made += 1
    if not envelope["success"]:
        return {}
    return {
        path: value
        for path, value in flat(envelope["data"])
        if isinstance(value, int | float) and not isinstance(value, bool) and "[" not in path
    }


def _with_figures(reader: ToolProfile, moved: Mapping[str, tuple[set[str], set[str], bool]]) -> ToolProfile:
    figures = {figure.path: figure for figure in reader.derived}
    for path, (tools, causes, whole) in moved.items():
        known = figures.get(path)
        depends = causes | set(known.depends if known else ())
        figures[path] = DerivedFigure(
            path=path,
            depends=tuple(sorted(depends)),
            whole=whole and (known is None or known.whole),
            moved_by=tuple(sorted(tools)),
        )
    return reader.model_copy(update={"derived": tuple(figures[path] for path in sorted(figures))})
