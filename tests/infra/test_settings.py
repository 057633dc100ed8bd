import subprocess
import sys

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.infra.conftest import ROOT, plain_environment
from webapp.settings import database, read_environment
from workers.embedded.home import Home

LONG = "k" * 60


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DEBUG", "perhaps", "The setting DEBUG is not usable (it is 'perhaps')"),
        ("DATABASE_URL", "mysql://root:geheim@db/x", "must be an address such as postgresql://"),
        ("CELERY_BROKER_URL", "localhost:6379", "must be an address such as redis://"),
        ("SECRET_KEY", "short", "must have at least 50 characters"),
        ("WORKBENCH_SANDBOX", "off", "WORKBENCH_SANDBOX is not usable (it is 'off')"),
        ("WORKBENCH_LANGUAGE", "de", "WORKBENCH_LANGUAGE is not usable"),
        ("WORKBENCH_TIME_ZONE", "Mars/Olympus", "must be the name of a time zone"),
        ("WORKBENCH_MODEL_API_BASE", "localhost:8001", "must be an address such as http://"),
        ("WORKBENCH_VISIBILITY_TIMEOUT", "3", "WORKBENCH_VISIBILITY_TIMEOUT is not usable"),
    ],
)
def test_a_bad_value_is_refused_with_a_sentence(monkeypatch, name: str, value: str, sentence: str):
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured) as refusal:
        read_environment()
    assert sentence in str(refusal.value)
    assert "geheim" not in str(refusal.value)
    assert "short" not in str(refusal.value)


def test_all_bad_values_are_named_at_once(monkeypatch):
    monkeypatch.setenv("DEBUG", "perhaps")
    monkeypatch.setenv("WORKBENCH_LANGUAGE", "de")
    with pytest.raises(ImproperlyConfigured, match=r"DEBUG.*WORKBENCH_LANGUAGE"):
        read_environment()


def test_an_empty_value_counts_as_not_given(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "")
    assert "127.0.0.1" in read_environment().allowed_hosts


def test_lists_are_separated_by_commas(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "a.example, b.example,")
    assert read_environment().allowed_hosts == ["a.example", "b.example"]


def test_a_database_address_becomes_connection_settings():
    found = database("postgresql://us%40er:p%2Fw@db.example:5433/work?sslmode=require")
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "us@er",
        "p/w",
        "db.example",
        "5433",
        "work",
    )
    assert found["OPTIONS"]["sslmode"] == "require"


def test_the_embedded_address_names_the_socket_folder():
    home = Home.at("/srv/data")
    assert database(home.database_url)["HOST"] == "/srv/data/run"


def run(*words: str, **values: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "webapp.cli", *words],
        cwd=ROOT,
        env=plain_environment(**values),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_line_ends_with_the_sentence_and_no_traceback(tmp_path):
    result = run("status", DEBUG="perhaps", WORKBENCH_HOME=str(tmp_path / "none"))
    assert result.returncode == 2
    assert result.stderr.startswith("workbench: The setting DEBUG is not usable")
    assert "Traceback" not in result.stderr


def test_production_needs_a_shared_key(tmp_path):
    result = run("status", WORKBENCH_HTTPS="1", WORKBENCH_HOME=str(tmp_path / "none"))
    assert result.returncode == 2
    assert "Set SECRET_KEY" in result.stderr


def test_reading_the_settings_makes_no_data_folder(tmp_path):
    result = run("status", WORKBENCH_HOME=str(tmp_path / "none"))
    assert result.returncode == 3
    assert "The workbench is not running" in result.stdout
    assert not (tmp_path / "none").exists()


def test_production_settings_pass_the_deployment_check(tmp_path):
    from webapp.management.checking import production

    deployed = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=plain_environment(tmp_path, **production()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert deployed.returncode == 0, deployed.stderr


def test_secure_cookies_and_redirect_follow_https(tmp_path):
    program = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0)"
    )
    seen = []
    for https in ("false", "true"):
        environment = plain_environment(
            tmp_path, WORKBENCH_HTTPS=https, SECRET_KEY=LONG, DJANGO_SETTINGS_MODULE="webapp.settings"
        )
        result = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        seen.append(result.stdout.strip())
    assert seen == ["False False False False", "True True True True"]


def test_queueing_settings_of_the_design():
    from django.conf import settings

    assert settings.CELERY_TASK_ACKS_LATE
    assert settings.CELERY_TASK_REJECT_ON_WORKER_LOST
    assert settings.CELERY_WORKER_PREFETCH_MULTIPLIER == 1
    assert settings.CELERY_TASK_IGNORE_RESULT
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["unacked_restore_interval"] == 5
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["unacked_restore_throttle"] == 1
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] >= 3600
    assert settings.CELERY_BEAT_SCHEDULE["sweep"]["task"] == "webapp.common.jobs.sweep"
