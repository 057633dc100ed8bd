"""The rules builder: a compiler from a specification to the source of a service. No model, no randomness."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from services_app.builders.analyse import analyse
from services_app.builders.source import package_name, write_files
from services_app.specs.model import Specification


class BuiltService(BaseModel):
    """What a builder hands over: source text by file name, and what it left out with the reason."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str
    title: str
    description: str
    domain: str
    module: str
    """Module that holds `service` once `files` lie in a package of that name."""
    files: dict[str, str]
    left_out: dict[str, str]
    builder: str

    def packaged(self) -> dict[str, str]:
        """The files as the sandbox wants them: `module/file name` -> text. Its tests stay outside."""
        return {f"{self.module}/{name}": text for name, text in self.files.items() if name.endswith(".py")}


def build_with_rules(spec: Specification) -> BuiltService:
    """Compile a specification. Never fails: what no rule covers is in `left_out`."""
    plan = analyse(spec)
    domain = spec.domain or "other"
    return BuiltService(
        slug=spec.slug,
        title=spec.title,
        description=spec.description,
        domain=domain,
        module=package_name(spec.slug),
        files=write_files(spec, plan, domain),
        left_out=plan.left_out,
        builder="rules",
    )
