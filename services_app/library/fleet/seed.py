"""Vehicles of three sites with their last months: trips, fuel, inspections, repairs and bookings."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library import motor_pool
from services_app.library.cast import Cast
from services_app.library.fleet import texts
from services_app.library.fleet.figures import mileage
from services_app.library.fleet.state import FleetState, Vehicle, service


@service.seed
def fill(state: FleetState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.POLICIES:
        state.policies.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    for name, site, email, rate in texts.WORKSHOPS:
        state.workshops.create(name=name, site=site, email=email, hourly_rate=rate)
    crew, finance = cast.team("operations"), cast.team("finance")
    for person, limit in ((crew[2], 1200.0), (crew[1], 4000.0), (finance[0], 20_000.0)):
        state.approvers.create(name=person.name, email=person.email, limit=limit)
    _drivers(state, ctx, cast)
    for index, _ in enumerate(motor_pool.vehicles(ctx)[: ctx.size(30)]):
        _vehicle(state, ctx, cast, index)
    _assign(state, ctx)
    for index, vehicle in enumerate(state.vehicles):
        _history(state, ctx, cast, vehicle, index)
    _bookings(state, ctx, cast)
    for index, vehicle in enumerate(state.vehicles):
        _repairs(state, ctx, cast, vehicle, index)


def _drivers(state: FleetState, ctx: SeedContext, cast: Cast) -> None:
    """The signed-in user and people who visit customers; every fourth may drive lorries."""
    drivers = [cast.me, *cast.team("support"), *cast.team("sales"), *cast.team("operations")[1:]]
    for index, person in enumerate(drivers[: ctx.size(24)]):
        days = -12 if index % 9 == 7 else 25 if index % 9 == 4 else ctx.random.randint(90, 2500)
        state.drivers.create(
            name=person.name,
            email=person.email,
            phone=person.phone,
            site=motor_pool.SITES[index % 5],
            licence_class="C" if index % 4 == 1 else "B",
            licence_number=f"{person.name.split()[-1][:5].upper()}{ctx.random.randint(100_000, 999_999)}",
            licence_until=ctx.date(days),
        )


def _vehicle(state: FleetState, ctx: SeedContext, cast: Cast, index: int) -> None:
    own = motor_pool.vehicles(ctx)[index]
    days = -8 if index % 10 == 8 else ctx.random.choice((15, 70, 200, 330))
    vehicle = state.vehicles.create(
        plate=own.plate,
        model=own.model,
        kind=own.kind,
        site=own.site,
        fuel_type=own.fuel,
        tank=own.tank,
        payload=own.payload,
        pool=own.pool,
        status="sold" if index % 11 == 10 else "out_of_service" if index % 10 in (5, 8) else "in_service",
        roadworthy_until=ctx.date(days),
        insured_with=motor_pool.INSURER,
        policy_number=own.policy_number,
    )
    first = ctx.random.randint(30_000, 42_000)
    state.meter_entries.create(vehicle_id=vehicle.id, odometer=first, read_on=ctx.date(-60), source="manual")
    project = cast.projects[index]
    for text in ctx.random.sample(texts.NOTES, index % 3):
        state.notes.create(
            vehicle_id=vehicle.id,
            author_email=project.owner.email,
            text=text.format(**people.facts(ctx, project)),
            written_at=ctx.moment(-ctx.random.randint(1, 50), 9 + index % 8, index % 60),
        )


def _assign(state: FleetState, ctx: SeedContext) -> None:
    """Every vehicle outside the pool but some has a driver; a few had another one before."""
    drivers = list(state.drivers)
    for index, vehicle in enumerate(row for row in state.vehicles if not row.pool and row.status != "sold"):
        fit = [
            row
            for row in drivers
            if (vehicle.kind != "lorry" or row.licence_class == "C")
            and row.licence_until > ctx.today
            and state.assignments.first(driver_id=row.id) is None
        ]
        if index % 4 == 3 or len(fit) < 3:
            continue
        state.assignments.create(
            vehicle_id=vehicle.id, driver_id=fit[0].id, started_on=ctx.date(-ctx.random.randint(40, 400))
        )


def _history(state: FleetState, ctx: SeedContext, cast: Cast, vehicle: Vehicle, index: int) -> None:
    """Trips to customers, then fuel and an inspection, week by week."""
    drivers = [row for row in state.drivers if vehicle.kind != "lorry" or row.licence_class == "C"]
    assigned = state.assignments.first(vehicle_id=vehicle.id, ended_on=None)
    for week in range(4):
        driver = state.drivers.get(assigned.driver_id) if assigned else drivers[(index + week) % len(drivers)]
        project = cast.projects[(index * 4 + week) % len(cast.projects)]
        facts = people.facts(ctx, project)
        day = -28 + week * 7 + index % 5
        distance = ctx.random.choice((46, 88, 140, 215, 320))
        minutes = distance * 3 // 4 + 20
        state.trips.create(
            vehicle_id=vehicle.id,
            driver_id=driver.id,
            started_at=ctx.moment(day, 7 + index % 6, week * 13),
            minutes=minutes,
            idle_minutes=ctx.random.choice((3, 6, 11, 24)),
            distance=distance,
            harsh_events=ctx.random.choice((0, 0, 1, 1, 3)),
            from_place=f"{vehicle.site} yard",
            to_place=project.company.address,
            purpose=ctx.random.choice(texts.PURPOSES).format(**facts),
        )
        reading = mileage(state, vehicle.id) + distance + ctx.random.randint(120, 420)
        if week % 2 == index % 2:
            litres = float(min(vehicle.tank, ctx.random.randint(32, 58)))
            state.fuel_entries.create(
                vehicle_id=vehicle.id,
                driver_id=driver.id,
                filled_on=ctx.date(day),
                odometer=reading,
                litres=litres,
                cost=round(litres * ctx.random.choice((1.52, 1.61, 1.74)), 2),
                station=ctx.random.choice(texts.STATIONS),
                receipt_number=f"FR-{ctx.random.randint(100_000, 999_999)}",
            )
        source = "fuel" if week % 2 == index % 2 else "inspection"
        state.meter_entries.create(vehicle_id=vehicle.id, odometer=reading, read_on=ctx.date(day), source=source)
        if week % 2 != index % 2:
            remark = ctx.random.choice(texts.REMARKS).format(**facts)
            state.inspections.create(
                vehicle_id=vehicle.id, driver_id=driver.id, inspected_on=ctx.date(day), result="pass", remark=remark
            )


def _bookings(state: FleetState, ctx: SeedContext, cast: Cast) -> None:
    """Pool vehicles in the last and next weeks, never twice on a day, nor a driver twice."""
    pool = [row for row in state.vehicles if row.pool and row.status == "in_service"]
    fit = [row for row in state.drivers if row.licence_until > ctx.date(60)]
    lorry_drivers = [row for row in fit if row.licence_class == "C"]
    for index in range(ctx.size(40)):
        vehicle, turn = pool[index % len(pool)], index // len(pool)
        start = -12 + turn * 8 + index % 3
        crowd = lorry_drivers if vehicle.kind == "lorry" else fit
        first, last = ctx.date(start), ctx.date(start + index % 4)
        free = [row for row in crowd if not _busy(state, row.id, first, last)]
        if not free:
            continue
        project = cast.projects[(index * 3 + 1) % len(cast.projects)]
        state.bookings.create(
            number=f"VB-{2001 + index}",
            vehicle_id=vehicle.id,
            driver_id=free[index % len(free)].id,
            starts_on=first,
            ends_on=last,
            purpose=ctx.random.choice(texts.PURPOSES).format(**people.facts(ctx, project)),
            status="cancelled" if index % 9 == 8 else "booked",
        )


def _busy(state: FleetState, driver_id: str, first: str, last: str) -> bool:
    return any(row.starts_on <= last and first <= row.ends_on for row in state.bookings.find(driver_id=driver_id))


def _repairs(state: FleetState, ctx: SeedContext, cast: Cast, vehicle: Vehicle, index: int) -> None:
    """Services that come again, issues, and the work orders for both."""
    now = mileage(state, vehicle.id)
    for task, km, days in texts.SERVICES:
        ago = ctx.random.choice((days // 5, days // 2, days - 12, days + 20))
        state.plans.create(
            vehicle_id=vehicle.id,
            task=task,
            every_km=km,
            every_days=days,
            last_odometer=max(0, now - ctx.random.choice((km // 4, km // 2, km - 600, km + 900))),
            last_on=ctx.date(-ago),
        )
    facts = people.facts(ctx, cast.projects[index])
    grounded = vehicle.roadworthy_until < ctx.today
    for turn in range(1 + index % 2):
        severity = "critical" if grounded and turn == 0 else ("minor", "major", "minor")[(index + turn) % 3]
        done = (index + turn) % 4 == 3 and not grounded
        issue = state.issues.create(
            number=f"VI-{501 + len(state.issues):04d}",
            vehicle_id=vehicle.id,
            severity=severity,
            summary=texts.ISSUES[severity][(index // 3 + turn) % len(texts.ISSUES[severity])],
            status="resolved" if done else "open",
            reported_on=ctx.date(-ctx.random.randint(2, 30)),
            resolution=ctx.random.choice(texts.RESOLUTIONS).format(**facts) if done else "",
        )
        if severity != "minor" and index % 5 != 1 and vehicle.status != "sold":
            _order(state, ctx, vehicle, issue.summary, done=done, issue_id=issue.id)
    if index % 2 == 0 and vehicle.status != "sold":
        plan = state.plans.find(vehicle_id=vehicle.id)[index // 2 % 3]
        _order(state, ctx, vehicle, plan.task, done=index % 4 == 2, plan_id=plan.id)


def _order(state: FleetState, ctx: SeedContext, vehicle: Vehicle, title: str, *, done: bool, **reason: str) -> None:
    near = state.workshops.find(site=vehicle.site)
    number = len(state.work_orders)
    shop = near[number % len(near)]
    order = state.work_orders.create(
        number=f"WO-{3101 + number}",
        vehicle_id=vehicle.id,
        workshop_id=shop.id,
        title=title,
        status="completed" if done else "cancelled" if number % 9 == 8 else "open",
        opened_on=ctx.date(-ctx.random.randint(1, 20)),
        completed_on=ctx.date(-1) if done else None,
        **reason,
    )
    cost = 0.0
    for kind, text, quantity in texts.LINES[: (0, 2, 3, 5)[number % 4] or (2 if done else 0)]:
        price = texts.PRICES.get(text, shop.hourly_rate)
        state.work_lines.create(work_order_id=order.id, kind=kind, description=text, quantity=quantity, unit_cost=price)
        cost += quantity * price
    if cost > 750 and (done or number % 8 == 3):
        approver = next(row for row in state.approvers if row.limit >= cost)
        state.work_orders.patch(order.id, approver_id=approver.id)
