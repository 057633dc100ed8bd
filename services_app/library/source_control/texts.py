"""What is written in the seeded repositories."""

from __future__ import annotations

from services_app.library.shared import prose

README = """# {title}

{purpose}

- Issues: project {key}
- Owner: {owner} <{owner_email}>
- Settings: `config/settings.yaml`; every change is reviewed
- Releases: every three weeks, tags v{major}.x
"""
ARCHITECTURE = """# How {title} works

{purpose} It is written in {language} and runs in three regions.

A setting takes effect within ten minutes, without a restart. Values are checked by `make check` before a merge.

Never change two settings in one pull request: if something breaks, we want to know which one it was.
"""
CODE = {
    "Python": (
        "src/settings.py",
        '''def load(text):
    """Settings by name."""
    lines = (line.split(": ") for line in text.splitlines() if line)
    return {name: value for name, value in lines}
''',
    ),
    "TypeScript": (
        "src/settings.ts",
        """export function load(text: string): Record<string, string> {
  const lines = text.split('\\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(': ')));
}
""",
    ),
    "C": (
        "src/settings.c",
        """#include "settings.h"

int setting_value(const char *line) {
    const char *colon = strchr(line, ':');
    return colon ? atoi(colon + 1) : -1;
}
""",
    ),
    "Go": (
        "settings/load.go",
        """package settings

// Load splits one line into name and value.
func Load(line string) (string, string) {
    name, value, _ := strings.Cut(line, ": ")
    return name, value
}
""",
    ),
}
RUNBOOKS = {
    "policies/merging.md": prose("""# Merging

    One approval of the newest commit is enough, two for {firmware} and {gateway}. Somebody named in CODEOWNERS is
    one of them. Open comments are settled before a merge, by whoever wrote the change.

    Nothing is merged into main on the day before a release. Customer configuration may be merged on any day."""),
    "policies/merging-2024.md": prose("""# Merging (old)

    Superseded by merging.md. Two approvals for everything; merges on Tuesdays and Thursdays only."""),
    "policies/limits.md": prose("""# Limits

    A customer's quantity is raised only up to what the order says. More than ten per cent above needs a new order
    number and the consent of {manager}.

    History of more than 120 days is never switched on: storage is priced for 120."""),
    "policies/access.md": prose("""# Access

    Write access is given for as long as a piece of work lasts. Admins of {gateway} are engineering managers only.

    People who leave are removed on their last day, not later."""),
}
REVIEWS = (
    "Read it twice, good.",
    "Tested at a site with {seats} {unit}s; holds.",
    "Fine with me. Please tell {contact_email} once it is live.",
    "Agreed with {owner}; the order {po} covers it.",
)
READY = "Approved. All settled, it only has to be merged."
REQUESTS = (
    "The order {po} says {seats}, please check the number.",
    "Please name the customer in the description; {contact} will ask.",
    "This needs a line in docs/architecture.md.",
)
COMMENTS = (
    "Is this still right after {end}? The contract {contract} ends then.",
    "{contact} wrote that it should take effect on {start}, not earlier.",
    "Could you say why it is not larger? {company} asked for more.",
    "I would keep the old value for {city}; they have no complaint.",
    "Same change was tried last year and taken back, see the history.",
)
SUPERSEDED = "First try at {key}. Closed: the value was wrong, a new pull request follows."
