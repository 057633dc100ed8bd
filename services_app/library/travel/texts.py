"""What is written in the seeded travel system."""

from __future__ import annotations

from services_app.library.shared import prose

# title, status, days since it came into force, body
POLICIES = (
    (
        "Travel and expenses",
        "current",
        120,
        prose("""Hotels cost up to 160.00 a night. Dearer rooms need a justification that names the event or the
    customer who asked for the hotel.

    Trips of up to 500.00 need no approval. Up to 2,000.00 the manager approves, above that the head of finance as
    well. If a trip becomes a tenth dearer, it is approved again. Heads of department are approved by finance."""),
    ),
    (
        "Travel and expenses (2023)",
        "superseded",
        900,
        prose("""Hotels cost up to 140.00 a night. Trips of up to 300.00 need no approval. Business class is allowed
    from four hours."""),
    ),
    (
        "Flights",
        "current",
        90,
        prose("""Flights are booked in economy, at least seven days ahead. Business class is allowed from six hours of
    flight, and otherwise only when the traveler works on arrival; say so in the justification.

    Of two flights on a day the cheaper one is taken unless it arrives after 20:00. Changes to economy tickets cost
    45.00, cancellations 60.00; on the last day nothing is refunded."""),
    ),
    (
        "Passports and visas",
        "current",
        300,
        prose("""The passport must be valid until the end of the trip; for Kenya and Japan six months longer. Renewals
    are paid by the company. Tell the operations desk the new date, it keeps the profiles."""),
    ),
    (
        "Who pays",
        "current",
        200,
        prose("""Trips to customers carry the order number of the project. Without one the cost center of the traveler
    pays. Trips for a warranty case are never charged to the customer."""),
    ),
    (
        "Safety abroad",
        "current",
        150,
        prose("""Nairobi and Valparaíso: hotels from our list only, taxi from the airport booked by the hotel. Call the
    operations desk on arrival. The desk cancels trips when an airline strikes."""),
    ),
)
PURPOSES = (
    "{title} at {company}: acceptance",
    "{company}: training for {product}",
    "{title}: site survey",
    "Review of {contract} with {company}",
    "{company}: start of {title}",
)
NOTES = (
    "{contact} expects {traveler} at 10:00 local time at {address}. Arrive the evening before.",
    "Charge to {po}. The customer refunds economy fares only.",
    "Must be back by the evening of the last day; there is a {company} call in the morning after.",
    "Window seat in front if possible; aisle is fine too. Correction from {traveler}: aisle, because of the knee.",
    "{contact} recommends the hotel near the station, the one at the port is a building site until {end}.",
    "Do not book before {owner} has the signed order {po}.",
    "The handheld scanners travel as hand luggage; a second bag was agreed for 60.00.",
    "{traveler} flies home from another city; leave the return open.",
    "Cheaper flight arrives after 20:00; {owner_first} agreed to the earlier one.",
    "Private visit at the weekend: the nights after the last day are paid by {traveler}.",
)
HOTELS = (
    ("Hotel {city} Terminal", 0.8, "Opposite the station, breakfast from 06:30. No parking."),
    (
        "The {city} Quay",
        1.15,
        "At the water; meeting room for eight included. Twenty minutes from the station by tram.",
    ),
    ("Larch House {city}", 0.65, "Simple rooms, no restaurant. Reception closes at 22:00; late arrivals call before."),
    ("Grand {city}", 1.6, "Conference hotel; customers often ask for it. Rates include the gym and airport bus."),
)
JUSTIFICATIONS = (
    "{contact} asked for this hotel, the workshop is there.",
    "All others were full during the fair.",
    "Works on arrival at {company}, see note.",
)
REJECTIONS = (
    "A call with {contact} will do; the visit can wait until {title} begins.",
    "Join the trip of your colleague in the same week.",
    "The order {po} does not pay for a second visit.",
)
