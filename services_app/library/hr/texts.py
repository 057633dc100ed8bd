"""What is written in the seeded HR system."""

from __future__ import annotations

from services_app.library.shared import prose

# title, status, days since it came into force, body
POLICIES = (
    (
        "Annual leave",
        "current",
        60,
        prose("""Full-time staff have 25 working days a year, part-time staff in proportion to their hours. Leave is
    requested 7 days ahead and at most 15 working days at a time.

    Up to 5 days may be carried into the next year. They are entered as an adjustment by the people team and must be
    used by the end of March; what is left on 1 April lapses."""),
    ),
    (
        "Annual leave (2024)",
        "superseded",
        800,
        prose("""Full-time staff have 23 working days a year. Leave is requested 14 days ahead. Up to 8 days may be
    carried into the next year."""),
    ),
    (
        "Parental and family leave",
        "current",
        300,
        prose("""Each parent has 30 paid working days in the year of a birth, requested 28 days ahead. Compassionate
    leave of up to 5 days a year is paid and needs no notice; a note on file is enough."""),
    ),
    (
        "Pay reviews",
        "current",
        150,
        prose("""Pay is reviewed once in 180 days at the earliest. A rise of up to 8 % is agreed between manager and
    people team; a larger one is approved by the head of the department in writing.

    Pay stays inside the band of the job title. Someone at the top of the band is promoted first, and the promotion
    is dated before the pay."""),
    ),
    (
        "Probation",
        "current",
        400,
        prose("""Probation lasts 90 days. In the last two weeks the manager writes a note with one of three outcomes:
    passed, extended by 30 days, or not passed. Without a note probation counts as passed."""),
    ),
    (
        "Performance reviews",
        "current",
        200,
        prose("""Employees hand in a self-assessment first. The manager rates from 1 to 5: 3 means all that was agreed
    has been done. A 4 needs at least one goal beyond the job, a 5 a result that a customer noticed.

    Ratings of 1 and 5 are explained in at least two sentences."""),
    ),
    (
        "Leaving the company",
        "current",
        250,
        prose("""Notice is four weeks, in probation one. Open leave is taken or paid out before the last day. Whoever
    manages people hands them over before the last day is recorded. Laptop and badge are returned to the office
    manager."""),
    ),
    (
        "Working hours and part time",
        "current",
        90,
        prose("""Full time is 40 hours a week. A change of hours takes effect on the first of a month and needs a note
    with the manager's agreement. Less than 16 hours a week is agreed for at most six months."""),
    ),
    (
        "Coverage of departments",
        "current",
        120,
        prose("""Not more than half of a department is on leave on the same day. If two requests collide, the one that
    was made first has priority, then parents of school children in school holidays."""),
    ),
)
LEAVE_NOTES = (
    "Family visit; {colleague} covers the {company} account.",
    "Moving house. Reachable by phone for {po} only.",
    "Booked before the {title} date was set; handed over to {colleague}.",
    "Long weekend.",
    "School holidays, agreed with {colleague} last year.",
    "Carried-over days that would lapse at the end of March.",
    "Wedding of a cousin in {city}.",
    "",
    "",
)
DECLINED = (
    "The {title} for {company} goes live that week; please ask again for the week after.",
    "{colleague} has asked first and the desk needs one of you.",
    "The balance does not allow it before carry-over is settled.",
)
NOTES = (
    "Agreed with {colleague}: {first} takes over the {company} account from {start}.",
    "Asked for 32 hours a week. {colleague} agrees, provided the {title} is finished first.",
    "Probation talk held. Outcome: passed. Strong start on the {product} work for {company}.",
    "Probation talk held. Outcome: extended by 30 days; to be repeated with {colleague}.",
    "Praised by {contact} of {company} for the handling of order {po}.",
    "Certificate for forklift and warehouse safety seen, valid for three years. Copy is with {colleague}.",
    "Wants to move towards {product} projects; training budget of 1,200.00 is set aside until summer.",
    "Rise discussed: 5 % from the next possible date, not more, since the band ends soon. {colleague} knows.",
    "Correction to my earlier note: the rise discussed is 4 %, not 5 %.",
    "Laptop renewed, the old one goes back to {colleague}.",
    "Private matter, do not pass on: asked for a talk with {colleague} and the people team only.",
    "Emergency contact updated by phone; {first} will confirm in writing.",
    "First aid course in {city} booked, two days; costs go to the department.",
    "Away with {contact} of {company} for a week during the {title}; lone-work rules explained.",
    "Asked whether leave can be bought. No; unpaid leave with 28 days' notice is the way.",
    "Lost badge reported, old one blocked. {colleague} was the witness.",
)
GOALS = (
    ("Close the {title} for {company}", "Signed acceptance of order {po} by {contact}, no open defects."),
    ("Halve the open questions of {company}", "Fewer than five open questions on contract {contract}."),
    ("Learn {product}", "Internal certificate, and one customer training held without help."),
    ("Write the handbook chapter on {product}", "Reviewed by {colleague} and published."),
    ("Bring {company} to a second site", "A signed order for at least {seats} {unit}s."),
    (
        "Hand {company} over to {colleague}",
        "Both have visited {contact} in {city}; the file of {contract} is complete.",
    ),
    ("Write down what is done when {colleague} is away", "Two colleagues have used it without asking back."),
    ("Fewer corrections on orders like {po}", "Fewer than three corrections a month, three months in a row."),
    ("Give a talk on the {title}", "Twenty minutes at the summer meeting, questions answered without notes."),
)
SELF = (
    "The {title} for {company} went live on time; I underestimated the data work on {po}. Next I want to lead one.",
    "I took over {company} from {colleague} and closed the open points of {contract}. I still avoid hard price talks.",
    "Most of my time went into {product}. Two goals done, one late because the hardware came in {start}.",
)
SUMMARIES = (
    "Reliable, and the {company} work was noticed by {contact}. The goals were met; planning could start earlier.",
    "Met what was agreed. The {title} slipped by a week, which {first} announced in time.",
    "A difficult half: {po} had to be corrected twice. We agreed weekly talks with {colleague} until summer.",
)
ADJUSTMENTS = (
    ("Carried over from last year", (1.0, 2.0, 3.0, 5.0)),
    ("Worked on a public holiday for the {title}", (1.0,)),
    ("Correction: a booked day was ill", (0.5, 1.0)),
)
LEAVERS = ("Resigned for a post in {city}", "End of fixed term", "Agreed in mutual consent", "Retired")
