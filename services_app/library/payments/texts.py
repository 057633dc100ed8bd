"""What is written in the seeded payment service."""

from __future__ import annotations

from services_app.library.shared import prose

DESCRIPTIONS = ("{title}, {seats} x {product}", "{product} for {title}", "{title}, first half", "{po} {product}")
NOTES = (
    "{contact} paid from the account of the parent company; the receipt goes to {contact_email}.",
    "Customer asks for a partial refund if {title} starts after {start}. Nothing agreed yet.",
    "Refund up to 5 % agreed with {owner_first}, not more. See {contract}.",
    "Delivered to {address}, signed by {contact}. Proof is with {owner}.",
    "Risk team: address and card country differ, {contact} confirmed by phone on our number.",
    "Superseded: {owner_first} first promised a full refund; the later mail to {contact_email} says 10 %.",
    "Do not charge again before {end}; the customer changes its bank.",
)
STATEMENTS = {
    "product_not_received": "Ordered for {title}, nothing has arrived at {address} by the agreed day.",
    "product_unacceptable": "The {product} does not do what {owner} promised; we want our money back.",
    "duplicate": "{po} was charged twice in the same week.",
    "fraudulent": "Nobody of {company} knows this charge.",
    "credit_not_processed": "{owner_first} promised a credit for {title}, it never came.",
}
EVIDENCE = "Signed delivery note of {start}, mail from {contact} confirming {seats} {unit}s, contract {contract}."
REFUND_NOTES = ("Goods of {po} came back sealed.", "Charged twice, see {po}.", "Goodwill for {title}, {owner_first}.")
LINKS = (
    "Deposit {title}",
    "{seats} x {product}",
    "Training day {city}",
    "Late fee {po}",
    "Spare parts {company}",
)
GUIDES = (
    (
        "Refunds",
        prose("""Refund to the method that was charged, never by transfer, as long as the charge is not older than
    180 days. Up to 500.00 anyone in operations decides; up to 5,000.00 the account owner agrees in a note; above that
    finance. A disputed charge is never refunded: the bank has the money already."""),
    ),
    (
        "Refunds (until last summer)",
        prose("""Superseded. Refunds were possible for 90 days and everything above 200.00 went to finance."""),
    ),
    (
        "Disputes",
        prose("""Answer within the time of the bank, 14 days as a rule. Below 100.00 accept: the work costs more.
    For goods that were not received the tracking number is needed. Fraud claims go to the risk team first. Evidence can
    be sent once."""),
    ),
    (
        "Risk review",
        prose("""Card charges of 10,000.00 and more are held. Release when the contact confirms by phone on a number
    that we knew before, and write down who was called. Otherwise cancel or refund as fraudulent."""),
    ),
    (
        "Payouts",
        prose("""EUR is paid out on Mondays, the others on the first of the month. Leave 2,000.00 of each currency for
    refunds. Instant payouts only when payroll needs them: they cost 1 %."""),
    ),
    (
        "Authorisations",
        prose("""Authorise when the order ships later, capture on the day it leaves. An authorisation ends after
    7 days. Capture only what was shipped."""),
    ),
    (
        "Payment links",
        prose("""Links are for one purpose and closed once paid. Links above 5,000.00 get a last day, at most
    30 days ahead."""),
    ),
)
