"""Frames from work with goods, sites and the public: maintenance, deliveries, safety, campaigns."""

from __future__ import annotations

from tasks_app.authors.frame import Frame

FIELD: tuple[Frame, ...] = (
    Frame(
        "maintenance window",
        (
            "We have a maintenance window tonight and some preparation is left.",
            "The {topic} will be down for maintenance, so let us get ready.",
            "{who} agreed to the downtime on condition that we are prepared.",
        ),
        ("maintenance lead", "standby engineer", "change approver"),
        ("maintenance fee", "call-out charge", "parts cost"),
        ("maintenance date", "rollback date"),
        ("change number", "maintenance reference"),
        ("The window opens at ten tonight.",),
    ),
    Frame(
        "delayed delivery",
        (
            "A delivery is running late and I am sorting out what hangs on it.",
            "{who} is waiting for a delivery that will not arrive on time.",
            "The shipment for the {topic} is late; please help me limit the damage.",
        ),
        ("freight forwarder", "dispatcher", "goods-in contact"),
        ("express surcharge", "delay penalty", "freight cost"),
        ("new delivery date", "dispatch date"),
        ("shipment number", "customs reference"),
    ),
    Frame(
        "safety walk",
        (
            "I did the safety walk today and want to file the findings while they are fresh.",
            "The safety walk at the {topic} turned up a few things.",
            "{who} asked how we follow up on our safety walk.",
        ),
        ("safety officer", "first-aider", "fire warden"),
        ("equipment budget", "fine", "insurance excess"),
        ("walk date", "re-inspection date"),
        ("safety report number", "hazard number"),
    ),
    Frame(
        "recall",
        (
            "One of our suppliers called a batch back, and we have to react today.",
            "{who} has to be kept in the loop on the recall.",
            "The recall reached the {topic}, so everything there has to be right.",
        ),
        ("recall coordinator", "quality contact", "batch owner"),
        ("replacement value", "recall cost", "compensation"),
        ("recall date", "production date"),
        ("lot reference", "recall number"),
    ),
    Frame(
        "insurance claim",
        (
            "The insurer wants the file complete before they pay, and these parts are missing.",
            "{who} reported a damage and the claim is with me.",
            "The claim around the {topic} is moving at last.",
        ),
        ("claims adjuster", "witness", "policy holder"),
        ("claim amount", "deductible", "repair estimate"),
        ("damage date", "assessment date"),
        ("claim number", "policy number"),
        ("The insurer calls me back this afternoon.",),
    ),
    Frame(
        "campaign",
        (
            "Our next campaign starts soon and I am ticking off the list.",
            "The campaign for the {topic} goes live on Tuesday.",
            "{who} is part of our next campaign.",
        ),
        ("campaign manager", "copywriter", "agency contact"),
        ("media spend", "agency fee", "print budget"),
        ("campaign date", "print deadline"),
        ("campaign number", "advert code"),
    ),
    Frame(
        "opening",
        (
            "We open a new place this month and I keep finding things that nobody has done yet.",
            "The opening of the {topic} is close.",
            "{who} is our neighbour at the new place, and some things concern both of us.",
        ),
        ("opening manager", "fitter", "caretaker"),
        ("fit-out budget", "rent deposit", "opening discount"),
        ("opening date", "inspection date"),
        ("unit number", "lease number"),
    ),
    Frame(
        "fundraiser",
        (
            "Our fundraiser went well and now the follow-up is due.",
            "{who} was generous, and I want us to be quick in return.",
            "The fundraiser for the {topic} left us with some loose ends.",
        ),
        ("donor contact", "treasurer", "patron"),
        ("pledge", "matched amount", "donation"),
        ("pledge date", "thank-you date"),
        ("donation number", "appeal code"),
    ),
    Frame(
        "data clean-up",
        (
            "I am cleaning up old entries and came across something that should not stay that way.",
            "What we have on {who} is out of date in more than one place.",
            "The records for the {topic} contradict each other; please bring them in line.",
        ),
        ("data owner", "records manager", "data steward"),
        ("corrected sum", "booked amount", "verified amount"),
        ("correction date", "cut-over date"),
        ("record number", "migration number"),
    ),
    Frame(
        "partnership",
        (
            "We signed with a new partner and they expect us to be quick off the mark.",
            "{who} is our partner from now on.",
            "The partnership around the {topic} starts on Monday.",
        ),
        ("partner manager", "alliance lead", "joint project lead"),
        ("revenue share", "partner bonus", "marketing contribution"),
        ("signing date", "review meeting date"),
        ("partner number", "agreement number"),
    ),
    Frame(
        "public holiday",
        (
            "Next week is short because of the holiday, so I am doing things early.",
            "{who} is closed over the holiday and wants everything settled before.",
            "The {topic} falls on a holiday, which means some changes.",
        ),
        ("duty officer", "emergency contact", "shift lead"),
        ("holiday supplement", "overtime budget", "standby fee"),
        ("last order date", "reopening date"),
        ("shift code", "roster number"),
    ),
    Frame(
        "volunteer day",
        (
            "We are organising a volunteer day and I said I would look after the details.",
            "{who} is coming to our volunteer day.",
            "The volunteer day at the {topic} needs some more preparation.",
        ),
        ("volunteer coordinator", "site leader", "group leader"),
        ("catering amount", "travel refund", "material budget"),
        ("sign-up deadline", "action day"),
        ("group code", "volunteer number"),
    ),
)
