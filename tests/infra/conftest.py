"""A data folder of its own, and the environment in which the embedded parts are wanted."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from workers.embedded.home import Home

ROOT = Path(__file__).resolve().parents[2]
FROM_OUTSIDE = (
    "DATABASE_URL",
    "CELERY_BROKER_URL",
    "WORKBENCH_TEST_SERVICES",
    "SECRET_KEY",
    "WORKBENCH_HOME",
    "DJANGO_ALLOW_ASYNC_UNSAFE",
)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home.at(tmp_path / "data")
    home.create()
    yield home
    shutil.rmtree(home.sockets, ignore_errors=True)


def plain_environment(home: Path | None = None, **values: str) -> dict[str, str]:
    """Our environment without what the test session set in it."""
    kept = {name: value for name, value in os.environ.items() if name not in FROM_OUTSIDE}
    if home is not None:
        kept["WORKBENCH_HOME"] = str(home)
    return {**kept, **values}
