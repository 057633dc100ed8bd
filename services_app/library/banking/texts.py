"""What is written in the seeded bank."""

from __future__ import annotations

from services_app.library.shared import prose

# name, kind, currency, bank code, overdraft, daily limit, approval threshold, opening balance
ACCOUNTS = (
    ("Main account", "current", "GBP", "LARK", 20_000.0, 50_000.0, 5000.0, 180_000.0),
    ("Euro account", "current", "EUR", "LARE", 0.0, 40_000.0, 5000.0, 140_000.0),
    ("Payroll account", "current", "GBP", "LARP", 0.0, 120_000.0, 2500.0, 90_000.0),
    ("Dollar account", "current", "USD", "LARU", 0.0, 20_000.0, 3000.0, 35_000.0),
    ("Tax reserve", "savings", "GBP", "LART", 0.0, 0.0, 0.0, 64_000.0),
    ("Rent deposit", "savings", "GBP", "LARD", 0.0, 0.0, 0.0, 12_500.0),
)
MERCHANTS = (
    ("Albion Airways", 90, 420),
    ("Trans-Pennine Rail", 12, 110),
    ("The Wharf Inn", 84, 190),
    ("Harbour Cabs", 8, 44),
    ("Ferrous Tools", 15, 160),
    ("Mapforge", 18, 58),
    ("Canteen 18", 9, 60),
    ("QuayPark", 4, 24),
)
CREDITORS = (
    ("Thames Power", "TP-88121", 640.0, "Main account"),
    ("Wharf Water", "WW-20417", 118.0, "Main account"),
    ("Skarvik Telecom", "SKV-5510", 286.0, "Euro account"),
    ("Borough of Hackney rates", "BRH-3307", 1480.0, "Main account"),
    ("Steyn Insurance Brokers", "SIB-7742", 905.0, "Euro account"),
    ("Fleetcover Leasing", "FCL-1902", 1320.0, "Main account"),
)
PAYMENT_NOTES = (
    "Always put the order number in the reference, otherwise {contact} sends the money back.",
    "New account number confirmed by phone with {contact} on the known number.",
    "2 % early payment discount when paid within ten days; agreed with {contact}.",
    "Invoices below 50.00 are collected and paid once a quarter.",
    "Do not pay before the goods are checked by the warehouse.",
    "",
    "",
)
BLOCKED_NOTE = "Blocked: the account number was changed by a mail that {contact} did not write. Pay the other entry."
TRANSACTION_NOTES = (
    "{company} paid the goods of {po} only; the delivery charge comes with the next payment.",
    "Belongs to {title}, contract {contract}; {owner} has the paperwork.",
    "{contact} says that their bank keeps 12.50 of payments from abroad; compare with {po}.",
    "Paid twice by mistake. {owner_first} agreed with {contact_email} to keep it as a credit for {po}.",
    "Reference is wrong on the statement: this is {po}, not the order before it.",
    "{company} has returned a part of {po}; {owner_first} decides what is refunded of this.",
    "Auditors asked about this one; the answer is in the file of {contract}.",
)
NOTICES = (
    (
        "Limits on your accounts",
        prose("""Payments above the approval threshold of an account wait until a second user has approved them. The
    user who asked for a payment can never approve it.

    The daily limit counts what leaves an account by payments on one day. Transfers between your own accounts do not
    count."""),
        -190,
    ),
    (
        "New account numbers",
        prose("""For 24 hours after an account number was added or changed, no single payment to it may exceed
    1,000.00. Ask the supplier on a number that you know before you change one."""),
        -120,
    ),
    (
        "Cut-off times at Easter",
        prose("""Between 2 and 6 April 2026 euro payments are carried out on the next working day. Payroll should be
    instructed by 31 March."""),
        -6,
    ),
    (
        "Cut-off times at Christmas",
        prose("""Between 24 and 28 December 2025 euro payments were carried out on the next working day. This notice is
    kept for your records."""),
        -80,
    ),
    (
        "Fees from April",
        prose("""Each euro payment costs 0.35 from 1 April 2026 on; it was 0.20 before. Incoming payments stay free.
    Dollar payments cost 4.50."""),
        -14,
    ),
    (
        "Cards: monthly limits",
        prose("""Cards of travelling staff should be set to 1,500.00 a month, those of team managers to 3,000.00. A
    frozen card still takes refunds. A cancelled card cannot come back."""),
        -45,
    ),
)
