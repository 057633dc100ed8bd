"""What is written in the seeded projects."""

from __future__ import annotations

from services_app.library.shared import prose

# name, description, team, columns, tasks: column, name, kind, day, hours, the task it waits for
TEMPLATES = (
    (
        "Customer rollout",
        "From signed order to acceptance. The acceptance protocol closes it.",
        "operations",
        ("Prepare", "On site", "Close"),
        (
            ("Prepare", "Check the order", "task", 2, 2, ""),
            ("Prepare", "Site survey", "task", 7, 8, "Check the order"),
            ("Prepare", "Release of the budget", "approval", 9, 1, "Site survey"),
            ("On site", "Install the devices", "task", 20, 24, "Release of the budget"),
            ("On site", "Train the shift leads", "task", 24, 8, "Install the devices"),
            ("Close", "Acceptance", "milestone", 28, 2, "Train the shift leads"),
        ),
    ),
    (
        "Trade fair",
        "Stand, people and leads. Leads go to sales within two working days.",
        "marketing",
        ("Before", "At the fair", "After"),
        (
            ("Before", "Book the stand", "task", 5, 3, ""),
            ("Before", "Print the leaflets", "task", 20, 6, "Book the stand"),
            ("At the fair", "Staff the stand", "task", 32, 48, "Book the stand"),
            ("After", "Hand over the leads", "milestone", 36, 4, "Staff the stand"),
        ),
    ),
    (
        "Stocktaking",
        "Count, compare, correct. Differences above 2 per cent are counted twice.",
        "operations",
        ("Count", "Clear up"),
        (
            ("Count", "Count aisles A to F", "task", 3, 12, ""),
            ("Count", "Count aisles G to M", "task", 5, 14, ""),
            ("Clear up", "Release of corrections", "approval", 8, 1, "Count aisles G to M"),
            ("Clear up", "Correct the stock", "task", 9, 4, "Release of corrections"),
        ),
    ),
)

# column (0 to do, 1 doing, 2 waiting), name, notes, kind, hours, comments. Slots are filled from a project of the cast.
CUSTOMER = (
    (
        0,
        "Confirm {po} with {first}",
        prose("""{contact} ({contact_email}) ordered {seats} {unit}s of {product} for {amount} under {contract}.
    The price
    is {price} per {unit}."""),
        "task",
        2,
        (
            "{first} wants the confirmation by post as well, to {address}.",
            "Not by post any more: mail to {contact_email}.",
        ),
    ),
    (
        1,
        "Survey of the site in {city}",
        prose("""Address: {address}. Count the ramps, measure the radio, photograph the sockets. {first} opens the
    door
    at 08:00."""),
        "task",
        8,
        (
            "Survey for {po}: three ramps, not four. One socket is missing at the last one.",
            "{owner_first}: the electrician comes on {soon}.",
        ),
    ),
    (
        1,
        "Install {product} at {company}",
        prose("""{seats} {unit}s, order {po}. Start on {soon}. Ask for {contact} at the reception."""),
        "task",
        24,
        (
            "{company} asks to begin a day after {soon}; agreed.",
            "Please bring spare chargers to {city}, two broke last time.",
        ),
    ),
    (
        2,
        "Budget of the {title}",
        prose("""{amount} for {po}. {owner} has agreed to anything up to that; above it finance decides."""),
        "approval",
        1,
        ("The offer of the carrier to {city} is missing; {owner_first} has asked again.",),
    ),
    (
        2,
        "Acceptance by {first}",
        prose("""Protocol signed by {contact} on {end}. Without it {po} cannot be billed."""),
        "milestone",
        2,
        ("{first} is away that week; {company} sends somebody with a power of attorney.",),
    ),
    (
        0,
        "Answer the questions on {contract}",
        prose("""1. Is support included? 2. Who pays for the way to {city}? 3. Does {price} hold after {end}?"""),
        "task",
        3,
        ("1: yes. 2: we do. 3: {owner_first} decides.", "3: it holds until {end} and not longer."),
    ),
    (
        0,
        "Order spare parts for {product}",
        prose("""Two per cent of {seats}, at least two. Supplier as usual. They go to {address} with the first
    delivery
    of {po}."""),
        "task",
        2,
        ("Parts for {product} are out of stock until {soon}; ordered all the same.",),
    ),
)
COUNTING = (
    "Aisle C is closed until Wednesday; I count D to F first.",
    "Fine. Take the new scanners, the old ones lose labels.",
    "D: 412 boxes, 3 more than the system says.",
    "Count D again, 3 boxes are above 2 per cent of the small ones.",
    "Counted again: 410. One more than the system says.",
)
SUBTASKS = ("Write the list", "Have it checked by {owner_first}", "Send it to {contact_email}", "File it under {po}")
# name, brief, tasks: name, notes, hours
OWN = (
    (
        "Move the order desk to the ground floor",
        "Desks, lines and screens. No calls may be lost on the day of the move.",
        (
            ("Measure the rooms", "Nine desks have to fit. The pillar at the window takes 80 cm.", 3),
            ("Plan of desks and sockets", "One page. Costs above 5,000.00 need an approval.", 6),
            ("Order the telephone lines", "Two offers from 500.00 on, three from 2,500.00 on.", 2),
            ("Book the movers", "Only on a Friday after 15:00, the lift is ours then.", 1),
            ("Redirect the calls for the day", "To the desk in Rotterdam; they need the list of open orders.", 2),
            ("Tell customers and carriers", "The number stays, the ramp does not: door D3 from the move on.", 1),
        ),
    ),
    (
        "Carrier tender",
        "Three offers for parcels and pallets. Secret until the decision: prices are not told to anybody.",
        (
            ("Volumes of last year by country", "Parcels and pallets apart; returns count as parcels.", 4),
            ("Invite the carriers", "Same letter to all on the same day. Questions only in writing.", 3),
            ("Compare the offers", "Fuel surcharge included. Below 92 per cent on time is out.", 8),
            ("Talk to finance about terms", "30 days at least. After the 25th they answer in the next month.", 1),
            ("Proposal to the managers", "Ten minutes, no slides. Name the second best as well.", 3),
        ),
    ),
    (
        "Handbook for new planners",
        "Twenty pages at most. Rules that have changed since January are marked.",
        (
            ("Collect what has changed", "Cut-off is 15:00, no longer 16:00. The others are in the chat.", 4),
            ("Chapter on booking docks", "Pictures from the test account only, no customers.", 6),
            ("Chapter on returns", "Ask Rotterdam: they do it another way, and better.", 5),
            ("Let two newcomers read it", "Whoever has been here less than three months. Note each question.", 2),
            ("Print twelve copies", "Ring binding, so that pages can be replaced.", 1),
        ),
    ),
    (
        "Fewer returns",
        "From 4 to 3 per cent by summer. Wrong labels are the main reason.",
        (
            ("Sort the returns of the quarter by reason", "Wrong label, damage, too late, not ordered. 214 in all.", 5),
            ("Test labels with a second check", "One week on aisle B. Costs eight seconds a parcel.", 12),
            ("Talk to the five with the most returns", "Ask, do not blame. Offer the address check.", 6),
            ("Change the packing of glass", "Box in box from 2 kg on; the supplier sends samples.", 4),
            ("Report on the first month", "One figure, one page. Compare with the same month of last year.", 3),
        ),
    ),
    (
        "Energy audit of the warehouse",
        "Required by law every four years. Report to the managers.",
        (
            (
                "Find the report of the last audit",
                "It promised lamps by the end of that year; say what became of it.",
                2,
            ),
            ("Choose the auditor", "Three offers; must be on the list of the ministry.", 3),
            ("Meter readings of twelve months", "Light, heating and chargers apart. October is missing.", 4),
            ("Walk through with the auditor", "Half a day, ramps closed one after the other.", 4),
            ("Measures with costs and savings", "Only what pays within five years. Above 5,000.00 with approval.", 6),
        ),
    ),
)
STATUS = (
    ("on_track", "As planned", "Everything as planned. The next step is due on {soon}. Costs so far: {amount}."),
    (
        "at_risk",
        "Waiting for {company}",
        "{first} has not answered for a week. If nothing comes by {soon}, {end} is lost.",
    ),
    ("off_track", "New date needed", "The devices come late. {end} cannot be held; proposal: three weeks later."),
    ("on_hold", "Stopped", "{company} has stopped {po} until the budget is released. Nobody works on it."),
)
TAGS = ("customer", "urgent", "paperwork", "carrier", "site", "money", "training")
