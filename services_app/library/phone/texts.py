"""What is said on the phone and written in text messages."""

from __future__ import annotations

# direction, result, transcript, notes, disposition. Slots are filled from a project of the cast.
CALLS = (
    (
        "inbound",
        "answered",
        "{contact} asks when {po} arrives in {city}. Told them {start}. They want the driver to call {phone} first.",
        ("Driver has to call {phone} half an hour before arrival at {address}.",),
        "resolved",
    ),
    (
        "inbound",
        "answered",
        "{first} complains that only part of the {seats} {unit}s came. Promised an answer by {end}.",
        ("Missing goods of {po}: the carrier looks for them.", "Found in the depot; second attempt on {end}."),
        "complaint",
    ),
    (
        "outbound",
        "answered",
        "Called {contact} about the renewal of {contract}. They accept {amount} if they may pay in two parts.",
        ("Two payments of half of {amount} each, the second on {end}. {owner} has agreed.",),
        "resolved",
    ),
    (
        "inbound",
        "answered",
        "{contact} of {company} is interested in {product} for another site, about {seats} {unit}s. Wants an offer.",
        ("Offer for {seats} {unit}s at {price} to {contact_email}, attention {first}.",),
        "sales_lead",
    ),
    ("inbound", "missed", "", ("Rang twice, no message. Probably about {po}.",), "callback_needed"),
    ("inbound", "missed", "", (), None),
    ("outbound", "no_answer", "", ("Tried to confirm {start} for the {title}. Try again in the afternoon.",), None),
    ("inbound", "answered", "Caller wanted a pizza.", (), "wrong_number"),
    (
        "outbound",
        "answered",
        "Confirmed the installation of {product} with {first}: {start}, gate 2, badge at the reception.",
        ("Gate 2 is closed for works; use gate 5. Corrected with {first} afterwards.",),
        "resolved",
    ),
)
VOICEMAILS = (
    "Hello, this is {contact} from {company}. Please call me back about {po}, on {phone}, before {end}.",
    "{first} here. The delivery address for {po} is wrong. It has to be {address}. Thank you.",
    "Good afternoon, {contact} speaking. We accept the offer over {amount}. The order number is {po}.",
    "It is {first} again. Forget what I said about {start}; we are ready on {end} only.",
    "This is {contact}. Three of the {seats} {unit}s do not charge. Who can come to {city}?",
    "Hi, {first} from {company}. Please send the invoice for {contract} to {contact_email} and to nobody else.",
)
# A conversation: who writes ("them" or "us"), text
CONVERSATIONS = (
    (
        ("us", "Larkfield: your order {po} leaves today and arrives on {start}. Reply STOP to end messages."),
        ("them", "Thanks. Gate code at {address} is 4471."),
        ("them", "Sorry, typo. The gate code is 4417."),
    ),
    (
        ("them", "Hi, is the installation of {product} still on {start}?"),
        ("us", "Yes, {start} at 09:00. {owner} comes himself or sends a colleague."),
        ("them", "Good. Ask for {contact} at the reception."),
    ),
    (
        ("us", "Larkfield: please confirm the appointment on {end} for the {title}. Reply YES or NO."),
        ("them", "NO, {end} does not work. The day after does."),
    ),
    (
        ("us", "Larkfield: your order {po} leaves today. Reply STOP to end messages."),
        ("them", "STOP"),
    ),
    (
        ("them", "STOP"),
        ("them", "START"),
        ("us", "Larkfield: you get messages about {po} again."),
    ),
    (
        ("them", "We are {seats} people for the training, vegetarian lunch for four. {first}"),
        ("us", "Noted, thank you."),
        ("them", "Make that six vegetarian."),
    ),
)
LINES = (
    ("Main line", "main", "+44 20 7946 0100", False, "08:00", "18:00", "announcement"),
    ("Order desk", "main", "+44 20 7946 0300", True, "07:00", "19:00", "voicemail"),
    ("Delivery notices", "main", "+44 7700 900100", True, "07:00", "20:00", "announcement"),
    ("Support hotline", "toll_free", "+44 808 157 0010", False, "06:00", "22:00", "forward"),
)
GREETINGS = (
    "Welcome to Larkfield Systems. For orders press one, for support press two.",
    "Order desk. Please have your order number ready. Orders placed before 14:00 leave on the same day.",
    "This number sends notices only. Call the order desk instead.",
    "Support hotline. With premium support a person answers within ten minutes, day and night.",
)
# name, line, longest wait in minutes, overflow
QUEUES = (
    ("Orders", "Order desk", 6, "Callers who have waited six minutes are sent to the voicemail of the order desk."),
    ("Support first level", "Support hotline", 10, "After ten minutes calls go to the standby phone of level two."),
    ("Reception", "Main line", 3, "After three minutes the caller hears the opening hours; nothing is recorded."),
)
BLOCKED = (
    ("+44 161 555 0177", "Sells toner, calls daily."),
    ("+44 113 555 0112", "Pretends to be the bank and asks for account numbers."),
    ("+1 305 555 0140", "Robot calls about car insurance."),
    ("+44 121 555 0163", "Rang forty times in an hour; blocked at the request of support."),
    ("+33 1 55 55 01 21", "Survey company; asked us in writing to be taken off their list, no effect."),
)
NOTES = (
    "Prefers to be called before noon.",
    "Hard to hear on the shop floor: write first.",
    "Speaks for the whole company in questions about deliveries, not about prices.",
    "",
    "",
)
NO_CALLS = "Asked on {start} not to be called any more. Write to {email}."
