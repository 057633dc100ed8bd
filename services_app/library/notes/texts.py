"""What is written in the seeded notes."""

from __future__ import annotations

from services_app.library.shared import prose

# title, tags, text, checklist. Slots are filled from a project of the cast.
PROJECT = (
    (
        "{title}: call with {first}",
        ("call", "customer"),
        prose("""{contact} ({contact_email}) wants {seats} {unit}s of {product} by {start}. Order number {po},
    contract {contract}.

    Budget {amount}. {first} decides alone up to that; anything more goes to their board.

    See also [[Delivery rules]]."""),
        ("Send the order confirmation for {po}", "Ask {owner_first} about the price of {price} per {unit}"),
    ),
    (
        "Visit to {company}, {city}",
        ("visit", "customer"),
        prose("""Address: {address}. Entrance at the back, ring twice.

    Met {contact}. The hall holds forty pallets, not sixty as on the plan. Wi-Fi reaches to door 4 only.

    They want the {title} finished by {end}. {owner} knows. Rules for expenses: [[Travel and expenses 2026]]."""),
        ("Send photographs to {contact_email}", "Order two access points for {city}"),
    ),
    (
        "{po}: what was agreed",
        ("order",),
        prose("""{seats} x {product} at {price}, {amount} in all, under {contract}.

    Delivery to {address} from {start}. Part deliveries are fine, but not before 08:00.

    Changed afterwards, by phone: the last delivery is on {end}, and {first} signs for it personally."""),
        ("Check the delivery note against {po}",),
    ),
    (
        "Open questions on {contract}",
        ("contract",),
        prose("""1. Does the price of {price} per {unit} hold after {end}?

    2. Who pays for the ride to {city}? {owner} says we do, {contact} says nothing.

    3. Is support included? Yes, for {seats} {unit}s, see [[Support levels]]."""),
        ("Get question 2 answered by {owner_first}", "File the answers with {contract}"),
    ),
    (
        "Handover list {title}",
        ("handover", "checklist"),
        prose("""For the handover at {company} on {end}. Contact on site: {contact}. Papers under {po}."""),
        (
            "Count {seats} {unit}s of {product} with {first}",
            "Have the protocol signed by {contact}",
            "Collect the old devices at {address}",
            "Tell {owner_first} that {po} can be billed",
        ),
    ),
)

# notebook, title, tags, text, pinned. Older rules stand beside the ones that replaced them.
STANDING = (
    (
        "Operations",
        "Carriers last year",
        ("carrier", "old"),
        "Parcels: Halden Couriers, up to 20 kg. Pallets: Brockway, two days ahead. See [[Carriers]] for this year.",
        False,
    ),
    (
        "How we work",
        "Delivery rules",
        ("rules",),
        prose("""Orders released by 14:00 leave on the same day. Pallets only with a ramp; otherwise parcels of at
    most
    25 kilograms.

    Orders above 10,000.00 need a second release by finance."""),
        True,
    ),
    (
        "How we work",
        "Travel and expenses 2025",
        ("rules", "old"),
        prose("""Hotels up to 130.00 a night, meals up to 38.00 a day. Replaced by [[Travel and expenses 2026]] in
    January."""),
        False,
    ),
    (
        "How we work",
        "Travel and expenses 2026",
        ("rules",),
        prose("""Hotels up to 145.00 a night, in London and Lyon up to 190.00. Meals up to 42.00 a day. Trains
    first class
    from three hours on. Anything above needs the head of the team beforehand.

    Receipts within 14 days; later ones are not paid."""),
        True,
    ),
    (
        "How we work",
        "Support levels",
        ("rules", "support"),
        prose("""Premium answers within 30 minutes, standard within 4 hours, basic on the next working day. On-site
    visits
    are free for premium only; others pay 690.00 a visit."""),
        False,
    ),
    (
        "Operations",
        "Carriers",
        ("carrier",),
        prose("""Parcels up to 25 kg: Halden Couriers, dispatch +44 20 7946 0820, closes 17:30. Pallets: Norrfrakt,
    order
    by 11:00 for the next day. Cold goods: only Norrfrakt, two days ahead.

    Halden does not deliver to islands."""),
        True,
    ),
    (
        "Operations",
        "Door codes",
        ("access",),
        prose("""London warehouse 7713. Rotterdam 2290. Lyon: ask the porter.

    Since last month: Rotterdam is 2295."""),
        False,
    ),
    (
        "Operations",
        "Error codes of scanners",
        ("support", "scanner"),
        prose("""E-17: lost its base, put it on the dock for a minute. E-21: battery, replace it. E-30: wrong
    firmware, only
    support may update. HS-2 shows E-9 for what HS-4 calls E-30."""),
        False,
    ),
    (
        "Warehouse team",
        "Counting days",
        ("stock",),
        prose("""Cycle counts on Tuesdays: aisles A to F in odd weeks, G to M in even ones. Differences above 2 per
    cent are
    counted again by somebody else. Differences above 500.00 go to finance."""),
        True,
    ),
    (
        "Warehouse team",
        "Shift plan rules",
        ("people",),
        prose("""Late shift ends at 22:00, early shift starts at 06:00; nobody does one after the other. Swaps are
    written
    into this notebook a day ahead."""),
        False,
    ),
    (
        "Sales handbook",
        "Discount approvals",
        ("rules", "price"),
        prose("""Up to 10 per cent: account manager. Up to 15: sales manager. Above: finance manager as well.
    Services and
    premium support are never discounted."""),
        True,
    ),
    (
        "Sales handbook",
        "Offer texts",
        ("price",),
        prose("""Offers hold for 30 days. Delivery time is 10 working days for devices in stock, 25 for others.
    Always name
    the contact for orders: the order desk."""),
        False,
    ),
    (
        "Private",
        "Gift ideas",
        ("home",),
        "For Samira: the blue teapot from the market. For dad: a walk along the canal and lunch.",
        False,
    ),
    ("Private", "Passwords", ("home",), "Vault of the flat: 55-19-02. Wi-Fi at home: kettle-otter-91.", False),
    ("Private", "Salary talk", ("home",), "Ask for 4 per cent and Fridays at home from May on.", False),
)

ATTACHMENTS = (
    (
        "Business card {contact}.jpg",
        "{contact}\n{company}\n{address}\n{contact_email}\nmobile {phone}",
    ),
    (
        "Whiteboard {title}.png",
        "{title}\nstart {start}\nend {end}\n{seats} {unit}s\nrisk: socket missing at door 3\nwho: {first}",
    ),
    (
        "Delivery note {po}.pdf",
        "Delivery note\nOrder {po}\nArticle {sku} {product}\nQuantity {delivered} of {seats}\nRest follows on {end}",
    ),
    (
        "Parking ticket {city}.jpg",
        "{city} parking\npaid 14.50\nvehicle LF 24 KLM\nvisit to {company}",
    ),
)
TRASHED = ("Carriers last year",)
LOCKED = ("Passwords", "Salary talk")
NOTEBOOKS = (
    # name, stack, whose ("" for yours, otherwise a team), your right
    ("Inbox", "", "", ""),
    ("Customers", "Work", "", ""),
    ("Operations", "Work", "", ""),
    ("How we work", "Work", "", ""),
    ("Old ideas", "Home", "", ""),
    ("Private", "Home", "", ""),
    ("Sales handbook", "Shared", "sales", "view"),
    ("Warehouse team", "Shared", "operations", "edit"),
    ("Projects together", "Shared", "support", "edit"),
)
