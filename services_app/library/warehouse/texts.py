"""What is written in the seeded warehouse."""

from __future__ import annotations

from services_app.library.shared import prose

NOTES = (
    "{contact} of {company} wants all {seats} pieces in one delivery, no part shipments for {title}.",
    "Delivery to {address} only between 8 and 11, the yard is closed afterwards.",
    "Put a copy of {po} into the first carton; goods-in at {company} sends everything else back.",
    "{owner} has promised {company} that this leaves before {start}.",
    "Superseded: Norfreight was agreed with {contact}. The carrier on the order is right, says {owner_first}.",
    "Neutral packaging, no logo: {company} hands it on to its own customer.",
    "Serial numbers go to {contact_email} on the day of shipping.",
)
HOLDS = (
    "Finance waits for the payment of {po}; {owner_first} releases it.",
    "Address unclear: {contact} moves out of {city} these days.",
    "{company} wants to change the quantity, {owner} sends the new order by {start}.",
)
PLATE_HOLDS = (
    "Shrink wrap torn, units to be counted.",
    "Firmware recall of the maker, wait for the new image for {title}.",
    "Sample taken by {owner_first} for {company}; do not pick before it is back.",
)
BLOCKS = ("Beam bent by a forklift.", "Sprinkler leaks on this bay.", "Reserved for the stocktake of {title}.")
SHORTS = ("Box was empty.", "Two units without a seal, left for quality.", "Label does not match the SKU.")
CLOSINGS = ("Shortage claimed from the carrier, photo in the file.", "Rest follows with the next delivery, says sales.")
INSTRUCTIONS = (
    (
        "Waves",
        prose("""A wave holds at most eight orders of one carrier. Plan what is due today and tomorrow first. Norfreight
    loads at 16:00, Postwind at 17:30, the Larkfield van at 7:00 the next morning. Release Norfreight waves three hours
    before loading at the latest."""),
    ),
    (
        "Forklifts and levels",
        prose("""Levels 1 and 2 are picked on foot. From level 3 on only people with a licence pick. Nobody has more
    than six open tasks at a time."""),
    ),
    (
        "Forklifts and levels (2022)",
        prose("""Superseded. Level 3 could be picked from the ladder, and up to ten tasks were given at once."""),
    ),
    (
        "Batteries",
        prose("""Spare batteries stand in the cage and nowhere else. A plate with a swollen cell is put on hold and goes
    to quarantine within the hour. Cartons with batteries never travel with the Larkfield van above 20 units."""),
    ),
    (
        "Cold goods",
        prose("""Cold-chain sensors are calibrated goods: they stay in the cold aisle between 2 and 8 °C until they are
    picked, and are packed last."""),
    ),
    (
        "Receiving",
        prose("""Check the truck in, then receive line by line. Up to 5 % more than announced is accepted, everything
    above goes back with the driver. Damaged units get a plate of their own on hold. A shortage of more than ten units
    is reported to purchasing the same day."""),
    ),
    (
        "Dock doors",
        prose("""D1 and D2 have levelling ramps and take containers; D3 and D4 take vans and swap bodies. Deliveries
    before noon, pickups after noon where possible. Trucks that are more than an hour late lose their slot."""),
    ),
    (
        "Packing",
        prose("""No carton above 25 kg. Gateways are packed alone or with their antennas. The copy of the purchase order
    goes into the first carton if the note of the order asks for it."""),
    ),
    (
        "Short picks",
        prose("""Short picks are shipped only after the account owner has heard from the customer. Orders of ten units
    and less are not shipped short at all."""),
    ),
)
