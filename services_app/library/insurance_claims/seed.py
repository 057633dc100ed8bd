"""This year's and last year's policies, and claims at every stage."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import motor_pool
from services_app.library.cast import ME, Cast, Project
from services_app.library.insurance_claims import texts
from services_app.library.insurance_claims.figures import estimate, missing_documents, paid, policy_of
from services_app.library.insurance_claims.state import Claim, ClaimsState, Cover, service
from services_app.library.shared import plus_days, words
from services_app.library.suppliers import Supplier, iban, suppliers

_FATES = words("submitted draft closed assessed settled draft submitted closed denied assessed part_paid withdrawn")
_OUR_ACCOUNT = iban("GB", "LARK", 40_112_200)  # the main account, as in banking
_WITHIN = {"motor": 3, "property": 14, "cargo": 7, "liability": 30}
_INSURERS = {
    "motor": "Northmark Mutual",
    "property": "Hanse Assekuranz",
    "cargo": "Meridian Marine",
    "liability": "Northmark Mutual",
}
# line -> name, limit of a claim, limit of a year, deductible
_COVERS = {
    "motor": (
        ("Own damage", 30_000, 45_000, 500),
        ("Third-party damage", 100_000, 500_000, 0),
        ("Glass", 1500, 3000, 150),
    ),
    "property": (("Building", 250_000, 400_000, 2000), ("Contents and stock", 80_000, 120_000, 1000)),
    "cargo": (("Goods in transit", 25_000, 60_000, 250), ("Goods at exhibitions", 15_000, 15_000, 500)),
    "liability": (("Product liability", 150_000, 300_000, 2500), ("Installation work", 60_000, 120_000, 750)),
}


@service.seed
def fill(state: ClaimsState, ctx: SeedContext) -> None:
    cast, sellers = people.build(ctx), suppliers(ctx)
    for title, body in texts.GUIDELINES:
        state.guidelines.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    for name, company, email, lines, region in texts.ADJUSTERS:
        phone = f"{texts.PHONES[region]}{ctx.random.randint(500, 899)}"
        state.adjusters.create(name=name, company=company, email=email, phone=phone, lines=lines, region=region)
    finance, crew = cast.team("finance"), cast.team("operations")
    for person, limit in ((crew[1], 20_000.0), (finance[1], 50_000.0), (finance[0], 250_000.0)):
        state.approvers.create(name=person.name, email=person.email, limit=limit)
    broker = next(row for row in sellers if row.name == motor_pool.INSURER)
    _policies(state, ctx, cast, broker)
    _claims(state, ctx, cast, sellers)


def _policies(state: ClaimsState, ctx: SeedContext, cast: Cast, broker: Supplier) -> None:
    """One a vehicle and office, one for all cargo and one for liability; last year's of some are still listed."""
    objects = [
        ("cargo", "All shipments of Larkfield Systems", "CAR-7714"),
        ("liability", "Larkfield Systems", "LIA-3302"),
    ]
    objects += [("property", row.address, f"PRO-{5120 + index}") for index, row in enumerate(cast.offices)]
    objects += [("motor", row.plate, row.policy_number) for row in motor_pool.vehicles(ctx)[: ctx.size(30)]]
    for index, (line, what, number) in enumerate(objects):
        for year in (-1, 0) if index % 4 < 2 else (0,):
            start = -150 - index % 5 * 20 + year * 365
            policy = state.policies.create(
                policy_number=number if year == 0 else f"{number}-P",
                line=line,
                insurer=_INSURERS[line],
                broker=broker.name,
                broker_email=broker.contact.email,
                insured_object=what,
                starts_on=ctx.date(start),
                ends_on=ctx.date(start + 364),
                report_within=_WITHIN[line],
            )
            for name, most, yearly, deductible in _COVERS[line]:
                state.covers.create(
                    policy_id=policy.id,
                    name=name,
                    claim_limit=float(most),
                    yearly_limit=float(yearly),
                    deductible=float(deductible),
                )


def _claims(state: ClaimsState, ctx: SeedContext, cast: Cast, sellers: tuple[Supplier, ...]) -> None:
    """Losses of all lines on projects; the oldest ones first, so that numbers rise with time."""
    covers: dict[str, list[Cover]] = {}
    for cover in state.covers:
        policy = state.policies.get(cover.policy_id)
        if policy.ends_on >= ctx.today:
            covers.setdefault(policy.line, []).append(cover)
    freight = [row for row in sellers if row.category == "freight"]
    lines = ("motor", "cargo", "motor", "property", "cargo", "liability", "motor")
    for index, project in enumerate(cast.projects[: ctx.size(56)]):
        line = lines[index % len(lines)]
        fate = _FATES[index % len(_FATES)]
        done = fate in ("closed", "denied", "withdrawn", "settled", "part_paid")
        day = -ctx.random.randint(30, 140) if done else -ctx.random.randint(1, 25)
        _claim(state, ctx, project, line, covers[line], freight[index % len(freight)], fate, day)


def _claim(
    state: ClaimsState,
    ctx: SeedContext,
    project: Project,
    line: str,
    covers: list[Cover],
    debtor: Supplier,
    fate: str,
    day: int,
) -> None:
    """A loss on a project; `covers` are those of its line that are in force."""
    number = len(state.claims)
    facts = {**people.facts(ctx, project), "debtor": debtor.name, **_extent(ctx, project, number, day)}
    kinds = texts.LOSSES[line]
    if fate in ("closed", "part_paid"):  # what is paid is mostly somebody else's fault, so that it can be recovered
        kinds = tuple(row for row in kinds if row[1]) or kinds
    text, foreign, name = kinds[number // 2 % len(kinds)]
    fitting = [row for row in covers if row.name == name]
    cover = fitting[number * 5 % len(fitting)]
    policy = state.policies.get(cover.policy_id)
    late = number % 9 == 4
    reported = day + policy.report_within + 3 if late else day + 1
    claim = state.claims.create(
        number=f"CL-{ctx.date(day)[:4]}-{number + 1:04d}",
        cover_id=cover.id,
        status={"part_paid": "settled", "assessed": "submitted"}.get(fate, fate) if fate != "closed" else "submitted",
        loss_on=ctx.date(day),
        reported_on=ctx.date(min(reported, 0)),
        place=project.company.address if policy.line != "property" else policy.insured_object,
        description=text.format(**facts),
        reference=project.po_number,
        third_party=debtor.name if foreign else "",
        late_reason=texts.LATE[policy.line] if late else "",
        handler_email=ME.email if number % 3 else project.owner.email,
    )
    facts["claimed"] = f"{_items(state, ctx, claim, project):,.2f}"
    _file(state, ctx, claim, fate, facts, day)
    if fate in ("assessed", "closed", "settled", "part_paid"):
        _assess(state, ctx, claim, fate, facts, day)
    elif fate == "submitted" and number % 4:
        _inspection(state, ctx, claim, done=False, facts=facts, day=day)
    elif fate in ("denied", "withdrawn"):
        reason = ctx.random.choice(texts.DENIALS if fate == "denied" else texts.WITHDRAWALS).format(**facts)
        state.claims.patch(claim.id, closing_reason=reason, closed_on=ctx.date(min(day + 20, -1)))
    if fate in ("closed", "settled", "part_paid"):
        _settle(state, ctx, claim, fate, debtor, day)


def _extent(ctx: SeedContext, project: Project, number: int, day: int) -> dict[str, str]:
    """What was lost and when, in words; the work of a project is not cargo, its equipment is."""
    goods = f"{project.seats} × {project.product.name}"
    return {
        "goods": goods if project.product.kind == "hardware" else f"the installation kit for {project.title}",
        "number": f"{number + 1:04d}",
        "loss": people.in_words(ctx.date(day)),
        "deadline": people.in_words(ctx.date(day + 30)),
    }


def _items(state: ClaimsState, ctx: SeedContext, claim: Claim, project: Project) -> float:
    """The items of a loss; the sum of what is claimed."""
    cover = state.covers.get(claim.cover_id).name
    kinds = texts.ITEMS[cover]
    for index, (kind, title) in enumerate(kinds[: 1 + int(claim.number[-2:]) % len(kinds)]):
        main = ctx.random.choice((1240.0, 1860.5, 2310.0, 3480.0, 6120.75))
        amount = 745.0 if cover == "Glass" else main if index == 0 else 180.0 + 95 * index
        state.loss_items.create(claim_id=claim.id, kind=kind, description=f"{title}, {project.title}", claimed=amount)
    return sum(row.claimed for row in state.loss_items.find(claim_id=claim.id))


def _file(state: ClaimsState, ctx: SeedContext, claim: Claim, fate: str, facts: dict[str, str], day: int) -> None:
    """Documents and notes; of two drafts in three one document is missing."""
    kinds = missing_documents(state, claim)
    if fate == "draft" and int(claim.number[-2:]) % 3:
        kinds = kinds[1:]
    for kind in kinds:
        title, body = texts.DOCUMENTS[kind]
        state.documents.create(
            claim_id=claim.id,
            kind=kind,
            title=title.format(**facts),
            body=body.format(**facts),
            added_at=ctx.moment(min(day + 1, 0), 8, len(state.documents) % 60),
        )
    for text in ctx.random.sample(texts.NOTES, int(claim.number[-2:]) % 3):
        state.notes.create(
            claim_id=claim.id,
            author_email=claim.handler_email,
            text=text.format(**facts),
            written_at=ctx.moment(min(day + 2, -1), 11, len(state.notes) % 60),
        )


def _inspection(
    state: ClaimsState, ctx: SeedContext, claim: Claim, *, done: bool, facts: dict[str, str], day: int
) -> None:
    line = policy_of(state, claim).line
    fit = [row for row in state.adjusters if line in row.lines]
    adjuster = fit[len(state.inspections) % len(fit)]
    when = ctx.date(min(day + 4, -1))
    slot = ("morning", "afternoon")[len(state.inspections) % 2]
    if not done:
        # The next working days, two halves each: today is a Monday.
        days = [ctx.date(7 * week + weekday) for week in range(20) for weekday in range(5) if week + weekday]
        when, slot = next(
            (date, half)
            for date in days
            for half in ("morning", "afternoon")
            if state.inspections.first(adjuster_id=adjuster.id, inspect_on=date, slot=half) is None
        )
    state.inspections.create(
        claim_id=claim.id,
        adjuster_id=adjuster.id,
        inspect_on=when,
        slot=slot,
        status="done" if done else "scheduled",
        findings=ctx.random.choice(texts.FINDINGS[line]).format(**facts) if done else "",
    )


def _assess(state: ClaimsState, ctx: SeedContext, claim: Claim, fate: str, facts: dict[str, str], day: int) -> None:
    """Approved amounts; of claims that still wait one item may be open."""
    items = state.loss_items.find(claim_id=claim.id)
    if any(row.claimed > 2500 for row in items):
        _inspection(state, ctx, claim, done=True, facts=facts, day=day)
    for index, row in enumerate(items):
        if fate == "assessed" and index == len(items) - 1 and int(claim.number[-2:]) % 4 == 0:
            continue
        cut = (index + int(claim.number[-2:])) % 3 == 0
        state.loss_items.patch(
            row.id,
            approved=round(row.claimed * 0.8, 2) if cut else row.claimed,
            assessment=texts.ASSESSMENTS[row.kind] if cut else "",
        )
    reserve = round(sum(row.claimed for row in items) * (1.0 if len(state.claims) % 3 else 0.5), 0)
    limit = state.covers.get(claim.cover_id).claim_limit
    state.claims.patch(claim.id, reserve=min(limit, float(reserve)))


def _settle(state: ClaimsState, ctx: SeedContext, claim: Claim, fate: str, debtor: Supplier, day: int) -> None:
    amount = estimate(state, claim)["payable"]
    if not amount:
        state.claims.patch(
            claim.id,
            status="denied",
            reserve=0.0,
            closing_reason=texts.DENIALS[2],
            closed_on=ctx.date(min(day + 20, -1)),
        )
        return
    approver = next(row for row in state.approvers if row.limit >= amount).id if amount > 5000 else None
    status = "closed" if fate == "closed" else "settled"
    state.claims.patch(
        claim.id, status=status, settled_amount=amount, approver_id=approver, reserve=max(amount, claim.reserve)
    )
    if fate == "settled":
        return
    paid_on = ctx.date(min(day + 25, -1))
    state.payments.create(
        claim_id=claim.id,
        payee=people.HOME if fate == "closed" else debtor.name,
        iban=_OUR_ACCOUNT if fate == "closed" else debtor.iban,
        amount=amount if fate == "closed" else round(amount / 2, 2),
        reference=f"IP-{ctx.random.randint(100_000, 999_999)}",
        paid_on=paid_on,
    )
    if fate == "closed":
        state.claims.patch(claim.id, closing_reason="Paid.", closed_on=paid_on)
    if claim.third_party and int(claim.number[-2:]) % 4:
        _recover(state, ctx, claim, plus_days(paid_on, 3))


def _recover(state: ClaimsState, ctx: SeedContext, claim: Claim, opened_on: str) -> None:
    row = state.recoveries.create(
        number=f"RC-{301 + len(state.recoveries):04d}",
        claim_id=claim.id,
        debtor=claim.third_party,
        demanded=round(paid(state, claim.id) * 0.75, 2),
        opened_on=min(opened_on, ctx.today),
    )
    part = (0.0, 0.5, 1.0)[len(state.recoveries) % 3]
    if part:
        state.recovery_receipts.create(
            recovery_id=row.id,
            amount=round(row.demanded * part, 2),
            reference=f"RR-{ctx.random.randint(100_000, 999_999)}",
            received_on=ctx.date(-1),
        )
