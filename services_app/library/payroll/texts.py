"""What is written in the seeded payroll system."""

from __future__ import annotations

ITEMS = {
    "bonus": (
        "Bonus for the {title} at {company}",
        "Referral bonus: {colleague} has started",
        "Stood in for {colleague} during the {title}",
    ),
    "commission": ("Commission on order {po} of {company}", "Commission on the renewal of {contract}"),
    "overtime": (
        "{hours} hours in {city}, order {po}",
        "Weekend of the {title}, {hours} hours",
        "Called out, {hours} hours",
    ),
    "correction": ("Overtime of last month entered twice", "Missing day of last month", "Wrong rate for {po}"),
    "reimbursement": ("Train to {city}, claim approved", "Hotel in {city} during the {title}", "Safety shoes"),
}
HOURS = (3, 6, 9, 12)
AMOUNTS = {
    "bonus": (250.0, 400.0, 600.0, 1000.0),
    "commission": (312.5, 540.0, 875.0, 1240.0),
    "correction": (-120.0, -64.5, 88.0, 145.3),
    "reimbursement": (38.4, 61.9, 129.0, 214.75),
}
NOTES = (
    "{seller}: commission on {po} is 1,240.00, not 875.00. Enter the difference as correction.",
    "Bonuses for the {title} are paid with this run, 400.00 for each of the three who were in {city}.",
    "Withdrawn: the bonuses for the {title} come with the next run, the customer has not accepted yet.",
    "{colleague} has signed off the overtime of the {title}; the sheet is in the folder of the month.",
    "Cut-off is two days earlier than usual because of the bank holiday.",
    "The limit for a second approval is checked on gross, not on net. Asked twice already.",
    "Bank account requests by e-mail are called back on the number in HR before they are confirmed.",
    "Do not touch the court order of {debtor}; it ends by itself.",
    "Overtime of the {company} weekend is paid once {contact} has signed the hours.",
    "Compare with last month before approving: every change above 15 % needs a line here.",
)
# why an account is changed, by what became of the wish
BANK = {
    "pending": (
        "Letter with signature in the file, called back by {colleague}.",
        "E-mail from a private address; {colleague} could not reach the employee yet.",
        "Form from HR, number to be checked with {colleague}.",
    ),
    "confirmed": (
        "Letter with signature in the file, called back by {colleague}.",
        "Form from HR, number checked with {colleague} and against the bank card.",
    ),
    "rejected": (
        "E-mail from a private address; the employee told {colleague} that it is a fraud.",
        "Letter without signature; {colleague} has asked for a new one.",
    ),
}
