"""What the seeded library holds."""

from __future__ import annotations

from services_app.library.shared import prose, words

FIRST = words("Night Silent Last Northern Paper Winter Second Broken Golden Little Salt Distant")
SECOND = words("Freight Harbour Letters Orchard Signal Crossing Garden Witness Ferry Kitchen Summer Railway")
GENRES = {
    "film": words("drama thriller comedy documentary animation"),
    "series": words("drama crime comedy nature"),
    "album": words("jazz folk electronic classical"),
    "podcast": words("business technology history cooking"),
}
CREATORS = ("Ida Marlowe", "Kenji Aoyama", "Studio Halvorsen", "Renata Pinho", "The Ferrymen", "Quiet Engines")
FILM_PLOTS = (
    "A night clerk in {city} finds a parcel that nobody has sent.",
    "Two sisters inherit a ferry and a debt of {amount}.",
    "The documentary follows a strike at the docks of {city} for {seats} days.",
    "An old lorry driver takes a child on the last trip before the road is closed.",
)
SERIES_PLOTS = ("{seats} families in one street of {city}, told backwards.", "A harbour police that has no boat.")
ALBUM_PLOTS = ("Recorded in one night in {city}, with {seats} musicians.", "Songs about the sea, without drums.")
# name, publisher ("" for the company of a project), description
PODCASTS = (
    ("Loading Bay", "Larkfield Systems", "Warehouse people on what went wrong and what they changed."),
    ("The Long Pallet", "", "Logistics, slowly. A customer case in every episode."),
    ("Cold Chain Diaries", "", "Refrigerated transport between farm and shop."),
    ("Bread at Six", "Studio Halvorsen", "Baking for people who start work early."),
    ("Lines on the Map", "Renata Pinho", "How railways and borders were drawn."),
    ("Scanner Darkly Lit", "Quiet Engines", "Technology on the shop floor."),
)
EPISODES = (
    (
        "{company}: {title}",
        prose("""{contact} of {company} tells how the {title} in {city} was done with {product}. First they planned
        {seats} {unit}s from the start; in the end they began with one gate. The doors open on {start}."""),
    ),
    (
        "What {city} did about returns",
        prose("""A visit at {address}. Returns were free until last year; now they are free up to 30 days, after that
        the customer pays. {contact} says that nobody complained."""),
    ),
    (
        "Correction to the last episode",
        prose("""We said that {company} opens its new hall on {start}. It is {end}. Listeners with tickets for the
        tour write to {contact_email}."""),
    ),
    (
        "Questions from listeners",
        prose("""How many spare batteries for {seats} {unit}s? One for ten. Does rain hurt the label? Yes. The tour
        in {city} is on {end}; the code for the registration is {po}."""),
    ),
)
OTHER_EPISODES = (
    ("Rye, again", "Rye needs 78 per cent water and a night of rest. Do not knead it."),
    ("The line that was never built", "Why the railway along the coast stopped after nine stations."),
    ("Flat bread in a pan", "Twelve minutes, three ingredients: flour, yoghurt, salt."),
    ("A border along a river", "The river moved, and with it a village of two hundred people."),
)
TRACKS = ("Opening", "Low Tide", "Grain", "Half Past Four", "Lantern", "Slow Train", "Rope", "Morning Shift", "Home")
NOTES = (
    "{owner_first} recommended it.",
    "For the evening before the trip to {city}.",
    "Not with the children.",
    "{first} from {company} lent me hers; watch it by {end}.",
)
REVIEWS = (
    "Starts slowly, ends well.", "Too long by half an hour.", "The second half is the better one.", "Again!",
    "The children were bored, we were not.",
)  # fmt: skip
LOAN_NOTES = (
    "Comes back at the meeting on {end}.",
    "Handle with care, the cover is loose.",
    "Promised to bring it to {address}.",
    "",
)
PLAYLISTS = (
    ("Drive to {city}", "For the way to {company}."),
    ("Kitchen", "Nothing loud."),
    ("Late shift", "Long episodes for long evenings."),
    ("Family Saturday", "Everybody may add."),
    ("Focus", "Without words."),
    ("{title}", "What we heard while the {title} was built."),
)
REMARKS = ("Returns on time.", "Lost a record in 2024 and replaced it.", "Only films, no records.", "")
