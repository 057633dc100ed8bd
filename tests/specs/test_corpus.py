"""Public MCP specifications, where the shared folder is at hand: none crashes, every refusal has a reason."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from services_app.engine.schema import compile_schema
from services_app.specs.files import load_directory
from services_app.specs.linter import lint
from services_app.specs.model import Specification


def corpus() -> Path | None:
    shared = os.environ.get("WORKBENCH_SHARED")
    folder = (Path(shared) if shared else Path(__file__).resolve().parents[3] / "shared") / "data" / "mcp"
    return folder if folder.is_dir() else None


@pytest.mark.slow
@pytest.mark.skipif(corpus() is None, reason="the folder of public specifications (WORKBENCH_SHARED) is not here")
def test_every_public_specification_imports_with_its_refusals_explained() -> None:
    folder = corpus()
    assert folder is not None
    start = time.process_time()
    files = tools = refused = 0
    for outcome in load_directory(folder):
        assert outcome.error is None, f"{outcome.path.name}: {outcome.error}"
        spec = outcome.specification
        assert spec is not None
        files += 1
        tools += len(spec.tools)
        refused += len(spec.refused)
        _check(spec)
    assert files > 100
    assert refused < tools * 0.01
    assert time.process_time() - start < 60


def _check(spec: Specification) -> None:
    for left_out in spec.refused:
        assert left_out.name
        assert left_out.message.endswith(".")
        assert any(note.severity == "refused" and note.tool == left_out.name for note in spec.notes)
    for tool in spec.tools:
        served = tool.raw["inputSchema"].get("properties") or {}
        if not isinstance(served.get("type"), str):
            assert tool.properties.keys() == served.keys()
        compile_schema(tool.input_schema)
    assert len(spec.tools) + len(spec.refused) + _repeats(spec) == len(spec.raw["tools"])
    lint(spec)


def _repeats(spec: Specification) -> int:
    return sum(note.code == "tool:repeated" for note in spec.notes)
