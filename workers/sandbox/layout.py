"""What a sandbox can see, and the command line that shows it no more than that."""

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

REPOSITORY = Path(__file__).resolve().parents[2]

# The pure halves that a service host, its tests or a verifier may need; nothing else of the repository.
DEFAULT_SOURCES = (
    "services_app.engine",
    "services_app.specs",
    "services_app.library",
    "services_app.recipes",
    "services_app.simulation",
    "services_app.verification",
    "tasks_app.engine",
    "workers.text",
)
_ALWAYS = "workers.sandbox"

_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_SEEN_FILES, _SEEN_SOURCE = "/work/src", "/work/lib"
_NOBODY = "65534"


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one sandbox process, on the host (`scratch`) and as the process sees them."""

    scratch: Path
    sources: Mapping[str, Path]
    read_only: tuple[str, ...]

    @property
    def host_files(self) -> Path:
        return self.scratch / "src"

    @property
    def host_source(self) -> Path:
        return self.scratch / "lib"


def prepare(scratch: Path, files: Mapping[str, str], sources: Sequence[str], read_only: Sequence[str]) -> Place:
    """Write the files and link the source packages below `scratch`; raises `ValueError` on bad names."""
    place = Place(scratch, dict(_source_paths(sources)), tuple(_existing(read_only)))
    place.host_files.mkdir()
    for name, text in files.items():
        _write(place.host_files, name, text)
    for relative, path in place.sources.items():
        link = place.host_source / relative
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path)
    # The process may run under another user id, which must be able to walk in.
    scratch.chmod(0o755)
    return place


def python_command(source: str, requests: int, replies: int) -> list[str]:
    """The interpreter without site, user folders or the script's folder on its path."""
    script = f"{source}/workers/sandbox/bootstrap.py"
    return [_interpreter(), "-P", "-s", "-S", "-B", "-X", "utf8", script, str(requests), str(replies), source]


def bwrap_command(program: str, place: Place, environment: Mapping[str, str], python: Sequence[str]) -> list[str]:
    """Empty namespaces, read-only binds, no /proc, nothing writable; then `python`."""
    command = [program, "--unshare-all", "--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY]
    command += ["--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    for name, value in environment.items():
        command += ["--setenv", name, value]
    # First the empty folder, then the binds: an interpreter may lie below /tmp.
    command += ["--tmpfs", "/tmp", "--dir", "/work"]  # noqa: S108 - a fresh one, seen by nobody else
    for path in (*interpreter_paths(), *place.read_only):
        if os.path.islink(path) and path in _LIBRARIES:
            command += ["--symlink", os.readlink(path), path]
        else:
            command += ["--ro-bind", path, path]
    for relative, host in place.sources.items():
        command += ["--ro-bind", str(host), f"{_SEEN_SOURCE}/{relative}"]
    command += ["--ro-bind", str(place.host_files), _SEEN_FILES]
    command += ["--dev-bind", "/dev/null", "/dev/null"]
    command += ["--remount-ro", "/tmp", "--remount-ro", "/", "--chdir", _SEEN_FILES, "--"]  # noqa: S108
    return [*command, *python]


def seen_paths(place: Place, *, namespace: bool) -> tuple[str, str, list[str]]:
    """(folder of the files, folder of the sources, everything readable) as the process sees them."""
    if namespace:
        return _SEEN_FILES, _SEEN_SOURCE, ["/"]
    readable = [*interpreter_paths(), *place.read_only, str(place.scratch)]
    readable += [str(path) for path in place.sources.values()]
    return str(place.host_files), str(place.host_source), readable


def site_packages() -> list[str]:
    """Where the installed packages lie."""
    paths = sysconfig.get_paths()
    return list(dict.fromkeys((paths["purelib"], paths["platlib"])))


def interpreter_paths() -> list[str]:
    """The interpreter, its standard library, the shared libraries it is linked with, the packages."""
    paths = [*_LIBRARIES, _interpreter(), f"{sys.base_prefix}/lib", sysconfig.get_paths()["stdlib"]]
    if sys.base_prefix in ("/usr", "/usr/local"):
        paths.remove(f"{sys.base_prefix}/lib")
    return list(_existing(dict.fromkeys([*paths, *site_packages()])))


def _interpreter() -> str:
    return os.path.realpath(sys.executable)


def _existing(paths: Sequence[str] | Mapping[str, None]) -> Iterator[str]:
    return (path for path in paths if os.path.exists(path))


def _source_paths(names: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """Each package or module by its path below the source folder, with its parents' `__init__` files."""
    for name in dict.fromkeys((_ALWAYS, *names)):
        parts = name.split(".")
        path = REPOSITORY.joinpath(*parts)
        if not path.is_dir():
            path = path.with_suffix(".py")
        if not path.exists():
            raise ValueError(f"There is no source package {name}.")
        for depth in range(1, len(parts)):
            yield "/".join((*parts[:depth], "__init__.py")), REPOSITORY.joinpath(*parts[:depth], "__init__.py")
        yield path.relative_to(REPOSITORY).as_posix(), path


def _write(folder: Path, name: str, text: str) -> None:
    relative = PurePosixPath(name)
    if not name or relative.is_absolute() or ".." in relative.parts:
        raise ValueError(f"Not a file name inside the sandbox: {name!r}")
    path = folder / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o444)
