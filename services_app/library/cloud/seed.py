"""Five accounts with what has gathered in them: machines in use, forgotten ones, and the bills of the last months."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import engineering
from services_app.library.cast import ME, Cast, Person
from services_app.library.cloud import texts
from services_app.library.cloud.figures import forecast, vcpus_in_use
from services_app.library.cloud.state import (
    Account,
    CloudState,
    Instance,
    InstanceType,
    service,
)
from services_app.library.engineering import Change, Engineering

REGIONS = ("eu-west-2", "eu-central-1", "us-east-2")
_AT = {"London": "eu-west-2", "Rotterdam": "eu-central-1", "Lyon": "eu-central-1"}
_COST_CENTERS = {"production": "CC-200", "staging": "CC-500", "demo": "CC-100", "sandbox": "CC-500", "data": "CC-300"}
_TYPES = {"app": "m5.xlarge", "database": "r6.2xlarge", "worker": "c6.2xlarge"}
_SMALL = ("m5.large", "m5.large", "c6.large", "r6.large", "m5.xlarge", "m3.large")
_SHARES = {"compute": 0.7, "storage": 0.18, "network": 0.08, "support": 0.04}


@service.seed
def fill(state: CloudState, ctx: SeedContext) -> None:
    cast, world = people.build(ctx), engineering.build(ctx)
    for name, vcpus, memory, price, retired in texts.TYPES:
        values = {"id": name, "vcpus": vcpus, "memory_gb": memory, "hourly_price": price, "retired": retired}
        state.instance_types.add(InstanceType.model_validate(values))
    for title, age, superseded, body in texts.POLICIES:
        state.policies.create(title=title, body=body, valid_from=ctx.date(age), superseded=superseded)
    _accounts(state, ctx, cast, world)
    for number, machine in enumerate(engineering.machines(ctx.size(30))):
        change = world.changes[number]
        purpose = f"Runs {machine.component.title} ({machine.role})."
        _instance(state, ctx, change, "production", machine.name, _AT[machine.place], _TYPES[machine.role], purpose)
    for number in range(ctx.size(48)):
        kind = ("demo", "sandbox", "demo", "staging", "data")[number % 5]
        change = world.changes[number]
        purpose = texts.PURPOSES[kind][number // 5 % len(texts.PURPOSES[kind])].format(**_facts(ctx, change))
        company = change.project.company.short.lower()
        name = f"demo-{company}-{number + 1}" if kind == "demo" else f"{kind}-{change.key.lower()}"
        region = REGIONS[ctx.random.choice((0, 0, 1, 2))]
        _instance(state, ctx, change, kind, name, region, ctx.random.choice(_SMALL), purpose)
    _volumes(state, ctx, world)
    _snapshots(state, ctx, world)
    _limits(state, ctx, world)


def _facts(ctx: SeedContext, change: Change) -> dict[str, str]:
    facts = people.facts(ctx, change.project)
    facts |= {"component": change.component.title, "key": change.key, "author": change.author.name}
    return facts | {"change": change.title, "reviewer": change.reviewer.name, "version": change.version}


def _accounts(state: CloudState, ctx: SeedContext, cast: Cast, world: Engineering) -> None:
    managers: list[Person] = [*world.engineers[:3], cast.team("finance")[0]]
    for number, (identity, name, environment, description) in enumerate(texts.ACCOUNTS):
        owner = ME if name == "Demo" else managers[number % len(managers)]
        operators = dict.fromkeys((owner.email, *(person.email for person in world.engineers[:4])))
        mine = {ME.email: None} if name != "Data platform" else {}
        state.accounts.add(
            Account.model_validate(
                {
                    "id": identity,
                    "name": name,
                    "environment": environment,
                    "owner_email": owner.email,
                    "operator_emails": tuple(operators | mine),
                    "description": description,
                }
            )
        )
        for title, meaning, rules in texts.GROUPS:
            group = state.security_groups.create(name=f"{name.lower()}-{title}", account=identity, description=meaning)
            for first, last, cidr, text in rules:
                state.ingress_rules.create(
                    group_id=group.id, from_port=first, to_port=last, cidr=cidr, description=text
                )
    for number in range(ctx.size(20)):
        group = list(state.security_groups)[number % len(state.security_groups)]
        change = world.changes[number]
        wide = number % 9 == 4  # a mistake of somebody, for the recommendations
        state.ingress_rules.create(
            group_id=group.id,
            protocol="udp" if number % 6 == 5 else "tcp",
            from_port=(8443, 22, 5671, 8080)[number % 4],
            to_port=(8443, 22, 5672, 8080)[number % 4],
            cidr="0.0.0.0/0" if wide else f"198.51.{number % 256}.0/28",
            description=texts.SITE_RULES[number % 2].format(**_facts(ctx, change)),
        )


def _instance(
    state: CloudState,
    ctx: SeedContext,
    change: Change,
    kind: str,
    name: str,
    region: str,
    instance_type: str,
    purpose: str,
) -> None:
    """An instance with its root volume, for databases a data volume, too."""
    account = f"larkfield-{kind}"
    age = ctx.random.randint(20, 400)
    number = len(state.instances)
    stopped = kind not in ("production", "data") and number % 3 == 1
    gone = kind == "sandbox" and number % 4 == 3
    since = ctx.random.randint(1, min(60, age)) if stopped or gone else age
    group = state.security_groups.find(account=account)[number % 2]
    instance: Instance = state.instances.create(
        name=name,
        account=account,
        region=region,
        instance_type=instance_type,
        state="terminated" if gone else "stopped" if stopped else "running",
        private_ip=f"10.20.{(number + 4) // 250}.{(number + 4) % 250}",
        owner_email=ctx.random.choice((ME.email, change.author.email, change.project.owner.email)),
        cost_center=_COST_CENTERS[kind],
        purpose=purpose,
        termination_protection=kind == "production" or number % 6 == 2,
        security_group_id=group.id,
        launched_at=ctx.moment(-age, 10, number % 60),
        state_changed_at=ctx.moment(-since, 10, number % 60),
    )
    if gone:
        return
    place = {"account": account, "region": region, "instance_id": instance.id, "created_at": instance.launched_at}
    size = ctx.random.choice((20, 30, 50))
    state.volumes.create(name=f"{name} root", size_gb=size, volume_type="gp3", root=True, **place)
    if instance_type.startswith("r6") or number % 4 == 0:
        size = ctx.random.choice((100, 250, 500))
        state.volumes.create(name=f"{name} data", size_gb=size, volume_type=ctx.random.choice(("io2", "gp3")), **place)


def _volumes(state: CloudState, ctx: SeedContext, world: Engineering) -> None:
    """Volumes that no instance has: left behind, or made ready."""
    for number in range(ctx.size(16)):
        change = world.changes[number]
        account, *_ = texts.ACCOUNTS[number % len(texts.ACCOUNTS)]
        state.volumes.create(
            name=f"{change.project.company.short} {change.project.po_number} data",
            account=account,
            region=REGIONS[number % 2],
            size_gb=ctx.random.choice((40, 125, 300, 800)),
            volume_type=("gp3", "gp3", "io2")[number % 3],
            encrypted=number % 7 != 3,
            created_at=ctx.moment(-ctx.random.randint(15, 300), 16),
        )


def _snapshots(state: CloudState, ctx: SeedContext, world: Engineering) -> None:
    volumes = list(state.volumes)
    for number in range(ctx.size(40)):
        volume = volumes[-1 - number // 2] if number % 4 == 0 else ctx.random.choice(volumes)
        change = ctx.random.choice(world.changes[: ctx.size(60)])
        text = texts.SNAPSHOTS[number % len(texts.SNAPSHOTS)].format(**_facts(ctx, change))
        lost = number % 8 == 6
        state.snapshots.create(
            volume_id=f"vol-0b9{number:05d}" if lost else volume.id,
            account=volume.account,
            region=volume.region,
            size_gb=volume.size_gb,
            description=text,
            locked_until=ctx.date(ctx.random.randint(3, 90)) if number % 5 == 1 else None,
            created_at=max(volume.created_at, ctx.moment(-ctx.random.randint(1, 200), 3, number % 60)),
        )


def _limits(state: CloudState, ctx: SeedContext, world: Engineering) -> None:
    """Quotas, budgets and bills around what there is."""
    for number, account in enumerate(state.accounts):
        for region in REGIONS:
            limit = vcpus_in_use(state, account.id, region) + ctx.random.choice((1, 8, 16, 32))
            state.quotas.create(account=account.id, region=region, vcpu_limit=limit)
        coming = forecast(state, account.id)
        state.budgets.create(
            name=f"{account.name} monthly",
            account=account.id,
            monthly_limit=float(round(coming * (1.25, 1.1, 1.6, 1.9, 0.9)[number] / 10) * 10),
            notify_emails=(account.owner_email,),
            blocks_launches=account.environment == "sandbox",
        )
        for back in range(1, ctx.size(8) + 1):
            for product, share in _SHARES.items():
                amount = coming * share * ctx.random.randint(80, 105) / 100
                month = ctx.date(-30 * back)[:7]
                center = _COST_CENTERS[account.id.removeprefix("larkfield-")]
                values = {"account": account.id, "month": month, "cost_center": center, "product": product}
                if state.costs.first(**values) is None:
                    state.costs.create(**values, amount=amount)
    for number in range(ctx.size(6)):
        change = world.changes[number]
        quota = state.quotas.find(account=texts.ACCOUNTS[number % 4][0], region=REGIONS[number // 4 % 3])[0]
        wanted = min(4 * quota.vcpu_limit, quota.vcpu_limit + ctx.random.choice((16, 32, 64)))
        status = ("pending", "granted", "refused")[number % 3]
        if status == "granted":
            state.quotas.patch(quota.id, vcpu_limit=wanted)
        state.quota_requests.create(
            account=quota.account,
            region=quota.region,
            wanted_vcpus=wanted,
            reason=texts.QUOTA_REASONS[number % 2].format(**_facts(ctx, change)),
            status=status,
            requested_by=ctx.random.choice((ME.email, change.author.email)),
            requested_at=ctx.moment(-ctx.random.randint(1, 60), 11),
        )
