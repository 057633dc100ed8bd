"""A laboratory of an occupational health programme: months of results, and the work of this morning."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Person, Project
from services_app.library.lab_results import texts
from services_app.library.lab_results.figures import flag_of, price_of, tests_of
from services_app.library.lab_results.state import Analyte, LabOrder, LabState, LabTest, Patient, Result, service
from services_app.library.shared import next_number, plus_minutes
from services_app.library.staff import employments

_FATES = (
    "to_measure", "verified", "verified", "to_collect", "verified", "to_verify", "awaiting_approval", "verified",
    "to_measure", "verified", "cancelled", "verified",
)  # fmt: skip


@service.seed
def fill(state: LabState, ctx: SeedContext) -> None:
    _offer(state, ctx)
    projects = people.build(ctx).projects
    for index, person in enumerate(_people(ctx)):
        _patient(state, ctx, person, index)
    for index in range(ctx.size(130)):
        _order(state, ctx, index, projects[index % 80])
    _alarm(state)
    for index in range(ctx.size(24)):
        _consent(state, ctx, index)
    _share(state, ctx)


def _people(ctx: SeedContext) -> list[Person]:
    """Our staff, then people of customers who work on the same sites."""
    staff = [row.person for row in employments(ctx)]
    others = [person for company in people.build(ctx).companies for person in company.people[1:2]]
    return [*staff[: max(ctx.size(40), 14)], *others[: ctx.size(16)]]


def _offer(state: LabState, ctx: SeedContext) -> None:
    for name, city, address, opens, closes, chairs in texts.SITES:
        state.sites.create(name=name, city=city, address=address, opens=opens, closes=closes, chairs=chairs)
    ids = {}
    for name, code, unit, low, high, high_male, critical_low, critical_high in texts.ANALYTES:
        row = state.analytes.create(
            name=name,
            code=code,
            unit=unit,
            low=low,
            high=high,
            high_male=high_male,
            critical_low=critical_low,
            critical_high=critical_high,
        )
        ids[code] = row.id
    for name, code, analytes, specimen, price, fasting, stability, turnaround, interval, guidance in texts.TESTS:
        state.lab_tests.create(
            name=name,
            code=code,
            analyte_ids=tuple(ids[one] for one in analytes),
            specimen=specimen,
            price=price,
            fasting=fasting,
            stability=stability,
            turnaround=turnaround,
            interval=interval,
            guidance=guidance,
        )
    for title, status, days_ago, body in texts.PROCEDURES:
        state.procedures.create(title=title, status=status, body=body, valid_from=ctx.date(-days_ago))


def _patient(state: LabState, ctx: SeedContext, person: Person, index: int) -> None:
    state.patients.create(
        name=person.name,
        email=person.email,
        phone=person.phone,
        born_on=f"{ctx.random.randint(1962, 2001)}-{ctx.random.randint(1, 12):02d}-{ctx.random.randint(1, 28):02d}",
        sex="female" if person is ME else ctx.random.choice(("female", "male")),
        record_number=f"R-{300_100 + 7 * index}",
        employer=person.company,
        restricted=index % 13 == 7,
    )


def _tests_for(state: LabState, ctx: SeedContext, patient: Patient, number: int, *, dear: bool) -> list[LabTest]:
    """The usual test of a patient, so that values can be compared over time, and others; dear orders hold many."""
    offer = list(state.lab_tests)
    if dear:
        return offer[2:13]
    usual = offer[(number * 4) % len(offer)]
    more = [test for test in ctx.random.sample(offer, ctx.random.choice((0, 1, 1, 2))) if test.id != usual.id]
    return [usual, *more]


def _order(state: LabState, ctx: SeedContext, index: int, project: Project) -> None:
    fate = _FATES[index % len(_FATES)]
    patients = list(state.patients)
    number = ctx.random.randrange(len(patients)) if index % 3 else index // 3 % 6
    number = 0 if index == 18 else number  # an order of the signed-in user that waits for approval
    patient = patients[number]
    tests = _tests_for(state, ctx, patient, number, dear=fate == "awaiting_approval")
    spans = {"verified": (5, 175), "cancelled": (3, 90), "to_collect": (2, 40)}
    ago = ctx.random.randint(*spans.get(fate, (1, 1)))
    placed = ctx.moment(-ago, ctx.random.randint(8, 15), ctx.random.randint(0, 59))
    facts = people.facts(ctx, project) | {"phone": patient.phone}
    order = state.lab_orders.create(
        number=next_number((row.number for row in state.lab_orders), "L-", first=60_001, width=5),
        patient_id=patient.id,
        test_ids=tuple(test.id for test in tests[:10]),
        priority=ctx.random.choice(("routine", "routine", "routine", "urgent", "stat")),
        status=fate if fate in ("awaiting_approval", "cancelled") else "ordered",
        question=ctx.random.choice(texts.QUESTIONS).format(**facts),
        ordered_by=ctx.random.choice((ME.name, *texts.TOLD)),
        reference=project.po_number if ctx.random.random() < 0.5 else "",
        ordered_at=placed,
        cancellation_reason=ctx.random.choice(texts.CANCELLATIONS).format(**facts) if fate == "cancelled" else "",
    )
    if fate == "awaiting_approval" and price_of(state, order) <= 200:
        state.lab_orders.patch(order.id, priority="stat")
    if ctx.random.random() < 0.4:
        state.order_comments.create(
            lab_order_id=order.id,
            author_email=ME.email,
            text=ctx.random.choice(texts.COMMENTS).format(**facts),
            written_at=plus_minutes(placed, 25),
        )
    if fate == "to_collect":
        _booking(state, ctx, order)
    if fate in ("verified", "to_verify", "to_measure"):
        _specimens(state, ctx, order, fate)


def _booking(state: LabState, ctx: SeedContext, order: LabOrder) -> None:
    site = ctx.random.choice(list(state.sites))
    start = ctx.moment(ctx.random.randint(1, 4), ctx.random.choice((8, 9)), ctx.random.choice((0, 30)))
    if state.collection_bookings.count(site_id=site.id, starts_at=start) < site.chairs:
        state.collection_bookings.create(lab_order_id=order.id, site_id=site.id, starts_at=start)


def _specimens(state: LabState, ctx: SeedContext, order: LabOrder, fate: str) -> None:
    """Specimens of the next morning (this morning for work under way), the first sometimes rejected."""
    taken = f"{order.ordered_at[:11]}16:20:00Z"
    taken = plus_minutes(taken, 60 * 15) if fate == "verified" else ctx.moment(0, 7, ctx.random.randint(10, 55))
    late = fate == "to_measure" and ctx.random.random() < 0.25  # left over since the order was placed
    taken = plus_minutes(order.ordered_at, 30) if late else taken
    fasting = any(test.fasting for test in tests_of(state, order))
    for kind in dict.fromkeys(test.specimen for test in tests_of(state, order)):
        bad = ctx.random.random() < 0.12
        for status in ("rejected", "accepted") if bad else ("accepted",):
            state.specimens.create(
                barcode=next_number((row.barcode for row in state.specimens), "B", first=7_000_001, width=7),
                lab_order_id=order.id,
                type=kind,
                collected_at=plus_minutes(taken, 12 if status == "accepted" and bad else 0),
                fasting=fasting,
                status=status,
                rejection_reason=ctx.random.choice(("haemolysed", "clotted", "unlabelled"))
                if status == "rejected"
                else None,
            )
    if fate != "to_measure":
        entered = plus_minutes(taken, ctx.random.randint(25, 60))
        _results(state, ctx, order, entered)
        if fate == "verified":
            state.lab_orders.patch(order.id, status="verified", verified_at=plus_minutes(entered, 75))


def _results(state: LabState, ctx: SeedContext, order: LabOrder, entered: str) -> None:
    patient = state.patients.get(order.patient_id)
    known = {row.type: row.id for row in state.specimens.find(lab_order_id=order.id, status="accepted")}
    done: set[str] = set()
    for test in tests_of(state, order):
        for identity in test.analyte_ids:
            if identity not in done:
                done.add(identity)
                analyte = state.analytes.get(identity)
                row = state.results.create(
                    lab_order_id=order.id,
                    analyte_id=identity,
                    specimen_id=known[test.specimen],
                    value=_value(ctx, analyte),
                    entered_at=entered,
                )
                _aftermath(state, ctx, row, analyte, patient)


def _value(ctx: SeedContext, analyte: Analyte) -> float:
    """Mostly within the range, sometimes above or below it, seldom critical."""
    draw, span = ctx.random.random(), analyte.high - analyte.low
    if draw < 0.07 and analyte.critical_high is not None:
        value = analyte.critical_high * (1 + 0.2 * ctx.random.random())
    elif draw < 0.25:
        value = analyte.high + span * (0.15 + 0.5 * ctx.random.random())
    elif draw < 0.32:
        value = max(analyte.low - span * 0.2 * ctx.random.random(), analyte.low * 0.8)
    else:
        value = analyte.low + span * (0.15 + 0.7 * ctx.random.random())
    return round(value, 1)


def _aftermath(state: LabState, ctx: SeedContext, row: Result, analyte: Analyte, patient: Patient) -> None:
    """Calls about critical values, and corrections."""
    if ctx.random.random() < 0.06:
        state.amendments.create(
            result_id=row.id,
            old_value=round(row.value * 10, 1),
            new_value=row.value,
            reason=ctx.random.choice(texts.AMENDMENTS),
            amended_at=plus_minutes(row.entered_at, 20),
        )
    if flag_of(analyte, patient, row.value).startswith("critical") and ctx.random.random() < 0.55:
        state.results.patch(
            row.id,
            told_to=ctx.random.choice(texts.TOLD),
            told_at=plus_minutes(row.entered_at, ctx.random.randint(8, 50)),
        )


def _alarm(state: LabState) -> None:
    """Three critical values that nobody was told of yet."""
    limits = {row.id: row.critical_high for row in state.analytes}
    for row in [row for row in state.results if limits[row.analyte_id]][:3]:
        state.results.patch(row.id, value=round((limits[row.analyte_id] or 0) * 1.1, 1), told_to="", told_at=None)


def _consent(state: LabState, ctx: SeedContext, index: int) -> None:
    patient = list(state.patients)[index % len(state.patients)]
    doctor = people.ascii_name(ctx.random.choice(texts.TOLD).removeprefix("Dr "))
    site = ctx.random.choice(("london", "rotterdam", "bristol"))
    state.consents.create(
        patient_id=patient.id,
        recipient_email=f"{doctor}@{site}-practices.example",
        valid_until=ctx.date(ctx.random.choice((-30, 20, 90, 300))),
        withdrawn=index % 6 == 5,
        recorded_at=ctx.moment(-ctx.random.randint(31, 200), 11),
    )


def _share(state: LabState, ctx: SeedContext) -> None:
    """Some final reports have gone to their patients."""
    for order in state.lab_orders.find(status="verified"):
        patient = state.patients.get(order.patient_id)
        if not patient.restricted and ctx.random.random() < 0.5 and order.verified_at:
            critical = [
                row
                for row in state.results.find(lab_order_id=order.id, told_at=None)
                if flag_of(state.analytes.get(row.analyte_id), patient, row.value).startswith("critical")
            ]
            if not critical:
                state.shared_reports.create(
                    lab_order_id=order.id, recipient_email=patient.email, shared_at=plus_minutes(order.verified_at, 30)
                )
