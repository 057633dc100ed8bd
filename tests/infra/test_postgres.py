import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.infra.conftest import ROOT
from workers.embedded import processes
from workers.embedded.home import Home
from workers.embedded.instance import log_of, wait_until
from workers.embedded.parts import PartError, last_words, wait_ready
from workers.embedded.postgres import Postgres
from workers.embedded.processes import Identity, spawn, stop_all


class Server:
    def __init__(self, home: Home) -> None:
        self.home, self.part, self.process = home, Postgres(home), None

    def start(self) -> None:
        self.part.prepare()
        log = log_of(self.home, "postgres")
        self.process = spawn(self.part.command(), log=log, on_parent_death=signal.SIGINT)
        wait_ready(self.part, self.process, log)

    def stop(self) -> None:
        if self.process is not None and (identity := Identity.of(self.process.pid)):
            stop_all([identity], grace=20, first=signal.SIGINT)
            self.process.wait()

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.home.database_url, autocommit=True)


@pytest.fixture
def server(home: Home):
    server = Server(home)
    server.start()
    yield server
    server.stop()


def test_it_serves_its_own_database_and_no_network(server: Server):
    with server.connect() as connection:
        assert connection.execute("select current_database()").fetchone() == ("workbench",)
        assert connection.execute("show listen_addresses").fetchone() == ("",)
        assert connection.execute("show server_encoding").fetchone() == ("UTF8",)


def test_data_outlives_a_stop_and_the_stop_is_clean(server: Server):
    with server.connect() as connection:
        connection.execute("create table kept (x int)")
    server.stop()
    assert server.process.returncode == 0
    assert processes.with_cwd(server.home.postgres_data) == []
    server.start()
    with server.connect() as connection:
        connection.execute("select x from kept")


def test_committed_rows_outlive_kill_9_with_a_busy_back_end(server: Server):
    with server.connect() as connection:
        connection.execute("create table kept (x int)")
        connection.execute("insert into kept values (7)")
    busy = server.connect()
    busy.execute("set statement_timeout = 0")
    busy.pgconn.send_query(b"select pg_sleep(30)")
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    assert (server.home.postgres_data / "postmaster.pid").exists()
    started = time.monotonic()
    server.start()
    assert time.monotonic() - started < 25
    with server.connect() as connection:
        assert connection.execute("select x from kept").fetchone() == (7,)
    busy.close()


def test_a_pid_file_that_names_a_living_stranger_does_not_stop_the_start(server: Server):
    server.stop()
    pid_file = server.home.postgres_data / "postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{server.home.postgres_data}\n1\n5432\n{server.home.sockets}\n\n  0 0\n")
    server.start()
    with server.connect() as connection:
        assert connection.execute("select 1").fetchone() == (1,)


def test_a_killed_initdb_leaves_nothing_that_counts(home: Home):
    remains = home.root / "postgres.new-1"
    remains.mkdir()
    (remains / "PG_VERSION").write_text("18\n")
    server = Server(home)
    server.start()
    try:
        assert not remains.exists()
        assert (home.postgres_data / "base").is_dir()
    finally:
        server.stop()


def test_a_long_data_folder_works(tmp_path: Path):
    home = Home.at(tmp_path / ("long" * 12) / ("longer" * 12))
    home.create()
    server = Server(home)
    server.start()
    try:
        with server.connect() as connection:
            assert connection.execute("select 1").fetchone() == (1,)
    finally:
        server.stop()
        home.sockets.rmdir()


def test_a_server_that_cannot_start_is_explained_with_its_last_words(server: Server):
    server.stop()
    (server.home.postgres_data / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(PartError, match="no_such_setting"):
        server.start()


def test_last_words_of_a_log_that_is_not_there(tmp_path: Path):
    assert "is empty" in last_words(tmp_path / "none.log")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to step down")
def test_without_user_namespaces_root_becomes_another_account(tmp_path: Path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("setpriv", "true"):
        (tools / name).symlink_to(shutil.which(name))
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from workers.embedded.throwaway import Throwaway\n"
        "services = Throwaway.start()\n"
        "print(os.stat(f'/proc/{services.running[0][1].pid}').st_uid, services.home.root, flush=True)\n"
        "if sys.argv[1] == 'stop':\n"
        "    services.stop()\n"
        "else:\n"
        "    print(services.running[0][1].pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
    )

    def run(how: str) -> list[str]:
        environment = {"PATH": str(tools), "TMPDIR": "/tmp"}
        command = [sys.executable, "-c", program, how]
        result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert result.stdout, result.stderr
        return result.stdout.split()

    account, folder = run("stop")
    assert account not in {"0", str(os.geteuid())}
    assert not Path(folder).exists()
    *_, folder, pid = run("die")
    assert wait_until(lambda: Identity.of(int(pid)) is None, 10.0)
    shutil.rmtree(folder)
