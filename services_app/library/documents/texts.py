"""What is written in the seeded documents."""

from __future__ import annotations

from services_app.library.shared import prose

# title, tags, body
POLICIES = (
    (
        "Travel and expenses",
        ("travel", "finance"),
        prose("""Meals are refunded up to 45.00 a day, hotels up to 160.00 a night. Receipts
    are handed in within 30 days.

    Trips of up to 500.00 need no approval. Up to 2,000.00 the manager approves, above that the finance manager
    as well.

    Flights are booked in economy. Trains may be booked in first class if the journey takes more than three
    hours."""),
    ),
    (
        "Discounts and approvals",
        ("sales", "pricing"),
        prose("""Account executives may give up to 10 %, account managers up to 15 %, the sales
    manager up to 35 %.

    Hardware is never sold more than 5 % below list. Discounts on services are given only together with a
    subscription.

    Every discount above 15 % is noted on the deal with the name of the person who approved it."""),
    ),
    (
        "Customer escalations",
        ("support",),
        prose("""An urgent ticket without an answer after one hour goes to the team lead, after
    two hours to the support manager.

    The customer is told at once who has taken over. Promises about dates are made in writing only.

    A goodwill credit of up to 150.00 may be promised on the phone."""),
    ),
    (
        "Purchasing",
        ("finance", "operations"),
        prose("""Purchases of up to 250.00 are made by anyone with a cost centre. Up to
    5,000.00 two offers are needed, above that three.

    Orders without an order number are not paid. Framework suppliers are exempt up to 10,000.00."""),
    ),
    (
        "Data retention",
        ("legal",),
        prose("""Customer mail is kept for six years, tickets for three, scanner logs for 90
    days.

    Personal data of former contacts is deleted twelve months after the last contact."""),
    ),
    (
        "Meeting rooms",
        ("office",),
        prose("""Rooms are booked for at most four hours. A room that nobody has entered after
    15 minutes is free.

    The large room needs the consent of the office manager when customers are expected."""),
    ),
    (
        "Working from elsewhere",
        ("people",),
        prose("""Up to 30 days a year can be worked from another country. Requests are made 14
    days ahead. In support two people of each team are in the office every day."""),
    ),
    (
        "Remote site visits",
        ("operations", "safety"),
        prose("""Safety shoes and a vest are worn at every site. Visitors register two days
    ahead with name and company.

    Nobody works alone on docks. Deliveries are accepted between 07:00 and 15:00."""),
    ),
)
# title, kind, tags, body; slots from a project of the cast
PROJECT = (
    (
        "{title}: statement of work ({company})",
        "contract",
        ("customer", "sow"),
        prose("""Contract {contract} between Larkfield Systems and {company}.

    Subject: {seats} {unit}s of {product}. Price: {price} per {unit}, {amount} in all. Order number: {po}.

    Start {start}, end {end}. Contact of the customer: {contact}, {contact_email}. Lead at Larkfield: {owner}.

    Notice is 30 days in writing. Acceptance is declared within ten days of delivery, otherwise it counts as
    given."""),
    ),
    (
        "{title}: minutes of the kick-off",
        "minutes",
        ("customer", "minutes"),
        prose("""Present: {contact}, {owner} and two people from the site in {city}.

    Decisions: delivery to {address}; work starts on {start}. {first} names a stand-in by the end of the week.
    Invoices carry {po}.

    Open: who pays for the rebuilding of dock 3; whether training is needed. Next meeting two weeks later."""),
    ),
    (
        "{title}: minutes of the review",
        "minutes",
        ("customer", "minutes"),
        prose("""The customer is content with {product}. Two of {seats} {unit}s had to be
    replaced.

    {contact} asked to extend {contract} by six months. {owner} makes an offer at {price} per {unit}. The budget
    of the customer is {amount}.

    The date of {end} holds."""),
    ),
    (
        "{company}: site guide {city}",
        "guide",
        ("customer", "site"),
        prose("""Address: {address}. Gate opens at 07:00, deliveries until 15:00.

    Register with {contact_email} two days ahead. Key holder: {contact}. Power at docks 1 to 4 only.

    In an emergency call the site first, then {owner}."""),
    ),
    (
        "{title}: status report",
        "report",
        ("customer", "status"),
        prose("""Status on schedule. {seats} {unit}s of {product} are installed or on the way
    under {po}.

    Spent so far: two thirds of {amount}. Risk: the network in {city} is not ready. Owner of the risk:
    {contact}.

    Next milestone on {end}."""),
    ),
    (
        "{company}: price agreement",
        "contract",
        ("customer", "pricing"),
        prose("""{company} pays {price} per {unit} for {product} until {end}, whatever the list
    price. The agreement ends if fewer than {seats} {unit}s are ordered in a year.

    Reference {contract}. Signed by {contact} and {owner}."""),
    ),
)
GUIDES = (
    (
        "Onboarding checklist",
        ("people",),
        prose("""Day one: badge, laptop, accounts, tour. Week one: safety briefing, warehouse
    visit, meeting with the buddy.

    The lunch of the first day is paid from the people budget. The probation talk is held after eight weeks."""),
    ),
    (
        "How to write an offer",
        ("sales",),
        prose("""Name the order number if there is one. State quantity, price per piece, total
    and the date until which the offer holds (30 days).

    Attach the general terms. Send it to the buyer with a copy to the person on site."""),
    ),
    (
        "Invoice questions",
        ("finance",),
        prose("""Ask for the invoice number first. Small differences of up to 25.00 are written
    off. Anything disputed is answered within two working days.

    Credits above ten per cent need the consent of the account manager."""),
    ),
    (
        "Scanner repairs",
        ("support", "hardware"),
        prose("""Three times orange means battery; it is replaced free of charge within 24
    months. Red means a defect.

    Replacements leave the warehouse until 14:00 on the same day. The old device comes back within ten days,
    otherwise it is charged at list price."""),
    ),
)
TEMPLATES = (
    (
        "Statement of work",
        "contract",
        prose("""Contract {{contract}} between Larkfield Systems and {{customer}}.

    Subject: {{subject}}. Price: {{amount}}. Start: {{start}}. Contact: {{contact}}.

    Notice is 30 days in writing."""),
    ),
    (
        "Meeting minutes",
        "minutes",
        prose("""Date: {{date}}. Present: {{present}}.

    Decisions: {{decisions}}

    Open: {{open_points}}"""),
    ),
    ("Status report", "report", "Project: {{project}}. Status: {{status}}.\n\nDone: {{done}}\n\nNext: {{next}}"),
)
COMMENTS = (
    "{contact} says the amount is {amount}, not what it says here.",
    "Is {end} still right? {first} spoke of two weeks later.",
    "Please add that invoices need {po}.",
    "Checked with {owner}: the notice period stays at 30 days.",
    "The contact has changed; new address is {contact_email}.",
    "The site in {city} closes at 15:00 on Fridays.",
    "Legal wants {contract} quoted in the first line.",
)
REMARKS = ("The price per piece is missing.", "Please name the person on site.", "The dates contradict each other.")
PLAN = (
    "{title}: plan for {company}",
    prose("""Goal: {seats} {unit}s of {product} at {company} before {end}, within {amount}.

    First the site in {city}, then the rest. {contact} decides on the order of the docks.

    Invoices carry {po}. Questions go to {owner}."""),
)
