"""EXPLORE: effect profiles, measured by calling tools on forks of seeded state.

A profile says what a tool does without looking at its code: which records its arguments select, which fields
its answer returns, which figures are derived and from what, what it creates and changes, where its arguments
land, which states of a record make it refuse. Nothing but the environment's public methods is used, so a
service in a sandbox is profiled the same way as one in this process.

Columns are written `table.field`; paths are `$.tickets[*].id`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from services_app.engine.catalogue import ServiceInfo
from services_app.engine.protocol import Environment
from tasks_app.engine.columns import Column, columns_of

Mode = Literal["equal", "contains"]


class Measured(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Landing(Measured):
    """Where an argument ends up: `set` as it is, `contained` inside a text, `member` of a list."""

    column: str
    mode: Literal["set", "contained", "member"]


class ParameterProfile(Measured):
    """One parameter of a tool."""

    required: bool
    type: str
    many: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    kind: str = ""
    unit: str = ""
    selects: dict[str, Mode] = Field(default_factory=dict)
    """Columns by which the parameter selects records."""
    target: str = ""
    """Column that names the record acted upon or referred to."""
    must_exist: str = ""
    """Column in which the value has to occur, although it is then copied."""
    closed: bool = False
    """Only values that exist are taken, and no record could be planted that makes a new one acceptable."""
    when: Literal["", "past", "future"] = ""
    """For dates and instants: the side of today on which they have to lie."""
    lands: tuple[Landing, ...] = ()
    worked: tuple[float, ...] = ()
    """Numbers in calls that succeeded, most frequent first."""
    filler: Any = None
    """A constant that lets a required range parameter through ("from the first day on")."""


class DerivedFigure(Measured):
    """A number in the answer that is computed: `depends` holds columns, and `table.+` for the number of rows."""

    path: str
    depends: tuple[str, ...]
    whole: bool
    """Whole number in every sample."""
    moved_by: tuple[str, ...] = ()
    """Tools of the same service that were seen to change the figure of a record they touch."""


class ToolProfile(Measured):
    """What one tool was seen to do."""

    tool: str
    parameters: dict[str, ParameterProfile]
    reads: tuple[str, ...] = ()
    creates: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()
    returns: dict[str, str] = Field(default_factory=dict)
    """Column -> path in the answer."""
    derived: tuple[DerivedFigure, ...] = ()
    constants: dict[str, Any] = Field(default_factory=dict)
    """Columns written with one value whatever the arguments."""
    generated: dict[str, str] = Field(default_factory=dict)
    """Columns filled by the service -> path in the answer ("" when not shown)."""
    allowed: dict[str, tuple[Any, ...]] = Field(default_factory=dict)
    """Columns of the target for which only these values let the call through."""
    repeat: str = ""
    """What the same call does a second time: same, again, refused:<type>."""
    errors: tuple[str, ...] = ()
    base: dict[str, Any] | None = None
    """Arguments of a call that worked; None when no working call was found."""
    calls: int = 0

    @property
    def writes(self) -> bool:
        return bool(self.creates or self.changes or self.deletes)

    @property
    def works(self) -> bool:
        return self.base is not None


class ColumnProfile(Measured):
    """What is known of a column."""

    kind: str
    unit: str = ""
    target: str = ""
    choices: tuple[str, ...] = ()
    many: bool = False
    nullable: bool = False
    unique: bool = False
    system: bool = False


class ServiceProfile(Measured):
    """All tools and columns of one service, at one version."""

    service: str
    version_hash: str
    columns: dict[str, ColumnProfile]
    tools: dict[str, ToolProfile]

    @property
    def calls(self) -> int:
        return sum(tool.calls for tool in self.tools.values())

    @property
    def unusable(self) -> tuple[str, ...]:
        """Tools for which no working call was found."""
        return tuple(name for name, tool in self.tools.items() if not tool.works)


def in_order(profile: ServiceProfile, info: ServiceInfo) -> ServiceProfile:
    """The profile in the order of the service: a database that stored it may have put its keys in another."""
    tools = {}
    for name in _as_in(info.tools, profile.tools):
        tool = profile.tools[name]
        known = info.tools[name].input_schema.get("properties", {}) if name in info.tools else {}
        parameters = {
            key: detail.model_copy(update={"selects": dict(sorted(detail.selects.items()))})
            for key, detail in ((key, tool.parameters[key]) for key in _as_in(known, tool.parameters))
        }
        loose = {
            key: dict(sorted(getattr(tool, key).items())) for key in ("returns", "constants", "generated", "allowed")
        }
        tools[name] = tool.model_copy(update={"parameters": parameters, **loose})
    fields = [f"{table}.{field}" for table, one in info.tables.items() for field in one.schema["properties"]]
    columns = {key: profile.columns[key] for key in _as_in(fields, profile.columns)}
    return profile.model_copy(update={"tools": tools, "columns": columns})


def _as_in(order: Iterable[str], names: Mapping[str, Any]) -> list[str]:
    return [*(name for name in order if name in names), *sorted(set(names) - set(order))]


def profile_service(environment: Environment, slug: str, *, seed: int = 0) -> ServiceProfile:
    """Measure every tool of a mounted service, about 90 calls each. Deterministic for one state and seed.

    `environment` is not changed. Raises KeyError for a service that is not mounted.
    """
    from tasks_app.engine.figures import add_figures
    from tasks_app.engine.probing import Prober
    from tasks_app.engine.reading import measure_reader
    from tasks_app.engine.writing import measure_writer

    info = environment.catalogue.services[slug]
    prober = Prober(environment, slug, random.Random(f"profile:{slug}:{seed}"))  # noqa: S311 - reproducible probing
    tools = {}
    writes: dict[str, list[Any]] = {}
    for name in environment.catalogue.tools[slug]:
        if (slug, name) in environment.catalogue.simulated:
            continue  # probing would ask the world model hundreds of times
        samples = prober.start(name)
        measured: dict[str, Any] = {}
        if any(sample.changes for sample in samples):
            writes[name] = [sample for sample in samples if sample.changes]
            measured = measure_writer(prober, samples)
        elif samples:
            measured = measure_reader(prober, samples)
        tools[name] = prober.finish(measured)
    tools = add_figures(prober, tools, writes)
    prober.close()
    return ServiceProfile(
        service=slug, version_hash=info.version_hash, columns=column_profiles(environment, slug), tools=tools
    )


def column_profiles(environment: Environment, slug: str) -> dict[str, ColumnProfile]:
    """The columns of a service in the form that profiles store."""
    return {key: _column_profile(column) for key, column in columns_of(environment, slug).items()}


def _column_profile(column: Column) -> ColumnProfile:
    return ColumnProfile(
        kind=column.kind,
        unit=column.unit,
        target=column.target,
        choices=column.choices,
        many=column.many,
        nullable=column.nullable,
        unique=column.unique,
        system=column.system,
    )
