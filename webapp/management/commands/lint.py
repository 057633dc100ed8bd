"""./workbench lint PATH... | --rules"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from services_app.specs.errors import SpecError
from services_app.specs.files import load_file
from services_app.specs.lint_rules import RULES
from services_app.specs.lint_score import lint_report
from webapp.management.spec_files import spec_files


class Command(BaseCommand):
    help = "Say what will confuse agents or builders in specifications; nothing is imported."
    requires_system_checks: list[str] = []  # noqa: RUF012 - Django's own declaration

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files of specifications, or folders")
        parser.add_argument("--rules", action="store_true", help="list the rules with their reasons and costs")
        parser.add_argument("--json", action="store_true", help="print one JSON document instead of words")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["rules"]:
            rows = [rule._asdict() for rule in RULES.values()]
            self._print(
                rows, options["json"], [f"{r['code']:<26} -{r['cost']:<3} {r['title']}. {r['why']}" for r in rows]
            )
            return
        if not options["paths"]:
            raise CommandError("Give at least one file or folder, or --rules.")
        rows = [_row(path) for path in spec_files(options["paths"])]
        self._print(rows, options["json"], [line for row in rows for line in _words(row)])

    def _print(self, rows: list[dict[str, Any]], as_json: bool, words: list[str]) -> None:
        self.stdout.write(json.dumps(rows, ensure_ascii=False, indent=2) if as_json else "\n".join(words))


def _row(path: Path) -> dict[str, Any]:
    try:
        report = lint_report(load_file(path))
    except SpecError as error:
        return {"file": path.name, "error": error.to_json()}
    return {**report.to_json(), "file": path.name, "notes": [note.model_dump() for note in report.notes]}


def _words(row: dict[str, Any]) -> list[str]:
    if "error" in row:
        return [f"{row['file']}: {row['error']['message']} {row['error']['hint']}".strip()]
    score = "no tools" if row["score"] is None else f"{row['score']} of 100"
    notes = [
        f"  {note['severity']:<7} {note['tool'] or '-'}: {note['message']} ({note['code']})" for note in row["notes"]
    ]
    return [f"{row['file']}: {score}", *notes]
