"""What is written in the seeded home."""

from __future__ import annotations

from services_app.library.shared import prose

ROOMS = (
    ("Hall", "ground"),
    ("Kitchen", "ground"),
    ("Living room", "ground"),
    ("Study", "upper"),
    ("Bedroom", "upper"),
    ("Child's room", "upper"),
    ("Bathroom", "upper"),
    ("Cellar", "cellar"),
    ("Garden", "ground"),
)
CIRCUITS = (("Kitchen circuit", 3600), ("Ground floor", 2300), ("Upper floor", 2300), ("Cellar and garden", 3600))
# name, kind, room, circuit (0: battery), watts, measures, reading
DEVICES = (
    ("Front door lock", "lock", "Hall", 0, 0, "", None),
    ("Garden door lock", "lock", "Living room", 0, 0, "", None),
    ("Hall light", "light", "Hall", 2, 40, "", None),
    ("Kitchen ceiling light", "light", "Kitchen", 1, 60, "", None),
    ("Oven plug", "plug", "Kitchen", 1, 2600, "", None),
    ("Kettle plug", "plug", "Kitchen", 1, 2000, "", None),
    ("Living room lamp", "light", "Living room", 2, 75, "", None),
    ("Living room thermostat", "thermostat", "Living room", 2, 5, "temperature", 20.4),
    ("Living room blind", "blind", "Living room", 2, 30, "", None),
    ("Living room speaker", "speaker", "Living room", 2, 25, "", None),
    ("Study thermostat", "thermostat", "Study", 3, 5, "temperature", 18.9),
    ("Garden camera", "camera", "Garden", 4, 12, "", None),
    ("Study window sensor", "sensor", "Study", 0, 0, "window open", 1.0),
    ("Cellar water sensor", "sensor", "Cellar", 0, 0, "water level", 0.0),
    ("Living room air sensor", "sensor", "Living room", 0, 0, "carbon dioxide", 940.0),
    # From here on only in larger homes.
    ("Bedroom light", "light", "Bedroom", 3, 45, "", None),
    ("Bedroom thermostat", "thermostat", "Bedroom", 3, 5, "temperature", 17.2),
    ("Bedroom blind", "blind", "Bedroom", 3, 30, "", None),
    ("Desk lamp", "light", "Study", 3, 20, "", None),
    ("Child's night light", "light", "Child's room", 3, 8, "", None),
    ("Child's room thermostat", "thermostat", "Child's room", 3, 5, "temperature", 19.6),
    ("Bathroom heater plug", "plug", "Bathroom", 3, 1800, "", None),
    ("Bathroom humidity sensor", "sensor", "Bathroom", 0, 0, "humidity", 61.0),
    ("Washing machine plug", "plug", "Cellar", 4, 2200, "", None),
    ("Dryer plug", "plug", "Cellar", 4, 2400, "", None),
    ("Garden path lights", "light", "Garden", 4, 90, "", None),
    ("Cellar door lock", "lock", "Cellar", 0, 0, "", None),
    ("Doorbell camera", "camera", "Hall", 2, 10, "", None),
    ("Kitchen speaker", "speaker", "Kitchen", 1, 20, "", None),
    ("Garden motion sensor", "sensor", "Garden", 0, 0, "motion", 0.0),
)
# name, description, what it sets: (device, on, level, target)
SCENES = (
    ("Good morning", "Weekdays before school.", (
        ("Living room blind", None, 100, None), ("Kitchen ceiling light", True, 80, None),
        ("Living room thermostat", None, None, 20.5),
    )),
    ("Film evening", "Not before the child sleeps.", (
        ("Living room lamp", True, 15, None), ("Living room blind", None, 0, None),
        ("Living room speaker", True, 40, None),
    )),
    ("Everything off", "When the last one goes to bed.", (
        ("Hall light", False, None, None), ("Kitchen ceiling light", False, None, None),
        ("Living room lamp", False, None, None), ("Living room speaker", False, None, None),
    )),
    ("Dinner", "Oven and light. Do not boil water at the same time.", (
        ("Oven plug", True, None, None), ("Kitchen ceiling light", True, 100, None),
    )),
    ("Fresh air", "Blinds up, heating down for half an hour.", (
        ("Living room blind", None, 100, None), ("Living room thermostat", None, None, 16.0),
    )),
)  # fmt: skip
# name, trigger, time, days, sensor, above, mode, scene, enabled
AUTOMATIONS = (
    ("Wake up", "time", "06:40", "weekdays", None, None, None, "Good morning", True),
    ("Sleep in", "time", "09:00", "weekend", None, None, None, "Good morning", True),
    ("Air is stale", "sensor", None, "every_day", "Living room air sensor", 1400.0, None, "Fresh air", True),
    ("Night falls", "mode", None, "every_day", None, None, "night", "Everything off", True),
    ("Early dinner", "time", "17:30", "weekdays", None, None, None, "Dinner", False),
)
GUIDES = (
    (
        "Heating",
        -12,
        prose("""Living room 20.5, study 19, bedrooms 18. Nobody sets more than 21, whatever the weather. When a
        window is open the thermostat of the room stays as it is. The older note about 22 degrees no longer holds:
        the heat pump was replaced in January."""),
    ),
    (
        "Heating (2024)",
        -420,
        prose("""Living room 22, bedrooms 19. The boiler needs ten minutes; do not switch it twice within the hour."""),
    ),
    (
        "Codes for guests",
        -30,
        prose("""Tradespeople get a code for the front door for the day of the visit only, from 07:00 to 18:00 UTC,
        never for the garden door. Friends may have one for up to two weeks. Codes are ended as soon as the job is
        done."""),
    ),
    (
        "Kitchen fuse",
        -70,
        prose("""The kitchen circuit carries 3,600 watts. Oven and kettle together are too much. If the fuse blows,
        it is the third from the left in the cellar; call {electrician} ({phone}) when it does not stay in."""),
    ),
    (
        "Leaving for a trip",
        -8,
        prose("""Vacation mode for more than two nights, away for less. Lock all doors before. {neighbour} waters the
        plants; the code is for residents only while the mode is vacation, so set the mode to away on the day of the
        visit."""),
    ),
    (
        "Cellar water",
        -15,
        prose("""Above 3 centimetres the pump has to run. Write a note about the sensor with the time, for the
        insurance."""),
    ),
)
PURPOSES = (
    "Repairs the dishwasher, order {po}.",
    "Brings the parcel for {company} and leaves it in the hall.",
    "Stays for the weekend of the {title}.",
    "Reads the meter. Only the hall, not the cellar.",
    "Installs {product} for the home office.",
)
EVENTS = (
    ("motion", "Motion for {seats} seconds."),
    ("opened", "Opened by hand from inside."),
    ("alarm", "Value above the limit for {seats} minutes, back to normal at 06:10."),
    ("note", "{first} from {company} comes on {start} at 10:00 to look at it. Order {po}."),
    ("note", "Correction: the visit of {first} is on {end}, not before."),
    ("note", "Rattles when it is cold. {owner_first} says that a drop of oil helps."),
    ("battery", "Battery below a third."),
)
