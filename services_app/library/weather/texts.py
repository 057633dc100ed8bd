"""What is written in the seeded weather service."""

from __future__ import annotations

from services_app.library.shared import prose

# hazard, severity, headline, text, in force from so many hours from now, hours, status
WARNINGS = (
    (
        "wind",
        "orange",
        "Gale from the west: {place}",
        "Gusts of 85 to 95 km/h, on the coast 105. High-sided vehicles should not cross bridges before {end}.",
        -2,
        16,
        "in_force",
    ),
    (
        "wind",
        "yellow",
        "Strong wind: {place}",
        "Gusts of 60 to 70 km/h. Replaced by an orange warning, see there.",
        -14,
        20,
        "superseded",
    ),
    (
        "snow_ice",
        "red",
        "Freezing rain: {place}",
        "Black ice within minutes on all roads. Do not drive. Loading ramps outside are not to be used.",
        5,
        9,
        "in_force",
    ),
    (
        "flood",
        "orange",
        "High water: {place}",
        "The river reaches 4.10 m on the second day; quays below 4.00 m are flooded. Cellars should be cleared.",
        20,
        48,
        "in_force",
    ),
    (
        "fog",
        "yellow",
        "Dense fog: {place}",
        "Visibility below 150 m until late morning. Ferries may not run before 10:00.",
        -4,
        7,
        "in_force",
    ),
    (
        "thunderstorm",
        "orange",
        "Thunderstorms: {place}",
        "Hail and gusts of 80 km/h between 15:00 and 19:00. No work on masts and roofs.",
        30,
        5,
        "in_force",
    ),
    (
        "snow_ice",
        "yellow",
        "Ground frost: {place}",
        "Minus three degrees near the ground. The warning was withdrawn, clouds keep it above zero.",
        -10,
        12,
        "withdrawn",
    ),
    (
        "wind",
        "yellow",
        "Strong wind last week: {place}",
        "Gusts of 65 km/h in the night, less than forecast.",
        -120,
        18,
        "in_force",
    ),
    (
        "heat",
        "yellow",
        "Heat: {place}",
        "Above 32 degrees from noon. Cold-chain sensors in trailers report late; check them at every stop.",
        26,
        10,
        "in_force",
    ),
)
ACKNOWLEDGEMENTS = (
    "{owner} tells {company}: no deliveries at {address} before {end}.",
    "Vans stay in the yard until noon. The order {po} waits.",
    "Seen. Site survey for {title} moved to the day after.",
    "Ramp closed, scanners taken inside. {first} has the key.",
)
PLACES = (
    "{company} depot",
    "{title} site",
    "{company}, {city}",
    "Yard at {city}",
)
PLACE_NOTES = (
    "Mast work for {title} only below 40 km/h; {first} decides on the spot.",
    "Outdoor gateways on the roof. Until last year 50 km/h was allowed, since January 45.",
    "Cold-chain pilot: trailers must stay between 2 and 8 degrees outside as well.",
    "{contact} wants a call at 05:30 if the road is closed.",
    "Flooded in 2021 up to the second step; order {po} covers the pumps.",
    "",
)
REPORTS = (
    ("fog", "Cannot see the other bank. The ferry to {company} is tied up."),
    ("rain", "Water on the ramp, the lower gate of {company} is shut."),
    ("storm", "Two roof panels loose over dock 3. {first} has called the fire brigade."),
    ("snow", "Ten centimetres in the yard, ploughed by 07:30."),
    ("clear", "Dry, no wind. We start with the survey for {title}."),
    ("cloudy", "Grey but calm. The forecast said storm; nothing of it here."),
    ("heavy_rain", "Drain at the gate overflows. Deliveries for {po} through the front door."),
)
# title, status, days since it came into force, body
PROTOCOLS = (
    (
        "Wind at sites",
        "current",
        60,
        prose("""Above 45 km/h no work on masts and roofs. Above 60 km/h nothing is hoisted and outdoor docks are
    closed. Above 75 km/h vans with roof racks stay in the yard.

    The site contact of the saved place is told by 16:00 of the day before."""),
    ),
    (
        "Wind at sites (2024)",
        "superseded",
        480,
        prose("""Above 50 km/h no work on masts and roofs. Above 70 km/h outdoor docks are closed."""),
    ),
    (
        "Frost and ice",
        "current",
        110,
        prose("""Below 2 degrees the ramps are salted before the first shift. Below minus 5 degrees handheld scanners
    are charged inside only and batteries are carried at the body.

    On a red warning for ice nobody drives. The acknowledgement says who told the customers."""),
    ),
    (
        "Rain and high water",
        "current",
        200,
        prose("""More than 10 mm in three hours: pallets are not left outside. More than 20 mm: the lower gates at
    Rotterdam and Bristol are closed and pumps are started.

    Orange flood warnings are passed on to the account manager within two hours."""),
    ),
    (
        "Heat and cold chain",
        "current",
        35,
        prose("""From 28 degrees trailers with cold-chain sensors are loaded before 10:00. From 33 degrees drivers take
    a break of 20 minutes every two hours."""),
    ),
)
