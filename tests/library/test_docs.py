"""The service in docs/services.md is complete and does what the page says."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from services_app.engine import fields
from services_app.engine.schema import compile_schema
from services_app.library import shared
from services_app.library.registry import slugs

PAGE = Path(__file__).parents[2] / "docs" / "services.md"


def test_the_example_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 2
    (tmp_path / "parcels_example.py").write_text("\n".join(blocks), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("parcels_example")
    monkeypatch.delitem(sys.modules, "parcels_example")
    first, second = module.environment.calls
    assert (first.success, second.success) == (True, False)
    tools = module.service.tools
    assert {name for name, tool in tools.items() if tool.phrase} == {"send_parcel"}
    for tool in tools.values():
        compile_schema(tool.input_schema)
    observation = module.environment.call("parcels", "send_parcel", {"parcel_id": "PCL-0001"})
    assert observation["error"]["type"] == "already_sent"
    found = module.environment.call("parcels", "find_parcels", {"recipient_email": "ana@north.example"})["data"]
    assert found["waiting"] <= len(found["parcels"])


def test_every_name_on_the_page_exists() -> None:
    text = PAGE.read_text("utf-8")
    for name in re.findall(r"`f\.([A-Za-z]+)", text):
        assert hasattr(fields, name), name
    for name in ("cursor_page", "offset_page"):
        assert f"`{name}`" in text
        assert hasattr(shared, name)
    assert "registry.py" in text
    assert slugs()
