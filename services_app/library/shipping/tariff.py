"""What follows from parcels, services and events: billable weight, zone, price, status and account balance."""

from __future__ import annotations

from services_app.engine import conflict
from services_app.library.shared import Json, is_weekend, plus_days, total, with_fields
from services_app.library.shipping.state import Address, CarrierService, Shipment, ShippingState

COUNTRY = {"London": "United Kingdom", "Rotterdam": "Netherlands", "Lyon": "France"}
EUROPE = ("United Kingdom", "Netherlands", "France", "Sweden", "Portugal", "Germany", "Poland")
UNION = EUROPE[1:]
ZONE_FACTOR = {"domestic": 1.0, "europe": 1.6, "overseas": 3.2}
VOLUME_KG = {"satchel": 0.5, "small_box": 2.0, "large_box": 12.0, "pallet": 160.0}
"""Weight that a box is charged for at least: its volume in cubic centimetres divided by 5,000."""
INSURANCE_RATE = 0.008
APPROVAL_FROM = 250.0


def zone(origin: str, country: str) -> str:
    """Which of the three price zones a country is, seen from one of our offices."""
    if country == COUNTRY[origin]:
        return "domestic"
    return "europe" if country in EUROPE else "overseas"


def needs_customs(origin: str, country: str) -> bool:
    home = COUNTRY[origin]
    return home != country and not (home in UNION and country in UNION)


def billable_kg(shipment: Shipment) -> float:
    return max(shipment.weight / 1000, VOLUME_KG[shipment.box])


def days(service: CarrierService, where: str) -> int | None:
    return {"domestic": service.days_domestic, "europe": service.days_europe, "overseas": service.days_overseas}[where]


def price(service: CarrierService, shipment: Shipment, where: str) -> float:
    """Price of a label: base and weight by zone, and the insurance."""
    freight = (service.base_price + service.price_per_kg * billable_kg(shipment)) * ZONE_FACTOR[where]
    return round(freight + shipment.insured_value * INSURANCE_RATE, 2)


def refusal(service: CarrierService, shipment: Shipment, address: Address) -> tuple[str, str] | None:
    """Error type and sentence when the service does not take the shipment."""
    where = zone(shipment.origin, address.country)
    if days(service, where) is None:
        return "not_served", f"{service.name} does not go from {shipment.origin} to {address.country}; see get_rates."
    if shipment.weight > service.max_weight * 1000:
        return "too_heavy", f"{service.name} takes {service.max_weight} kg at most; choose a freight service."
    if shipment.contains_lithium and not service.takes_lithium:
        return "lithium_refused", f"{service.name} does not take lithium batteries; see get_rates for others."
    return None


def working_days_after(date: str, many: int) -> str:
    """The date so many working days later."""
    while many > 0:
        date = plus_days(date, 1)
        many -= not is_weekend(date)
    return date


class Desk:
    """Statuses and balances, from events and labels read once."""

    def __init__(self, state: ShippingState) -> None:
        self.state = state
        self.last = {row.shipment_id: row for row in sorted(state.events, key=lambda row: (row.happened_at, row.id))}

    def status(self, shipment: Shipment) -> str:
        """draft, ready, manifested, voided, or what the latest scan of the carrier says."""
        if shipment.voided_on:
            return "voided"
        if shipment.bought_on is None:
            return "draft"
        scan = self.last.get(shipment.id)
        if scan is None:
            return "ready" if shipment.manifest_id is None else "manifested"
        return scan.code if scan.code in ("exception", "delivered") else "in_transit"

    def row(self, shipment: Shipment) -> Json:
        """A shipment as lists show it."""
        address = self.state.addresses.get(shipment.address_id)
        service = None if shipment.service_id is None else self.state.services.get(shipment.service_id)
        carrier = None if service is None else self.state.carriers.get(service.carrier_id)
        return with_fields(
            shipment,
            status=self.status(shipment),
            recipient=address.contact_name,
            company=address.company,
            destination=f"{address.street}, {address.city}, {address.country}",
            carrier_name=None if carrier is None else carrier.name,
            service_name=None if service is None else service.name,
        )

    def balance(self, carrier_id: str) -> float:
        """Deposits less labels that are not voided, less adjustments that stand."""
        services = {row.id for row in self.state.services.find(carrier_id=carrier_id)}
        labels = {row.id: row.price for row in self.state.shipments if row.service_id in services and not row.voided_on}
        extra = total(
            row.amount for row in self.state.adjustments if row.shipment_id in labels and row.status != "reversed"
        )
        paid = total(row.amount for row in self.state.deposits.find(carrier_id=carrier_id))
        return round(paid - total(labels.values()) - extra, 2)


def draft(state: ShippingState, shipment_id: str) -> Shipment:
    """The shipment; 409 `not_draft` once it has a label."""
    shipment = state.shipments.get(shipment_id)
    if shipment.bought_on is not None:
        raise conflict(f"{shipment.number} has a label; void it and make a new one.", type="not_draft")
    return shipment
