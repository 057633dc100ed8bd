"""Bodies of the REST API of compositions and of generating tasks."""

from __future__ import annotations

from typing import Literal

from rest_framework import serializers

from services_app.api_parts import MAX_SEED, ModelAskedSerializer, StrictSerializer, WordField
from tasks_app.actions import MAX_TASKS
from tasks_app.authors.tongue import LANGUAGES
from tasks_app.engine.chances import DEFAULT_MODE, MODES, Mode
from tasks_app.engine.sampling import MAX_DISTRACTORS
from tasks_app.engine.task import Frozen
from tasks_app.engine.walk import MAX_SERVICES
from tasks_app.model_writing import AUTHORS

LONGEST_WALK = 40


class CompositionSerializer(StrictSerializer):
    """What to draw, in the names of the compose page."""

    k = serializers.IntegerField(min_value=1, max_value=MAX_SERVICES, help_text="Services needed.")
    distractors = serializers.IntegerField(default=0, min_value=0, max_value=MAX_DISTRACTORS)
    length_min = serializers.IntegerField(min_value=1, max_value=LONGEST_WALK, help_text="Walk length from.")
    length_max = serializers.IntegerField(min_value=1, max_value=LONGEST_WALK, help_text="Walk length to.")
    seed = serializers.IntegerField(default=1, min_value=0, max_value=MAX_SEED)
    mode = WordField(
        "SamplingMode",
        MODES,
        default=DEFAULT_MODE,
        help_text="How services are drawn: preferring those that can feed each other, all sets alike, all domains "
        "alike, or where a policy fails.",
    )
    policy = serializers.CharField(
        default="", allow_blank=True, max_length=120, help_text="With `failures`: the policy whose rollouts count."
    )
    services = serializers.ListField(
        child=serializers.SlugField(max_length=48),
        default=list,
        max_length=1_000,
        help_text="Draw only from these; none means all that are ready.",
    )


class GenerateSerializer(ModelAskedSerializer, CompositionSerializer):
    """`model`, `limits`, `reply_tokens` and `solver` are for tasks with a model at work."""

    count = serializers.IntegerField(min_value=1, max_value=MAX_TASKS, help_text="Tasks wanted.")
    author = WordField("Author", AUTHORS, default="rules")
    language = WordField("InstructionLanguage", LANGUAGES, default="en", help_text="What instructions are written in.")
    rephrase = serializers.BooleanField(default=False, help_text="A model rewords what the rules author wrote.")
    solver = serializers.CharField(
        required=False, max_length=200, help_text="Another model that has to solve what the model author wrote."
    )


class GraphNode(Frozen):
    """One mounted service."""

    slug: str
    title: str
    role: Literal["needed", "distractor"]
    visits: tuple[int, ...] = ()
    """Positions in the walk, from 1."""


class DrawnEdge(Frozen):
    """One step of a drawn walk."""

    position: int
    source: str
    target: str
    revisit: bool
    kinds: tuple[str, ...]
    """Kinds of information that the source shows and the target takes."""


class DrawnGraph(Frozen):
    """The walk as nodes and edges."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[DrawnEdge, ...]


class CompositionCounts(Frozen):
    """How large the space is that was drawn from."""

    pool: int
    compositions: int
    """Sets of K services: C(pool, K)."""
    one_more: int
    """Sets that one more service would add."""
    walks: int
    """Walks over one set, of all lengths in the range."""
    used: int
    """Sets of exactly K of these services that have a task already."""


class CompositionPreview(Frozen):
    """One composition as the numbers and the seed draw it; generating may use another draw of the same kind."""

    seed: int
    mode: Mode
    likelihood: float
    """How likely the set of needed services is in this mode, whatever the seed."""
    even_likelihood: float
    """The same if all sets were alike: 1 / compositions."""
    unmeasured: int
    """Services of the pool whose effects are not measured yet; a job measures them first and may draw others then."""
    simulated_share: float
    """Share of the usable tools of the mounted services that a world model answers for."""
    needed: tuple[str, ...]
    distractors: tuple[str, ...]
    mounted: tuple[str, ...]
    walk: tuple[str, ...]
    counts: CompositionCounts
    graph: DrawnGraph
