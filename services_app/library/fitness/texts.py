"""What is written in a fitness account: names of activities, comments, workouts, challenges, posts of the club."""

from services_app.library.shared import prose

# sport -> (names, km/h, kilometres, minutes when there is no distance)
ACTIVITIES = {
    "run": (("Morning run", "Easy run along the canal", "Tempo run", "Long run", "Intervals on the track"), 10.2),
    "ride": (("Ride to the office", "Evening ride", "Ride to the depot", "Sunday loop"), 23.5),
    "swim": (("Lunch swim", "Lanes before work"), 2.6),
    "walk": (("Walk at lunch", "Walk round the warehouse site"), 5.1),
    "hike": (("Hike on the coast path", "Hill walk with colleagues"), 4.2),
    "strength": (("Gym, legs", "Gym, upper body", "Core at home"), 0.0),
    "yoga": (("Yoga", "Stretching after travel"), 0.0),
}
DISTANCES = {
    "run": (4.2, 5.1, 6.4, 8.0, 10.3, 12.5, 16.1, 21.2), "ride": (8.5, 12.0, 18.4, 27.0, 42.5, 63.0),
    "swim": (1.0, 1.5, 2.0), "walk": (2.5, 3.8, 5.2), "hike": (8.4, 11.9, 15.3), "strength": (0.0,), "yoga": (0.0,),
}  # fmt: skip
DESCRIPTIONS = (
    "With {contact} of {company}, who knows every path in {city}.",
    "In {city} for the {title}; out before the first meeting.",
    "Shoes felt flat. Order new ones before {end}.",
    "Legs heavy after two days in the warehouse.",
    "Tested the new {product} on the handlebar: holds.",
    "Stopped twice to take calls about {po}.",
    "",
    "",
    "",
)
COMMENTS = (
    "Strong! Join us in {city} on {start}?",
    "That hill again. Next time with {contact}.",
    "{owner} says this counts double.",
    "Which route was that? I am in {city} until {end}.",
    "Careful with the knee.",
    "See you at the relay.",
)
BIOS = ("Runs before breakfast.", "Bike to work since 2019.", "Training for the {city} half.", "", "")
GEAR = (
    ("Canal shoes", "shoes", "Aldermoor Pace 4", -220, 640.0, 700.0, False),
    ("Track shoes", "shoes", "Aldermoor Sprint", -60, 0.0, 500.0, False),
    ("Trail shoes", "shoes", "Fenwalk Ridge", -400, 180.0, 800.0, False),
    ("Old runners", "shoes", "Aldermoor Pace 3", -900, 830.0, 700.0, True),
    ("Commuter", "bike", "Hollis City 8", -1200, 5400.0, 20000.0, False),
    ("Road bike", "bike", "Castell Veloce", -700, 3100.0, 30000.0, False),
    ("Folding bike", "bike", "Pocketwheel 16", -1900, 2600.0, 9000.0, True),
)
# title, sport, minutes, intensity, notes
WORKOUTS = (
    ("Easy 40", "run", 40, "easy", "So slow that you can talk."),
    ("Intervals 6 x 800 m", "run", 55, "hard", "Two minutes of rest between. Not on the day after another hard one."),
    ("Long run", "run", 100, "moderate", "Last 20 minutes at half-marathon pace."),
    ("Commute both ways", "ride", 70, "easy", ""),
    ("Hills on the bike", "ride", 80, "hard", "Four times the hill at the reservoir."),
    ("Lanes", "swim", 40, "moderate", "1,500 m, 300 of them legs only."),
    ("Core and legs", "strength", 45, "moderate", "Skip the lunges when the knee is sore."),
    ("Yoga", "yoga", 30, "easy", ""),
)
# title, sport, measure, target, at least km, starts, ends, places, rules
CHALLENGES = (
    ("March kilometres", "run", "distance", 80.0, 2.0, -1, 29, 40, prose("""
        Runs of at least two kilometres count. Everybody who reaches 80 kilometres gets a start at the {city} half,
        paid by the company. {company} gives the prize for the first three.""")),
    ("Ride to work", "ride", "activities", 20.0, 3.0, -20, 24, 25, prose("""
        Every ride of three kilometres or more counts once. Put the depot in the name, so that {owner} can see it.""")),
    ("Warehouse steps", "walk", "time", 600.0, 0.0, -45, -2, 30, prose("""
        Walks on site count, with safety shoes. Organised with {company} during the {title}.""")),
    ("Spring hike series", "hike", "distance", 60.0, 5.0, 10, 70, 8, prose("""
        Eight places, because the minibus has eight seats. The first hike starts in {city} on {start}.""")),
    ("Half marathon countdown", "run", "time", 1500.0, 0.0, -14, 42, 50, prose("""
        Running minutes until the {city} half. Treadmill counts when it is logged with a distance.""")),
    ("Swim the Channel", "swim", "distance", 34.0, 0.5, -60, 30, 20, prose("""
        34 kilometres in all; that is the Channel. Half a kilometre at least each time.""")),
    ("January restart", "strength", "activities", 12.0, 0.0, -60, -30, 60, "Twelve visits to the gym in January."),
    ("Relay qualification", "run", "distance", 40.0, 5.0, 3, 24, 4, prose("""
        The four places of the relay team. Runs from five kilometres count. {contact} of {company} keeps the time.""")),
)  # fmt: skip
# title, days since posted, status, body
POSTS = (
    ("Who pays for races", 40, "current", prose("""
        The company pays the start for everybody who has run at least 80 kilometres in the month before, and half of it
        for everybody else. Send the bill to {owner_email} with {po} as the reference, before {end}.""")),
    ("Who pays for races (last year)", 380, "superseded", prose("""
        The company pays every start up to 60 pounds. Send the bill to accounts.""")),
    ("Meeting points", 12, "current", prose("""
        Tuesdays 18:30 at the canal gate, easy pace. Thursdays 07:00 at the track. On the first Sunday we ride to
        {address}, where {contact} of {company} has coffee.""")),
    ("Half-marathon plan, twelve weeks", 55, "current", prose("""
        Three runs a week: easy, hard, long. Never two hard days in a row. The long run grows by ten minutes a week, up
        to 130 minutes, and every fourth week it is halved. Taper in the last ten days.""")),
    ("Half-marathon plan, old", 700, "superseded", prose("""
        Four runs a week, two of them hard. Too many injuries: use the twelve-week plan.""")),
    ("Relay team for the {city} run", 6, "current", prose("""
        Four places. Whoever has the best pace over ten kilometres on the day of selection runs last. Selection ends on
        {start}; {owner} registers the team.""")),
    ("When to replace shoes", 150, "current", prose("""
        After 700 kilometres, trail shoes after 800, track shoes after 500. The shop at the corner gives club members
        15 percent.""")),
    ("Knees and cold weather", 95, "current", prose("""
        Below zero, warm up for ten minutes inside. A sore knee means no lunges, no hills and no track for a week.""")),
)  # fmt: skip
