"""What stands on the shelves of a city library, and what is written about it."""

from services_app.library.shared import prose, words

BRANCHES = (
    ("Central Library", "1 Cornhill Square, London", "09:00", "20:00", "sunday", "+44 20 7946 0800"),
    ("Wharf Road Branch", "22 Wharf Road, London", "10:00", "18:00", "monday", "+44 20 7946 0810"),
    ("Thornhill Reading Room", "40 Thornhill Street, London", "08:30", "17:00", "sunday", "+44 20 7946 0820"),
)
# subject -> titles; every one may exist in more than one format
TITLES = {
    "logistics": ("The Last Mile", "Pallets and People", "Warehouses that Breathe", "A History of the Container",
                  "Routes without Tears", "Counting Stock"),
    "management": ("Meetings that End", "The Quiet Coordinator", "Saying No at Work", "Small Teams, Long Projects",
                   "Feedback on Fridays"),
    "engineering": ("Sensors for Everyone", "When Batteries Fail", "The Honest Diagram", "Radio in Metal Sheds"),
    "languages": ("Dutch in Ninety Days", "French for the Loading Dock", "Polish Verbs at a Glance", "Arabic Script"),
    "travel": ("Night Trains of Europe", "Porto on Foot", "Ports of the North Sea", "Nairobi, a Guide"),
    "novels": ("The Lighthouse Ledger", "Salt and Timetables", "A Year without Post", "The Cartographer's Sister",
               "Snow on Platform Nine", "The Borrowed Coat"),
    "cooking": ("One Pot, Four Seasons", "Bread before Work", "Lunch for Forty"),
    "history": ("The Canal Builders", "Letters from the Custom House", "Ledgers of the Silk Road"),
}  # fmt: skip
AUTHORS = words("""
    Honora_Bexley Ambrose_Teller Sigrid_Vane Lucian_Oakes Maren_Holt Tobias_Quill Estelle_Marsh Ivor_Pennant
    Ngozi_Akande Rafael_Brandao Celia_Winterbourne Jonas_Falk Miriam_Stroud Basil_Crane Anouk_Delacroix
""")
SUMMARIES = (
    "A clear introduction with many examples; chapter {chapter} has a check-list that can be copied.",
    "Written after twenty years on the job. The tables at the end are out of date since {year}.",
    "Short chapters, each with one question to take to work. Not for beginners.",
    "The second edition corrects the figures of chapter {chapter}.",
    "Praised for its maps, blamed for its length.",
)
REVIEWS = (
    "Gave it to {contact} of {company}, who has not returned it yet.",
    "Chapter four is what we do on the {title}. Read it before {start}.",
    "Good on the train to {city}. Too long otherwise.",
    "The check-list found three mistakes in our plan for {company}.",
    "Could not finish it.",
    "{owner} swears by it.",
)
LISTS = (
    ("For the {title}", "Before we start in {city} on {start}. Shared with those who travel."),
    ("Commute", "Audiobooks only."),
    ("Presents for customers", "To buy, not to borrow. {contact} of {company} likes history."),
    ("Reading group of the {place} branch", "Next meeting after {end}."),
)
NOTES = ("Asked for by {contact}.", "Chapter on {product} competitors.", "Read again before {start}.", "", "")
# title, author, reason, status, answer
REQUESTS = (
    ("Cold Chains", "Ottoline Frey", "Needed for the {title}; others in {city} ask, too.", "ordered",
     "Ordered; it comes within six weeks."),
    ("The Empty Truck", "Piers Naylor", "{contact} of {company} gives a talk about it.", "under review", ""),
    ("Swedish for Drivers", "Ulrika Sand", "We have three students for {city}.", "declined",
     "Too few readers. Ask for an interlibrary loan."),
    ("Noise at Night", "Gareth Pym", "About depots in cities.", "under review", ""),
    ("Bees on the Roof", "Flora Linden", "For the roof of the office.", "declined", "There are four books on bees."),
    ("Paper Maps", "Dorothea Lind", "For the walk on {start}.", "ordered", "In the catalogue from {end}."),
)  # fmt: skip
# title, speaker, minutes, places, description
EVENTS = (
    ("How {company} moved house", "{contact}", 60, 40,
     "{contact} tells how the {title} was done, with pictures. Coffee afterwards."),
    ("Reading group: {novel}", "Maren Holt", 90, 12, "Read up to chapter nine. New readers are welcome."),
    ("First steps in spreadsheets", "{owner}", 120, 8, "Bring a laptop. Figures from a real warehouse."),
    ("Tax evening", "Basil Crane", 75, 30, "Questions are collected until the day before."),
    ("Story hour", "Estelle Marsh", 45, 20, "For children of four to seven years, in English and Dutch."),
    ("Map repair workshop", "Ivor Pennant", 120, 6, "Bring one map. Glue is there."),
)  # fmt: skip
RULES = (
    ("Loan periods and renewals", "current", 210, prose("""
        Books are lent for 21 days, audiobooks for 14, films and magazines for 7. A loan can be renewed twice, in the
        last ten days before it is due, when nobody waits for the title. What is overdue has to be brought back.""")),
    ("Late fees", "current", 210, prose("""
        A book or audiobook costs 25 pence for every day it is late, a film one pound, a magazine 10 pence; 8 pounds at
        most for each loan. From 10 pounds owed, borrowing, holds and renewals are blocked until it is less.""")),
    ("Late fees (until last summer)", "superseded", 700, prose("""
        A day costs 15 pence whatever the item. Borrowing is blocked from 5 pounds.""")),
    ("Holds", "current", 160, prose("""
        Ten holds a reader. A copy waits on the hold shelf for seven days; who does not collect it pays one pound. A
        hold can be suspended for 180 days and keeps its place. Staff of companies stand in the same line as
        everybody.""")),
    ("Lost and damaged items", "current", 320, prose("""
        A lost item costs its price in the catalogue; a copy of the same edition is accepted instead within 14 days.
        Money is not paid back when the item turns up later than a month.""")),
    ("Meeting rooms", "current", 90, prose("""
        The rooms of the Wharf Road Branch can be had by companies for 18 pounds an hour. {company} has an agreement
        until {end}: bookings under {po} are free on Tuesdays. Ask {contact_email}.""")),
    ("Meeting rooms (last year)", "superseded", 500, "Rooms are free for everybody until 18:00."),
    ("Cards", "current", 400, prose("""
        A card holds for a year and is renewed in its last 60 days, or later, when less than 10 pounds are owed.""")),
)  # fmt: skip
