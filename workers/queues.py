"""The queues by kind of work; the same names in the code, under `up` and in production."""

from typing import Final, Literal, get_args

QueueName = Literal["default", "build", "author", "rollout", "export", "train"]

ALL: Final[tuple[QueueName, ...]] = get_args(QueueName)
DEFAULT: Final[QueueName] = "default"

# What one worker takes when everything runs on one machine: long work never keeps short work waiting,
# and there is one training run at a time.
LONG: Final[tuple[QueueName, ...]] = ("build", "author", "rollout")
SHORT: Final[tuple[QueueName, ...]] = ("default", "export")
TRAINING: Final[tuple[QueueName, ...]] = ("train",)
