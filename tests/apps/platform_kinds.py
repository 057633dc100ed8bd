"""Run kinds for the worker tests. The worker imports this module; side effects go to a file the test reads."""

import os
import time
from datetime import timedelta
from pathlib import Path

from webapp.common import run_context, runs

run_context.CANCEL_GRACE = timedelta(seconds=1)


def _note(ctx, word):
    """One line appended atomically: which step was done, by which attempt and process."""
    with Path(ctx.payload["file"]).open("a") as file:
        file.write(f"{word} {ctx.attempt} {os.getpid()}\n")


@runs.register("test-steps", queue="default", lease_seconds=4)
def steps(ctx):
    """Five steps; what the log says is done is not done again. Attempt 1 waits in step 3 to be killed."""
    done = set(ctx.run.events.filter(message__startswith="step ").values_list("message", flat=True))
    for number in range(1, 6):
        ctx.checkpoint()
        if f"step {number}" in done:
            continue
        if number == 3 and ctx.attempt == 1:
            _note(ctx, "waiting")
            time.sleep(60)
        _note(ctx, f"step-{number}")
        ctx.log(f"step {number}")
        ctx.progress(done=number, total=5, unit="steps")
    return {"steps": 5}


@runs.register("test-once", queue="default", lease_seconds=4, resumable=False)
def once(ctx):
    _note(ctx, "waiting")
    time.sleep(60)


@runs.register("test-wait", queue="default", lease_seconds=4)
def wait(ctx):
    """Waits for cancel, longer than its lease: only the heartbeat keeps it."""
    _note(ctx, "waiting")
    while True:
        ctx.checkpoint()
        time.sleep(0.1)


@runs.register("test-stubborn", queue="default", lease_seconds=4)
def stubborn(ctx):
    """Never asks whether it should stop."""
    _note(ctx, "waiting")
    while True:
        time.sleep(1)


@runs.register("test-quick", queue="default")
def quick(ctx):
    _note(ctx, "quick")
    return {}
