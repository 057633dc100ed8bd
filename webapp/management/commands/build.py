"""./workbench build [SLUG...|--all] [--builder rules|model]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from services_app import actions
from services_app.models import Specification
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow


class Command(WorkbenchCommand):
    help = "Build services from imported specifications and verify them."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="specifications to build")
        parser.add_argument("--all", action="store_true", help="every specification, the newest content of each")
        parser.add_argument("--builder", choices=("rules", "model"), default="rules")

    def work(self, options: Mapping[str, Any]) -> Any:
        if options["builder"] == "model":
            raise CommandError("not available: the model builder is not part of this version; use --builder rules")
        newest = Specification.objects.order_by("slug", "-id").distinct("slug")
        chosen = list(newest if options["all"] else newest.filter(slug__in=options["slugs"]))
        missing = set(options["slugs"]) - {specification.slug for specification in chosen}
        if missing:
            raise CommandError(f"There is no specification {', '.join(sorted(missing))}; import it first.")
        if not chosen:
            raise CommandError("Name at least one specification, or give --all.")
        return [self._build(specification) for specification in chosen]

    def _build(self, specification: Specification) -> dict[str, Any]:
        self.say(f"{specification.slug} ({specification.tool_count} tools)")
        try:
            result = follow(self, actions.start_build(specification=specification, by=None))
        except CommandError as error:
            self.say(f"  {error}")
            return {"slug": specification.slug, "error": str(error)}
        self.say(f"  {result['verified']} tools verified, {result['quarantined']} quarantined")
        return {"slug": specification.slug, **result}
