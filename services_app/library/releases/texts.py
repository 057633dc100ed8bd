"""What is written in the seeded releases and flags."""

from __future__ import annotations

NOTES = "Version {version} of {title}: {count} change(s). Customers who asked are told one by one. {extra}"
EXTRAS = (
    "The change for {company} under {po} takes effect on {start}.",
    "{contact} ({contact_email}) wants to hear the day before.",
    "No change of price; {contract} stays as it is.",
    "Sites in {city} are updated after their shift.",
)
REFUSED = ("{owner} has not told {company} yet.", "Test on site in {city} is missing.", "Support has no page for it.")
AGREED = ("Tested with {seats} {unit}s.", "{contact} agrees.", "Support knows about {po}.", "")
ROLLED_BACK = "{company} could not work for an hour; {contact} called at eight."
# key, description; slots from a project of the shared cast
FLAGS = (
    ("new-import", "Faster import of orders. First for {company}, whose order {po} needs it by {end}."),
    ("night-mode", "Dark colours. {contact} asked for it; nobody else has."),
    ("bulk-labels", "Prints labels for a whole pallet. Not for sites without {product}."),
    ("single-sign-on", "Log in with the customer's own account. Promised in {contract} from {start} on."),
    ("second-gate", "Two gates for one dock. {owner} decides who gets it."),
    ("cold-chain", "Temperatures on the map. Sold with {sku} only, {price} each."),
    ("driver-chat", "Messages to drivers. Off for {company}: the works council has not agreed."),
    ("monthly-report", "Report by mail on the first of the month, to {contact_email} for {company}."),
)
TARGETS = (
    "Agreed with {contact} in {contract}.",
    "Pilot until {end}.",
    "{owner} promised it.",
    "Asked to wait: {start}.",
)
FREEZES = (
    (18, 24, "End of the quarter: nothing moves while finance counts"),
    (33, 36, "Long weekend"),
    (-12, -9, "Audit of the data centres"),
)
