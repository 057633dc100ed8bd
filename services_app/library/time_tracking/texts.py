"""What is written in the seeded time tracking system."""

from __future__ import annotations

# name, billable, factor on the rate of the project (None: the rate itself)
TASKS = (
    ("Implementation", True, None),
    ("Project management", True, None),
    ("Training", True, 1.2),
    ("Travel", False, None),
    ("Data migration", True, None),
    ("Warranty", False, None),
)
WORK = {
    "Implementation": (
        "Set up {product} for {company}, {seats} {unit}s",
        "Paired the gateways on site in {city}",
        "Labels and printing for {title}",
        "Acceptance test with {contact}; two points open",
        "",
    ),
    "Project management": (
        "Weekly call with {contact}",
        "Plan and budget of {title}, order {po}",
        "Notice about the date {start} to {contact_email}",
        "",
    ),
    "Training": (
        "Training of the early shift in {city}",
        "Training material for {product}",
        "Two sessions with {first}",
    ),
    "Travel": ("Train to {city} and back", "Drive to {company}, {address}", "Flight delayed by two hours"),
    "Data migration": (
        "Import of {seats} {unit}s, third try",
        "Cleaning of the old list for {po}",
        "Check with {first}",
    ),
    "Warranty": ("Repeated the import at our cost", "Replaced a wrong label roll, agreed with {owner_first}"),
}
NOTES = (
    "{contact} wants travel on a line of its own; it is not billed, but shown.",
    "Agreed with {contact}: training is billed at 1.2 times the rate, at most 40 hours.",
    "The first 8 hours of data migration are free under {contract}. Log them as Warranty.",
    "Correction: not 8 but 12 hours of data migration are free, see the mail of {first}.",
    "Invoices for {po} go out on the last working day of the month, only for approved weeks.",
    "{company} pays only with {po} on the invoice.",
    "Budget was raised once already. {owner} has to be asked before any hour beyond it.",
    "Do not tell {company} the internal hours; they have bought a fixed price of {amount}.",
    "The project ends on {end}; what is logged later goes on the support contract {contract}.",
    "Evening work in {city} only after a call to {first}, it is billed as normal time.",
)
COMMENTS = (
    "Two days off, see HR.",
    "Public holiday on Monday.",
    "Short week: training on my own account.",
    "The late evening on Tuesday was agreed with {owner}.",
    "",
    "",
    "",
)
REJECTIONS = (
    "Travel to {city} is logged as Implementation; please move it to Travel.",
    "Friday is empty. Was that leave?",
    "12 hours on Tuesday without a note; say what for.",
    "The hours for {company} belong to the order {po}.",
)
