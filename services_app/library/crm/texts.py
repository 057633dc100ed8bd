"""What is written in the seeded CRM."""

from __future__ import annotations

from services_app.library.shared import prose

# kind, subject, text; slots are filled from a project of the shared cast.
ACTIVITIES = (
    (
        "call",
        "Scope of the {title}",
        prose("""Spoke to {contact}. They want {seats} {unit}s of {product}; the budget is
    {amount} and ends on {end}."""),
    ),
    (
        "call",
        "Order number",
        prose("""{first} confirmed that the order number for the {title} is {po}. It must be on
    every invoice."""),
    ),
    (
        "email",
        "Offer sent",
        prose("""Sent the offer for the {title}: {seats} x {product} at {price}. Valid for 30
    days. Copy to {contact_email}."""),
    ),
    (
        "email",
        "Answer on the contract",
        prose("""{contact} accepts contract {contract} if the notice period is 30 days. Legal
    has agreed."""),
    ),
    (
        "meeting",
        "Visit in {city}",
        prose("""Met {contact} at {address}. The site opens at 07:00; deliveries before 15:00
    only. Start planned for {start}."""),
    ),
    (
        "meeting",
        "Review of the {title}",
        prose("""Went through the open points. Decision by {end}. The one who decides is not
    {first} but the finance lead."""),
    ),
    (
        "note",
        "Competitor",
        prose("""A competitor has offered the same for eight per cent less. {first} values the
    support hours more than the price."""),
    ),
    ("note", "Internal", "{owner} promised free training for one day if the {title} is ordered before {end}."),
    ("note", "Billing", "Invoices go to {contact_email} only, one per site, with {po} in the subject."),
    (
        "call",
        "Delay",
        prose("""{contact} asked to move the start from {start} because the dock is being
    rebuilt. New date to be confirmed in writing."""),
    ),
)
TASKS = (
    "Send the revised offer for {title}",
    "Call {first} about {po}",
    "Ask {contact} for the signed copy of {contract}",
    "Check stock for {seats} x {product}",
    "Prepare the visit to {city}",
    "Confirm the start of {title}",
)
LOST = (
    "The budget was cut by half.",
    "They chose a competitor with a local warehouse.",
    "The project was put off until next year.",
)
