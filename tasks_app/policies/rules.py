"""Policies that need no model: the reference solver, and the ones a verifier must refuse."""

from __future__ import annotations

import random
from typing import Any

from services_app.engine.observation import Observation
from services_app.engine.protocol import CallRecord, Environment
from tasks_app.engine.cheating import PICKS, cheat, ids_of
from tasks_app.engine.program import ProgramRun, run_program
from tasks_app.engine.rollout import Episode, Policy
from tasks_app.engine.task import TaskSpec


class ReferencePolicy:
    """Runs the reference program through the meta-tools, looking each tool up before its first use."""

    name = "reference"

    def play(self, episode: Episode) -> None:
        solver = _Solver(episode)
        run = run_program(episode.task.reference, solver.call)
        episode.finish(run.answer or "Done.")


class _Solver:
    """Discovery as an agent does it: services once, tools of a service once, a tool before its first call."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self._seen: set[str] = set()

    def call(self, service: str, tool: str, arguments: dict[str, Any]) -> Observation:
        if self._episode.mode == "meta":
            exposed = self._episode.environment.catalogue.services[service].tools[tool].exposed
            self._once("list_services", {})
            self._once("list_tools", {"service": service})
            self._once("describe_tool", {"tool": exposed})
        return self._episode.call(service, tool, arguments)

    def _once(self, name: str, arguments: dict[str, Any]) -> None:
        key = f"{name}:{arguments}"
        if key not in self._seen:
            self._seen.add(key)
            self._episode.use(name, arguments)


class NoopPolicy:
    """Does nothing and says so."""

    name = "noop"

    def play(self, episode: Episode) -> None:
        episode.finish("There is nothing to do.")


class ReadOnlyPolicy:
    """Makes the reading calls of the reference and gives its answer, but writes nothing."""

    name = "readonly"

    def play(self, episode: Episode) -> None:
        calls, run = literal_calls(episode.task, episode.environment)
        for call in calls:
            if not writes(call):
                episode.call(call.service, call.tool, dict(call.arguments))
        episode.finish(run.answer or "I looked everything up.")


class FaultyPolicy:
    """Makes the calls of the reference except one write, chosen by the seed."""

    name = "faulty"

    def play(self, episode: Episode) -> None:
        calls, run = literal_calls(episode.task, episode.environment)
        writing = [index for index, call in enumerate(calls) if writes(call)]
        rng = random.Random(f"{episode.task.task_hash}:{episode.seed}")  # noqa: S311 - a reproducible choice
        dropped = rng.choice(writing)
        for index, call in enumerate(calls):
            if index != dropped:
                episode.call(call.service, call.tool, dict(call.arguments))
        episode.finish(run.answer or "Done.")


class CheaterPolicy:
    """Makes the calls of the reference with values got from names, order and ids alone; the seed says by which."""

    name = "cheater"

    def play(self, episode: Episode) -> None:
        pick = PICKS[episode.seed % len(PICKS)]
        ids = ids_of(episode.environment, episode.task.needed)
        answer, _ = cheat(episode.task, episode.environment, ids, _Solver(episode).call, pick)
        episode.finish(answer or "Done.")


def literal_calls(task: TaskSpec, environment: Environment) -> tuple[list[CallRecord], ProgramRun]:
    """The calls that the reference program makes in this world, tried on a fork."""
    trial = environment.fork()
    run = run_program(task.reference, trial.call)
    calls = list(trial.calls)
    trial.close()
    return calls, run


def writes(call: CallRecord) -> bool:
    """Whether a call changed the state."""
    return call.changes[1] > call.changes[0]


RULE_POLICIES: dict[str, type[Policy]] = {
    "reference": ReferencePolicy,
    "noop": NoopPolicy,
    "readonly": ReadOnlyPolicy,
    "faulty": FaultyPolicy,
    "cheater": CheaterPolicy,
}
