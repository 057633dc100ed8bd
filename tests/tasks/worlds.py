"""Four small services that the author has never seen, with conventions of their own.

ledger: suppliers, bills, payments; found by number, figures that move.  workshop: repair jobs with remarks, nested
answers.  halls: bookings found by people and dates, house rules as documents.  post: letters, no numbers at all.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from services_app.engine import (
    About,
    CallContext,
    Record,
    SeedContext,
    Service,
    State,
    Table,
    ToolError,
    conflict,
    invalid,
)
from services_app.engine import fields as f

FIRST = ("Ada", "Boris", "Clara", "Dario", "Elsa", "Fadi", "Greta", "Henk", "Ilse", "Jarek", "Kira", "Levi")
LAST = ("Arden", "Bloom", "Castor", "Dahl", "Ekman", "Frost", "Gallo", "Hale", "Iver", "Joss", "Kerr", "Lund")
FIRMS = ("Mill Lane Timber", "Orchid Paints", "Baxter Steel", "Sunray Glass", "Delta Couriers", "Hilltop Catering")


def person(ctx: SeedContext) -> str:
    return f"{ctx.random.choice(FIRST)} {ctx.random.choice(LAST)}"


def mailbox(name: str) -> str:
    return f"{name.lower().replace(' ', '.')}@fieldmail.example"


# ledger


class Supplier(Record):
    about = About("supplier", "suppliers", prefix="S", key="name")
    name: f.Organisation
    contact: f.Email
    remarks: f.Text


class Bill(Record):
    about = About("bill", "bills", prefix="B", width=3, key="bill_no")
    supplier: Annotated[str, f.ref("suppliers")]
    bill_no: f.Code
    amount: f.Money
    due_on: f.Date
    state: Literal["open", "paid", "disputed"]


class Payment(Record):
    about = About("payment", "payments", prefix="P", key="reference")
    bill: Annotated[str, f.ref("bills")]
    amount: f.Money
    reference: f.Code
    made_at: f.SystemTime


class LedgerState(State):
    suppliers: Table[Supplier]
    bills: Table[Bill]
    payments: Table[Payment]


ledger = Service("ledger", title="Ledger", domain="finance", description="Bills and payments.", state=LedgerState)


@ledger.tool()
def find_supplier(state: LedgerState, ctx: CallContext, name: str) -> dict[str, Any]:
    """Find suppliers by part of their name."""
    return {"found": [{"id": s.id, "name": s.name} for s in state.suppliers if name.lower() in s.name.lower()]}


@ledger.tool()
def supplier_card(state: LedgerState, ctx: CallContext, supplier: str) -> dict[str, Any]:
    """Show a supplier with what is still owed to it."""
    row = state.suppliers.get(supplier)
    bills = state.bills.find(supplier=supplier)
    paid = sum(p.amount for p in state.payments if state.bills.get(p.bill).supplier == supplier)
    owed = round(sum(b.amount for b in bills) - paid, 2)
    return {"supplier": row, "bills": [{"bill_no": b.bill_no, "amount": b.amount} for b in bills], "owed": owed}


@ledger.tool()
def bill(state: LedgerState, ctx: CallContext, bill_no: str) -> dict[str, Any]:
    """Look up one bill by its number."""
    row = state.bills.first(bill_no=bill_no)
    if row is None:
        raise ToolError(404, "no_such_bill", f"There is no bill {bill_no!r}.")
    paid = round(sum(p.amount for p in state.payments.find(bill=row.id)), 2)
    return {"bill": row, "payments": state.payments.find(bill=row.id), "outstanding": round(row.amount - paid, 2)}


@ledger.tool(phrase="pay {amount} on {bill_no} under the reference {reference}")
def pay(state: LedgerState, ctx: CallContext, bill_no: str, amount: f.Money, reference: f.Code) -> Payment:
    """Pay a bill in whole or in part. Errors: `no_such_bill`, `too_much`."""
    row = bill(state, ctx, bill_no)
    if amount <= 0 or amount > row["outstanding"]:
        raise invalid("Pay more than nothing and no more than is outstanding.", type="too_much")
    return state.payments.create(bill=row["bill"].id, amount=amount, reference=reference, made_at=ctx.now)


@ledger.tool(phrase="dispute {bill_no}")
def dispute(state: LedgerState, ctx: CallContext, bill_no: str) -> Bill:
    """Dispute a bill. Errors: `no_such_bill`, `not_open`."""
    row = bill(state, ctx, bill_no)["bill"]
    if row.state != "open":
        raise conflict("Only an open bill can be disputed.", type="not_open")
    return state.bills.patch(row.id, state="disputed")


@ledger.seed
def seed_ledger(state: LedgerState, ctx: SeedContext) -> None:
    for name in FIRMS:
        supplier = state.suppliers.create(name=name, contact=mailbox(person(ctx)), remarks="Delivers on Tuesdays.")
        for _ in range(3):
            number = f"BL-{ctx.random.randint(10000, 99999)}"
            amount = ctx.random.randint(80, 900) * 10.0
            status = ctx.random.choice(("open", "open", "paid"))
            made = state.bills.create(
                supplier=supplier.id,
                bill_no=number,
                amount=amount,
                due_on=ctx.date(ctx.random.randint(5, 60)),
                state=status,
            )
            if status == "open" and ctx.random.random() < 0.5:
                reference = f"TR-{ctx.random.randint(1000, 9999)}"
                state.payments.create(bill=made.id, amount=50.0, reference=reference, made_at=ctx.moment(-3))


# workshop


class Job(Record):
    about = About("repair job", "repair jobs", prefix="j", width=3, key="title")
    title: f.Title
    technician: f.Email
    job_code: f.Code
    urgency: Literal["low", "normal", "high"]
    hours: Annotated[int, f.duration("hours")]
    done: bool


class Remark(Record):
    about = About("remark", "remarks", prefix="r", carrier="note")
    job: Annotated[str, f.ref("jobs")]
    by: f.Email
    text: f.Text
    at: f.SystemTime


class WorkshopState(State):
    jobs: Table[Job]
    remarks: Table[Remark]


workshop = Service("workshop", title="Workshop", domain="operations", description="Repair jobs.", state=WorkshopState)


@workshop.tool()
def jobs_search(state: WorkshopState, ctx: CallContext, q: str) -> dict[str, Any]:
    """Search repair jobs by title, code or technician."""
    hits = state.jobs.where(lambda j: any(q.lower() in x.lower() for x in (j.title, j.job_code, j.technician)))
    return {"hits": [{"job": {"ref": j.id, "title": j.title, "code": j.job_code, "who": j.technician}} for j in hits]}


@workshop.tool()
def open_job(state: WorkshopState, ctx: CallContext, ref: str) -> dict[str, Any]:
    """Open one repair job with its remarks."""
    return {"job": state.jobs.get(ref), "remarks": state.remarks.find(job=ref)}


@workshop.tool(phrase="hand {ref} over to {technician}")
def hand_over(state: WorkshopState, ctx: CallContext, ref: str, technician: f.Email) -> Job:
    """Hand a repair job to another technician."""
    return state.jobs.patch(ref, technician=technician)


@workshop.tool(phrase="set the urgency of {ref} to {urgency}")
def set_urgency(state: WorkshopState, ctx: CallContext, ref: str, urgency: Literal["low", "normal", "high"]) -> Job:
    """Change how urgent a repair job is."""
    return state.jobs.patch(ref, urgency=urgency)


@workshop.tool(phrase="leave a remark on {ref}: {text}")
def remark(state: WorkshopState, ctx: CallContext, ref: str, text: str) -> Remark:
    """Leave a remark on a repair job."""
    state.jobs.get(ref)
    return state.remarks.create(job=ref, by="me@fieldmail.example", text=text, at=ctx.now)


@workshop.tool()
def new_job(
    state: WorkshopState,
    ctx: CallContext,
    title: f.Title,
    technician: f.Email,
    hours: Annotated[int, f.duration("hours")] = 2,
) -> Job:
    """Open a new repair job for a technician."""
    code = f"WS-{4000 + len(state.jobs)}"
    return state.jobs.create(
        title=title, technician=technician, job_code=code, urgency="normal", hours=hours, done=False
    )


@workshop.seed
def seed_workshop(state: WorkshopState, ctx: SeedContext) -> None:
    things = ("Lathe", "Press", "Lift", "Saw", "Pump", "Oven", "Crane", "Mixer")
    for index, thing in enumerate(things):
        job = state.jobs.create(
            title=f"{thing} overhaul",
            technician=mailbox(person(ctx)),
            job_code=f"WS-{ctx.random.randint(1000, 3999)}",
            urgency=ctx.random.choice(("low", "normal", "high")),
            hours=ctx.random.randint(1, 9),
            done=index % 3 == 0,
        )
        for _ in range(ctx.random.randint(0, 2)):
            state.remarks.create(
                job=job.id,
                by=mailbox(person(ctx)),
                text="Waiting for parts.",
                at=ctx.moment(-ctx.random.randint(2, 20)),
            )


# halls


class Booking(Record):
    about = About("booking", "bookings", prefix="BK-", key="occasion")
    occasion: f.Title
    booked_by: f.Email
    hall: Literal["north hall", "south hall", "garden room"]
    day: f.Date
    guests: Annotated[int, f.count("people")]


class Rule(Record):
    about = About("house rule", "house rules", prefix="HR-", key="title", carrier="document")
    title: f.Title
    body: f.Text


class HallState(State):
    bookings: Table[Booking]
    rules: Table[Rule]


halls = Service("halls", title="Hall bookings", domain="events", description="Halls for hire.", state=HallState)


@halls.tool()
def bookings(state: HallState, ctx: CallContext, occasion: str = "", booked_by: str = "") -> list[Booking]:
    """List bookings, by part of the occasion or by who booked."""
    return state.bookings.where(
        lambda b: occasion.lower() in b.occasion.lower() and (not booked_by or b.booked_by == booked_by)
    )


@halls.tool()
def rules(state: HallState, ctx: CallContext, words: str) -> list[dict[str, str]]:
    """Search the house rules by their title."""
    return [{"rule_id": r.id, "title": r.title} for r in state.rules if words.lower() in r.title.lower()]


@halls.tool()
def rule(state: HallState, ctx: CallContext, rule_id: str) -> Rule:
    """Read one house rule."""
    return state.rules.get(rule_id)


@halls.tool(phrase="move {booking_id} to {day}")
def move_booking(state: HallState, ctx: CallContext, booking_id: str, day: f.Date) -> Booking:
    """Move a booking to another day."""
    return state.bookings.patch(booking_id, day=day)


@halls.tool(phrase="change the number of guests of {booking_id} to {guests}")
def set_guests(
    state: HallState, ctx: CallContext, booking_id: str, guests: Annotated[int, f.count("people")]
) -> Booking:
    """Change how many guests a booking is for. Errors: `too_many`."""
    if not 1 <= guests <= 80:
        raise invalid("A hall takes 1 to 80 guests.", type="too_many")
    return state.bookings.patch(booking_id, guests=guests)


@halls.tool(phrase="book the {hall} for {occasion} on {day}, in the name of {booked_by}")
def book(
    state: HallState,
    ctx: CallContext,
    occasion: f.Title,
    booked_by: f.Email,
    hall: Literal["north hall", "south hall", "garden room"],
    day: f.Date,
    guests: Annotated[int, f.count("people")] = 10,
) -> Booking:
    """Book a hall for an occasion. Errors: `taken`."""
    if state.bookings.first(hall=hall, day=day):
        raise conflict(f"The {hall} is taken on {day}.", type="taken")
    return state.bookings.create(occasion=occasion, booked_by=booked_by, hall=hall, day=day, guests=guests)


@halls.seed
def seed_halls(state: HallState, ctx: SeedContext) -> None:
    for index, occasion in enumerate(
        ("Choir evening", "Wine tasting", "Chess cup", "Book fair", "Dance class", "Quiz")
    ):
        state.bookings.create(
            occasion=occasion,
            booked_by=mailbox(person(ctx)),
            hall=ctx.random.choice(("north hall", "south hall", "garden room")),
            day=ctx.date(10 + index),
            guests=ctx.random.randint(8, 60),
        )
    for title in ("Keys and locks", "Deposits", "Noise after ten", "Cleaning"):
        state.rules.create(title=title, body="Ask the caretaker when in doubt about this.")


# post


class Letter(Record):
    about = About("letter", "letters", prefix="L-", key="subject")
    sender: f.Email
    recipients: tuple[f.Email, ...]
    subject: f.Title
    body: f.Text
    tray: Literal["in", "out", "filed"]


class PostState(State):
    letters: Table[Letter]


post = Service("post", title="Post room", domain="communication", description="Letters in and out.", state=PostState)


@post.tool()
def tray(
    state: PostState, ctx: CallContext, sender: str | None = None, tray: Literal["in", "out", "filed"] = "in"
) -> dict[str, Any]:
    """List the letters in a tray, optionally from one sender."""
    letters = state.letters.where(lambda x: x.tray == tray and (sender is None or x.sender == sender))
    return {"letters": [{"letter_id": x.id, "sender": x.sender, "subject": x.subject} for x in letters]}


@post.tool()
def find_letters(state: PostState, ctx: CallContext, words: str) -> dict[str, Any]:
    """Search letters by subject and text."""
    letters = state.letters.where(lambda x: words.lower() in x.subject.lower() or words.lower() in x.body.lower())
    return {"letters": [{"letter_id": x.id, "sender": x.sender, "subject": x.subject} for x in letters]}


@post.tool()
def read_letter(state: PostState, ctx: CallContext, letter_id: str) -> Letter:
    """Read one letter."""
    return state.letters.get(letter_id)


@post.tool(phrase="send a letter to {recipients} with the subject {subject}, saying {body}")
def send_letter(
    state: PostState, ctx: CallContext, recipients: list[f.Email], subject: f.Title, body: f.Text
) -> Letter:
    """Send a letter to one or more recipients."""
    return state.letters.create(
        sender="me@fieldmail.example", recipients=tuple(recipients), subject=subject, body=body, tray="out"
    )


@post.tool(phrase="answer {letter_id}, saying {body}")
def answer(state: PostState, ctx: CallContext, letter_id: str, body: f.Text) -> Letter:
    """Answer the sender of a letter."""
    letter = state.letters.get(letter_id)
    return state.letters.create(
        sender="me@fieldmail.example",
        recipients=(letter.sender,),
        subject=f"Re: {letter.subject}",
        body=body,
        tray="out",
    )


@post.tool(phrase="file {letter_id}")
def file_letter(state: PostState, ctx: CallContext, letter_id: str) -> Letter:
    """Put a letter into the file."""
    return state.letters.patch(letter_id, tray="filed")


@post.seed
def seed_post(state: PostState, ctx: SeedContext) -> None:
    for subject in (
        "Roof repair",
        "Spring order",
        "New keys",
        "Floor plan",
        "Summer fair",
        "Late delivery",
        "Thank you",
    ):
        state.letters.create(
            sender=mailbox(person(ctx)),
            recipients=("me@fieldmail.example",),
            subject=subject,
            body="Please have a look when you find a minute.",
            tray="in",
        )


WORLDS: dict[str, Service] = {service.slug: service for service in (ledger, workshop, halls, post)}
