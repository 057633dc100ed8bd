"""Configurations of the two trainers. Numbers of the paper live here and nowhere else.

A configuration is frozen, travels as JSON (`D/config.json`) and says in words what is wrong with it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from training_app.evaluation.config import EvaluationConfig

Schedule = Literal["constant", "constant_with_warmup", "cosine", "linear"]
RewardVariant = Literal["completion_focused", "equal", "binary"]
LossType = Literal["grpo", "dapo", "dr_grpo", "bnpo"]
PRESETS = ("paper", "cpu-proof", "lora-small-gpu", "multi-gpu")
Sharding = Literal["none", "zero2", "zero3", "fsdp"]


class Lora(BaseModel):
    """Low-rank adapters instead of all weights."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rank: int = Field(default=16, ge=1, le=512, description="Rank of the adapters.")
    alpha: int = Field(default=32, ge=1, description="Scale of the adapters; twice the rank is customary.")
    target: str = Field(default="all-linear", description="Which layers get an adapter.")


class TrainerConfig(BaseModel):
    """What both trainers share."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: str = Field(default="custom", description="The preset this configuration started from.")
    model: str = Field(min_length=1, description="Directory of the starting checkpoint, or a hub name.")
    dataset: str = Field(min_length=1, description="Path of the JSONL file with the training records.")
    seed: int = Field(default=0, ge=0, lt=2**32, description="Seed of sampling, shuffling and new weights.")
    learning_rate: float = Field(gt=0, le=1, description="Peak learning rate of Adam.")
    schedule: Schedule = Field(default="constant_with_warmup", description="Course of the learning rate.")
    warmup_steps: int = Field(default=0, ge=0, description="Steps of linear warm-up.")
    adam_beta2: float = Field(default=0.999, gt=0, lt=1, description="Adam's decay of squared gradients.")
    weight_decay: float = Field(default=0.0, ge=0, description="Decoupled weight decay.")
    max_gradient_norm: float = Field(default=1.0, gt=0, description="Gradients are clipped to this norm.")
    micro_batch: int = Field(default=1, ge=1, description="Sequences per forward pass on one device.")
    device: Literal["cpu", "cuda"] = Field(default="cuda", description="Where the run computes.")
    precision: Literal["float32", "bfloat16"] = Field(default="bfloat16", description="Number format.")
    processes: int = Field(default=1, ge=1, le=4096, description="Processes that train together, one per GPU.")
    nodes: int = Field(default=1, ge=1, le=512, description="Machines that they run on, the same number on each.")
    sharding: Sharding = Field(
        default="none",
        description="What is spread over the processes: nothing, gradients and optimizer (zero2), weights too "
        "(zero3, fsdp). The zero kinds need DeepSpeed in the training environment.",
    )
    threads: int = Field(default=0, ge=0, description="CPU threads of the tensor library; 0 = its own choice.")
    gradient_checkpointing: bool = Field(default=False, description="Recompute activations to save memory.")
    lora: Lora | None = Field(default=None, description="Adapters; empty = train all weights.")
    save_every: int = Field(default=50, ge=1, description="Steps between checkpoints.")
    keep_checkpoints: int = Field(default=2, ge=1, description="How many of the newest checkpoints are kept.")
    provenance: dict[str, str] = Field(
        default_factory=dict,
        description="Dataset version hash, task hashes and the like, stored with the run.",
    )

    @model_validator(mode="after")
    def _processes_fit(self) -> Self:
        if self.processes % self.nodes:
            raise ValueError(f"{self.processes} processes do not divide into {self.nodes} nodes")
        if self.sharding != "none" and self.processes == 1:
            raise ValueError(f"sharding {self.sharding} needs more than one process")
        if self.device == "cpu" and (self.sharding != "none" or self.nodes > 1):
            raise ValueError("sharding and several nodes need device cuda")
        return self

    @model_validator(mode="after")
    def _numbers_fit_the_device(self) -> Self:
        if self.device == "cpu" and self.precision == "bfloat16":
            raise ValueError("bfloat16 is some ten times slower than float32 on a CPU: choose precision float32 there")
        return self

    def to_json(self) -> str:
        """The text of `config.json`."""
        return self.model_dump_json(indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Read `config.json`. Raises pydantic's ValidationError, whose messages name the field."""
        return cls.model_validate_json(text)


def _on(processes: int) -> str:
    return f" on {processes} processes" if processes > 1 else ""


class SFTConfig(TrainerConfig):
    """Supervised fine-tuning on verified successful trajectories; loss on assistant turns only."""

    kind: Literal["sft"] = "sft"
    epochs: float = Field(default=3.0, gt=0, description="Passes over the data. Paper: 3.")
    global_batch: int = Field(default=32, ge=1, description="Sequences per optimizer step. Paper: 32.")
    learning_rate: float = Field(default=1e-4, gt=0, le=1, description="Peak learning rate. Paper: 1e-4.")
    max_steps: int | None = Field(default=None, ge=1, description="Stop after so many steps; empty = by epochs.")
    max_length: int = Field(
        default=32768, ge=8, description="Longest sequence in tokens. Longer ones are never cut silently."
    )
    holdout: str | None = Field(
        default=None, description="Records that must stay unseen; shared families or tasks refuse the launch."
    )
    overlong: Literal["refuse", "drop"] = Field(
        default="refuse",
        description="What happens to longer sequences: refuse the launch, or leave them out.",
    )
    masks: Literal["markers", "rendered"] = Field(
        default="markers",
        description="Where the trained tokens come from: generation markers of the chat template, or also, where it "
        "has none, prompts rendered turn by turn.",
    )
    fill_batches: bool = Field(
        default=False,
        description="Repeat all rows until they make whole batches, so that every step has the same number of "
        "sequences; without it the last step of an epoch has what is left.",
    )
    stop_loss: float | None = Field(
        default=None,
        gt=0,
        description="Stop early once the mean loss of the last `stop_window` steps is below.",
    )
    stop_window: int = Field(default=3, ge=1, description="Steps averaged for `stop_loss`.")
    evaluate_every: int | None = Field(
        default=None, ge=1, description="Play held-out tasks before the first and after so many steps; empty = never."
    )
    evaluate_tasks: int = Field(default=16, ge=1, le=1000, description="How many held-out tasks are played each time.")
    evaluation: EvaluationConfig | None = Field(
        default=None, description="Which tasks those are and how they are played; its model is the one in training."
    )

    @model_validator(mode="after")
    def _weights_are_whole(self) -> Self:
        if self.evaluate_every is not None and self.sharding != "none":
            raise ValueError(
                f"evaluate_every plays with the weights of one process, and sharding {self.sharding} spreads them: "
                "leave evaluate_every empty, or evaluate checkpoints"
            )
        return self

    @model_validator(mode="after")
    def _batch_divides(self) -> Self:
        per_pass = self.micro_batch * self.processes
        if self.global_batch % per_pass:
            raise ValueError(
                f"global_batch {self.global_batch} is no multiple of micro_batch {self.micro_batch}"
                f"{_on(self.processes)}: each optimizer step must hold whole micro batches"
            )
        return self


class GRPOConfig(TrainerConfig):
    """Group-relative policy optimisation on tasks, with the rubric reward of a whole group."""

    kind: Literal["grpo"] = "grpo"
    learning_rate: float = Field(default=1e-5, gt=0, le=1, description="Learning rate of Adam. Paper: 1e-5.")
    schedule: Schedule = Field(default="constant_with_warmup", description="Course of the learning rate.")
    steps: int = Field(default=200, ge=1, description="Optimizer steps.")
    group_size: int = Field(default=8, ge=2, le=256, description="Rollouts per task, N. Paper: 8.")
    groups_per_step: int = Field(default=8, ge=1, description="Tasks per step.")
    iterations: int = Field(default=1, ge=1, description="Updates per batch of rollouts.")
    epsilon: float = Field(default=0.2, gt=0, lt=1, description="Lower clip range. Paper: 0.2.")
    epsilon_high: float = Field(default=0.28, gt=0, lt=1, description="Upper clip range. Paper: 0.28.")
    beta: float = Field(default=0.0, ge=0, description="Weight of the KL term. Paper: 0 (none).")
    entropy_coef: float = Field(default=0.0, ge=0, description="Weight of the entropy bonus. Paper: 0.")
    loss_type: LossType = Field(
        default="grpo", description="How token losses are averaged. The paper does not say; set on purpose."
    )
    scale_rewards: Literal["group", "none"] = Field(
        default="group", description="Divide by the group's deviation, or only subtract its mean."
    )
    reward: RewardVariant = Field(
        default="completion_focused", description="Rubric reward. Paper: completion-focused weights."
    )
    lam: float = Field(
        default=0.01,
        ge=0,
        le=1,
        description="λ, the weight that a criterion keeps when all meet it. Paper: 0.01.",
    )
    min_valid: int = Field(
        default=2,
        ge=2,
        description="Groups with fewer valid rollouts yield no update (dead rollouts never count).",
    )
    unknown_everywhere: Literal["exclude_criterion", "drop_group"] = Field(
        default="exclude_criterion",
        description="A criterion on which no rollout of a group could be judged: leave it out, or the group.",
    )
    mask_truncated: bool = Field(default=False, description="Leave truncated rollouts out of the loss.")
    temperature: float = Field(default=1.0, gt=0, le=2, description="Sampling temperature of rollouts.")
    max_turns: int = Field(default=24, ge=1, description="Model turns per episode.")
    max_turn_tokens: int = Field(default=2048, ge=1, description="Tokens per model turn.")
    max_completion_length: int = Field(
        default=16384,
        ge=2,
        description="Tokens of the whole episode after the prompt, observations included.",
    )
    observation_characters: int = Field(
        default=16000, ge=64, description="Longer observations keep their head and tail, with a mark between."
    )
    system_prompt: str = Field(default="", description="System message; must be the one the SFT data used.")
    episodes: str = Field(
        pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$",
        description="`package.module:factory`, the callable that makes the episode factory.",
    )
    episode_arguments: dict[str, JsonValue] = Field(
        default_factory=dict, description="Keyword arguments of the episode factory."
    )
    episode_workers: int = Field(default=1, ge=1, le=256, description="Environments stepped at the same time.")
    invalid_pause: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="Stop the run when a larger share of a step's rollouts is invalid.",
    )
    gap_alarm: float = Field(
        default=0.1,
        gt=0,
        description="Alarm when sampler and trainer log-probabilities differ by more (mean).",
    )
    clipped_alarm: float = Field(default=0.5, gt=0, le=1, description="Alarm above this share of cut rollouts.")
    retire_after: int | None = Field(
        default=None, ge=1, description="Take a task out of the pool after so many dead groups in a row."
    )
    curriculum_steps: int | None = Field(
        default=None,
        ge=1,
        description="Open the tasks from the least K and L on, all of them after so many steps; empty = all at once.",
    )
    lean_to_failures: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="How much the choice of tasks leans to those that fail now; 0 = all alike, 1 = by failures alone.",
    )
    reference: str | None = Field(
        default=None,
        description="SFT records of the same tasks: their lengths are compared with the completion budget.",
    )
    vllm: Literal["off", "colocate", "server"] = Field(
        default="off", description="Sample with vLLM: on the training GPUs (colocate), or through a server of its own."
    )
    vllm_server: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s/?#]+(/[^\s?#]*)?$",
        description="Address of the vLLM server, such as http://sampler:8000; only with vllm = server.",
    )

    @model_validator(mode="after")
    def _groups_are_whole(self) -> Self:
        rollouts = self.group_size * self.groups_per_step
        if rollouts % (self.micro_batch * self.processes):
            raise ValueError(
                f"{self.groups_per_step} groups of {self.group_size} make {rollouts} rollouts, "
                f"no multiple of micro_batch {self.micro_batch}{_on(self.processes)}"
            )
        if self.min_valid > self.group_size:
            raise ValueError(f"min_valid {self.min_valid} is larger than group_size {self.group_size}")
        if self.epsilon_high < self.epsilon:
            raise ValueError("epsilon_high must not be smaller than epsilon")
        if self.max_turn_tokens > self.max_completion_length:
            raise ValueError("max_turn_tokens must not exceed max_completion_length, which covers the whole episode")
        return self

    @model_validator(mode="after")
    def _sampler_is_complete(self) -> Self:
        if self.vllm != "off" and self.device == "cpu":
            raise ValueError("vLLM sampling needs device cuda")
        if self.vllm == "server" and self.vllm_server is None:
            raise ValueError("vllm = server needs vllm_server, the address of the server, such as http://sampler:8000")
        if self.vllm != "server" and self.vllm_server is not None:
            raise ValueError(f"vllm_server is only used with vllm = server, and vllm is {self.vllm}")
        return self


AnyConfig = Annotated[SFTConfig | GRPOConfig, Field(discriminator="kind")]

_CPU: dict[str, Any] = {"device": "cpu", "precision": "float32", "threads": 1}
# One machine with eight GPUs; weights, gradients and optimizer spread over them without another package.
_MULTI: dict[str, Any] = {"processes": 8, "sharding": "fsdp", "gradient_checkpointing": True, "micro_batch": 1}
_LORA: dict[str, Any] = {"lora": Lora(), "gradient_checkpointing": True, "micro_batch": 4}
_SFT: dict[str, dict[str, Any]] = {
    "paper": {"micro_batch": 1, "gradient_checkpointing": True},
    # Measured: a 0.3 M model reaches held-out success 1.00 in about 110 steps, 20 CPU seconds.
    "cpu-proof": {
        **_CPU,
        "learning_rate": 4e-3,
        "warmup_steps": 20,
        "adam_beta2": 0.98,
        "epochs": 1.0,
        "global_batch": 16,
        "micro_batch": 16,
        "max_length": 1024,
        "stop_loss": 0.05,
    },
    "lora-small-gpu": {**_LORA, "learning_rate": 2e-4, "schedule": "cosine", "max_length": 8192},
    "multi-gpu": {**_MULTI},
}
_GRPO: dict[str, dict[str, Any]] = {
    "paper": {"micro_batch": 1, "gradient_checkpointing": True},
    # Measured: success at T = 1 from .52 to .91 in 50 steps, 85 CPU seconds; 1e-3 fails.
    "cpu-proof": {
        **_CPU,
        "learning_rate": 3e-4,
        "warmup_steps": 3,
        "steps": 50,
        "micro_batch": 64,
        "max_turns": 8,
        "max_turn_tokens": 48,
        "max_completion_length": 256,
        "observation_characters": 2000,
    },
    "lora-small-gpu": {**_LORA, "groups_per_step": 4, "max_completion_length": 8192},
    "multi-gpu": {**_MULTI, "episode_workers": 16},
}


def sft_preset(name: str, **overrides: Any) -> SFTConfig:
    """An SFT configuration from one of `PRESETS` and overrides."""
    return SFTConfig.model_validate(_preset(_SFT, name) | overrides)


def grpo_preset(name: str, **overrides: Any) -> GRPOConfig:
    """A GRPO configuration from a preset and overrides; `model`, `dataset` and `episodes` are needed."""
    return GRPOConfig.model_validate(_preset(_GRPO, name) | overrides)


def _preset(table: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    if name not in table:
        raise ValueError(f"no preset {name!r}: choose one of {', '.join(PRESETS)}")
    return {"preset": name, **table[name]}
