"""What is written in the seeded expense application."""

from __future__ import annotations

from services_app.library.shared import prose

# name, ledger code, limit of one expense, receipt needed from, paid back
CATEGORIES = (
    ("Flights", "6210", 400.0, 0.01, True),
    ("Rail and bus", "6220", 120.0, 10.0, True),
    ("Taxi and ride hailing", "6225", 45.0, 10.0, True),
    ("Mileage", "6230", 150.0, 0.01, True),
    ("Hotels", "6240", 160.0, 0.01, True),
    ("Meals", "6250", 35.0, 10.0, True),
    ("Client entertainment", "6260", 90.0, 0.01, True),
    ("Parking and tolls", "6228", 30.0, 5.0, True),
    ("Small tools and parts", "6310", 75.0, 0.01, True),
    ("Software subscriptions", "6320", 60.0, 0.01, True),
    ("Phone and data", "6330", 40.0, 0.01, True),
    ("Personal purchases on card", "1290", 0.01, 0.01, False),
    ("Team gifts", "6270", 50.0, 0.01, True),
)
ARCHIVED = "Team gifts"

# category, merchants, lowest and highest amount, what the receipt says
SPENDING = (
    ("Flights", ("Northwind Air", "Albion Airways"), 90, 380, "Return ticket London - {city}, passenger {name}."),
    ("Rail and bus", ("Trans-Pennine Rail", "Saône Rail", "Coastline Coaches"), 9, 115, "Standard class to {city}."),
    ("Taxi and ride hailing", ("Harbour Cabs", "Citywheel"), 8, 44, "Ride to {company}, {address}."),
    ("Hotels", ("Hotel Lindenhof", "The Wharf Inn", "Auberge du Quai"), 84, 190, "One night in {city}, breakfast."),
    ("Meals", ("Trattoria Nove", "Canteen 18", "Café Maas"), 7, 38, "Lunch for one, table 6."),
    (
        "Client entertainment",
        ("The Copper Pan", "Brasserie Rhône"),
        48,
        140,
        "Dinner for three. Guests: {contact} of {company}, {owner}.",
    ),
    ("Parking and tolls", ("QuayPark", "Tunnel Concession"), 3, 24, "Vehicle pass, {city}."),
    ("Small tools and parts", ("Ferrous Tools", "Cablehouse"), 12, 96, "Mounting kit for {product}, order {po}."),
    ("Software subscriptions", ("Sketchwell", "Mapforge"), 15, 58, "Monthly plan, one seat, {name}."),
    ("Phone and data", ("Roamline", "Telvia"), 10, 36, "Roaming pass, seven days."),
)
REASONS = (
    "Visit to {company} for {title}, order {po}.",
    "Only room left near {address}; agreed with {owner_first}.",
    "Dinner with {contact} after the {title} workshop.",
    "Parts for the {product} installation at {company}.",
    "Charged on to {company} under {contract}.",
    "Replaces a cancelled booking; the credit goes to {po}.",
)
TITLES = ("{title} at {company}", "Visit to {company}", "{city} trip for {po}", "{product} installation, {city}")
PURPOSES = (
    "On-site work for {title} with {contact}. Order {po}, contract {contract}.",
    "Travel to {company} in {city} before the start on {start}.",
    "Workshop on {product} at {address}; {owner} asked for it.",
)
COMMENTS = (
    prose("""{owner} agreed in writing that {company} pays the travel: charge it on to {po}, not to
    our own cost center."""),
    "Please ask for an itemised receipt of the dinner before you approve. {contact_email} can send a copy.",
    "The hotel rate was cleared with {owner_first}: up to 190.00 a night until {end}.",
    "I have the original of the flight receipt; the scan is hard to read.",
    "Second night was cancelled. Only one night may be paid.",
    "Order number corrected: it is {po} and belongs to {title}.",
    "Do not approve before {owner_email} has confirmed the guests.",
    "The mileage was 20 km shorter than claimed; see the route to {address}.",
)
POLICIES = (
    (
        "Receipts and deadlines",
        prose("""Every purchase needs a receipt from the amount on that its category names; for meals and
    rail that is 10.00 GBP. Expenses are submitted within 60 days of the purchase.

    A lost receipt can be replaced by a copy from the merchant, never by a card statement."""),
        -120,
        False,
    ),
    (
        "Receipts and deadlines (2025)",
        prose("""Every purchase over 25.00 GBP needs a receipt. Expenses are submitted within 90 days of the
    purchase. Replaced by the version of this year."""),
        -420,
        True,
    ),
    (
        "Approvals",
        prose("""The manager approves first. Coordinators approve up to 750.00 GBP, managers of a team up to
    3,000.00, the finance manager everything above. Whoever cannot approve a report forwards it.

    A report is sent back when a guest list is missing from client entertainment."""),
        -200,
        False,
    ),
    (
        "Hotels and meals",
        prose("""Hotels: up to 160.00 GBP a night including breakfast. Meals: up to 35.00 GBP a person. More is
    possible when the description says why and names who agreed.

    Alcohol is paid only for client entertainment, and at most 15 % of the bill as a tip."""),
        -150,
        False,
    ),
    (
        "Hotels and meals (2025)",
        prose("""Hotels: up to 140.00 GBP a night. Meals: up to 30.00 GBP a person. Replaced in the spring."""),
        -500,
        True,
    ),
    (
        "Company cards",
        prose("""Everything the card booked is matched with an expense of the same amount within two weeks.
    Private purchases on the card go to the category for personal purchases and are deducted from the next salary."""),
        -90,
        False,
    ),
    (
        "Charging on to customers",
        prose("""Travel is charged on only when the contract of the customer says so. The report then carries the
    customer's order number, and the account owner confirms it in a comment."""),
        -75,
        False,
    ),
    (
        "Mileage",
        prose("""The shortest road counts, both ways when the car came back the same day. The rates are 0.28 GBP a
    kilometre for cars, 0.31 for electric cars, 0.15 for motorcycles and 0.12 for bicycles."""),
        -60,
        False,
    ),
)
