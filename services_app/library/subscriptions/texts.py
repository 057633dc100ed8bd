"""What is written in the seeded subscription billing."""

from __future__ import annotations

from services_app.library.shared import prose

SHORT = {
    "Fleet Tracker": "FT",
    "Fleet Tracker Pro": "FTP",
    "Route Planner": "RP",
    "Dock Scheduler": "DS",
    "Warehouse Console": "WC",
    "Analytics Add-on": "AN",
    "Premium Support": "PS",
}
COUPONS = (
    ("WELCOME20", 20.0, 3, 200, None, ""),
    ("PARTNER15", 15.0, 12, 60, None, ""),
    ("FLEET10", 10.0, 6, 40, 60, "FT-M"),
    ("SPRING25", 25.0, 2, 20, 30, ""),
    ("SPRING25-OLD", 30.0, 2, 20, -200, ""),
    ("STAY30", 30.0, 3, 15, None, ""),
    ("TRADEFAIR", 15.0, 3, 3, 90, ""),
    ("SUPPORT50", 50.0, 1, 10, 120, "PS-M"),
)
NOTES = (
    "{contact} wants to add {seats} {unit}s when {title} starts on {start}.",
    "No changes before {end}: budget of {company} is closed until then.",
    "{contact} asked for a pause until {end}; answer promised by {owner_first}.",
    "Price of {contract} holds until {end}, whatever the plan says. {owner} agreed in writing.",
    "Card is that of {contact} in person; invoices need {po}.",
    "Superseded: the discount of 20 % offered in spring. Now 10 % at most, says {owner_first}.",
    "{contact} tests a competitor. Coupon STAY30 may be offered once.",
    "Account moves to the entity in {city} at the next renewal; new address {address}.",
)
CREDITS = (
    "Outage during {title}, two days",
    "Charged for {seats} {unit}s after {contact} had cancelled",
    "Goodwill agreed with {owner}",
)
PLAYBOOKS = (
    (
        "Dunning",
        prose("""Try the card on days 1, 4, 8 and 15 after the due date. Before the third attempt the account owner
    calls. After the fourth refusal the subscription is cancelled as unpaid. An invoice is given up only after three
    refusals and a call."""),
    ),
    (
        "Discounts and coupons",
        prose("""One coupon at a time. STAY30 is for customers who have cancelled and is offered once. Coupons above
    25 % need the consent of the account owner in a note. Never stack a coupon on a contract price."""),
    ),
    (
        "Discounts and coupons (2024)",
        prose("""Superseded. Two coupons could be combined and WELCOME20 ran for six months."""),
    ),
    (
        "Changes of plan",
        prose("""More units and dearer plans take effect now, fewer units and cheaper plans at the renewal. Yearly
    plans change to monthly ones at the renewal only. Tell the customer the prorated amount before the change."""),
    ),
    (
        "Pauses",
        prose("""A pause is for at most 90 days and once a year. Customers with open invoices are not paused. Ask for
    the reason and write it down."""),
    ),
    (
        "Cancellations",
        prose("""Cancel at the end of the period unless the customer insists. Subscriptions above 2,000.00 a month are
    not cancelled before the account owner has called. Give the true reason: it goes into the quarterly report."""),
    ),
    (
        "Credits",
        prose("""Up to 100.00 anyone in billing; up to 500.00 with a note that names who agreed; more than that is
    refunded by finance, not credited."""),
    ),
    (
        "Trials",
        prose("""Trials are extended once, by at most 30 days, when the customer has imported its data. Without data
    there is no extension."""),
    ),
)
