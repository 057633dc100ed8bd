"""Writing a plan down as the Python a person would write: state.py, tools.py, seed.py, spec.py, __init__.py."""

from __future__ import annotations

import json
import pprint
from typing import Any

from services_app.builders.lines import wrapped
from services_app.builders.own_tests import own_tests
from services_app.builders.plan import Plan
from services_app.builders.seed_source import seed_source
from services_app.builders.state_source import one_line, state_class, state_source
from services_app.builders.tool_source import tools_source
from services_app.specs.model import Specification

LARGE = 1_000_000  # characters of JSON, above which the tools are written down as JSON


def package_name(slug: str) -> str:
    """Name under which a built service is imported inside the sandbox."""
    return f"built_{slug.replace('-', '_')}"


def write_files(spec: Specification, plan: Plan, domain: str) -> dict[str, str]:
    """File name -> text of the service package."""
    package = package_name(spec.slug)
    return {
        "__init__.py": _init(spec, package, domain),
        "spec.py": _spec(spec, plan),
        "state.py": "\n".join(wrapped(state_source(spec, plan))),
        "tools.py": "\n".join(wrapped(tools_source(plan, package))),
        "tests.json": json.dumps({"tests": own_tests(spec, plan)}, ensure_ascii=False, indent=1) + "\n",
        "seed.py": "\n".join(wrapped(seed_source(plan, package))),
    }


def _init(spec: Specification, package: str, domain: str) -> str:
    state = state_class(spec.slug)
    return f'''"""{one_line(spec.title)}: a simulated service made from its specification."""

from services_app.engine import Service

from {package}.spec import DESCRIPTION, TITLE
from {package}.state import {state}

service = Service(
    {spec.slug!r},
    title=TITLE,
    description=DESCRIPTION,
    domain={domain!r},
    state={state},
    files=__file__,
)

from {package} import seed, tools  # noqa: E402, F401 - they register themselves with the service
'''


def _literal(tools: dict[str, Any], *, large: bool) -> str:
    """The tools as a literal; large ones as JSON, which Python reads fifty times as fast."""
    if not large:
        return pprint.pformat(tools, width=110, sort_dicts=False)
    lines = (f"    {name!r}: loads({json.dumps(tool, ensure_ascii=False)!r})," for name, tool in tools.items())
    return "\n".join(("{", *lines, "}"))


def _spec(spec: Specification, plan: Plan) -> str:
    planned = {tool.name for tool in plan.tools}
    tools = {
        tool.name: {
            "description": tool.description or tool.title or tool.name,
            "input_schema": tool.input_schema,
            **({"title": tool.title} if tool.title else {}),
            **({"output_schema": tool.output_schema} if tool.output_schema else {}),
        }
        for tool in spec.tools
        if tool.name in planned
    }
    large = len(json.dumps(tools)) > LARGE
    imports = "from json import loads\nfrom typing import Any" if large else "from typing import Any"
    about = pprint.pformat(one_line(spec.description or f"Simulated {spec.title}.")[:300], width=100)
    return (
        f'"""The imported tools, as agents see them."""\n\n{imports}\n\n'
        f"TITLE = {spec.title!r}\n\nDESCRIPTION = {about}\n\n"
        f"TOOLS: dict[str, dict[str, Any]] = {_literal(tools, large=large)}\n"
    )
