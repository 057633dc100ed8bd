"""./workbench demo [--json]"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from webapp import demo
from webapp.management.base import WorkbenchCommand
from webapp.management.following import follow_beside


class Command(WorkbenchCommand):
    help = "Make a small world with the real pipeline: services, tasks with proofs, trajectories, a dataset."

    def work(self, options: Mapping[str, Any]) -> Any:
        result = follow_beside(self, demo.KIND, lambda: demo.start(by=None))
        self.say(
            f"{result['services']} services, {result['tasks']} proven tasks, {result['trajectories']} trajectories "
            f"({result['passed']} passed), dataset {result['dataset']}"
        )
        return result
