"""What is written in the seeded event service."""

from __future__ import annotations

from services_app.library.shared import prose

# name, capacity, notes
VENUES = (
    ("{city} Exchange Hall", 220, "Stage and three side rooms. Own caterers only on Sundays; doors locked at 23:00."),
    ("Old Customs House {city}", 90, "Listed building: nothing is fixed to the walls. Lift to the second floor only."),
    ("{city} Dock 4", 140, "Hall with a loading gate, vans drive in until 09:00. Heating is ordered two days ahead."),
    ("Library Forum {city}", 60, "Raked seats, quiet, no food inside. The foyer holds forty at most."),
    ("{city} Training Centre", 36, "Two rooms of eighteen desks, power at each. Parking for twelve cars."),
)
# name, category, hours, capacity, refund policy, summary, sessions
EVENTS = (
    (
        "Fleet Forum {city}",
        "conference",
        8,
        120,
        "week_before",
        "A day about fleets in winter: routes, tyres, cold chains, and what drivers think of it. Lunch is included.",
        5,
    ),
    (
        "Warehouse Console training {city}",
        "training",
        7,
        24,
        "day_before",
        "Hands on, one screen each. Bring the handheld scanner that you work with; batteries are there.",
        3,
    ),
    (
        "Dock Scheduler user group {city}",
        "user_group",
        4,
        45,
        "none",
        "What the last release changed and what you want of the next. Free, but places are few.",
        2,
    ),
    (
        "Open day at the {city} depot",
        "open_day",
        6,
        80,
        "none",
        "See gateways, sensors and docks at work. Sturdy shoes are a must, children from twelve.",
        2,
    ),
    (
        "Telematics workshop {city}",
        "training",
        6,
        30,
        "month_before",
        "From fitting the unit to the first report. Half of it takes place outside, in the yard.",
        3,
    ),
    (
        "Summer evening {city}",
        "social",
        4,
        60,
        "week_before",
        "Food, music and no slides. One guest may be brought; name both when you order.",
        0,
    ),
)
# name, share of the capacity, price factor, most in one order
CLASSES = (
    ("Standard", 0.6, 1.0, 6),
    ("Early bird", 0.2, 0.75, 4),
    ("Customer", 0.15, 0.0, 2),
)
PRICES = {"conference": 240.0, "training": 390.0, "user_group": 0.0, "open_day": 12.0, "social": 35.0}
SESSIONS = (
    ("Cold chain without surprises: {company}", "Hall"),
    ("{title}: what we would do differently", "Room 1"),
    ("{product}: care and repair", "Room 2"),
    ("Reports that the drivers of {company} read", "Hall"),
    ("Questions to support about {product}", "Room 1"),
    ("From pallet to invoice at {company}", "Room 2"),
    ("{product} in {city}, a year on", "Hall"),
)
CODES = (
    ("PARTNER-{short}", 20.0, 10, 40),
    ("TEAM-{short}", 10.0, 25, 20),
    ("SPEAKER-{short}", 100.0, 3, 30),
    ("WINTER-{short}", 15.0, 8, -5),
)
"""Code, percent, most uses, days from today until which it is valid."""
NOTES = (
    "Invoice to {company}, their order number is {po}. The first one said {contract}, that is wrong.",
    "{first} comes by train and may be late; keep the seat in the first session.",
    "Vegetarian, no nuts. Told the caterer.",
    "{owner} brings {contact} along; both names on the door list.",
    "Paid by transfer on {start}. Do not refund to the card.",
    "Wants to move to the afternoon training if a place becomes free.",
)
# subject, body, audience
ANNOUNCEMENTS = (
    (
        "How to get there: {event}",
        prose("""The main entrance is closed. Come through the yard, the door is marked; registration opens an hour
    before the start.

    Parking costs 6.00 for the day, the code at the barrier is 4471."""),
        "all",
    ),
    (
        "New room for the second session: {event}",
        prose("""The second session has moved to Room 2 on the first floor. Seats that you reserved are kept.

    Correction of our mail of Tuesday: lunch is at 12:30, not at 12:00."""),
        "all",
    ),
    (
        "You were missed: {event}",
        prose("""You had a ticket and did not come. Tickets are not refunded afterwards; the slides are on the page of
    the event until the end of the month, the password is WINTERDOCK."""),
        "not_checked_in",
    ),
    (
        "Thank you, and the slides: {event}",
        prose("""Thank you for coming. The slides and the checklist for cold chains are attached.

    Who answers five questions by Friday gets a Premium Support month for one site."""),
        "checked_in",
    ),
)
REASONS = (
    "The hall is closed after a burst pipe. We come back in the autumn.",
    "Too few places were sold by the deadline.",
)
