"""Writers append to the journal of the application when some tool reads its history."""

from __future__ import annotations

from collections.abc import Iterable

from services_app.builders.plan import Entity, Fixture, Plan, ToolPlan

JOURNAL = Fixture("journal", "EventRecord", "services_app.recipes.journal", "seed_journal")
_DONE = {
    "create": "created", "update": "updated", "delete": "deleted", "delete_equal": "deleted", "copy": "created",
    "link": "linked", "unlink": "unlinked", "restore": "restored", "flag": "changed",
}  # fmt: skip


def journalled(plan: Plan, tool: ToolPlan, entity: Entity, lines: Iterable[str]) -> list[str]:
    """The lines of a writer, which says in the journal what it did before it returns."""
    found = list(lines)
    action = tool.value if tool.kind == "status" else _DONE.get(tool.kind, "")
    wanted = action and JOURNAL in plan.fixtures and found[-1].startswith("return ")
    if wanted and any(line.startswith("record = ") for line in found):
        found.insert(-1, f"logged(state.journal, ctx, {action!r}, {entity.noun!r}, record)")
    return found
