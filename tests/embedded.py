"""Real PostgreSQL and Valkey for the tests: one pair per test session, a database per xdist worker.

`ensure_test_services()` is called by tests/conftest.py before anything touches the database.
Addresses given from outside (DATABASE_URL, CELERY_BROKER_URL) are used as they are.
"""

import atexit
import os
import sys

from workers.embedded.throwaway import Throwaway

_STARTED = "WORKBENCH_TEST_SERVICES"


def ensure_test_services() -> None:
    """Start the services once per session and point this process at them. Safe to call again."""
    if _STARTED not in os.environ and not {"DATABASE_URL", "CELERY_BROKER_URL"} <= os.environ.keys():
        _start()
    _use_own_broker_database()
    _tell_loaded_settings()


def _start() -> None:
    services = Throwaway.start()
    atexit.register(services.stop)
    os.environ[_STARTED] = str(services.home.root)
    os.environ["WORKBENCH_HOME"] = str(services.home.root)
    os.environ.setdefault("DATABASE_URL", services.home.database_url)
    os.environ.setdefault("CELERY_BROKER_URL", services.home.broker_url)
    os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 50)


def _use_own_broker_database() -> None:
    """Each xdist worker queues in a database of its own, so that no test runs another's jobs."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    url = os.environ["CELERY_BROKER_URL"]
    if worker.startswith("gw") and url.startswith("redis+socket://"):
        number = int(worker.removeprefix("gw")) + 1
        os.environ["CELERY_BROKER_URL"] = f"{url.partition('?')[0]}?virtual_host={number}"


def _tell_loaded_settings() -> None:
    """pytest-django reads the settings before it loads any conftest, so the addresses are written over."""
    from django.conf import settings

    if not settings.configured:
        return
    from webapp.settings import database
    from workers.embedded.home import Home

    home = Home.at(os.environ.get("WORKBENCH_HOME", settings.WORKBENCH_HOME))
    settings.DATABASES["default"].update(database(os.environ["DATABASE_URL"]))
    settings.CELERY_BROKER_URL = os.environ["CELERY_BROKER_URL"]
    settings.WORKBENCH_EMBEDDED_DATABASE = settings.WORKBENCH_EMBEDDED_BROKER = False
    settings.WORKBENCH_HOME = home.root
    settings.WORKBENCH_FILES = home.root / "files"
    settings.STATIC_ROOT = home.root / "staticfiles"
    settings.STORAGES["default"]["OPTIONS"]["location"] = settings.WORKBENCH_FILES
    celery = sys.modules.get("workers.celery_app")
    if celery is not None:
        celery.app.conf.broker_url = settings.CELERY_BROKER_URL
