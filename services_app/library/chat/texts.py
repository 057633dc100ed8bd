"""What is written in the seeded chat."""

from __future__ import annotations

from services_app.library.shared import prose

# name, kind, team of the owner ("" is you), topic, purpose, announcements only
CHANNELS = (
    ("general", "public", "people", "Office closed on Good Friday", "For everybody.", False),
    ("announcements", "public", "people", "Read, do not discuss", "News from the management.", True),
    ("customer-orders", "public", "", "Orders that need attention", "Orders, deliveries, addresses.", False),
    ("support-escalations", "public", "support", "Urgent first", "Tickets that need more than one team.", False),
    ("releases", "public", "engineering", "4.3 goes out on Thursday", "What is shipped when.", False),
    ("finance-desk", "public", "finance", "Month end: third working day", "Invoices, credits, payments.", False),
    ("lunch", "public", "marketing", "", "Where do we eat?", False),
    ("spring-event", "public", "", "60 people, noon to six", "Programme, speakers, catering.", False),
    ("pricing", "private", "sales", "Do not forward", "Discounts and special prices.", False),
    ("ops-leads", "private", "", "Weekly round on Tuesday", "Operations leads only.", False),
    ("office-move", "public", "", "Done", "Floor 2 to floor 3.", False),
    ("board-prep", "private", "finance", "", "Figures for the board.", False),
)
# channel, text, replies; slots are filled from a project of the cast
THREADS = (
    (
        "customer-orders",
        prose("""{company} has sent {po}: {seats} x {product}. Who books the delivery? They
    want it by {end}."""),
        (
            "I do. Carrier comes on Thursday, goods go to {address}.",
            "Please note that {first} is the contact on site, not the buyer.",
        ),
    ),
    (
        "customer-orders",
        "Address change for {po}: now {address}. Confirmed by {contact_email}.",
        ("Thanks, changed with the carrier.",),
    ),
    (
        "customer-orders",
        "{po} is on hold: {company} has to sign {contract} first.",
        ("{owner} is chasing {first} for the signature.", "Signed today. You can release it."),
    ),
    ("customer-orders", "Heads-up: {title} moves to {end}. {contact} asked for it by phone.", ()),
    (
        "support-escalations",
        prose("""{company} cannot print since this morning, {seats} {unit}s affected. Contract
    {contract}, so we owe an answer within the hour."""),
        ("On it. Workaround sent to {contact_email}.", "Works again. I will write it up."),
    ),
    (
        "support-escalations",
        "Who has the serial numbers of the {product} for {company}? They are not on {po}.",
        ("In the delivery note, second page.",),
    ),
    (
        "finance-desk",
        "{company} paid {amount} with the reference {po}. Which invoice is that?",
        ("The one for {title}. Please book it in full.",),
    ),
    (
        "finance-desk",
        "Credit for {company}: {owner} agreed to 150.00 because of the late delivery of {po}.",
        ("Needs your written ok in the invoice, please.",),
    ),
    (
        "finance-desk",
        prose("""Reminder: no invoice above 1,000.00 leaves without an order number. {company}
    returned ours for {title} again."""),
        (),
    ),
    (
        "pricing",
        prose("""{company} asks for {price} per {unit} on {seats} {unit}s. Our floor for
    {product} is 5 % below list."""),
        ("Ok until {end}, not longer.",),
    ),
    (
        "ops-leads",
        prose("""Capacity for {title}: {seats} {unit}s need two days at the dock. Slot on
    {start} is still free."""),
        ("Take it. {owner} informs {first}.",),
    ),
    (
        "releases",
        "Fix for the export limit is in 4.3. {company} gets it first, on {start}.",
        ("Tell {owner_first} when it is installed.",),
    ),
    ("general", "{owner} is at {company} in {city} on {start}. Write to support instead.", ()),
    (
        "general",
        prose("""Parking behind the building is closed this week. Visitors park on floor -1,
    code 4471."""),
        ("Does the code work at the weekend?", "No, only Monday to Friday."),
    ),
    ("lunch", "Noodles at 12:30? Table for six is booked under my name.", ("In.", "Me too, but not before 12:45.")),
    ("spring-event", "Catering is confirmed for 60 at 27.50 each. Final number by {end}.", ("We are at 52 now.",)),
    (
        "spring-event",
        prose("""{contact} of {company} will speak for fifteen minutes about {title}. Fee
    400.00 plus travel from {city}."""),
        ("Please send the slides template to {contact_email}.",),
    ),
    (
        "announcements",
        prose("""From next month travel above 500.00 needs the approval of your manager before
    booking."""),
        (),
    ),
    ("announcements", "Welcome to our new colleagues in {city}. The buddy list is in the people folder.", ()),
    (
        "office-move",
        "Boxes for desks 14 to 22 are in the corridor. Labels on the short side, please.",
        ("Done for our team.",),
    ),
)
DIRECT = (
    "Could you have a look at {po} before noon? {first} is waiting for an answer.",
    "The number you asked for: {contract}, running until {end}.",
    "{company} would like to move the meeting. Any time after {start} works for them.",
    "I have approved the {amount} for {title}. Please tell {first}.",
)
POLLS = (
    ("spring-event", "Which day for the spring event?", ("14 May", "21 May", "28 May"), False),
    ("lunch", "Friday lunch", ("Noodles", "Pizza", "Salad bar"), False),
    ("customer-orders", "Cut-off time for same-day orders", ("11:00", "12:00", "13:00"), True),
    ("office-move", "Colour of the new meeting room", ("Sage", "Sand", "Slate"), True),
)
BOOKMARKS = (
    ("customer-orders", "Delivery calendar", "https://intranet.larkfield.example/deliveries"),
    ("support-escalations", "Escalation rules", "https://intranet.larkfield.example/escalation"),
    ("finance-desk", "Closing checklist", "https://intranet.larkfield.example/closing"),
    ("releases", "Release notes", "https://intranet.larkfield.example/releases"),
)
STATUS = ("", "", "In a meeting until 11:00", "Working from Rotterdam", "Back on Thursday", "At a customer")
EMOJI = ("thumbsup", "white_check_mark", "eyes", "tada", "thinking_face")
