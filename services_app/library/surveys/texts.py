"""What is asked and answered in the seeded surveys."""

from __future__ import annotations

from services_app.library.shared import prose

# type, prompt, choices, required
Ask = tuple[str, str, tuple[str, ...], bool]
SITE = ("London", "Rotterdam", "Lyon", "At a customer")
SIZE = ("Up to 20 vehicles", "21 to 100 vehicles", "More than 100 vehicles", "We have no vehicles")
CUSTOMER: tuple[Ask, ...] = (
    ("single_choice", "How large is your fleet?", SIZE, True),
    ("nps", "How likely are you to recommend {product} to a colleague?", (), True),
    ("rating", "How satisfied are you with our support?", (), False),
    ("multiple_choice", "What do you use most?", ("Map", "Reports", "Planning", "Alerts", "Mobile app"), False),
    ("text", "What should we change first?", (), False),
)
PULSE: tuple[Ask, ...] = (
    ("single_choice", "Where do you work most of the time?", SITE, True),
    ("rating", "I know what is expected of me this quarter.", (), True),
    ("rating", "I can say what I think.", (), True),
    ("nps", "Would you recommend Larkfield as a place to work?", (), False),
    ("text", "What keeps you from doing your best work?", (), False),
)
EVENT: tuple[Ask, ...] = (
    (
        "single_choice",
        "Did you come to the open day in {city}?",
        ("Yes", "No, I was held up", "No, not interested"),
        True,
    ),
    ("rating", "How useful was it?", (), False),
    ("single_choice", "May we call you about {product}?", ("Yes, soon", "Yes, next quarter", "No"), True),
    ("text", "Which question was not answered?", (), False),
)
IDEAS: tuple[Ask, ...] = (
    ("single_choice", "Do you use {product}?", ("Every day", "Now and then", "Not yet"), True),
    ("rating", "How easy is it to learn?", (), True),
    ("multiple_choice", "What would help you?", ("Templates", "Import", "Training on site", "Shorter reports"), False),
    ("text", "Describe the last time it let you down.", (), False),
)
# title, folder, anonymous, introduction, questions; slots from a project of the shared cast
SURVEYS = (
    (
        "Customer satisfaction {product} {issue}",
        "Customers",
        False,
        prose("""Five questions about {product}, three minutes. We read every answer and call back whoever gives six or
        less. {owner} is responsible. Answers are kept until {end}."""),
        CUSTOMER,
    ),
    (
        "Team pulse {issue}",
        "People",
        True,
        prose("""Anonymous: nobody sees who answered, and groups smaller than five are never shown. The results are
        discussed on {end}. Take part once."""),
        PULSE,
    ),
    (
        "Open day {city} feedback {issue}",
        "Events",
        False,
        prose("""You were invited to our open day in {city}. Tell us how it was. Guests of {company} get the slides from
        {owner_email}."""),
        EVENT,
    ),
    (
        "Ideas for {product} {issue}",
        "Products",
        False,
        prose("""We plan what to build until {end}. {seats} people are asked, {contact} of {company} was the first."""),
        IDEAS,
    ),
)
GOOD = (
    "Nothing, keep going. {owner} answered {po} within an hour.",
    "More of the same. The {title} went well and {contact} says so too.",
    "A cheaper rate than {price} per {unit} for small sites.",
    "Training for new people at {city}; ask {contact_email}.",
)
BAD = (
    "Support took four days for {po}. I want a call from {owner}.",
    "The invoice of {contract} was wrong twice; {amount} is not what we agreed.",
    "Promised for {start}, came on {end}. Nobody told us at {company}.",
    "{product} stops when the network does. We lost a morning in {city}.",
    "We are looking at others. Decision on {end}.",
)
TEAM = (
    "Too many meetings before {start}.",
    "The {title} was planned with half the people it needs.",
    "Nobody decides about {product}. We have waited since {start}.",
    "Nothing. Best team I have had.",
)
FOLLOW_UPS = (
    "Called back; {contact} wants a visit before {end}.",
    "Apologised and credited {price} for {po}.",
    "{owner} takes over. Do not write again before {start}.",
    "Earlier note said the matter is closed; it is not, see {contract}.",
)
TAGS = ("call back", "reference", "price", "support", "training")
