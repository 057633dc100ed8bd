"""What stands in the seeded presentations."""

from __future__ import annotations

from services_app.library.shared import prose

# name, guidelines, outline, words per slide, retired
TEMPLATES = (
    (
        "Customer proposal",
        prose("""One message per slide, at most 60 words. Prices only on the slide Investment. Photographs of other
        customers need their consent. The closing slide names the account manager and a phone number."""),
        ("Where {{customer}} stands today", "What we propose", "Investment", "Timeline", "Next steps"),
        60,
        False,
    ),
    (
        "Quarterly review",
        prose("""Start with what the customer gained. At most 70 words per slide. Numbers come from the tracker, never
        from memory. Open incidents belong on a slide of their own."""),
        ("Results of the quarter", "Open points", "Plan for {{quarter}}", "Contacts"),
        70,
        False,
    ),
    (
        "Team briefing",
        "Internal. At most 90 words per slide; no customer names in titles.",
        ("What changes", "Who does what", "Questions"),
        90,
        False,
    ),
    (
        "Conference talk",
        prose("""Public. At most 40 words per slide, no prices and no customer names without consent. The marketing
        team reviews every talk."""),
        ("The problem", "What we learned", "What you can do on Monday", "Thank you"),
        40,
        False,
    ),
    ("Customer proposal 2024", "Replaced by Customer proposal. Old logo.", ("Offer", "Contact"), 100, True),
)
# file name, description, use, licence ends so many days from today (None: our own)
IMAGES = (
    ("depot-aisle.jpg", "Aisle of a warehouse with a worker holding a scanner", "anywhere", None),
    ("hs4-front.png", "Handheld Scanner HS-4 from the front", "anywhere", None),
    ("gateway-wall.png", "Gateway G10 on a wall of concrete", "anywhere", None),
    ("fleet-map.png", "Map with forty vehicles, from a demonstration account", "anywhere", None),
    ("rotterdam-harbour.jpg", "Harbour of Rotterdam at dawn, stock photograph", "anywhere", 120),
    ("cold-chain-truck.jpg", "Refrigerated truck at a ramp, stock photograph", "anywhere", -12),
    ("handshake-stock.jpg", "Two people shaking hands, stock photograph", "anywhere", 9),
    ("team-larkfield-house.jpg", "The operations team in front of Larkfield House", "internal_only", None),
    ("margin-by-product.png", "Bar chart of margins by product", "internal_only", None),
    ("roadmap-draft.png", "Draft of the product roadmap", "internal_only", None),
    ("dock-scheduler-screen.png", "Screen of the Dock Scheduler with six slots", "anywhere", None),
    ("label-printer.png", "Label Printer LP-1 with a roll of labels", "anywhere", None),
)
# title of the deck, template, audience, minutes, slides: layout, title, text, notes
DECKS = (
    (
        "{company}: proposal for the {title}",
        "Customer proposal",
        "customer",
        20,
        (
            ("content", "Where {company} stands today",
             "Stock is counted by hand in {city}.\nEvery week two days are lost.",
             "{first} told us that the count in {city} takes two days. Do not name the former supplier."),
            ("content", "What we propose", "{product} for {seats} {unit}s, in use from {start}.",
             "Show the device. Say that training is included only on the first day."),
            ("table", "Investment", "", "The price of {price} was agreed with {owner}. Do not go below it."),
            ("content", "Timeline", "Start {start}\nAcceptance {end}",
             "If they ask for an earlier start: not before {start}, the parts are not there."),
            ("closing", "Next steps", "{owner}\n{owner_email}\nOrder {po}", "Ask for the signature under {contract}."),
        ),
    ),
    (
        "{company}: quarterly review",
        "Quarterly review",
        "customer",
        30,
        (
            ("content", "Results of the quarter", "{product}: 98.4% of scans at the first try.\nTwo outages.",
             "The second outage was our fault. {owner_first} has promised a credit; do not mention an amount."),
            ("content", "Open points", "Order {po}: three {unit}s are still missing.",
             "Correction from {contact}: it is two, not three. The slide is to be changed."),
            ("section", "Plan", "", ""),
            ("content", "Plan for the next quarter", "{title} until {end}.\nReview of {contract}.",
             "The renewal is decided by {contact}, not by purchasing."),
            ("closing", "Contacts", "{owner}\n{owner_email}", "Hand over the printed report."),
        ),
    ),
    (
        "Briefing: {title}",
        "Team briefing",
        "internal",
        15,
        (
            ("content", "What changes", "From {start} on the {title} runs with {seats} {unit}s of {product}.",
             "Budget {amount}. Anything above needs the operations manager."),
            ("content", "Who does what", "{owner}: customer\nNoor Haddad: deliveries to {address}",
             "Deliveries only before 15:00; the gate in {city} closes then."),
            ("content", "Questions", "{contact_email} answers questions about the site.",
             "Old contact was the front desk. Do not use it any more."),
        ),
    ),
    (
        "Talk: what {city} taught us about {product}",
        "Conference talk",
        "public",
        25,
        (
            ("content", "The problem", "Counting by hand does not scale.", "Tell the story of the lost pallet."),
            ("content", "What we learned", "Start with one gate, not with ten.",
             "The figure of 31% may be used; the name of the customer may not."),
            ("content", "What you can do on Monday", "Measure one day. Then decide.", "Pause here for questions."),
            ("closing", "Thank you", "Noor Haddad\nnoor.haddad@larkfield.example", "Slides are online afterwards."),
        ),
    ),
)  # fmt: skip
FLAWS = ("Figures of {{quarter}} follow.", "Price: TBD", "See {{attachment}} for the terms.")
COMMENTS = (
    "{first} asks for two more weeks of test before the acceptance; please change the dates.",
    "{po} says {seats} {unit}s of {product}. Please use the same number on every slide.",
    "Legal: no promise about delivery before {start}.",
    "Please use the address {address} here.",
    "{contact} has read it: too many words on this one.",
    "Is {contract} the right contract? {owner_first} spoke of an addendum.",
    "Nice. Keep it that short.",
    "Picture from {city}, if we have the consent of {company}.",
)
PRAISE = (
    "Good. Mind the licence of the stock photograph.",
    "Approved for {company} only; ask again before it goes to anybody else.",
    "Approved. I have checked {po} and {contract} against the order.",
)
CHANGES = (
    "The title slide needs the order number {po}.",
    "Take the price off the second slide; it belongs on Investment.",
    "{contact} is not our contact any more? Ask {owner_first}, then send it again.",
)
FIRST_RELEASE = "First version for {first}."
NEXT_RELEASES = ("Now with the dates of {contract}.", "Price {price} corrected.", "Contact changed to {contact}.")
