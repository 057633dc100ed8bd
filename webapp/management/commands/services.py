"""./workbench services [--verify [SLUG...]]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from services_app import actions, selectors
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow


class Command(WorkbenchCommand):
    help = "List the services with their tools by status."

    def arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--verify",
            nargs="*",
            metavar="SLUG",
            help="run the gate over shipped services first; all if none is named",
        )

    def work(self, options: Mapping[str, Any]) -> Any:
        if options["verify"] is not None:
            follow(self, actions.start_verification(slugs=options["verify"], by=None))
        rows = selectors.service_figures()
        for row in rows:
            self.say(
                f"{row['slug']:<32} {row['origin']:<8} {row['verified']:>4} verified {row['simulated']:>4} simulated "
                f"{row['quarantined']:>4} quarantined"
            )
        self.say(f"{len(rows)} services, {sum(row['tools'] for row in rows)} tools")
        return rows
