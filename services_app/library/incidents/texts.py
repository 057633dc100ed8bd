"""What is written in the seeded incidents."""

from __future__ import annotations

# title, summary, cause; slots from a project and the component
KINDS = (
    ("{component} is slow", "{company} waits a minute for each page. {contact} called.", "The value of a setting."),
    ("{component} loses messages", "Nothing arrives from {city} since the morning.", "A queue was full."),
    ("{component}: imports fail", "Order {po} cannot be imported; {seats} {unit}s are missing.", "A wrong limit."),
    ("{component} shows old data", "Numbers at {company} are from yesterday.", "A cache was not emptied."),
    ("No log-in at {company}", "{contact} and {seats} others are locked out.", "A certificate had expired."),
)
RUNBOOK = "Look at the last release of {component} first. If it is younger than a day, roll it back. Then call {owner}."
MITIGATED = ("Rolled back to the version before.", "Restarted two of three regions.", "Switched the flag off.")
NOTES = (
    "{contact} ({contact_email}) says that it began after the change for {po}.",
    "{owner} has promised {company} an answer before {end}.",
    "First guess was the network in {city}. That is wrong, see below.",
    "Not {seats} but all {unit}s are affected.",
    "Changed back by {author}; the issue is {key}.",
    "{company} asks for a credit as agreed in {contract}; finance knows.",
)
UPDATES = ("We are looking into it.", "It works again for most of you.", "All is well; a report follows.")
ALERTS = (
    ("Error rate above 2 %", "4.1 % of requests to {component} fail, most of them from {city}."),
    ("Queue is growing", "{component}: 18,000 messages wait, oldest from {start}."),
    ("Certificate expires soon", "{component}: the certificate for {company} ends on {end}."),
    ("Disk nearly full", "{component}: 91 % used in region 2."),
    ("Response time above 3 s", "{component}: median 3.4 s, worst at {company}."),
)
STORY = (
    "{company} could not work with {component} for a while; {contact} called at once. The change {key} by {author} was "
    "live since the evening before. It took us too long to see that."
)
ROOT = "{path} was changed for {company} without looking at {contract}. No test covers that value."
ITEMS = (
    "Add a test for {key}",
    "Tell {contact} what we found",
    "Write a page for the runbooks about {component}",
    "Check the same setting at other customers",
)
OVERRIDES = ("Holiday", "At the dentist", "Visit to {city}", "Swap with a colleague")
