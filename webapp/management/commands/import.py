"""./workbench import PATH... | --stdio "CMD" | --http URL [--header "NAME: VALUE"] | --registry URL"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from services_app import actions
from services_app.batch_models import BatchItem
from services_app.import_forms import OFFICIAL_REGISTRY, HeaderError, read_headers
from services_app.pipelines import batch
from services_app.specs.errors import SpecError
from services_app.specs.lint_score import lint_report
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow
from webapp.management.spec_files import spec_files


class Command(WorkbenchCommand):
    help = "Import specifications from files or folders, from a live MCP server, or read the list of a registry."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, metavar="PATH", help="JSON or YAML files, or folders of them"
        )
        parser.add_argument("--stdio", default="", help="command line of an MCP server that speaks over stdio")
        parser.add_argument("--http", default="", help="URL of an MCP server that speaks streamable HTTP")
        parser.add_argument(
            "--header", action="append", default=[], help='header for --http: "Name: value"; repeatable'
        )
        parser.add_argument(
            "--registry", nargs="?", const=OFFICIAL_REGISTRY, default="",
            help=f"read the list of a registry of MCP servers (default: {OFFICIAL_REGISTRY}); nothing in it is run",
        )  # fmt: skip
        parser.add_argument("--lint", action="store_true", help="also print what the linter says about each file")

    def work(self, options: Mapping[str, Any]) -> Any:
        if options["header"] and not options["http"]:
            raise CommandError("Headers are sent to a server at a URL only; give --http too.")
        try:
            if options["registry"]:
                return self._registry(options["registry"])
            if options["stdio"] or options["http"]:
                return [self._live(options)]
        except (SpecError, HeaderError) as error:
            raise CommandError(str(error)) from error
        if not options["paths"]:
            raise CommandError("Give at least one file or folder, or --stdio, --http or --registry.")
        return self._files(spec_files(options["paths"]), lint=options["lint"])

    def _live(self, options: Mapping[str, Any]) -> dict[str, Any]:
        headers = read_headers(options["header"])
        return follow(
            self, actions.start_import(by=None, stdio=options["stdio"], http=options["http"], headers=headers)
        )

    def _registry(self, url: str) -> list[dict[str, Any]]:
        run = actions.start_registry_import(url=url, by=None)
        follow(self, run)
        rows = [batch.row_of(item) for item in batch.items_of(run.pk)]
        usable = [row for row in rows if row["state"] == BatchItem.State.LISTED]
        for row in usable:
            self.say(f"  {row['name']}: --http {row['result']['url']}")
        self.say(f"{len(rows)} servers; {len(usable)} can be imported live, the others say why not.")
        return rows

    def _files(self, files: list[Path], *, lint: bool) -> list[dict[str, Any]]:
        run = actions.start_import_files(files=((path.name, path.read_bytes()) for path in files), by=None)
        follow(self, run)
        rows = [self._row(item, lint=lint) for item in batch.items_of(run.pk).order_by("position")]
        self.say(f"{sum('error' not in row for row in rows)} of {len(rows)} files imported.")
        return rows

    def _row(self, item: BatchItem, *, lint: bool) -> dict[str, Any]:
        specification, result = item.specification, item.result
        if specification is None:
            self.say(f"{item.name}: {item.message}")
            return {"file": item.name, "error": {"kind": item.failure_kind, "message": item.message}}
        known = ", known already" if item.state == BatchItem.State.KNOWN else ""
        self.say(f"{item.name}: {specification.slug}, {result['tools']} tools{known}. {item.message}".rstrip())
        for tool, reason in result["refused"].items():
            self.say(f"  {tool} is refused: {reason}")
        if lint:
            report = lint_report(specification.value())
            self.say(f"  lint score {report.score} of 100")
            for note in report.notes:
                self.say(f"  {note.severity} {note.tool or '-'}: {note.message} ({note.code})")
        return {
            "file": item.name,
            "slug": specification.slug,
            "created": item.state != BatchItem.State.KNOWN,
            "state": item.state,
            "message": item.message,
            **result,
        }
