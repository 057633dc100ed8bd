"""What is written in the seeded shipping application."""

from __future__ import annotations

from services_app.library.shared import prose

SCANS = {
    "picked_up": ("Taken over from the sender.", "Received at the depot, label readable."),
    "in_transit": ("Left the sorting centre.", "Arrived at the hub, goes on tonight.", "Cleared customs."),
    "out_for_delivery": ("With the driver for {company}.", "Loaded for the tour to {address}."),
    "exception": (
        "Recipient moved; {contact} gives a new address by phone.",
        "Goods-in of {company} was closed, second attempt follows. Reference {po}.",
        "Customs asks for the invoice of {po}; {owner_first} has to send it.",
        "Carton wet, repacked at the depot. Please check {po} on arrival.",
    ),
    "delivered": ("Handed to {contact}.", "Left at goods-in of {company}, stamped {po}.", "Signed by {contact}."),
}
CONTENTS = (
    "{seats} × {product} for {title}",
    "Installation kit for {title}",
    "Demo units for {company}, on loan under {contract}",
    "Printed manuals and labels for {title}",
)
PICKUPS = (
    "Gate 2, ring at reception.",
    "Pallets stand at door D3, ask for the forklift.",
    "Parcels for {company} first, the rest waits until Friday.",
    "",
)
DISPUTES = (
    "Our scale is certified; photo of the display is in the file of {po}.",
    "The pallet was weighed with the one of {company}.",
)
DAMAGES = (
    "Corner crushed, contents of {po} broken. {contact} has sent photos.",
    "Carton was open, goods for {po} are missing.",
    "Water damage, {company} refused the whole delivery.",
)
GUIDES = (
    (
        "Choosing a carrier",
        prose("""Take the cheapest service that arrives on time. Postwind for parcels up to 30 kg, Greenlane for
    anything that has to be there the next day in the country of the office, Norfreight and Saxby for pallets. Express
    is paid for by the account owner's budget, so ask first."""),
    ),
    (
        "Approval of freight",
        prose("""Labels above 250.00 need a freight approver, whose name is kept with the shipment. Ask the approver
    with the lowest limit that suffices. Do not split a delivery to stay below the threshold."""),
    ),
    (
        "Approval of freight (old)",
        prose("""Superseded. Labels above 150.00 needed the signature of the finance manager."""),
    ),
    (
        "Insurance",
        prose("""Insure what is worth more than 1,000.00, for its full declared value. Gateways are always insured. What
    is not insured is covered up to 100.00. Returns are never insured."""),
    ),
    (
        "Customs",
        prose("""Between the United Kingdom and the European Union, and everywhere overseas, each article is a line of
    its own and the lines add up to the declared value. Tariff numbers: scanners 8471.60, gateways and telematics units
    8517.62, printers 8443.32, sensors 9025.19, cables 8544.42, printed matter 4911.10."""),
    ),
    (
        "Lithium batteries",
        prose("""Handheld scanners and spare batteries contain lithium. Postwind does not take them at all; Norfreight,
    Saxby and Greenlane do. Never leave the mark out: the fine is 2,500.00."""),
    ),
    (
        "Lost and damaged parcels",
        prose("""A parcel counts as lost ten days after its last scan. Claim within 60 days of the label. Damaged goods
    are claimed only with photos; up to 50.00 we do not claim but credit the customer."""),
    ),
    (
        "Disputes of weight",
        prose("""Dispute a charge within 30 days, when the difference is more than 1 kg and above 5.00. Charges for
    pallets that were weighed together are always disputed."""),
    ),
    (
        "Returns",
        prose("""A return label is given within 45 days of delivery, with the same service. Platinum customers get it
    unasked. Demo sets come back at our cost, everything else is charged to the order."""),
    ),
    (
        "Pickups and manifests",
        prose("""One pickup a carrier and day and office; parcels are ready by 17:00. Close the manifest when the driver
    is there, not before: labels on it cannot be voided."""),
    ),
)
