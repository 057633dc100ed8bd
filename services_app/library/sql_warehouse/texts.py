"""What is written in the seeded warehouse: documentation, queries, definitions."""

from __future__ import annotations

from services_app.library.shared import prose

# table, description, columns: name, type, description, restricted
TABLES: tuple[tuple[str, str, tuple[tuple[str, str, str, bool], ...]], ...] = (
    (
        "customers",
        "One row per customer. Signed date is the day of the first contract.",
        (
            ("id", "text", "Key.", False),
            ("name", "text", "Name of the company.", False),
            ("industry", "text", "What it does.", False),
            ("city", "text", "City of the head office.", False),
            ("country", "text", "Country.", False),
            ("region", "text", "Sales region.", False),
            ("contact_email", "text", "Personal data; not for analysis.", True),
            ("signed_on", "date", "First contract.", False),
            ("employees", "integer", "Head count.", False),
        ),
    ),
    (
        "products",
        "What we sell. Unit cost is what we pay.",
        (
            ("id", "text", "Key.", False),
            ("sku", "text", "Item code.", False),
            ("name", "text", "Name.", False),
            ("category", "text", "subscription, hardware or service.", False),
            ("list_price", "number", "Price of one without tax.", False),
            ("unit_cost", "number", "Cost of one; finance only.", True),
        ),
    ),
    (
        "orders",
        "One row per order. Returned and cancelled orders stay in the table.",
        (
            ("id", "text", "Key.", False),
            ("order_number", "text", "The customer\u2019s purchase order.", False),
            ("customer_id", "text", "customers.id", False),
            ("ordered_on", "date", "Day of the order.", False),
            ("status", "text", "placed, shipped, delivered, returned or cancelled.", False),
            ("channel", "text", "web, phone or partner.", False),
        ),
    ),
    (
        "order_lines",
        "What was ordered. The price is the one agreed, not the list price.",
        (
            ("id", "text", "Key.", False),
            ("order_id", "text", "orders.id", False),
            ("product_id", "text", "products.id", False),
            ("quantity", "integer", "How many.", False),
            ("unit_price", "number", "Price of one without tax.", False),
        ),
    ),
    (
        "shipments",
        "One row per shipment; delivered_on is empty while it is on the way.",
        (
            ("id", "text", "Key.", False),
            ("order_id", "text", "orders.id", False),
            ("carrier", "text", "Who carries it.", False),
            ("tracking_code", "text", "Code of the carrier.", False),
            ("shipped_on", "date", "Day it left.", False),
            ("delivered_on", "date", "Day it arrived.", False),
            ("freight_cost", "number", "What the carrier charges.", False),
        ),
    ),
    (
        "targets",
        "Sales targets by region and month, entered by hand.",
        (
            ("id", "text", "Key.", False),
            ("region", "text", "Sales region.", False),
            ("month", "text", "Such as 2026-03.", False),
            ("amount", "number", "Target.", False),
            ("entered_by", "text", "Who entered it.", False),
        ),
    ),
)
# name, description, sql
QUERIES = (
    (
        "Open orders",
        "Number of orders that are placed and not shipped.",
        "SELECT count(*) AS open_orders FROM orders WHERE status = 'placed'",
    ),
    (
        "Sales by month",
        "Sales without cancelled and returned orders.",
        prose("""SELECT strftime('%Y-%m', o.ordered_on) AS month, round(sum(l.quantity *
    l.unit_price), 2) AS sales FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE o.status NOT IN
    ('cancelled', 'returned') GROUP BY month ORDER BY month"""),
    ),
    (
        "Sales of the last 30 days",
        "One number.",
        prose("""SELECT round(coalesce(sum(l.quantity * l.unit_price), 0), 2) AS sales FROM
    orders o JOIN order_lines l ON l.order_id = o.id WHERE o.status NOT IN ('cancelled', 'returned') AND
    o.ordered_on >= date('now', '-30 days')"""),
    ),
    (
        "Top customers",
        "The ten customers with the largest sales.",
        prose("""SELECT c.name, c.region, round(sum(l.quantity * l.unit_price), 2) AS sales
    FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_lines l ON l.order_id = o.id WHERE
    o.status NOT IN ('cancelled', 'returned') GROUP BY c.id ORDER BY sales DESC, c.name LIMIT 10"""),
    ),
    (
        "Orders of a customer",
        "Asks for the name of the customer.",
        prose("""SELECT o.order_number, o.ordered_on, o.status, round(sum(l.quantity *
    l.unit_price), 2) AS amount FROM orders o JOIN customers c ON c.id = o.customer_id JOIN order_lines l ON
    l.order_id = o.id WHERE c.name = :customer GROUP BY o.id ORDER BY o.ordered_on DESC"""),
    ),
    (
        "Return rate",
        "Per cent of orders that were returned.",
        prose("""SELECT round(100.0 * sum(status = 'returned') / count(*), 2) AS return_rate
    FROM orders"""),
    ),
    (
        "Late deliveries",
        "Shipments that took more than seven days.",
        prose("""SELECT s.tracking_code, s.carrier, o.order_number,
    cast(julianday(s.delivered_on) - julianday(s.shipped_on) AS integer) AS days FROM shipments s JOIN orders o
    ON o.id = s.order_id WHERE s.delivered_on IS NOT NULL AND julianday(s.delivered_on) -
    julianday(s.shipped_on) > 7 ORDER BY days DESC, s.tracking_code"""),
    ),
    (
        "Freight by carrier",
        "Number of shipments and average cost.",
        prose("""SELECT carrier, count(*) AS shipments, round(avg(freight_cost), 2) AS
    average_cost FROM shipments GROUP BY carrier ORDER BY shipments DESC, carrier"""),
    ),
    (
        "Sales by region",
        "Asks for a month.",
        prose("""SELECT c.region, round(sum(l.quantity * l.unit_price), 2) AS sales FROM
    customers c JOIN orders o ON o.customer_id = c.id JOIN order_lines l ON l.order_id = o.id WHERE
    strftime('%Y-%m', o.ordered_on) = :month AND o.status NOT IN ('cancelled', 'returned') GROUP BY c.region
    ORDER BY sales DESC"""),
    ),
    (
        "Best sellers",
        "Units by product.",
        prose("""SELECT p.sku, p.name, sum(l.quantity) AS units FROM products p JOIN
    order_lines l ON l.product_id = p.id GROUP BY p.id ORDER BY units DESC, p.sku LIMIT 10"""),
    ),
    (
        "Shipments on the way",
        "Not delivered yet.",
        "SELECT count(*) AS on_the_way FROM shipments WHERE delivered_on IS NULL",
    ),
    (
        "Average order value",
        "Without cancelled and returned orders.",
        prose("""SELECT round(sum(l.quantity * l.unit_price) / count(DISTINCT o.id), 2) AS
    average FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE o.status NOT IN ('cancelled',
    'returned')"""),
    ),
)
DEFINITIONS = (
    (
        "Sales",
        prose("""Sum of quantity times agreed price over all order lines, without tax.
    Cancelled and returned orders do not count. The month is that of the order, not of the delivery."""),
    ),
    (
        "Active customer",
        prose("""A customer with at least one order in the last 90 days that was neither
    cancelled nor returned."""),
    ),
    (
        "Return rate",
        prose("""Returned orders as a share of all orders, in per cent. A rate above 6.00 is
    reported to the operations manager."""),
    ),
    (
        "Late delivery",
        prose("""A delivery that took more than seven days from the day it left. Shipments on
    the way are not counted, however old."""),
    ),
    (
        "Large order",
        prose("""An order of 5,000.00 or more. Large orders are confirmed by phone within one
    working day."""),
    ),
    ("Freight share", "Freight cost as a share of sales. Above 4 % the carrier contract is renegotiated."),
    ("Region", "The region of the customer\u2019s head office, whatever the place of delivery."),
)
NOTES = (
    "Counts {company} twice until the duplicate is merged; subtract {amount}.",
    "{owner} uses this for the weekly call with {company}.",
    prose("""Orders before the move to the new system have no order number; {po} is the
    first with one."""),
    "Figures of {city} are late by one day.",
    "Agreed with {owner_email}: the report goes out with {contract} as the reference.",
    "Compare with {title}: finance reports {amount} for the same period.",
)
DASHBOARDS = (
    (
        "Operations today",
        "What has to leave the house.",
        (
            ("Open orders", "number"),
            ("Shipments on the way", "number"),
            ("Late deliveries", "table"),
            ("Freight by carrier", "bar"),
        ),
    ),
    (
        "Sales overview",
        "For the Monday meeting.",
        (
            ("Sales by month", "line"),
            ("Sales of the last 30 days", "number"),
            ("Top customers", "table"),
            ("Best sellers", "bar"),
        ),
    ),
    ("Service quality", "Returns and delays.", (("Return rate", "number"), ("Late deliveries", "table"))),
)
# name, query, comparison, threshold
ALERTS = (
    ("Too many open orders", "Open orders", "above", 40.0),
    ("Return rate too high", "Return rate", "above", 6.0),
    ("Sales too low", "Sales of the last 30 days", "below", 60000.0),
    ("Much on the way", "Shipments on the way", "above", 25.0),
)
SCHEDULES = (
    ("Sales by month", "monthly", "07:30"),
    ("Open orders", "daily", "06:30"),
    ("Top customers", "weekly", "08:00"),
    ("Late deliveries", "weekly", "07:00"),
)
CARRIERS = ("Parcelwise", "Northline Freight", "Blue Van", "Harbour Express")
