"""What is written about the seeded homes."""

from __future__ import annotations

from services_app.library.shared import prose

# name, address, phone, agency, city, hours of notice
AGENTS = (
    ("Philippa Harrow", "p.harrow@harrow-finch.example", "+44 20 7946 0311", "Harrow & Finch", "London", 24),
    ("Desmond Finch", "d.finch@harrow-finch.example", "+44 20 7946 0312", "Harrow & Finch", "London", 4),
    ("Gwen Aldous", "gwen@severn-homes.example", "+44 117 496 0220", "Severn Homes", "Bristol", 24),
    ("Maarten Dekker", "m.dekker@maasmakelaars.example", "+31 10 555 0144", "Maasmakelaars", "Rotterdam", 48),
    ("Fleur de Wit", "f.dewit@maasmakelaars.example", "+31 10 555 0145", "Maasmakelaars", "Rotterdam", 4),
    ("Bastien Roche", "bastien@roche-saone.example", "+33 4 72 55 01 70", "Roche Saône", "Lyon", 24),
)
# city, currency, price of a square metre, streets
CITIES = (
    ("London", "GBP", 8200, ("Wharf Road", "Canal Row", "Tanner Street", "Arlington Mews")),
    ("Bristol", "GBP", 4600, ("Mill Lane", "Redcliffe Parade", "Foundry Way", "Orchard Avenue")),
    ("Rotterdam", "EUR", 4100, ("Maaskade", "Oude Haven", "Lloydstraat", "Mathenesserlaan")),
    ("Lyon", "EUR", 4900, ("quai Arloing", "rue Mercière", "cours Gambetta", "rue de la Martinière")),
)
# kind, title, bedrooms, square metres from and to
KINDS = (
    ("flat", "Bright flat on the second floor", 2, 58, 82),
    ("flat", "Flat with a balcony over the water", 3, 74, 110),
    ("flat", "Garden flat in a quiet street", 2, 52, 78),
    ("house", "Terraced house with a small garden", 3, 96, 140),
    ("house", "Corner house with a workshop", 4, 120, 190),
    ("house", "Old lock keeper's house", 3, 88, 120),
    ("studio", "Studio near the station", 0, 24, 38),
    ("plot", "Building plot with planning permission", 0, 180, 420),
)
DESCRIPTIONS = (
    "Ten minutes on foot from the site of {company}. Quiet at night, lively by day. The kitchen was renewed last year.",
    "South-facing, with a view of the river. Pets by arrangement. Parking costs extra, see the questionnaire.",
    "Needs work: the bathroom is from 1984. Priced accordingly. Free from {end}.",
    "Sold with tenants until {end}. Not for people in a hurry.",
    "The owner, who works for {company}, moves abroad on {start} and wants a quick sale.",
)
# title, access, text
DOCUMENTS = (
    (
        "Seller's questionnaire",
        "open",
        prose("""Free from {end}. Parking space: 90.00 a month, not part of the price. The roof was repaired in 2021
        by {company}, guarantee until {start}. Disputes with neighbours: none. Dogs are allowed, two at most."""),
    ),
    (
        "Survey report",
        "after_viewing",
        prose("""Damp in the north wall up to 40 centimetres; repair about {amount}. Wiring of 1996, safe. The
        surveyor, {contact}, advises an inspection of the chimney before {end}. Contact: {contact_email}."""),
    ),
    (
        "Lease and house rules",
        "open",
        prose("""Ground rent is fixed until 2061. Short lets are forbidden. Removals only on weekdays from 08:00 to
        17:00; the lift has to be reserved {seats} days before."""),
    ),
    (
        "House rules (superseded)",
        "open",
        prose("""Removals also on Saturdays. Replaced by the lease and house rules of this year."""),
    ),
    (
        "Energy certificate",
        "open",
        prose("""Demand 142 kWh per square metre. Better windows would bring the home one class up. Issued under
        number {contract}, valid for ten years."""),
    ),
)
NOTES = (
    "Near enough to cycle to the office.",
    "{owner_first} lives round the corner and likes it.",
    "Ask about the parking space before {end}.",
    "Too loud on Fridays. Only if the price comes down.",
    "Free from {start}: fits.",
)
QUESTIONS = ("What does the parking space cost?", "Is the roof watertight?", "May we see the cellar?", "")
FEEDBACK = (
    "Light and dry. Kitchen small. Would go to 95 per cent of the price.",
    "Smells of damp in the hall; the agent says it is known.",
    "Neighbour {contact} is friendly and works nights.",
    "Good, but the fifth floor without a lift.",
)
CANCELLED = ("Sold before the viewing.", "I was ill.", "Moved to another day.")
REPLIES = (
    "The seller would take {counter} if you complete within eight weeks.",
    "Thank you, but there is a higher offer.",
    "The seller wants no conditions about repairs.",
)
CONDITIONS = ("Subject to a survey.", "The seller repairs the north wall.", "Free of tenants at completion.", "")
# who writes (agent or you), text
MESSAGES = (
    ("agent", "The seller has moved the date to {end}; before that the home is not free."),
    ("agent", "Correction: the service charge does not include heating."),
    ("me", "Could we see it on {start}? I come straight from {company}."),
    ("agent", "Keys are with {contact} at {address}, ring {seats} minutes before."),
    ("me", "Please send the survey to noor.haddad@larkfield.example."),
    ("agent", "Two other parties view this week. Offers are opened on {end}."),
)
# lender, loan, currency, rate, years, days until it ends, conditions
PREAPPROVALS = (
    ("Thamesway Building Society", 520_000, "GBP", 4.35, 30, 60, "Survey needed above 90 per cent of the value."),
    ("Thamesway Building Society", 480_000, "GBP", 4.1, 25, -20, "Replaced by the offer of this year."),
    ("Maasbank", 430_000, "EUR", 3.6, 30, 45, "Only for homes with energy rating E or better."),
    ("Crédit Rhône", 300_000, "EUR", 3.9, 20, 12, "Salary of two years has to be shown."),
)
SEARCHES = (
    ("Near the office", "sale", "London", "flat", 700_000, 2),
    ("Rotterdam, to rent", "rent", "Rotterdam", None, 2_400, 2),
    ("House with a garden", "sale", "Bristol", "house", None, 3),
)
