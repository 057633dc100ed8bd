"""Some months of visits: months gone by, this morning at the desk, and what is booked."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.engine import fields as f
from services_app.library import cast as people
from services_app.library.appointments import texts
from services_app.library.appointments.rules import charge, ends_at, free_starts
from services_app.library.appointments.state import (
    TAKES_TIME,
    Appointment,
    AppointmentState,
    Patient,
    Practitioner,
    VisitType,
    service,
)
from services_app.library.cast import Person, Project
from services_app.library.shared import next_number, plus_days, plus_minutes

_HOURS = (("08:30", "12:30"), ("13:30", "17:00"))
_DAYS = (
    ("monday", "tuesday", "wednesday", "friday"),
    ("monday", "wednesday", "thursday"),
    ("monday", "tuesday", "thursday", "friday"),
)
_PAST = ("completed",) * 7 + ("no_show", "cancelled", "completed")
_AHEAD = ("booked", "booked", "confirmed", "confirmed", "cancelled")
_CONTACT_LANGUAGES = ("English", "English", "Dutch", "French", "Polish")


@service.seed
def fill(state: AppointmentState, ctx: SeedContext) -> None:
    _practices(state, ctx)
    projects = people.build(ctx).projects
    for index, person in enumerate(_people(ctx)):
        _patient(state, ctx, person, projects[index % 60], index)
    for title, status, days_ago, body in texts.GUIDES:
        state.guides.create(title=title, status=status, body=body, valid_from=ctx.date(-days_ago))
    for index in range(ctx.size(34)):
        _referral(state, ctx, index)
    _notorious(state, ctx, projects[3])
    _today(state, ctx, projects)
    for index in range(ctx.size(270)):
        past = index % 2 == 0
        day = -ctx.random.randint(1, 150) if past else ctx.random.randint(1, 45)
        _visit(state, ctx, day, ctx.random.choice(_PAST if past else _AHEAD), projects[index % 80])
    for index in range(ctx.size(16)):
        _waiting(state, ctx, index)


def _people(ctx: SeedContext) -> list[Person]:
    """Our staff first, then people of customers who are seen for their work."""
    cast = people.build(ctx)
    staff = list(cast.staff[: max(ctx.size(44), 16)])
    others = [person for company in cast.companies for person in company.people[:1]]
    return [*staff, *others[: ctx.size(30)]]


def _practices(state: AppointmentState, ctx: SeedContext) -> None:
    for name, city, address, phone, step_free in texts.PRACTICES:
        state.practices.create(name=name, city=city, address=address, phone=phone, step_free=step_free)
    places = list(state.practices)
    for index, (name, place, specialty, languages, new) in enumerate(texts.PRACTITIONERS):
        plain = people.ascii_name(name.removeprefix("Dr "))
        row = state.practitioners.create(
            name=name,
            email=f"{plain}@{places[place].city.lower()}-practices.example",
            specialty=specialty,
            practice_id=places[place].id,
            languages=languages,
            accepts_new_patients=new,
        )
        for weekday in _DAYS[index % len(_DAYS)]:
            for starts, ends in _HOURS[: 2 if weekday != "friday" else 1]:
                state.sessions.create(practitioner_id=row.id, weekday=weekday, starts=starts, ends=ends)
        if index >= 2 and index % 2 == 0:
            first = ctx.random.randint(8, 40)
            state.absences.create(
                practitioner_id=row.id,
                starts_at=ctx.moment(first, 8),
                ends_at=ctx.moment(first + ctx.random.randint(0, 4), 18),
                reason=ctx.random.choice(texts.ABSENCES),
            )
    for name, specialty, minutes, fee, referral, notice, preparation in texts.VISIT_TYPES:
        state.visit_types.create(
            name=name,
            specialty=specialty,
            minutes=minutes,
            fee=fee,
            needs_referral=referral,
            notice=notice,
            preparation=preparation,
        )


def _patient(state: AppointmentState, ctx: SeedContext, person: Person, project: Project, index: int) -> None:
    remarks = ctx.random.choice(texts.REMARKS) if ctx.random.random() < 0.35 else ""
    state.patients.create(
        name=person.name,
        email=person.email,
        phone=person.phone,
        born_on=f"{ctx.random.randint(1962, 2001)}-{ctx.random.randint(1, 12):02d}-{ctx.random.randint(1, 28):02d}",
        patient_number=f"P-{20_001 + index}",
        employer=person.company,
        reminder=ctx.random.choice(("email", "email", "sms", "phone", "none")),
        language=ctx.random.choice(_CONTACT_LANGUAGES),
        remarks=remarks.format(**people.facts(ctx, project)),
        registered_on=ctx.date(-ctx.random.randint(200, 1500)),
    )


def _referral(state: AppointmentState, ctx: SeedContext, index: int) -> None:
    issued = ctx.date(-ctx.random.choice((4, 12, 25, 40, 70, 110, 160, 210)))
    state.referrals.create(
        number=f"RF-{ctx.random.randint(100, 999)}-{4100 + index}",
        patient_id=ctx.random.choice(list(state.patients)).id,
        specialty=ctx.random.choice(("physiotherapy", "dermatology", "occupational health")),
        referred_by=ctx.random.choice(texts.REFERRERS),
        question=ctx.random.choice(texts.QUESTIONS),
        issued_on=issued,
        expires_on=plus_days(issued, 180),
        visits=ctx.random.choice((1, 1, 2, 6)),
    )


def _make(
    state: AppointmentState,
    ctx: SeedContext,
    patient: Patient,
    practitioner: Practitioner,
    kind: VisitType,
    start: str,
    status: str,
    project: Project,
) -> Appointment | None:
    """A visit, unless the patient is elsewhere then or lacks the referral."""
    end = plus_minutes(start, kind.minutes)
    for row in state.appointments.find(patient_id=patient.id):
        same_kind = row.visit_type_id == kind.id and {row.status, status} <= {"booked", "confirmed"}
        overlap = row.status in TAKES_TIME and row.starts_at < end and start < ends_at(state, row)
        if same_kind or overlap:
            return None
    referral = next(
        (
            row
            for row in state.referrals.find(patient_id=patient.id, specialty=kind.specialty)
            if row.issued_on <= start[:10] <= row.expires_on
            and len(state.appointments.find(referral_id=row.id)) < row.visits
        ),
        None,
    )
    if kind.needs_referral and referral is None:
        return None
    facts = people.facts(ctx, project)
    days = -ctx.random.randint(2, 20)
    booked = min(f"{plus_days(start, days)}T{ctx.random.randint(8, 17):02d}:20:00Z", ctx.moment(-1, 15, 20))
    cancelled = None
    if status == "cancelled":
        hours = ctx.random.choice((3, 20, 50, 120))
        cancelled = min(max(booked, plus_minutes(start, -60 * hours)), ctx.moment(-1, 16, 5))
    return state.appointments.create(
        reference=next_number((row.reference for row in state.appointments), "HA-", first=30_001, width=5),
        patient_id=patient.id,
        practitioner_id=practitioner.id,
        visit_type_id=kind.id,
        starts_at=start,
        status=status,
        reason=ctx.random.choice(texts.REASONS[kind.specialty]).format(**facts),
        referral_id=referral.id if kind.needs_referral and referral else None,
        moves=ctx.random.choice((0, 0, 0, 1, 2)),
        booked_at=booked,
        cancelled_at=cancelled,
        cancellation_reason=ctx.random.choice(texts.CANCELLATIONS).format(**facts) if cancelled else "",
    )


def _visit(state: AppointmentState, ctx: SeedContext, day: int, status: str, project: Project) -> None:
    practitioner = ctx.random.choice(list(state.practitioners))
    kind = ctx.random.choice(state.visit_types.find(specialty=practitioner.specialty))
    patients = list(state.patients)
    patient = ctx.random.choice(patients)
    if kind.needs_referral:
        letters = state.referrals.find(specialty=kind.specialty)
        patient = state.patients.get(ctx.random.choice(letters).patient_id) if letters else patient
    starts = free_starts(state, practitioner, kind.minutes, ctx.date(day))
    if not starts:
        return
    row = _make(state, ctx, patient, practitioner, kind, ctx.random.choice(starts), status, project)
    if row is None:
        return
    _notes(state, ctx, row, project)
    if charge(state, row) and ctx.random.random() < 0.6:
        paid = ctx.random.random() < 0.8
        state.appointments.patch(
            row.id,
            settlement="paid" if paid else "waived",
            payment_method=ctx.random.choice(("card", "bank_transfer", "employer")) if paid else None,
            waiver_reason="" if paid else ctx.random.choice(texts.WAIVERS).format(**people.facts(ctx, project)),
        )


def _notes(state: AppointmentState, ctx: SeedContext, row: Appointment, project: Project) -> None:
    facts = people.facts(ctx, project)
    if ctx.random.random() < 0.4:
        state.appointment_notes.create(
            appointment_id=row.id,
            author_email=people.ME.email,
            text=ctx.random.choice(texts.NOTES).format(**facts),
            clinical=False,
            written_at=plus_minutes(row.booked_at, ctx.random.randint(5, 600)),
        )
    if row.status == "completed" and ctx.random.random() < 0.3:
        state.appointment_notes.create(
            appointment_id=row.id,
            author_email=state.practitioners.get(row.practitioner_id).email,
            text=ctx.random.choice(texts.CLINICAL),
            clinical=True,
            written_at=plus_minutes(row.starts_at, 45),
        )


def _notorious(state: AppointmentState, ctx: SeedContext, project: Project) -> None:
    """Someone who has missed three visits, the last of them paid."""
    practitioner = next(iter(state.practitioners))
    kind = state.visit_types.find(specialty=practitioner.specialty)[0]
    patient = list(state.patients)[5]
    for number, day in enumerate((-200, -100, -30)):
        monday = day - f.parse_date(ctx.date(day)).weekday()
        row = _make(state, ctx, patient, practitioner, kind, ctx.moment(monday, 9 + number), "no_show", project)
        if row is not None and number == 2:
            state.appointments.patch(row.id, settlement="paid", payment_method="card")


def _today(state: AppointmentState, ctx: SeedContext, projects: tuple[Project, ...]) -> None:
    """This morning: somebody is late, somebody waits, others are expected."""
    patients = list(state.patients)
    for number, practitioner in enumerate(list(state.practitioners)[: max(ctx.size(8), 4)]):
        kinds = [row for row in state.visit_types.find(specialty=practitioner.specialty) if not row.needs_referral]
        for turn, status in enumerate(("booked", "arrived", "confirmed", "booked")):
            kind = kinds[turn % len(kinds)] if kinds else None
            starts = free_starts(state, practitioner, kind.minutes, ctx.today) if kind else []
            if kind and starts:
                patient = patients[(number * 4 + turn) % len(patients)]
                row = _make(state, ctx, patient, practitioner, kind, starts[0], status, projects[number])
                if row is not None:
                    _notes(state, ctx, row, projects[number])


def _waiting(state: AppointmentState, ctx: SeedContext, index: int) -> None:
    kind = ctx.random.choice(list(state.visit_types))
    patients = list(state.patients)
    patient = ctx.random.choice(patients[6:])
    letters = [row for row in state.referrals.find(specialty=kind.specialty) if row.expires_on > ctx.date(40)]
    if kind.needs_referral and letters and index % 3:
        patient = state.patients.get(ctx.random.choice(letters).patient_id)
    if state.waitlist_entries.first(patient_id=patient.id, visit_type_id=kind.id):
        return
    team = state.practitioners.find(specialty=kind.specialty)
    earliest = ctx.date(ctx.random.randint(1, 10))
    state.waitlist_entries.create(
        patient_id=patient.id,
        visit_type_id=kind.id,
        practitioner_id=ctx.random.choice(team).id if ctx.random.random() < 0.3 else None,
        earliest=earliest,
        latest=plus_days(earliest, ctx.random.randint(7, 30)),
        urgent=ctx.random.random() < 0.25,
        status=("waiting", "waiting", "waiting", "booked", "withdrawn")[index % 5],
        joined_at=ctx.moment(-ctx.random.randint(1, 30), ctx.random.randint(8, 16), ctx.random.randint(0, 59)),
    )
