"""What the seeded help centre says."""

from __future__ import annotations

# category, name, visibility, days, the owner's team ("" for you)
SECTIONS = (
    ("Products", "Getting started", "public", 180, "support"),
    ("Products", "Fixing faults", "public", 120, "support"),
    ("Products", "Limits and settings", "customers", 150, ""),
    ("Orders", "Delivery and returns", "public", 90, ""),
    ("Orders", "Invoices and payment", "customers", 120, "finance"),
    ("For the team", "Agreements with customers", "internal", 60, ""),
    ("For the team", "How support works", "internal", 90, "support"),
)
# section, title, labels, text; one for each product. {link} is an article of the same section before it
LIMITS = """At most {most} {unit}s per site and {rows} records a day.

Raised on request up to {doublemost} {unit}s; more than that needs an order. The list price is {price} per {unit}.

Before this year the limit was {oldmost}. See also {link}."""
HARDWARE = (
    (
        "Getting started",
        "Set up {product}",
        ("setup", "first steps"),
        """1. Log in as administrator and open Devices.

2. Add {product} ({sku}) by its number. Up to {most} {unit}s are added at once.

3. Wait {minutes} minutes. The light turns green.

If it stays red after {double} minutes, see {link}.""",
    ),
    (
        "Fixing faults",
        "{product} shows E-{code}",
        ("fault", "error code"),
        """E-{code} means that {product} has had no connection for more than {minutes} minutes.

Switch it off, wait {double} minutes and start again. Do not reset it: a reset deletes up to {most} records.

Still E-{code}? Send us the serial number. Exchange is free within 24 months, afterwards it costs {fee}.""",
    ),
    ("Limits and settings", "Limits of {product}", ("limits",), LIMITS),
)
SOFTWARE = (
    (
        "Getting started",
        "First steps with {product}",
        ("setup", "first steps"),
        """1. Log in with the address to which the invitation was sent; it holds for {minutes} days.

2. Open Administration and add your {unit}s, by hand or from a file of at most {rows} lines.

3. Invite your colleagues. The first {most} log in without a code, all others need one.

If the list stays empty after {double} minutes, see {link}.""",
    ),
    (
        "Fixing faults",
        "{product}: error {code} while importing",
        ("fault", "error code"),
        """Error {code} means that the file has more than {rows} lines or that a column is missing.

Split it and wait {minutes} minutes between two files. Lines that were taken over are not taken over twice.

Still error {code}? Send us the file. Repairing it is free for premium customers, others pay {fee}.""",
    ),
    ("Limits and settings", "Limits of {product}", ("limits",), LIMITS),
)
# section, title, labels, text; slots from a project of the shared cast
CUSTOMER = (
    (
        "Agreements with customers",
        "{company}: {po}",
        ("customer",),
        """{company}, {address}. Contact: {contact}, {contact_email}. Ours: {owner}.

{seats} {unit}s of {product} at {price}, {amount} in all, under {contract}. From {start} to {end}.

Agreed outside the contract: exchange within one working day, and no calls before 08:00.""",
    ),
    (
        "Agreements with customers",
        "{company}: {title}",
        ("customer", "project"),
        """The {title} in {city} ends on {end}. {contact} decides, {owner} answers for us.

Support is premium until then, standard afterwards. An earlier note that said basic is wrong.""",
    ),
    (
        "How support works",
        "Cases like {po}",
        ("cases",),
        """{product} at {company}: what helped was a new base and a restart, in this order.

Time spent: {seats} hours. Ask {owner} before you offer a refund; up to 250.00 support decides alone.""",
    ),
)
# section, title, visibility, labels, text, replaced by the title; older rules stand beside the new ones
STANDING = (
    (
        "Delivery and returns",
        "Returns 2025",
        "public",
        ("returns",),
        "Goods can be sent back within 14 days. Restocking costs 15 per cent.",
        "Returns and exchange",
    ),
    (
        "Delivery and returns",
        "Returns and exchange",
        "public",
        ("returns", "exchange"),
        """Goods can be sent back within 30 days, unused and in their box. Restocking costs 10 per cent above 500.00 and
nothing below.

Ask for a return number first; parcels without one are refused. Refunds come within 5 working days.""",
        "",
    ),
    (
        "Delivery and returns",
        "Delivery times",
        "public",
        ("delivery",),
        """In stock: 3 working days, to islands 7. Others: 15 working days. Pallets need a ramp.

Changes of the address are possible until 14:00 on the day before.""",
        "",
    ),
    (
        "Delivery and returns",
        "Damaged in transit",
        "public",
        ("delivery", "damage"),
        "Tell us within 48 hours with two photographs. Keep the box. Replacements leave on the next working day.",
        "",
    ),
    (
        "Invoices and payment",
        "Payment terms",
        "customers",
        ("invoice",),
        """30 days from the date of the invoice. Reminders after 35 and 45 days, the second one costs 12.00.

Purchase order numbers have to stand on the order; they cannot be added to an invoice later.""",
        "",
    ),
    (
        "Invoices and payment",
        "Change the address on an invoice",
        "customers",
        ("invoice", "address"),
        "Possible until the invoice is paid. Send the new address and the VAT number; a corrected copy takes 2 days.",
        "",
    ),
    (
        "How support works",
        "Answer times",
        "internal",
        ("rules",),
        """Premium: 30 minutes. Standard: 4 hours. Basic: next working day. Weekends count for premium only.

Above 250.00 a refund needs the finance manager, above 1,000.00 the head of support as well.""",
        "",
    ),
    (
        "How support works",
        "Answer times (old)",
        "internal",
        ("rules",),
        "Premium: 1 hour. Standard: 8 hours. Refunds up to 100.00.",
        "Answer times",
    ),
    (
        "How support works",
        "What we never put into public articles",
        "internal",
        ("rules",),
        "Names of customers, prices below the list, serial numbers, telephone numbers of colleagues.",
        "",
    ),
)
GOOD = (
    "Clear and short. It worked at once.",
    "Thanks, {product} runs again in {city}.",
    "",
    "",
)
BAD = (
    "Step 2 does not exist any more. We have {seats} {unit}s and see another page.",
    "Which fee is right? The invoice for {po} says {price}.",
    "Not a word about {product} at sites in {city}.",
    "The number in the last line is wrong since {start}.",
    "",
)
ANSWERS = (
    "We have corrected the number, thank you.",
    "Step 2 is written anew.",
    "The fee is the one in your contract.",
)
REMARKS = (
    "{owner} says the number changes on {end}. Change it then, not before.",
    "Checked with {contact} of {company}: still right.",
    "The picture shows {product} of last year.",
    "Numbers agreed with engineering in {contract}; ask before you change them.",
)
# words, whether articles answer them; slots from a project
SEARCHES = (
    "set up {low}",
    "{low} error",
    "return {low}",
    "refund",
    "malfunction {low}",
    "cancel order {po}",
    "{low} api key",
    "change invoice address",
    "shipping to {city}",
    "{low} battery",
)
SYNONYMS = (("malfunction", "fault"), ("shipping", "delivery"), ("bill", "invoice"))
TRANSLATED = {
    "de": ("Anleitung: {title}", "Übersetzung aus dem Englischen."),
    "fr": ("Aide : {title}", "Traduit de l’anglais."),
    "nl": ("Hulp: {title}", "Vertaald uit het Engels."),
}
EDITS = ("The former text gave {number} minutes.", "The former text named another fee: {number}.00.")
