"""What is written in the seeded mailbox. Slots are filled from a project of the shared cast."""

from __future__ import annotations

from services_app.library.shared import prose

# A conversation: subject, then (who writes, text) in order. "them" is the customer, "me" the mailbox owner,
# "owner" the colleague who looks after the customer.
CUSTOMER: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "{title}: order {po}",
        (
            (
                "them",
                prose("""Hello,

    please find our order {po} for {seats} x {product} ({sku}) at {price} per {unit}. The total of {amount} has
    been approved on our side. We would like everything in place by {end}.

    Kind regards

    {contact}"""),
            ),
            (
                "me",
                prose("""Dear {first},

    thank you for order {po}. I have passed it to {owner}, who will confirm the delivery date. The reference on
    our side is {contract}.

    Noor"""),
            ),
            (
                "them",
                prose("""Thanks. Please put {po} on every invoice, otherwise our accounts team sends it
    back.

    {contact}"""),
            ),
        ),
    ),
    (
        "Question about contract {contract}",
        (
            (
                "them",
                prose("""Hi Noor,

    our copy of {contract} says the term ends on {end}. Is that right, and how much notice do we have to give?
    We may want to add a few {unit}s to the {product} before then.

    {contact}

    {company}"""),
            ),
            (
                "me",
                prose("""Hi {first},

    yes, {contract} runs until {end}. Notice is 30 days in writing. Additional {unit}s are {price} each and can
    start at any time.

    Noor"""),
            ),
        ),
    ),
    (
        "Delivery address for {po}",
        (
            (
                "them",
                prose("""Good morning,

    the goods for {po} must not go to our head office. Please deliver to {address}, goods entrance at the back,
    Monday to Thursday before 15:00. The person on site is {contact}."""),
            ),
            (
                "owner",
                prose("""Noor, I have seen this. I will change the address with the carrier today.

    {owner_first}"""),
            ),
        ),
    ),
    (
        "{title}: kick-off on {start}",
        (
            (
                "owner",
                prose("""Hi Noor,

    {company} would like to start the {title} on {start}. Could you book a room for eight people and invite
    {contact} ({contact_email})? Ninety minutes should do.

    {owner_first}"""),
            ),
            ("me", "Will do. Do we need the projector, and is anybody joining from {city}?\n\nNoor"),
            ("owner", "Projector yes. {first} joins by video, the other two come in person.\n\n{owner_first}"),
        ),
    ),
    (
        "Revised quantities for {title}",
        (
            (
                "them",
                prose("""Dear Noor,

    after our internal review we need {seats} {unit}s of {product} rather than the number in the first offer.
    Please send a revised offer to me and keep the price of {price}.

    Best wishes

    {contact}"""),
            ),
        ),
    ),
    (
        "Invoice for {title}",
        (
            (
                "them",
                prose("""Hello,

    we have not received the invoice for {title} yet. Our budget for it, {amount}, lapses at the end of the
    quarter, so please issue it soon with order number {po}.

    {contact}, {company}"""),
            ),
            ("me", "Hello {first},\n\nI have asked our billing team and will come back to you.\n\nNoor"),
        ),
    ),
    (
        "New contact at {company}",
        (
            (
                "them",
                prose("""Hi Noor,

    from {start} I am your contact at {company} for everything about {product}. You can reach me at
    {contact_email}. My predecessor has moved to another site.

    {contact}"""),
            ),
        ),
    ),
    (
        "{title}: acceptance",
        (
            (
                "them",
                prose("""Hello,

    the tests are done. We accept the {title} under {contract} with two remarks: the labels on three of the
    {seats} {unit}s are unreadable, and the manual is missing. Please correct both by {end}.

    {contact}"""),
            ),
            ("owner", "Dear {first}, thank you. Both will be corrected in time.\n\n{owner}"),
        ),
    ),
    (
        "Approval needed: discount for {company}",
        (
            (
                "owner",
                prose("""Noor,

    {company} asks for ten per cent off the {product} if they sign before {end}. At {amount} this is within my
    limit, but please note it in the account so that finance is not surprised.

    {owner_first}"""),
            ),
        ),
    ),
    (
        "Visit to {city}",
        (
            (
                "them",
                prose("""Dear Noor,

    we look forward to your visit on {start}. Please register at the gate with your company badge; parking is
    behind {address}. {contact} will meet you there.

    {company}"""),
            ),
        ),
    ),
)

# Mail among colleagues: team of the sender, subject, text.
INTERNAL: tuple[tuple[str, str, str], ...] = (
    (
        "finance",
        "Expenses: limits from this month",
        prose("""Hello all,

    meals on business trips are refunded up to 45.00 a day and hotels up to 160.00 a night. Anything above
    500.00 in total needs the approval of your manager before you book."""),
    ),
    (
        "finance",
        "Month end closing",
        prose("""Please send me all open purchase orders by the third working day. Orders
    without a cost centre stay open until next month."""),
    ),
    (
        "finance",
        "Write-off rule",
        prose("""For the record: balances of up to 25.00 may be written off by billing, up to
    250.00 by the finance manager, anything larger only after a call with the customer."""),
    ),
    (
        "operations",
        "Carrier change for the Netherlands",
        prose("""From Monday all parcels to Rotterdam go with the new carrier. Collection is at
    16:30, not 17:00. Pallets are not affected."""),
    ),
    (
        "operations",
        "Stock count on Saturday",
        prose("""We count the scanners and gateways on Saturday from 08:00. Nothing can be
    shipped before 13:00. Please tell customers with urgent orders."""),
    ),
    (
        "support",
        "Escalation contacts",
        prose("""An urgent ticket that is not answered within one hour goes to the support lead
    on duty, after two hours to me. Do not escalate by chat, it gets lost."""),
    ),
    (
        "support",
        "Firmware 4.2 and the HS-4",
        prose("""Some Handheld Scanner HS-4 lose their pairing after the update to 4.2. Until
    4.3 is out, tell customers to keep the button pressed for twelve seconds."""),
    ),
    (
        "people",
        "Holiday requests for the summer",
        prose("""Requests for July and August are due by 30 April. In each team at least two
    people have to be there every day."""),
    ),
    (
        "people",
        "New colleague in the Lyon office",
        prose("""A new planner starts in Lyon next week. Please add the address to the weekly
    round and reserve a desk on floor 2."""),
    ),
    (
        "engineering",
        "Maintenance window",
        prose("""The Route Planner will be read-only on Sunday between 06:00 and 08:00 UTC.
    Status updates are posted in the releases channel."""),
    ),
    (
        "marketing",
        "Speakers for the spring event",
        prose("""We still need two customers who speak for fifteen minutes each. The fee is
    400.00 plus travel. Names by Friday, please."""),
    ),
    (
        "sales",
        "Price list: hardware",
        prose("""The price of the Gateway G10 stays at 845.00 until the end of the quarter.
    Offers that are out keep their price for 30 days."""),
    ),
)

AUTOMATIC: tuple[tuple[str, str, str, str], ...] = (
    (
        "no-reply@parcelwise.example",
        "Parcelwise",
        "Shipment for {po} is on its way",
        prose("""Your shipment for {po} ({seats} pieces, {company}) has left the depot.
    Expected delivery: {end}. Tracking number: PW-{po}-1. This message was sent automatically."""),
    ),
    (
        "no-reply@signdesk.example",
        "Signdesk",
        "{contract} has been signed by {contact}",
        prose("""{contact} ({contact_email}) has signed {contract}. All parties have signed.
    The document is attached to your workspace."""),
    ),
    (
        "noreply@bankline.example",
        "Bankline",
        "Incoming payment: {amount}",
        prose("""A payment of {amount} from {company} has been credited to your account.
    Reference given by the payer: {po}."""),
    ),
    (
        "no-reply@statusboard.example",
        "Statusboard",
        "Resolved: delayed exports",
        prose("""The incident that delayed exports between 09:10 and 11:40 UTC is resolved. No
    data was lost."""),
    ),
)

SPAM: tuple[tuple[str, str, str, str], ...] = (
    (
        "offers@bargain-toner.example",
        "Bargain Toner",
        "Toner at half price, today only",
        "Order before midnight and save 50 %. Delivery is free above 80.00.",
    ),
    (
        "director@urgent-transfer.example",
        "Managing Director",
        "Confidential transfer",
        prose("""I am in a meeting and need you to pay 18,400.00 to a new supplier today. Do
    not call me."""),
    ),
    (
        "hello@rank-first.example",
        "Rank First",
        "Your website on page one",
        "We looked at your website and found 14 problems. Reply for a free report.",
    ),
)

# Attachment of a customer message: file name, kind, text.
ATTACHMENTS: tuple[tuple[str, str, str], ...] = (
    (
        "Order {po}.pdf",
        "pdf",
        prose("""PURCHASE ORDER {po}

    Buyer: {company}, {address}

    Contact: {contact}, {contact_email}

    Item: {sku} {product}

    Quantity: {seats}

    Unit price: {price}

    Total: {amount}

    Delivery by: {end}

    Payment: 30 days net."""),
    ),
    (
        "Contract {contract}.docx",
        "docx",
        prose("""AGREEMENT {contract} between Larkfield Systems and {company}.

    Subject: {product}, {seats} {unit}s.

    Term: {start} to {end}.

    Notice: 30 days in writing to {owner_email}.

    Signed for the customer by {contact}."""),
    ),
    (
        "{title} plan.xlsx",
        "xlsx",
        prose("""{title}

    Start: {start}

    End: {end}

    Lead at the customer: {contact}

    Lead at Larkfield: {owner}

    Budget: {amount}"""),
    ),
    (
        "Site notes {city}.txt",
        "txt",
        prose("""Site: {address}. Power is available at docks 1 to 4 only. Key holder:
    {contact}. Work only between 07:00 and 15:00."""),
    ),
)

ANSWER = "Understood, thank you {sender}. Does this hold for {city} too?\n\n{me}"
DRAFT = prose("""Dear {first},

    before {end} we should agree who receives the {product} at {address}.

    Noor""")
AUTO_REPLY = prose("""Thank you for your message. I am back on Monday. In urgent cases please write
    to support@larkfield.example.""")
