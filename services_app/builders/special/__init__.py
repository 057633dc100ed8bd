"""Rules for tools that no table of records describes: they write the body of the function themselves.

Each module offers `plan(reader, tool)`: a `ToolPlan` of kind "written", a sentence why the tool cannot be built, or
None when the tool is none of its business. `RULES` says who is asked first; the rules for records come last.
"""

from __future__ import annotations

from collections.abc import Callable

from services_app.builders.entities import Reader
from services_app.builders.plan import ToolPlan
from services_app.builders.special import (
    aggregates,
    browser,
    charts,
    compute,
    device,
    documents,
    filetree,
    health,
    history,
    jobs,
    keyvalue,
    languages,
    lookups,
    market,
    previews,
    queries,
    settings,
    sheets,
    steps,
    vcs,
)
from services_app.specs.model import ToolSpec

Special = Callable[[Reader, ToolSpec], ToolPlan | str | None]
RULES: tuple[Special, ...] = (
    device.plan,
    browser.plan,
    filetree.plan,
    sheets.plan,
    documents.plan,
    vcs.plan,
    keyvalue.plan,
    charts.plan,
    queries.plan,
    languages.plan,
    compute.plan,
    health.plan,
    history.plan,
    aggregates.plan,
    previews.plan,
    jobs.plan,
    market.plan,
    settings.plan,
    steps.plan,
    lookups.plan,
)
