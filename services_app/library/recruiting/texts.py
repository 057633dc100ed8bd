"""What is written in the seeded applicant tracking system."""

from __future__ import annotations

from services_app.library.shared import prose, words

FIRST = words("""
    Adaeze Alasdair Birgit Caspian Delphine Edmund Fenna Gwendal Hollis Imogen Jasper Katya Lorcan Maelle Nuria Odile
    Piotr Quilla Rufus Saoirse Torben Ursula Vaclav Winnie Yannick Zofia
""")
LAST = words("""
    Ashdown Baptiste Cavanagh Drummond Engström Falkenberg Gallardo Halloran Ilves Jarrett Kinsella Lowndes Maciel
    Nordahl Oberholzer Pascoe Quennell Ravensdale Sorensen Tremblay Uchida Vasquez Wainwright Yardley Zubiri
""")
# name, has interviews, scorecards needed, guidance
STAGES = (
    ("Application review", False, 0, "Read the résumé against the must-haves of the job. Answer within five days."),
    (
        "Phone screen",
        True,
        1,
        "Thirty minutes with the recruiter: motivation, notice period, pay, permit. One scorecard.",
    ),
    ("Case study", False, 0, "The candidate hands in a case within a week; it is read by the hiring manager."),
    ("Panel interview", True, 2, "Two interviewers, one of them from another team. Two scorecards, written alone."),
    ("Offer", False, 0, "Pay above the middle of the range is approved by finance too. Offers are open for ten days."),
)
# title, department, manager's team, low, high (pounds), description
JOBS = (
    (
        "Logistics Planner",
        "Operations",
        "operations",
        37_000,
        47_000,
        prose("""Plans deliveries for customers such as {company}. Must have: two years of route or dock planning,
        spreadsheet fluency. Good to have: {product}. Notice periods above three months are a problem."""),
    ),
    (
        "Support Engineer",
        "Support",
        "support",
        34_000,
        44_000,
        prose("""Second line for {product}. Must have: work with handheld scanners or printers, patience on the phone,
        one more language besides English. Shifts every fourth weekend."""),
    ),
    (
        "Account Executive",
        "Sales",
        "sales",
        39_000,
        52_000,
        prose("""Wins customers in the {industry} sector. Must have: three years of selling to operations people and a
        driving licence. The {title} of {company} is the kind of project meant."""),
    ),
    (
        "Software Engineer",
        "Engineering",
        "engineering",
        50_000,
        68_000,
        prose("""Works on {product}. Must have: four years of Python or Go, and tests without being asked. The team is
        on call one week in six."""),
    ),
    (
        "Billing Specialist",
        "Finance",
        "finance",
        32_000,
        41_000,
        prose("""Invoices and reminders for 170 customers. Must have: accounts receivable, exact work. The post has to
        be filled before the year end audit."""),
    ),
    (
        "Campaign Manager",
        "Marketing",
        "marketing",
        40_000,
        52_000,
        prose("""Runs the spring campaign for {product}. Must have: budget responsibility above 50,000.00 a year and a
        portfolio. French is a strong plus, the Lyon office needs it."""),
    ),
    (
        "Site Reliability Engineer",
        "Engineering",
        "engineering",
        54_000,
        72_000,
        prose("""Keeps the gateways reporting. Must have: Linux, networks, calm at night. Relocation is paid up to
        4,000.00."""),
    ),
    (
        "People Partner",
        "People",
        "people",
        42_000,
        54_000,
        prose("""Looks after operations and support. Must have: employment law of at least two of our three countries.
        Replaces a colleague on leave, twelve months."""),
    ),
    (
        "Customer Success Manager",
        "Support",
        "support",
        45_000,
        58_000,
        prose("""Looks after {company} and nine similar customers. Must have: renewals, and the nerve to say no. Travel
        about four days a month."""),
    ),
    (
        "Operations Analyst",
        "Operations",
        "operations",
        37_000,
        48_000,
        prose("""Turns scanner data into decisions. Must have: SQL. The first task is the stock report that {owner}
        asks for."""),
    ),
)
RESUME = prose("""{name}
    {current}, {employer}

    {years} years in {field}. Languages: English, {language}. Notice period: {notice}. Expected pay: {pay} a year.

    At {employer}: {deed} Before that: {earlier}

    Permit: {permit} Can start: {start}.""")
FIELDS = ("route planning", "warehouse operations", "customer support", "field sales", "billing", "software", "events")
LANGUAGES = ("Dutch", "French", "German", "Polish", "Portuguese", "Spanish", "Swedish")
NOTICES = ("one month", "two months", "three months", "six weeks", "none, contract ends")
DEEDS = (
    "led the introduction of {product} at {seats} {unit}s, on budget.",
    "cut late deliveries by a third within a year.",
    "answered for a yearly budget of {amount}.",
    "built the reporting that the board still uses.",
    "took over a team of four during a merger.",
)
EARLIER = (
    "two years of shift planning at a parcel hub.",
    "apprenticeship in freight forwarding.",
    "teaching, which shows in my training sessions.",
    "a start-up that closed; I was the last to leave.",
)
PERMITS = ("citizen, no permit needed.", "settled status.", "needs sponsorship from next year on.", "permanent.")
COVER = prose("""Dear hiring team,

    I read about the {title} at {company} and want to work on such projects. My one condition is a fixed day at home.
    I am on holiday in the second half of the month and can be reached by e-mail only.

    {name}""")
REFERENCE = prose("""Reference for {name}: worked with us as {current}. Reliable, exact, sometimes too patient with
    suppliers. I would hire again at once. Please do not pass this letter on to the candidate.""")
NOTES = (
    "Asked for {pay} a year; told that the range is fixed. Will think about it until Friday.",
    "Correction after the call: expects {pay}, not what the résumé says.",
    "Referred by {owner}, who worked with {first} at {company}.",
    "Only free on Tuesdays and Thursdays after 14:00 UTC.",
    "Has another offer that runs out on {start}. Please decide before.",
    "Partner works for {company}: keep off anything that concerns order {po}.",
    "Wants Rotterdam, London only for the first month.",
    "Second profile with a private address seems to be the same person; check before writing twice.",
    "Reference from {contact} is good, attached.",
    "Asked not to be called at work.",
)
SCORES = {
    "strong_yes": ("Best of the round. Explained the {product} case without notes.", "Hire, and soon."),
    "yes": (
        "Solid. Knows {product} from {company}; needs help with reporting.",
        "Yes. Would start on {start}, fits the team.",
        "Good questions about contract {contract}. Pay is the open point.",
    ),
    "no": (
        "Friendly, but two of the must-haves are missing.",
        "Could not say how the order {po} example should be planned.",
    ),
    "strong_no": ("Spoke badly about {company}, a customer of ours.",),
}
DECLINES = ("Took another post nearer home.", "The pay was 3,000.00 short.", "Stays with {company} after a promotion.")
TERMS = (
    "Two days a week at home. Relocation up to 4,000.00 against receipts.",
    "Bonus of 5 % after the first year. Phone and laptop provided.",
    "",
    "Fixed term of twelve months, can be extended.",
)
