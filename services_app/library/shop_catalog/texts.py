"""What is written in the seeded shop."""

from __future__ import annotations

from services_app.library.shared import prose

DESCRIPTIONS = {
    "Fleet Tracker": "Shows where every vehicle is, when it stops and how far it has gone. One update a minute.",
    "Fleet Tracker Pro": "Everything of Fleet Tracker, with driver scores, fuel reports and six updates a minute.",
    "Route Planner": "Plans up to 200 stops a day for each driver and replans when traffic or an order changes.",
    "Dock Scheduler": "Carriers book their own slots at your docks; late arrivals move the slots that follow.",
    "Warehouse Console": "Stock, picking and packing of one site on one screen, with roles for leads and pickers.",
    "Analytics Add-on": "Dashboards and weekly reports over the data of our other products. Needs one of them.",
    "Premium Support": "A named engineer, answers within one hour on working days and four hours at night.",
    "Handheld Scanner HS-2": "The small scanner for 1D codes. Being replaced by the HS-4; spare parts until next year.",
    "Handheld Scanner HS-4": "Reads 1D and 2D codes up to six metres away. Swappable battery, survives falls of 1.8 m.",
    "Label Printer LP-1": "Prints 100 labels a minute, up to 104 mm wide. USB and network, no ribbon needed.",
    "Telematics Unit T5": "Plugs into the diagnostics port of a vehicle and sends position, fuel and fault codes.",
    "Gateway G10": "Connects up to 250 sensors of a site to the network, with its own mobile connection as a spare.",
    "Cold-chain Sensor": "Logs temperature and humidity every five minutes for three years on one battery.",
    "Wall Dock Charger": "Charges four handhelds or eight batteries on the wall. Full in two and a half hours.",
    "Onboarding Package": "Two days with our people: data in, users trained, first reports running. Travel included.",
    "Data Migration": "One day of moving master data, history and users from your old system, with a test run before.",
    "On-site Training": "One day for up to twelve people at your place, with exercises on your own data.",
    "Integration Workshop": "One day with an engineer to connect your ERP, web shop or carrier over our interfaces.",
    "Site Survey": "We measure radio coverage, power and mounting points and hand over a plan with a parts list.",
    "Custom Report": "One report as you describe it, with up to two rounds of changes and a schedule by mail.",
}
SPECS = {
    "Handheld Scanner HS-2": (("Battery", "14 hours, fixed"), ("Protection", "IP54"), ("Reading distance", "0.6 m")),
    "Handheld Scanner HS-4": (("Battery", "18 hours, swappable"), ("Protection", "IP65"), ("Reading distance", "6 m")),
    "Label Printer LP-1": (("Label width", "104 mm"), ("Resolution", "203 dpi"), ("Duty", "8 hours a day")),
    "Telematics Unit T5": (("Supply", "9 to 32 V"), ("Memory", "30 days without network"), ("Certificate", "E13-10R")),
    "Gateway G10": (("Sensors", "250"), ("Spare connection", "LTE Cat 4"), ("Operating temperature", "-20 to 55 °C")),
    "Cold-chain Sensor": (("Range", "-40 to 85 °C"), ("Accuracy", "0.3 °C"), ("Battery", "3 years, not replaceable")),
    "Wall Dock Charger": (("Places", "4 handhelds"), ("Power", "60 W"), ("Mounting", "4 screws, template included")),
}
ACCESSORY_SPECS = (
    ("Fits", "{product} only"),
    ("Warranty", "24 months, 12 months for batteries"),
    ("Country of origin", "Norway"),
    ("Minimum order", "5 units; boxes are not opened"),
)
TAGS = {
    "hardware": ("warehouse", "bestseller", "rugged", "new", "cold-chain"),
    "subscription": ("software", "bestseller", "fleet", "yearly-discount"),
    "service": ("on-site", "project", "fixed-price"),
    "accessory": ("spare-part", "clearance", "warehouse", "gift"),
}
OPTIONS = {
    "hardware": (("EU plug", "", 1.0), ("UK plug", "-UK", 1.0), ("US plug", "-US", 1.05)),
    "subscription": (("monthly", "", 1.0), ("yearly", "-Y", 10.0)),
    "service": (("standard", "", 1.0), ("at weekends", "-WE", 1.4)),
    "accessory": (("single", "", 1.0), ("pack of ten", "-10", 9.0)),
}
REASONS = (
    "Supplier raised the price by 4 %; agreed with {owner}.",
    "Yearly adjustment, see the guideline “Price changes”.",
    "Matched to the offer for {title}.",
    "Clearance until {end}; stock in {city} has to go.",
    "Typing error in the last change, corrected.",
)
COLLECTIONS = (
    ("Bestsellers", "What most customers start with.", "tag", "bestseller"),
    ("Accessories under 30", "Small things for every day.", "price_below", "30"),
    ("Everything by Brennholm", "Cases and sleeves.", "vendor", "Brennholm Cases"),
    ("On-site services", "We come to you.", "tag", "on-site"),
    ("Subscriptions", "Monthly or yearly.", "product_type", "subscription"),
    ("Start page", "At most six products, changed every Monday.", None, ""),
    ("Cold chain", "For food and pharma.", None, ""),
    ("Spring offers", "Until the end of May.", None, ""),
    ("Spring offers (last year)", "Not shown any more, kept for its order.", None, ""),
)
PRICE_LISTS = (
    ("Retail partners", "EUR", 12.0, 20, 3.0, None),
    ("Framework customers", "EUR", 8.0, 50, 5.0, None),
    ("Public sector", "EUR", 10.0, 25, 0.0, 120),
    ("United Kingdom", "GBP", 5.0, 30, 4.0, None),
    ("Launch offer", "EUR", 20.0, 10, 2.0, -20),
)
REVIEWS = (
    (5, "Does what it should", "We use it in {city} since {start}. Setting up {seats} of them took a morning."),
    (5, "Good support", "One arrived broken, {owner_first} sent a new one the next day without any paper."),
    (
        4,
        "Solid, but the manual",
        "Works well for {title}. The manual does not say how to reset it: hold both keys for ten seconds.",
    ),
    (4, "Worth the price", "Cheaper than what we had. We would buy more than {seats} if there were a larger pack."),
    (
        3,
        "Battery could be better",
        "Ten hours in our cold store, not what the page says. At room temperature it is fine.",
    ),
    (3, "Late delivery", "The thing is good; {po} came nine days late and in two parcels."),
    (2, "Does not fit", "Bought for our older model and it does not fit. The page should say so."),
    (1, "Stopped after a month", "Two of {seats} went dark. Please call me, {contact}, about {contract}."),
    (1, "Call me", "I can sell you the same at half the price, see cheap-scanners dot example."),
)
GUIDELINES = (
    (
        "Price changes",
        prose("""A price moves by at most 20 % at once; larger steps are announced 14 days ahead. Never go
    below a margin of 15 %. Prices in the shop end in .00, .50 or .90. Tell the sales managers before prices of
    subscriptions change."""),
    ),
    (
        "Price changes (superseded)",
        prose("""Old rule, no longer valid: steps of up to 30 % were free and the margin had to be 10 %. Kept
    because older price histories refer to it."""),
    ),
    (
        "Struck-through prices",
        prose("""The struck-through price is the lowest price of the last 30 days, never the list price of the
    maker. A sale ends after 60 days at the latest; then the struck-through price goes."""),
    ),
    (
        "Names and descriptions",
        prose("""Titles name the thing first and the model after it. No capitals, no exclamation marks.
    Descriptions have at least 40 characters and say for which model an accessory is made."""),
    ),
    (
        "Images",
        prose("""The first image shows the product alone on white. Every image has an alternative text that
    says what is seen, not what is sold."""),
    ),
    (
        "Reviews",
        prose("""Publish reviews whatever their stars. Reject advertising, insults and phone numbers. Reviews
    with one or two stars get a reply within two working days, signed with a first name. Never offer money in
    public."""),
    ),
    (
        "Price lists",
        prose("""Fixed prices are for framework customers and are reviewed each quarter. Public sector prices
    need no approval up to 10 %. An expired list is never prolonged: make a new one."""),
    ),
    (
        "Start page",
        prose("""Six products at most, of which two are accessories. What is on clearance does not stand on the
    start page. Changed on Mondays by operations."""),
    ),
)
