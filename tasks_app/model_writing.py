"""Tasks with a model at work: one that writes them, or one that only rewords what the rules author wrote.

A session that was stored goes on where it was; what it made is proven once more before it is stored as a task.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from services_app.batch_models import BatchItem
from services_app.builders.model.conversation import Conversation
from services_app.builders.model.limits import MODEL_NAME, Ending, Spent
from services_app.engine.protocol import Mounting
from services_app.models import ModelSession
from services_app.pipelines import sessions
from services_app.pipelines.batch import Outage
from services_app.pipelines.model_requests import AskedError, ModelRequest, read_request
from tasks_app.authors.batch import SCALE, STATE_SEEDS, GenerateRequest, Written, first_drawn
from tasks_app.authors.model import agents
from tasks_app.authors.model.draft import Brief
from tasks_app.authors.model.toolbox import Solve
from tasks_app.engine.profile import ServiceProfile
from tasks_app.engine.proof import prove
from tasks_app.engine.rollout import Limits as RolloutLimits
from tasks_app.engine.task import Proof, TaskSpec
from webapp.common.runs import RunContext
from workers.llm.client import ModelError

Role = ModelSession.Role
AUTHORS = ("rules", "model")


class ModelAuthoring(ModelRequest):
    """What is asked of a model for each task. With the rules author it only rewords the instruction."""

    solver: str = Field("", max_length=MODEL_NAME)
    """Another model, which has to solve what the author wrote; "" when none has to."""


def model_authoring(
    author: str, asked: Mapping[str, Any], *, rephrase: bool = False, language: str = "en"
) -> ModelAuthoring | None:
    """The part that a model plays, None when it plays none. Raises AskedError in words."""
    if language != "en" and (author == "model" or rephrase):
        raise AskedError("Models are asked for English only; let rules alone write other languages.", "language")
    if author not in AUTHORS:
        raise AskedError(f"There is no author {author!r}: it is rules or model.", "author")
    if author == "model":
        if rephrase:
            raise AskedError("Only what the rules author wrote is reworded; leave rephrase out.", "rephrase")
        return read_request(ModelAuthoring, asked)
    if not rephrase:
        if any(asked.values()):
            raise AskedError(
                "A model is at work with the model author, or with rephrase; ask for one of them.", "model"
            )
        return None
    if asked.get("solver"):
        raise AskedError("A solver stands beside the model author only.", "solver")
    return read_request(ModelAuthoring, asked)


def write_by_model(
    context: RunContext,
    item: BatchItem,
    mounting: Mounting,
    profiles: Mapping[str, ServiceProfile],
    request: GenerateRequest,
    pool: Sequence[str],
    asked: ModelAuthoring,
) -> Written:
    """The task of an item, written by a model. Raises Outage when a model gives no answer."""
    session = _session(item, Role.AUTHOR, asked)
    composition = first_drawn(request, pool, item.position)
    brief = Brief(
        walk=composition.walk,
        length=request.length,
        seed=composition.seed,
        state_seed=composition.seed % STATE_SEEDS,
        scale=SCALE,
    )
    if not sessions.is_over(session):
        environment = mounting.mount(composition.mounted, seed=brief.state_seed, scale=SCALE)
        try:
            means = sessions.means_of(context, session, asked)
            earlier, solve = sessions.earlier_of(session), _solver(asked, mounting)
            begun, _ = agents.author(environment, profiles, brief, means, earlier=earlier, solve=solve)
            _carry_out(context, session, begun)
        finally:
            environment.close()
    made = session.work["work"]["task"]
    if made is None:
        failing = session.work["work"]["failing"]
        last = f" Failing at the end: {', '.join(failing)}." if failing else ""
        return Written(None, 1, Counter({f"{session.ended}{last}": 1}))
    task = _signed(TaskSpec.model_validate(made), session, model=asked.model, solver=asked.solver)
    proof = _proof(task, mounting)
    if not proof.passed:
        return Written(None, 1, Counter(f"proof: {name}" for name in proof.failing))
    return Written(task.with_proof(proof), 1, Counter())


def reworded(
    context: RunContext, item: BatchItem, mounting: Mounting, task: TaskSpec, asked: ModelAuthoring
) -> TaskSpec:
    """A proven task in other words, or as it is when no wording of the model keeps its meaning. Raises Outage."""
    session = _session(item, Role.REPHRASER, asked)
    if not sessions.is_over(session):
        means, earlier = sessions.means_of(context, session, asked), sessions.earlier_of(session)
        begun, _ = agents.rephraser(task, lambda other: _proof(other, mounting), means, earlier)
        _carry_out(context, session, begun)
    made = TaskSpec.model_validate(session.work["work"]["task"])
    if made.instruction == task.instruction:
        return task
    other = task.model_copy(update={"instruction": made.instruction})
    signed = _signed(other, session, model=task.author.get("model", ""), rephrased_by=asked.model)
    proof = _proof(signed, mounting)
    return signed.with_proof(proof) if proof.passed else task


def _session(item: BatchItem, role: str, asked: ModelAuthoring) -> ModelSession:
    """The session about an item, a new one when there is none."""
    return sessions.last_session(item.run, role, item) or sessions.open_session(item.run, role, asked, item=item)


def _carry_out(context: RunContext, session: ModelSession, begun: Conversation) -> None:
    """Carry a conversation to its end. Raises Outage when a model gives no answer."""
    taken = begun.standing.spent.turns
    if taken:
        context.log(f"{session.subject}: the {session.role} goes on after {taken} turns.")
    try:
        with sessions.at_work(session):
            ending: Ending = begun.run()
            sessions.close_as(session, ending)
    except ModelError as error:  # of the solver: the author's own become an ending
        raise _outage(error.kind, str(error)) from error
    sessions.log_ending(context, session)
    if ending.state == "failed":
        raise _outage(ending.kind, ending.words)


def _outage(kind: str, words: str) -> Outage:
    return Outage(f"model:{kind}", f"{words} What was made so far is kept; resume goes on from there.")


def _solver(asked: ModelAuthoring, mounting: Mounting) -> Solve | None:
    if not asked.solver:
        return None
    limits = asked.limits
    client = sessions.client_for(asked.solver, limits, Spent(), reply_tokens=asked.reply_tokens)
    bounds = RolloutLimits(seconds=limits.seconds, tokens=limits.tokens, cost_usd=limits.cost_usd)
    return agents.solver(asked.solver, client, mounting, time.monotonic, bounds)


def _signed(task: TaskSpec, session: ModelSession, **more: str) -> TaskSpec:
    """The task with who was at work, in which session, and what that took."""
    took = {
        "session": session.public_id,
        "turns": session.turns,
        "tokens": session.input_tokens + session.output_tokens,
        "cost_usd": None if session.cost is None else float(session.cost),
    }
    return task.model_copy(update={"author": {**task.author, **more, **took}})


def _proof(task: TaskSpec, mounting: Mounting) -> Proof:
    return prove(task, lambda one: one.environment(mounting))
