"""Which tasks an experiment can take: practice tasks that it writes, or what the catalogue holds."""

from __future__ import annotations

from typing import Final, Literal

from django.db.models import Max, QuerySet

from services_app.engine.errors import EngineError, ServiceDefect
from services_app.environments import mounting_of
from services_app.pipelines.building import sandbox_words
from tasks_app.authors import practice_kinds
from tasks_app.authors.practice_chains import BACKEND
from tasks_app.models import Task
from tasks_app.pipelines import store_task
from training_app.datasets import row_families, task_rows
from training_app.engine.experiment import MOST, Candidate, Kind, Plan, World
from webapp.common.runs import RunContext, RunFailed

Source = Literal["practice", "catalogue"]
SOURCES: Final[tuple[Source, ...]] = ("practice", "catalogue")
SPARE: Final = 2
"""Practice tasks are written for so many times the held-out ones: their families are on one side only."""


def world_of(preset: str, source: Source) -> World:
    """The kinds that a preset can compare."""
    return _practice(preset) if source == "practice" else _catalogue(preset)


def _practice(preset: str) -> World:
    """Three services only where K is what differs: each further one makes every prompt longer."""
    most = 3 if preset == "k" else 2
    kinds = tuple(
        Kind(name=k.name, services=k.services, needed=(k.needed, k.needed), length=(k.length, k.length))
        for k in practice_kinds.KINDS.values()
        if k.needed <= most
    )
    return World(source="practice", kinds=kinds, most_needed=most)


def _catalogue(preset: str) -> World:
    tasks = catalogue_tasks()
    most = int(tasks.aggregate(most=Max("needed_count"))["most"] or 0)
    if preset == "k":
        found = tasks.order_by("needed_count").values_list("needed_count", flat=True).distinct()
        kinds = [_kind(f"K{k}", (k, k), (1, MOST)) for k in found]
    elif preset == "length":
        several = tasks.filter(needed_count__gte=2).order_by("walk_length")
        found = several.values_list("walk_length", flat=True).distinct()
        kinds = [_kind(f"L{length}", (2, MOST), (length, length)) for length in found]
    else:
        kinds = [_kind("one-service", (1, 1), (1, MOST)), _kind("several-services", (2, MOST), (1, MOST))]
    return World(source="catalogue", kinds=tuple(kinds), most_needed=most)


def _kind(name: str, needed: tuple[int, int], length: tuple[int, int]) -> Kind:
    return Kind(name=name, needed=needed, length=length)


def catalogue_tasks() -> QuerySet[Task]:
    """Verified tasks that are no practice."""
    return Task.objects.filter(status=Task.Status.VERIFIED).exclude(author=BACKEND)


def services_of(plan: Plan) -> list[str]:
    """What every practice task mounts, so that the tools are the same for all arms; empty for the catalogue."""
    return sorted({slug for kind in plan.kinds for slug in kind.services})


def candidates(context: RunContext, plan: Plan) -> list[Candidate]:
    """Every task that may be chosen, practice tasks after writing what is missing. Raises RunFailed."""
    if plan.source == "practice":
        kinds = {pk: kind.name for kind in plan.kinds for pk in _written(context, plan, kind)}
    else:
        kinds = catalogue_kinds(plan)
    return with_families(kinds)


def catalogue_kinds(plan: Plan) -> dict[str, str]:
    """Task id -> kind, of the catalogue's tasks in the order of their ids."""
    found: dict[str, str] = {}
    for kind in plan.kinds:
        rows = catalogue_tasks().filter(needed_count__range=kind.needed, walk_length__range=kind.length)
        found |= {str(pk): kind.name for pk in rows.order_by("id").values_list("pk", flat=True)}
    return found


def with_families(kinds: dict[str, str]) -> list[Candidate]:
    """Candidates with their families, which are reckoned over all of them; in the order given."""
    rows = {row.id: row for row in task_rows(Task.objects.filter(pk__in=kinds))}
    family_of = row_families(list(rows.values()))
    return [Candidate(id=pk, kind=kind, family=family_of[pk]) for pk, kind in kinds.items()]


def _written(context: RunContext, plan: Plan, kind: Kind) -> list[str]:
    """Write and store the practice tasks of a kind; those that exist are found by their content. Their ids."""
    count = plan.needed(kind.name) + SPARE * max(portion.count for portion in plan.held_out)
    slugs, made = services_of(plan), []
    try:
        with mounting_of(slugs) as mounting:
            specs = practice_kinds.write_kind(
                practice_kinds.KINDS[kind.name], count, seed=plan.seed, mounting=mounting, services=slugs
            )
            for number, spec in enumerate(specs):
                context.checkpoint()
                made.append(store_task(spec, run=context.run, by=context.run.created_by, number=number))
                context.progress(phase=f"writing and proving {kind.name}: {number + 1} of {count}")
    except ValueError as error:
        raise RunFailed("experiment:task", f"{error}. Are all tools of {', '.join(slugs)} verified?") from error
    except (EngineError, ServiceDefect) as error:
        raise sandbox_words(error) from error
    context.log(f"{count} tasks of the kind {kind.name} are written and proven.")
    return [str(task.pk) for task in made]
