"""What is written on the seeded map."""

from __future__ import annotations

# category, name, opens, closes, closed on, description
PUBLIC = (
    (
        "train_station",
        "{city} Central Station",
        "04:30",
        "23:59",
        (),
        "Left luggage at the north exit until 22:00, 6.00 a day. Taxis leave from the south side since January.",
    ),
    (
        "freight_terminal",
        "{city} Freight Terminal",
        "05:00",
        "22:00",
        ("sunday",),
        "Gate 4 for parcels, gate 7 for pallets. Drivers report at the window with the order number.",
    ),
    ("cafe", "Café Kompass {city}", "07:00", "18:30", ("monday",), "Quiet tables upstairs, sockets at every seat."),
    ("cafe", "Third Shift Coffee {city}", "05:00", "14:00", (), "Opens with the early shift; cash only until 07:00."),
    (
        "parking",
        "Quayside Car Park {city}",
        "00:00",
        "23:59",
        (),
        "Height limit 2.10 m, vans park on the roof ramp. 14.00 a day, first half hour free.",
    ),
    (
        "charging_station",
        "Volt & Sons {city}",
        "00:00",
        "23:59",
        (),
        "Six points of 150 kW, two for vans with trailers. 0.52 a kWh, blocking fee after 60 minutes.",
    ),
    (
        "pharmacy",
        "Mill Lane Pharmacy {city}",
        "08:00",
        "20:00",
        ("sunday",),
        "Night bell; vaccinations by arrangement.",
    ),
    (
        "post_office",
        "Post Office {city} Market",
        "08:30",
        "17:30",
        ("saturday", "sunday"),
        "Registered parcels until 16:45. Business mail at the side door, number 12.",
    ),
    (
        "hardware_store",
        "Bolt and Bracket {city}",
        "07:30",
        "19:00",
        ("sunday",),
        "Brackets for wall docks in stock; cuts cable to length while you wait.",
    ),
)
# Of the sites of customers.
SITES = (
    "Deliveries between 06:00 and 10:00 at gate 3, order {po} on the slip. Ask for {first}.",
    "Visitors sign in at the lodge; {contact} collects them. Height limit of the yard 3.80 m.",
    "Two entrances: offices from the street, depot for {title} through the lane behind.",
    "Parking for visitors is full by 08:30; the car park at the quay is a ten-minute walk.",
    "The old depot closed on {start}. Everything for {title} goes to this address now.",
    "No deliveries on Fridays. {owner} of Larkfield Systems has the gate code.",
)
OFFICE = "Office of Larkfield Systems. Reception until 18:00; goods at the back, bell marked stores."
# stars, text; `name` is the place
REVIEWS = (
    (5, "Found at once. {first} of {company} recommended {name}; out again in ten minutes."),
    (4, "Good, but the sign of {name} at the road still shows the entrance that closed on {start}."),
    (2, "Waited forty minutes with {po} in hand although the slot was booked. Come before 09:00."),
    (3, "Fine. The opening hours of {name} on the map are wrong on Saturdays: they close at 13:00."),
    (1, "Closed without notice. The note on the door says they are back on {end}."),
    (5, "Worth the detour from {company}, and there is space for the van."),
    (4, "Clean, fair prices, card works. Height limit at {name} is really 2.00 m, not 2.10."),
    (2, "The phone number leads to {company}. The right one of {name} is on the door."),
    (3, "Staff change at 14:00, nobody signs for parcels for half an hour then. {po} went back to the depot."),
)
# field, value, comment
EDITS = (
    ("phone", "+44 20 7946 0{number}", "Called it today; the number on the map belongs to somebody else."),
    ("opening_hours", "07:00-16:00", "Says the sign on the door, valid since the first of the month."),
    ("address", "{number} Foundry Way, {city}", "Moved round the corner; the old door is bricked up."),
    ("status", "temporarily_closed", "Water damage. Reopens after {end}, they say."),
    ("name", "{name} North", "There are two of them now; this is the northern one."),
)
STOPS = ("Central", "Harbour Gate", "Mill Lane", "Fairground", "Foundry Way", "University", "Canal Row", "Depot Road")
FURTHER_STOPS = ("Orchard Avenue", "Old Customs House", "Lighthouse", "South Quay", "Ring Road", "Market Square")
OPERATORS = ("{city} Transit", "{city} Transit", "Harbour Ferries {city}")
# effect, title, delay, text
ALERTS = (
    (
        "delay",
        "{line}: signal fault",
        12,
        "{line} runs twelve minutes late until the fault is repaired.",
    ),
    ("stop_closed", "{stop} closed", 0, "{line} does not call at {stop}: new platform. Use the next stop."),
    ("suspended", "No service on {line}", 0, "Works on the track. Tickets are valid on all other lines of {city}."),
    ("delay", "{line}: fewer drivers", 6, "Expect six minutes more. Correction of yesterday, when we wrote ten."),
    (
        "stop_closed",
        "Fair at {stop}",
        0,
        "During the fair {line} passes {stop} without stopping.",
    ),
    (
        "delay",
        "{line}: high water",
        20,
        "The stages float too high; boarding takes longer. Bicycles stay ashore.",
    ),
)
# kind, delay, text
INCIDENTS = (
    ("accident", 18, "Two vans, one lane. Police expect to clear it within the hour."),
    ("roadworks", 9, "Water main; single lane with lights. Planned until {end}."),
    ("closure", 25, "Bridge closed for vehicles over 7.5 t, and for all between 22:00 and 05:00."),
    ("congestion", 7, "Shift change at the terminal, as every weekday."),
    ("roadworks", 14, "New cable for {company}; access to the depot from the back only."),
)
LISTS = ("Customers to visit", "Drop-off points", "Coffee before meetings", "Chargers for the vans", "Team outing")
NOTES = (
    "Gate code is with {owner_first}; do not put it here.",
    "Bring {po} on paper.",
    "Only before 10:00. Until last year it was 11:00.",
    "{first} prefers a call from the car park.",
    "Nothing to see, good to turn the van.",
    "",
)
ROUTES = ("Monday round {city}", "Service round {city}", "Parcels {city}", "Visits {city}")
