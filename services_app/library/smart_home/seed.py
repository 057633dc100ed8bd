"""A house with its devices, codes for visitors, and months of events and meter readings."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import ME, Cast, Person
from services_app.library.smart_home import texts
from services_app.library.smart_home.state import Device, SmartHomeState, service

_BATTERY = ("lock", "sensor")
_KINDS = {"motion": ("sensor", "camera"), "opened": ("lock",), "alarm": ("sensor",), "battery": _BATTERY}
_DAILY_KWH = {"Kitchen circuit": 3.1, "Ground floor": 2.2, "Upper floor": 1.7, "Cellar and garden": 2.6}


@service.seed
def fill(state: SmartHomeState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    state.homes.create(name="Haddad home", address="31 Canal Row, London", mode="home", night_limit=19.0)
    for name, floor in texts.ROOMS:
        state.rooms.create(name=name, floor=floor)
    for name, watts in texts.CIRCUITS:
        state.circuits.create(name=name, max_watts=watts)
    for about in texts.DEVICES[: max(15, ctx.size(26))]:
        _device(state, ctx, about)
    _scenes(state)
    _codes(state, ctx, cast)
    for index in range(ctx.size(90)):
        _event(state, ctx, cast, index)
    for day in range(-ctx.size(75), 0):
        for circuit in state.circuits:
            kwh = round(_DAILY_KWH[circuit.name] * ctx.random.uniform(0.5, 1.6), 2)
            state.readings.create(circuit_id=circuit.id, day=ctx.date(day), kwh=kwh)
    for name, price, since in (("Standard 2025", 0.31, -400), ("Standard 2026", 0.28, -61), ("Green hours", 0.24, -20)):
        state.tariffs.create(name=name, price_per_kwh=price, valid_from=ctx.date(since))
    electrician, neighbour = cast.companies[2].people[0], cast.staff[1]
    for title, day, body in texts.GUIDES:
        text = body.format(electrician=electrician.name, phone=electrician.phone, neighbour=neighbour.name)
        state.guides.create(title=title, body=text, written_on=ctx.date(day))


def _device(state: SmartHomeState, ctx: SeedContext, about: tuple[str, str, str, int, int, str, float | None]) -> None:
    name, kind, room, circuit, watts, measures, reading = about
    index = len(state.devices)
    old = f"{ctx.random.randint(1, 3)}.{ctx.random.randint(0, 9)}"
    # Some are out of date, one or two do not answer: the same places for every seed, other values.
    state.devices.create(
        name=name,
        kind=kind,
        room_id=next(row.id for row in state.rooms if row.name == room),
        circuit_id=f"CIR-{circuit}" if circuit else None,
        watts=watts,
        online=index not in (13, 22),
        battery=_battery(ctx, index) if kind in _BATTERY else None,
        firmware=old,
        latest_firmware=old if index % 3 == 1 else f"{old}.{ctx.random.randint(1, 9)}",
        serial_number=f"{kind[:2].upper()}-{ctx.random.randint(100_000, 999_999)}",
        on=kind in ("camera",) or (kind in ("light", "speaker") and ctx.random.random() < 0.4) or name == "Oven plug",
        level=ctx.random.choice((30, 60, 80, 100)) if kind in ("light", "blind", "speaker") else 100,
        target=ctx.random.choice((17.0, 18.0, 19.0, 20.0)) if kind == "thermostat" else None,
        locked=name != "Garden door lock" if kind == "lock" else None,
        measures=measures,
        reading=reading,
    )


def _battery(ctx: SeedContext, index: int) -> int:
    return ctx.random.randint(5, 12) if index in (12, 13) else ctx.random.randint(35, 98)


def _named(state: SmartHomeState, name: str) -> Device:
    return next(row for row in state.devices if row.name == name)


def _scenes(state: SmartHomeState) -> None:
    ids: dict[str, str] = {}
    for name, description, actions in texts.SCENES:
        scene = state.scenes.create(name=name, description=description)
        ids[name] = scene.id
        for device, on, level, target in actions:
            state.scene_actions.create(
                scene_id=scene.id, device_id=_named(state, device).id, on=on, level=level, target=target
            )
    for name, trigger, time, days, sensor, above, mode, scene_name, enabled in texts.AUTOMATIONS:
        state.automations.create(
            name=name,
            trigger=trigger,
            at_time=time,
            days=days,
            sensor_id=_named(state, sensor).id if sensor else None,
            above=above,
            mode=mode,
            scene_id=ids[scene_name],
            enabled=enabled,
        )


def _codes(state: SmartHomeState, ctx: SeedContext, cast: Cast) -> None:
    """Residents have a code for every door; visitors of half a year had, have or will have one."""
    locks = state.devices.find(kind="lock")
    for lock in locks:
        _code(state, ctx, lock, ME, "Lives here.", -200, 700, resident=True)
    _code(state, ctx, locks[0], cast.staff[1], "Waters the plants.", -20, 40)
    visitors = [ctx.random.choice(company.people) for company in cast.companies[: ctx.size(14)]]
    for index, person in enumerate(visitors):
        facts = people.facts(ctx, cast.projects[index])
        start = (-1, 3, -40, -90)[index % 4] - index // 4 if index < 14 else -40 - index
        purpose = ctx.random.choice(texts.PURPOSES).format(**facts)
        _code(state, ctx, locks[index % 2], person, purpose, start, start + ctx.random.randint(2, 12))


def _code(
    state: SmartHomeState, ctx: SeedContext, lock: Device, person: Person, purpose: str, first: int, last: int,
    *, resident: bool = False,
) -> None:  # fmt: skip
    over = last < 0 and ctx.random.random() < 0.3
    state.access_codes.create(
        lock_id=lock.id,
        holder=person.name,
        email=person.email,
        pin=str(ctx.random.randint(2000, 8999)),
        purpose=purpose,
        resident=resident,
        valid_from=ctx.moment(first, 7),
        valid_until=ctx.moment(last, 18),
        revoked_at=ctx.moment(max(first, last - 1), 17, 5) if over else None,
    )


def _event(state: SmartHomeState, ctx: SeedContext, cast: Cast, index: int) -> None:
    kind, text = ctx.random.choice(texts.EVENTS)
    kinds = _KINDS.get(kind)
    fitting = [row for row in state.devices if kinds is None or row.kind in kinds]
    facts = people.facts(ctx, cast.projects[index % len(cast.projects)])
    state.events.create(
        device_id=ctx.random.choice(fitting).id,
        kind=kind,
        text=text.format(**facts),
        happened_at=ctx.moment(-ctx.random.randint(1, 60), ctx.random.randint(0, 23), ctx.random.randint(0, 59)),
    )
