"""What is written in the seeded audiences and campaigns."""

from __future__ import annotations

from services_app.library.shared import prose

# name, from, address, double opt-in, reminder
AUDIENCES = (
    (
        "Fleet customers",
        "Larkfield Fleet",
        "fleet-news",
        False,
        "You get this because your company uses Fleet Tracker or Route Planner.",
    ),
    (
        "Warehouse customers",
        "Larkfield Warehouse",
        "warehouse-news",
        False,
        "You get this because your company uses Dock Scheduler or Warehouse Console.",
    ),
    (
        "Newsletter",
        "Larkfield Systems",
        "news",
        True,
        "You signed up for our monthly newsletter and confirmed it by mail.",
    ),
    (
        "Event guests",
        "Larkfield Events",
        "events",
        True,
        "You came to one of our events or asked for an invitation.",
    ),
)
TAGS = ("beta tester", "decision maker", "champion", "renewal due", "new customer", "speaks French", "billing contact")
LEFT = (
    "Too many mails.",
    "Changed jobs; {owner} at Larkfield knows the successor.",
    "Only wants notices about {product}.",
    "Asked on the phone while we talked about {po}.",
)
NOTES = (
    "Wants to hear about {product} only. Agreed with {owner} in {contract}.",
    "{contact} prefers the address {contact_email} until {end}.",
    "Promised a seat at the next event in {city}. Ask {owner_first} before inviting.",
    "Do not mention prices: the offer over {amount} under {po} is still being discussed.",
    "Speaks for {company} at the user group. Could write a reference once {title} is done.",
    "Earlier note said no mails in summer; that no longer holds since {start}.",
)
# name, category, subject, retired, text
TEMPLATES = (
    (
        "Monthly newsletter 2025",
        "newsletter",
        "News from Larkfield",
        True,
        "Hello {{first_name}}, here is what we did last month. {{unsubscribe}} Replaced by Monthly newsletter 2026.",
    ),
    (
        "Monthly newsletter 2026",
        "newsletter",
        "Your month with Larkfield",
        False,
        prose("""Hello {{first_name}},

        three things we built, one customer's story and the dates of next month.

        Read it in the browser: {{view_in_browser}}. No more mails: {{unsubscribe}}."""),
    ),
    (
        "Product launch",
        "product",
        "New: something for {{company}}",
        False,
        prose("""Hello {{first_name}},

        something new that {{company}} can use from today on. Prices hold for 30 days.

        {{view_in_browser}} {{unsubscribe}}"""),
    ),
    (
        "Invitation",
        "event",
        "{{first_name}}, will you join us?",
        False,
        prose("""Hello {{first_name}},

        we would like to meet you. Places are few: answer within seven days.

        {{unsubscribe}}"""),
    ),
    (
        "Maintenance notice",
        "service",
        "Planned maintenance",
        False,
        prose("""Hello {{first_name}},

        the service is not available during the maintenance. We announce it five working days ahead and give the
        time in UTC. Questions: support@larkfield.example.

        {{unsubscribe}}"""),
    ),
    (
        "Price change",
        "service",
        "New prices for {{company}}",
        False,
        prose("""Hello {{first_name}},

        prices change in 60 days. Customers with a running contract keep theirs until it ends. This notice may only go
        out after finance has agreed.

        {{unsubscribe}}"""),
    ),
)
# title, category, subject, text; slots from a project of the shared cast, merge tags are doubled
CAMPAIGNS = (
    (
        "{product} news, issue {issue}",
        "newsletter",
        "What is new in {product}",
        """Hello {{{{first_name}}}},

{product} costs {price} per {unit} from {start} on; orders made before keep their price until {end}.

At {company} in {city} the {title} is done: {seats} {unit}s in use. {contact} tells how it went.

Questions to {owner_email}. {{{{unsubscribe}}}}""",
    ),
    (
        "{title} story with {company}",
        "product",
        "How {company} works with {product}",
        """Hello {{{{first_name}}}},

{contact} of {company} planned {seats} {unit}s and needed six weeks. The figures are theirs; we may print them until
{end}.

Talk to {owner}: {owner_email}. {{{{unsubscribe}}}}""",
    ),
    (
        "Open day {city}, round {issue}",
        "event",
        "{{{{first_name}}}}, come to our open day in {city}",
        """Hello {{{{first_name}}}},

on {end} we show {product} at {company}, {address}, from 10:00 to 15:00. {seats} places, first come, first served.

Answer to {owner_email} before {start}. {{{{unsubscribe}}}}""",
    ),
    (
        "Maintenance of {product} {issue}",
        "service",
        "Maintenance of {product} on {end}",
        """Hello {{{{first_name}}}},

on {end} {product} is not available between 20:00 and 22:00 UTC. Orders such as {po} are not lost.

{{{{unsubscribe}}}}""",
    ),
)
WEAK_BODY = "Hello {{first_name}}, your order {{order_number}} is ready. Details follow."
APPROVED = (
    "Checked against {contract}; {contact} agrees.",
    "Price of {price} per {unit} is right. Send it before {end}.",
    "Fine. {owner} knows.",
)
CHANGES = (
    "The price has to be {price} per {unit}, as in {contract}.",
    "{contact} has not agreed to be named; take {company} out.",
    "Wrong day: it is {end}, not the day before.",
)
LINKS = (
    "https://www.larkfield.example/prices",
    "https://www.larkfield.example/stories",
    "https://www.larkfield.example/events",
    "https://status.larkfield.example",
)
