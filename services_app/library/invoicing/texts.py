"""What is written in the seeded invoicing application."""

from __future__ import annotations

from services_app.library.shared import prose

REMARKS = (
    "{contact} called: payment is released every second Thursday. Expect it after {end}.",
    prose("""The customer wants {po} in the subject of the mail, otherwise the invoice is
    returned."""),
    "{owner} promised 5 % off the next invoice because of the late delivery.",
    "Copy of the signed {contract} is filed. The contact for disputes is {contact_email}.",
    "Do not send reminders before {end}; agreed with {owner_first}.",
    prose("""Goods for {address} arrived damaged; a credit for two {unit}s of {product} may
    follow."""),
    "Bank details changed; confirmed by phone with {contact}.",
    "Paid from the account of the parent company, reference {po}.",
)
REMINDERS = (
    prose("""Dear {first}, according to our records invoice {number} is still open. Perhaps
    it was overlooked."""),
    "Dear {first}, invoice {number} is overdue. Please pay within seven days.",
    prose("""Final reminder for invoice {number}. After seven more days we hand the case to
    our lawyers."""),
)
CREDITS = (
    "Two {unit}s of {product} arrived damaged.",
    "Delivery for {po} was nine days late; goodwill agreed with {owner_first}.",
    "Charged twice by mistake.",
)
POLICIES = (
    (
        "Write-offs",
        prose("""Balances of up to 25.00 may be written off by anyone in billing. Up to 250.00
    the finance manager decides. Larger balances are never written off without a call to the customer.

    Never write off anything on an invoice that is disputed."""),
    ),
    (
        "Late payment",
        prose("""The first reminder is friendly and goes out 7 days after the due date, the
    second 14 days later. Interest of 1.5 % a month is charged from the third month on. Customers of the tier
    platinum get a phone call instead of the first reminder."""),
    ),
    (
        "Early payment discount",
        prose("""Customers who pay within 10 days may deduct 2 %. The discount is booked as a
    credit note with the reason “early payment”. It is not granted on hardware."""),
    ),
    (
        "Credit limits",
        prose("""New customers start at 5,000.00. After six invoices paid in time the limit may
    be raised to 20,000.00, after twelve to 60,000.00. More than that is decided by the finance manager."""),
    ),
    (
        "Credit notes",
        prose("""Goodwill credits are limited to 10 % of the invoice total. Anything above
    needs the written consent of the account owner, filed as a remark on the invoice."""),
    ),
    (
        "Order numbers",
        prose("""No invoice over 1,000.00 is issued without the customer’s order number. One
    order number goes on one invoice only."""),
    ),
)
SUBJECTS = ("{title}", "{product} for {title}", "{seats} x {product}", "{title}, first part")
