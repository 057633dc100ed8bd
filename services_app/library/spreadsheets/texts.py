"""What stands in the seeded workbooks: rows as they were typed, with slots filled from a project."""

from __future__ import annotations

RULES = (
    ("Rule", "Text"),
    ("Discount", "Up to 10% the account manager decides, above 10% the sales manager, above 15% the finance manager."),
    ("Discount (old)", "Up to 12% the account manager decides. Replaced by the rule above on 1 February 2026."),
    ("Services", "Days of work are never discounted."),
    ("Late rollout", "More than 14 days behind the start: status is set to At risk and the owner is told."),
    ("Closing", "An order is Done only when all units are in use and the customer has signed the acceptance."),
)
STATUSES = ("Planned", "Running", "At risk", "Done")
TRACKER = (
    "Order", "Customer", "City", "Product", "Units", "Unit price", "Discount", "Amount", "Owner", "Start", "Status",
)  # fmt: skip
BANDS = (("From", "Rate"), ("0", "2%"), ("10000", "3%"), ("50000", "4.5%"), ("120000", "6%"))
BUDGET = (
    ("Training rooms", "6400"),
    ("Courier", "9800"),
    ("Packaging", "4150"),
    ("Site visits", "12600"),
    ("Loan devices", "7200"),
    ("Temporary staff", "15400"),
)
MONTHS = ("Jan", "Feb", "Mar")
CAPACITY = (
    ("Rotterdam A", "420"),
    ("Rotterdam B", "260"),
    ("London dock", "180"),
    ("Lyon", "150"),
    ("Bristol overflow", "90"),
)
# title of the sheet of notes and what is noted: the last word on a thing is said last
QUOTE_NOTES = (
    (
        ("{first} asked for {seats} {unit}s at {address}.", "First idea was {city} head office; withdrawn by {first}."),
        ("Offer stands until {end}.", "Send to {contact_email}, with {po} in the subject."),
    ),
    (
        ("{company} wants delivery before {start}.", "Unit price {price} was agreed with {owner}."),
        ("Discount of 5% only for two years; for one year it is 0%.", "Freight is free from 3,000.00 on."),
    ),
    (
        ("Budget of {company}: {amount}. Anything above goes back to {first}.", "Contract {contract} covers support."),
        ("Correction by {owner}: training is billed per day, not per head.", "Contact for deliveries: {contact}."),
    ),
)
COMMENTS = (
    "{first} called: the start moves to {end}. Please change it before the next call.",
    "Is this price still right? {contract} says {price}.",
    "Two {unit}s were returned damaged. Not billed.",
    "{owner} wants to see this figure in the Friday report.",
    "Address changed to {address}, see the mail of {contact}.",
)
EXTRAS = (
    ("Onboarding Package", "2400"),
    ("Premium Support, 12 months", "3120"),
    ("On-site Training, day", "1150"),
    ("Data Migration, day", "960"),
    ("Freight", "180"),
)
