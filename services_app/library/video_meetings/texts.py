"""What is written and said in the seeded meetings."""

from __future__ import annotations

# topic, agenda, lines of the transcript (who, text), overview, next steps. Slots are filled from a project.
# The last word on a thing is said last: some lines take back what was said before.
CUSTOMER = (
    (
        "{title}: kick-off with {company}",
        "Scope, dates and contacts for {po}. Please bring the floor plan.",
        (
            ("owner", "Good morning {first}. We are here for the {title}; the order is {po} under {contract}."),
            ("contact", "Right. We agreed on {seats} {unit}s of {product}."),
            ("contact", "Deliver to our head office, as on the order form."),
            ("owner", "The start was meant to be {start}. Does that still hold?"),
            ("contact", "Yes, {start}. But one correction: the goods must go to {address}, not to head office."),
            ("owner", "Noted: {address}. We finish by {end}."),
            ("contact", "Invoices go to {contact_email}, with {po} on them, please."),
        ),
        "Kick-off of the {title} with {contact}. {seats} {unit}s of {product}; start {start}, end {end}.",
        ("{owner} changes the delivery address to {address}.", "{first} sends the floor plan before {start}."),
    ),
    (
        "{company}: renewal of {contract}",
        "Price and term of the renewal. Current value: {amount}.",
        (
            ("owner", "Your contract {contract} ends on {end}, {first}. Let us speak about the renewal."),
            ("contact", "We are happy with {product}, but {price} per {unit} is a lot."),
            ("owner", "I could offer five per cent less for two years."),
            ("contact", "We need eight per cent for two years."),
            (
                "owner",
                "I cannot go beyond five without approval. I withdraw nothing: five per cent stands until {end}.",
            ),
            ("contact", "Fine, five per cent then, for {seats} {unit}s. Send the paper to {contact_email}."),
        ),
        "{contact} accepts a renewal of {contract} for two years with five per cent off {price} per {unit}.",
        ("{owner} sends the renewal to {contact_email} by {end}.", "{first} has it signed within two weeks."),
    ),
    (
        "{product} training for {company}",
        "Two hours with the shift leads in {city}. Bring one device per person.",
        (
            ("owner", "Welcome. Today we go through {product} with the team from {city}."),
            ("contact", "There are six shift leads here. The rest of the {seats} users follow next week."),
            ("owner", "The most frequent error is E-17: the device lost its base. Put it on the dock for a minute."),
            ("contact", "And when the label is printed twice?"),
            ("owner", "Turn off the option confirm print; it is known and will be fixed."),
            ("contact", "We need a second session for the late shift. Could it be on {start}?"),
            ("owner", "{start} is possible, at 16:00."),
        ),
        "Training for the shift leads in {city}. Error E-17 means the device lost its base.",
        ("{owner} schedules a second session on {start} at 16:00.", "{first} names the people of the late shift."),
    ),
    (
        "Weekly call: {title}",
        "Open points, risks, next steps.",
        (
            ("owner", "Where are we with {po}?"),
            ("contact", "Half of the {seats} {unit}s are in use. Two arrived damaged."),
            ("owner", "We replace two under {contract}, free of charge."),
            ("contact", "Sorry, I checked: three are damaged, not two."),
            ("owner", "Three, then. They ship to {address} this week."),
            ("contact", "The acceptance is on {end}; {owner_first}, you should be there."),
        ),
        "Three damaged {unit}s of {product} are replaced free of charge. Acceptance on {end}.",
        ("{owner} ships three replacements to {address}.", "{contact} prepares the acceptance on {end}."),
    ),
    (
        "{company}: complaint about invoice for {po}",
        "What was billed and what was agreed.",
        (
            ("contact", "You billed {amount} for {po}, but training was included in {contract}."),
            ("owner", "I see it. The contract says that the first day of training is free."),
            ("contact", "So I expect a credit of 1,150.00."),
            ("owner", "Agreed: a credit note over 1,150.00, and no reminder until it is there."),
            ("contact", "Please send it to {contact_email}."),
        ),
        "{company} gets a credit note over 1,150.00 for {po}; no reminders until then.",
        ("{owner} asks billing for the credit note.", "Reminders for {po} are paused."),
    ),
    (
        "Site survey {city}: {company}",
        "Network, power and loading ramps at {address}.",
        (
            ("contact", "I walk through the hall with the camera now. This is {address}."),
            ("owner", "How many ramps are there?"),
            ("contact", "Four, and power at three of them. The gate closes at 15:00."),
            ("owner", "Then the {seats} {unit}s of {product} need one more socket. Who orders it?"),
            ("contact", "Our electrician, before {start}."),
            ("owner", "Without it we have to move the start, and the two days of work are billed."),
        ),
        "Survey of {address}: four ramps, power at three. The gate closes at 15:00.",
        ("{contact} has a socket installed before {start}.", "{owner} confirms the start in writing."),
    ),
)

# topic, agenda, lines (index of the speaker, text), overview, next steps
INTERNAL = (
    (
        "Operations stand-up",
        "What is late, what is blocked.",
        (
            (0, "The carrier in Rotterdam strikes on Thursday. Parcels leave a day earlier."),
            (1, "Then orders must be released by Wednesday noon."),
            (0, "Orders above 10,000.00 still need a second release, by finance."),
        ),
        "Carrier strike on Thursday: orders are released by Wednesday noon.",
        ("Release orders by Wednesday noon.",),
    ),
    (
        "Pricing council",
        "Discounts above ten per cent.",
        (
            (0, "Discounts above ten per cent need the sales manager; above fifteen, the finance manager as well."),
            (1, "Does that hold for services, too?"),
            (0, "No, services are never discounted from this quarter on."),
        ),
        "Discounts above ten per cent: sales manager; above fifteen: finance manager. Services are never discounted.",
        ("Publish the rule in the sales handbook.",),
    ),
    (
        "Incident review: scanners offline",
        "What happened on Friday, and what changes.",
        (
            (1, "The certificate of the gateways ran out at 06:00; 41 scanners were offline until 09:20."),
            (0, "We renew certificates thirty days before they end from now on."),
            (1, "Customers with premium support get one week of credit."),
        ),
        "Gateways lost their certificate; 41 scanners were offline for 200 minutes.",
        ("Renew certificates thirty days ahead.", "Credit one week to premium customers."),
    ),
    (
        "Hiring panel: support engineer",
        "Four candidates, one place.",
        (
            (0, "Two of the four go to the second round."),
            (1, "The offer may go up to 52,000.00; anything above needs the board."),
        ),
        "Two candidates go on. Offers up to 52,000.00 need no approval.",
        ("Invite both candidates within a week.",),
    ),
    (
        "Quarterly planning",
        "Goals and who owns them.",
        (
            (0, "Goal one: deliveries on time, from 91 to 95 per cent."),
            (1, "Who owns it?"),
            (0, "Operations. Goal two, fewer open tickets, belongs to support."),
        ),
        "Deliveries on time rise from 91 to 95 per cent; operations own it.",
        ("Each owner sends a plan within ten days.",),
    ),
)

PUBLIC = (
    ("Webinar: {product} in practice", "An hour on {product} for customers, with questions at the end."),
    ("Open hour: ask us about {product}", "Bring your questions; no slides."),
    ("Release briefing: {product}", "What is new this quarter and what you have to do."),
)
COMMENTS = (
    "Will {po} be covered? We have {seats} {unit}s.",
    "I can only stay for the first half hour.",
    "Please show how to replace the battery.",
    "A colleague comes in my place if I am held up; please do not admit anybody else from {company}.",
    "",
    "",
)
CHAT = (
    "The order number is {po}, in case you need it.",
    "Slides: https://files.larkfield.example/{sku}.pdf",
    "Our number for the day of delivery: {phone}",
    "I have to leave at half past, please send me the notes at {contact_email}.",
    "Correction to what I said: it is {seats} {unit}s, not {wrong}.",
)
POLLS = (
    ("Which day suits you for the training?", ("Tuesday", "Wednesday", "Thursday")),
    ("How many devices do you use today?", ("None", "Up to ten", "More than ten")),
    ("Did this meeting help you?", ("Yes", "Partly", "No")),
)
CANCELLED = ("{first} is ill.", "Moved to the weekly call.", "The site is closed on that day.")
