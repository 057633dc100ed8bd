"""What is written in the seeded profiles."""

from __future__ import annotations

# handle, name, network, characters, posts a day, needs approval, the approver's team ("" for you), weekday times
PROFILES = (
    ("larkfield-systems", "Larkfield Systems", "professional", 3000, 2, True, "marketing", ("08:30", "14:00")),
    ("larkfield_ops", "Larkfield Operations", "microblog", 280, 4, True, "", ("09:15", "12:30", "16:45")),
    ("larkfieldpics", "Larkfield at work", "photo", 2200, 2, False, "marketing", ("11:00",)),
    ("larkfield-tv", "Larkfield films", "video", 1500, 1, True, "marketing", ("15:00",)),
    ("larkfield_status", "Larkfield status", "microblog", 280, 6, False, "support", ("07:30", "17:30")),
)
BLOCKED = (
    ("guys", "Not everybody is one.", "everyone"),
    ("guaranteed", "Legal does not allow promises that no contract holds.", ""),
    ("master", "Old word for the main unit.", "main"),
    ("Fleet Tracker Lite", "Name of a product that was never sold.", "Fleet Tracker"),
    ("downtime", "Support says outage, and gives the time in UTC.", "outage"),
)
# reason, first and last day from today, profile or None, by you
BLACKOUTS = (
    ("Results of the quarter: nothing before they are public", 20, 23, None, False),
    ("Move of the photo studio", 6, 8, "larkfieldpics", True),
    ("Memorial day in Lyon", -12, -12, None, False),
)
TOPICS = (
    ("{product} spring", "Shows {product} at work. Price {price} per {unit} may be named until {end}, not after."),
    ("Customers speak", "One customer a week. {company} agreed to be named in {contract}; others only after asking."),
    ("People of Larkfield", "Colleagues and what they do. Faces only with their consent in writing."),
    ("Open day {city}", "Invites until {start}. Never say how many places are left. {owner} answers questions."),
    ("Service news", "Only facts with times in UTC. Earlier brief asked for jokes; that is over."),
)
POSTS = (
    "{company} now runs {seats} {unit}s of {product}. Thank you, {first}!",
    "From {start} on: {product} for {price} per {unit}. Talk to {owner}.",
    "We are in {city} on {end}. Come and see {product} at work.",
    "The {title} at {company} is done, two days before the plan.",
    "How {contact} saved an hour a day with {product}. The story is on our page.",
    "Question of the week: what do you do with {seats} devices and one socket?",
    "Maintenance of {product} on {end}, 20:00 to 22:00 UTC. Orders are not lost.",
    "Our colleague {owner_first} explains {product} in three minutes.",
)
FAULTY = (
    "Guaranteed delivery by {end} for {company}, for all {seats} of you.",
    "No downtime since {start}. Well done, guys!",
    "{company} {title}: " + "a long story that goes on and on about {product} in {city}, " * 5 + "the end.",
)
NOTES = (
    "{contact} has agreed to be named, see {contract}.",
    "The price is {price}, not the one of last year.",
    "Only after {start}. {owner} says so.",
    "Use the other picture, the old one shows a competitor.",
)
# title, kind, alternative text, credit, licensed until (days from today) or None
MEDIA = (
    ("Dock at {city} by night", "image", "Three trucks at a dock under lamps", "own picture", None),
    ("{first} with a scanner", "image", "Somebody scans a pallet", "{company}", 45),
    ("Map with {seats} vehicles", "image", "", "own picture", None),
    ("{product} in three minutes", "video", "", "own film", None),
    ("Hall of {company}", "image", "A high hall with shelves", "{company}", -5),
    ("Driver in {city}", "image", "A driver looks at a tablet", "Agency Norr", 12),
    ("Interview with {contact}", "video", "", "{company}", 90),
    ("Box of {product}", "image", "A white box with a green label", "own picture", None),
)
# sentiment, text
MESSAGES = (
    ("positive", "We use {product} at {company} and like it. {owner} helped us a lot."),
    ("negative", "Still waiting for {po}. Promised for {start}, nobody answers at your place."),
    ("neutral", "Does the price of {price} per {unit} hold after {end}? Asking for {city}."),
    ("negative", "Your update cost {company} a morning. I expect a call about {contract}."),
    ("neutral", "Is {product} shown in {city} on {end}? We would come with {seats} people."),
    ("positive", "Congratulations on the {title}!"),
    ("negative", "Win a phone, click here: prize.example"),
    ("neutral", "Who is responsible for {contract} now that {owner} is on leave?"),
)
REPLIES = (
    "Thank you, {first}. {owner} calls you today.",
    "{po} left on {start}; it should arrive in {city} by {end}.",
    "Yes, it holds until {end}.",
)
INTERNAL = (
    "Customer since years, {contract}. Be careful: {amount} is at stake.",
    "{owner} has called; wait for an answer before writing again.",
    "Not our fault, the carrier lost {po}. Do not say so in public.",
)
