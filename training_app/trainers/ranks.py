"""Several processes that train one model: what one of them sees, all of them act on at the same step.

Processes that stop or save at different steps wait for each other for ever. Imports nothing of the training
environment before it is asked something.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from workers.embedded.processes import die_with_parent


def count() -> int:
    """How many processes train together."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def number() -> int:
    """Which of them this is, from 0."""
    return int(os.environ.get("RANK", "0"))


def end_with_launcher() -> None:
    """Die when torch's launcher is killed: nobody would tell the others any more that one of them ended."""
    if "TORCHELASTIC_RUN_ID" in os.environ:
        die_with_parent(signal.SIGKILL)


def any_of_us(flag: bool) -> bool:
    """Does any process say so? All of them have to ask, and get the same answer."""
    if count() == 1:
        return flag
    import torch
    from accelerate import PartialState

    raised = torch.tensor(int(flag), device=PartialState().device)
    torch.distributed.all_reduce(raised, torch.distributed.ReduceOp.MAX)
    return bool(raised.item())


def of_first(path: Path | None) -> Path | None:
    """What the first process found; it may still be tidying up while the others look."""
    if count() == 1:
        return path
    from accelerate.utils import broadcast_object_list

    found = broadcast_object_list([str(path or "")], from_process=0)[0]
    return Path(found) if found else None


def leave_together() -> None:
    """The end of a run that went well: nobody goes before the first process has written the last file.

    A process that ends with its connections open may abort, and the launcher then kills the others.
    """
    if count() == 1:
        return
    import torch

    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
