"""Remarks on a specification: what will confuse agents, builders or users, although nothing is broken.

Repairs and refusals are in the specification itself; the linter never changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from services_app.specs import lint_names, lint_schemas, lint_texts
from services_app.specs.model import Note, Notebook, Specification, ToolSpec

ToolRule = Callable[[ToolSpec, Notebook], None]
ServiceRule = Callable[[Specification], Iterator[Note]]

TOOL_RULES: tuple[ToolRule, ...] = (
    lint_texts.check_description,
    lint_texts.check_instructions,
    lint_texts.check_markup,
    lint_texts.check_hidden,
    lint_texts.check_parameter_texts,
    lint_schemas.check_required,
    lint_schemas.check_contradictions,
    lint_schemas.check_defaults,
    lint_schemas.check_enums,
    lint_schemas.check_callable,
    lint_schemas.check_vagueness,
    lint_schemas.check_shape,
    lint_names.check_case,
)
SERVICE_RULES: tuple[ServiceRule, ...] = (
    lint_names.check_annotations,
    lint_names.check_collisions,
    lint_names.check_id_spelling,
    lint_names.check_id_types,
    lint_names.check_id_sources,
    lint_texts.check_repeated_descriptions,
)


def lint(spec: Specification) -> tuple[Note, ...]:
    """All remarks, tool by tool in the order of the specification, then those on the service as a whole."""
    notes: list[Note] = []
    for tool in spec.tools:
        book = Notebook(tool.name)
        for rule in TOOL_RULES:
            rule(tool, book)
        notes.extend(book.notes)
    for service_rule in SERVICE_RULES:
        notes.extend(service_rule(spec))
    return tuple(notes)
