"""What is written in the seeded ledger."""

from __future__ import annotations

from services_app.library.shared import prose

# code, name, type, usual tax, fed by its own ledger
ACCOUNTS = (
    ("1000", "Current account GBP", "asset", 0.0, True),
    ("1010", "Current account EUR", "asset", 0.0, True),
    ("1100", "Accounts receivable", "asset", 0.0, True),
    ("1200", "Prepaid expenses", "asset", 0.0, False),
    ("1290", "Employee advances", "asset", 0.0, False),
    ("1300", "Stock of hardware", "asset", 0.0, False),
    ("1500", "Office and test equipment", "asset", 20.0, False),
    ("1510", "Accumulated depreciation", "asset", 0.0, False),
    ("2000", "Accounts payable", "liability", 0.0, True),
    ("2100", "Accrued expenses", "liability", 0.0, False),
    ("2150", "Deferred revenue", "liability", 0.0, False),
    ("2200", "VAT payable", "liability", 0.0, False),
    ("2300", "Wages payable", "liability", 0.0, True),
    ("3000", "Share capital", "equity", 0.0, False),
    ("4000", "Subscription revenue", "revenue", 20.0, False),
    ("4100", "Hardware revenue", "revenue", 20.0, False),
    ("4200", "Service revenue", "revenue", 20.0, False),
    ("4900", "Discounts granted", "revenue", 20.0, False),
    ("5000", "Cost of hardware", "expense", 20.0, False),
    ("5100", "Hosting", "expense", 20.0, False),
    ("5200", "Freight and couriers", "expense", 20.0, False),
    ("6000", "Wages and salaries", "expense", 0.0, False),
    ("6100", "Rent", "expense", 20.0, False),
    ("6200", "Travel", "expense", 0.0, False),
    ("6300", "Office supplies", "expense", 20.0, False),
    ("6400", "Marketing", "expense", 20.0, False),
    ("6500", "Professional fees", "expense", 20.0, False),
    ("6600", "Insurance", "expense", 0.0, False),
    ("6700", "Training", "expense", 20.0, False),
    ("6800", "Depreciation", "expense", 0.0, False),
    ("6900", "Bad debts", "expense", 0.0, False),
    ("6950", "Fax and telex", "expense", 20.0, False),
)
UNUSED = "6950"
COST_CENTERS = (
    ("CC-100", "Sales", "sales"),
    ("CC-200", "Support", "support"),
    ("CC-300", "Finance", "finance"),
    ("CC-400", "Operations", "operations"),
    ("CC-500", "Engineering", "engineering"),
    ("CC-600", "People", "people"),
    ("CC-700", "Marketing", "marketing"),
)
SPEND = {
    "electronics": "5000",
    "packaging": "5000",
    "machining": "5000",
    "cloud": "5100",
    "freight": "5200",
    "storage": "5200",
    "office": "6300",
    "print": "6300",
    "catering": "6300",
    "facilities": "6100",
    "telecom": "6300",
    "staffing": "6500",
    "legal": "6500",
    "marketing": "6400",
    "insurance": "6600",
    "training": "6700",
}
REVENUE = {"subscription": "4000", "hardware": "4100", "service": "4200"}
# narration, account debited, account credited, lowest and highest amount
MANUAL = (
    ("Accrual for {product} installation, {po}", "5000", "2100", 200, 4000),
    ("Prepayment released: {title}", "6500", "1200", 100, 1500),
    ("Revenue deferred for {contract}", "4000", "2150", 300, 6000),
    ("Deferred revenue released for {contract}", "2150", "4000", 300, 6000),
    ("Write-off of stock after {title}", "5000", "1300", 80, 900),
    ("Travel of {owner} for {po} moved from advances", "6200", "1290", 60, 700),
    ("Depreciation of test equipment", "6800", "1510", 400, 1600),
    ("Goodwill to {company}, agreed with {owner}", "4900", "2150", 50, 600),
    ("Bad debt provision {company}", "6900", "2100", 100, 2500),
)
NOTES = (
    "{owner} confirms that {po} was delivered before the end of the month; revenue stays in this period.",
    "Auditors asked for the signed copy of {contract}. Filed on request of {owner_email}.",
    "Wrong cost center at first: {title} belongs to Operations.",
    "Amount agreed with {contact} of {company} by phone, mail follows.",
    "To be reversed on {end}, when the goods for {po} have arrived.",
    "Do not reverse: {company} was credited under {contract} already.",
    "The reference should read {po}; the number on the paper is a misprint.",
    "Second approval by {owner} given on {start}.",
)
GUIDELINES = (
    (
        "Closing the month",
        prose("""A month is closed in order, after the last draft in it is posted, moved or voided. The books of a
    month stay open until the eighth working day of the next.

    Closed months are reopened only for corrections above 1,000.00 GBP, and never more than three months back."""),
        -210,
    ),
    (
        "Accruals",
        prose("""Goods received and not invoiced are accrued from 250.00 GBP on: debit the cost, credit 2100 Accrued
    expenses, reference the order number. The accrual is reversed on the first day of the following month."""),
        -160,
    ),
    (
        "Accruals (draft of last year)",
        prose("""Goods received and not invoiced are accrued from 500.00 GBP on. This draft was never adopted; the
    guideline Accruals counts."""),
        -430,
    ),
    (
        "Capital or expense",
        prose("""Equipment above 800.00 GBP that lasts longer than a year is booked on 1500 and depreciated over 36
    months. Anything cheaper is an office supply, account 6300."""),
        -300,
    ),
    (
        "Deferred revenue",
        prose("""Subscriptions are invoiced in advance. What belongs to later months is deferred: debit 4000, credit
    2150. Hardware and services are never deferred."""),
        -90,
    ),
    (
        "Cost centers",
        prose("""Every expense line carries a cost center. Travel counts for the team of the traveller, installation
    work for Operations, whoever travelled."""),
        -130,
    ),
    (
        "Manual journals",
        prose("""A manual journal names its document in the reference and says in a note who agreed. Receivables,
    payables, bank and wages are fed by their own ledgers and never booked by hand."""),
        -70,
    ),
)
