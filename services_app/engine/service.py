"""A service: named state type, tools and seed. Registration is a plain object, nothing is magic.

mail = Service("mail", title="Mail", domain="communication", description="...", state=MailState, files=__file__)

@mail.tool(phrase="send a message to {to}")
def send_message(state: MailState, ctx: CallContext, to: list[Email], subject: str, body: str) -> Message:
    \"\"\"Send a message. Errors: `unknown_recipient`.\"\"\"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from services_app.engine.context import SeedContext
from services_app.engine.errors import EngineError, ServiceDefect
from services_app.engine.naming import MAX_SLUG, SLUG, exposed_names
from services_app.engine.plain import JsonValue, digest
from services_app.engine.state import Record, State, table_types
from services_app.engine.store import CLOCK_START, Rows, Store, TableKey
from services_app.engine.tool import Example, Tool, tool_from_function

F = TypeVar("F", bound=Callable[..., Any])
SCALES = tuple(SeedContext.SCALES)
ENGINE_VERSION = 1  # part of every service hash: raise it when the meaning of a call changes


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What is known of a table without looking at code: for authors, pages and exports."""

    name: str
    noun: str
    plural: str
    key: str
    carrier: str
    schema: dict[str, Any]
    semantics: dict[str, dict[str, Any]]


class Service:
    """Definition of one simulated application. Holds no state; environments do."""

    def __init__(
        self,
        slug: str,
        *,
        title: str,
        description: str,
        state: type[State],
        domain: str = "other",
        files: str | Mapping[str, str] = "",
    ) -> None:
        if not SLUG.match(slug) or len(slug) > MAX_SLUG:
            raise EngineError(
                f"service slug {slug!r}: use lower-case words joined by '-', at most {MAX_SLUG} characters"
            )
        self.slug = slug
        self.title = title
        self.description = description
        self.domain = domain
        self.state_type = state
        self.tools: dict[str, Tool] = {}
        self._files = files
        self._seed: Callable[[Any, SeedContext], None] | None = None
        self._templates: dict[tuple[int, str, str], dict[TableKey, Rows]] = {}

    def tool(self, *, phrase: str = "", examples: tuple[Example, ...] = ()) -> Callable[[F], F]:
        """Register a function as a tool; its signature and docstring give the schema."""

        def register(function: F) -> F:
            self._add(tool_from_function(function, phrase=phrase, examples=examples))
            return function

        return register

    def spec_tool(self, name: str, description: str, input_schema: dict[str, Any], **more: Any) -> Callable[[F], F]:
        """Register `function(state, ctx, arguments)` under an imported name and schema."""

        def register(function: F) -> F:
            self._add(
                Tool(
                    name=name,
                    function=function,
                    description=description,
                    input_schema=input_schema,
                    by_keyword=False,
                    **more,
                )
            )
            return function

        return register

    def _add(self, tool: Tool) -> None:
        if tool.name in self.tools:
            raise ServiceDefect(f"service {self.slug} has two tools named {tool.name}")
        self.tools[tool.name] = tool

    def seed(self, function: Callable[[Any, SeedContext], None]) -> Callable[[Any, SeedContext], None]:
        """Register the function that fills a fresh state with linked records."""
        self._seed = function
        return function

    def template(self, *, seed: int, scale: str, clock: str = CLOCK_START) -> dict[TableKey, Rows]:
        """Seeded rows, built and validated once per process and shared by every environment."""
        key = (seed, scale, clock)
        if key not in self._templates:
            store = Store(self.empty_rows(), seed=seed, clock=clock)
            if self._seed is not None:
                self._seed(
                    self.state_type(store, self.slug),
                    SeedContext(store, seed=seed, scale=scale, service=self.slug),
                )
            if len(self._templates) >= 8:
                self._templates.pop(next(iter(self._templates)))
            self._templates[key] = store.rows
        return self._templates[key]

    def empty_rows(self) -> dict[TableKey, Rows]:
        return {(self.slug, name): {} for name in self.tables}

    @cached_property
    def tables(self) -> dict[str, type[Record]]:
        return table_types(self.state_type)

    @cached_property
    def exposed(self) -> dict[str, str]:
        """Tool name -> name shown to agents."""
        return exposed_names(self.slug, self.tools)

    @cached_property
    def table_info(self) -> dict[str, TableInfo]:
        """Schema and meaning of every table."""
        return {name: _table_info(name, record_type) for name, record_type in self.tables.items()}

    @cached_property
    def files(self) -> dict[str, str]:
        """Source text by file name: what a curator reads and what the hash covers."""
        if isinstance(self._files, str):
            folder = Path(self._files).parent
            return {path.name: path.read_text() for path in sorted(folder.glob("*.py"))} if self._files else {}
        return dict(self._files)

    @cached_property
    def version_hash(self) -> str:
        """Content hash of the service: source, tools as agents see them, engine version."""
        tools = {tool.name: [tool.description, tool.input_schema] for tool in self.tools.values()}
        body: JsonValue = {"engine": ENGINE_VERSION, "slug": self.slug, "files": self.files, "tools": tools}
        return digest(body)


def _table_info(name: str, record_type: type[Record]) -> TableInfo:
    about = record_type.about
    meanings = {
        field: {
            "kind": meaning.kind,
            "unit": meaning.unit,
            "target": meaning.target,
            "system": meaning.system,
        }
        for field, meaning in record_type.semantics().items()
    }
    schema = record_type.model_json_schema()
    return TableInfo(name, about.noun, about.plural or f"{about.noun}s", about.key, about.carrier, schema, meanings)
