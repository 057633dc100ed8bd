"""What is written in the seeded dashboards; slots come from a project."""

from __future__ import annotations

from services_app.library.shared import prose

# name, description, restricted, curated by the signed-in user
COLLECTIONS = (
    ("Operations", "What the operations team looks at every morning.", False, True),
    ("Customer reviews", "One dashboard for each quarterly review with a customer.", False, True),
    ("Sales", "Orders and forecasts by account manager.", False, False),
    ("Board", "Figures for the board. Nothing of it leaves this collection.", True, True),
)
# id, title, description, amount, quantity, trusted
DATASETS = (
    ("orders", "Orders", "One row for each order on the day on which it was confirmed.",
     "Net order value in GBP, without VAT.", "Seats, vehicles, sites or units ordered.", True),
    ("support", "Support tickets", "One row for each customer, product and month.",
     "Hours spent on tickets.", "Tickets opened.", True),
    ("deliveries", "Deliveries", "One row for each delivery of hardware or start of a service.",
     "Freight cost in GBP.", "Days between promise and arrival; 0 is on time.", True),
    ("renewals", "Renewal forecast", "Guesses of the account managers, typed in by hand each Friday.",
     "Yearly value in GBP that is expected to be renewed.", "Seats expected.", False),
)  # fmt: skip
# title, dataset, measure, aggregation, group, type, description
CHARTS = (
    ("Order value by month", "orders", "amount", "sum", "month", "line", "Confirmed orders, net. {owner} asks for it."),
    ("Order value", "orders", "amount", "sum", "month", "number", "The one number; target agreed with {owner}."),
    ("Orders by product", "orders", "quantity", "sum", "product", "bar", "{product} has moved to {sku} since {start}."),
    ("Largest order", "orders", "amount", "max", "company", "table", "Order {po} is in; {contract} is not signed yet."),
    ("Support hours by customer", "support", "amount", "sum", "company", "bar",
     "{company} pays for hours above its contract {contract}."),
    ("Tickets by product", "support", "quantity", "sum", "product", "bar", "For the product review on {end}."),
    ("Support hours", "support", "amount", "sum", "month", "number", "Above 400 we tell {owner}."),
    ("Days late by country", "deliveries", "quantity", "avg", "country", "bar", "Zero is on time. See the definition."),
    ("Freight cost by month", "deliveries", "amount", "sum", "month", "line", "Without returns."),
    ("Deliveries", "deliveries", "records", "sum", "month", "number", "Number of deliveries."),
    ("Expected renewals by owner", "renewals", "amount", "sum", "owner_email", "bar", "Guesses; never show outside."),
)  # fmt: skip
DASHBOARDS = ("Morning overview", "Deliveries and freight", "Support load", "Pipeline", "Board pack", "Renewal watch")
ABOUT = (
    "For the review with {contact} of {company} on {end}.",
    "{owner} opens it every Monday.",
    "Made for the {title} of {company}, order {po}.",
)
COMMENTS = (
    "{company} reads it with us on {end}; hide nothing.",
    "The order {po} of {company} is missing in the last month, {owner} knows.",
    "{contact} ({contact_email}) wants this every Monday at seven.",
    "Old target: {price} per {unit}. New target: {amount} in total, agreed in {contract}.",
    "Please use the certified one instead.",
)
MESSAGES = ("For the meeting about {title}.", "Numbers for {company} as agreed in {contract}.", "")
CERTIFIED = ("Checked against {po} and the ledger.", "Same totals as the invoice run of {start}.")
DEFINITIONS = tuple(
    (term, age, superseded, prose(body))
    for term, age, superseded, body in (
        ("Order value", -90, False, """
            Net value of confirmed orders in the month of the confirmation, in GBP, without VAT. Orders that are
            cancelled later stay in their month and are taken off in the month of the cancellation.

            Large orders: 5,000 and more. This replaces the definition of 2024, where large meant 10,000."""),
        ("Order value (2024)", -480, True, """
            Superseded. Gross value in the month of delivery. Large orders: 10,000 and more."""),
        ("Days late", -60, False, """
            Days between the promised and the real day of arrival; early counts as zero. A country is red when its
            average is above 3 and there were five deliveries at least."""),
        ("Support hours", -130, False, """
            Time logged on tickets, travel excluded. A customer above 20 hours in a quarter gets a call from the account
            manager. Hours of the onboarding package do not count."""),
        ("Certified", -45, False, """
            A certified dashboard has been checked by a curator who does not own it and stands on trusted datasets only.
            Only certified dashboards are sent to customers. Whoever changes one asks for a new check."""),
    )
)  # fmt: skip
