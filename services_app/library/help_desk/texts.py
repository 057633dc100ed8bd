"""What is written in the seeded help desk."""

from __future__ import annotations

from services_app.library.shared import prose

# category, subject, description, comments (who, visibility, text). Slots are filled from a project of the cast.
TICKETS = (
    (
        "hardware",
        "{product} does not start",
        prose("""Since this morning one of our {seats} {unit}s does not start. The light stays
    red. We bought it with {po}. The site in {city} cannot work without it."""),
        (
            (
                "agent",
                "public",
                prose("""Hello {first}, please keep the power button pressed for twelve seconds and
    tell us the colour of the light afterwards."""),
            ),
            ("them", "public", "We did. It blinks orange three times now."),
            (
                "agent",
                "internal",
                prose("""Three times orange is the battery. Send a replacement under {contract}, no
    charge. Delivery to {address}."""),
            ),
        ),
    ),
    (
        "hardware",
        "Labels are printed twice",
        prose("""Every label for {po} comes out twice since the update. Two rolls a day are
    wasted. Contact on site: {contact}."""),
        (
            (
                "agent",
                "public",
                prose("""Hello {first}, this is a known problem of version 4.2. Set the option “confirm
    print” to off until the next update."""),
            ),
            ("agent", "internal", "Workaround confirmed by engineering, see the help article on printing."),
        ),
    ),
    (
        "delivery",
        "Order {po} is incomplete",
        prose("""We received {po} today, but two of the {seats} {unit}s of {product} are
    missing. The delivery note says they were shipped."""),
        (
            (
                "agent",
                "internal",
                "Carrier says one parcel is still in the depot. Second attempt on {end}, to {address}.",
            ),
            ("agent", "public", "Hello {first}, the missing parcel is still with the carrier. It arrives by {end}."),
        ),
    ),
    (
        "delivery",
        "Change of delivery address",
        prose("""Please deliver everything for {po} to {address} instead of our head office.
    The gate closes at 15:00."""),
        (("agent", "public", "Hello {first}, changed. The driver calls before arrival."),),
    ),
    (
        "billing",
        "Wrong price on the invoice",
        prose("""The invoice for {title} shows {amount}, but contract {contract} gives {price}
    per {unit} for {seats} {unit}s with a discount. Please correct it."""),
        (
            (
                "agent",
                "internal",
                prose("""{owner} confirms the discount. A credit has to be issued by billing; approved
    by {owner_email}."""),
            ),
        ),
    ),
    (
        "billing",
        "Invoice sent to the wrong person",
        prose("""Invoices for {company} must go to {contact_email} only. The last two went to
    someone who has left."""),
        (
            ("agent", "public", "Hello {first}, thank you. We have passed the address to billing."),
            ("them", "public", "It happened again today. Please make sure that {po} is on it as well."),
        ),
    ),
    (
        "access",
        "New user needs access",
        prose("""Please create a user for {contact} ({contact_email}) with access to {product}
    for the site in {city}. Needed from {start}."""),
        (
            (
                "agent",
                "internal",
                prose("""{seats} licences are in contract {contract}; all are used. Needs one more
    before we can add a user."""),
            ),
        ),
    ),
    (
        "access",
        "Locked out after too many attempts",
        "{contact} is locked out of {product} since this morning. The shift starts at 14:00.",
        (
            (
                "agent",
                "public",
                prose("""Hello {first}, the account is open again. The new password has to be set
    within 24 hours."""),
            ),
        ),
    ),
    (
        "software",
        "Export stops half-way",
        prose("""The weekly export of {product} stops after about 5,000 rows. We need the
    complete file by {end} for our audit."""),
        (
            ("agent", "public", "Hello {first}, please split the export by month until the fix is out."),
            (
                "agent",
                "internal",
                prose("""Fix is in 4.3. {company} is on the list for the early release; tell
    {owner_first} when it is installed."""),
            ),
        ),
    ),
    (
        "software",
        "Wrong times in the schedule",
        prose("""All slots in {product} are shown one hour late since the change of the clocks.
    {contact} corrects them by hand."""),
        (
            (
                "agent",
                "internal",
                prose("""The site setting has the wrong time zone. Correct value for {city} is in the
    sheet of contract {contract}."""),
            ),
        ),
    ),
    (
        "other",
        "Question about training",
        prose("""How much does a day of training cost for {seats} people, and could it be held
    in {city} before {end}?"""),
        (
            (
                "agent",
                "public",
                prose("""Hello {first}, a day is 1,150.00 for up to ten people, travel included. Your
    account manager {owner} will call you."""),
            ),
        ),
    ),
    (
        "other",
        "Certificate for the audit",
        prose("""Our auditor asks for the certificate of {product}. Please send it to
    {contact_email} by {end}."""),
        (),
    ),
)
DRAFTS = frozenset({"Training prices"})
"""Titles of articles that are being written, whatever the seed."""

ARTICLES = (
    (
        "hardware",
        "Reset a handheld scanner",
        prose("""Keep the power button pressed for twelve seconds until the light turns green.
    If it blinks orange three times, the battery is worn and is replaced free of charge within 24 months. Red
    means a defect: open a ticket with the serial number."""),
    ),
    (
        "hardware",
        "Labels are printed twice",
        prose("""Version 4.2 prints every label twice when “confirm print” is on. Set it to
    off. The problem is solved in 4.3."""),
    ),
    (
        "delivery",
        "Missing parcels",
        prose("""Wait two working days after the announced date. After that a replacement is
    sent if the value is below 750.00; above it the logistics planner decides. The customer is never charged for
    a second delivery."""),
    ),
    (
        "billing",
        "Credits and refunds",
        prose("""Support may promise a credit of up to 150.00. Anything above needs the consent
    of the account manager, and above 1,000.00 of the finance manager as well. Refunds take ten working days."""),
    ),
    (
        "access",
        "Adding users",
        prose("""A user can be added while licences are free. If none is left, the account
    manager has to sell one first; a trial of 14 days can be opened meanwhile."""),
    ),
    (
        "software",
        "Limits of exports",
        prose("""An export holds at most 5,000 rows up to version 4.2 and 50,000 from 4.3 on.
    Split larger exports by month."""),
    ),
    (
        "software",
        "Time zones",
        prose("""Every site has its own time zone, set under Site, Region. A wrong value shifts
    all slots. Changing it does not move bookings that exist."""),
    ),
    (
        "other",
        "Escalation rules",
        prose("""Urgent tickets without an answer after one hour are escalated to the team
    lead. Tickets of premium customers are escalated after three working days without solution. Nothing is
    escalated twice."""),
    ),
    (
        "other",
        "Training prices",
        prose("""A day on site is 1,150.00 for up to ten people. Each further person costs
    60.00. Remote training is 720.00 a day."""),
    ),
)
WORK = (
    "Talked to {first} on the phone and checked the logs.",
    "Reproduced the problem in the test site.",
    "Prepared and sent a replacement for {po}.",
    "Corrected the settings of the site in {city}.",
)
RATINGS = ("Quick and friendly.", "Solved, but it took three mails.", "Had to explain the same thing twice.", "")
TAGS = ("returned", "warranty", "site-visit", "known-issue", "waiting-for-parts", "contract", "audit")
