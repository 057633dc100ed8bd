"""Newline-delimited JSON, written record by record in constant memory.

A file gets its name only when it is complete: temporary name, checksum, rename. A stream over HTTP cannot be
renamed, so there the last line `{"_end": {...}}` says that it is complete; files do not carry it.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from training_app.exports.messages import json_text

Progress = Callable[[int], None]
"""Called with the number of records so far; may raise to cancel, which removes the half file."""
_EVERY = 200


@dataclass(frozen=True)
class Written:
    """A complete file: sha256 and size in bytes of the file as it lies on disk, and its number of records."""

    path: Path
    sha256: str
    size: int
    records: int


def line(record: Mapping[str, Any]) -> bytes:
    """One record as a line."""
    return json_text(record).encode() + b"\n"


def write_ndjson(
    path: Path,
    records: Iterable[Mapping[str, Any]],
    *,
    compress: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Write records to `path`, gzip-compressed if asked (same bytes for the same records).

    Whatever goes wrong on the way, no file of that name appears and an older one stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part-{os.getpid()}")
    try:
        with part.open("wb") as file:
            count = _write(file, records, compress, progress)
            file.flush()
            os.fsync(file.fileno())
        written = Written(path, file_sha256(part), part.stat().st_size, count)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return written


def stream_ndjson(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Lines for a streamed response; the last is `{"_end": {"records": n, "sha256": of the lines before}}`."""
    digest = hashlib.sha256()
    count = 0
    for record in records:
        data = line(record)
        digest.update(data)
        count += 1
        yield data
    yield line({"_end": {"records": count, "sha256": digest.hexdigest()}})


def read_ndjson(path: Path) -> Iterator[dict[str, Any]]:
    """Stream the records of a file, compressed or not. Raises ValueError naming the line that is no object."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            value = json.loads(raw)
            if not isinstance(value, dict):
                raise ValueError(  # noqa: TRY004 - the file is wrong, not the caller
                    f"{path.name}, line {number}: no JSON object"
                )
            yield value


def file_sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(file: BinaryIO, records: Iterable[Mapping[str, Any]], compress: bool, progress: Progress | None) -> int:
    # A fixed time and name in the header keep the bytes the same for the same records.
    packed = gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) if compress else None
    target = cast("BinaryIO", packed) if packed else file
    count = 0
    for count, record in enumerate(records, start=1):
        target.write(line(record))
        if progress and count % _EVERY == 0:
            progress(count)
    if packed:
        packed.close()
    if progress:
        progress(count)
    return count
