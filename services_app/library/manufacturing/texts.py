"""What is written in the seeded plant."""

from __future__ import annotations

from services_app.library.shared import prose

COMMENTS = (
    "{contact} of {company} needs the first {seats} before {start}; ship part of the lot if you must.",
    "Made for {title}: laser the serial numbers from {po}, not from stock.",
    "Superseded: {company} wanted black housings. {owner_first} took that back, grey as always.",
    "Do not mix lots of batteries in this order, {owner} has promised that to {company}.",
    "Customer sends an inspector on {start}; keep three units open.",
    "Run after the big order of {company}, the setup is the same.",
)
CANCELLED = "{company} changed {po}; {owner_first} plans a new order."
SCRAP = ("Solder bridges on the board.", "Housing cracked at the clip.", "Failed the drop test.", "")
NCRS = (
    "Scratches on the display glass.",
    "Label of {po} printed off centre.",
    "Rattles when shaken, screw missing.",
    "Firmware of {start} does not start at 0 °C.",
)
CHANGES = (
    ("RM-110", "RM-120", "Run time was too short for double shifts at {company}."),
    ("RM-130", "RM-131", "Rust after the salt spray test asked for by {company}."),
    ("RM-140", "RM-141", "Cheaper by 0.08 a piece and recycled, agreed with {owner}."),
    ("RM-160", "RM-161", "{city} uses the second band from {end} on."),
)
DECISIONS = {
    "approved": "Tested on twenty units, no findings.",
    "rejected": "The saving does not pay for the new approval.",
    "proposed": "",
}
SHEETS = (
    (
        "Release of orders",
        prose("""Release on the day before work begins, high priority first, then what is due first. Never release an
    order that is short of material: plan fewer units or wait for the delivery. Orders for stock wait behind orders for
    customers."""),
    ),
    (
        "Scrap",
        prose("""Up to 5 % of scrap an operation needs no reason. Above that write down the cause; above 15 % stop and
    call the quality engineer. Replace what was scrapped with extra material only if the customer needs the full
    quantity."""),
    ),
    (
        "Scrap (2022)",
        prose("""Superseded. Scrap up to 10 % needed no reason."""),
    ),
    (
        "Dispositions",
        prose("""Cosmetic findings are reworked. Anything electrical is scrapped. Use as is exists only for labels and
    cartons, and only a quality engineer decides it. Inspectors decide rework and scrap alone."""),
    ),
    (
        "Quality checks",
        prose("""Every characteristic of the product is measured once an order, on the fifth unit. A value outside the
    limits concerns all units made since the last good one; enter that number."""),
    ),
    (
        "Engineering changes",
        prose("""Approve a change only when the new material covers the next planned order of the product, and no
    released order has the old one allocated. Changes that only save money below 0.10 a piece are rejected."""),
    ),
    (
        "Lots and traceability",
        prose("""Product lots are numbered by product and week: G10-2610 for gateways of week 10. Material lots keep the
    number of the supplier. In a recall trace the material lot first, then tell the owners of the customers."""),
    ),
    (
        "Breakdowns",
        prose("""Report a work centre that is down at once. Running operations are completed by hand if less than an
    hour is left. Assembly lines 1 and 2 are alike, but their tools are not exchanged."""),
    ),
    (
        "Operators",
        prose("""Nobody runs two operations at a time. Board assembly is for people with ESD training: Corwin Blythe,
    Halina Mazur and Teodor Brask."""),
    ),
)
