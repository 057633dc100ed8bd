"""The page of each shipped service in docs/library, made from the service itself.

    python -m webapp.management.library_pages FOLDER

`./workbench check` compares the pages in the repository with what this makes, so they cannot fall behind.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from services_app.engine.catalogue import ServiceInfo, ToolInfo, describe
from services_app.engine.service import TableInfo
from services_app.library.registry import load_all

Json = Mapping[str, Any]


def pages() -> dict[str, str]:
    """File name -> Markdown: a page for each shipped service, and README.md that lists them by domain."""
    services = [describe(service) for service in load_all()]
    return {"README.md": _index(services)} | {f"{service.slug}.md": _page(service) for service in services}


def write(folder: Path) -> None:
    """Write all pages into `folder` and remove those of services that are no longer shipped."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for stale in set(folder.glob("*.md")) - {folder / name for name in wanted}:
        stale.unlink()
    for name, text in wanted.items():
        (folder / name).write_text(text, "utf-8")


def _index(services: list[ServiceInfo]) -> str:
    tools = sum(len(service.tools) for service in services)
    lines = [
        "# Shipped services",
        "",
        f"{len(services)} services with {tools} tools. These pages are made from the services; do not edit them.",
    ]
    ordered = sorted(services, key=lambda service: (service.domain, service.title))
    for domain, group in groupby(ordered, key=lambda service: service.domain):
        lines += ["", f"## {domain.capitalize()}", ""]
        lines += [
            f"- [{service.title}]({service.slug}.md) ({len(service.tools)} tools): {service.description}"
            for service in group
        ]
    return "\n".join(lines) + "\n"


def _page(service: ServiceInfo) -> str:
    lines = [f"# {service.title}", "", service.description, "", f"Domain: {service.domain}. Slug: `{service.slug}`."]
    lines += ["", "## Records"]
    for table in service.tables.values():
        lines += _table(table)
    lines += ["", "## Tools"]
    for tool in service.tools.values():
        lines += _tool(tool)
    return "\n".join(lines) + "\n"


def _table(table: TableInfo) -> list[str]:
    named = f", named by their `{table.key}`" if table.key else ""
    lines = ["", f"### {(table.plural or table.name).capitalize()}", "", f"Table `{table.name}`{named}.", ""]
    lines += ["| field | type | meaning |", "| --- | --- | --- |"]
    for name, schema in table.schema["properties"].items():
        lines.append(f"| `{name}` | {_cell(_type(schema, table.schema))} | {_meaning(table.semantics.get(name, {}))} |")
    return lines


def _tool(tool: ToolInfo) -> list[str]:
    kind = f"Writes: {tool.phrase}." if tool.phrase else "Reads."
    lines = ["", f"### `{tool.name}`", "", _paragraphs(tool.description), "", kind]
    properties = tool.input_schema.get("properties", {})
    if properties:
        lines += ["", "| parameter | type | default | what it is |", "| --- | --- | --- | --- |"]
    required = tool.input_schema.get("required", [])
    for name, schema in properties.items():
        default = "required" if name in required else f"`{schema['default']!r}`" if "default" in schema else ""
        about = schema.get("description", "")
        lines.append(f"| `{name}` | {_cell(_type(schema, tool.input_schema))} | {default} | {_cell(about)} |")
    return lines


def _type(schema: Json, root: Json) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return _type(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "anyOf" in schema:
        return " or ".join(_type(choice, root) for choice in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}), root)}"
    return str(schema.get("type", "any"))


def _meaning(semantic: Json) -> str:
    words = [f"reference to `{semantic['target']}`" if semantic.get("target") else str(semantic.get("kind", ""))]
    if semantic.get("unit"):
        words.append(f"in {semantic['unit']}")
    if semantic.get("system"):
        words.append("(set by the application)")
    return " ".join(words).strip()


def _paragraphs(text: str) -> str:
    return re.sub(r"\n+Errors:", "\n\nErrors:", text.strip())


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
