"""Live import over stdio from real processes: a good server, and everything servers do wrong."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from services_app.specs.errors import SpecError
from services_app.specs.live import import_stdio, split_command
from services_app.specs.live_protocol import LiveLimits
from services_app.specs.model import Specification

SERVERS = Path(__file__).parent / "servers"
LIMITS = LiveLimits(deadline_seconds=40, request_seconds=20, discover_seconds=2, page_bytes=2 << 20, pages=20)
HASTY = LiveLimits(deadline_seconds=6, request_seconds=3, discover_seconds=1, page_bytes=2 << 20, stop_seconds=0.5)


def rude(how: str, *more: str, limits: LiveLimits = LIMITS) -> Specification:
    return import_stdio([sys.executable, str(SERVERS / "rude.py"), how, *more], limits=limits)


def failure(how: str, *more: str, limits: LiveLimits = LIMITS) -> SpecError:
    with pytest.raises(SpecError) as caught:
        rude(how, *more, limits=limits)
    return caught.value


def test_all_pages_of_a_real_server_arrive_with_its_name_and_nothing_of_our_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WORKBENCH_SECRET_FOR_TEST", "hidden")
    command = shlex.join([sys.executable, str(SERVERS / "library.py")])
    spec = import_stdio(command, env={"LIBRARY_KEY": "k"}, limits=LIMITS)
    assert [tool.name for tool in spec.tools] == [
        "list_books",
        "get_book",
        "return_book",
        "lend_book",
        "show_environment",
    ]
    assert (spec.slug, spec.title, spec.description) == ("town-library", "Town library", "Books of the town.")
    assert (spec.source.kind, spec.source.locator) == ("stdio", command)
    assert [len(page["tools"]) for page in spec.raw["pages"]] == [2, 2, 1]
    seen = set(spec.tool("show_environment").description.split())
    assert "LIBRARY_KEY" in seen
    assert "PATH" in seen
    assert not any(name.startswith(("WORKBENCH", "DJANGO", "PYTEST", "PYTHON")) for name in seen)
    assert Specification.model_validate_json(spec.model_dump_json()) == spec


def test_a_tool_that_the_sdk_would_refuse_does_not_hide_its_siblings() -> None:
    spec = rude("plain")
    assert [tool.name for tool in spec.tools] == ["ping", "untyped"]
    assert spec.tool("untyped").raw == {"name": "untyped", "inputSchema": {}}


def test_a_modern_server_that_starts_slowly_is_asked_once_more() -> None:
    impatient = LIMITS.model_copy(update={"discover_seconds": 0.05})
    spec = import_stdio([sys.executable, str(SERVERS / "library.py")], limits=impatient)
    assert len(spec.tools) == 5
    assert spec.raw["protocolVersion"] >= "2026"


@pytest.mark.parametrize("how", ["exits-at-unknown", "ignores-unknown"])
def test_servers_of_the_older_protocol_are_asked_again(how: str) -> None:
    spec = rude(how)
    assert spec.raw["protocolVersion"] == "2025-06-18"
    assert len(spec.tools) == 2


def test_chatter_on_standard_output_is_skipped_and_noted() -> None:
    spec = rude("chatty")
    assert len(spec.tools) == 2
    (remark,) = [note for note in spec.notes if note.code == "server:junk"]
    assert "got " in remark.message


def test_bad_bytes_and_lone_surrogates_inside_a_list_are_replaced_and_noted() -> None:
    spec = rude("bad-bytes")
    assert spec.tools[0].description == "caf\ufffd"
    assert [note.code for note in spec.notes] == ["server:not-utf8"]
    assert rude("surrogate").tools[0].description == "half \ufffd"


@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("crash", "server:crashed", "exit code 3"),
        ("crash-later", "server:crashed", "exit code 9"),
        ("flood", "server:too-large", "2 MB"),
        ("big-page", "server:too-large", "2 MB"),
        ("same-cursor", "server:cursor-loop", "'again'"),
        ("endless", "server:too-many-pages", "20 pages"),
        ("no-tools", "server:no-tools", "no tools"),
        ("refuses", "server:error", "The licence has expired"),
    ],
)
def test_each_misbehaviour_has_its_own_sentence(how: str, kind: str, words: str) -> None:
    error = failure(how)
    assert error.kind == kind
    assert words in error.message


def test_the_last_error_output_of_a_crashed_server_is_shown() -> None:
    assert failure("crash").hint == "Traceback: no such database"


@pytest.mark.parametrize(
    ("how", "kind", "words"),
    [
        ("deaf", "server:timeout", "in time"),
        ("only-junk", "server:not-mcp", "Welcome to my server!"),
        ("only-bytes", "server:not-utf8", "not UTF-8"),
    ],
)
def test_servers_that_never_answer_end_in_time(how: str, kind: str, words: str) -> None:
    start = time.monotonic()
    error = failure(how, limits=HASTY)
    assert error.kind == kind
    assert words in error.message
    assert time.monotonic() - start < 40


def test_no_process_survives_a_server_that_ignores_signals_and_leaves_its_group(tmp_path: Path) -> None:
    ids = tmp_path / "ids"
    assert failure("stubborn", str(ids), limits=HASTY).kind == "server:timeout"
    server, grandchild = map(int, ids.read_text().split())
    for pid in (server, grandchild):
        assert not _is_running(pid)


def _is_running(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (ProcessLookupError, FileNotFoundError):
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True


def test_commands_are_words_and_never_a_shell_line(tmp_path: Path) -> None:
    victim = tmp_path / "made"
    with pytest.raises(SpecError):
        import_stdio(f"{sys.executable} -c pass; touch {victim} && echo $HOME", limits=HASTY)
    assert not victim.exists()
    assert split_command("npx -y 'a server' --flag=\"x y\"") == ["npx", "-y", "a server", "--flag=x y"]
    for command, kind in (
        ("", "server:no-command"),
        ("say 'hello", "server:bad-command"),
        ("/no/such/program", "server:command-not-found"),
    ):
        with pytest.raises(SpecError) as caught:
            import_stdio(command, limits=HASTY)
        assert caught.value.kind == kind
