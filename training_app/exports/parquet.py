"""Parquet with one explicit schema per kind of record.

Arrow columns have one type, so free-form JSON (tool schemas, arguments, observations) would be merged
across rows and padded with nulls. Such columns hold JSON text here and are restored by `read_parquet`;
nothing is inferred.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from training_app.engine.errors import TrainingError
from training_app.exports.messages import json_text, parse_json
from training_app.exports.ndjson import Written, file_sha256

Kind = Literal["sft", "sft_turns", "prompts", "trajectories"]
_BATCH = 256


class Column(NamedTuple):
    """A column: its Arrow type, and whether its values are JSON text of anything."""

    name: str
    type: Any
    free: bool = False


_TEXT, _NUMBER = pa.string(), pa.float64()
_COMMON = (Column("id", _TEXT), Column("task_id", _TEXT), Column("family", _TEXT))
_SCORES = (Column("tools", _TEXT), Column("score", _NUMBER), Column("simulated_share", _NUMBER))
COLUMNS: Mapping[Kind, tuple[Column, ...]] = {
    "sft": (*_COMMON, *_SCORES, Column("messages", _TEXT, free=True)),
    "sft_turns": (
        *_COMMON,
        *_SCORES,
        Column("prompt", _TEXT, free=True),
        Column("completion", _TEXT, free=True),
    ),
    "prompts": (Column("task_id", _TEXT), Column("family", _TEXT), Column("prompt", _TEXT, free=True)),
    "trajectories": (
        *_COMMON,
        Column("status", _TEXT),
        Column("tools", _TEXT, free=True),
        Column("messages", _TEXT, free=True),
        Column("verdict", _TEXT, free=True),
        Column("simulated_share", _NUMBER),
    ),
}


def schema(kind: Kind) -> Any:
    """The Arrow schema; every shard of a kind has the same. Free-form columns are named in its metadata."""
    columns = COLUMNS[kind]
    free = ",".join(column.name for column in columns if column.free)
    fields = [pa.field(column.name, column.type) for column in columns]
    return pa.schema(fields, metadata={"workbench.kind": kind, "workbench.json_columns": free})


def write_parquet(path: Path, records: Iterable[Mapping[str, Any]], kind: Kind) -> Written:
    """Write records in constant memory, read the file back, compare every row, then give it its name.

    Missing optional keys become null. Raises TrainingError: "data:columns" for a key that the schema lacks,
    "data:roundtrip" if a row that was read back differs from its source; then no file appears.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part-{os.getpid()}")
    try:
        digest, count = _write(part, records, kind)
        check = hashlib.sha256()
        for record in read_parquet(part):
            check.update(_canonical(record, kind))
        if check.digest() != digest:
            raise TrainingError("data:roundtrip", f"{path.name} reads back differently from what was written")
        written = Written(path, file_sha256(part), part.stat().st_size, count)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return written


def write_shards(
    directory: Path, stem: str, records: Iterable[Mapping[str, Any]], kind: Kind, rows: int
) -> list[Written]:
    """Write files of at most `rows` records each, `stem-00000.parquet` and so on; at least one file."""
    shards: list[Written] = []
    source = iter(records)
    while True:
        batch = list(islice(source, rows))
        if not batch and shards:
            return shards
        shards.append(write_parquet(directory / f"{stem}-{len(shards):05d}.parquet", batch, kind))
        if len(batch) < rows:
            return shards


def read_parquet(path: Path) -> Iterator[dict[str, Any]]:
    """Stream the rows as they were written: free-form columns parsed, absent keys absent. The training
    loader.
    """
    with pq.ParquetFile(path) as file:
        metadata = file.schema_arrow.metadata or {}
        free = set(metadata.get(b"workbench.json_columns", b"").decode().split(",")) - {""}
        for batch in file.iter_batches(batch_size=_BATCH):
            for row in batch.to_pylist():
                present = {key: value for key, value in row.items() if value is not None}
                yield {key: parse_json(v) if key in free else v for key, v in present.items()}


def _write(path: Path, records: Iterable[Mapping[str, Any]], kind: Kind) -> tuple[bytes, int]:
    digest = hashlib.sha256()
    count = 0
    source = iter(records)
    with pq.ParquetWriter(path, schema(kind), compression="zstd") as writer:
        while batch := list(islice(source, _BATCH)):
            for record in batch:
                digest.update(_canonical(record, kind))
            writer.write_table(_table(batch, kind))
            count += len(batch)
    return digest.digest(), count


def _table(batch: Sequence[Mapping[str, Any]], kind: Kind) -> Any:
    arrays = [
        pa.array([_cell(record.get(c.name), c, c.name in record) for record in batch], type=c.type)
        for c in COLUMNS[kind]
    ]
    return pa.Table.from_arrays(arrays, schema=schema(kind))


def _cell(value: Any, column: Column, given: bool) -> Any:
    return json_text(value) if column.free and given else value


def _canonical(record: Mapping[str, Any], kind: Kind) -> bytes:
    """A row as bytes that tell apart 1, 1.0, true and "1"; keys in schema order, absent and null alike."""
    names = [column.name for column in COLUMNS[kind]]
    unknown = sorted(set(record) - set(names))
    if unknown:
        raise TrainingError("data:columns", f"a {kind} record has no column {', '.join(unknown)}")
    free = {column.name for column in COLUMNS[kind] if column.free}
    kept = [(n, record[n]) for n in names if n in record and (n in free or record[n] is not None)]
    return json_text(kept).encode("utf-8", "surrogatepass") + b"\n"
