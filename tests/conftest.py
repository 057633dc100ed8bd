"""Fixtures every test area may use: people by role, clients, a real worker, a browser with a live server."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.embedded import ensure_test_services

ensure_test_services()
# Playwright's synchronous API keeps an event loop in the test's thread, where Django would refuse its ORM.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
# How fast a busy machine makes inputs and runs examples is no matter of a test.
settings.register_profile("workbench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("workbench")

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Captured output travels between xdist's processes as UTF-8; some tests log half a surrogate pair on purpose."""
    report: Any = yield
    report.sections = [(name, text.encode("utf-8", "replace").decode()) for name, text in report.sections]
    return report


@pytest.fixture(autouse=True)
def fast_passwords(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def user(db: None) -> Callable[..., Any]:
    """`user("curator")` makes a user with these roles."""
    from tests.factories import make_user

    return make_user


@pytest.fixture
def client_as(user: Callable[..., Any]) -> Callable[..., Any]:
    """`client_as("trainer")` is a signed-in browser client; its user is `client.user`."""
    from django.test import Client

    def make(*roles: str) -> Any:
        client = Client()
        client.user = user(*roles)
        client.force_login(client.user)
        return client

    return make


@pytest.fixture
def api_as(user: Callable[..., Any]) -> Callable[..., Any]:
    """`api_as("jobs:read", role="trainer")` is an API client with a token of these scopes."""
    from rest_framework.test import APIClient

    from tests.factories import make_token

    def make(*scopes: str, role: str = "admin") -> Any:
        client = APIClient()
        client.user = user(role)
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(client.user, *scopes)}")
        return client

    return make


@pytest.fixture
def inline_runs(settings: Any) -> None:
    """Runs execute in the test's own process when their transaction commits."""
    settings.WORKBENCH_RUN_INLINE = True


@pytest.fixture
def live_worker(transactional_db: None) -> Iterator[Any]:
    """A real Celery worker process on the test database and broker; `live_worker()` starts it, with options."""
    from tests.live import Worker

    workers: list[Worker] = []

    def start(**options: Any) -> Worker:
        worker = Worker(**options)
        workers.append(worker)
        worker.wait_until_ready()
        return worker

    yield start
    for worker in workers:
        worker.stop()


@pytest.fixture
def live_url(transactional_db: None) -> Iterator[str]:
    """The address of the whole ASGI application, served by uvicorn on the test database."""
    from tests.live import serve

    with serve() as url:
        yield url


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed: `apt-get install chromium` makes the browser tests run")
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM), "args": CHROMIUM_ARGUMENTS}


@pytest.fixture
def page_as(page: Any, live_url: str, client_as: Callable[..., Any]) -> Callable[..., Any]:
    """`page_as("curator")` is a browser page signed in with this role; paths are relative to the live server."""
    from django.conf import settings

    def make(*roles: str) -> Any:
        client = client_as(*roles)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_url}])
        page.user = client.user
        page.url_of = lambda path: live_url + path
        return page

    return make
