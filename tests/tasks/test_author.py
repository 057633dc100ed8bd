"""The rules author on services that it has never seen."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from services_app.engine import EngineError, ProductEnvironment
from services_app.engine.catalogue import Catalogue
from services_app.engine.host import handle
from services_app.engine.protocol import LocalMounting
from services_app.engine.remote import ServiceHost
from services_app.library.registry import load
from tasks_app.authors.author import RulesAuthor
from tasks_app.authors.draft import Draft
from tasks_app.authors.search import no_leaks
from tasks_app.authors.story import Carried, Rejected, Rejection
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.profile import profile_service
from tasks_app.engine.proof import prove
from tasks_app.engine.rubric import check_expression
from tasks_app.engine.soundness import breakdown
from tasks_app.engine.task import StateEdit, TaskSpec
from tasks_app.engine.values import Values
from tests.tasks.authored import MOUNTING, SEED, author, build, draw, mounted, profiles, stale_task, written
from tests.tasks.worlds import WORLDS

SEEDS = range(1, 21)


@pytest.mark.parametrize("seed", SEEDS)
def test_twenty_walks_become_proven_tasks(seed: int) -> None:
    task = written(seed)
    walk, order = draw(seed)
    assert task.proof.passed, task.proof.failing
    assert [claim.number for claim in task.proof.claims] == list(range(1, 14))
    assert task.graph.walk == walk
    assert len(task.graph.edges) == len(walk) - 1
    assert tuple(service.slug for service in task.services) == order
    assert set(task.needed) == set(walk)
    assert len({change["service"] for change in task.goal.changes}) >= 2


@pytest.mark.parametrize("seed", [2, 9])
def test_the_proof_holds_again_from_the_frozen_artifact(seed: int) -> None:
    task = TaskSpec.model_validate_json(written(seed).model_dump_json())
    assert task.task_hash == written(seed).task_hash
    assert prove(task, build).passed


@pytest.mark.parametrize("seed", SEEDS)
def test_instructions_give_no_tool_names_ids_or_paths_away(seed: int) -> None:
    task = written(seed)
    world = build(task)
    for service, tools in world.catalogue.tools.items():
        for tool in tools.values():
            assert tool.exposed not in task.instruction
            assert "_" not in tool.name or tool.name not in task.instruction
        for table in world.catalogue.services[service].tables:
            for row in world.rows(service, table):
                assert not re.search(rf"(?<![\w-]){re.escape(row['id'])}(?![\w-])", task.instruction)
    for edge in task.graph.edges:
        if edge.kind in ("email", "code", "person", "organisation"):
            assert str(edge.value) not in task.instruction


@pytest.mark.parametrize("seed", SEEDS)
def test_criteria_are_well_formed_and_say_what_they_check(seed: int) -> None:
    task = written(seed)
    catalogue = build(task).catalogue
    assert len({criterion.id for criterion in task.rubric}) == len(task.rubric)
    for criterion in task.rubric:
        assert check_expression(criterion.expression, catalogue) == []
        assert criterion.text.endswith(".")


def test_instructions_differ() -> None:
    texts = [written(seed).instruction for seed in SEEDS]
    assert len(set(texts)) == len(texts)
    assert len({text.split(".")[0] for text in texts}) > 12
    assert len({written(seed).lineage for seed in SEEDS}) == len(texts)


def test_stale_figures_occur_and_are_marked() -> None:
    stale = [edge for seed in SEEDS for edge in written(seed).graph.edges if edge.stale]
    assert len(stale) >= 5
    assert all(edge.how == "derived" for edge in stale)
    assert "stale re-read" in stale_task().tags


def test_texts_are_english_without_seams() -> None:
    for seed in SEEDS:
        text = written(seed).instruction
        assert not re.search(r"\b(\w+) \1\b|\bthe (?:the|a|an|that)\b|\ban? the\b|  |\.\.|[{}_]| ,", text), text
        assert text[0].isupper()


SCRIPT = """
from tests.tasks.authored import author, draw
for seed in (3, 5, 8):
    walk, order = draw(seed)
    print(author(order).write(walk, seed=seed).task_hash)
"""


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_the_same_seed_gives_the_same_task_in_another_process(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment, check=True, timeout=120
    )
    assert done.stdout.split() == [written(seed).task_hash for seed in (3, 5, 8)]


def test_another_seed_gives_another_task() -> None:
    walk, order = draw(3)
    other = author(order).write(walk, seed=900)
    assert isinstance(other, TaskSpec)
    assert other.task_hash != written(3).task_hash


def test_a_walk_that_cannot_be_fed_is_rejected_with_reasons() -> None:
    task = author(("ledger", "post")).write(("ledger", "post") * 4, seed=1, attempts=1)
    if isinstance(task, Rejected):
        assert sum(task.reasons.values()) == task.attempts == 1
    else:
        assert task.proof.passed


def test_profiles_of_all_mounted_services_are_required() -> None:
    with pytest.raises(EngineError, match="no profile of post"):
        RulesAuthor(mounted(("ledger", "post")), Workshop(MOUNTING, {"ledger": profiles()["ledger"]}), state_seed=SEED)


class Loop:
    """A channel to the far side of a sandbox, in this process: messages still travel as JSON."""

    def request(self, message: dict[str, Any], timeout: float | None = None) -> dict[str, Any]:
        return json.loads(json.dumps(handle(json.loads(json.dumps(message)))))


def test_hosted_services_give_the_same_task_as_local_ones() -> None:
    slugs = ("crm", "mail")
    host = ServiceHost(Loop(), {slug: f"services_app.library.{slug}" for slug in slugs})
    local = LocalMounting([load(slug) for slug in slugs])
    hashes = []
    for mounting in (local, host):
        world = mounting.mount(slugs, seed=3)
        measured = {slug: profile_service(world, slug) for slug in slugs}
        task = RulesAuthor(world, Workshop(mounting, measured), state_seed=3).write(
            ("crm", "mail", "crm", "mail"), seed=4
        )
        assert isinstance(task, TaskSpec)
        assert prove(task, lambda spec, mounting=mounting: spec.environment(mounting)).passed
        hashes.append(task.task_hash)
    assert hashes[0] == hashes[1]


class Bare:
    """Mounts the same services with nothing declared: no nouns, no meanings, no phrases."""

    def mount(self, slugs: Sequence[str], **how: Any) -> ProductEnvironment:
        return bare(MOUNTING.mount(slugs, **how))


def bare(world: ProductEnvironment) -> ProductEnvironment:
    infos = []
    for info in world.catalogue.services.values():
        tools = {name: replace(tool, phrase="", semantics={}) for name, tool in info.tools.items()}
        tables = {
            name: replace(table, noun="record", plural="records", key="", carrier="", semantics={})
            for name, table in info.tables.items()
        }
        infos.append(replace(info, tools=tools, tables=tables))
    world.catalogue = Catalogue(infos)
    return world


def test_services_that_declare_nothing_get_tasks_too() -> None:
    world = bare(mounted(tuple(WORLDS)))
    measured = {slug: profile_service(world, slug) for slug in WORLDS}
    lonely = RulesAuthor(world, Workshop(Bare(), measured), state_seed=SEED)
    written_ones = [lonely.write(("ledger", "workshop", "post", "ledger", "post"), seed=seed) for seed in range(4)]
    proven = [task for task in written_ones if isinstance(task, TaskSpec)]
    assert len(proven) >= 3
    assert all(task.proof.passed for task in proven)


def test_figures_come_with_a_world_in_which_they_differ() -> None:
    figures = [edge for seed in range(1, 21) for edge in written(seed).graph.edges if edge.how == "derived"]
    assert figures
    assert all(edge.ablation for edge in figures)


def test_values_are_not_planted_where_nobody_should_read_them() -> None:
    walk = ("halls", "post", "ledger")
    carried = [Carried("value_1", "code", "field", 0, "permit", None, value="PT-4711")]
    texts = dict.fromkeys(walk, "")

    def planted(service: str, memo: str) -> list[StateEdit]:
        return [StateEdit(service=service, table="any", id="b1", patch={"memo": memo})]

    no_leaks(walk, carried, planted("ledger", "as agreed under PT-4712"), texts)
    no_leaks(walk, carried, planted("post", "as agreed under PT-4711"), texts)
    with pytest.raises(Rejection, match="elsewhere"):
        no_leaks(walk, carried, planted("ledger", "as agreed under pt-4711"), texts)
    with pytest.raises(Rejection, match="elsewhere"):
        no_leaks(walk, carried, [], {**texts, "ledger": "see pt-4711"})


def test_planted_records_bring_what_theirs_always_have() -> None:
    """A vault is planted with secrets like its model has them, and each of these with a version."""
    world = LocalMounting([load("secrets")]).mount(["secrets"], seed=1)
    reaches = Workshop(LocalMounting([load("secrets")]), {"secrets": profile_service(world, "secrets")}).reaches(
        world.catalogue.services
    )
    draft = Draft(world, reaches, random.Random(1), Values(random.Random(1), ()))
    model = next(row["vault_id"] for row in world.rows("secrets", "secrets"))
    draft.copy_only("secrets", "vaults", frozenset({model}))
    vault = draft.plant("secrets", "vaults", {})
    secrets = [e for e in draft.edits() if e.table == "secrets" and e.record and e.record["vault_id"] == vault]
    versions = {e.record["secret_id"] for e in draft.edits() if e.table == "versions" and e.record}
    assert secrets
    assert all(secret.id in versions for secret in secrets)
    assert not breakdown(world.edited(edit.to_edit() for edit in draft.edits()), ["secrets"])
