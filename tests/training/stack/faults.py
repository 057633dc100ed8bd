"""Toy episodes that break where a test wants it."""

import os
from dataclasses import dataclass

from tests.training.toy import ToyEpisode, ToyFactory, make_task


@dataclass
class Unjudged(ToyEpisode):
    """Plays like any other and breaks when it is to be judged, so that all tokens are drawn as they would be."""

    def finish(self, answer: str) -> dict[str, bool | None]:
        raise RuntimeError("the judge died")


class OneUnjudged(ToyFactory):
    """Breaks the episode of `task` that is started as number `number` (1 = the first), and no other."""

    def __init__(self, task: str = "", number: int = 0) -> None:
        super().__init__()
        self.task, self.number = task, number

    def start(self, task_id: str) -> ToyEpisode:
        episode = super().start(task_id)
        if task_id == self.task and self.started.count(task_id) == self.number:
            return Unjudged(make_task(task_id), self.mode)
        return episode


class BrokenInTheSecond(ToyFactory):
    """Cannot be made in the second of several processes."""

    def __init__(self) -> None:
        super().__init__()
        if os.environ["RANK"] == "1":
            raise RuntimeError("no room for the sandbox")
