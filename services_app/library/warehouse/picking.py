"""Tools for waves and pick tasks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from services_app.engine import CallContext, conflict, invalid
from services_app.engine import fields as f
from services_app.library.shared import (
    Cursor,
    Json,
    Limit,
    Query,
    check_date,
    cursor_page,
    keep,
    newest_first,
    next_number,
    search,
    with_fields,
)
from services_app.library.warehouse.floor import Floor
from services_app.library.warehouse.state import (
    Carrier,
    PickTask,
    TaskStatus,
    WarehouseState,
    Wave,
    WaveStatus,
    service,
)

WaveId = Annotated[str, f.ref("waves")]
TaskId = Annotated[str, f.ref("pick_tasks")]
WorkerId = Annotated[str, f.ref("workers")]
MOST_TASKS = 6
FORKLIFT_FROM = 3


def _wave(state: WarehouseState, wave: Wave) -> Json:
    """A wave with its orders and how far picking is."""
    orders = [row.number for row in state.orders.find(wave_id=wave.id)]
    tasks = state.pick_tasks.find(wave_id=wave.id)
    return with_fields(wave, orders=orders, tasks=len(tasks), tasks_open=sum(row.status == "open" for row in tasks))


@service.tool()
def list_waves(
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    status: WaveStatus | None = None,
    carrier: Carrier | None = None,
    limit: Limit = 15,
    cursor: Cursor = "",
) -> Json:
    """List waves with their orders and open tasks, newest first.

    Args:
        query: Words in the wave number or the numbers of its orders.
        status: Only waves in this status.
        carrier: Only waves for this carrier.
        limit: At most so many waves.
        cursor: next_cursor of the previous page.
    """
    rows = [_wave(state, row) for row in keep(state.waves, status=status, carrier=carrier)]
    rows = search(rows, query, lambda row: (row["number"], *row["orders"]))
    rows = newest_first(rows, "created_at")
    return cursor_page("waves", rows, limit, cursor)


@service.tool(phrase="plan a wave for {carrier} with what is due by {ship_by}")
def create_wave(
    state: WarehouseState,
    ctx: CallContext,
    carrier: Carrier,
    ship_by: f.Date,
    max_orders: Annotated[int, f.count("orders"), Field(ge=1, le=8)] = 8,
) -> Json:
    """Plan a wave of the waiting orders of a carrier that are due by a day, the most urgent first.

    The wave takes up to eight orders; release_wave makes its pick tasks.
    Errors: `invalid_date`, `nothing_waiting`.

    Args:
        carrier: Carrier that fetches the orders.
        ship_by: Only orders that are due on this day or earlier.
        max_orders: At most so many orders.
    """
    day = check_date(ship_by)
    waiting = [row for row in state.orders.find(carrier=carrier, status="open", wave_id=None) if row.ship_by <= day]
    if not waiting:
        raise conflict(f"No order for {carrier} waits that is due by {day}.", type="nothing_waiting")
    number = next_number((row.number for row in state.waves), "W-", first=401)
    wave = state.waves.create(number=number, carrier=carrier, status="planned", created_at=ctx.now)
    for order in sorted(waiting, key=lambda row: (row.ship_by, row.id))[:max_orders]:
        state.orders.patch(order.id, wave_id=wave.id)
    return _wave(state, wave)


@service.tool(phrase="release the wave {wave_id}")
def release_wave(state: WarehouseState, ctx: CallContext, wave_id: WaveId) -> Json:
    """Allocate the goods of a planned wave, the oldest plates first, and make its pick tasks.

    Errors: `not_found`, `not_planned`, `wave_empty`, `insufficient_stock` (a SKU is short; nothing is allocated).

    Args:
        wave_id: Id of the wave.
    """
    wave = state.waves.get(wave_id)
    if wave.status != "planned":
        raise conflict(f"{wave.number} is {wave.status} already.", type="not_planned")
    orders = state.orders.find(wave_id=wave_id)
    if not orders:
        raise conflict(f"{wave.number} has no orders any more; plan a new wave.", type="wave_empty")
    for order in sorted(orders, key=lambda row: (row.ship_by, row.id)):
        for line in state.order_lines.find(order_id=order.id):
            allocate(state, wave_id, line.id)
    return _wave(state, state.waves.patch(wave_id, status="released", released_at=ctx.now))


def allocate(state: WarehouseState, wave_id: str, line_id: str) -> None:
    """Make the pick tasks of an order line; 409 `insufficient_stock` when not enough is available."""
    line, floor = state.order_lines.get(line_id), Floor(state)
    rest = line.quantity
    for plate in sorted(state.plates.find(sku_id=line.sku_id), key=lambda row: (row.received_on, row.id)):
        part = min(rest, floor.free(plate))
        if part > 0:
            state.pick_tasks.create(wave_id=wave_id, order_line_id=line_id, plate_id=plate.id, quantity=part)
            rest -= part
    if rest:
        sku = state.skus.get(line.sku_id).sku
        raise conflict(
            f"{rest} of {sku} are missing; hold the order or put stock away first.", type="insufficient_stock"
        )


def _task(state: WarehouseState, task: PickTask) -> Json:
    plate = state.plates.get(task.plate_id)
    place = state.locations.get(plate.location_id)
    worker = None if task.worker_id is None else state.workers.get(task.worker_id)
    return with_fields(
        task,
        wave_number=state.waves.get(task.wave_id).number,
        order_number=state.orders.get(state.order_lines.get(task.order_line_id).order_id).number,
        sku=state.skus.get(plate.sku_id).sku,
        plate_number=plate.number,
        location_code=place.code,
        needs_forklift=place.level >= FORKLIFT_FROM,
        worker_name=None if worker is None else worker.name,
    )


@service.tool()
def list_pick_tasks(  # noqa: PLR0913, PLR0917 - one per filter
    state: WarehouseState,
    ctx: CallContext,
    query: Query | None = None,
    wave_id: WaveId | None = None,
    status: TaskStatus | None = None,
    worker_id: WorkerId | None = None,
    unassigned: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """List pick tasks in the order in which a round through the bins meets them.

    Args:
        query: Words in the wave, order, SKU, plate, bin code, worker's name or remark.
        wave_id: Only tasks of this wave.
        status: Only tasks in this status.
        worker_id: Only tasks of this worker.
        unassigned: Only tasks without a worker, or only tasks with one.
        limit: At most so many tasks.
        cursor: next_cursor of the previous page.
    """
    found = keep(state.pick_tasks, wave_id=wave_id, status=status, worker_id=worker_id)
    rows = [_task(state, row) for row in found if unassigned in (None, row.worker_id is None)]
    names = ("wave_number", "order_number", "sku", "plate_number", "location_code", "remark")
    rows = search(rows, query, lambda row: [row["worker_name"] or "", *(row[name] for name in names)])
    rows.sort(key=lambda row: (row["location_code"], row["id"]))
    return cursor_page("pick_tasks", rows, limit, cursor)


@service.tool()
def list_workers(
    state: WarehouseState, ctx: CallContext, query: Query | None = None, forklift: bool | None = None
) -> Json:
    """List the people of the warehouse with their shift, forklift licence and open pick tasks.

    Args:
        query: Words in the name or address.
        forklift: Only people with a forklift licence, or only people without one.
    """
    found = keep(search(state.workers, query, lambda row: (row.name, row.email)), forklift=forklift)
    rows = [with_fields(row, open_tasks=state.pick_tasks.count(worker_id=row.id, status="open")) for row in found]
    return {"workers": rows, "total": len(rows)}


@service.tool(phrase="give the pick task {task_id} to {worker_id}")
def assign_pick_task(state: WarehouseState, ctx: CallContext, task_id: TaskId, worker_id: WorkerId) -> Json:
    """Give an open pick task to a worker; from level 3 on only to one with a forklift licence.

    Errors: `not_found`, `not_open`, `no_change`, `no_forklift_licence`, `worker_full` (six open tasks).

    Args:
        task_id: Id of the pick task.
        worker_id: Id of the worker.
    """
    task, worker = _open(state, task_id), state.workers.get(worker_id)
    if task.worker_id == worker_id:
        raise conflict(f"{worker.name} has this task already.", type="no_change")
    if _task(state, task)["needs_forklift"] and not worker.forklift:
        raise conflict(f"{worker.name} has no forklift licence; choose somebody who has.", type="no_forklift_licence")
    if state.pick_tasks.count(worker_id=worker_id, status="open") >= MOST_TASKS:
        raise conflict(f"{worker.name} has {MOST_TASKS} open tasks; choose somebody else.", type="worker_full")
    return _task(state, state.pick_tasks.patch(task_id, worker_id=worker_id))


def _open(state: WarehouseState, task_id: str) -> PickTask:
    task = state.pick_tasks.get(task_id)
    if task.status != "open":
        raise conflict(f"Pick task {task.id} is {task.status} already.", type="not_open")
    return task


@service.tool(phrase="confirm {quantity} picked units of the task {task_id}")
def confirm_pick(
    state: WarehouseState,
    ctx: CallContext,
    task_id: TaskId,
    quantity: Annotated[int, f.count("units"), Field(ge=0, le=20_000)],
    remark: Annotated[str, f.Semantic("text"), Field(max_length=500)] = "",
) -> Json:
    """Confirm what was picked for an assigned task; the units leave the plate. Less than asked is a short pick.

    Errors: `not_found`, `not_open`, `not_assigned`, `too_many`, `remark_needed` (a short pick says why).

    Args:
        task_id: Id of the pick task.
        quantity: Units that were picked.
        remark: What was wrong, for a short pick.
    """
    task = _open(state, task_id)
    if task.worker_id is None:
        raise conflict("Nobody has this task; use assign_pick_task first.", type="not_assigned")
    if quantity > task.quantity:
        raise invalid(f"The task is for {task.quantity} units; send no more.", type="too_many")
    short = quantity < task.quantity
    if short and not remark.strip():
        raise invalid("A short pick needs a remark; write what is wrong with the rest.", type="remark_needed")
    plate = state.plates.get(task.plate_id)
    state.plates.patch(plate.id, quantity=plate.quantity - quantity)
    status = "short" if short else "picked"
    return _task(state, state.pick_tasks.patch(task_id, picked=quantity, status=status, remark=remark))
