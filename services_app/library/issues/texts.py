"""What is written in the seeded issue tracker."""

from __future__ import annotations

# summary, description, type, labels; slots from a project of the shared cast
REPORTS = (
    (
        "{product}: wrong quantity after import ({company})",
        "{contact} ordered {seats} under {po}, the site shows one less. Please correct it before {end}.",
        "bug",
        ("customer", "data"),
    ),
    (
        "Invoice export lacks the order number {po}",
        "Finance of {company} cannot book it. {contact_email} needs the file again, with {po} in every row.",
        "bug",
        ("customer", "export"),
    ),
    (
        "Report for {company}: {title}",
        "Agreed in {contract}: one page a month, sent to {contact_email}. Owner of the account is {owner}.",
        "story",
        ("customer", "reporting"),
    ),
    (
        "Prepare the visit to {city}",
        "Site at {address}. {contact} expects us on {start}. Bring two spare {product}s.",
        "task",
        ("onsite",),
    ),
    (
        "Clean up test data of {company}",
        "Left over from the pilot. Do not touch records of {po}; {owner} has promised that they stay.",
        "task",
        ("data",),
    ),
    (
        "{company} asks for single sign-on",
        "{contact} needs it before {end}, otherwise {contract} is not renewed. {seats} people.",
        "story",
        ("customer", "security"),
    ),
)
DUPLICATE = (
    "{summary} (reported again)",
    "Same as {key}, this time from {contact} at {company}.",
    "bug",
    ("customer",),
)
COMMENTS = (
    "{contact} called: it has to be ready by {end}.",
    "Checked with {owner}: {seats} is the number in {contract}, not what the mail said.",
    "Old plan was {start}. That no longer holds, see the comment of {owner}.",
    "Estimated together with support; half of it is testing on site in {city}.",
    "Order {po} is confirmed, we may start.",
    "{company} has seen it and is content.",
)
GOALS = ("Fewer calls from customers", "Ready for the audit", "Everything that was promised for spring")
PART = "{what} for {key}"
PARTS = ("Write the test", "Update the manual", "Tell the customer")
