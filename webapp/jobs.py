"""Run kinds of the project itself."""

from __future__ import annotations

from typing import Any

from webapp import demo, train_demo
from webapp.common.runs import RunContext, register


@register(demo.KIND, queue="default", lease_seconds=60, max_attempts=5)
def make_demo(context: RunContext) -> dict[str, Any]:
    """Make the demo world: payload {}."""
    return demo.make(context)


@register(
    train_demo.KIND, queue="default", lease_seconds=60, max_attempts=5, detail_template="jobs/train_demo.html",
    detail_context=train_demo.detail_context,
)  # fmt: skip
def make_train_demo(context: RunContext) -> dict[str, Any]:
    """Prove that training works on a CPU: payload {} or sizes of `train_demo.SIZES`."""
    return train_demo.make(context)
