"""What is written in the seeded cloud accounts; slots come from a project and a change of engineering."""

from __future__ import annotations

from services_app.library.shared import prose

# id, name, environment, description
ACCOUNTS = (
    ("larkfield-production", "Production", "production", "Everything that customers use. Changes are announced."),
    ("larkfield-staging", "Staging", "staging", "Copy of production for tests before a release."),
    ("larkfield-demo", "Demo", "sandbox", "Demonstrations and pilots for customers; switched off when they end."),
    ("larkfield-sandbox", "Sandbox", "sandbox", "Experiments of everybody. Nothing here has to last."),
    ("larkfield-data", "Data platform", "production", "Warehouse and exports of the analysts."),
)
# id, vcpus, memory in GB, price an hour, retired
TYPES = (
    ("m5.large", 2, 8, 0.11, False),
    ("m5.xlarge", 4, 16, 0.22, False),
    ("m5.2xlarge", 8, 32, 0.44, False),
    ("c6.large", 2, 4, 0.09, False),
    ("c6.2xlarge", 8, 16, 0.37, False),
    ("r6.large", 2, 16, 0.15, False),
    ("r6.2xlarge", 8, 64, 0.59, False),
    ("m3.large", 2, 8, 0.15, True),
)
PURPOSES = {
    "demo": (
        "Demo of {product} for {company}; {contact} ({contact_email}) has access. May go after {end}.",
        "Pilot under order {po} with {seats} {unit}s. Must run until {end}, {owner} has promised it.",
        "Training environment for the {title} of {company}, contract {contract}.",
    ),
    "sandbox": (
        "Trying out {key}: {change}. {author} removes it afterwards.",
        "Load test for {company} ({seats} {unit}s). Not needed since {start}.",
        "Reproduces what {contact} of {company} reported. Keep it as evidence until {end}.",
    ),
    "staging": (
        "Staging of {component}, follows each release.",
        "Test of {key} before {version}; {reviewer} signs it off.",
    ),
    "data": (
        "Nightly export for {company}, order {po}.",
        "Works off the queries of {owner}; finance needs it until {end}.",
    ),
}
SNAPSHOTS = (
    "Before the change {key} ({change}).",
    "Evidence for {company}, contract {contract}. Keep until {end}.",
    "Before the move of order {po}; {owner} says it can go after {start}.",
    "Weekly copy.",
    "Last state of the demo for {contact} of {company}.",
)
# name, description, rules of ports, range and description
GROUPS = (
    ("web", "Reached by browsers.",
     ((80, 80, "0.0.0.0/0", "Redirects to 443."), (443, 443, "0.0.0.0/0", "Customers."))),
    ("internal", "Between our own machines.",
     ((5432, 5432, "10.20.0.0/16", "Databases."), (22, 22, "10.9.0.0/24", "Jump host."))),
)  # fmt: skip
SITE_RULES = ("Devices at {company}, {city}. Agreed in {contract}.", "{contact} of {company} tests until {end}.")
QUOTA_REASONS = ("Pilot of {company} with {seats} {unit}s from {start}.", "Load test before {version} of {component}.")
POLICIES = tuple(
    (title, age, superseded, prose(body))
    for title, age, superseded, body in (
        ("Stopped instances", -50, False, """
            An instance that has been stopped for 14 days is terminated unless its purpose names a day that is still
            to come. Before that, its owner is told, and a snapshot of every volume that is no root volume is taken and
            locked for 30 days.

            Replaces "Stopped instances (2023)", which said 60 days."""),
        ("Stopped instances (2023)", -800, True, """
            Superseded. Stopped instances are kept for 60 days and then terminated without a snapshot."""),
        ("Sizes", -120, False, """
            Demos run on m5.large or smaller. Anything with 8 vCPUs or more needs the word of the owner of the account.
            Retired types are replaced at the next planned stop."""),
        ("What is open to the internet", -210, False, """
            Ports 80 and 443 only, and only in groups called web. Port 22 comes from the jump host 10.9.0.0/24, in every
            account. Ranges of customers need a description with the number of the contract."""),
        ("Who pays", -33, False, """
            Demos and pilots: CC-100 (sales). Staging and sandbox: CC-500 (engineering). Production: CC-200 (support).
            Data platform: CC-300 (finance). Operations pays for nothing but its own tools (CC-400)."""),
    )
)  # fmt: skip
