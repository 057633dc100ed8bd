"""What follows from plates, tasks and cartons: stock, loads of bins, progress of orders."""

from __future__ import annotations

from collections import defaultdict

from services_app.engine import conflict
from services_app.library.shared import Json, with_fields
from services_app.library.warehouse.state import Inbound, Location, Order, Plate, Sku, WarehouseState

SHELVES = ("pick_face", "reserve", "cold", "battery_cage")
STORES = {"ambient": ("pick_face", "reserve"), "cold": ("cold",), "battery": ("battery_cage",)}
"""Zones in which goods of a storage class may stand; receiving and quarantine take everything."""


class Floor:
    """The warehouse at one moment; made anew for every call."""

    def __init__(self, state: WarehouseState) -> None:
        self.state = state
        self.allocated: defaultdict[str, int] = defaultdict(int)
        self.picked: defaultdict[str, int] = defaultdict(int)
        self.promised: defaultdict[str, int] = defaultdict(int)
        for task in state.pick_tasks:
            if task.status == "open":
                self.allocated[task.plate_id] += task.quantity
                self.promised[task.order_line_id] += task.quantity
            self.picked[task.order_line_id] += task.picked
        self.packed: defaultdict[str, int] = defaultdict(int)
        for item in state.carton_items:
            self.packed[item.order_line_id] += item.quantity
        self.grams: defaultdict[str, int] = defaultdict(int)
        weights = {row.id: row.unit_weight for row in state.skus}
        for plate in state.plates:
            self.grams[plate.location_id] += plate.quantity * weights[plate.sku_id]

    def free(self, plate: Plate) -> int:
        """Units of a plate that can still be allocated: shelved, not on hold, not in a blocked bin."""
        place = self.state.locations.get(plate.location_id)
        if plate.on_hold or place.blocked or place.zone not in SHELVES:
            return 0
        return plate.quantity - self.allocated[plate.id]

    def plate(self, plate: Plate) -> Json:
        sku, place = self.state.skus.get(plate.sku_id), self.state.locations.get(plate.location_id)
        return with_fields(
            plate,
            sku=sku.sku,
            sku_name=sku.name,
            location_code=place.code,
            zone=place.zone,
            allocated=self.allocated[plate.id],
            available=self.free(plate),
        )

    def stock(self, sku: Sku) -> Json:
        """Units of a SKU in the house, on hold or blocked, promised and available."""
        plates = self.state.plates.find(sku_id=sku.id)
        return {
            "on_hand": sum(row.quantity for row in plates),
            "allocated": sum(self.allocated[row.id] for row in plates),
            "available": sum(self.free(row) for row in plates),
        }

    def location(self, place: Location) -> Json:
        grams = self.grams[place.id]
        return with_fields(
            place,
            plates=[row.number for row in self.state.plates.find(location_id=place.id) if row.quantity],
            load_kg=round(grams / 1000, 1),
            free_kg=round(place.max_weight - grams / 1000, 1),
        )

    def refusal(self, plate: Plate, place: Location) -> tuple[str, str] | None:
        """Error type and sentence when the plate may not stand in this bin."""
        sku = self.state.skus.get(plate.sku_id)
        if place.blocked:
            return "location_blocked", f"Bin {place.code} is blocked: {place.block_reason} Choose another one."
        if plate.on_hold and place.zone in SHELVES:
            return "plate_on_hold", f"{plate.number} is on hold: {plate.hold_reason} Only quarantine takes it."
        if place.zone in SHELVES and place.zone not in STORES[sku.storage_class]:
            zones = " or ".join(STORES[sku.storage_class])
            return "wrong_zone", f"{sku.sku} is {sku.storage_class} goods and belongs into {zones}."
        if self.grams[place.id] + plate.quantity * sku.unit_weight > place.max_weight * 1000:
            return "over_weight", f"Bin {place.code} takes {place.max_weight} kg; use suggest_putaway."
        return None

    def stage(self, order: Order) -> str:
        """How far an order is: waiting, in_wave, picking, picked, packed; else its status."""
        if order.status != "open":
            return order.status
        if order.wave_id is None:
            return "waiting"
        if self.state.waves.get(order.wave_id).status == "planned":
            return "in_wave"
        lines = [row.id for row in self.state.order_lines.find(order_id=order.id)]
        if any(self.promised[line] for line in lines):
            return "picking"
        return "packed" if all(self.packed[line] == self.picked[line] for line in lines) else "picked"

    def order(self, order: Order) -> Json:
        """An order with its stage and its lines with what is picked and packed."""
        lines = []
        for row in self.state.order_lines.find(order_id=order.id):
            sku = self.state.skus.get(row.sku_id)
            more = {"to_pick": self.promised[row.id], "picked": self.picked[row.id], "packed": self.packed[row.id]}
            lines.append(with_fields(row, sku=sku.sku, sku_name=sku.name, **more))
        return with_fields(order, stage=self.stage(order), units=sum(row["quantity"] for row in lines), lines=lines)


def inbound(state: WarehouseState, shipment: Inbound) -> Json:
    """An inbound shipment with its lines: expected, received, damaged and still missing."""
    lines = []
    for row in state.inbound_lines.find(inbound_id=shipment.id):
        sku, receipts = state.skus.get(row.sku_id), state.receipts.find(inbound_line_id=row.id)
        received = sum(receipt.quantity for receipt in receipts)
        damaged = sum(receipt.damaged for receipt in receipts)
        more = {"received": received, "damaged": damaged, "missing": max(0, row.expected - received)}
        lines.append(with_fields(row, sku=sku.sku, sku_name=sku.name, **more))
    return with_fields(shipment, lines=lines, units_missing=sum(row["missing"] for row in lines))


def open_order(state: WarehouseState, order_id: str) -> Order:
    """The order; 409 `order_not_open` when it is on hold, cancelled or shipped."""
    order = state.orders.get(order_id)
    if order.status != "open":
        raise conflict(f"Order {order.number} is {order.status}, not open.", type="order_not_open")
    return order
