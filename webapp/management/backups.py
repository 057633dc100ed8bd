"""One file with everything that cannot be made again: the database, the stored files, the key."""

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from workers.embedded.home import Home
from workers.embedded.postgres import binaries

FORMAT = 1
MANIFEST, DUMP, FILES, KEY = "manifest.json", "database.dump", "files", "secret_key"


def write(target: Path, *, made_at: str) -> int:
    """Write the backup; it appears under its name only when complete. Returns its size in bytes.

    Raises CommandError.
    """
    if target.exists():
        raise CommandError(f"{target} exists already; a backup never overwrites a file.")
    home = Home.at(settings.WORKBENCH_HOME)
    draft = target.with_name(f"{target.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as folder, tarfile.open(draft, "w:gz") as archive:
            manifest, dump = Path(folder) / MANIFEST, Path(folder) / DUMP
            manifest.write_text(json.dumps({"format": FORMAT, "made_at": made_at}))
            _run("pg_dump", "--format=custom", "--no-owner", f"--file={dump}")
            archive.add(manifest, MANIFEST)
            archive.add(dump, DUMP)
            if settings.WORKBENCH_FILES.exists():
                archive.add(settings.WORKBENCH_FILES, FILES)
            if home.secret_key_file.exists():
                archive.add(home.secret_key_file, KEY)
        draft.chmod(0o600)
        draft.replace(target)
    except OSError as error:
        raise CommandError(f"The backup could not be written: {error}.") from error
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def read(source: Path) -> Mapping[str, Any]:
    """Replace database, files and key by those of the backup; returns its manifest. Raises CommandError."""
    try:
        with tempfile.TemporaryDirectory(dir=settings.WORKBENCH_HOME) as folder:
            with tarfile.open(source, "r:gz") as archive:
                _extract(archive, folder)
            return _replace(Path(folder))
    except (OSError, tarfile.TarError, EOFError) as error:
        raise CommandError(f"{source} cannot be read as a backup: {error}.") from error


def _extract(archive: tarfile.TarFile, folder: str) -> None:
    """Unpack plain files and folders that stay inside `folder`; raises TarError for anything else.

    The first releases of Python 3.11 have no extraction filters, so the same is checked here.
    """
    for member in archive.getmembers():
        parts = Path(member.name).parts
        if not (member.isfile() or member.isdir()) or ".." in parts or Path(member.name).is_absolute():
            raise tarfile.TarError(f"{member.name} is no plain file of a backup")
    archive.extractall(folder)  # noqa: S202 - every member was checked above


def _replace(folder: Path) -> Mapping[str, Any]:
    manifest = _manifest(folder)
    _run("psql", "--quiet", "--command=DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    _run(
        "pg_restore",
        "--no-owner",
        "--exit-on-error",
        f"--dbname={settings.DATABASES['default']['NAME']}",
        DUMP,
        at=folder,
    )
    shutil.rmtree(settings.WORKBENCH_FILES, ignore_errors=True)
    if (folder / FILES).exists():
        shutil.move(folder / FILES, settings.WORKBENCH_FILES)
    if (folder / KEY).exists():
        key = Home.at(settings.WORKBENCH_HOME).secret_key_file
        shutil.copyfile(folder / KEY, key)
        key.chmod(0o600)
    return manifest


def _manifest(folder: Path) -> Mapping[str, Any]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
        known = manifest["format"] == FORMAT and (folder / DUMP).is_file()
    except (OSError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise CommandError("This file is not a backup of the workbench, or one of a newer version.")
    return dict(manifest)


def _run(program: str, *arguments: str, at: Path | None = None) -> None:
    database = settings.DATABASES["default"]
    names = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    given = {variable: str(database[key]) for variable, key in names.items() if database[key]}
    if "sslmode" in database["OPTIONS"]:
        given["PGSSLMODE"] = database["OPTIONS"]["sslmode"]
    command: Sequence[str] = [str(binaries() / program), *arguments]
    result = subprocess.run(
        command,
        env={**os.environ, **given},
        cwd=at,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise CommandError(f"{program} failed: {result.stderr.strip()[-600:]}")
