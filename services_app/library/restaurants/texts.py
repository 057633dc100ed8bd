"""What is written in the seeded restaurant service."""

from __future__ import annotations

from services_app.library.shared import prose

# name, cuisine, price level, opens, closes, closed on, description
RESTAURANTS = (
    (
        "Trattoria Sospiro {city}",
        "italian",
        2,
        "11:30",
        "22:30",
        ("monday",),
        "Handmade pasta, long tables, a yard with vines.",
    ),
    (
        "Le Comptoir Gris {city}",
        "french",
        3,
        "12:00",
        "23:00",
        ("sunday",),
        "Six dishes a day and a cellar that deserves a visit. Quiet enough for a contract.",
    ),
    ("Hinoki {city}", "japanese", 3, "17:00", "23:00", ("monday", "tuesday"), "Counter and four tables; no shoes."),
    (
        "Saffron Yard {city}",
        "indian",
        2,
        "11:30",
        "22:00",
        (),
        "Lunch buffet on weekdays for 16.50. Everything can be had without nuts if asked a day before.",
    ),
    (
        "Pier Nine {city}",
        "seafood",
        3,
        "12:00",
        "22:00",
        ("monday",),
        "At the old pilot station. The terrace is heated until October.",
    ),
    (
        "Block & Cleaver {city}",
        "steakhouse",
        4,
        "17:00",
        "23:30",
        ("sunday",),
        "Dry-aged beef, loud on Fridays. The private room has a screen.",
    ),
    (
        "Greenhouse {city}",
        "vegetarian",
        2,
        "11:00",
        "21:30",
        (),
        "A former nursery with glass roof; the noise stays outside. Vegan on request.",
    ),
    (
        "Zum alten Kran {city}",
        "local",
        1,
        "11:00",
        "22:00",
        ("tuesday",),
        "Dockers' kitchen: soup, stew, pie. Parties welcome upstairs.",
    ),
    ("The Ledger {city}", "local", 4, "12:00", "23:00", ("saturday", "sunday"), "In a former bank; booths for four."),
    ("Osteria Vento {city}", "italian", 3, "12:00", "22:30", ("wednesday",), "Fish on Thursdays, risotto always."),
)
POLICIES = (
    prose("""Tables are kept for fifteen minutes. Highchairs and prams only in the main room.

    One bill a table; we divide it by two at most."""),
    prose("""Own wine 18.00 a bottle. Cakes may be brought, the plates cost 2.50 each.

    Since January the private room has a minimum; the room hire of 80.00 is no longer charged."""),
    prose("""Allergies by message a day before; on the day itself we cannot change the stock.

    Dogs on the terrace only."""),
    prose("""Parties order from the group menu or ahead. Invoices name the company only if the address is sent before.

    No service charge is added."""),
)
_ALL = ("vegan", "vegetarian", "gluten_free", "nut_free", "halal")
# course, price factor, diets, name, description; of every kitchen, with a word of its own
DISHES = (
    ("starter", 0.4, ("vegan", "vegetarian", "nut_free", "halal"), "Bread and three spreads", "Baked at noon."),
    ("dessert", 0.35, _ALL, "Poached pear", "In white tea."),
    ("drink", 0.2, _ALL, "House lemonade", "0.5 l."),
    ("drink", 1.1, ("vegan", "vegetarian", "gluten_free", "nut_free"), "House red, bottle", "From a grower we know."),
)
# The same by cuisine.
SPECIALS = {
    "italian": (
        ("starter", 0.5, ("gluten_free", "nut_free"), "Vitello tonnato", "Capers on the side."),
        ("main", 0.85, ("vegetarian", "nut_free"), "Mushroom risotto", "Twenty minutes, no sooner."),
        ("main", 1.2, ("gluten_free", "nut_free"), "Sea bass in salt", "Comes whole; for two when ordered ahead."),
        ("dessert", 0.4, ("vegetarian",), "Walnut tart", "With coffee cream."),
    ),
    "french": (
        ("starter", 0.55, ("gluten_free", "nut_free"), "Leeks vinaigrette", "With egg and chives."),
        ("main", 1.25, ("gluten_free", "nut_free", "halal"), "Entrecôte 300 g", "Fries or salad, not both."),
        ("main", 0.9, ("vegetarian",), "Lentils from Le Puy", "Contains hazelnuts; without them on request."),
        ("dessert", 0.4, ("vegetarian", "gluten_free", "nut_free"), "Crème caramel", "Sold out by nine."),
    ),
    "japanese": (
        ("starter", 0.45, ("vegan", "vegetarian", "nut_free"), "Pickled aubergine", "With sesame."),
        ("main", 1.15, ("nut_free",), "Chef's sushi, twelve pieces", "What came in this morning."),
        ("main", 0.8, ("vegan", "vegetarian", "nut_free", "halal"), "Udon with greens", "Broth of kelp."),
    ),
    "indian": (
        ("starter", 0.4, ("vegetarian", "halal", "nut_free"), "Samosa, three", "Peas and potato."),
        (
            "main",
            0.9,
            ("vegan", "vegetarian", "gluten_free"),
            "Chickpea curry",
            "Contains almonds; without on request.",
        ),
        ("main", 1.0, ("gluten_free", "halal", "nut_free"), "Tandoori chicken", "Half or whole; say which."),
    ),
    "seafood": (
        ("starter", 0.5, ("gluten_free", "nut_free"), "Smoked trout", "Horseradish, cucumber, dill oil."),
        ("main", 1.15, ("gluten_free", "nut_free"), "Fish of the day", "Comes whole. Ask which it is."),
        ("main", 0.85, ("vegetarian", "nut_free"), "Seaweed gnocchi", "For those who do not eat fish."),
    ),
    "steakhouse": (
        ("starter", 0.45, ("gluten_free", "nut_free"), "Beef tartare", "Cut by hand."),
        ("main", 1.5, ("gluten_free", "nut_free", "halal"), "Ribeye 400 g", "Rare unless you say otherwise."),
        ("main", 0.7, ("vegan", "vegetarian", "nut_free"), "Grilled celeriac", "Better than it sounds."),
    ),
    "vegetarian": (
        ("starter", 0.45, ("vegetarian", "gluten_free", "nut_free"), "Beetroot and goat cheese", "Pickled mustard."),
        ("main", 0.9, ("vegan", "vegetarian", "gluten_free", "nut_free"), "Stuffed cabbage", "Buckwheat and plums."),
        ("main", 1.0, ("vegetarian",), "Nut roast", "Four kinds of nuts; nothing for allergic guests."),
    ),
    "local": (
        ("starter", 0.35, ("gluten_free", "nut_free"), "Dockers' soup", "With or without sausage."),
        (
            "main",
            1.0,
            ("halal", "nut_free"),
            "Braised shoulder of lamb",
            "Six hours in the oven, for two when ordered.",
        ),
        ("main", 0.75, ("vegetarian", "nut_free"), "Onion pie", "Half of one is enough for most."),
    ),
}
REQUESTS = (
    "Dinner with {contact} of {company} after the workshop for {title}.",
    "Please no table next to the kitchen; we look at drawings of {title}.",
    "Invoice to Larkfield Systems, order {po}.",
    "{first} comes straight from the depot and may be ten minutes late.",
    "A cake for {owner_first} will be delivered at 17:00.",
    "",
    "",
)
# sender, text
MESSAGES = (
    ("guest", "Two of us are vegetarian. Is the risotto on that evening?"),
    ("restaurant", "The risotto is on. For more than eight we ask you to order ahead by noon of the day before."),
    ("guest", "Please put {po} on the bill, not {contract}."),
    ("restaurant", "Noted. We cannot print two order numbers; it will be the one you gave first."),
    ("restaurant", "The terrace is closed for repairs until {end}; we have moved you to the main room."),
    ("guest", "{contact} is allergic to nuts. Nothing with almonds at this table, please."),
    ("restaurant", "The set menu is 48.00 a head. Correction: 52.00 since January, wine not included."),
    ("guest", "We may be two more. {owner} tells you by phone on the day."),
)
CLOSURES = (
    "Private party of a wedding",
    "Stocktaking",
    "The kitchen gets a new extractor",
    "Staff outing",
    "Closed for the fair",
)
# stars, title, text; `place` is the restaurant
REVIEWS = (
    (5, "They remembered us", "Second visit with {contact} of {company}, same table, drinks there before we sat."),
    (4, "Good for a quiet talk", "Corner table, we went through {contract} undisturbed. The bill took twenty minutes."),
    (2, "Forty minutes for soup", "One waiter for the whole terrace of {place}. They took the desserts off the bill."),
    (3, "Fine, but loud", "Food good; Friday is the wrong day to talk about {title}."),
    (
        1,
        "No table in spite of the code",
        "They had given it away after ten minutes. The policy of {place} says fifteen.",
    ),
    (5, "Allergy taken seriously", "The cook came out and went through the menu with {first}."),
    (4, "Lunch in an hour", "In at 12:00, out at 12:55 and back at {address} by 13:00, coffee included."),
    (2, "Wrong bill", "Room hire was charged although it was dropped in January. {po} refunded after two calls."),
)
FAVORITE_NOTES = (
    "For {company}: {first} likes the booth by the window.",
    "Takes invoices with order number. Ask for table 4.",
    "Good for ten; the private room holds twelve, not fourteen as they say.",
    "Only at lunch.",
    "Never on Fridays with {contact}.",
)
