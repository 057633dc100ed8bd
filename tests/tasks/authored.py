"""Tasks over the test worlds, written once per test process."""

from __future__ import annotations

import random
from functools import cache, lru_cache

from services_app.engine import ProductEnvironment
from services_app.engine.protocol import Environment, LocalMounting
from tasks_app.authors.author import RulesAuthor
from tasks_app.authors.story import Rejected
from tasks_app.authors.workshop import Workshop
from tasks_app.engine.profile import ServiceProfile, profile_service
from tasks_app.engine.task import TaskSpec
from tasks_app.engine.walk import draw_walk
from tests.tasks.worlds import WORLDS

SEED = 7
MOUNTING = LocalMounting(WORLDS.values())


def build(task: TaskSpec) -> Environment:
    return task.environment(MOUNTING)


@lru_cache(maxsize=1)
def profiles() -> dict[str, ServiceProfile]:
    world = MOUNTING.mount(list(WORLDS), seed=SEED)
    return {slug: profile_service(world, slug) for slug in WORLDS}


@lru_cache(maxsize=1)
def workshop() -> Workshop:
    return Workshop(MOUNTING, profiles())


def mounted(order: tuple[str, ...]) -> ProductEnvironment:
    return MOUNTING.mount(order, seed=SEED)


def author(order: tuple[str, ...]) -> RulesAuthor:
    return RulesAuthor(mounted(order), workshop(), state_seed=SEED)


def draw(seed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(walk, mount order) for a seed: three or four needed services, all four mounted."""
    rng = random.Random(seed)
    needed = rng.sample(sorted(WORLDS), rng.choice((3, 3, 4)))
    walk = draw_walk(needed, rng.randint(max(5, len(needed)), 8), rng)
    order = sorted(WORLDS)
    rng.shuffle(order)
    return walk, tuple(order)


@cache
def written(seed: int) -> TaskSpec:
    walk, order = draw(seed)
    task = author(order).write(walk, seed=seed)
    assert not isinstance(task, Rejected), f"seed {seed}, walk {walk}: {task.reasons.most_common(5)}"
    return task


@lru_cache(maxsize=1)
def stale_task() -> TaskSpec:
    """The first task with a stale figure and a question."""
    for seed in range(1, 60):
        task = written(seed)
        if any(edge.stale for edge in task.graph.edges) and task.answer:
            return task
    raise AssertionError("no stale task among the first 60")
