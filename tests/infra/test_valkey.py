import os
import signal

import pytest
import redis

from workers.embedded.home import Home
from workers.embedded.instance import log_of
from workers.embedded.parts import wait_ready
from workers.embedded.processes import spawn
from workers.embedded.valkey import Valkey


class Server:
    def __init__(self, home: Home) -> None:
        self.home, self.part, self.process = home, Valkey(home), None

    def start(self) -> redis.Redis:
        self.part.prepare()
        log = log_of(self.home, "valkey")
        self.process = spawn(self.part.command(), log=log)
        wait_ready(self.part, self.process, log, seconds=10)
        return redis.Redis(unix_socket_path=str(self.home.valkey_socket), decode_responses=True)

    def end(self, number: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            os.kill(self.process.pid, number)
            self.process.wait(timeout=10)


@pytest.fixture
def server(home: Home):
    server = Server(home)
    yield server
    server.end(signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_queued_messages_outlive_the_end_of_the_server(server: Server, number: signal.Signals):
    client = server.start()
    client.lpush("build", "message")
    server.end(number)
    assert not server.part.ready()
    assert server.start().lrange("build", 0, -1) == ["message"]


def test_it_listens_on_no_port_and_its_socket_is_private(server: Server):
    client = server.start()
    assert client.config_get("port") == {"port": "0"}
    assert server.home.valkey_socket.stat().st_mode & 0o077 == 0


def test_a_queue_file_that_cannot_be_read_is_set_aside_once(server: Server):
    client = server.start()
    client.lpush("build", "message")
    server.end(signal.SIGTERM)
    folder = server.home.valkey_data / "appendonlydir"
    manifest = next(folder.glob("*.manifest"))
    manifest.write_text("this is no manifest\n")
    log = log_of(server.home, "valkey")
    server.part.prepare()
    spawn(server.part.command(), log=log).wait(timeout=10)
    client = server.start()
    assert client.llen("build") == 0
    client.lpush("build", "next")
    server.end(signal.SIGTERM)
    assert server.start().llen("build") == 1
    assert len(list(server.home.valkey_data.glob("appendonlydir.bad-*"))) == 1
