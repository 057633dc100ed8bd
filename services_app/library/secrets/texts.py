"""What is written in the seeded secrets manager; slots come from a project, a machine and a change."""

from __future__ import annotations

from services_app.library.shared import prose

# name, description, critical, group that views it
VAULTS = (
    ("Production databases", "Accounts of the databases that customers' data is in.", True, "Engineers"),
    ("Cloud accounts", "Consoles and root accounts of the cloud provider.", True, "Engineers"),
    ("Payments and banking", "Bank portals, payment provider, signing keys.", True, "Finance"),
    ("Support tools", "What the customer desk works with every day.", False, "Customer desk"),
    ("Offices", "Alarm codes, Wi-Fi and lockers in London, Rotterdam and Lyon.", False, "Everybody in operations"),
    ("Devices", "Signing keys and maintenance logins of scanners and gateways.", False, "Engineers"),
)
GROUPS = (
    ("Engineers", "Everybody who builds and runs our products.", "engineering"),
    ("Customer desk", "Support and customer success.", "support"),
    ("Finance", "Accounts and billing.", "finance"),
    ("Everybody in operations", "Operations and logistics.", "operations"),
    ("Account managers", "Sales; they see the vaults of their customers.", "sales"),
)
# kind, name, user name, address, notes; for the vault of a customer
CUSTOMER_SECRETS = (
    ("password", "SFTP of {company}", "larkfield-{po}", "sftp://files.{domain}",
     "For the nightly import of order {po}. {contact} ({contact_email}) resets it within a day."),
    ("api_key", "API key of {company} for {product}", "", "https://api.{domain}",
     "{seats} {unit}s under {contract}. Works until {end}; ask {owner} before it is renewed."),
    ("certificate", "Client certificate for {company}", "", "https://gateway.{domain}",
     "Issued by their IT for the {title}. A new one takes {contact} five working days."),
    ("password", "Guest Wi-Fi at {address}", "guest", "",
     "Changes on the first of the month. For people on site with {contact} only."),
)  # fmt: skip
FIXED_SECRETS = (
    ("Cloud accounts", "recovery_code", "Root account larkfield-production", "root", "https://console.cloud.example",
     "Break glass only. Two people, one of them {author}. Note the incident in the reason."),
    ("Cloud accounts", "password", "Console of larkfield-demo", "noor.haddad", "https://console.cloud.example",
     "Used for pilots such as {po}. Whoever uses it tells {owner}."),
    ("Payments and banking", "password", "Bank portal", "larkfield", "https://bank.example",
     "Payments above 5,000 need a second person. Not for anybody outside finance."),
    ("Support tools", "password", "Help desk administrator", "admin", "https://help.larkfield.example",
     "Replaced on the first Monday of each quarter."),
    ("Offices", "password", "Alarm code Larkfield House", "", "", "Cleaning has its own code."),
    ("Devices", "ssh_key", "Maintenance login of gateways G10", "maint", "",
     "Opens every gateway in the field. {contact} of {company} wants a call before it is used there."),
)  # fmt: skip
MACHINE_NOTES = (
    "Replication uses it, too: rotate outside 07:00 to 09:00 UTC. {key} depends on it.",
    "Shared with the nightly export for {company} ({po}).",
    "Old pool of {author} still uses version before; see {key}.",
)
REASONS = (
    "Import of {po} failed, {contact} of {company} waits.",
    "Rotation before {end}, as agreed in {contract}.",
    "Setting up the {title} at {company}.",
    "{key}: {change}.",
    "{owner} is away until {end}; I look after {company}.",
    "Audit of {company} on {start}.",
)
COMMENTS = (
    "Fine until {end}.",
    "Only for {po}.",
    "Ask {owner} instead, {company} has its own vault.",
    "Not without a ticket.",
)
TOKENS = (
    ("importer {po}", "Nightly import for {company} on the worker in {city}."),
    ("ci {key}", "Pipeline of {component}; {author} looks after it."),
    ("export {contract}", "Export to {company}; ends with the contract on {end}."),
    ("labels {po}", "Label printers at {address}."),
)
POLICIES = tuple(
    (title, age, superseded, prose(body))
    for title, age, superseded, body in (
        ("How often secrets are rotated", -35, False, """
            Passwords in critical vaults: every 90 days. All other passwords: every 180 days. API keys: once a year or
            when somebody leaves who has checked them out in the last 90 days. Certificates are renewed 14 days before
            they expire.

            This replaces "Rotation (2023)"."""),
        ("Rotation (2023)", -900, True, """
            Superseded. Every password is rotated every 30 days, API keys never."""),
        ("Who approves access", -80, False, """
            Access to a critical vault needs two approvers and lasts 30 days at most. The role manager is given to
            people of the team that owns the vault, never to guests. A request whose reason names no order, contract or
            issue is denied."""),
        ("Break glass", -150, False, """
            Root accounts and recovery codes are checked out during an incident of severity 1 or 2 only. The reason
            starts with the number of the incident. The secret is rotated the same day."""),
        ("When somebody leaves", -210, False, """
            On the last day: suspend the user, revoke every grant, take them out of all groups, rotate what they had
            checked out in the last 30 days. Tokens they own go to their manager or are revoked."""),
    )
)  # fmt: skip
