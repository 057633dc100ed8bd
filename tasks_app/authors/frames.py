"""Story frames: why somebody asks for this, and what people call things in that situation.

Frames are about work, never about particular services, so each fits whatever is mounted. `{who}` and `{topic}`
in an opening are the organisation or person and the subject that the task is about.
"""

from __future__ import annotations

from tasks_app.authors.frame import Frame
from tasks_app.authors.frames_field import FIELD
from tasks_app.authors.frames_office import OFFICE

__all__ = ["CLOSINGS", "COUNTS", "DURATIONS", "FRAMES", "GENERAL", "PHONES", "PLACES", "TIMES", "Frame"]

_USUAL: tuple[Frame, ...] = (
    Frame(
        "renewal",
        (
            "A renewal is coming up and a few things have to be in place before I make the call.",
            "The renewal for {who} comes up on Monday and a few things have to be in place before I call them.",
            "I am preparing the renewal with {who} and found some loose ends.",
        ),
        ("renewal manager", "budget holder", "commercial contact"),
        ("renewal fee", "agreed discount", "yearly fee"),
        ("renewal date", "notice date"),
        ("contract number", "renewal reference"),
        ("That should be everything for the call.",),
    ),
    Frame(
        "complaint",
        (
            "We had a complaint yesterday and I promised to put things right today.",
            "{who} complained yesterday and I promised that we would put things right today.",
            "We let {who} down on the {topic} and I want it cleaned up before they ask again.",
        ),
        ("complaint owner", "escalation contact", "customer advocate"),
        ("goodwill amount", "refund amount", "agreed credit"),
        ("reply-by date", "promised date"),
        ("complaint number", "claim reference"),
        ("Thank you, this one matters to them.",),
    ),
    Frame(
        "onboarding",
        (
            "Somebody new starts this week, so let us get the basics done.",
            "{who} starts with us this week, so let us get the basics done.",
            "We are taking {who} on board and some of the setup is still missing.",
        ),
        ("onboarding lead", "buddy", "day-to-day contact"),
        ("setup fee", "starting budget", "first deposit"),
        ("start date", "first review date"),
        ("starter code", "onboarding reference"),
    ),
    Frame(
        "handover",
        (
            "I am handing my work over tomorrow and want no loose ends.",
            "I am handing the {topic} over tomorrow and want no loose ends.",
            "Before I go on leave, the {topic} has to be in good order.",
        ),
        ("stand-in", "new lead", "handover contact"),
        ("remaining budget", "open amount", "reserve"),
        ("handover date", "cut-off date"),
        ("handover number", "cost centre"),
        ("I am away from tomorrow, so please finish this today.",),
    ),
    Frame(
        "supplier change",
        (
            "We are changing suppliers and the records have to follow.",
            "We are changing suppliers for the {topic} and the records have to follow.",
            "{who} takes over from our old supplier, so some details need updating.",
        ),
        ("new account manager", "procurement contact", "delivery contact"),
        ("setup charge", "agreed price", "advance payment"),
        ("switch-over date", "first delivery date"),
        ("framework number", "supplier reference"),
    ),
    Frame(
        "event",
        (
            "Our event is coming closer and there is still some organising to do.",
            "The {topic} is coming closer and there is still some organising to do.",
            "I am helping with the {topic} and need a hand with the practical side.",
        ),
        ("event host", "venue contact", "keynote speaker"),
        ("catering budget", "room fee", "sponsorship amount"),
        ("rehearsal date", "closing date"),
        ("booking code", "permit number"),
    ),
    Frame(
        "month end",
        (
            "It is month end and finance is waiting for us.",
            "It is month end and finance wants the {topic} settled.",
            "Finance is closing the books and asked me about {who}.",
        ),
        ("finance contact", "approver", "controller"),
        ("accrued amount", "approved amount", "outstanding fee"),
        ("posting date", "closing date"),
        ("cost centre", "posting reference"),
        ("Finance closes the books tonight.",),
    ),
    Frame(
        "relocation",
        (
            "We are moving to another site and I am tidying up what depends on it.",
            "The {topic} moves to the new site and I am tidying up what depends on it.",
            "{who} is moving offices, which touches a few of our records.",
        ),
        ("site manager", "removal coordinator", "building contact"),
        ("moving allowance", "deposit", "storage fee"),
        ("moving date", "key handover date"),
        ("site code", "access code"),
    ),
    Frame(
        "audit",
        (
            "The auditors are here next week, so I would like our records to be consistent.",
            "The auditors are looking at the {topic} next, so I would like it to be consistent.",
            "Something in the file on {who} was flagged in the audit; please help me fix it.",
        ),
        ("external auditor", "compliance contact", "document owner"),
        ("audited amount", "corrected amount", "audit fee"),
        ("audit date", "evidence deadline"),
        ("audit number", "finding reference"),
        ("The auditors will look at it this afternoon.",),
    ),
    Frame(
        "product launch",
        (
            "We launch in two weeks and these points are still open.",
            "We launch the {topic} in two weeks and these points are still open.",
            "The launch team asked for a few changes around the {topic}.",
        ),
        ("launch manager", "press contact", "product owner"),
        ("launch budget", "introductory price", "media budget"),
        ("launch date", "embargo date"),
        ("campaign code", "launch reference"),
    ),
    Frame(
        "incident",
        (
            "We had an incident last night and are working through the follow-up.",
            "We had an incident around the {topic} and are working through the follow-up.",
            "After yesterday's outage {who} needs some follow-up from us.",
        ),
        ("incident manager", "on-call engineer", "technical lead"),
        ("service credit", "repair cost", "penalty"),
        ("fix-by date", "review date"),
        ("incident number", "case reference"),
    ),
    Frame(
        "project kick-off",
        (
            "The project got the green light, so let us set things up.",
            "The {topic} got the green light, so let us set things up.",
            "We are kicking off the {topic} with {who}.",
        ),
        ("project lead", "programme sponsor", "work package owner"),
        ("project budget", "planning fee", "first instalment"),
        ("kick-off date", "milestone date"),
        ("project number", "work order"),
    ),
    Frame(
        "staff change",
        (
            "A colleague is leaving the team, and the systems are behind.",
            "There is a change in the team looking after {who}, and the systems are behind.",
            "A colleague is leaving and the {topic} needs a new home.",
        ),
        ("successor", "team lead", "interim contact"),
        ("training budget", "travel allowance", "final expense claim"),
        ("last working day", "changeover date"),
        ("staff code", "cost centre"),
    ),
    Frame(
        "contract dispute",
        (
            "Legal wants a clean record before the next meeting.",
            "We have a disagreement with {who} and legal wants a clean record.",
            "Legal asked me to straighten out the {topic}.",
        ),
        ("legal contact", "mediator", "signatory"),
        ("settlement amount", "disputed amount", "legal fee"),
        ("hearing date", "signing date"),
        ("case number", "contract number"),
        ("Legal will check it tomorrow morning.",),
    ),
    Frame(
        "stock-taking",
        (
            "While counting stock we found some differences, and they have to be explained today.",
            "While counting stock we found some differences around the {topic}.",
            "The warehouse asked about the {topic} and I would like to answer today.",
        ),
        ("warehouse lead", "stock controller", "shift supervisor"),
        ("stock value", "write-off amount", "handling fee"),
        ("counting date", "restocking date"),
        ("batch number", "delivery note"),
    ),
    Frame(
        "site visit",
        (
            "We have visitors next week and I want to be prepared.",
            "{who} visits us next week and I want to be prepared.",
            "I am on the road for the {topic}, so please do this for me.",
        ),
        ("host", "visitor", "site contact"),
        ("travel budget", "entry fee", "hotel rate"),
        ("visit date", "arrival date"),
        ("visitor code", "booking reference"),
    ),
    Frame(
        "budget cut",
        (
            "The budget was cut and we have to adapt.",
            "The budget for the {topic} was cut and we have to adapt.",
            "We need to save on the {topic}; here is what was decided.",
        ),
        ("budget owner", "cost controller", "area manager"),
        ("reduced budget", "spending cap", "released amount"),
        ("freeze date", "effective date"),
        ("budget line", "approval code"),
    ),
    Frame(
        "quality",
        (
            "The last inspection left us some homework.",
            "Quality control came back to us about the {topic}.",
            "The last inspection of the {topic} left us some homework.",
        ),
        ("inspector", "quality lead", "technical reviewer"),
        ("inspection fee", "rework cost", "retention"),
        ("re-test date", "certificate date"),
        ("certificate number", "inspection number"),
    ),
    Frame(
        "tidy-up",
        (
            "A few open points have been waiting since Friday.",
            "Some housekeeping around the {topic}, please.",
            "I am tidying up everything to do with {who}.",
            "The {topic} has gathered some dust, and I would like to change that.",
        ),
        ("person in charge", "duty manager", "local coordinator"),
        ("agreed fee", "final price", "retainer"),
        ("target date", "expiry date"),
        ("file number", "internal reference"),
    ),
    Frame(
        "board paper",
        (
            "I am writing a paper for the board and need the facts straight first.",
            "I am writing a paper for the board on the {topic} and need the facts straight first.",
            "The board asked about {who}; please help me get this into shape.",
        ),
        ("board secretary", "executive sponsor", "reviewer"),
        ("requested funding", "approved budget", "forecast"),
        ("board date", "submission date"),
        ("paper number", "agenda item number"),
    ),
)

FRAMES: tuple[Frame, ...] = (*_USUAL, *OFFICE, *FIELD)

_PEOPLE = (
    "project manager",
    "liaison",
    "coordinator",
    "responsible colleague",
    "key contact",
    "substitute",
    "department head",
    "second signatory",
)
GENERAL = {
    "email": _PEOPLE,
    "person": _PEOPLE,
    "money": ("cost estimate", "flat fee", "price cap", "guarantee", "extra charge"),
    "date": ("deadline", "follow-up date", "effective date", "latest date"),
    "code": ("reference number", "protocol number", "order code", "register number"),
}
"""Words for long stories, when those of the frame are used up."""

DURATIONS = {
    "minutes": ("agreed length", "slot length"),
    "hours": ("agreed effort", "estimated effort"),
    "days": ("notice period", "grace period"),
    "weeks": ("lead time",),
    "months": ("agreed term",),
}
COUNTS = {
    "people": ("final headcount", "confirmed attendance"),
    "seats": ("agreed seat count", "licence count"),
    "units": ("agreed quantity", "order quantity"),
    "items": ("agreed quantity",),
    "pages": ("page limit",),
    "nights": ("length of the stay",),
}
TIMES = ("agreed slot", "new appointment", "start time")
PHONES = ("direct line", "callback number")
PLACES = ("meeting place", "delivery site")

CLOSINGS = (
    "Please leave everything else as it is.",
    "Nothing else should change.",
    "There are entries with similar names; leave those alone.",
    "Thanks!",
    "",
    "",
)
