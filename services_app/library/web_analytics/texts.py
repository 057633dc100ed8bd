"""What is written in the seeded web analytics; slots come from a project."""

from __future__ import annotations

from services_app.library.shared import prose

# name, domain, description, role of the signed-in user
PROPERTIES = (
    ("Main site", "www.larkfield.example", "Products, prices, customer stories and the contact form.", "admin"),
    ("Shop", "shop.larkfield.example", "Hardware and accessories; orders end on /thanks.", "editor"),
    ("Documentation", "docs.larkfield.example", "Manuals and release notes.", "admin"),
    ("Careers", "jobs.larkfield.example", "Open positions. Looked after by the people team.", "viewer"),
)
# path, title; for each site
FIXED_PAGES = (
    (("/", "Fleet and warehouse software"), ("/pricing", "Prices"), ("/contact", "Talk to us"),
     ("/thanks/demo", "Thank you for your request")),
    (("/", "Shop"), ("/cart", "Your cart"), ("/thanks", "Order received")),
    (("/", "Documentation"), ("/release-notes", "Release notes"), ("/api", "API reference")),
    (("/", "Work with us"), ("/thanks", "We have your application")),
)  # fmt: skip
# source, medium, whether links carry a campaign
SOURCES = (
    ("google", "organic", False),
    ("google", "cpc", True),
    ("newsletter", "email", True),
    ("linkedin", "social", True),
    ("direct", "none", False),
    ("bing", "organic", False),
    ("trade-press.example", "referral", False),
    ("uptime-probe", "referral", False),
)
EVENTS = ("demo_request", "brochure_download", "newsletter_signup", "add_to_cart")
# site, name, kind, match, value, description
GOALS = (
    (0, "Demo requested", "event", "demo_request", 120.0, "{owner} calls back within a day."),
    (0, "Reached the contact form", "page", "/contact", 8.0, "Half of them write to us."),
    (0, "Brochure downloaded", "event", "brochure_download", 5.0, "Counts once the form is filled in."),
    (1, "Order placed", "page", "/thanks", 85.0, "Mean order in the shop; {owner} checks it each quarter."),
    (1, "Put in the cart", "event", "add_to_cart", 2.0, "Mostly the {product}."),
    (2, "Read the release notes", "page", "/release-notes", 1.0, "Fewer calls at the customer desk."),
    (3, "Applied", "page", "/thanks", 40.0, "One application, whatever the position."),
)
TOPICS = ("fleet", "cold-chain", "docks", "scanners", "spring", "trade-fair", "partners", "winter")
CAMPAIGN_NOTES = (
    "Aimed at {industry} in {country}. {contact} of {company} is quoted; the release ends on {end}.",
    "Budget agreed with {owner}: {amount} at most. Anything above goes through procurement.",
    "Together with {company} ({contract}); they pay half of it. Links need utm_content=partner.",
    "Stops when {seats} {unit}s are sold. Landing page is the one of {product}.",
    "Copy of last year, do not reuse its links.",
)
ANNOTATIONS = (
    ("release", "New page for {product}; {owner} had asked for it."),
    ("note", "{company} links to us since today, expect visits from {country}."),
    ("outage", "Site was down for two hours, no tracking."),
    ("note", "Mail to {seats} contacts about the {title}."),
    ("release", "Consent banner changed: about a tenth less traffic is seen from now on."),
    ("note", "Price of {sku} is {price} from today; order {po} was the first."),
)
FILTERS = (
    (0, "source", "uptime-probe", "Our own monitoring, no visitors.", True),
    (1, "source", "uptime-probe", "Our own monitoring, no visitors.", True),
    (2, "source", "uptime-probe", "Left on by mistake until the move; off so that old reports stay.", False),
    (0, "campaign", "winter-test-2025", "Test links of the agency.", False),
)
SEGMENTS = (
    ("Search", {"medium": "organic"}),
    ("Paid", {"medium": "cpc"}),
    ("Phones", {"device": "mobile"}),
    ("Newsletter readers", {"source": "newsletter", "medium": "email"}),
    ("Product pages", {"path_prefix": "/products"}),
    ("Customer stories from search", {"path_prefix": "/customers", "medium": "organic"}),
)
PLAN = tuple(
    (title, age, superseded, prose(body))
    for title, age, superseded, body in (
        ("Names of campaigns", -70, False, """
            Topic, if needed the market, year: cold-chain-2026 or docks-nl-2026. Lower case, hyphens, no product
            numbers. utm_content is used when a partner pays: then it is "partner".

            This replaces "Names of campaigns (2024)", which put the medium first."""),
        ("Names of campaigns (2024)", -640, True, """
            Superseded. Medium, month, topic: cpc-03-fleet."""),
        ("What goals are worth", -40, False, """
            A demo request 120, an order in the shop 85, a brochure 5. Values change once a quarter and only with the
            word of the sales manager; a new value holds for the past, so note it as an annotation on the day."""),
        ("When a campaign is stopped", -25, False, """
            A paid campaign that has cost more than 60 for each conversion after 14 days is ended, whatever is left of
            its budget. Campaigns that a customer pays a share of are never ended without asking the contact named in
            the notes."""),
        ("What is left out", -150, False, """
            Our monitoring (source uptime-probe) and test links. Countries are never filtered: a peak from one country
            gets an annotation. Filters change the past; say so in the reason."""),
    )
)  # fmt: skip
