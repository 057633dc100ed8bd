"""What is written in the seeded claims application."""

from __future__ import annotations

from services_app.library.shared import prose

# line -> (description, third party or not, cover)
LOSSES = {
    "motor": (
        ("Reversed into a bollard in the yard of {company}; rear door and light damaged.", False, "Own damage"),
        ("Stone on the motorway to {city}, crack across the windscreen.", False, "Glass"),
        ("Parked in front of {company}, side scraped by a delivery truck of {debtor}.", True, "Own damage"),
        ("Rear-end collision at a red light after the visit to {contact}; {debtor} drove up.", True, "Own damage"),
        ("Rolled back into the gate of {company}; {contact} claims its repair.", False, "Third-party damage"),
    ),
    "property": (
        ("Pipe burst above the store; {goods} for {company} got wet.", False, "Contents and stock"),
        ("Break-in through the side door; demo units for {title} are gone.", False, "Contents and stock"),
        ("Forklift of {debtor} tore the roller door down while loading for {company}.", True, "Building"),
    ),
    "cargo": (
        ("Pallet with {goods} for {company} fell off the ramp of {debtor}.", True, "Goods in transit"),
        ("Two cartons of {po} missing on arrival in {city}; {debtor} has no scan of them.", True, "Goods in transit"),
        ("Condensation in the swap body, goods for {title} rejected by {contact}.", False, "Goods in transit"),
        ("Stand at the fair in {city} flooded; demo units for {company} spoilt.", False, "Goods at exhibitions"),
    ),
    "liability": (
        (
            "{company} claims that a unit overheated and damaged a shelf; {contact} sent a letter.",
            False,
            "Product liability",
        ),
        ("Installer drilled into a water pipe at {company} during {title}.", False, "Installation work"),
    ),
}
# cover -> kind and title of what is claimed
ITEMS = {
    "Own damage": (("repair", "Body repair"), ("hire", "Hire car, five days"), ("expert_fee", "Surveyor's fee")),
    "Third-party damage": (("repair", "Repair of the gate"), ("expert_fee", "Surveyor's fee")),
    "Glass": (("repair", "New windscreen"),),
    "Building": (("repair", "Repair of the building"), ("expert_fee", "Surveyor's fee")),
    "Contents and stock": (("replacement", "Goods destroyed or lost"), ("expert_fee", "Surveyor's fee")),
    "Goods in transit": (("replacement", "Goods at invoice value"), ("expert_fee", "Cargo survey")),
    "Goods at exhibitions": (("replacement", "Demo units"), ("expert_fee", "Cargo survey")),
    "Product liability": (("repair", "Repair at the customer"), ("expert_fee", "Lawyer's opinion")),
    "Installation work": (("repair", "Repair at the customer"), ("expert_fee", "Lawyer's opinion")),
}
DOCUMENTS = {
    "photos": ("Photos of the damage", "Six pictures, taken by {owner_first} on {loss}. Damage seen: about {claimed}."),
    "police_report": (
        "Police report",
        "File 4471/{number}, {loss}: caused by the other vehicle. Witness: {contact}.",
    ),
    "invoice": ("Invoice", "Repair and replacement after {loss}: {claimed} without tax, payable by {deadline}."),
    "delivery_note": ("Delivery note", "{po}: {goods}. Signed by {contact} with reservation."),
    "claim_letter": ("Letter of {company}", "{contact} holds us liable for {claimed} and sets a deadline: {deadline}."),
}
NOTES = (
    "{contact} asks for an answer by {deadline}; call {owner_first} before you write.",
    "Broker says: settle quickly, {company} is a customer of the insurer, too.",
    "Superseded: deductible waived. {owner} has no authority for that, the policy applies.",
    "What was damaged is kept for the adjuster until {deadline}, do not scrap or repair it.",
    "Nearly the same as the loss at {company} last year, but another day and place.",
)
FINDINGS = {
    "motor": (
        "Amounts are right. Repair by {deadline} possible.",
        "Old damage on the left side is not part of it; deduct a fifth of the repair.",
    ),
    "property": (
        "Walls are dry; work can be done by {deadline}. Amounts are right.",
        "A fifth of the stock is unharmed and can be sold; deduct it.",
    ),
    "cargo": (
        "Packing was sound, the fall did it. Amounts are right.",
        "A fifth of the goods can be sold as B stock through {company}.",
    ),
    "liability": (
        "Cause is ours, amount of {claimed} is usual in {city}.",
        "Repair of {company} includes a part that was broken before; deduct a fifth.",
    ),
}
# kind of item -> why a fifth is not paid
ASSESSMENTS = {
    "repair": "A fifth for wear and tear deducted.",
    "hire": "Four of five days; the repair was done earlier.",
    "replacement": "Net of salvage, a fifth can still be sold.",
    "expert_fee": "Above the usual fee; a fifth deducted.",
}
LATE = {
    "motor": "The driver was in hospital until the day before.",
    "property": "The damage was behind the shelves and seen only at the stock count.",
    "cargo": "Noticed only when the goods were unpacked.",
    "liability": "The letter went to the office in Lyon first.",
}
PHONES = {"London": "+44 20 7946 0", "Rotterdam": "+31 10 555 0", "Lyon": "+33 4 72 55 0"}
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
