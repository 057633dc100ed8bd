"""What is written in the seeded calendar."""

from __future__ import annotations

from services_app.library.shared import prose

# title, description, minutes. Slots are filled from a project of the cast.
CUSTOMER = (
    (
        "{title} kick-off with {company}",
        prose("""First meeting for {title}. Scope: {seats} {unit}s of {product}, order {po}.
    {owner} presents the schedule. Lead on their side: {contact} ({contact_email})."""),
        90,
    ),
    (
        "Contract {contract}: review",
        prose("""Go through the open points of {contract} with {contact}. The price of {price}
    per {unit} is not up for discussion; the notice period is."""),
        60,
    ),
    (
        "{title}: weekly call",
        prose("""Standing call. Blockers first. {owner} takes the minutes; {first} brings the
    list of open items."""),
        30,
    ),
    (
        "Site visit {city}",
        prose("""Meet at {address}. Safety shoes needed. Register with {contact_email} two days
    before. Bring the {product} sample."""),
        240,
    ),
    (
        "Demo of {product} for {company}",
        prose("""Show the new planning view. {first} asked for numbers: {seats} {unit}s would
    cost {amount}. Leave ten minutes for questions."""),
        45,
    ),
    (
        "Invoice questions: {company}",
        "Finance of {company} disputes {amount} under {po}. Have the delivery note ready.",
        30,
    ),
)
INTERNAL = (
    (
        "Sales pipeline review",
        prose("""Every deal above 10,000.00 is presented in two minutes. Bring the order number
    if there is one."""),
        60,
    ),
    ("Support stand-up", "Tickets without an answer since yesterday, then promises that are about to break.", 15),
    ("Release planning 4.3", "Decide what goes into 4.3. Printing and pairing are fixed; export limit still open.", 60),
    ("Budget check", "Compare spending with plan. Training budget left: 8,400.00. Travel is over by 6 %.", 45),
    ("Stock and shipping", "Gateways are short until the 20th. Priority list: premium customers first.", 30),
    ("Interview: logistics planner", "Second round. Case study takes 30 minutes; the candidate brings own laptop.", 60),
    ("Office move walk-through", "Meet on floor 2. Desks 14 to 22 move on Friday after 15:00.", 45),
    (
        "Spring event: programme",
        prose("""Two customer talks are confirmed, one is missing. Room for 60 people, catering
    by noon."""),
        60,
    ),
    (
        "Onboarding of new colleagues",
        "Accounts, badges, tour of the warehouse. Lunch is paid from the people budget.",
        120,
    ),
)
NOTES = (
    "{contact} joins by video; the link goes to {contact_email}.",
    "Bring the signed copy of {contract}.",
    "{owner} presents, {first} wants no slides.",
    "Catering for eight, one vegetarian. Cost centre as in {po}.",
    "Moved once already; {company} will not accept another change.",
    "Please invite the finance lead of {company} as well.",
)
OUTCOMES = (
    "Decision: {seats} {unit}s under {po} now, the rest with an addendum to {contract}.",
    "Agreed budget for the next step: {amount}.",
    "{first} accepts a week's delay of the {title}, not more; {owner} confirms in writing.",
    "No decision. {contact} has to ask the head of {company} in {city} first.",
)
ROOMS = (
    ("Thames", 4, ("phone",)),
    ("Mersey", 6, ("whiteboard", "phone")),
    ("Severn", 8, ("video", "whiteboard")),
    ("Tyne", 12, ("projector", "video", "phone")),
    ("Maas", 6, ("video",)),
    ("Waal", 10, ("projector", "whiteboard", "video")),
    ("Schelde", 20, ("projector", "video", "phone")),
    ("Saône", 5, ("whiteboard",)),
    ("Rhône", 14, ("projector", "video")),
)
ABSENCES = ("Annual leave", "Training course", "Parental leave", "Customer visit abroad", "Moving house")
