"""What is written in the seeded payroll system."""

from __future__ import annotations

ITEMS = {
    "bonus": ("Bonus for the {title} at {company}", "Referral bonus: {contact} has started", "Anniversary, ten years"),
    "commission": ("Commission on order {po} of {company}", "Commission on the renewal of {contract}"),
    "overtime": ("12 hours in {city}, order {po}", "Weekend of the {title}, 9 hours", "On call, six nights"),
    "correction": ("Overtime of last month entered twice", "Missing day of last month", "Wrong rate for {po}"),
    "reimbursement": ("Train to {city}, claim approved", "Hotel in {city} during the {title}", "Safety shoes"),
}
AMOUNTS = {
    "bonus": (250.0, 400.0, 600.0, 1000.0),
    "commission": (312.5, 540.0, 875.0, 1240.0),
    "overtime": (96.0, 184.5, 260.0, 331.2),
    "correction": (-120.0, -64.5, 88.0, 145.3),
    "reimbursement": (38.4, 61.9, 129.0, 214.75),
}
NOTES = (
    "{colleague}: commission on {po} is 1,240.00, not 875.00. Enter the difference as correction.",
    "Bonuses for the {title} are paid with this run, 400.00 for each of the three who were in {city}.",
    "Withdrawn: the bonuses for the {title} come with the next run, the customer has not accepted yet.",
    "{colleague} leaves in spring; pay out open leave with the last run, see HR.",
    "Cut-off is two days earlier than usual because of the bank holiday.",
    "The limit for a second approval is checked on gross, not on net. Asked twice already.",
    "Bank account requests by e-mail are called back on the number in HR before they are confirmed.",
    "Do not touch the court order of {colleague}; it ends by itself.",
    "Overtime of the {company} weekend is paid once {contact} has signed the hours.",
    "Compare with last month before approving: every change above 15 % needs a line here.",
)
BANK = (
    "Letter with signature in the file, called back by {colleague}.",
    "E-mail from a private address; could not reach {colleague} yet.",
    "Form from HR, number checked with {colleague}.",
    "New bank after the move to {city}.",
)
REASONS = ("Yearly review", "Promotion", "Change of hours")
