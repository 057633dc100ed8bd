"""Situations that lead to errors which drawn arguments seldom meet: (service, tool, error) -> how to get there.

Each entry takes a seeded environment (small) and gives the environment to call in and the arguments.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from services_app.engine import ProductEnvironment

Env = ProductEnvironment
Situation = tuple[Env, dict[str, Any]]
CASES: dict[tuple[str, str, str], Callable[[Env], Situation]] = {}
PEOPLE = [
    ("mail", "contacts"),
    ("crm", "contacts"),
    ("crm", "users"),
    ("help-desk", "requesters"),
    ("help-desk", "agents"),
    ("calendar", "attendees"),
    ("chat", "users"),
]
COMPANIES = [
    ("crm", "accounts"),
    ("invoicing", "customers"),
    ("help-desk", "organizations"),
    ("sql-warehouse", "customers"),
]
"""(service, table) of people and of companies; modules of cases add theirs."""
MANY = [f"person{number}@many.example" for number in range(60)]


def case(slug: str, tool: str, error: str) -> Callable[[Callable[[Env], Situation]], Callable[[Env], Situation]]:
    def register(function: Callable[[Env], Situation]) -> Callable[[Env], Situation]:
        CASES[slug, tool, error] = function
        return function

    return register


def load_cases() -> None:
    """Import every module of cases beside this one, so that each registers what it knows."""
    for found in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if found.name.startswith("cases_"):
            importlib.import_module(f"{__package__}.{found.name}")
