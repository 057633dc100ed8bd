"""What is written in the seeded order management."""

from __future__ import annotations

from services_app.library.shared import prose

POLICIES = (
    (
        "Approvals",
        prose("""Discounts above 10 % and orders above 20,000.00 including tax need an approval before
    they are placed. Ask the approver with the lowest limits that suffice. An approval is worth nothing once lines,
    quantities or the discount change: ask again."""),
    ),
    (
        "Holds",
        prose("""Hold an order for payment when the customer owes more than 60 days, for address when
    the carrier returns a parcel, for stock when the first delivery is later than the requested date. Whoever
    releases a hold writes down who agreed to it."""),
    ),
    (
        "Returns and restocking",
        prose("""Goods come back within 30 days of delivery. Sealed units are refunded in full, opened
    ones less 15 %, unless the fault is ours. Subscriptions and services are never returned. Platinum customers may
    return opened units without deduction only with the written consent of the sales manager."""),
    ),
    (
        "Returns (until last year)",
        prose("""Superseded. Goods could come back within 60 days and the restocking fee was 20 %. Kept
    for orders placed before the change."""),
    ),
    (
        "Goodwill",
        prose("""Goodwill refunds are limited to 10 % of the order total. For deliveries that are up to
    three days late offer free shipping on the next order, not money. From the fourth day 5 % of the subtotal is
    fair."""),
    ),
    (
        "Shipping",
        prose("""Orders with a subtotal below 500.00 pay 25.00 for shipping. Norfreight carries pallets
    and anything above 30 kg, Postwind everything else. Gateways never travel with Postwind. The Larkfield van serves
    the city of our own depots on Tuesdays."""),
    ),
    (
        "Partial deliveries",
        prose("""Ship what is in stock when the customer agreed to partial deliveries in the notes.
    Customers of the tier platinum always get partial deliveries at our cost; for all others ask first."""),
    ),
    (
        "Purchase order numbers",
        prose("""Orders of 1,000.00 and more need the customer’s PO number. One PO number stands on one
    live order only. A blanket PO is entered with a suffix: PO-12345/2."""),
    ),
)
NOTES = (
    "{contact} agreed to partial deliveries for {po}; the rest may follow until {end}.",
    "Call {contact} before delivery, the gate at {address} opens at 7:30.",
    "{contact} wants everything in one delivery, not before {start}.",
    "Part of {title}. {owner} looks after it; questions about {contract} go to {owner_email}.",
    "Delivery address is the depot, not the office: {address}. Confirmed by {contact}.",
    "Requested by phone: label every box with {po} and “{title}”.",
    "Carrier called: damaged pallet, photo with {owner_first}. Two units of {product} may come back.",
    "{contact} is on leave until {end}; write to purchasing@ instead.",
    "Superseded: the first offer of {seats} {unit}s was changed by mail from {contact_email}.",
    "Discount of 5 % promised by {owner_first} for the next order, not for this one.",
)
HOLD_NOTES = {
    "address": "On hold until {contact} confirms the new address in writing.",
    "payment": "Finance waits for the payment that {contact} promised for {end}.",
    "customer_request": "{company} asked us to wait with {title} until {start}.",
}
COMMENTS = {
    "damaged": "The box was crushed; the driver of {carrier} noted it. Photo from {contact}.",
    "wrong_item": "We ordered the smaller model for {title}; see {po}.",
    "not_needed": "No longer needed, the site in {city} was postponed until {end}.",
    "defective": "Does not start after charging over night; {contact} sent pictures.",
    "late": "Came after the date we agreed with {owner_first}; bought elsewhere meanwhile.",
}
DECLINES = ("The seal is broken and the reason is not ours.", "The serial numbers belong to another order.")
REFUND_REASONS = ("Late delivery of {po}", "Transport damage, {title}", "Goodwill agreed with {owner}")
TAGS = ("rush", "rollout", "trade-show", "first-order", "blanket-po", "export", "gift-wrap", "vip")
