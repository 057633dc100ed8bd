"""What is written in the seeded inventory."""

from __future__ import annotations

from services_app.library.shared import prose

NOTES = (
    "{contact} of {company} takes the last {seats} for {title}; do not promise them elsewhere.",
    "New packing from {start} on: boxes of ten, not of twelve.",
    "Keep twenty for {company} until the {title} is accepted, agreed with {owner}.",
    "Two boxes for {po} stand on the wrong shelf, behind the chargers.",
    "Superseded: minimum stock of fifty. Since spring thirty are enough, says {owner_first}.",
    "Serial numbers of {po} are in the delivery note, not on the boxes.",
    "Returned by {company}: seal broken, check before it goes back on the shelf.",
    "{contact} asks for deliveries to {city} on pallets only, no loose boxes.",
    "Counted with {owner_first} after the {title}: the shelf label was wrong, the stock was right.",
)
# first word of the item -> why a lot of it is blocked; a lot that has ended is blocked for that
BLOCKS = {
    "Spare": (
        "Recall by the maker: swelling cells, first seen at {company}. Wait for the letter.",
        "Stood in the frost on the way; {owner_first} waits for the capacity test.",
    ),
    "Label": (
        "Labels do not stick below 5 °C; sample sent back for {title}.",
        "Rolls are damp, returned by {company}; {owner_first} waits for the test print.",
    ),
}
ENDED = "Last day has passed, to be counted out."
ADJUSTMENTS = {
    "damaged": "Fell from the forklift, seen by {owner_first}.",
    "lost": "Not on the van after the visit at {company}.",
    "found": "Was behind the shelf for {title}.",
    "data_error": "Booked twice with {po}.",
}
CLOSING = "One box missing, carrier informed by {owner_first}."
PROCEDURES = (
    (
        "Adjustments",
        prose("""Adjust up to 1,000.00 of value with a note that names who saw it. Above that count the item. Damaged
    goods of customers are never adjusted: they go to quarantine."""),
    ),
    (
        "Stock counts",
        prose("""Counts are blind. Differences of more than 500.00 are counted a second time by somebody else. Vans are
    counted every quarter, warehouses by product group once a year. While a count is open its items do not move."""),
    ),
    (
        "Stock counts (2023)",
        prose("""Superseded. Differences up to 2,000.00 were booked after one count."""),
    ),
    (
        "Lots and last days",
        prose("""What ends first leaves first. Lots with less than 60 days left are offered to the vans. Blocked lots
    are released only with the letter of the maker. Ended lots are counted out, never issued."""),
    ),
    (
        "Transfers",
        prose("""Vans get at most ten of an item at a time. Transfers between warehouses leave on Tuesdays and take
    three days. What is missing on arrival is reported the same day; after five days the transfer is closed."""),
    ),
    (
        "Reservations",
        prose("""Reserve for orders that are due within 30 days. Reservations past their day are released after a call
    to the account owner. Customers of the tier platinum may reserve for 60 days."""),
    ),
    (
        "Replenishment",
        prose("""Order on Thursdays, all items of a supplier together. Below 250.00 wait a week unless the available
    stock is 0. Tessel Power closes in July: order for six weeks in June."""),
    ),
    (
        "Quarantine",
        prose("""Nothing is issued from quarantine. After the check goods are transferred back or adjusted out as
    damaged. Goods stay at most 30 days."""),
    ),
)
