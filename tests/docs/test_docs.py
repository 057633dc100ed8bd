"""The documents say what the code does: settings, verbs, links."""

import re
from pathlib import Path

import pytest

from webapp.settings import Environment

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(path for path in ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
COMMANDS = ROOT / "webapp" / "management" / "commands"


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs" / "settings.md").read_text()
    names = {str(choice) for field in Environment.model_fields.values() for choice in field.validation_alias.choices}
    assert {name for name in names if f"`{name}`" not in text} == set()


def test_every_verb_of_the_readme_exists() -> None:
    text = (ROOT / "README.md").read_text()
    bootstrap = (ROOT / "workbench").read_text()
    rows = re.findall(r"^\| (`.+?) \|", text.replace("\\|", "/"), re.MULTILINE)
    verbs = {verb.split()[0] for row in rows for verb in re.findall(r"`([a-z-]+[^`]*)`", row)}
    assert verbs >= {"up", "import", "tasks", "train"}
    for verb in verbs:
        assert (COMMANDS / f"{verb}.py").exists() or re.search(rf"\b{verb}\b", bootstrap), verb


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_resolve(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", document.read_text()):
        if "://" not in target:
            assert (document.parent / target).exists(), target
