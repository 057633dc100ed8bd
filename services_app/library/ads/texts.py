"""What is written in the seeded advertising account."""

from __future__ import annotations

# name, daily amount, locked, note; the team of the owner
BUDGETS = (
    ("Brand", 60.0, True, "marketing", "Never paused. Only its owner changes it, after finance has agreed."),
    ("Fleet products", 140.0, False, "marketing", "Up to 168.00 a day in the last week of a quarter."),
    ("Warehouse products", 120.0, False, "marketing", "Lowered in January, the figures did not follow."),
    ("Events", 45.0, False, "operations", "Spent before an event only; pause it on the day after."),
    ("Tests", 20.0, False, "operations", "For trying out. Nothing here runs for more than two weeks."),
    ("Partners 2025", 80.0, True, "sales", "Closed at the end of 2025. Use Fleet products instead."),
)
# name, channel; the phrases of its keywords. Slots from a project of the shared cast
KINDS = (
    ("{product} search {country}", "search", ("{low}", "{low} price", "{low} for {industry}", "buy {low}")),
    ("{product} alternatives {country}", "search", ("{low} alternative", "{low} comparison", "{industry} software")),
    ("{product} display {country}", "display", ()),
    ("{title} video {city}", "video", ()),
    ("Open day {city}", "search", ("open day {city}", "trade fair {city}", "{industry} event {city}")),
)
BRIEFS = (
    "For companies like {company}. Not shown to {company} itself: they have {contract} until {end}.",
    "{owner} pays half of it from {title}. Cost of a conversion at most {price}; above that, pause it.",
    "Starts when {contact} has agreed to be named. Agreed on {start}.",
    "Ends with the offer for {seats} {unit}s on {end}. Ask {owner_email} before it is made longer.",
    "Earlier brief said {city} only; since {start} the whole country is wanted.",
)
# headline, description, page; at most 30 and 90 characters
ADS = (
    ("{product}", "{product} for your company, {price} per {unit}. See it at work.", "products"),
    ("Plan better in {city}", "How a company in {city} saved an hour a day. Read the story.", "stories"),
    ("From {price} per {unit}", "No set-up fee until the end of the quarter. Talk to us.", "prices"),
    ("The best choice today", "Customers say so. Try it for 30 days and see for yourself.", "trial"),
    ("Save time NOW!", "Order today and start tomorrow.", "trial"),
    ("See it at our open day", "Meet the people who built it, in {city}. Places are few.", "events"),
)
EXTRA_TERMS = ("free {text}", "{text} jobs", "{text} manual pdf", "what is {text}", "{text} near me", "{text} login")
NEGATIVES = ("jobs", "manual", "login", "second hand", "school project")
REASONS = (
    "{owner} asked for it because of {po}.",
    "Cost of a conversion was above {price}.",
    "{contact} of {company} saw it and complained.",
    "As agreed in the meeting about {title}.",
    "",
)
WHAT = ("status paused", "status enabled", "bid lowered by 10 %", "new locations", "ads rewritten")
