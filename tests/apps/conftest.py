"""What tests of jobs share."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def run_now(settings: Any, django_capture_on_commit_callbacks: Any) -> Any:
    """`run_now(action, ...)` also carries out what the action started."""
    settings.WORKBENCH_RUN_INLINE = True

    def run(action: Any, **arguments: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return action(**arguments)

    return run
