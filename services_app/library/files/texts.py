"""What is in the seeded drives."""

from __future__ import annotations

# drive, quota in KB, shared outside, team of its contact ("" for you), your role, folders as (path, restricted)
DRIVES = (
    ("My files", 60_000, True, "", "manager", (("Home", False), ("Home/Drafts", False), ("Home/Travel", False))),
    (
        "Operations",
        90_000,
        True,
        "operations",
        "manager",
        (("Rules", False), ("Carriers", False), ("Sites", False), ("Sites/Plans", False), ("Stock", False)),
    ),
    (
        "Customers",
        150_000,
        True,
        "sales",
        "editor",
        (("Orders", False), ("Contracts", False), ("Minutes", False), ("Inbox", False), ("Board offers", True)),
    ),
    ("Finance", 80_000, False, "finance", "viewer", (("Price lists", False), ("Policies", False), ("Payroll", True))),
)

# folder, name, kind, label, lines: first the present content, then earlier versions (oldest last)
STANDING = (
    (
        "Price lists",
        "Price list 2026.csv",
        "spreadsheet",
        "internal",
        (
            (
                "article,price,discount allowed\nFleet Tracker,14.50,15\nFleet Tracker Pro,22.00,15\n"
                "Route Planner,39.00,10\n"
                "Handheld Scanner HS-2,289.00,12\nHandheld Scanner HS-4,419.00,12\nOn-site Training,1150.00,0"
            ),
            (
                "article,price,discount allowed\nFleet Tracker,14.00,15\nFleet Tracker Pro,21.00,15\n"
                "Route Planner,39.00,10"
            ),
        ),
    ),
    (
        "Price lists",
        "Price list 2025 (old).csv",
        "spreadsheet",
        "internal",
        (
            (
                "article,price,discount allowed\nFleet Tracker,13.00,20\nFleet Tracker Pro,19.50,20\n"
                "Route Planner,36.00,15\n"
                "Handheld Scanner HS-2,279.00,15\nHandheld Scanner HS-4,399.00,15\nOn-site Training,1090.00,10"
            ),
        ),
    ),
    (
        "Policies",
        "Spending rules.pdf",
        "pdf",
        "internal",
        (
            (
                "Spending rules, valid from January 2026\n1. Up to 500.00: your own decision.\n"
                "2. Up to 5,000.00: the head of"
                " the team.\n3. Above: finance, with three offers.\n4. Services count with their yearly amount."
            ),
            "Spending rules 2025\n1. Up to 300.00: your own decision.\n2. Above: the head of the team.",
        ),
    ),
    (
        "Payroll",
        "Salaries March.csv",
        "spreadsheet",
        "confidential",
        ("team,sum\nsales,48200.00\nsupport,39100.00\noperations,44600.00",),
    ),
    (
        "Rules",
        "Delivery rules.txt",
        "text",
        "internal",
        (
            (
                "Orders released by 14:00 leave on the same day.\nParcels up to 25 kg; heavier goods go on pallets.\n"
                "Pallets need a ramp.\nOrders above 10,000.00 need a second release by finance."
            ),
            "Orders released by 15:00 leave on the same day.\nParcels up to 30 kg; heavier goods go on pallets.",
        ),
    ),
    (
        "Rules",
        "File names and labels.txt",
        "text",
        "internal",
        (
            (
                "Confidential: people, salaries, offers to the board. Never outside, never by link for anyone.\n"
                "Internal: all the rest.\nPublic: leaflets and manuals only.\nOrders are filed as 'Order <number>.pdf'."
            ),
        ),
    ),
    (
        "Carriers",
        "Carrier rates.csv",
        "spreadsheet",
        "internal",
        (
            (
                "carrier,up to kg,price,days\nHalden Couriers,5,6.90,2\nHalden Couriers,25,11.40,2\n"
                "Norrfrakt,500,84.00,3\n"
                "Norrfrakt cold,500,142.00,2"
            ),
            "carrier,up to kg,price,days\nHalden Couriers,5,6.40,2\nHalden Couriers,25,10.90,2\nNorrfrakt,500,79.00,3",
        ),
    ),
    (
        "Carriers",
        "Halden contract.pdf",
        "pdf",
        "confidential",
        (
            (
                "Contract with Halden Couriers\nTerm: until 31 December 2026, notice three months.\n"
                "Pick-up daily at 17:30,"
                " Saturdays at 11:00.\nDamage is reported within seven days, with photographs."
            ),
        ),
    ),
    (
        "Stock",
        "Cycle count.csv",
        "spreadsheet",
        "internal",
        ("aisle,system,counted\nA,412,412\nB,388,385\nC,290,297\nD,151,150\nE,77,77",),
    ),
    (
        "Stock",
        "Minimum stock.txt",
        "text",
        "internal",
        ("HS-2: 40\nHS-4: 60, since February 80\nLP-1: 25\nT5: 120\nCold-chain Sensor: 200",),
    ),
    (
        "Home",
        "To do this week.txt",
        "text",
        "internal",
        ("Ask sales about the tender\nCheck the carrier rates against the contract\nBook the train to Lyon",),
    ),
    (
        "Home/Travel",
        "Train to Lyon.pdf",
        "pdf",
        "internal",
        (
            (
                "Ticket 7QK-2218\nLondon 07:01 - Lyon 13:00\nCoach 4, seat 61\n"
                "Not refundable, changes up to 18:00 the day before"
            ),
        ),
    ),
)
# folder, name, kind, label, content, earlier content ("" for none). Slots are filled from a project of the cast.
PROJECT = (
    (
        "Orders",
        "Order {po}.pdf",
        "pdf",
        "internal",
        (
            "Order {po} of {company}\nContract {contract}\n{seats} x {sku} {product} at {price}\nTotal {amount}\n"
            "Deliver to {address}\nNot before {start}\nSigned {contact}"
        ),
        "",
    ),
    (
        "Contracts",
        "{contract} {company}.txt",
        "text",
        "confidential",
        (
            "Contract {contract}\nbetween Larkfield Systems and {company}, {city}\nSubject: {title}\nAmount: {amount}\n"
            "Term: {start} to {end}\nNotice: 60 days before the end\nContact for invoices: {contact_email}"
        ),
        "Contract {contract}, draft\nSubject: {title}\nAmount: open\nNotice: 30 days before the end",
    ),
    (
        "Minutes",
        "Minutes {title} {po}.txt",
        "text",
        "internal",
        (
            "Present: {contact}, {owner}\n1. Start is {start}.\n"
            "2. {seats} {unit}s of {product}, no more.\n3. {first} orders "
            "the electrician.\nCorrection to 1, sent afterwards: the start is a week later than written."
        ),
        "Present: {contact}, {owner}\n1. Start is {start}.\n2. Number of {unit}s open.",
    ),
    (
        "Sites",
        "Site {city} {po}.jpg",
        "image",
        "internal",
        "Photograph: hall at {address}\nSign on the door: deliveries 07:00 to 15:00\nRamp 3 closed",
        "",
    ),
    (
        "Sites/Plans",
        "Floor plan {company} {po}.pdf",
        "pdf",
        "internal",
        "Floor plan {company}, {address}\nScale 1:100\nRadio shadow behind shelf 12\nSockets: 14, 2 of them dead",
        "",
    ),
    (
        "Board offers",
        "Offer {title} {po}.pdf",
        "pdf",
        "confidential",
        "Offer to the board of {company}\n{amount} less 12 per cent\nValid until {end}\nDo not pass on.",
        "",
    ),
    (
        "Home/Drafts",
        "Letter to {first} {po}.txt",
        "text",
        "internal",
        "Dear {first},\nthank you for {po}. We deliver {seats} {unit}s of {product} from {start} on.\nYours, Noor",
        "Dear {first},\nthank you for {po}.",
    ),
)
LOCKS = ("Being checked by legal.", "I am writing the new version, back on Thursday.", "Counting until tonight.")
SHARES = ("As discussed.", "For your files. Page 2 is what you asked for.", "Please check the dates.", "")
REQUESTS = (
    ("Signed contract {contract}", "All pages, signed by two people. The amount has to be {amount}."),
    ("Photographs of the hall in {city}", "Ramps, sockets, ceiling. By {first} or somebody from the site."),
    ("Certificate of insurance for {po}", "Covering at least {amount}, valid until {end}."),
)
