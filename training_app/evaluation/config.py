"""The configuration of an evaluation of a local checkpoint: `D/config.json` with kind "evaluate"."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class EvaluationConfig(BaseModel):
    """Which checkpoint plays which tasks, and how. Limits are those of training, so that figures compare."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["evaluate"] = "evaluate"
    model: str = Field(min_length=1, description="Directory of the checkpoint.")
    dataset: str = Field(min_length=1, description="JSONL file of prompt records (task_id).")
    episodes: str = Field(
        pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$", description="`package.module:factory`, as in training."
    )
    episode_arguments: dict[str, JsonValue] = Field(default_factory=dict)
    attempts: int = Field(default=1, ge=1, le=64, description="Attempts per task.")
    temperature: float = Field(default=0.0, ge=0, le=2, description="0 = greedy.")
    batch: int = Field(default=64, ge=1, description="Episodes played at once.")
    seed: int = Field(default=0, ge=0)
    threads: int = Field(default=1, ge=0, description="CPU threads; 0 = the library's choice.")
    device: Literal["cpu", "cuda"] = "cpu"
    precision: Literal["float32", "bfloat16"] = "float32"
    max_turns: int = Field(default=24, ge=1)
    max_turn_tokens: int = Field(default=2048, ge=1)
    max_completion_length: int = Field(default=16384, ge=2)
    observation_characters: int = Field(default=16000, ge=64)
    system_prompt: str = ""
    episode_workers: int = Field(default=1, ge=1, le=256)

    def to_json(self) -> str:
        """The text of `config.json`."""
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read it back. Raises pydantic's ValidationError."""
        return cls.model_validate_json(text)
