"""Stock as it follows from movements: on hand, blocked, reserved, available; and the booking of movements."""

from __future__ import annotations

from collections import Counter

from services_app.engine import conflict
from services_app.library.cast import ME
from services_app.library.inventory.state import InventoryState, Item, Lot, Movement, ReorderRule
from services_app.library.shared import Json

Place = tuple[str, str]  # item, location


class Stock:
    """Quantities by item and location, summed once."""

    def __init__(self, state: InventoryState) -> None:
        self.state = state
        self.on_hand: Counter[Place] = Counter()
        self.by_lot: Counter[tuple[str, str]] = Counter()  # lot, location
        for row in state.movements:
            self.on_hand[row.item_id, row.location_id] += row.quantity
            if row.lot_id is not None:
                self.by_lot[row.lot_id, row.location_id] += row.quantity
        self.blocked: Counter[Place] = Counter()
        stopped = {row.id: row.item_id for row in state.lots if row.status == "blocked"}
        for (lot_id, location_id), quantity in self.by_lot.items():
            if lot_id in stopped:
                self.blocked[stopped[lot_id], location_id] += quantity
        self.reserved: Counter[Place] = Counter()
        for reservation in state.reservations.find(status="active"):
            self.reserved[reservation.item_id, reservation.location_id] += reservation.quantity
        self.coming: Counter[Place] = Counter()
        targets = {row.id: row.to_location_id for row in state.transfers if row.status == "in_transit"}
        for line in state.transfer_lines:
            if line.transfer_id in targets:
                self.coming[line.item_id, targets[line.transfer_id]] += line.quantity - line.received

    def available(self, place: Place) -> int:
        """Units that may leave: neither blocked nor promised."""
        return self.on_hand[place] - self.blocked[place] - self.reserved[place]

    def level(self, item: Item, location_id: str, rule: ReorderRule | None = None) -> Json:
        """The quantities of an item at a location."""
        place = (item.id, location_id)
        free = self.available(place)
        return {
            "item_id": item.id,
            "sku": item.sku,
            "name": item.name,
            "location_id": location_id,
            "location": self.state.locations.get(location_id).name,
            "on_hand": self.on_hand[place],
            "blocked": self.blocked[place],
            "reserved": self.reserved[place],
            "available": free,
            "in_transit_here": self.coming[place],
            "reorder_point": rule.reorder_point if rule else None,
            "below_reorder_point": rule is not None and free + self.coming[place] <= rule.reorder_point,
            "value": round(self.on_hand[place] * item.unit_cost, 2),
        }

    def lots_first_out(self, item_id: str, location_id: str) -> list[tuple[Lot, int]]:
        """Released lots of an item at a location with their units, the earliest last day first."""
        found = [(lot, self.by_lot[lot.id, location_id]) for lot in self.state.lots.find(item_id=item_id)]
        usable = [(lot, units) for lot, units in found if units > 0 and lot.status == "released"]
        return sorted(usable, key=lambda pair: (pair[0].expires_on, pair[0].id))


def not_counted(state: InventoryState, item_id: str, location_id: str) -> None:
    """409 `being_counted` while an open count holds the item at the location."""
    for count in state.counts.find(location_id=location_id, status="open"):
        if state.count_lines.first(count_id=count.id, item_id=item_id):
            raise conflict(f"Count {count.number} holds this item; finish or cancel it first.", type="being_counted")


def take(state: InventoryState, item: Item, location_id: str, quantity: int, **terms: object) -> list[Movement]:
    """Book units out, from the lots that end first; the caller has checked that enough are there."""
    if not item.lot_tracked:
        return [_book(state, item.id, location_id, None, -quantity, **terms)]
    found = []
    for lot, units in Stock(state).lots_first_out(item.id, location_id):
        part = min(units, quantity)
        if part:
            found.append(_book(state, item.id, location_id, lot.id, -part, **terms))
        quantity -= part
    return found


def put(
    state: InventoryState, item_id: str, location_id: str, lot_id: str | None, quantity: int, **terms: object
) -> Movement:
    """Book units in."""
    return _book(state, item_id, location_id, lot_id, quantity, **terms)


def _book(
    state: InventoryState, item_id: str, location_id: str, lot_id: str | None, quantity: int, **terms: object
) -> Movement:
    return state.movements.create(
        item_id=item_id,
        location_id=location_id,
        lot_id=lot_id,
        quantity=quantity,
        **{"author_email": ME.email, **terms},
    )


def enough(state: InventoryState, item: Item, location_id: str, quantity: int) -> None:
    """409 `insufficient_stock` when fewer units are available."""
    free = Stock(state).available((item.id, location_id))
    if quantity > free:
        raise conflict(
            f"{max(0, free)} of {item.sku} are available there; send fewer or transfer some in.",
            type="insufficient_stock",
        )
