"""Putting the two roles together: what each conversation starts from, or goes on from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from services_app.builders.model.candidate import Best, Judge, failing_text, from_scratch, with_every_tool
from services_app.builders.model.cases import CASES_PER_TOOL, AdversaryToolbox
from services_app.builders.model.conversation import Conversation, Message, Recorder, Standing, Toolbox, Turn
from services_app.builders.model.limits import Limits
from services_app.builders.model.prompts import adversary_messages, builder_messages
from services_app.builders.model.toolbox import BuilderToolbox
from services_app.builders.model.workspace import Workspace
from services_app.builders.rules import BuiltService
from services_app.specs.model import Specification
from services_app.verification.report import VerificationReport
from workers.llm.client import ModelClient


@dataclass(frozen=True)
class Earlier:
    """What was stored of a conversation that is taken up again."""

    messages: Sequence[dict[str, Any]]
    standing: Standing
    work: dict[str, Any]


@dataclass(frozen=True)
class Means:
    """What a conversation works with, whatever its role. `timer` is in seconds, from any start."""

    client: ModelClient
    recorder: Recorder
    limits: Limits
    timer: Callable[[], float]


@dataclass(frozen=True)
class Start:
    """What the rules builder made and how the gate judged it; `scratch` gives the builder empty files instead.

    `report` counts at the opening only: a conversation that goes on knows its best version itself.
    """

    rules: BuiltService
    report: VerificationReport
    scratch: bool = False

    @property
    def best(self) -> Best:
        return Best(
            builder=self.rules.builder,
            files=self.rules.files,
            left_out=self.rules.left_out,
            verified=self.report.verified,
        )


def builder(
    spec: Specification, start: Start, judge: Judge, name: str, means: Means, earlier: Earlier | None = None
) -> tuple[Conversation, BuilderToolbox]:
    """The coding agent's conversation. `name` is the builder field of the versions it makes."""
    files = from_scratch(spec) if start.scratch else with_every_tool(spec, start.rules)
    toolbox = BuilderToolbox(
        spec, Workspace(start.rules.module, files), judge, start.best, builder=name, reasons=start.rules.left_out
    )
    opening = builder_messages(
        spec,
        start.rules.module,
        start.best,
        failing_text(start.report, frozenset()),
        scratch=start.scratch,
        turns=means.limits.turns,
    )
    return conversation(toolbox, opening, means, earlier), toolbox


def adversary(
    spec: Specification, means: Means, earlier: Earlier | None = None
) -> tuple[Conversation, AdversaryToolbox]:
    """The adversary's conversation. Neither source nor reports come near it."""
    toolbox = AdversaryToolbox(spec)
    opening = adversary_messages(spec, CASES_PER_TOOL, means.limits.turns)
    return conversation(toolbox, opening, means, earlier), toolbox


class Resumable(Toolbox, Protocol):
    """A toolbox that can go on from what its `to_json` gave."""

    def restore(self, work: Mapping[str, Any]) -> None: ...


def conversation(
    toolbox: Resumable, opening: Sequence[Message], means: Means, earlier: Earlier | None = None
) -> Conversation:
    """A conversation that begins with `opening`, or goes on where `earlier` was left."""
    standing = earlier.standing.model_copy(update={"ending": None}) if earlier else Standing()
    if earlier:
        toolbox.restore(earlier.work)
    messages = [dict(message) for message in earlier.messages] if earlier else []
    begun = Conversation(means.client, toolbox, means.recorder, means.limits, means.timer, messages, standing)
    for message in opening[len(messages) :]:
        messages.append(dict(message))
        means.recorder.record(Turn(message), standing, toolbox.to_json())
    return begun
