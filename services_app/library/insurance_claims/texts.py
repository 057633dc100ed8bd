"""What is written in the seeded claims application."""

from __future__ import annotations

from services_app.library.shared import prose

# line -> (description, third party or not)
LOSSES = {
    "motor": (
        ("Reversed into a bollard in the yard of {company}; rear door and light damaged.", False),
        ("Stone on the motorway to {city}, crack across the windscreen.", False),
        ("Parked in front of {company}, side scraped by a delivery truck of {debtor}.", True),
        ("Rear-end collision at a red light after the visit to {contact}; {debtor} drove up.", True),
    ),
    "property": (
        ("Pipe burst above the store; {product} cartons for {company} are wet.", False),
        ("Break-in through the side door; demo units for {title} are gone.", False),
        ("Forklift of {debtor} tore the roller door down while loading for {company}.", True),
    ),
    "cargo": (
        ("Pallet with {seats} × {product} for {company} fell off the ramp of {debtor}.", True),
        ("Two cartons of {po} missing on arrival in {city}; {debtor} has no scan of them.", True),
        ("Condensation in the swap body, goods for {title} rejected by {contact}.", False),
    ),
    "liability": (
        ("{company} claims that a unit overheated and damaged a shelf; {contact} sent a letter.", False),
        ("Installer drilled into a water pipe at {company} during {title}.", False),
    ),
}
ITEMS = {
    "motor": (("repair", "Body repair"), ("hire", "Hire car, five days"), ("expert_fee", "Surveyor's fee")),
    "property": (("repair", "Repair of the building"), ("replacement", "Goods destroyed"), ("expert_fee", "Drying")),
    "cargo": (("replacement", "Goods at invoice value"), ("expert_fee", "Cargo survey")),
    "liability": (("repair", "Repair at the customer"), ("expert_fee", "Lawyer's opinion")),
}
DOCUMENTS = {
    "photos": ("Photos of the damage", "Six pictures, taken by {owner_first} on {start}. Amount seen: about {amount}."),
    "police_report": ("Police report", "File 4471/{po}. Cause: the other vehicle. {contact} is named as witness."),
    "invoice": ("Invoice", "Invoice for {title}: {amount} without tax, payable by {end}."),
    "delivery_note": ("Delivery note", "{po}: {seats} × {product}. Signed by {contact} with reservation."),
    "claim_letter": ("Letter of {company}", "{contact} holds us liable for {amount} and sets a deadline: {end}."),
}
NOTES = (
    "{contact} asks for an answer by {end}; call {owner_first} before you write.",
    "Broker says: settle quickly, {company} is a customer of the insurer, too.",
    "Superseded: deductible waived. {owner} has no authority for that, the policy applies.",
    "Goods of {po} are kept for the adjuster until {end}, do not scrap them.",
    "Nearly the same as the loss at {company} last year, but another day and place.",
)
FINDINGS = (
    "Amounts are right. Repair by {end} possible.",
    "Old damage on the left side is not part of it; deduct a fifth of the repair.",
    "Half of the goods can be sold as B stock through {company}.",
)
ASSESSMENTS = ("Wear and tear deducted.", "Hire car for three days only.", "Net of salvage.")
DENIALS = (
    "Wear is excluded under section 4.",
    "Reported after the goods were scrapped.",
    "No loss beyond the deductible.",
)
WITHDRAWALS = ("{company} paid directly.", "Below the deductible, {owner_first} agrees.")
ADJUSTERS = (
    (
        "Gwendolyn Tate",
        "Tate & Marlow Adjusters",
        "g.tate@tate-marlow.example",
        ("motor", "property"),
        "London",
    ),
    ("Ruud Hendrikse", "Hendrikse Expertise", "ruud@hendrikse-expertise.example", ("motor", "cargo"), "Rotterdam"),
    ("Solange Perrin", "Cabinet Perrin", "solange.perrin@cabinet-perrin.example", ("property", "liability"), "Lyon"),
    ("Idris Calder", "Tate & Marlow Adjusters", "i.calder@tate-marlow.example", ("cargo", "liability"), "London"),
)
GUIDELINES = (
    (
        "Reporting",
        prose("""Motor losses are reported within three days, cargo within seven, property within fourteen, liability
    within thirty. Late notices need a reason that the insurer accepts: illness of the driver, or that the loss was
    hidden."""),
    ),
    (
        "Documents",
        prose("""Photos for motor, property and cargo; the invoice for property; the delivery note with the reservation
    for cargo; the letter of the claimant for liability. With a third party in traffic always the police report."""),
    ),
    (
        "Inspections",
        prose("""Items above 2,500.00 wait for an adjuster. Take the one of the region first. Do not repair or scrap
    anything before the report."""),
    ),
    (
        "Inspections (2023)",
        prose("""Superseded. Items up to 5,000.00 were paid without an adjuster."""),
    ),
    (
        "Authority",
        prose("""We settle up to 5,000.00 and reserve up to 10,000.00 ourselves. Above that name the claims approver
    with the lowest limit that suffices. Never split a loss into two claims to stay below."""),
    ),
    (
        "Reserves",
        prose("""Reserve what the loss will probably cost after the deductible, on the day of submission. Raise it as
    soon as an item is approved above it; a settlement above the reserve is not possible."""),
    ),
    (
        "Hire cars",
        prose("""A hire car is approved for the days of repair, five at most, and only if no pool vehicle was free."""),
    ),
    (
        "Recoveries",
        prose("""Demand back everything that was paid from whoever caused it, within thirty days of the last payment.
    Carriers pay 8.33 units of account a kilo at most; accept 80 % if they pay within two weeks."""),
    ),
    (
        "Liability",
        prose("""Never admit liability, never promise a payment. Answers to claimants go through the broker."""),
    ),
)
