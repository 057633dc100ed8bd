"""What is taught at the evening school, and what is written there."""

from services_app.library.shared import prose

TERMS = (
    ("Autumn 2025", -168, -66, -150, -120),
    ("Spring 2026", -49, 56, 3, 14),
    ("Summer 2026", 63, 150, 80, 100),
)
ROOMS = (
    ("Harbour Room", "Quay House", 16, False),
    ("Lecture Hall", "Quay House", 40, False),
    ("Workshop 1", "Foundry Annex", 12, True),
    ("Workshop 2", "Foundry Annex", 18, True),
    ("Seminar Room", "Quay House", 10, False),
)
# code, title, needs, credits, seats, homework, project and exam weight, description
COURSES = (
    ("OPS-110", "Warehouse operations", "", 4, 14, 30, 30, 40, "Receiving, storage, picking and counting."),
    ("OPS-210", "Route planning in practice", "OPS-110", 4, 12, 20, 50, 30, "Plans for a real fleet of vans."),
    ("FIN-101", "Bookkeeping basics", "", 3, 16, 40, 0, 60, "Accounts, journals, and a year end."),
    ("FIN-205", "Reading contracts", "FIN-101", 3, 10, 30, 40, 30, "Terms, limits of liability, notice periods."),
    ("ENG-120", "Sensors and telemetry", "", 5, 12, 25, 45, 30, "From the sensor to the chart."),
    ("ENG-230", "Data for fleets", "ENG-120", 5, 12, 30, 70, 0, "Queries and forecasts over a year of trips."),
    ("LAN-101", "Dutch for work, first level", "", 3, 12, 50, 0, 50, "Greetings, orders, the telephone."),
    ("LAN-102", "Dutch for work, second level", "LAN-101", 3, 12, 50, 0, 50, "Meetings and complaints."),
    ("LAN-111", "French for work, first level", "", 3, 12, 50, 0, 50, "Greetings, orders, the telephone."),
    ("SAF-100", "Forklift theory", "", 2, 18, 0, 0, 100, "Preparation for the practical test at the depot."),
    ("SAF-150", "First aid at work", "", 2, 10, 40, 0, 60, "Valid for three years."),
    ("COM-140", "Writing that gets answers", "", 3, 14, 60, 40, 0, "Mails, offers and reports without fog."),
    ("COM-240", "Negotiation", "COM-140", 3, 8, 20, 50, 30, "Prices, dates, and saying no."),
    ("LED-300", "Leading a small team", "", 4, 9, 40, 60, 0, "Feedback, planning, conflict."),
)  # fmt: skip
# category, title, points, days after the start of the term, instructions
ASSIGNMENTS = (
    ("homework", "Exercises 1", 20, 21, "Chapters one and two. Two pages at most."),
    ("homework", "Exercises 2", 30, 42, prose("""
        Use the figures of the {title} at {company}: {seats} units of {product} at {price} pounds, order {po}. Show the
        way, not only the result.""")),
    ("project", "Project report", 60, 63, prose("""
        Describe a process at your own work and change one thing. Interview somebody outside your team; {contact} of
        {company} has offered to answer questions until {end}. Groups of two are allowed when the teacher agrees.""")),
    ("exam", "Final exam", 100, 98, "Ninety minutes, one sheet of notes, no telephone."),
)  # fmt: skip
WORK = (
    "Five pages with a table of costs for {company}.",
    "Solved all but the last question.",
    "Report on the {title}; figures from {owner}.",
    "Slides and a recording of twelve minutes.",
    "Handwritten, scanned at the reception.",
    "A sheet with formulas; see the second tab for the order {po}.",
)
FEEDBACK = (
    "Clear and short. The total on page two is wrong: {amount} is before discount.",
    "Good argument, no sources. Name them next time.",
    "Ask {contact} before you quote internal figures of {company}.",
    "Well done.",
    "Only half of the questions were answered.",
    "",
)
REASONS = ("On site in {city} until {end}.", "Ill; a note was shown.", "Night shift during the {title}.")
NOTES = (
    "{company} pays only for courses with a code that starts with OPS or ENG.",
    "In {city} for the {title} until {end}; wants recordings.",
    "Asked for more time in exams; the certificate is valid until {end}.",
    "Invoice for the term goes to {contact_email}, reference {po}.",
    "Please do not mention the failed course to the sponsor.",
    "Plays the piano: ask about the summer party.",
)
HOLDS = (
    "Fees of last term are open; ask the office.",
    "Two library books are missing.",
    "The sponsor has not confirmed yet.",
)
ANNOUNCEMENTS = (
    ("Guest next week", prose("""
        {contact} of {company} tells us how the {title} was planned. Bring one question each. Afterwards there is
        coffee in the Harbour Room.""")),
    ("Room for the exam", "The exam is in the Lecture Hall, not in our usual room. Be there ten minutes early."),
    ("Correction to Exercises 2", prose("""
        The price in the second question is {price} pounds for one {unit}, not for ten. Whoever used the old figure
        gets the points.""")),
    ("Visit to {company}", prose("""
        On {start} we visit {company}, {address}. Safety shoes are needed. Tell {owner} if you cannot come.""")),
    ("No class on the bank holiday", "The class is not held and not made up. Read chapter six instead."),
)  # fmt: skip
HANDBOOK = (
    ("How grades are made", "current", 230, prose("""
        The weights of homework, project and exam stand in the course. Work that is not handed in counts as zero.
        Lateness costs 10 percent of the points for every day begun, half at most. 85 percent is an A, 70 a B, 60 a C,
        50 a D. Below 50 percent the course is failed.""")),
    ("How grades are made (until last year)", "superseded", 600, prose("""
        Late work is not accepted. 90 percent is an A, 80 a B, 70 a C, 60 a D.""")),
    ("Attendance", "current", 230, prose("""
        At least 70 percent of the classes have to be attended, or the course is failed whatever the marks. Coming late
        counts as attending; excused classes do not count at all. An excuse is shown within a week.""")),
    ("Enrolment and withdrawal", "current", 120, prose("""
        Twelve credits a term at most. A course that needs another can be taken only when that one is passed. Withdrawal
        is free until the last day named in the term; after that the fee is due. A hold is lifted by the office, never
        by a teacher.""")),
    ("Fees for companies", "current", 80, prose("""
        A credit costs 95 pounds. Companies that send more than eight students in a term pay 80. {company} has an
        agreement until {end}: 72 pounds, reference {po}.""")),
    ("Fees for companies (last year)", "superseded", 470, "A credit costs 88 pounds, for everybody."),
    ("Extensions", "current", 190, prose("""
        Teachers may give up to ten days, for illness or work away. Exams are not extended: there is one resit, in the
        third week after the term.""")),
)  # fmt: skip
