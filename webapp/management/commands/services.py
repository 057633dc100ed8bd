"""./workbench services"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from services_app import selectors
from webapp.management.base import WorkbenchCommand


class Command(WorkbenchCommand):
    help = "List the services with their tools by status."

    def work(self, options: Mapping[str, Any]) -> Any:
        rows = selectors.service_figures()
        for row in rows:
            self.say(
                f"{row['slug']:<32} {row['origin']:<8} {row['verified']:>4} verified {row['simulated']:>4} simulated "
                f"{row['quarantined']:>4} quarantined"
            )
        self.say(f"{len(rows)} services, {sum(row['tools'] for row in rows)} tools")
        return rows
