"""The engine: services, tools, product environments. Pure Python; knows no web framework and no database."""

from services_app.engine.context import CallContext, SeedContext
from services_app.engine.environment import Edit, ProductEnvironment
from services_app.engine.errors import (
    EngineError,
    ServiceDefect,
    ToolError,
    conflict,
    forbidden,
    invalid,
    not_found,
)
from services_app.engine.service import Service
from services_app.engine.state import About, Record, State, Table
from services_app.engine.tool import UNSET, Example, Unset, given

__all__ = [
    "UNSET",
    "About",
    "CallContext",
    "Edit",
    "EngineError",
    "Example",
    "ProductEnvironment",
    "Record",
    "SeedContext",
    "Service",
    "ServiceDefect",
    "State",
    "Table",
    "ToolError",
    "Unset",
    "conflict",
    "forbidden",
    "given",
    "invalid",
    "not_found",
]
