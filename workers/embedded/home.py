"""The data folder of one workbench: where everything lies, and the proof that it is ours."""

import hashlib
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

MARKER = ".workbench-home"
DATABASE = "workbench"
POSTGRES_SOCKET = ".s.PGSQL.5432"
# sockaddr_un holds 108 bytes; the rest of the path must fit beside the longest socket name and its lock file.
LONGEST_SOCKET_FOLDER = 107 - len(f"/{POSTGRES_SOCKET}.lock")


class HomeError(Exception):
    """The data folder cannot be used; the message is a sentence for the person at the terminal."""


@dataclass(frozen=True)
class Home:
    """Paths and addresses of one data folder."""

    root: Path

    @classmethod
    def at(cls, root: str | Path) -> "Home":
        """The folder by its absolute name, whether it exists or not."""
        return cls(Path(root).expanduser().resolve())

    @property
    def marker(self) -> Path:
        return self.root / MARKER

    @property
    def secret_key_file(self) -> Path:
        return self.root / "secret_key"

    @property
    def postgres_data(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey_data(self) -> Path:
        return self.root / "valkey"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def state_file(self) -> Path:
        return self.root / "state.json"

    @property
    def sockets(self) -> Path:
        """Folder of the unix sockets: inside the data folder when the path is short enough, else under /tmp."""
        inside = self.root / "run"
        if len(os.fsencode(inside)) <= LONGEST_SOCKET_FOLDER:
            return inside
        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:12]
        return Path("/tmp") / f"workbench-{os.geteuid()}-{digest}"  # noqa: S108 - short by need, 0700, owner checked

    @property
    def valkey_socket(self) -> Path:
        return self.sockets / "valkey.sock"

    @property
    def database_url(self) -> str:
        return f"postgresql://{DATABASE}@/{DATABASE}?host={quote(str(self.sockets), safe='')}"

    @property
    def broker_url(self) -> str:
        return f"redis+socket://{quote(str(self.valkey_socket))}?virtual_host=0"

    def is_ours(self) -> bool:
        return self.marker.is_file()

    def create(self) -> None:
        """Lay the folder out. Raises HomeError when it holds other files or cannot be written."""
        try:
            self._claim()
            for folder in (self.logs, self.valkey_data, self.root / "locks"):
                folder.mkdir(mode=0o700, exist_ok=True)
            self._make_sockets()
            self.secret_key()
        except OSError as error:
            raise HomeError(f"The data folder {self.root} cannot be used: {error.strerror}.") from error

    def secret_key(self) -> str:
        """The key of this folder, made on first use."""
        try:
            descriptor = os.open(self.secret_key_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return self.secret_key_file.read_text().strip()
        with os.fdopen(descriptor, "w") as file:
            key = secrets.token_urlsafe(64)
            file.write(key)
        return key

    def _claim(self) -> None:
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.is_ours():
            return
        if any(self.root.iterdir()):
            raise HomeError(
                f"The folder {self.root} already holds files that are not the workbench's. "
                "Set WORKBENCH_HOME to an empty or a new folder."
            )
        self.marker.write_text("This folder belongs to CompoWorld Workbench; `./workbench reset` may wipe it.\n")

    def _make_sockets(self) -> None:
        self.sockets.mkdir(mode=0o700, exist_ok=True)
        found = self.sockets.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), self._postgres_uid()}:
            raise HomeError(
                f"The socket folder {self.sockets} belongs to someone else; set WORKBENCH_HOME to a shorter path."
            )
        self.sockets.chmod(0o700)

    def _postgres_uid(self) -> int:
        """The owner of the database files: another account where a root user had to step down."""
        return self.postgres_data.stat().st_uid if self.postgres_data.exists() else os.geteuid()
