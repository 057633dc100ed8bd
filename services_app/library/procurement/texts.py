"""What is written in the seeded procurement application."""

from __future__ import annotations

from services_app.library.shared import prose

# category of the supplier -> name, unit, price, lead days, minimum quantity
ITEMS = {
    "electronics": (
        ("Scanner battery 3.7 V", "piece", 18.4, 9, 5),
        ("Temperature probe PT100", "piece", 27.9, 12, 1),
        ("Antenna cable 3 m", "piece", 11.6, 6, 10),
        ("USB-C dock charger", "piece", 34.0, 7, 1),
    ),
    "packaging": (
        ("Folding box 400 x 300", "bundle of 25", 21.5, 4, 2),
        ("Bubble wrap roll", "roll", 14.2, 3, 1),
        ("Label roll 100 x 150", "roll", 8.9, 3, 5),
    ),
    "machining": (
        ("Wall bracket, powder-coated", "piece", 16.8, 18, 10),
        ("Gateway housing", "piece", 42.0, 25, 5),
        ("Mounting plate", "piece", 9.7, 15, 20),
    ),
    "print": (
        ("Quick-start leaflet", "pack of 500", 96.0, 8, 1),
        ("Vehicle sticker set", "pack of 100", 74.0, 10, 1),
        ("Label roll 100 x 150", "roll", 9.6, 5, 1),
    ),
    "freight": (
        ("Pallet to mainland Europe", "pallet", 182.0, 5, 1),
        ("Same-day courier London", "trip", 38.0, 0, 1),
        ("Return collection", "parcel", 12.5, 2, 1),
    ),
    "office": (
        ("Desk, height adjustable", "piece", 412.0, 21, 1),
        ("Office chair", "piece", 239.0, 14, 1),
        ("Copy paper A4", "box", 23.8, 2, 1),
        ("Whiteboard 120 x 90", "piece", 88.0, 6, 1),
    ),
    "catering": (("Lunch buffet, per person", "person", 17.5, 3, 8), ("Coffee and pastries", "person", 6.9, 2, 8)),
    "facilities": (("Deep clean, one floor", "visit", 340.0, 7, 1), ("Window cleaning", "visit", 165.0, 10, 1)),
    "cloud": (("Virtual server M, one month", "server", 74.0, 0, 1), ("Backup storage, 1 TB month", "TB", 19.0, 0, 1)),
    "storage": (("Cold pallet place, one month", "place", 31.0, 3, 5), ("Cross-docking", "pallet", 14.0, 2, 5)),
    "staffing": (("Warehouse temp, one day", "day", 168.0, 2, 1), ("Installer, one day", "day", 295.0, 5, 1)),
    "legal": (("Contract review", "contract", 480.0, 5, 1), ("Trademark search", "search", 620.0, 12, 1)),
    "marketing": (("Trade fair stand, 12 sqm", "stand", 5400.0, 30, 1), ("Product film", "film", 3900.0, 25, 1)),
    "insurance": (("Transport cover, one quarter", "policy", 760.0, 3, 1), ("Exhibition cover", "policy", 240.0, 3, 1)),
    "training": (("Forklift licence course", "person", 310.0, 14, 1), ("First aid course", "person", 95.0, 10, 4)),
    "telecom": (("Roaming SIM, one year", "SIM", 58.0, 4, 5), ("Desk phone", "piece", 112.0, 6, 1)),
}
# name, code, team of the owner ("me": the signed-in user), amount of the year
BUDGETS = (
    ("General", "B-10", "operations", 70_000.0),
    ("Finance", "B-20", "finance", 52_000.0),
    ("Site equipment", "B-30", "me", 72_000.0),
    ("Installation parts", "B-31", "me", 64_000.0),
    ("Engineering lab", "B-40", "engineering", 60_000.0),
    ("Sales and fairs", "B-50", "sales", 58_000.0),
    ("Support spares", "B-60", "support", 48_000.0),
    ("Offices", "B-70", "people", 50_000.0),
)
SUPPLIER_REMARKS = (
    "Delivers only on Tuesdays and Thursdays; the gate closes at 15:00.",
    "{contact} grants 5 % from 1,000.00 on when the quote is named.",
    "Two deliveries were short last year. Count before signing.",
    "Framework agreement until the end of the year; no quotes needed.",
    "",
    "",
)
ON_HOLD = "On hold: the certificate of insurance has expired. {contact} promised a new one."
TITLES = (
    "Parts for {title}",
    "{company} installation, {city}",
    "Material for {po}",
    "Stock for {product}",
    "Workshop at {company}",
)
JUSTIFICATIONS = (
    "{contact} of {company} needs {seats} {unit}s running by {end}; the parts are not in stock.",
    "Promised under {contract}. {owner} agreed to charge it on to {po}.",
    "Replaces what was damaged during {title}.",
    "{owner_first} asked for a reserve of ten per cent for {po}.",
)
COMMENTS = (
    "{owner} says {company} now takes only half of it. Please halve the quantity before this is ordered.",
    "Quote over the phone was lower. Ask {contact_email} before ordering.",
    "Deliver straight to {address}, not to our warehouse; {contact} signs for it.",
    "Do not order before {start}: {contract} is not signed yet.",
    "This is urgent for {title}; a second supplier is fine if the price is within 5 %.",
    "Charge it on to {po}. The number on the first draft was wrong.",
    "We still have two boxes in Rotterdam. {owner_first} will check by {end}.",
)
DISPUTES = (
    "Two pieces arrived damaged; a credit note was promised.",
    "Price is that of last year's list, not of our order.",
    "Freight was agreed to be included.",
)
POLICIES = (
    (
        "Approval limits",
        prose("""The owner of a budget approves first. Above 2,000.00 GBP the owner of the budget General approves as
    well, above 10,000.00 GBP the owner of the budget Finance. Nobody approves their own requisition.

    Splitting a requisition to stay below a limit is not allowed."""),
        -210,
        False,
    ),
    (
        "Approval limits (2025)",
        prose("""The owner of a budget approves up to 1,500.00 GBP alone. Replaced at the turn of the year."""),
        -560,
        True,
    ),
    (
        "Quotes",
        prose("""Up to 500.00 GBP one price from the catalog is enough. From 500.00 GBP two suppliers are compared and
    the cheaper one is taken unless it cannot deliver in time. From 5,000.00 GBP three written quotes are needed.

    Preferred suppliers with a framework agreement need no quotes."""),
        -140,
        False,
    ),
    (
        "Receiving goods",
        prose("""Goods are counted before the delivery note is signed. What is damaged is not received but noted in the
    remark. More than ordered is never received: the surplus goes back with the driver."""),
        -180,
        False,
    ),
    (
        "Supplier invoices",
        prose("""An invoice is approved when order, receipt and invoice agree within 1 %. Otherwise it is disputed on
    the day it arrives, with the reason the supplier will read."""),
        -95,
        False,
    ),
    (
        "Suppliers on hold",
        prose("""A supplier is put on hold after two short deliveries in a quarter, or when a certificate has expired.
    Only Finance sets a supplier to inactive."""),
        -60,
        False,
    ),
    (
        "Goods for customer orders",
        prose("""Whatever is bought for a customer carries the customer's order number on the requisition. Delivery goes
    to the customer only when the contract says so."""),
        -45,
        False,
    ),
)
