"""A person at the browser: clicks are counted, every page is looked at by axe in both themes."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe

THEMES = ("light", "dark")
# Reading an observation can take a sandbox start on a busy machine.
PATIENCE_MS = 60_000
# What htmx prints when a newer request of the same form replaces an older one, as `hx-sync` asks for.
REPLACED = ("htmx:afterRequest", "htmx:sendAbort")


@dataclass
class Leg:
    """One part of the journey: what was clicked and how long it took, page checks left out."""

    name: str
    clicks: int = 0
    seconds: float = 0.0


@dataclass
class Traveller:
    """Drives one page. `complaints` collects script errors and refused resources, `violations` what axe finds."""

    page: Any
    base: str
    legs: list[Leg] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    violations: dict[str, list[str]] = field(default_factory=dict)
    checked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.on("pageerror", self._complain)
        self.page.on("console", self._listen)

    def _listen(self, message: Any) -> None:
        if message.type == "error" and not message.text.startswith(REPLACED):
            self._complain(message.text)

    def _complain(self, what: object) -> None:
        self.complaints.append(f"{self.page.url.removeprefix(self.base)}: {what}")

    def leg(self, name: str) -> None:
        self.legs.append(Leg(name))

    def click(self, target: Any) -> None:
        """One click on a locator or selector, counted; waits for a navigation that it may start."""
        started = time.monotonic()
        locator = self.page.locator(target) if isinstance(target, str) else target
        locator.click()
        self.page.wait_for_load_state("load")
        self._count(started)

    def _count(self, started: float) -> None:
        self.legs[-1].clicks += 1
        self.legs[-1].seconds += time.monotonic() - started

    def link(self, name: str | re.Pattern[str]) -> Any:
        return self.page.locator("main").get_by_role("link", name=name).first

    def button(self, name: str | re.Pattern[str]) -> Any:
        return self.page.locator("main").get_by_role("button", name=name).first

    def rail(self, name: str) -> None:
        """Go to a section by the rail."""
        self.click(self.page.locator(".rail").get_by_role("link", name=name, exact=True))

    def look(self, name: str) -> None:
        """The page as it is must satisfy axe in both themes and must not stick out sideways."""
        self.checked.append(name)
        for theme in THEMES:
            self.page.emulate_media(color_scheme=theme)
            for violation in Axe().run(self.page).response["violations"]:
                nodes = [node["html"][:160] for node in violation["nodes"][:3]]
                self.violations[f"{name}, {theme}: {violation['id']}"] = nodes
        sticking_out = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if sticking_out:
            self.violations[f"{name}: {sticking_out} px too wide"] = []

    def report(self) -> str:
        rows = [f"  {leg.name:<44} {leg.clicks:>2} clicks  {leg.seconds:5.1f} s" for leg in self.legs]
        total = f"  {'in all':<44} {sum(leg.clicks for leg in self.legs):>2} clicks"
        return "\n".join(["", "Journey by clicks, time of page checks left out:", *rows, total, ""])
