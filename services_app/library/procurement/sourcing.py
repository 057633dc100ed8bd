"""Tools for suppliers, the catalog, budgets and purchasing policies."""

from __future__ import annotations

from typing import Annotated, Literal

from services_app.engine import CallContext, conflict
from services_app.engine import fields as f
from services_app.library.procurement.figures import Books
from services_app.library.procurement.state import Policy, ProcurementState, SupplierStatus, service
from services_app.library.shared import (
    LABEL,
    Amount,
    Body,
    Cursor,
    Json,
    Limit,
    Query,
    brief,
    check_text,
    cursor_page,
    guide_pages,
    keep,
    search,
    total,
    with_fields,
)

SupplierId = Annotated[str, f.ref("suppliers")]
CatalogSort = Annotated[Literal["name", "price_asc", "price_desc", "lead_days"], LABEL]


@service.tool()
def search_suppliers(
    state: ProcurementState,
    ctx: CallContext,
    query: Query | None = None,
    status: SupplierStatus | None = None,
    preferred: bool | None = None,
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find suppliers by name, category, contact or address.

    Args:
        query: Words in the name, category, contact, address or remark.
        status: Only suppliers with this status.
        preferred: Only preferred suppliers, or only the others.
        limit: At most so many suppliers.
        cursor: next_cursor of the previous page.
    """
    found = search(
        state.suppliers,
        query,
        lambda row: (row.name, row.category, row.contact_name, row.email, row.address, row.remark),
    )
    found = sorted(keep(found, status=status, preferred=preferred), key=lambda row: (row.name, row.id))
    return cursor_page("suppliers", found, limit, cursor)


@service.tool()
def get_supplier(state: ProcurementState, ctx: CallContext, supplier_id: SupplierId) -> Json:
    """Show a supplier with open orders, what was ordered and invoiced, late deliveries, and disputed invoices.

    Errors: `not_found`.

    Args:
        supplier_id: Id of the supplier.
    """
    supplier, books = state.suppliers.get(supplier_id), Books(state)
    orders = [row for row in state.purchase_orders.find(supplier_id=supplier_id) if row.status == "issued"]
    undelivered = [row for row in orders if books.delivery(row) != "received"]
    return with_fields(
        supplier,
        orders=len(orders),
        ordered_value=total(books.order_total(row.id) for row in orders),
        invoiced_value=total(books.invoiced(row.id) for row in orders),
        open_orders=[row.number for row in undelivered],
        late_orders=[row.number for row in undelivered if row.expected_on < ctx.today],
        disputed_invoices=sum(bill.status == "disputed" for row in orders for bill in books.invoices(row.id)),
        catalog_items=state.catalog_items.count(supplier_id=supplier_id, discontinued=False),
    )


@service.tool(phrase="set the supplier {supplier_id} to {status} because {reason}")
def set_supplier_status(
    state: ProcurementState, ctx: CallContext, supplier_id: SupplierId, status: SupplierStatus, reason: Body
) -> Json:
    """Put a supplier on hold, make it inactive, or approve it again; the reason is its new remark.

    Suppliers with undelivered orders cannot become inactive.
    Errors: `not_found`, `no_change`, `open_orders`, `blank_text`.

    Args:
        supplier_id: Id of the supplier.
        status: New status.
        reason: Why.
    """
    supplier, books = state.suppliers.get(supplier_id), Books(state)
    if supplier.status == status:
        raise conflict(f"{supplier.name} is {status} already.", type="no_change")
    orders = state.purchase_orders.find(supplier_id=supplier_id, status="issued")
    undelivered = [row.number for row in orders if books.delivery(row) != "received"]
    if status == "inactive" and undelivered:
        raise conflict(f"Receive or cancel {', '.join(undelivered[:5])} first.", type="open_orders")
    changed = state.suppliers.patch(supplier_id, status=status, remark=check_text(reason, "reason"))
    return with_fields(changed, open_orders=undelivered)


@service.tool()
def search_catalog(  # noqa: PLR0913, PLR0917 - one per filter
    state: ProcurementState,
    ctx: CallContext,
    query: Query | None = None,
    supplier_id: SupplierId | None = None,
    max_price: Amount | None = None,
    orderable_only: bool = True,
    sort: CatalogSort = "name",
    limit: Limit = 25,
    cursor: Cursor = "",
) -> Json:
    """Find catalog items by name, sku or supplier, with price, lead time and whether they can be ordered.

    Args:
        query: Words in the name, sku or supplier name.
        supplier_id: Only items of this supplier.
        max_price: Only items up to this price of a unit.
        orderable_only: false also shows discontinued items and those of suppliers that are not approved.
        sort: By name, by price, or shortest lead time first.
        limit: At most so many items.
        cursor: next_cursor of the previous page.
    """
    suppliers = {row.id: row for row in state.suppliers}
    found = search(state.catalog_items, query, lambda row: (row.name, row.sku, suppliers[row.supplier_id].name))
    rows = [
        with_fields(
            row,
            supplier_name=suppliers[row.supplier_id].name,
            orderable=not row.discontinued and suppliers[row.supplier_id].status == "approved",
        )
        for row in sorted(keep(found, supplier_id=supplier_id), key=lambda row: (row.name, row.id))
        if max_price is None or row.price <= max_price
    ]
    rows = [row for row in rows if row["orderable"] or not orderable_only]
    if sort != "name":
        rows.sort(key=lambda row: row["lead_days" if sort == "lead_days" else "price"], reverse=sort == "price_desc")
    return cursor_page("items", rows, limit, cursor)


@service.tool()
def list_budgets(state: ProcurementState, ctx: CallContext, query: Query | None = None) -> Json:
    """List budgets of the year with what is spent, committed by orders, requested, and left.

    Args:
        query: Words in the name, code or address of the owner.
    """
    books = Books(state)
    found = search(state.budgets, query, lambda row: (row.name, row.code, row.owner_email))
    rows = [books.budget_json(row.id) for row in found]
    return {"budgets": rows, "total": len(rows), "left_in_all": total(row["left"] for row in rows)}


@service.tool()
def search_policies(
    state: ProcurementState, ctx: CallContext, query: Query | None = None, include_superseded: bool = False
) -> Json:
    """Find purchasing policies by words in title or text, newest first; get_policy has the full text.

    Args:
        query: Words that must all occur.
        include_superseded: true shows versions that no longer count.
    """
    found = guide_pages(state.policies, query, superseded=None if include_superseded else False)
    return {"policies": [brief(row, "id", "title", "valid_from", "superseded") for row in found], "total": len(found)}


@service.tool()
def get_policy(state: ProcurementState, ctx: CallContext, policy_id: Annotated[str, f.ref("policies")]) -> Policy:
    """Read a purchasing policy.

    Errors: `not_found`.

    Args:
        policy_id: Id of the policy.
    """
    return state.policies.get(policy_id)
