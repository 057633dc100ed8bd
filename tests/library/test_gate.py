"""The shipped services pass the same gate as generated ones, every tool of them."""

from __future__ import annotations

import time

import pytest

from services_app.engine import ProductEnvironment
from services_app.library.registry import load, slugs
from services_app.verification.gate import verify_service
from services_app.verification.static import static_problems


@pytest.mark.parametrize("slug", slugs())
def test_every_tool_is_verified(slug: str) -> None:
    service = load(slug)
    assert static_problems(service.files) == []

    def mount() -> ProductEnvironment:
        return ProductEnvironment([service], seed=0, scale="small")

    report = verify_service(slug, service.version_hash, mount, timer=time.perf_counter, seconds=300)
    assert report.problems == ()
    assert {tool.name: tool.reason for tool in report.tools if tool.status != "verified"} == {}
