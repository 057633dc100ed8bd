"""What is written in the seeded booking site."""

from __future__ import annotations

from services_app.library.shared import prose

# name, chain, stars, factor on the usual rate of the city, description
HOTELS = (
    (
        "Linden House {city}",
        "Linden Stays",
        3,
        0.85,
        "Thirty quiet rooms round a courtyard, ten minutes from the station.",
    ),
    (
        "The {city} Arcade",
        "Arcade Collection",
        4,
        1.2,
        "Above the old shopping arcade; meeting room for twelve on the first floor.",
    ),
    ("Hotel Astrid {city}", "", 3, 0.9, "Run by the family since 1961. Breakfast is served until 11:00."),
    ("Portway {city} Airport", "Portway", 3, 0.8, "Shuttle to the terminal every twenty minutes from 04:30."),
    (
        "Sable & Finch {city}",
        "Arcade Collection",
        5,
        1.75,
        "Town house with a bar that locals come to; no group check-in.",
    ),
    (
        "Warehouse No. 9 {city}",
        "Linden Stays",
        4,
        1.1,
        "In a former grain store at the docks, ten minutes by taxi from the freight terminal.",
    ),
    ("Pension Rosa {city}", "", 2, 0.6, "Simple rooms, shared kitchen. The key comes from a box with a code."),
    (
        "Portway {city} Ring Road",
        "Portway",
        2,
        0.65,
        "For those who come by van: high parking spaces, early coffee, no restaurant.",
    ),
    (
        "The Cartographer {city}",
        "",
        4,
        1.3,
        "Every floor is another century of maps. Library, quiet desks, no televisions.",
    ),
    ("Meadow Park {city}", "Meadow Park Hotels", 4, 1.05, "Conference hotel with nine halls and its own tram stop."),
    ("Hotel Ferryman {city}", "", 3, 0.95, "At the landing stage; rooms to the water cost the same, ask early."),
    ("Brass Lantern {city}", "Linden Stays", 3, 0.88, "Small rooms, large beds, next to the court house."),
    (
        "Meadow Park {city} Fair",
        "Meadow Park Hotels",
        4,
        1.25,
        "At the east gate of the fairground. Dear in fair weeks, cheap in between.",
    ),
    (
        "Cooper's Yard {city}",
        "",
        4,
        1.15,
        "Twelve apartments with kitchens; cleaning twice a week, weekly stays welcome.",
    ),
    (
        "Hotel Quince {city}",
        "Arcade Collection",
        4,
        1.18,
        "Garden rooms and a chef who cooks for allergies without a sigh.",
    ),
    (
        "Station Inn {city}",
        "Portway",
        3,
        0.75,
        "On platform one. Windows are triple-glazed; light sleepers ask for the yard side.",
    ),
)
HOUSE_RULES = (
    prose("""Early check-in before noon costs half a night, if a room is ready. Bags are kept for nothing.

    City tax of 3.20 a person and night is paid at the desk and is not part of the rate."""),
    prose("""Quiet from 22:30. Late arrival after 23:00 only with notice by message, otherwise the room is given away.

    Invoices name the company only if the address is sent before departure."""),
    prose("""Parking costs 14.00 a night; vans over 2.10 m do not fit and park at the depot next door for 9.00.

    Dogs are welcome for 12.00 a night. A deposit of 100.00 is held on the card."""),
    prose("""Groups of five rooms and more pay a quarter on arrival and cancel by message.

    Since January smoking is not allowed on balconies either; cleaning is charged with 150.00."""),
)
# name, beds, sleeps, factor, rooms
ROOMS = (
    ("Single room", "single", 1, 0.85, (2, 3, 4)),
    ("Double room", "double", 2, 1.0, (2, 4, 6)),
    ("Twin room", "twin", 2, 1.02, (1, 2, 4)),
    ("Suite with desk", "suite", 4, 1.7, (1, 1, 2)),
)
# name, adjustment, breakfast, min nights, refundable, days, late fee
PLANS = (
    ("Flexible", 0.0, False, 1, True, 1, "first_night"),
    ("Flexible with breakfast", 9.0, True, 1, True, 2, "first_night"),
    ("Non-refundable", -14.0, False, 1, False, 0, "full_stay"),
    ("Long stay", -10.0, True, 4, True, 5, "full_stay"),
    ("Business rate", -5.0, True, 1, True, 3, "first_night"),
)
# name, first day from today, nights, adjustment
SEASONS = (
    ("Trade fair", 16, 5, 45.0),
    ("Easter", 32, 6, 20.0),
    ("Quiet weeks", 7, 8, -12.0),
    ("Marathon weekend", 41, 3, 60.0),
    ("Winter rate", -60, 45, -18.0),
    ("Logistics congress", 52, 4, 35.0),
)
REQUESTS = (
    "Quiet room away from the lift, please; an early call with {company} the next day.",
    "Works at {address} all day and comes late, about 22:00.",
    "Two cases of handheld scanners arrive by courier for {title}; please keep them at the desk.",
    "Invoice to Larkfield Systems with the order number {po}.",
    "Ground floor if possible. {first} of {company} picks the guest up at 07:45.",
    "",
    "",
)
PREFERENCES = (
    "High floor, feather-free pillows.",
    "Vegetarian breakfast. No room next to the lift.",
    "Arrives by van, needs a high parking space.",
    "Allergic to dogs; asks for a room where none have been.",
    "Two desks if a colleague comes along.",
    "Ground floor, because of the knee. Until last year: high floor.",
    "",
)
# sender, text
MESSAGES = (
    ("guest", "Can the room be ready by 12:00? {owner} goes straight to {company} afterwards."),
    ("property", "Early check-in is noted. Half a night is charged on arrival, as in the house rules."),
    ("guest", "Please send the invoice to accounts.payable@larkfield.example and put {po} on it, not {contract}."),
    ("property", "The lift is out of order until {end}; we have put you on the first floor."),
    ("property", "We can hold the suite at the price of the double until {start}. Let us know by message."),
    ("guest", "A second guest, {contact} of {company}, will join for breakfast on the first morning."),
    ("property", "Your parcels for {title} have come: three boxes, at reception."),
    ("guest", "The guest lands late, about 23:30. Please do not give the room away."),
    (
        "property",
        "The meeting room costs 45.00 for half a day. Correction: it is 60.00 since January, coffee included.",
    ),
)
# score, title, text; `hotel` is the name of the hotel
REVIEWS = (
    (
        9,
        "Would stay again for {company}",
        "Ten minutes to {address}, quick check-in, and {po} was on the invoice at once.",
    ),
    (8, "Good for working", "Desk, good lamp, quiet. {first} picked me up at 06:30, breakfast was ready before that."),
    (
        4,
        "Never on the street side",
        "Trams from 05:00 at {hotel}. The room to the yard on the second night was silent.",
    ),
    (6, "Fine for one night", "Clean and small. Parking cost 18.00, not 14.00 as in the house rules of {hotel}."),
    (10, "They kept our scanners safe", "Four cases for {title} came a day early and were locked away unasked."),
    (
        3,
        "Given away at midnight",
        "Landed late, wrote twice, and still the room was gone. They paid the taxi to {address}.",
    ),
    (
        7,
        "Long stay, good price",
        "Four nights with breakfast were cheaper than three without. {owner_first} said the same.",
    ),
    (
        5,
        "Wi-fi on the stairs",
        "The call with {contact} only worked in the lobby. A new line comes on {end}, says the desk.",
    ),
    (
        8,
        "Kitchen and a bench",
        "Cooked twice, ate in the yard with {first} of {company}. No daily cleaning, which suited us.",
    ),
    (2, "Wrong bill, twice", "City tax for five people, and {contract} instead of {po}. Three messages put it right."),
)
LISTS = ("Near the freight terminals", "Customers like these", "Under a hundred", "With a meeting room")
CREDITS = (
    "For the night of {start} when the room was given away",
    "Loyalty of the last quarter",
    "Refund of the deposit at {company}",
    "Goodwill because the lift was broken",
)
