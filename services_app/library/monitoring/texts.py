"""What is written in the seeded monitoring; slots come from a project and a change of engineering."""

from __future__ import annotations

from services_app.library.shared import prose

# metric, unit, meaning
METRICS = (
    ("system.cpu.user", "percent", "Share of processor time in programs."),
    ("system.disk.in_use", "percent", "Share of the data disk that is full."),
    ("http.requests.errors", "percent", "Share of requests answered with a 5xx status."),
    ("http.requests.p95", "milliseconds", "95 of 100 requests are faster than this."),
    ("postgres.connections", "connections", "Open connections to the database."),
    ("queue.depth", "messages", "Messages that wait to be worked off."),
    ("gateway.signal", "percent", "Strength of the radio link, 100 is best."),
    ("gateway.messages", "messages", "Messages of vehicles and sensors in an hour."),
)
# role -> (metric, usual value, spread)
REPORTED = {
    "app": (("system.cpu.user", 42, 14), ("http.requests.errors", 0.6, 0.5), ("http.requests.p95", 420, 160)),
    "database": (("system.cpu.user", 38, 10), ("system.disk.in_use", 71, 9), ("postgres.connections", 84, 30)),
    "worker": (("system.cpu.user", 55, 15), ("system.disk.in_use", 48, 12), ("queue.depth", 900, 700)),
    "gateway": (("gateway.signal", 76, 14), ("gateway.messages", 340, 150)),
}
# title, metric, aggregator, comparison, critical, warning, priority, message
MONITORS = (
    ("Error rate of {component}", "http.requests.errors", "avg", "above", 2.0, 1.0, 1,
     "More than 2 % of requests fail. Look at the last deployment first; {key} by {author} touched {path}."),
    ("Response time of {component}", "http.requests.p95", "avg", "above", 800, 600, 2,
     "{company} has been promised answers in under a second ({contract}). Tell {owner} before {contact} calls."),
    ("Queue of {component} is growing", "queue.depth", "min", "above", 2500, 1500, 2,
     "Messages wait. Restart one worker at a time; never purge, {company} is billed by message."),
    ("Database disk of {component}", "system.disk.in_use", "last", "above", 88, 80, 3,
     "Below 12 % the nightly export for {company} (order {po}) stops. Ask {author} for more space."),
    ("Processor load of {component}", "system.cpu.user", "avg", "above", 85, 70, 4,
     "Nothing breaks yet. Open an issue if it stays for a day."),
    ("Connections of {component}", "postgres.connections", "max", "above", 180, 140, 3,
     "The limit is 200. The pool of the importer for {po} is the usual cause."),
    ("Weak gateways of {component}", "gateway.signal", "avg", "below", 40, 55, 3,
     "Gateways at {city} and elsewhere with a weak link. Call the site before sending anybody."),
    ("Silent gateways of {component}", "gateway.messages", "max", "below", 20, 60, 2,
     "A gateway sends next to nothing. {contact} ({contact_email}) has the key to the cabinet at {company}."),
)  # fmt: skip
DOWNTIMES = (
    "Database upgrade agreed with {contact} of {company}.",
    "Move of {component} for order {po}; {owner} tells the customer.",
    "Load test for the {title} of {company}.",
    "Certificates are renewed.",
    "Restart after the setting of {key} is changed.",
)
EVENTS = (
    ("Deployed {component} {version}", "success", "deploy", "{key}: {change}. Reviewed by {reviewer}."),
    ("{component} restarted", "warning", "orchestrator", "One of three ran out of memory during the import for {po}."),
    ("Setting changed in {component}", "info", "config", "{change}. {why}"),
    ("Backup of {component} failed", "error", "backup", "Second failure in a week; {author} looks into it."),
    (
        "Rolled back {component} to the version before {version}",
        "error",
        "deploy",
        "{contact} of {company} had called.",
    ),
    ("Traffic peak on {component}", "info", "anomaly", "{seats} new {unit}s of {company} went live."),
)
LOGS = (
    ("info", "Import of order {po} finished: {seats} {unit}s of {sku}."),
    ("info", "Signed in: {contact_email}."),
    ("info", "Configuration for {company} loaded, contract {contract}."),
    ("info", "Invoice data for {po} exported, {amount} in total."),
    ("warn", "Slow query (4.2 s) while listing {unit}s of {company}."),
    ("warn", "Retry 2 of 3: {city} does not answer."),
    ("warn", "Licence for {product} of {company} ends on {end}."),
    ("error", "Import of order {po} failed: quantity {seats} is not in contract {contract}."),
    ("error", "Sign-in refused for {contact_email}: certificate has expired."),
    ("error", "Timeout after 20 s in {path} ({key})."),
    ("error", "Cannot reach {address}; message kept for later."),
)
COMMENTS = (
    "Cause was {key}; {author} has changed it back.",
    "{contact} of {company} noticed before we did.",
    "Planned work on {po}, nobody had set a downtime.",
    "",
    "Went away by itself.",
)
SLO_TEXT = "Promised to {company} in {contract}. {owner} reports it to {contact} each month."
MUTES = (
    "Site of {company} is rebuilt until {end}.",
    "Power is off in {city}; {contact} knows.",
    "New antenna is tested.",
)
CORRECTIONS = ("Upgrade announced to {contact} two weeks before.", "Outside the hours agreed in {contract}.")
NOTEBOOKS = tuple(
    (title, age, prose(body))
    for title, age, body in (
        ("Thresholds for error rates", -40, """
            Critical is 2 % over one hour for every service, warning is 1 %. Critical services may go down to 1.5 %
            if their owner agrees in writing.

            This replaces the page "Thresholds for error rates (2024)", where critical was 5 %."""),
        ("Thresholds for error rates (2024)", -420, """
            Superseded, kept for the record. Critical is 5 % over two hours, warning is 3 %."""),
        ("Who may mute what", -75, """
            Monitors of priority 1 are muted for four hours at most and only by the person on call. Locked monitors
            belong to their owner: nobody else changes them. Gateways at a customer are muted until the day after the
            work on site, never longer than two weeks."""),
        ("Downtimes and customers", -22, """
            A downtime of a critical service is announced five working days before, starts after 18:00 UTC and lasts
            eight hours at most. Two downtimes of one service never follow each other on the same day.

            If a customer was promised a fixed window in the contract, that window counts and not this page."""),
        ("What counts against an objective", -60, """
            Everything that a monitor of the objective saw, unless a correction says otherwise. Corrections of kind
            "other" need the word of the service owner. Outages that a customer noticed first are never corrected."""),
        ("Reading the queue graphs", -130, """
            queue.depth grows each morning at seven and is back below 900 by nine. A minimum above 2500 in one hour is
            a real jam. Depth says nothing about age; look at the logs for the oldest order number."""),
    )
)  # fmt: skip
FINDING = prose("""
    What we found at {company} on {start}: {change}. {why}

    Order {po}, {seats} {unit}s. {contact} ({contact_email}) wants to hear of every restart of {component} until {end}.
    {author} keeps an eye on it; the work is {key}.
""")
