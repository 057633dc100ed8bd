"""What follows from orders, lines, fulfillments and returns: totals, open quantities, stock that is promised."""

from __future__ import annotations

from collections import Counter

from services_app.engine import conflict, invalid
from services_app.library.orders.state import Order, OrdersState, Product
from services_app.library.shared import Json, same, total

DISCOUNT_WITHOUT_APPROVAL = 10.0
AMOUNT_WITHOUT_APPROVAL = 20_000.0


class Ledger:
    """Quantities by line and amounts by order, sorted once for many orders."""

    def __init__(self, state: OrdersState) -> None:
        self.state = state
        self.products = {row.id: row for row in state.products}
        self.customers = {row.id: row for row in state.customers}
        self.lines: dict[str, list[str]] = {}
        for line in state.lines:
            self.lines.setdefault(line.order_id, []).append(line.id)
        kinds = {row.id: row.status for row in state.fulfillments}
        self.shipped: Counter[str] = Counter()
        self.delivered: Counter[str] = Counter()
        for parcel in state.parcels:
            if kinds[parcel.fulfillment_id] != "cancelled":
                self.shipped[parcel.line_id] += parcel.quantity
            if kinds[parcel.fulfillment_id] == "delivered":
                self.delivered[parcel.line_id] += parcel.quantity
        self.returning: Counter[str] = Counter()
        for row in state.returns:
            if row.status != "declined":
                self.returning[row.line_id] += row.quantity

    def open_quantity(self, line_id: str) -> int:
        return self.state.lines.get(line_id).quantity - self.shipped[line_id]

    def reserved(self, product_id: str) -> int:
        """Units promised to placed orders and not shipped yet."""
        live = {row.id for row in self.state.orders if row.status in ("open", "on_hold")}
        rows = self.state.lines.find(product_id=product_id)
        return sum(self.open_quantity(row.id) for row in rows if row.order_id in live)

    def fulfillment_status(self, order: Order) -> str:
        ids = self.lines.get(order.id, [])
        shipped = sum(self.shipped[line_id] for line_id in ids)
        if not shipped:
            return "unfulfilled"
        return "partially_fulfilled" if any(self.open_quantity(line_id) for line_id in ids) else "fulfilled"

    def amounts(self, order: Order) -> Json:
        """Subtotal, discount, shipping, tax and total of an order, to the cent."""
        rows = [self.state.lines.get(line_id) for line_id in self.lines.get(order.id, ())]
        subtotal = total(row.quantity * row.unit_price for row in rows)
        discount = round(subtotal * order.discount_percent / 100, 2)
        net = total((subtotal, -discount, order.shipping_fee))
        tax = round(net * order.tax_rate / 100, 2)
        refunded = total(row.amount for row in self.state.refunds.find(order_id=order.id))
        return {
            "subtotal": subtotal,
            "discount": discount,
            "shipping": order.shipping_fee,
            "tax": tax,
            "total": total((net, tax)),
            "refunded": refunded,
        }

    def needs_approval(self, order: Order) -> bool:
        too_much = self.amounts(order)["total"] > AMOUNT_WITHOUT_APPROVAL
        return order.approver_id is None and (too_much or order.discount_percent > DISCOUNT_WITHOUT_APPROVAL)

    def described(self, order: Order) -> Json:
        """An order as lists show it: fields, customer name, state of fulfilment and amounts."""
        return {
            **order.plain(),
            "customer_name": self.customers[order.customer_id].name,
            "fulfillment_status": self.fulfillment_status(order),
            **self.amounts(order),
        }

    def described_lines(self, order: Order) -> list[Json]:
        found = []
        for line_id in self.lines.get(order.id, ()):
            line = self.state.lines.get(line_id)
            product = self.products[line.product_id]
            found.append(
                {
                    **line.plain(),
                    "sku": product.sku,
                    "product_name": product.name,
                    "fulfilled_quantity": self.shipped[line_id],
                    "returning_quantity": self.returning[line_id],
                    "amount": round(line.quantity * line.unit_price, 2),
                }
            )
        return found


def described(state: OrdersState, order: Order) -> Json:
    """An order with its lines, as writes answer."""
    ledger = Ledger(state)
    return {**ledger.described(order), "lines": ledger.described_lines(order)}


def stock(state: OrdersState, product: Product, ledger: Ledger | None = None) -> Json:
    """Units on hand, reserved and available; None where no stock is kept."""
    if product.on_hand is None:
        return {"on_hand": None, "reserved": None, "available": None}
    reserved = (ledger or Ledger(state)).reserved(product.id)
    return {"on_hand": product.on_hand, "reserved": reserved, "available": product.on_hand - reserved}


def by_sku(state: OrdersState, sku: str) -> Product:
    """The product that can be ordered under this code; 422 `unknown_sku`, 409 `discontinued`."""
    for product in state.products:
        if same(product.sku, sku):
            if product.discontinued:
                raise conflict(f"{product.sku} {product.name} is discontinued; choose another.", type="discontinued")
            return product
    raise invalid(f"There is no product {sku}; see list_products.", type="unknown_sku")


def editable(state: OrdersState, order_id: str) -> Order:
    """An order whose lines and terms can change; 409 `not_editable` once something has shipped or it is over."""
    order = state.orders.get(order_id)
    if order.status == "cancelled":
        raise conflict(f"Order {order.number} is cancelled; create a new one.", type="not_editable")
    if Ledger(state).fulfillment_status(order) != "unfulfilled":
        raise conflict(f"Order {order.number} has shipped in part; use a return or a new order.", type="not_editable")
    return order


def changed(state: OrdersState, order: Order) -> Order:
    """The order after a change of its amounts: an approval given before no longer counts."""
    return state.orders.patch(order.id, approver_id=None) if order.approver_id else order


def need_approval(state: OrdersState, order: Order) -> None:
    """409 `approval_needed` for a large order or discount that nobody has approved."""
    if Ledger(state).needs_approval(order):
        raise conflict(
            f"Order {order.number} is above {AMOUNT_WITHOUT_APPROVAL:,.2f} or has more than "
            f"{DISCOUNT_WITHOUT_APPROVAL:g} % off; get an approval and enter it with record_approval.",
            type="approval_needed",
        )
