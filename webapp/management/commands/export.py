"""./workbench export FORMAT --out DIR [--dataset SLUG[@N]]"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from training_app import actions, exporting, selectors
from training_app.datasets import DatasetError
from training_app.models import DatasetVersion, Export
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow


class Command(WorkbenchCommand):
    help = "Write the files of a dataset version, or of all passed trajectories, into a folder."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("format", choices=Export.Format.values)
        parser.add_argument("--out", type=Path, required=True, metavar="DIR")
        parser.add_argument("--dataset", default="", metavar="SLUG[@N]", help="all passed trajectories when absent")

    def work(self, options: Mapping[str, Any]) -> Any:
        try:
            version = find_version(options["dataset"]) if options["dataset"] else actions.passed_trajectories(by=None)
            export = actions.start_export(version=version, form=options["format"], by=None)
        except DatasetError as error:
            raise CommandError(str(error)) from error
        if export.manifest is None and export.run is not None:
            follow(self, export.run)
            export.refresh_from_db()
        return self._copy(export, options["out"])

    def _copy(self, export: Export, out: Path) -> dict[str, Any]:
        assert export.manifest is not None
        out.mkdir(parents=True, exist_ok=True)
        source = exporting.directory_of(export)
        # The manifest comes last: where it lies, everything it lists lies beside it.
        for name in [*(file["name"] for file in export.manifest["files"]), "manifest.json"]:
            part = out / f".{name}.part"
            shutil.copyfile(source / name, part)
            part.replace(out / name)
        for file in export.manifest["files"]:
            self.say(f"{out / file['name']}  {file['records']} records  {file['sha256']}")
        return {"export": export.public_id, "directory": str(out), "manifest": export.manifest}


def find_version(text: str) -> DatasetVersion:
    """`slug` or `slug@number`. Raises CommandError."""
    version = selectors.find_version(text)
    if version is None:
        raise CommandError(f"There is no frozen dataset version {text}.")
    return version
