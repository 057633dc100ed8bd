"""Vaults of our own and of customers, with who reaches them, who asked, and who had what."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast, Person
from services_app.library.engineering import Change, Engineering
from services_app.library.secrets import texts
from services_app.library.secrets.state import Secret, SecretsState, Vault, service
from services_app.library.shared import plus_days, plus_minutes

_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_ROTATION = {"password": 90, "api_key": 365, "certificate": None, "ssh_key": 180, "recovery_code": None}
_LENGTH = {"password": 16, "api_key": 28, "certificate": 40, "ssh_key": 40, "recovery_code": 20}


@service.seed
def fill(state: SecretsState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    _people(state, ctx, cast)
    _own_vaults(state, ctx, cast, world)
    _customer_vaults(state, ctx, cast, world)
    for title, age, superseded, body in texts.POLICIES:
        state.policies.create(title=title, body=body, valid_from=ctx.date(age), superseded=superseded)
    for number in range(ctx.size(40)):
        _request(state, ctx, cast, world.changes[number], number)
    for number in range(ctx.size(36)):
        _lease(state, ctx, world.changes[number], number)
    for number in range(ctx.size(18)):
        _token(state, ctx, world.changes[number], number)


def _facts(ctx: SeedContext, change: Change) -> dict[str, str]:
    facts = people.facts(ctx, change.project)
    facts |= {"component": change.component.title, "key": change.key, "author": change.author.name}
    return facts | {"change": change.title, "domain": change.project.company.domain}


def _people(state: SecretsState, ctx: SeedContext, cast: Cast) -> None:
    teams = {team for _, _, team in texts.GROUPS}
    known = [person for person in cast.staff if person.team in teams]
    for number, person in enumerate(known):
        away = number % 11 == 9
        state.users.create(name=person.name, email=person.email, team=person.team, suspended=away)
    for name, description, team in texts.GROUPS:
        members = cast.team(team)
        owner = ME if team in ("operations", "support") else members[0]
        emails = tuple(dict.fromkeys(person.email for person in members))
        state.groups.create(name=name, description=description, owner_email=owner.email, member_emails=emails)


def _own_vaults(state: SecretsState, ctx: SeedContext, cast: Cast, world: Engineering) -> None:
    lead = world.engineers[0]
    for name, description, critical, group_name in texts.VAULTS:
        group = next(row for row in state.groups if row.name == group_name)
        approvers = dict.fromkeys((lead.email, ME.email, cast.team("finance")[0].email, world.engineers[1].email))
        vault = state.vaults.create(
            name=name,
            description=description,
            sensitivity="critical" if critical else "standard",
            approver_emails=tuple(approvers)[: 4 if critical else 2],
        )
        manager = ME if name in ("Support tools", "Offices") else lead
        state.grants.create(vault_id=vault.id, email=manager.email, role="manager", granted_by=lead.email)
        state.grants.create(vault_id=vault.id, group_id=group.id, role="viewer", granted_by=lead.email)
        if name == "Support tools":
            values = {"role": "editor", "granted_by": ME.email, "reason": "Stood in for a colleague."}
            state.grants.create(vault_id=vault.id, email=lead.email, expires_on=ctx.date(-9), **values)
        if name == "Cloud accounts":
            until = ctx.date(21)
            state.grants.create(
                vault_id=vault.id, email=ME.email, role="editor", expires_on=until, granted_by=lead.email
            )
    vaults = {row.name: row for row in state.vaults}
    for number, (vault_name, kind, name, username, url, notes) in enumerate(texts.FIXED_SECRETS):
        facts = _facts(ctx, world.changes[number])
        values = {"kind": kind, "name": name, "username": username, "url": url, "notes": notes.format(**facts)}
        owner = ME if vault_name in ("Support tools", "Offices") else lead
        _secret(state, ctx, vaults[vault_name], owner, values)
    machines = [one for one in engineering.machines(ctx.size(40)) if one.role == "database"]
    for number, machine in enumerate(machines):
        change = world.changes[number]
        note = texts.MACHINE_NOTES[number % len(texts.MACHINE_NOTES)].format(**_facts(ctx, change))
        values = {"kind": "password", "name": f"Database {machine.name}", "username": "app", "notes": note, "url": ""}
        _secret(state, ctx, vaults["Production databases"], change.author, values)


def _customer_vaults(state: SecretsState, ctx: SeedContext, cast: Cast, world: Engineering) -> None:
    managers = next(row for row in state.groups if row.name == "Account managers")
    for number in range(ctx.size(20)):
        change = world.changes[number]
        project = cast.projects[number]
        facts = _facts(ctx, change) | people.facts(ctx, project) | {"domain": project.company.domain}
        if any(row.name == project.company.name for row in state.vaults):
            continue
        vault = state.vaults.create(
            name=project.company.name,
            description=f"Access to systems of {project.company.name}, {project.company.city}.",
            approver_emails=tuple(dict.fromkeys((ME.email, project.owner.email))),
        )
        boss = ME if number % 2 == 0 else project.owner
        state.grants.create(vault_id=vault.id, email=boss.email, role="manager", granted_by=project.owner.email)
        state.grants.create(vault_id=vault.id, group_id=managers.id, role="viewer", granted_by=project.owner.email)
        if boss is not ME and number % 3 == 0:
            until = ctx.date(ctx.random.choice((-9, 4, 25)))
            values = {"email": ME.email, "role": "editor", "expires_on": until, "granted_by": project.owner.email}
            state.grants.create(vault_id=vault.id, reason=texts.REASONS[number % 6].format(**facts), **values)
        for kind, name, username, url, notes in texts.CUSTOMER_SECRETS[: 2 + number % 3]:
            row = {"kind": kind, "name": name, "username": username, "url": url, "notes": notes}
            _secret(state, ctx, vault, boss, {key: text.format(**facts) for key, text in row.items()})


def _value(ctx: SeedContext, kind: str) -> str:
    return "".join(ctx.random.choice(_LETTERS) for _ in range(_LENGTH[kind]))


def _secret(state: SecretsState, ctx: SeedContext, vault: Vault, owner: Person, values: dict[str, str]) -> None:
    kind, number = values["kind"], len(state.secrets)
    secret: Secret = state.secrets.create(
        vault_id=vault.id,
        **values,
        owner_email=owner.email,
        rotation_days=_ROTATION[kind],
        expires_on=ctx.date(ctx.random.choice((-6, 8, 40, 160))) if kind == "certificate" else None,
        exclusive=kind in ("recovery_code", "ssh_key") or number % 9 == 2,
    )
    age, count = ctx.random.randint(5, 130), 1 + number % 3
    for version in range(count):
        made = ctx.moment(-age - 90 * (count - 1 - version), 9, number % 60)
        state.versions.create(
            secret_id=secret.id, number=version + 1, value=_value(ctx, kind), created_by=owner.email, created_at=made
        )


def _request(state: SecretsState, ctx: SeedContext, cast: Cast, change: Change, number: int) -> None:
    """Half of them wait; those that do are in vaults on which the signed-in user decides, too."""
    vaults, active = list(state.vaults), [row for row in state.users if not row.suspended]
    vault = vaults[number * 5 % len(vaults)]
    requester = active[(number * 3 + 1) % len(active)].email if number % 6 != 4 else ME.email
    status = ("pending", "approved", "pending", "denied", "pending", "cancelled")[number % 6]
    facts, day = _facts(ctx, change), -ctx.random.randint(0, 4) if status == "pending" else -ctx.random.randint(5, 70)
    taken = state.requests.first(vault_id=vault.id, requester_email=requester, status="pending")
    request = state.requests.create(
        vault_id=vault.id,
        requester_email=requester,
        role=("viewer", "editor", "viewer", "manager")[number % 4],
        days=ctx.random.choice((7, 14, 30)),
        reason=texts.REASONS[number % len(texts.REASONS)].format(**facts),
        status="cancelled" if taken else status,
        created_at=ctx.moment(day, 7, number % 60),
    )
    others = [email for email in vault.approver_emails if email not in (ME.email, requester)]
    half = status == "pending" and vault.sensitivity == "critical" and number % 4 == 2
    for email in others[: 1 if half else 2 if status in ("approved", "denied") else 0]:
        decision = "deny" if status == "denied" else "approve"
        comment = texts.COMMENTS[(number + (2 if status == "denied" else 0)) % 4].format(**facts)
        at = plus_minutes(request.created_at, 50)
        state.approvals.create(request_id=request.id, by_email=email, decision=decision, comment=comment, at=at)
    if request.status == "approved" and state.grants.first(vault_id=vault.id, email=requester) is None:
        state.grants.create(
            vault_id=vault.id,
            email=requester,
            role=request.role,
            expires_on=plus_days(ctx.date(day), request.days),
            granted_by=others[0] if others else ME.email,
            reason=f"{request.id}: {request.reason}",
        )


def _lease(state: SecretsState, ctx: SeedContext, change: Change, number: int) -> None:
    secret = ctx.random.choice(list(state.secrets))
    email = ctx.random.choice((ME.email, change.author.email, change.project.owner.email))
    reason = texts.REASONS[number % len(texts.REASONS)].format(**_facts(ctx, change))
    live = number % 6 == 0 and not state.leases.find(secret_id=secret.id)
    start = plus_minutes(ctx.now, -20 - number) if live else ctx.moment(-ctx.random.randint(1, 60), 13, number % 60)
    state.leases.create(
        secret_id=secret.id,
        email=email,
        reason=reason,
        checked_out_at=start,
        expires_at=plus_minutes(start, 480 if live else 60),
        returned_at=None if live or number % 4 == 3 else plus_minutes(start, 25),
    )
    state.audit.create(at=start, by_email=email, action="secret.checkout", subject=secret.id, detail=reason)


def _token(state: SecretsState, ctx: SeedContext, change: Change, number: int) -> None:
    vaults = list(state.vaults)
    name, used_by = texts.TOKENS[number % len(texts.TOKENS)]
    facts = _facts(ctx, change)
    owner = ctx.random.choice((ME.email, change.author.email))
    token = state.tokens.create(
        name=name.format(**facts),
        vault_id=vaults[number * 3 % len(vaults)].id,
        scope="write" if number % 5 == 4 else "read",
        used_by=used_by.format(**facts),
        ends_in=_value(ctx, "password")[:4],
        expires_on=ctx.date(ctx.random.choice((-12, 3, 17, 60, 85))),
        owner_email=owner,
        revoked=number % 7 == 5,
    )
    made = ctx.moment(-ctx.random.randint(20, 80), 15)
    state.audit.create(at=made, by_email=owner, action="token.issue", subject=token.id, detail=token.name)
