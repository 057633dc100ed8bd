"""Rows of model sessions: opened or taken up again, written message by message, closed with the reason."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from services_app.batch_models import BatchItem
from services_app.builders.model.agents import Earlier, Means
from services_app.builders.model.conversation import Standing, Turn
from services_app.builders.model.limits import Ending, Limits, Spent
from services_app.models import ModelSession, ModelTurn, Specification
from services_app.pipelines.model_requests import ModelRequest
from webapp.common import clean
from webapp.common.models import Run
from webapp.common.run_models import CLAIMED
from webapp.common.runs import Cancelled, LostLease, RunContext
from workers.llm.budget import Budget
from workers.llm.litellm_client import LiteLLMClient, ModelConfig
from workers.llm.retry import Policy

CANCELLED = "The job was stopped by a person; resuming it goes on from here."
LOST = "Its job ended or lost its worker before the end; resuming the job goes on from the last stored message."
BROKEN = "The job ended before the conversation did; its log says why."
CALL_SECONDS = 300.0
STEP_SECONDS = 900.0
ATTEMPTS = 4
OPENING = 2  # messages: the rules of the game and the task
SHOWN = 20  # sessions on the page of a job
CEILING = 4  # times the output limit, for a reply that spent it on reasoning


def state_of(session: ModelSession) -> str:
    """The state as a reader should see it: one whose job has ended or lost its worker does not run."""
    if session.state == ModelSession.State.RUNNING and (session.run is None or not session.run.is_live):
        return "interrupted"
    return session.state


def words_of(session: ModelSession) -> str:
    """Why it ended or stands still, "" while it runs."""
    return session.ended or (LOST if state_of(session) == "interrupted" else "")


def row_of(session: ModelSession) -> dict[str, Any]:
    """A session as lists and pages show it."""
    state = state_of(session)
    return {
        "session": session,
        "state": state,
        "words": words_of(session),
        "tokens": session.input_tokens + session.output_tokens,
        "is_live": state == ModelSession.State.RUNNING,
    }


def client_for(model: str, limits: Limits, spent: Spent, *, reply_tokens: int) -> LiteLLMClient:
    """A client that may spend what is left of the limits."""
    seconds = max(1.0, limits.seconds - spent.seconds)
    config = ModelConfig(
        model=model,
        api_base=settings.WORKBENCH_MODEL_API_BASE,
        api_key=settings.WORKBENCH_MODEL_API_KEY,
        max_tokens=reply_tokens,
        token_ceiling=CEILING * reply_tokens,
        policy=Policy(ATTEMPTS, min(CALL_SECONDS, seconds), min(STEP_SECONDS, seconds)),
    )
    usd = None if limits.cost_usd is None else limits.cost_usd - (spent.cost_usd or 0.0)
    return LiteLLMClient(config, budget=Budget(usd=usd, tokens=limits.tokens - spent.tokens))


def last_session(run: Run, role: str, item: BatchItem | None = None) -> ModelSession | None:
    """The newest session of a role in a run, or about an item of it."""
    return ModelSession.objects.filter(run=run, role=role, item=item).order_by("-id").first()


def sessions_of(run: Run) -> list[ModelSession]:
    """All sessions of a run, oldest first, without what they made."""
    return list(listed(ModelSession.objects.filter(run=run)).order_by("id"))


def newest_rows(run: Run) -> list[dict[str, Any]]:
    """The newest sessions of a run as the page of its job shows them."""
    return [row_of(session) for session in listed(ModelSession.objects.filter(run=run)).order_by("-id")[:SHOWN]]


def listed(sessions: QuerySet[ModelSession]) -> QuerySet[ModelSession]:
    """Sessions with what lists show of them, and without what they made."""
    return sessions.select_related("run", "item").defer("work", "item__content", "item__result")


def result_of(run: Run) -> dict[str, Any]:
    """What the sessions of a run add to its result: their ids, what they took, by role."""
    rows = sessions_of(run)
    costs = [session.cost for session in rows]
    return {
        "sessions": {session.role: session.public_id for session in rows},
        "turns": sum(session.turns for session in rows),
        "tokens": sum(session.input_tokens + session.output_tokens for session in rows),
        "cost_usd": None if None in costs else float(sum(cost for cost in costs if cost is not None)),
    }


def open_session(
    run: Run,
    role: str,
    request: ModelRequest,
    *,
    specification: Specification | None = None,
    item: BatchItem | None = None,
) -> ModelSession:
    """A new session of the run, about a service or about an item of a batch."""
    return ModelSession.objects.create(
        role=role,
        run=run,
        slug=specification.slug if specification else "",
        specification=specification,
        item=item,
        model=clean.line(request.model, 200),
        limits=request.limits.model_dump(),
        cost=Decimal(0),
    )


def means_of(context: RunContext, session: ModelSession, request: ModelRequest) -> Means:
    """What the conversation of a session works with, in this job."""
    spent = standing_of(session).spent
    client = client_for(request.model, request.limits, spent, reply_tokens=request.reply_tokens)
    return Means(client, RowRecorder(session, context), request.limits, time.monotonic)


def earlier_of(session: ModelSession) -> Earlier | None:
    """What the session has stored, None when nothing was; an opening that was cut off is made again."""
    messages = list(session.transcript.order_by("number").values_list("message", flat=True))
    if len(messages) < OPENING:
        session.transcript.all().delete()
        return None
    return Earlier(messages, standing_of(session), session.work["work"])


def is_over(session: ModelSession) -> bool:
    """Whether the conversation has come to an end that no resume changes."""
    ending = standing_of(session).ending
    return ending is not None and ending.state != "failed"


def log_ending(context: RunContext, session: ModelSession) -> None:
    """Say in the job's log why a session ended and what it took."""
    spent = f"{session.turns} turns, {session.input_tokens + session.output_tokens:,} tokens"
    cost = "at an unknown price" if session.cost is None else f"${session.cost:.4f}"
    level = "info" if session.state == ModelSession.State.DONE else "warning"
    context.log(f"{session.get_role_display()}: {session.ended} ({spent}, {cost})", level, session=session.public_id)


def standing_of(session: ModelSession) -> Standing:
    stored = session.work.get("standing")
    return Standing.model_validate(stored) if stored else Standing()


class RowRecorder:
    """Writes each message the moment it exists. A worker that lost its lease is refused: another one writes now."""

    def __init__(self, session: ModelSession, context: RunContext) -> None:
        self.session = session
        self._context = context
        self._next = session.transcript.count()

    def record(self, turn: Turn, standing: Standing, work: Mapping[str, Any]) -> None:
        with transaction.atomic():
            self._hold()
            ModelTurn.objects.create(
                session=self.session,
                number=self._next,
                message=clean.json_value(turn.message),
                raw=clean.json_value(turn.raw),
                input_tokens=turn.input_tokens,
                output_tokens=turn.output_tokens,
                seconds=turn.seconds,
                note=clean.text(turn.note, 2_000),
            )
            self._write(standing, work)
        self._next += 1

    def save(self, standing: Standing, work: Mapping[str, Any]) -> None:
        with transaction.atomic():
            self._hold()
            self._write(standing, work)

    def checkpoint(self) -> None:
        phase = f"{self.session.role}: {self.session.model}"
        if self.session.item_id is None:
            self._context.progress(done=standing_of(self.session).spent.turns, unit="turns", phase=phase)
        else:  # the progress of a batch counts its items
            self._context.progress(phase=phase)
        self._context.checkpoint()

    def _hold(self) -> None:
        """Lock the run's row, so that no other worker can take the run over while this one writes."""
        run = self._context.run
        held = Run.objects.select_for_update(of=("self",)).filter(pk=run.pk, fence=run.fence, state__in=CLAIMED)
        if not held.exists():
            raise LostLease(str(run.pk))

    def _write(self, standing: Standing, work: Mapping[str, Any]) -> None:
        spent, session = standing.spent, self.session
        session.turns = spent.turns
        session.input_tokens, session.output_tokens = spent.input_tokens, spent.output_tokens
        session.cost = None if spent.cost_usd is None else Decimal(str(round(spent.cost_usd, 6)))
        session.work = clean.json_value({"standing": standing.model_dump(mode="json"), "work": dict(work)})
        session.save(update_fields=["turns", "input_tokens", "output_tokens", "cost", "work"])


@contextmanager
def at_work(session: ModelSession) -> Iterator[None]:
    """The session is running inside, and says why it stopped when an exception leaves."""
    close(session, ModelSession.State.RUNNING, "")
    try:
        yield
    except LostLease:
        raise
    except Cancelled:
        close(session, ModelSession.State.STOPPED, CANCELLED)
        raise
    except BaseException:
        close(session, ModelSession.State.FAILED, BROKEN)
        raise


def close(session: ModelSession, state: str, words: str) -> None:
    """Set the state of a session and the reason."""
    session.state, session.ended = state, clean.text(words, 4_000)
    session.finished_at = None if state == ModelSession.State.RUNNING else timezone.now()
    session.save(update_fields=["state", "ended", "finished_at"])


def close_as(session: ModelSession, ending: Ending) -> None:
    close(session, ModelSession.State(ending.state), ending.words)
