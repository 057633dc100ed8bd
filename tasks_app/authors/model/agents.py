"""Putting the roles together: what each conversation starts from, or goes on from."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from services_app.builders.model.agents import Earlier, Means, conversation
from services_app.builders.model.conversation import Conversation
from services_app.builders.model.limits import Spent
from services_app.engine.protocol import Environment, Mounting
from tasks_app.authors.model.draft import Brief
from tasks_app.authors.model.prompts import author_messages, rephrase_messages
from tasks_app.authors.model.rephrasing import RephraseToolbox, kept_verbatim
from tasks_app.authors.model.toolbox import AuthorToolbox, Solve, Solved
from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.rollout import Limits, roll_out
from tasks_app.engine.task import Proof, TaskSpec
from tasks_app.engine.trajectory import Trajectory
from tasks_app.policies.model import ModelPolicy
from workers.llm.client import ModelClient, ModelError


def author(
    environment: Environment,
    profiles: Mapping[str, ServiceProfile],
    brief: Brief,
    means: Means,
    *,
    earlier: Earlier | None = None,
    solve: Solve | None = None,
) -> tuple[Conversation, AuthorToolbox]:
    """The author's conversation over services mounted in s0."""
    toolbox = AuthorToolbox(environment, profiles, brief, solve=solve)
    opening = author_messages(brief, environment, means.limits.turns)
    return conversation(toolbox, opening, means, earlier), toolbox


def rephraser(
    task: TaskSpec, prove: Callable[[TaskSpec], Proof], means: Means, earlier: Earlier | None = None
) -> tuple[Conversation, RephraseToolbox]:
    """The conversation that rewords the instruction of a proven task."""
    toolbox = RephraseToolbox(task, prove)
    opening = rephrase_messages(task.instruction, kept_verbatim(task), means.limits.turns)
    return conversation(toolbox, opening, means, earlier), toolbox


def solver(
    name: str, client: ModelClient, mounting: Mounting, timer: Callable[[], float], limits: Limits | None = None
) -> Solve:
    """A second model that has to solve a task, with nothing but its instruction and the tools. `timer`: seconds."""

    def solve(task: TaskSpec, submitted: int) -> Solved:
        played = roll_out(task, ModelPolicy(name, client), mounting, timer=timer, limits=limits, seed=submitted)
        if played.passed is None:
            raise ModelError("unavailable", f"The solver {name} could not be asked: {played.error}")
        usage = played.usage
        spent = Spent(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens, cost_usd=usage.cost_usd)
        return Solved("" if played.passed else _failure(task, played), spent)

    return solve


def _failure(task: TaskSpec, played: Trajectory) -> str:
    """Where another model failed, without what it should have done."""
    results = (played.verdict or {}).get("results", [])
    missed = {result["id"] for result in results if result["status"] != "pass"}
    texts = [criterion.text for criterion in task.rubric if criterion.id in missed]
    outside = len((played.verdict or {}).get("collateral", []))
    return (
        f"It made {len(played.steps)} calls and stopped by: {played.stop_reason} {played.error}. "
        f"Not fulfilled: {' '.join(texts) or 'nothing'} It changed {outside} records that the task leaves alone. "
        f"Its answer: {played.answer[:600]!r}. Say more clearly what is wanted, or make it findable."
    )
