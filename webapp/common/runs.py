"""Runs: start, execute once, cancel, resume, and the sweep that finds lost workers.

Postgres is the truth. A message carries an id and nothing else, is sent on commit, may arrive twice or never;
`execute` claims the row first, and the sweep sends again what nobody claimed. Only the `run_*` modules move a
state; apps import from here.
"""

import logging
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction

from webapp.common import clean, run_kinds, run_store
from webapp.common.origin import Origin, origin
from webapp.common.run_context import Heartbeat, RunContext
from webapp.common.run_errors import Cancelled, LostLease, RunFailed, StateConflict
from webapp.common.run_kinds import register
from webapp.common.run_models import Run, RunState
from webapp.common.run_moves import move, reorder, request_cancel, resume, retry, start_run
from webapp.common.run_store import worker_is_gone
from webapp.common.run_sweep import SweepReport, settle_gone, sweep

__all__ = [
    "Cancelled",
    "LostLease",
    "Run",
    "RunContext",
    "RunFailed",
    "StateConflict",
    "SweepReport",
    "execute",
    "move",
    "register",
    "reorder",
    "request_cancel",
    "resume",
    "retry",
    "settle_gone",
    "start_run",
    "sweep",
    "worker_is_gone",
]

logger = logging.getLogger(__name__)

TRACEBACK_LIMIT = 6_000
# A database that restarts is back within seconds; the outcome of an hour of work waits for it.
RECORD_WAITS = (0.5, 1, 2, 4, 8, 8, 8)
_UNKNOWN_LEASE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class _Outcome:
    state: RunState
    result: dict[str, Any] = field(default_factory=dict)
    failure_kind: str = ""
    failure_message: str = ""
    traceback: str = ""


def execute(run_id: UUID | str, *, hard_stop: Callable[[], None] | None = None) -> bool:
    """Claim a queued run, call its handler, record the outcome. False when there was nothing to claim."""
    kind = run_kinds.find(Run.objects.filter(pk=run_id).values_list("kind", flat=True).first() or "")
    run = run_store.claim(UUID(str(run_id)), lease=kind.lease if kind else _UNKNOWN_LEASE)
    if run is None:
        return False
    context = RunContext(run, kind.lease if kind else _UNKNOWN_LEASE)
    # An inline run shares the caller's transaction: a second connection would not see its row.
    heartbeat = nullcontext() if settings.WORKBENCH_RUN_INLINE else Heartbeat(context, hard_stop)
    with origin(Origin(source="job")), heartbeat:
        outcome = _carry_out(kind, context)
        if outcome is not None:
            _record(run, outcome)
    return True


def _carry_out(kind: run_kinds.Kind | None, context: RunContext) -> _Outcome | None:
    """Call the handler and say how it ended; None when another worker holds the run now."""
    if kind is None:
        return _failed("worker:unknown-kind", f"This worker does not know the job kind '{context.run.kind}'.")
    try:
        run_store.begin(context.run)
        context.log(f"Started, attempt {context.attempt}", worker=context.run.worker)
        result = clean.json_value(kind.handler(context) or {})
    except LostLease:
        logger.warning("Run %s was taken over", context.run.pk)
        return None
    except Cancelled as stop:
        return _Outcome(RunState.CANCELLED, clean.json_value(stop.result))
    except RunFailed as failure:
        return _failed(failure.kind, failure.message)
    except Exception as error:
        logger.exception("Run %s failed", context.run.pk)
        return _failed(f"internal:{type(error).__name__}", str(error), traceback.format_exc())
    return _Outcome(RunState.SUCCEEDED, result)


def _failed(kind: str, message: str, trace: str = "") -> _Outcome:
    message = clean.text(message, run_store.MESSAGE_LIMIT) or "No message was given."
    return _Outcome(
        RunState.FAILED,
        failure_kind=clean.text(kind, 80) or "internal:Unnamed",
        failure_message=message,
        traceback=clean.text(trace, TRACEBACK_LIMIT),
    )


def _record(run: Run, outcome: _Outcome) -> None:
    """Write the outcome, waiting for a database that is restarting."""
    for wait in (*RECORD_WAITS, None):
        try:
            return _record_once(run, outcome)
        except LostLease:
            logger.warning("Run %s was taken over before its outcome was written", run.pk)
            return None
        except (OperationalError, InterfaceError):
            if wait is None or connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(wait)
    return None


def _record_once(run: Run, outcome: _Outcome) -> None:
    fields: dict[str, Any] = {
        "failure_kind": outcome.failure_kind,
        "failure_message": outcome.failure_message,
    }
    if outcome.state is not RunState.FAILED:
        fields["result"] = outcome.result
    text = outcome.failure_message or f"Finished: {outcome.state.value}"
    level = "error" if outcome.failure_kind else "info"
    # One transaction: whoever sees the run finished also sees its last line.
    with transaction.atomic():
        if outcome.state is RunState.CANCELLED:
            _ensure_cancel_asked(run)
        run_store.finish(run, outcome.state, **fields)
        if outcome.traceback:
            run_store.add_event(run.pk, outcome.traceback, "error", {"kind": outcome.failure_kind})
        run_store.add_event(run.pk, text, level, {"kind": outcome.failure_kind} if outcome.failure_kind else None)


def _ensure_cancel_asked(run: Run) -> None:
    """A handler may stop by itself; the row then says 'keep', as if asked."""
    Run.objects.filter(pk=run.pk, cancel_mode="").update(cancel_mode="keep")
