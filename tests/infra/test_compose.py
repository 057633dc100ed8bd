"""The production file: its structure by hand (no Docker here), its commands against those that `up` runs."""

import re
from typing import Any

import pytest
import yaml

from tests.infra.conftest import ROOT
from workers import queues
from workers.embedded import layout

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
# What the compose specification allows; a misspelt key would be refused there.
SERVICE_KEYS = {
    *("build", "image", "command", "environment", "init", "restart", "volumes", "depends_on", "healthcheck"),
    *("ports", "profiles", "ipc", "deploy", "stop_grace_period"),
}
HEALTH_KEYS = {"test", "interval", "timeout", "retries", "start_period"}
CONDITIONS = {"service_healthy", "service_completed_successfully", "service_started"}


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_has_known_keys_and_sound_references(name: str):
    service = SERVICES[name]
    assert set(service) <= SERVICE_KEYS
    assert "image" in service
    for volume in service.get("volumes", []):
        assert volume.partition(":")[0] in COMPOSE["volumes"]
    for other, how in service.get("depends_on", {}).items():
        assert how["condition"] in CONDITIONS
        if how["condition"] == "service_healthy":
            assert "healthcheck" in SERVICES[other]
    health = service.get("healthcheck", {})
    assert set(health) <= HEALTH_KEYS
    assert not health or health["test"][0] in {"CMD", "CMD-SHELL"}
    assert all(isinstance(word, str) for word in service.get("command", []))


def test_no_secret_lies_in_the_file():
    text = (ROOT / "docker-compose.yml").read_text()
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "WORKBENCH_MODEL_API_KEY"):
        values = re.findall(rf"^\s+{name}: (.*)$", text, flags=re.MULTILINE)
        assert values
        assert all(value.startswith("${") for value in values)


def test_every_queue_has_a_worker_with_the_command_that_up_uses():
    taken = set()
    for name, service in SERVICES.items():
        if not name.startswith("worker-"):
            continue
        queue = name.removeprefix("worker-")
        command = service["command"]
        processes = int(command[command.index("--concurrency") + 1])
        assert command[1:] == layout.celery_worker([queue], processes=processes, node=queue)[1:]
        taken.add(queue)
    assert taken == set(queues.ALL)
    train = SERVICES["worker-train"]["command"]
    assert train[train.index("--concurrency") + 1] == "1"


def test_web_and_beat_run_the_commands_that_up_uses():
    assert SERVICES["web"]["command"][1:] == layout.web_server("0.0.0.0", 8000)[1:]
    assert SERVICES["beat"]["command"][1:] == layout.celery_beat()[1:]


def test_management_commands_named_in_the_file_exist():
    from django.core.management import get_commands

    for service in SERVICES.values():
        for words in (service.get("command", []), service.get("healthcheck", {}).get("test", [])):
            if "manage.py" in words:
                assert words[words.index("manage.py") + 1] in get_commands()


def test_the_image_runs_the_web_server_and_installs_the_lock():
    text = (ROOT / "Dockerfile").read_text()
    assert "--require-hashes" in text
    assert "requirements/web.lock" in text
    command = re.search(r"^CMD (\[.*\])$", text, flags=re.MULTILINE)
    assert yaml.safe_load(command.group(1)) == SERVICES["web"]["command"]
    version = re.search(r"^UV_VERSION=(.*)$", (ROOT / "workbench").read_text(), flags=re.MULTILINE)
    assert f"uv=={version.group(1)}" in text
