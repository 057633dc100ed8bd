"""Two years of agreements: drafts, reviews, envelopes on their way, running and ended contracts."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.contracts import texts
from services_app.library.contracts.review import roles_needed
from services_app.library.contracts.state import Agreement, ContractsState, Template, service
from services_app.library.contracts.terms import add_months

_CURRENCY = {"United Kingdom": "GBP", "United States": "USD", "Canada": "USD"}
MY_LIMIT = 15_000.0
STATUSES = (
    *("signed", "draft", "out_for_signature", "signed", "in_review", "signed", "out_for_signature", "signed"),
    *("approved", "signed", "draft", "signed", "terminated", "out_for_signature", "in_review", "signed", "declined"),
)


@service.seed
def fill(state: ContractsState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    _users(state, cast)
    for title, text, fallback, guidance, mandatory in texts.CLAUSES:
        state.clauses.create(title=title, text=text, fallback=fallback, guidance=guidance, mandatory=mandatory)
    ids = {row.title: row.id for row in state.clauses}
    for name, kind, more, months, notice in texts.TEMPLATES:
        wanted = tuple(ids[title] for title in (*texts.CORE[:-1], *more, texts.CORE[-1]))
        state.templates.create(name=name, kind=kind, clause_ids=wanted, term_months=months, notice_days=notice)
    parties = _counterparties(state, ctx, cast)
    known: set[str] = set()
    for index, project in enumerate(row for row in cast.projects if row.company.name in parties):
        if len(state.agreements) >= ctx.size(75):
            break
        if project.contract not in known:
            known.add(project.contract)
            _agreement(state, ctx, cast, project, parties[project.company.name], index)


def _users(state: ContractsState, cast: Cast) -> None:
    def add(number: int, team: str, role: str, limit: float) -> None:
        person = [one for one in cast.team(team) if one is not cast.me][number]
        state.users.create(name=person.name, email=person.email, role=role, signing_limit=limit)

    state.users.create(name=cast.me.name, email=cast.me.email, role="operations", signing_limit=MY_LIMIT)
    add(0, "operations", "operations", 60_000.0)
    add(0, "finance", "finance", 500_000.0)
    add(1, "finance", "finance", 0.0)
    add(0, "people", "legal", 0.0)
    add(1, "people", "legal", 0.0)
    for number in range(6):
        add(number, "sales", "sales", 25_000.0 if number == 0 else 0.0)


def _counterparties(state: ContractsState, ctx: SeedContext, cast: Cast) -> dict[str, str]:
    """Counterparty id by name of the company."""
    found = {}
    for company in cast.companies[: ctx.size(36)]:
        signatory = company.people[0]
        facts = {"contact": company.people[-1].name, "city": company.city, "contact_email": company.people[-1].email}
        found[company.name] = state.counterparties.create(
            name=company.name,
            address=company.address,
            signatory_name=signatory.name,
            signatory_email=signatory.email,
            remark=ctx.random.choice(texts.REMARKS).format(**facts),
        ).id
    return found


def _template(state: ContractsState, project: Project, index: int) -> Template:
    """Hardware and services have their own forms; now and then it is a master agreement, an NDA or an addendum."""
    name = {"hardware": "Order form, hardware", "service": "Statement of work"}.get(
        project.product.kind, "Order form, subscription"
    )
    name = {4: "Master agreement", 8: "Mutual NDA", 13: "Data processing addendum"}.get(index % 15, name)
    return next(row for row in state.templates if row.name == name)


def _agreement(state: ContractsState, ctx: SeedContext, cast: Cast, project: Project, party: str, index: int) -> None:
    facts, template = people.facts(ctx, project), _template(state, project, index)
    status = STATUSES[index % len(STATUSES)]
    done = status in ("signed", "terminated")
    start = -ctx.random.randint(40, 420) if done else ctx.random.randint(5, 40)
    mine = index % 3 != 1 and (status != "in_review" or index % 2 == 1)
    owners = [row.email for row in state.users if row.role == "sales"]
    first = ctx.date(start)
    agreement = state.agreements.create(
        number=project.contract,
        title=texts.TITLES[template.kind].format(**facts),
        kind=template.kind,
        counterparty_id=party,
        template_id=template.id,
        owner_email=cast.me.email if mine else ctx.random.choice(owners),
        status=status,
        value=0.0 if template.kind in ("nda", "data_processing") else project.amount,
        currency=_CURRENCY.get(project.company.country, "EUR"),
        order_number=project.po_number if index % 7 else "",
        effective_on=first,
        end_date=add_months(first, template.term_months),
        notice_days=template.notice_days,
        auto_renew=ctx.random.random() < 0.3,
        signed_on=ctx.date(start - 3) if done else None,
        terminated_on=ctx.date(ctx.random.randint(-20, 60)) if status == "terminated" else None,
        created_at=ctx.moment(min(start - 20, -2), 9, index % 60),
    )
    _clauses(state, ctx, agreement, template, deviate=index % 4 == 1)
    _reviews(state, ctx, agreement)
    if status != "draft" or index % 2:
        _recipients(state, ctx, cast, agreement, project, index)
    for text in ctx.random.sample(texts.COMMENTS, ctx.random.choice((0, 1, 1, 2))):
        _comment(state, ctx, agreement, project, text)
    if done:
        _obligations(state, ctx, cast, agreement, project, start)


def _clauses(
    state: ContractsState, ctx: SeedContext, agreement: Agreement, template: Template, *, deviate: bool
) -> None:
    own = dict(ctx.random.sample(texts.DEVIATIONS, 2)) if deviate else {}
    for position, clause_id in enumerate(template.clause_ids, start=1):
        clause = state.clauses.get(clause_id)
        text = own.get(clause.title, clause.text)
        if text == clause.text and clause.fallback and ctx.random.random() < 0.15:
            text = clause.fallback
        state.agreement_clauses.create(agreement_id=agreement.id, clause_id=clause_id, position=position, text=text)


def _reviews(state: ContractsState, ctx: SeedContext, agreement: Agreement) -> None:
    if agreement.status == "draft":
        return
    roles = roles_needed(state, agreement)
    if agreement.status == "in_review" and "operations" not in roles:
        roles.append("operations")  # asked for although nobody had to
    for number, role in enumerate(roles):
        reviewer = next(row for row in state.users.find(role=role) if row.email != agreement.owner_email)
        waits = agreement.status == "in_review" and number == len(roles) - 1
        state.reviews.create(
            agreement_id=agreement.id,
            role=role,
            reviewer_email=reviewer.email,
            decision="pending" if waits else "approved",
            decided_on=None if waits else min(agreement.created_at[:10], ctx.date(-1)),
        )


def _recipients(
    state: ContractsState, ctx: SeedContext, cast: Cast, agreement: Agreement, project: Project, index: int
) -> None:
    """Theirs first, then ours; half of the envelopes that are out wait for ours, and that is me if my limit allows."""
    party = state.counterparties.get(agreement.counterparty_id)
    able = [row for row in state.users if row.signing_limit >= max(agreement.value, 0.01)]
    ours = able[0] if able[0].email == cast.me.email else ctx.random.choice(able)
    signed = agreement.status in ("signed", "terminated")
    out = agreement.status == "out_for_signature"
    theirs_done = signed or (out and index % 2 == 0)
    sent = ctx.moment(-ctx.random.randint(1, 9), 10) if not signed else agreement.created_at
    first = {"status": "signed", "sent_at": sent, "signed_at": sent} if theirs_done else {"status": "created"}
    second = {"status": "signed", "sent_at": sent, "signed_at": sent} if signed else {"status": "created"}
    if out:
        (second if theirs_done else first).update(status="sent", sent_at=sent)
    if agreement.status == "declined":
        first = {"status": "declined", "sent_at": sent}
    state.recipients.create(
        agreement_id=agreement.id,
        side="them",
        role="signer",
        name=party.signatory_name,
        email=party.signatory_email,
        routing_order=1,
        **first,
    )
    state.recipients.create(
        agreement_id=agreement.id,
        side="us",
        role="signer",
        name=ours.name,
        email=ours.email,
        routing_order=2,
        **second,
    )
    if ctx.random.random() < 0.3 and project.contact.email != party.signatory_email:
        copied = {"name": project.contact.name, "email": project.contact.email, "routing_order": 3}
        state.recipients.create(
            agreement_id=agreement.id,
            side="them",
            role="copy",
            status="sent" if signed else "created",
            sent_at=sent if signed else None,
            **copied,
        )


def _comment(state: ContractsState, ctx: SeedContext, agreement: Agreement, project: Project, text: str) -> None:
    state.comments.create(
        agreement_id=agreement.id,
        author_email=ctx.random.choice((project.owner.email, agreement.owner_email)),
        text=text.format(**people.facts(ctx, project)),
        written_at=ctx.moment(-ctx.random.randint(1, 25), ctx.random.randint(8, 17), ctx.random.randint(0, 59)),
    )


def _obligations(
    state: ContractsState, ctx: SeedContext, cast: Cast, agreement: Agreement, project: Project, start: int
) -> None:
    facts = people.facts(ctx, project)
    for title, days in ctx.random.sample(texts.OBLIGATIONS, ctx.random.randint(1, 3)):
        due = start + days + ctx.random.randint(0, 60)
        done = due < 0 and ctx.random.random() < 0.7
        state.obligations.create(
            agreement_id=agreement.id,
            title=title.format(**facts),
            due_on=ctx.date(due),
            responsible_email=ctx.random.choice((cast.me.email, project.owner.email)),
            done_on=ctx.date(due - 1) if done else None,
            evidence=ctx.random.choice(texts.EVIDENCE).format(**facts) if done else "",
        )
