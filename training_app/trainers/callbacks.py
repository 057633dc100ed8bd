"""Between a trainer and its run directory: what it logs, its heartbeat, stopping. Needs transformers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from types import FrameType
from typing import Any

from transformers import TrainerCallback

from training_app.trainers import ranks
from training_app.trainers.journal import Journal


class JournalCallback(TrainerCallback):
    """Writes what the trainer logs, beats after each step, and obeys the STOP file."""

    def __init__(self, journal: Journal, alarms: Mapping[str, float] | None = None) -> None:
        self._journal = journal
        self._alarms = dict(alarms or {})
        self.stopped = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Whatever an earlier attempt logged beyond this step did not happen."""
        self._journal.step = state.global_step
        self._journal.metrics("begin", state.global_step, {"pid": os.getpid()})
        verb = "continues after" if state.global_step else "starts at"
        self._journal.event("info", f"training {verb} step {state.global_step}")
        self._journal.beat()

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        """One line per logged step, with the CPU seconds of this process; alarms where a limit is passed."""
        numbers = {key: _number(value) for key, value in (logs or {}).items()}
        kind = "train" if "loss" in numbers else "summary"
        self._journal.metrics(kind, state.global_step, {**numbers, "cpu_seconds": round(time.process_time(), 2)})
        for name, limit in self._alarms.items():
            value = numbers.get(name)
            if isinstance(value, float) and value > limit:
                self._journal.event("warning", f"{name} is {value:.3g}, above {limit:g}")

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Finish the step, save and stop if somebody asked."""
        self._journal.step = state.global_step
        self._journal.beat()
        if ranks.any_of_us(self._journal.run.stop_requested()):
            self.stopped = True
            control.should_save = True
            control.should_training_stop = True
            self._journal.event("info", f"stopping after step {state.global_step}, as asked")

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """A checkpoint is complete."""
        self._journal.event("info", f"checkpoint after step {state.global_step}")


class EarlyStop(TrainerCallback):
    """Stops once the mean loss of the last `window` logged steps is below `limit`.

    The history is the trainer's own, which checkpoints carry: a resumed run stops where it would have
    stopped.
    """

    def __init__(self, limit: float, window: int, journal: Journal) -> None:
        self._limit, self._window, self._journal = limit, window, journal
        self.fired = False

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Look at the losses so far."""
        if self.fired:
            return
        losses = [float(entry["loss"]) for entry in state.log_history if "loss" in entry][-self._window :]
        if len(losses) == self._window and sum(losses) / self._window < self._limit:
            self.fired = True
            control.should_training_stop = True
            control.should_save = True
            self._journal.event("info", f"mean loss of {self._window} steps is below {self._limit:g}: early stop")


class SaveOnSigterm(TrainerCallback):
    """SIGTERM in any process of several: all of them finish the step, save and stop.

    transformers' own answer to SIGTERM lets every process choose its step by its own clock.
    """

    def __init__(self) -> None:
        self._asked = False
        self._before: Any = None

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Listen."""
        self._before = signal.signal(signal.SIGTERM, self._ask)

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Ask the others."""
        if ranks.any_of_us(self._asked):
            control.should_save = True
            control.should_training_stop = True

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        """Listen no more."""
        signal.signal(signal.SIGTERM, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self._asked = True


def _number(value: Any) -> Any:
    try:
        return float(value)
    except (TypeError, ValueError):
        return value
