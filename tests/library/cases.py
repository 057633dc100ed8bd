"""Situations that lead to errors which drawn arguments seldom meet: (service, tool, error) -> how to get there.

Each entry takes a seeded environment (small) and gives the environment to call in and the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from services_app.engine import ProductEnvironment

Env = ProductEnvironment
Situation = tuple[Env, dict[str, Any]]
CASES: dict[tuple[str, str, str], Callable[[Env], Situation]] = {}
MANY = [f"person{number}@many.example" for number in range(60)]


def case(slug: str, tool: str, error: str) -> Callable[[Callable[[Env], Situation]], Callable[[Env], Situation]]:
    def register(function: Callable[[Env], Situation]) -> Callable[[Env], Situation]:
        CASES[slug, tool, error] = function
        return function

    return register
