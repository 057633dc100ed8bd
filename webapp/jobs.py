"""Run kinds of the project itself."""

from __future__ import annotations

from typing import Any

from webapp import demo
from webapp.common.runs import RunContext, register


@register(demo.KIND, queue="default", lease_seconds=60, max_attempts=5)
def make_demo(context: RunContext) -> dict[str, Any]:
    """Make the demo world: payload {}."""
    return demo.make(context)
