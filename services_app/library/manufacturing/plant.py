"""What follows from moves, orders and operations: stock, shortages, loads, output and cost."""

from __future__ import annotations

from collections import Counter

from services_app.engine import conflict
from services_app.library.manufacturing.state import Item, ManufacturingState, Operation, Order, WorkCenter
from services_app.library.shared import Json, total, with_fields


class Plant:
    """The plant at one moment; made anew for every call."""

    def __init__(self, state: ManufacturingState) -> None:
        self.state = state
        self.on_hand: Counter[str] = Counter()
        self.by_lot: Counter[tuple[str, str]] = Counter()  # item, lot number
        for move in state.moves:
            self.on_hand[move.item_id] += move.quantity
            self.by_lot[move.item_id, move.lot_number] += move.quantity
        self.allocated: Counter[str] = Counter()
        self.planned: Counter[str] = Counter()
        for order in state.orders:
            if order.status in ("released", "planned"):
                into = self.allocated if order.status == "released" else self.planned
                for line in state.bom_lines.find(product_id=order.product_id):
                    into[line.material_id] += line.quantity_per * order.quantity

    def available(self, item_id: str) -> int:
        return self.on_hand[item_id] - self.allocated[item_id]

    def item(self, item: Item) -> Json:
        return with_fields(
            item,
            on_hand=self.on_hand[item.id],
            allocated=self.allocated[item.id],
            available=self.available(item.id),
            planned_demand=self.planned[item.id],
        )

    def needs(self, product_id: str, quantity: int) -> list[Json]:
        """Materials of a product for so many units, with what is available and what is short."""
        rows = []
        for line in self.state.bom_lines.find(product_id=product_id):
            material = self.state.items.get(line.material_id)
            needed, free = line.quantity_per * quantity, self.available(material.id)
            rows.append(
                {
                    "bom_line_id": line.id,
                    "material_id": material.id,
                    "sku": material.sku,
                    "name": material.name,
                    "quantity_per": line.quantity_per,
                    "needed": needed,
                    "available": free,
                    "short": max(0, needed - free),
                    "cost": round(needed * material.unit_cost, 2),
                }
            )
        return rows

    def lots_first_in(self, item_id: str) -> list[tuple[str, int]]:
        """Lots of an item with what is left of each, the first received first."""
        lots = dict.fromkeys(row.lot_number for row in self.state.moves.find(item_id=item_id))
        return [(lot, self.by_lot[item_id, lot]) for lot in lots if self.by_lot[item_id, lot] > 0]


def operations(state: ManufacturingState, order_id: str) -> list[Operation]:
    """Operations of an order in their sequence."""
    rows = state.operations.find(order_id=order_id)
    return sorted(rows, key=lambda row: state.routing_steps.get(row.step_id).sequence)


def incoming(state: ManufacturingState, operation: Operation) -> int:
    """Units that come to an operation: the good ones of the one before, or the order's quantity."""
    units = state.orders.get(operation.order_id).quantity
    for row in operations(state, operation.order_id):
        if row.id == operation.id:
            break
        units = row.good
    return units


def operation_row(state: ManufacturingState, row: Operation) -> Json:
    order, step = state.orders.get(row.order_id), state.routing_steps.get(row.step_id)
    units = row.good + row.scrapped if row.status == "done" else incoming(state, row)
    return with_fields(
        row,
        order_number=order.number,
        product=state.items.get(order.product_id).name,
        name=step.name,
        sequence=step.sequence,
        work_center=state.work_centers.get(step.work_center_id).name,
        operator=None if row.operator_id is None else state.operators.get(row.operator_id).name,
        units=units,
        planned_minutes=step.setup_minutes + step.minutes_per_unit * units,
    )


def output(state: ManufacturingState, order: Order) -> int:
    """Units that can be taken into stock: the good ones of the last operation, less what quality scrapped."""
    last = operations(state, order.id)[-1]
    return last.good - sum(row.units for row in state.nonconformances.find(order_id=order.id, disposition="scrap"))


def cost(state: ManufacturingState, order: Order) -> Json:
    """Cost so far: materials that were issued and the time of operations that are done."""
    unit = {row.id: row.unit_cost for row in state.items}
    used = total(
        -row.quantity * unit[row.item_id] for row in state.moves.find(order_id=order.id) if row.kind == "issue"
    )
    work = 0.0
    for row in operations(state, order.id):
        if row.status == "done":
            center = state.work_centers.get(state.routing_steps.get(row.step_id).work_center_id)
            work += operation_row(state, row)["planned_minutes"] / 60 * center.hourly_rate
    return {"materials": used, "work": round(work, 2), "total": round(used + work, 2)}


def order_row(state: ManufacturingState, order: Order) -> Json:
    """An order as lists show it."""
    product = state.items.get(order.product_id)
    rows = operations(state, order.id)
    current = next((row for row in rows if row.status != "done"), None)
    return with_fields(
        order,
        sku=product.sku,
        product=product.name,
        operations_done=sum(row.status == "done" for row in rows),
        operations_total=len(rows),
        next_operation=None if current is None else state.routing_steps.get(current.step_id).name,
        open_nonconformances=state.nonconformances.count(order_id=order.id, disposition="open"),
    )


def center_row(state: ManufacturingState, center: WorkCenter, last_day: str) -> Json:
    """A work centre with the minutes it still has to work for released and started orders due by a day."""
    steps = {row.id for row in state.routing_steps.find(work_center_id=center.id)}
    minutes, running = 0, None
    for row in state.operations:
        order = state.orders.get(row.order_id)
        if row.step_id not in steps or order.status not in ("released", "in_progress"):
            continue
        if row.status == "running":
            running = order.number
        if row.status != "done" and order.due_on <= last_day:
            minutes += operation_row(state, row)["planned_minutes"]
    return with_fields(center, running_order=running, load_hours=round(minutes / 60, 1))


def in_status(state: ManufacturingState, order_id: str, *wanted: str) -> Order:
    """The order; 409 `wrong_status` when it is in another status."""
    order = state.orders.get(order_id)
    if order.status not in wanted:
        raise conflict(f"{order.number} is {order.status}, not {' or '.join(wanted)}.", type="wrong_status")
    return order
