"""Labels of the last two months with their scans, drafts, and what carriers charged and paid."""

from __future__ import annotations

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Project
from services_app.library.shared import total, words
from services_app.library.shipping import texts
from services_app.library.shipping.state import CarrierService, Shipment, ShippingState, service
from services_app.library.shipping.tariff import APPROVAL_FROM, Desk, needs_customs, price, refusal, zone
from services_app.library.suppliers import suppliers

_FATES = words(
    "delivered draft in_transit ready delivered draft exception delivered manifested lost delivered draft ready voided"
)
# carrier, service, base price, price per kg, most kg, days at home, in Europe, overseas, lithium
_SERVICES = (
    ("Postwind", "Postwind Standard", 4.9, 0.7, 30, 2, 4, 9, False),
    ("Postwind", "Postwind Express", 11.5, 1.4, 30, 1, 2, 4, False),
    ("Norfreight", "Norfreight Pallet", 38.0, 0.32, 800, 3, 6, 20, True),
    ("Norfreight", "Norfreight Priority", 72.0, 0.55, 800, 1, 3, 7, True),
    ("Greenlane Couriers", "Greenlane Next Day", 9.2, 0.9, 40, 1, None, None, True),
    ("Greenlane Couriers", "Greenlane Same Day Van", 29.0, 0.4, 60, 0, None, None, True),
    ("Saxby Freight", "Saxby Groupage", 31.0, 0.38, 1500, 4, 8, None, True),
    ("Saxby Freight", "Saxby Parcel Plus", 8.4, 0.95, 70, 2, 5, 12, True),
)
# what is declared for the contents that are no product, in the order of texts.CONTENTS
_OTHER = (("Cables and mounts", "8544.42"), ("Demonstration devices", "8471.60"), ("Printed matter", "4911.10"))
# weight of one with its box
_GRAMS = {"HS-2": 540, "HS-4": 620, "Label": 2350, "Telematics": 310, "Gateway": 1800, "Cold": 120, "Wall": 860}
_HS = {"Handheld": "8471.60", "Label": "8443.32", "Telematics": "8517.62", "Gateway": "8517.62", "Cold": "9025.19"}


@service.seed
def fill(state: ShippingState, ctx: SeedContext) -> None:
    cast = people.build(ctx)
    for title, body in texts.GUIDES:
        state.guides.create(title=title, body=body, updated_at=ctx.moment(-ctx.random.randint(20, 300), 10))
    _carriers(state, ctx)
    _approvers(state, cast)
    known = _addresses(state, ctx, cast)
    projects = [row for row in cast.projects if row.company.name in known][: ctx.size(120)]
    for index, project in enumerate(projects):
        _shipment(state, ctx, project, known[project.company.name], _FATES[index % len(_FATES)])
    _pickups(state, ctx, cast)
    _money(state, ctx)


def _carriers(state: ShippingState, ctx: SeedContext) -> None:
    contacts = {row.name: row.contact.email for row in suppliers(ctx)}
    for name, offer, base, per_kg, heavy, home, europe, overseas, lithium in _SERVICES:
        carrier = state.carriers.first(name=name) or state.carriers.create(
            name=name,
            account_number=f"LARK-{ctx.random.randint(10_000, 99_999)}",
            support_email=contacts.get(name, f"help@{name.lower()}.example"),
        )
        state.services.create(
            carrier_id=carrier.id,
            name=offer,
            base_price=base,
            price_per_kg=per_kg,
            max_weight=heavy,
            days_domestic=home,
            days_europe=europe,
            days_overseas=overseas,
            takes_lithium=lithium,
        )


def _approvers(state: ShippingState, cast: Cast) -> None:
    crew, finance = cast.team("operations"), cast.team("finance")
    for person, limit in ((crew[2], 500.0), (crew[1], 2000.0), (finance[0], 10_000.0)):
        state.approvers.create(name=person.name, email=person.email, limit=limit)


def _addresses(state: ShippingState, ctx: SeedContext, cast: Cast) -> dict[str, str]:
    """Two recipients a company, some with mistakes; company -> id of its good address."""
    countries = {row.city: row.country for row in cast.companies}
    for city in sorted({*countries, *(row.city for row in cast.offices)}):
        country = {"London": "United Kingdom"}.get(city) or countries[city]
        state.cities.create(name=city, country=country)
    known: dict[str, str] = {}
    for index, company in enumerate(cast.companies[: ctx.size(50)]):
        for place, person in enumerate(company.people[:2]):
            flaw = index % 8 if place else -1
            row = state.addresses.create(
                contact_name=person.name,
                company=company.name,
                email=person.email,
                phone=person.phone,
                street="Goods-in, rear yard" if flaw == 6 else company.address.split(",")[0],
                city=f"{company.city}-Nord" if flaw == 4 else company.city,
                country="Belgium" if flaw == 2 else company.country,
                verified=not place or flaw % 2 == 1,
            )
            known.setdefault(company.name, row.id)
    return known


def _shipment(state: ShippingState, ctx: SeedContext, project: Project, address_id: str, fate: str) -> None:
    number = len(state.shipments)
    goods = project.product.kind == "hardware"
    one = next((weight for word, weight in _GRAMS.items() if word in project.product.name), 450)
    grams = min(420_000, project.seats * one + 200) if goods else ctx.random.choice((640, 1150, 3400, 9800))
    facts = people.facts(ctx, project)
    shipment = state.shipments.create(
        number=f"SH-{70_001 + number}",
        order_number=project.po_number,
        origin=("London", "Rotterdam", "London", "Lyon")[number % 4],
        address_id=address_id,
        contents=texts.CONTENTS[0 if goods else 1 + number % 3].format(**facts),
        box="satchel" if grams < 900 else "small_box" if grams < 6000 else "large_box" if grams < 28_000 else "pallet",
        weight=grams,
        declared_value=min(project.amount, 24_000.0) if goods else float(ctx.random.choice((60, 150, 480))),
        contains_lithium="Handheld" in project.product.name,
    )
    if shipment.declared_value > 1000 and number % 4:
        shipment = state.shipments.patch(shipment.id, insured_value=shipment.declared_value)
    country = state.addresses.get(address_id).country
    if needs_customs(shipment.origin, country) and not (fate == "draft" and number % 2):
        title, code = _OTHER[number % 3]
        if goods:
            title = project.product.name
            code = next((code for word, code in _HS.items() if word in title), "8471.60")
        each = round(shipment.declared_value / project.seats, 2)
        exact = goods and round(each * project.seats, 2) == shipment.declared_value
        state.customs_items.create(
            shipment_id=shipment.id,
            description=title,
            hs_code=code,
            quantity=project.seats if exact else 1,
            unit_value=each if exact else shipment.declared_value,
            origin_country="United Kingdom",
        )
    if fate != "draft":
        _label(state, ctx, project, shipment, fate)


def _label(state: ShippingState, ctx: SeedContext, project: Project, shipment: Shipment, fate: str) -> None:
    address = state.addresses.get(shipment.address_id)
    fit = [row for row in state.services if refusal(row, shipment, address) is None]
    offer = fit[int(shipment.number[3:]) % len(fit)]
    cost = price(offer, shipment, zone(shipment.origin, address.country))
    day = {
        "delivered": -ctx.random.randint(6, 58),
        "in_transit": -ctx.random.randint(2, 5),
        "exception": -ctx.random.randint(3, 7),
        "lost": -ctx.random.randint(18, 40),
        "voided": -ctx.random.randint(3, 20),
    }.get(fate, -ctx.random.choice((0, 1, 1, 2, 16)))
    approver = next((row.id for row in state.approvers if row.limit >= cost), None) if cost > APPROVAL_FROM else None
    carrier = state.carriers.get(offer.carrier_id)
    shipment = state.shipments.patch(
        shipment.id,
        service_id=offer.id,
        approver_id=approver,
        tracking_number=f"{carrier.name[:2].upper()}{5_000_001 + len(state.shipments)}",
        price=cost,
        bought_on=ctx.date(day),
        voided_on=ctx.date(day + 1) if fate == "voided" else None,
    )
    if fate not in ("ready", "voided"):
        _hand_over(state, ctx, shipment, offer, day)
        if fate != "manifested":
            _scans(state, ctx, project, shipment, fate, day)


def _hand_over(state: ShippingState, ctx: SeedContext, shipment: Shipment, offer: CarrierService, day: int) -> None:
    """On the manifest of the carrier, office and week; on a new one, if there is none."""
    moment = ctx.moment(min(day, -1), 16, 30)
    for row in state.manifests.find(carrier_id=offer.carrier_id, origin=shipment.origin):
        if row.closed_at[:10] == moment[:10]:
            state.shipments.patch(shipment.id, manifest_id=row.id)
            return
    row = state.manifests.create(
        number=f"MF-{901 + len(state.manifests):04d}",
        carrier_id=offer.carrier_id,
        origin=shipment.origin,
        closed_at=moment,
    )
    state.shipments.patch(shipment.id, manifest_id=row.id)


def _scans(state: ShippingState, ctx: SeedContext, project: Project, shipment: Shipment, fate: str, day: int) -> None:
    codes = {
        "delivered": words("picked_up in_transit out_for_delivery delivered"),
        "in_transit": words("picked_up in_transit"),
        "lost": words("picked_up in_transit"),
        "exception": words("picked_up in_transit exception"),
    }[fate]
    facts = people.facts(ctx, project)
    for step, code in enumerate(codes):
        place = shipment.origin if step < 2 else project.company.city
        state.events.create(
            shipment_id=shipment.id,
            code=code,
            place=place,
            text=ctx.random.choice(texts.SCANS[code]).format(**facts),
            happened_at=ctx.moment(day + step, 7 + step * 3, len(state.events) % 60),
        )
    if fate == "delivered":
        _afterwards(state, ctx, project, shipment, day)


def _afterwards(state: ShippingState, ctx: SeedContext, project: Project, shipment: Shipment, day: int) -> None:
    """Charges after weighing, and claims for damage."""
    number, facts = int(shipment.number[3:]), people.facts(ctx, project)
    if number % 5:
        status = ("charged", "charged", "disputed", "charged", "reversed")[len(state.adjustments) % 5]
        state.adjustments.create(
            shipment_id=shipment.id,
            measured_weight=shipment.weight + ctx.random.choice((600, 1400, 3200, 9000)),
            amount=float(ctx.random.choice((3.6, 7.8, 12.4, 31.5))),
            charged_on=ctx.date(min(day + 5, 0)),
            status=status,
            dispute_reason=ctx.random.choice(texts.DISPUTES).format(**facts)
            if status in ("disputed", "reversed")
            else "",
        )
    if number % 3 == 0:
        state.claims.create(
            number=f"CC-{1101 + len(state.claims)}",
            shipment_id=shipment.id,
            kind="damaged",
            amount=float(min(shipment.declared_value, ctx.random.choice((60, 85, 100)))),
            description=ctx.random.choice(texts.DAMAGES).format(**facts),
            status=("filed", "paid", "rejected")[len(state.claims) % 3],
            filed_on=ctx.date(min(day + 8, 0)),
        )


def _pickups(state: ShippingState, ctx: SeedContext, cast: Cast) -> None:
    carriers = list(state.carriers)
    for index in range(ctx.size(24)):
        status = ("done", "scheduled", "done", "cancelled")[index % 4]
        facts = people.facts(ctx, cast.projects[index])
        state.pickups.create(
            confirmation=f"PU-{3001 + index}",
            carrier_id=carriers[index % len(carriers)].id,
            origin=("London", "Rotterdam", "Lyon")[index // 4 % 3],
            # Monday is today, so that the next working days are 1 to 4.
            pickup_on=ctx.date(1 + index // 12 % 4 if status == "scheduled" else -7 * (1 + index // 8) + index % 5),
            ready_at=("11:00", "14:00", "15:30")[index % 3],
            instructions=texts.PICKUPS[index % len(texts.PICKUPS)].format(**facts),
            status=status,
        )


def _money(state: ShippingState, ctx: SeedContext) -> None:
    """Deposits that cover what was spent; one account is nearly empty."""
    desk = Desk(state)
    for index, carrier in enumerate(state.carriers):
        spent = -desk.balance(carrier.id)
        rest = (900.0, 2600.0, 18.5, 640.0)[index]
        parts = ctx.size(8)
        for turn in range(parts):
            last = turn == parts - 1
            share = round((spent + rest) / parts, 0)
            paid = total(row.amount for row in state.deposits.find(carrier_id=carrier.id))
            state.deposits.create(
                carrier_id=carrier.id,
                amount=round(spent + rest - paid, 2) if last else share,
                reference=f"TP-{ctx.random.randint(100_000, 999_999)}",
                paid_on=ctx.date(-60 + turn * 55 // parts),
            )
