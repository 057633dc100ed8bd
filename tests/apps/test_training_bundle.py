"""Tasks and services in a folder that plays without Django: shipped services in process, built ones in a sandbox."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services_app import actions as service_actions
from services_app.engine.remote import ServiceHost
from services_app.models import Service
from tasks_app.bundle import BundleError, mount, read_tasks, write_bundle
from tasks_app.engine.task import TaskSpec
from tasks_app.policies.rules import literal_calls
from tests.apps.test_services_pages import DESK
from tests.catalogue import install_services, mounting, proven_specs
from training_app import episodes, run_files
from training_app.engine.errors import TrainingError
from training_app.trainers.environments import COLLATERAL

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(240)]


@pytest.fixture
def bundle(db: None, tmp_path: Path) -> Path:
    install_services()
    specs = proven_specs()
    slugs = sorted({mounted.slug for spec in specs for mounted in spec.services})
    assert write_bundle(tmp_path, specs, run_files.sources_of(slugs)) == len(specs)
    return tmp_path


def solve(factory: Any, spec: TaskSpec, *, direct: bool) -> dict[str, bool | None]:
    """Play the reference calls through an episode and give its verdict."""
    calls, run = literal_calls(spec, spec.environment(mounting()))
    episode = factory.start(spec.task_hash)
    catalogue = episode.environment.catalogue
    for call in calls:
        exposed = catalogue.services[call.service].tools[call.tool].exposed
        name, arguments = exposed, dict(call.arguments)
        if not direct:
            name, arguments = "call_tool", {"tool": exposed, "arguments": arguments}
        assert json.loads(episode.call(name, arguments))["success"]
    outcome: dict[str, bool | None] = episode.finish(run.answer or "Done.")
    return outcome


@pytest.mark.parametrize("mode", ["meta", "direct"])
def test_the_reference_solves_its_task_and_idleness_does_not(bundle: Path, mode: Any) -> None:
    factory = episodes.bundled(str(bundle), mode)
    for spec in read_tasks(bundle):
        outcome = solve(factory, spec, direct=mode == "direct")
        assert set(outcome) == {criterion.id for criterion in spec.rubric} | {COLLATERAL}
        assert all(outcome.values())
        assert not all(factory.start(spec.task_hash).finish("Done.").values())
    with pytest.raises(KeyError):
        factory.start("unknown")


def test_quarantined_tools_are_not_offered(bundle: Path) -> None:
    services = json.loads((bundle / "services.json").read_text())
    spec = next(iter(read_tasks(bundle)))
    slug = spec.needed[0]
    used = {call.tool for call in spec.reference.calls if call.service == slug}
    hidden = next(iter(used))
    services["hidden"].setdefault(slug, []).append(hidden)
    (bundle / "services.json").write_text(json.dumps(services))
    tools = {tool["function"]["name"] for tool in episodes.bundled(str(bundle), "direct").start(spec.task_hash).tools}
    exposed = spec.environment(mounting()).catalogue.services[slug].tools[hidden].exposed
    assert exposed not in tools
    assert tools


def test_another_version_of_a_service_is_refused(bundle: Path) -> None:
    specs = list(read_tasks(bundle))
    services = tuple(mounted.model_copy(update={"version_hash": "0" * 32}) for mounted in specs[0].services)
    old = specs[0].model_copy(update={"services": services})
    write_bundle(bundle, [old], run_files.sources_of([mounted.slug for mounted in services]))
    with pytest.raises(TrainingError, match="other versions of"):
        episodes.bundled(str(bundle))


def test_what_cannot_be_read_is_named(bundle: Path) -> None:
    with (bundle / "tasks.jsonl").open("a") as file:
        file.write('{"version": 2}\n')
    with pytest.raises(BundleError, match=r"tasks.jsonl, line 3"):
        list(read_tasks(bundle))
    (bundle / "services.json").unlink()
    with pytest.raises(BundleError, match="services"):
        mount(bundle)


def test_a_built_service_runs_in_a_sandbox(
    db: None, tmp_path: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.WORKBENCH_RUN_INLINE = True
    specification, _ = service_actions.import_text(text=json.dumps(DESK), name="desk.json", by=None)
    with django_capture_on_commit_callbacks(execute=True):
        service_actions.start_build(specification=specification, by=None)
    service = Service.objects.get(slug=specification.slug)
    write_bundle(tmp_path, [], run_files.sources_of([service.slug]))
    assert list((tmp_path / "sources").rglob("*.py"))
    host = mount(tmp_path)
    assert isinstance(host, ServiceHost)
    environment = host.mount([service.slug])
    assert "frobnicate" not in environment.catalogue.tools[service.slug]
    made = environment.call(service.slug, "create_ticket", {"title": "Broken chair"})
    assert made["success"]
    assert environment.fork().state_hash() == environment.state_hash()


def test_a_service_that_is_not_there_is_named(db: None) -> None:
    with pytest.raises(TrainingError, match="nowhere"):
        run_files.sources_of(["nowhere"])


def test_the_factory_needs_no_django() -> None:
    code = "import sys, training_app.episodes; sys.exit('django' in sys.modules or 'torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).resolve().parents[2], check=False)
    assert done.returncode == 0
