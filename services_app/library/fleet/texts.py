"""What is written in the seeded fleet application."""

from __future__ import annotations

from services_app.library.shared import prose

NOTES = (
    "Reserved for {title} at {company} from {start} on; ask {owner_first} before you take it.",
    "Spare key lies with {owner}, not in the key safe.",
    "Rack for {product} is built in, the payload is 80 kg less.",
    "Superseded: no longer parked in {city}. Since {start} it stands in the yard, row 2.",
    "Has the toll box for {city}; bring it back after the trip to {company}.",
    "Left rear tyre loses air slowly, {owner_first} has told the workshop.",
)
PURPOSES = (
    "Installation of {product} at {company}",
    "Site survey for {title} in {city}",
    "Delivery of {po} to {company}",
    "Visit to {contact}, {company}",
    "Training for {title}",
)
ISSUES = {
    "minor": ("Wiper streaks", "Reading light dead", "First-aid kit past its date", "Seat belt of the bench is stiff"),
    "major": ("Check-engine light on", "Squealing when braking", "Heater does not work", "Crack in the windscreen"),
    "critical": ("Brake pedal goes to the floor", "Steering pulls hard to the left", "Tyre with a bulge"),
}
RESOLUTIONS = ("Replaced in the yard.", "Cleaned and checked by {owner_first}.", "Could not be found again.")
REMARKS = ("", "All fine before the trip to {company}.", "Washer fluid filled up.", "Load for {po} secured.")
SERVICES = (
    ("Oil and filter", 15_000, 365),
    ("Brake inspection", 30_000, 730),
    ("Tyre change", 20_000, 182),
)
LINES = (
    ("labour", "Diagnosis", 0.5),
    ("part", "Brake pads, front axle", 1.0),
    ("part", "Oil filter and 6 l oil", 1.0),
    ("part", "Set of four tyres", 1.0),
    ("labour", "Fitting", 2.0),
)
PRICES = {"Brake pads, front axle": 138.0, "Oil filter and 6 l oil": 94.5, "Set of four tyres": 612.0}
WORKSHOPS = (
    ("Hartwell Motor Works", "London", "desk@hartwell-motors.example", 78.0),
    ("Bowline Tyres", "London", "orders@bowline-tyres.example", 62.0),
    ("Garage Maaszicht", "Rotterdam", "planning@maaszicht.example", 71.0),
    ("Atelier Perrache", "Lyon", "accueil@atelier-perrache.example", 66.0),
)
STATIONS = ("Wharf Road services", "Maasvlakte fuel stop", "Quai Arloing station", "A13 rest area", "Mill Lane pumps")
POLICIES = (
    (
        "Pool vehicles",
        prose("""Book at most seven days in a row and the smallest vehicle that carries the load. Whoever books names
    the customer or the project. Cancel what you do not need: unused bookings are charged to the team with 35.00 a
    day."""),
    ),
    (
        "Pool vehicles (until 2024)",
        prose("""Superseded. Pool vehicles could be booked for fourteen days, and on weekends privately."""),
    ),
    (
        "Repairs",
        prose("""Use a workshop of the vehicle's own site; the cheapest hourly rate wins if there are two. Above 750.00
    a fleet approver agrees before the work is completed: the one with the lowest limit that suffices. Never complete a
    service without the odometer reading."""),
    ),
    (
        "Inspections",
        prose("""Every vehicle is inspected once a week by its driver. Minor defects are put right in the yard. Brakes,
    steering and tyres are always critical: the vehicle stays where it is."""),
    ),
    (
        "Fuel cards",
        prose("""Enter every receipt on the same day. Consumption more than a quarter above the vehicle's average goes
    to the operations manager. Premium fuel is not paid."""),
    ),
    (
        "Private use",
        prose("""Assigned vehicles may be used privately within the country; 0.45 per kilometre is deducted. Pool
    vehicles are never used privately."""),
    ),
    (
        "Licences",
        prose("""Licences are checked twice a year. Who has one that ends within 60 days hears from us. Lorries need
    class C, the Haulier 7.5 also for empty runs."""),
    ),
    (
        "Accidents",
        prose("""Call the police if anybody is hurt. Take photos, exchange names, report the damage to the insurer
    within three days under the policy number of the vehicle, and open an issue here."""),
    ),
    (
        "Safe driving",
        prose("""Scores of the last 30 days: below 80 a talk with the team lead, below 65 a training at Ampersand
    Training. The best driver of a quarter gets a day off."""),
    ),
)
