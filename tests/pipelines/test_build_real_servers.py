"""From a published MCP server to verified tools: installed, imported over stdio, built, judged by the gate."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from services_app.builders.rules import BuiltService, build_with_rules
from services_app.pipelines.building import verify_built
from services_app.specs.live import import_stdio
from services_app.verification.report import VerificationReport
from services_app.verification.static import static_problems

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def installed(command: Sequence[str], what: str) -> None:
    """Run an installer; skip only when its registry cannot be reached."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not on this machine, so {what} cannot be installed")
    found = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if found.returncode:
        tail = (found.stderr or found.stdout)[-400:]
        unreachable = ("No matching distribution", "Could not find a version", "ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT")
        if any(word in found.stderr + found.stdout for word in unreachable):
            pytest.skip(f"the package registry is unreachable: {tail}")
        pytest.fail(f"{what} could not be installed: {tail}")


def python_server(folder: Path, *requirements: str) -> Path:
    """The folder of commands of a fresh environment with these packages."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    installed([str(folder / "bin/pip"), "install", "-q", *requirements], requirements[0])
    return folder / "bin"


@pytest.fixture(scope="module")
def git_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return python_server(tmp_path_factory.mktemp("git"), "mcp-server-git") / "mcp-server-git"


@pytest.fixture(scope="module")
def sqlite_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Its last release was written for the first generation of the SDK.
    return python_server(tmp_path_factory.mktemp("sqlite"), "mcp-server-sqlite", "mcp<2") / "mcp-server-sqlite"


@pytest.fixture(scope="module")
def memory_server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("node")
    package = "@modelcontextprotocol/server-memory"
    installed(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), package], "the memory server")
    return folder / "node_modules/.bin/mcp-server-memory"


def judged(command: Sequence[str]) -> tuple[BuiltService, VerificationReport]:
    spec = import_stdio(command)
    built = build_with_rules(spec)
    assert not static_problems(built.files, built.module)
    assert len(built.left_out) < len(spec.tools)
    info, report = verify_built(built, spec, lambda done, total, phase: None)
    assert info is not None, report.problems
    assert not report.problems
    assert report.own_tests["expected"] >= 1
    assert report.own_tests["passed"] == report.own_tests["ran"] == report.own_tests["expected"]
    assert {tool.name for tool in report.tools} | set(built.left_out) == {tool.name for tool in spec.tools}
    return built, report


def test_memory_server(memory_server: Path) -> None:
    built, report = judged([str(memory_server)])
    assert built.left_out == {}
    assert set(report.verified) >= {
        "create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations",
        "delete_relations", "read_graph", "search_nodes", "open_nodes",
    }  # fmt: skip


def test_git_server(git_server: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    built, report = judged([str(git_server), "--repository", str(tmp_path)])
    assert set(report.verified) >= {
        "git_status", "git_add", "git_commit", "git_log", "git_diff_staged", "git_create_branch", "git_checkout",
        "git_branch",
    }  # fmt: skip
    assert all(built.left_out.values())


def test_sqlite_server(sqlite_server: Path, tmp_path: Path) -> None:
    built, report = judged([str(sqlite_server), "--db-path", str(tmp_path / "a.db")])
    assert built.left_out == {}
    assert set(report.verified) >= {"read_query", "write_query", "create_table", "list_tables", "describe_table"}
