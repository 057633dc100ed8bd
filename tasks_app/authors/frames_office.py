"""Frames from the life of an office: hiring, meetings, deadlines, people coming and going."""

from __future__ import annotations

from tasks_app.authors.frame import Frame

OFFICE: tuple[Frame, ...] = (
    Frame(
        "hiring",
        (
            "We made an offer this morning, and I would like the paperwork to be ready before the answer comes.",
            "Two interviews are left for the {topic} team and I am getting the practical side out of the way.",
            "{who} may join us next month, so I am clearing the ground.",
        ),
        ("hiring manager", "interviewer", "referee"),
        ("signing bonus", "offer amount", "relocation grant"),
        ("interview date", "offer date"),
        ("vacancy number", "candidate reference"),
        ("The hiring round closes tonight.",),
    ),
    Frame(
        "return",
        (
            "A delivery came back this morning and I would like to close the case before lunch.",
            "{who} sent goods back, and what we have on file does not reflect that yet.",
            "The return for the {topic} is agreed; now the records have to follow.",
        ),
        ("returns clerk", "depot contact", "claims handler"),
        ("restocking fee", "refund", "credit note amount"),
        ("collection date", "return date"),
        ("return number", "parcel number"),
    ),
    Frame(
        "late payment",
        (
            "I spent the morning on reminders, and this is the one that I cannot finish alone.",
            "{who} is behind with a payment and we agreed on a way forward.",
            "The accounts for the {topic} are not settled, which is why I am writing.",
        ),
        ("collections contact", "payer", "credit controller"),
        ("late fee", "part payment", "open balance"),
        ("payment date", "reminder date"),
        ("reminder number", "dunning reference"),
        ("I would like to call them at four.",),
    ),
    Frame(
        "holiday cover",
        (
            "I am covering for a colleague who is on holiday and want to hand back a clean desk.",
            "While our colleague is away, the {topic} is with me.",
            "{who} is away until next week and left a few things behind.",
        ),
        ("holiday cover", "returning colleague", "deputy"),
        ("petty cash amount", "advance", "day rate"),
        ("return-to-work date", "leave date"),
        ("absence number", "rota code"),
    ),
    Frame(
        "price increase",
        (
            "Our prices change next month and I am going through what that touches.",
            "{who} accepted the new prices, so we can go ahead.",
            "The new price list covers the {topic} too.",
        ),
        ("pricing manager", "sales contact", "contract owner"),
        ("new price", "price difference", "list price"),
        ("price change date", "announcement date"),
        ("price list number", "tariff code"),
    ),
    Frame(
        "training day",
        (
            "We hold a training day soon and I am doing the rounds on what is missing.",
            "The training for the {topic} is nearly full, so I want to settle the details.",
            "{who} is running a training for us.",
        ),
        ("trainer", "course leader", "training coordinator"),
        ("course fee", "trainer fee", "training allowance"),
        ("course date", "enrolment deadline"),
        ("course number", "certificate code"),
    ),
    Frame(
        "customer survey",
        (
            "The results of our survey are in, and some answers need a reaction.",
            "{who} gave us frank feedback and I would like to act on it.",
            "People were not happy with the {topic}; these are the things we can fix at once.",
        ),
        ("survey lead", "respondent", "customer success contact"),
        ("voucher amount", "compensation", "research budget"),
        ("survey date", "response date"),
        ("survey number", "feedback reference"),
    ),
    Frame(
        "merger",
        (
            "Two of our teams become one this quarter, and their records have to be brought in line.",
            "{who} was taken over, so their details change.",
            "With the merger, the {topic} comes to us.",
        ),
        ("integration lead", "merger contact", "transition manager"),
        ("transfer value", "integration budget", "opening balance"),
        ("merger date", "transition date"),
        ("entity number", "transfer reference"),
    ),
    Frame(
        "grant application",
        (
            "Our grant application is due shortly and I am filling the gaps.",
            "The application for the {topic} goes out this week.",
            "{who} supports our application and wants to see it in order.",
        ),
        ("grant officer", "applicant", "programme officer"),
        ("grant amount", "own contribution", "eligible cost"),
        ("application date", "award date"),
        ("grant number", "application reference"),
        ("The portal closes tonight.",),
    ),
    Frame(
        "tender",
        (
            "We are bidding for a new job and I am putting the last pieces in place.",
            "The bid for the {topic} has to be out by Thursday.",
            "{who} invited us to bid, so we should look tidy.",
        ),
        ("bid manager", "buyer", "estimator"),
        ("bid price", "bid bond", "estimated cost"),
        ("bid date", "clarification date"),
        ("tender number", "lot number"),
    ),
    Frame(
        "weekly meeting",
        (
            "These came out of our weekly meeting and I promised to have them done by tonight.",
            "In the meeting on the {topic} I took some actions that I cannot finish myself.",
            "I just got off the phone with {who}, and here is what we agreed.",
        ),
        ("note taker", "action owner", "meeting chair"),
        ("agreed share", "reserve amount", "allocated sum"),
        ("meeting date", "decision date"),
        ("minute number", "action number"),
    ),
    Frame(
        "year end",
        (
            "The year is nearly over and I would like to start the next one without leftovers.",
            "Before the year closes, the {topic} has to be wrapped up.",
            "{who} asked for a statement for the year, and I noticed a few gaps.",
        ),
        ("year-end accountant", "statement recipient", "tax adviser"),
        ("carry-over amount", "year-end bonus", "provision"),
        ("balance sheet date", "carry-over date"),
        ("statement number", "tax reference"),
    ),
)
