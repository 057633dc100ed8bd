"""./workbench import PATH... | --stdio "CMD" | --http URL"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from services_app import actions
from services_app.models import Specification
from services_app.specs.errors import SpecError
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow


class Command(WorkbenchCommand):
    help = "Import MCP specifications from files or folders, or from a live server."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="JSON files, or folders of them")
        parser.add_argument("--stdio", default="", help="command line of an MCP server that speaks over stdio")
        parser.add_argument("--http", default="", help="URL of an MCP server that speaks streamable HTTP")

    def work(self, options: Mapping[str, Any]) -> Any:
        if options["stdio"] or options["http"]:
            run = actions.start_import(by=None, stdio=options["stdio"], http=options["http"])
            return [follow(self, run)]
        if not options["paths"]:
            raise CommandError("Give at least one file or folder, or --stdio, or --http.")
        rows = [self._import(path) for path in self._files(options["paths"])]
        failed = sum("error" in row for row in rows)
        self.say(f"{len(rows) - failed} of {len(rows)} files imported.")
        return rows

    def _files(self, paths: list[Path]) -> list[Path]:
        found = []
        for path in paths:
            if not path.exists():
                raise CommandError(f"{path} does not exist.")
            found += sorted(path.glob("*.json")) if path.is_dir() else [path]
        return found

    def _import(self, path: Path) -> dict[str, Any]:
        try:
            specification, created = actions.import_text(text=path.read_bytes(), name=path.name, by=None)
        except SpecError as error:
            self.say(f"{path.name}: {error.message} {error.hint}")
            return {"file": path.name, "error": {"kind": error.kind, "message": error.message}}
        return self._row(path.name, specification, created)

    def _row(self, name: str, specification: Specification, created: bool) -> dict[str, Any]:
        refused = {refusal.name: refusal.message for refusal in specification.value().refused}
        self.say(
            f"{name}: {specification.slug}, {specification.tool_count} tools{'' if created else ', known already'}"
        )
        for tool, reason in refused.items():
            self.say(f"  {tool} is refused: {reason}")
        return {
            "file": name,
            "slug": specification.slug,
            "tools": specification.tool_count,
            "refused": refused,
            "created": created,
        }
