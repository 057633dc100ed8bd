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
        ("{first} wants the confirmation by post as well, to {address}.", "Not by post any more: mail is enough."),
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
            "Three ramps, not four. One socket is missing at the last one.",
            "{owner_first}: the electrician comes on {start}.",
        ),
    ),
    (
        1,
        "Install {product} at {company}",
        prose("""{seats} {unit}s, order {po}. Start on {start}. Ask for {contact} at the reception."""),
        "task",
        24,
        ("{company} asks to begin a day after {start}; agreed.", "Please bring spare chargers, two broke last time."),
    ),
    (
        2,
        "Budget of the {title}",
        prose("""{amount} for {po}. {owner} has agreed to anything up to that; above it finance decides."""),
        "approval",
        1,
        ("The offer of the carrier is missing.",),
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
        ("They are out of stock until {start}; ordered all the same.",),
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
OWN = (
    (
        "Move the order desk to the ground floor",
        "Desks, lines and screens. No calls may be lost on the day of the move.",
    ),
    (
        "Carrier tender",
        "Three offers for parcels and pallets. Secret until the decision: prices are not told to anybody.",
    ),
    ("Handbook for new planners", "Twenty pages at most. Rules that have changed since January are marked."),
    ("Fewer returns", "From 4 to 3 per cent by summer. Wrong labels are the main reason."),
    ("Energy audit of the warehouse", "Required by law every four years. Report to the managers."),
)
OWN_TASKS = (
    ("Collect what is known", "Ask every team for its figures. The figures of last year are in the shared folder.", 4),
    ("Write the plan", "One page. Dates, costs, who. Costs above 5,000.00 need an approval.", 6),
    ("Talk to finance", "They answer within three days. After the 25th of a month they answer in the next one.", 1),
    ("Present to the managers", "Ten minutes, no slides.", 3),
    ("Order the material", "Two offers from 500.00 on, three from 2,500.00 on.", 2),
    ("Tell everybody", "In the chat and on the board in the canteen.", 1),
)
STATUS = (
    ("on_track", "As planned", "Everything as planned. The next step is due on {start}. Costs so far: {amount}."),
    (
        "at_risk",
        "Waiting for {company}",
        "{first} has not answered for a week. If nothing comes by {start}, {end} is lost.",
    ),
    ("off_track", "New date needed", "The devices come late. {end} cannot be held; proposal: three weeks later."),
    ("on_hold", "Stopped", "{company} has stopped {po} until the budget is released. Nobody works on it."),
)
TAGS = ("customer", "urgent", "paperwork", "carrier", "site", "money", "training")
