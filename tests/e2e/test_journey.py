"""From sign-in to an exported trajectory in a real browser, on a live server with the real pipeline."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from services_app.models import Service, Tool
from tasks_app.models import Task, Trajectory
from tests.catalogue import install_tasks
from tests.e2e.journey import Traveller
from tests.factories import make_user
from training_app.models import Export
from webapp.common.models import Run

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(400),
]

SPECIFICATION = Path(__file__).resolve().parents[2] / "webapp" / "demo_specs" / "parcel-desk.json"
# Clicks that a leg may take; typing and choosing values are not clicks.
BUDGET = {
    "sign in": 1,
    "import a specification": 3,
    "build the service": 2,
    "try a tool": 3,
    "quarantine a tool, consequences first": 3,
    "undo the decision": 1,
    "generate a task": 3,
    "read its graph and rubric": 2,
    "play it": 1,
    "read the trajectory": 3,
    "export what passed": 6,
}


@pytest.fixture
def traveller(page: Any, live_url: str, inline_runs: None) -> Traveller:
    make_user("curator", "trainer", username="ada")
    page.set_viewport_size({"width": 1280, "height": 900})
    return Traveller(page, live_url)


def test_the_journey_of_the_issue(traveller: Traveller, capsys: pytest.CaptureFixture[str]) -> None:
    standing = install_tasks()[0]
    sign_in(traveller)
    import_and_build(traveller)
    try_a_tool(traveller)
    quarantine_and_undo(traveller, standing)
    task = generate(traveller)
    trajectory = read_and_play(traveller, task)
    read_trajectory(traveller, trajectory)
    export(traveller)
    with capsys.disabled():
        print(traveller.report())
        print(f"  axe looked at {len(traveller.checked)} pages in two themes: {', '.join(traveller.checked)}")
    assert traveller.violations == {}
    assert traveller.complaints == []
    taken = {leg.name: leg.clicks for leg in traveller.legs}
    assert {name: clicks for name, clicks in taken.items() if clicks > BUDGET[name]} == {}
    assert taken.keys() == BUDGET.keys()


def sign_in(t: Traveller) -> None:
    t.leg("sign in")
    t.page.goto(t.base + "/")
    t.look("sign-in")
    t.page.fill("input[name=username]", "ada")
    t.page.fill("input[name=password]", "correct horse 9 staple")
    t.click("main button.primary")
    t.page.locator("#card-tasks").get_by_text("Verified").wait_for()
    t.look("home")


def import_and_build(t: Traveller) -> None:
    t.leg("import a specification")
    t.rail("Services")
    t.look("services")
    t.click(t.link("New from specification"))
    t.look("new service")
    t.page.set_input_files("input[type=file]", SPECIFICATION)
    t.click(t.button("Import"))
    assert t.page.get_by_text("leads nowhere").first.is_visible()  # the broken tool is named, its siblings are there
    t.look("specification")
    t.leg("build the service")
    t.click(t.button("Build and verify"))
    t.page.locator("#job-live").get_by_text("Succeeded").first.wait_for()
    t.look("job")
    assert Run.objects.get(kind="build").state == "succeeded"
    service = Service.objects.get(slug="parcel-desk")
    t.page.goto(t.base + service.get_absolute_url())
    t.look("service")
    for tab in ("State model", "Code", "Versions"):
        t.page.get_by_role("link", name=tab, exact=True).first.click()
        t.look(f"service, {tab.lower()}")
    t.page.goto(t.base + service.get_absolute_url())


def try_a_tool(t: Traveller) -> None:
    t.leg("try a tool")
    t.click(t.link("list_parcels"))
    t.click(t.button(re.compile("^Call$")))
    t.page.locator("#trial").get_by_text("Passed").first.wait_for()
    assert t.page.locator("#trial").get_by_text("Nothing: the state is as it was.").is_visible()
    t.look("tool with a result")


def quarantine_and_undo(t: Traveller, standing: Task) -> None:
    tool = Tool.objects.get(pk=standing.tool_uses.first().tool_id)  # type: ignore[union-attr] # proven tasks call tools
    stands = Task.objects.filter(tool_uses__tool=tool).count()
    t.page.goto(t.base + tool.service.get_absolute_url())
    t.leg("quarantine a tool, consequences first")
    t.click(t.page.locator("#tools").get_by_role("link", name=tool.name, exact=True))
    # What would break is on the page before the button is pressed.
    assert t.page.locator("#impact").get_by_text(f"{stands} verified tasks").is_visible()
    t.page.select_option("#reason-code", "wrong_state_change")
    t.click(t.button(re.compile("^Quarantine tool")))
    assert t.page.get_by_text(re.compile(rf"\b{stands} tasks? became stale")).first.is_visible()
    standing.refresh_from_db()
    assert standing.status == "stale"
    t.look("quarantined tool")
    t.leg("undo the decision")
    t.click(t.button(re.compile("^Undo the last decision")))
    standing.refresh_from_db()
    tool.refresh_from_db()
    assert (standing.status, tool.status) == ("verified", "verified")


def generate(t: Traveller) -> Task:
    known = set(Task.objects.values_list("pk", flat=True))
    t.leg("generate a task")
    t.rail("Compose")
    for name, value in {"count": 1, "k": 2, "distractors": 1, "length_min": 3, "length_max": 4, "seed": 5}.items():
        t.page.fill(f"input[name={name}]", str(value))
    t.page.select_option("select[name=services]", ["crm", "help-desk", "mail"])
    t.page.locator("#preview .dep-graph").wait_for()
    t.look("compose")
    t.click(t.button("Generate tasks"))
    t.page.locator("#job-live").get_by_text("Succeeded").first.wait_for()
    task = Task.objects.exclude(pk__in=known).get()
    t.rail("Tasks")
    t.look("tasks")
    return task


def read_and_play(t: Traveller, task: Task) -> Trajectory:
    spec = task.to_spec()
    t.leg("read its graph and rubric")
    t.click(t.page.locator(f'main a[href="{task.get_absolute_url()}"]').first)
    t.look("task")
    assert t.page.locator("#rubric tbody tr").count() == len(spec.rubric)
    assert t.page.locator("#proof > ul > li").count() == len(spec.proof.claims)
    t.click(t.page.locator('.dep-graph a[href^="?edge="]').first)
    edge = next(edge for edge in spec.graph.edges if f"edge={edge.position}#" in t.page.url)
    assert t.page.locator("#edge").get_by_text(edge.name).first.is_visible()
    assert t.page.locator("#edge").get_by_text("the edge is necessary").is_visible()
    t.look("task with an edge chosen")
    t.leg("play it")
    t.page.select_option("#trajectories select[name=policy]", "reference")
    t.click(t.page.locator("#trajectories").get_by_role("button", name="Play"))
    t.page.locator("#job-live").get_by_text("Succeeded").first.wait_for()
    return Trajectory.objects.get(task=task)


def read_trajectory(t: Traveller, trajectory: Trajectory) -> None:
    assert trajectory.passed is True
    t.leg("read the trajectory")
    t.rail("Trajectories")
    t.look("trajectories")
    t.click(t.page.locator(f'main a[href="{trajectory.get_absolute_url()}"]').first)
    assert t.page.locator("#rubric > div > ul > li").count() == trajectory.task.criterion_count
    writing = t.page.locator("#steps .step", has_text="Δ").first
    t.click(writing.locator("summary").first)
    assert writing.get_by_text("observation").first.is_visible()
    assert writing.get_by_text(re.compile("created|changed|deleted")).first.is_visible()
    t.look("trajectory with a step open")


def export(t: Traveller) -> None:
    t.leg("export what passed")
    t.rail("Datasets")
    t.page.fill("input[name=title]", "What passed")
    t.click(t.button("Create dataset"))
    t.look("dataset")
    t.page.fill("input[name=test]", "0")
    t.click(t.button("Freeze"))
    t.look("dataset version")
    t.click(t.button("Export"))
    t.page.get_by_text("manifest.json").first.wait_for()
    t.look("export")
    with t.page.expect_download() as download:
        t.click(t.link("manifest.json"))
    manifest = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert Export.objects.get().manifest is not None
    assert manifest["files"]


def test_empty_pages_offer_the_next_step(traveller: Traveller) -> None:
    """A fresh installation: every list says why it is empty and what to do, and is accessible."""
    sign_in_fresh(traveller)
    for path, words in {
        "/services/": "No services yet",
        "/tasks/": "No tasks yet",
        "/trajectories/": "No trajectories yet",
        "/compose/": "No service is ready",
    }.items():
        traveller.page.goto(traveller.base + path)
        assert traveller.page.get_by_text(words).is_visible()
        traveller.look(path)
    assert traveller.violations == {}
    assert traveller.complaints == []


def sign_in_fresh(t: Traveller) -> None:
    t.leg("sign in")
    t.page.goto(t.base + "/")
    t.page.fill("input[name=username]", "ada")
    t.page.fill("input[name=password]", "correct horse 9 staple")
    t.click("main button.primary")
    t.page.locator("#first-steps").get_by_role("button", name="Load demo world").wait_for()
    assert t.page.locator("#first-steps li").count() >= 3
    t.look("fresh home")
