"""What is written in the seeded contract application."""

from __future__ import annotations

from services_app.library.shared import prose

# title, wording, fallback, guidance, mandatory
CLAUSES = (
    (
        "Parties and subject",
        prose("""This agreement is made between Larkfield Systems and {{counterparty}}, {{address}}. It covers the
    products and services of order {{order}} and runs from {{starts}} to {{ends}}."""),
        "",
        "Never change the parties here; correct the counterparty instead.",
        True,
    ),
    (
        "Fees and payment",
        prose("""The fees for the whole term are {{value}}. Invoices are due 30 days after their date. Late amounts
    bear interest of 1.5 % a month."""),
        prose("""The fees for the whole term are {{value}}. Invoices are due 45 days after their date. Late amounts
    bear interest of 1 % a month."""),
        "The fallback with 45 days is fine for customers of more than 250 employees. 60 days is never accepted.",
        True,
    ),
    (
        "Limitation of liability",
        prose("""Each party is liable up to the fees of twelve months. Neither is liable for lost profit. Nothing
    limits liability for intent."""),
        prose("""Each party is liable up to 150 % of the fees of twelve months. Neither is liable for lost profit.
    Nothing limits liability for intent."""),
        prose("""Use the fallback when the counterparty is insured. Caps above 150 % are decided by legal and need the
    consent of finance in a comment."""),
        True,
    ),
    (
        "Term and termination",
        prose("""The agreement ends on {{ends}}. Either party may give notice of {{notice_days}} days in writing. Notice
    for good cause is always possible."""),
        "",
        "Notice is agreed in the terms of the agreement, not in this text.",
        True,
    ),
    (
        "Service levels",
        prose("""The software is available 99.5 % of each month. For every full half per cent below that, 5 % of the
    monthly fee is credited, at most 20 %."""),
        prose("""The software is available 99.8 % of each month. For every full half per cent below that, 5 % of the
    monthly fee is credited, at most 25 %."""),
        "The fallback is for Premium Support customers only.",
        False,
    ),
    (
        "Delivery and acceptance",
        prose("""Hardware is delivered within 20 working days of the order. It counts as accepted ten days after
    delivery unless defects are reported in writing."""),
        prose("""Hardware is delivered within 15 working days of the order. It counts as accepted 14 days after delivery
    unless defects are reported in writing."""),
        "Ask operations before promising 15 working days.",
        False,
    ),
    (
        "Data protection",
        prose("""Personal data is processed only on documented instructions, in the European Economic Area or the United
    Kingdom. Incidents are reported within 48 hours."""),
        prose("""Personal data is processed only on documented instructions, in the European Economic Area or the United
    Kingdom. Incidents are reported within 36 hours."""),
        "Less than 36 hours cannot be kept by the on-call team. Processing elsewhere always goes to legal.",
        False,
    ),
    (
        "Confidentiality",
        prose("""What a party learns about the other is kept confidential for three years after the end of the
    agreement."""),
        prose("""What a party learns about the other is kept confidential for five years after the end of the
    agreement."""),
        "Five years is fine for everybody; unlimited is not.",
        False,
    ),
    (
        "Price adjustment",
        prose("""Fees may rise once a year with the consumer price index, by 8 % at most, with 60 days of notice."""),
        "",
        "Renewals above 8 % are not possible without a new agreement.",
        False,
    ),
    (
        "Reference customer",
        prose("""Larkfield Systems may name {{counterparty}} as a customer on its website."""),
        "",
        "Optional. Take it out when the counterparty hesitates.",
        False,
    ),
    (
        "Governing law",
        prose("""The law of England and Wales applies. The courts of London have jurisdiction."""),
        prose("""The law of the Netherlands applies. The courts of Rotterdam have jurisdiction."""),
        "The fallback is for customers on the continent. Any other law goes to legal.",
        True,
    ),
)
_CORE = ("Parties and subject", "Fees and payment", "Limitation of liability", "Term and termination", "Governing law")
# name, kind, titles of further clauses, months, days of notice
TEMPLATES = (
    (
        "Master agreement",
        "master_agreement",
        ("Service levels", "Data protection", "Confidentiality", "Price adjustment"),
        36,
        90,
    ),
    ("Order form, subscription", "order_form", ("Service levels", "Price adjustment", "Reference customer"), 12, 60),
    ("Order form, hardware", "order_form", ("Delivery and acceptance",), 12, 30),
    ("Statement of work", "statement_of_work", ("Delivery and acceptance", "Confidentiality"), 6, 30),
    ("Mutual NDA", "nda", ("Confidentiality",), 24, 30),
    ("Data processing addendum", "data_processing", ("Data protection", "Confidentiality"), 24, 60),
)
CORE = _CORE
TITLES = {
    "master_agreement": "Master agreement with {company}",
    "order_form": "{product} for {title}",
    "statement_of_work": "Statement of work: {title}",
    "nda": "Confidentiality with {company}",
    "data_processing": "Data processing for {product}",
}
DEVIATIONS = (
    ("Fees and payment", "The fees for the whole term are {{value}}. Invoices are due 60 days after their date."),
    ("Limitation of liability", "Larkfield Systems is liable up to 300 % of the fees of twelve months."),
    (
        "Data protection",
        "Personal data is processed only on documented instructions. Incidents are reported in 12 hours.",
    ),
    ("Delivery and acceptance", "Hardware is delivered within 10 working days of the order or is free of charge."),
    ("Confidentiality", "What a party learns about the other is kept confidential without limit of time."),
)
COMMENTS = (
    "{contact} accepts 45 days of payment but not 30. Use the fallback before sending it again.",
    "The customer's order number is {po}; the one on the first draft was {contract} by mistake.",
    "{owner} agreed with {contact} that it starts on {start}, not earlier.",
    "Signatory has changed: from now on {contact} ({contact_email}) signs for {company}.",
    "{company} wants to end this on {end}. Check the notice before answering.",
    "Value should be {amount} for {seats} {unit}s of {product}. Finance has seen it.",
    "Do not send before {company} has confirmed the address: {address}.",
    "{owner_first} offered at most 4 % more for the renewal of {title}.",
)
MESSAGES = (
    "Dear {first}, please find our agreement on {title} for signature. Your order: {po}.",
    "Dear {first}, as discussed: {product} for {company}, from {start}.",
)
REMARKS = (
    "Signs only on Thursdays; call {contact} before sending.",
    "Purchasing in {city} checks every clause on liability.",
    "Invoices and contracts go to {contact_email}.",
    "",
    "",
)
OBLIGATIONS = (
    ("Send {seats} {unit}s of {product} to {address}", 20),
    ("Train the team of {contact} in {city}", 45),
    ("Send the quarterly availability report to {contact_email}", 90),
    ("Renew the insurance certificate for {company}", 120),
    ("Review prices with {contact} for {po}", 150),
)
EVIDENCE = (
    "Confirmed by {contact} by mail.",
    "Report sent to {contact_email}.",
    "Delivery note signed in {city}.",
)
