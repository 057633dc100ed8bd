"""Exports: files of a frozen version with a manifest, complete or not there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from tasks_app.models import TaskService
from training_app import records
from training_app.engine.errors import TrainingError
from training_app.exports.manifest import FileEntry, Manifest, write_manifest
from training_app.exports.ndjson import Written, write_ndjson
from training_app.exports.parquet import write_parquet
from training_app.exports.splits import RULE
from training_app.models import DatasetVersion, Export
from webapp.common.runs import RunContext, RunFailed

SHARD_ROWS: Final = 2_000


def directory_of(export: Export) -> Path:
    """Where the files of an export lie."""
    return Path(settings.WORKBENCH_FILES) / "exports" / export.public_id


def file_of(export: Export, name: str) -> Path | None:
    """The path of a file that the manifest lists (or of the manifest itself); None for any other name."""
    manifest = export.manifest
    if manifest is None:
        return None
    listed = {entry["name"] for entry in manifest["files"]} | {"manifest.json"}
    return directory_of(export) / name if name in listed else None


def write_export(context: RunContext, export: Export) -> dict[str, Any]:
    """Write every split and the manifest; the export is complete when its manifest is stored.

    An export that is taken up again begins anew: the same version gives the same bytes.
    """
    source = export.dataset_version
    directory = directory_of(export)
    directory.mkdir(parents=True, exist_ok=True)
    total = source.stats["rows"]
    files: list[FileEntry] = []
    progress = _Progress(context, total)
    try:
        for split in records.splits_of(source):
            context.progress(done=progress.before, total=total, unit="rows", phase=f"writing {split}")
            for written in _write_split(export, directory, split, progress):
                files.append(FileEntry.of(written, split))
                context.log(f"{written.path.name}: {written.records} records, {written.size} bytes")
        manifest = _manifest(source, export.format, files)
        write_manifest(directory, manifest)
    except TrainingError as error:
        shutil.rmtree(directory, ignore_errors=True)
        raise RunFailed(error.kind, error.message) from error
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)  # a failed or cancelled export leaves no file
        raise
    Export.objects.filter(pk=export.pk).update(manifest=manifest.model_dump(mode="json"))
    context.progress(done=total, total=total, phase="done")
    return {"export": export.public_id, "files": len(files), "records": manifest.counts()}


class _Progress:
    """Counts over all files; looks for a cancel with every page, because a row may be large."""

    def __init__(self, context: RunContext, total: int) -> None:
        self.context, self.total, self.before, self.here = context, total, 0, 0

    def watch(self, rows: Iterator[records.Record]) -> Iterator[records.Record]:
        for row in rows:
            if self.here % records.PAGE == 0:
                self.context.checkpoint()
                self.context.progress(done=min(self.before + self.here, self.total), total=self.total)
            self.here += 1
            yield row
        self.before, self.here = self.before + self.here, 0


def _write_split(export: Export, directory: Path, split: str, progress: _Progress) -> list[Written]:
    rows = progress.watch(records.STREAMS[export.format](export.dataset_version, split))
    if export.format == Export.Format.SFT_PARQUET:
        return list(_write_shards(directory, split, rows))
    return [write_ndjson(directory / f"{split}.jsonl", rows)]


def _write_shards(directory: Path, split: str, rows: Iterator[records.Record]) -> Iterator[Written]:
    """Parquet files of at most SHARD_ROWS rows each; rows pass through one at a time."""
    for number, first in enumerate(rows):
        part = chain([first], islice(rows, SHARD_ROWS - 1))
        yield write_parquet(directory / f"{split}-{number:05d}.parquet", part, "sft")


def _manifest(source: DatasetVersion, form: str, files: list[FileEntry]) -> Manifest:
    return Manifest(
        format=f"{form}/1",
        dataset=source.dataset.slug,
        dataset_version=source.content_hash,
        created_at=timezone.now().isoformat(timespec="seconds"),
        files=tuple(files),
        split_rule=RULE,
        split_seed=source.split_seed,
        overlap=source.stats["overlap"],
        simulated_share=source.stats["simulated_share"],
        versions=_versions(source),
    )


def _versions(source: DatasetVersion) -> dict[str, str]:
    """Packages that made the files, and the services that the tasks were proven with, by version hash."""
    mounted = TaskService.objects.filter(task__dataset_members__dataset_version=source).order_by("service__slug")
    services = mounted.values_list("service__slug", "service_version__version_hash").distinct()
    found = {f"service {slug} {digest[:12]}": digest for slug, digest in services}
    for name in ("compoworld-workbench", "pyarrow"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
