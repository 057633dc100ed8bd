"""Rows of model sessions: opened or taken up again, written message by message, closed with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from services_app.builders.model.agents import Earlier
from services_app.builders.model.conversation import Standing, Turn
from services_app.builders.model.limits import Ending, Limits, Spent
from services_app.models import ModelSession, ModelTurn, Specification
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
NOT_CONFIGURED = "not available: no model is configured"
CALL_SECONDS = 300.0
STEP_SECONDS = 900.0
ATTEMPTS = 4
CEILING = 4  # times the output limit, for a reply that spent it on reasoning


def is_configured() -> bool:
    """Whether the settings name a model or a server; a name given by hand may work without."""
    return bool(settings.WORKBENCH_MODEL or settings.WORKBENCH_MODEL_API_BASE)


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


def last_session(run: Run, role: str) -> ModelSession | None:
    """The newest session of a role in a run."""
    return ModelSession.objects.filter(run=run, role=role).order_by("-id").first()


def sessions_of(run: Run) -> list[ModelSession]:
    """All sessions of a run, oldest first, without what they made."""
    return list(ModelSession.objects.filter(run=run).select_related("run").defer("work").order_by("id"))


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
    context: RunContext, role: str, specification: Specification, model: str, limits: Limits
) -> ModelSession:
    """A new session of the run."""
    return ModelSession.objects.create(
        role=role,
        run=context.run,
        slug=specification.slug,
        specification=specification,
        model=clean.line(model, 200),
        limits=limits.model_dump(),
        cost=Decimal(0),
    )


def earlier_of(session: ModelSession) -> Earlier | None:
    """What was stored of a session; None when nothing was."""
    messages = list(session.transcript.order_by("number").values_list("message", flat=True))
    if not messages:
        return None
    return Earlier(messages, standing_of(session), session.work["work"])


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
        spent = standing_of(self.session).spent
        self._context.progress(done=spent.turns, unit="turns", phase=f"{self.session.role}: {self.session.model}")
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
