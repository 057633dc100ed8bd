"""What our engineers work on: components, their settings and releases, and pieces of work, shared by all services.

Built from the cast of the seed, so that the issue FLT-104 has the same title, author, branch and release in the issue
tracker, in source control, in CI, in the releases and in the incidents. Services take as many pieces of work as their
scale asks for, always from the front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from services_app.engine import SeedContext
from services_app.library import cast as people
from services_app.library.cast import Cast, Person, Project, Stream, ascii_name

CHANGES = 420
_PLACES = ("London", "Rotterdam", "Lyon")
_ROLES = ("app", "database", "worker", "app")
_PRIME = 2**61 - 1
RELEASE_DAYS = (-126, -105, -84, -63, -42, -21, -5, 9)
"""Days from today on which every component is released; the last one is still to come."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One line of a component's settings file, and why someone would change it."""

    name: str
    value: str
    wanted: str
    reason: str

    def line(self, value: str) -> str:
        return f"{self.name}: {value}"


@dataclass(frozen=True, slots=True)
class Component:
    """A repository, a project of the issue tracker and a pipeline: one thing that is built and released."""

    slug: str
    title: str
    key: str
    language: str
    purpose: str
    settings: tuple[Setting, ...]
    major: int

    def version(self, release: int) -> str:
        """Version of the n-th release of `RELEASE_DAYS`."""
        return f"{self.major}.{release + 4}.0"


@dataclass(frozen=True, slots=True)
class Change:
    """A piece of work. `day` is when it was (or is to be) finished, from today; `release` an index of RELEASE_DAYS."""

    key: str
    component: Component
    kind: str
    title: str
    why: str
    path: str
    setting: Setting | None
    project: Project
    author: Person
    reviewer: Person
    stage: str
    day: int
    release: int

    @property
    def branch(self) -> str:
        word = {"bug": "fix", "feature": "feature", "chore": "chore"}[self.kind]
        return f"{word}/{self.key.lower()}"

    @property
    def version(self) -> str:
        return self.component.version(self.release)


@dataclass(frozen=True, slots=True)
class Machine:
    """A server of ours that runs a component."""

    name: str
    component: Component
    role: str
    place: str


@dataclass(frozen=True, slots=True)
class Engineering:
    components: tuple[Component, ...]
    engineers: tuple[Person, ...]
    changes: tuple[Change, ...]


def build(ctx: SeedContext) -> Engineering:
    """The engineering world of this seed; the same object for every service of a process."""
    return _build(people.build(ctx), ctx.seed, type(ctx.random))  # type: ignore[arg-type]  # see cast.build


def machines(count: int) -> list[Machine]:
    """So many servers in production, the components taking turns."""
    own = [one for one in COMPONENTS if one.settings and one.language != "C" and one.slug != "telematics-gateway"]
    found = []
    for number in range(count):
        component, turn = own[number % len(own)], number // len(own)
        role = _ROLES[turn % len(_ROLES)]
        name = f"{component.key.lower()}-{role[:3]}-{turn + 1:02d}"
        found.append(Machine(name, component, role, _PLACES[number % len(_PLACES)]))
    return found


def sha(*parts: str) -> str:
    """Ten hexadecimal digits that follow from the parts, as short commit and blob ids do."""
    number = int.from_bytes("\0".join(("object", *parts)).encode(), "big")
    return f"{number % _PRIME * 0x9E3779B97F4A7C15 % _PRIME % 16**10:010x}"


def customer_file(ctx: SeedContext, project: Project) -> str:
    """Content of a customer's configuration: what has been agreed, in YAML."""
    return (
        f"customer: {project.company.name}\nsite: {project.company.address}\norder: {project.po_number}\n"
        f"contract: {project.contract}\nproduct: {project.product.sku}\nquantity: {project.seats}\n"
        f"go_live: {ctx.date(project.start)}\nends: {ctx.date(project.end)}\n"
        f"contact: {project.contact.email}\nowner: {project.owner.email}\n"
    )


def _settings(text: str) -> tuple[Setting, ...]:
    rows = (line.split("|") for line in text.strip().splitlines())
    return tuple(Setting(*(part.strip() for part in row)) for row in rows)


COMPONENTS = (
    Component(
        "fleet-tracker",
        "Fleet Tracker",
        "FLT",
        "Python",
        "Positions, geofences and trips of vehicles.",
        _settings("""
        position_interval_seconds | 60 | 30 | vehicles jump on the map in cities
        geofence_tolerance_metres | 25 | 40 | alerts fire while trucks wait at the gate
        trip_idle_minutes | 5 | 8 | short stops split a trip in two
        history_days | 90 | 120 | the auditors ask for four months
        alert_batch_size | 50 | 20 | alerts arrive in lumps of fifty
        map_tile_cache_mb | 256 | 512 | the map is slow after a restart
        offline_queue_hours | 12 | 24 | tunnels and ferries lose a day of data
        speed_alert_kmh | 90 | 85 | the insurer has lowered the limit
        """),
        4,
    ),
    Component(
        "route-planner",
        "Route Planner",
        "RTE",
        "Python",
        "Plans delivery routes from orders, vehicles and time windows.",
        _settings("""
        max_stops_per_route | 40 | 60 | large tours are cut in two
        solver_timeout_seconds | 20 | 45 | big depots get no plan at all
        default_service_minutes | 6 | 8 | drivers run late by noon
        import_batch_rows | 500 | 2000 | importing orders takes half an hour
        replan_after_minutes | 15 | 10 | late vehicles are replanned too late
        toll_cost_per_km | 0.15 | 0.19 | tolls went up in January
        break_after_hours | 4.5 | 4.0 | the works council wants earlier breaks
        depot_buffer_minutes | 10 | 20 | loading takes longer than planned
        """),
        7,
    ),
    Component(
        "dock-scheduler",
        "Dock Scheduler",
        "DCK",
        "TypeScript",
        "Bookings of loading docks, with slots and waiting lists.",
        _settings("""
        slot_minutes | 30 | 20 | small vans block a dock for half an hour
        no_show_minutes | 15 | 25 | carriers stuck at the border lose their slot
        waiting_list_size | 10 | 25 | carriers are turned away on Mondays
        reminder_hours | 24 | 4 | nobody reads a reminder sent a day before
        max_bookings_per_carrier | 6 | 8 | the largest carrier needs eight slots
        gate_open | "07:00" | "06:30" | the early shift starts at half past six
        cancel_before_hours | 2 | 6 | late cancellations leave docks empty
        """),
        2,
    ),
    Component(
        "warehouse-console",
        "Warehouse Console",
        "WHC",
        "TypeScript",
        "Stock, picking and counting for people on the warehouse floor.",
        _settings("""
        pick_list_size | 24 | 36 | pickers walk the same aisle twice
        session_timeout_minutes | 15 | 45 | people are logged out during counts
        low_stock_percent | 10 | 15 | reorders come too late
        count_tolerance_units | 2 | 1 | differences of two go unnoticed
        label_retries | 1 | 3 | one paper jam stops the line
        export_rows_limit | 10000 | 50000 | the monthly export is cut off
        refresh_seconds | 30 | 10 | two pickers get the same task
        """),
        5,
    ),
    Component(
        "scanner-firmware",
        "Handheld Scanner firmware",
        "SCN",
        "C",
        "Firmware of the handheld scanners HS-2 and HS-4.",
        _settings("""
        sleep_after_seconds | 30 | 90 | scanners fall asleep between two pallets
        beep_volume | 7 | 9 | the beep is not heard on the dock
        wifi_roam_dbm | -70 | -64 | scanners stick to a far access point
        battery_warning_percent | 10 | 20 | scanners die before the break
        trigger_debounce_ms | 40 | 80 | double scans with gloves
        """),
        3,
    ),
    Component(
        "telematics-gateway",
        "Telematics gateway",
        "TGW",
        "Go",
        "Takes in messages of units T5 and gateways G10.",
        _settings("""
        max_message_bytes | 4096 | 8192 | cold-chain sensors send longer messages
        retry_limit | 3 | 6 | messages are lost when a cell is busy
        keepalive_seconds | 300 | 120 | carriers drop quiet connections
        ingest_workers | 8 | 16 | the queue grows every morning at seven
        dead_letter_days | 7 | 14 | support looks at lost messages too late
        tls_minimum | "1.2" | "1.3" | the security audit asks for it
        """),
        1,
    ),
    Component("customer-config", "Customer configuration", "CFG", "YAML", "What is set up for which customer.", (), 9),
    Component("runbooks", "Operations runbooks", "OPS", "Markdown", "How we run, release and repair things.", (), 6),
)
_TOPICS = (
    "after a failed import", "when a certificate expires", "for a full disk", "for a lost gateway", "for slow maps",
    "when label printers stop", "for double bookings", "after a power cut", "for a stuck queue",
    "when scanners lose Wi-Fi", "before a public holiday", "when a site moves", "for a late rollback",
    "after a wrong price list",
)  # fmt: skip
_STAGES = ("done", "done", "done", "done", "review", "review", "doing", "planned")


@lru_cache(maxsize=4)
def _build(cast: Cast, seed: int, stream: Callable[[str], Stream]) -> Engineering:
    rng = stream(f"{seed}:engineering")
    engineers = tuple(cast.team("engineering"))
    numbers = {component.slug: 100 for component in COMPONENTS}
    changes: list[Change] = []
    for work in _work(rng, cast):
        component, kind, title, why, path, setting, project = work
        numbers[component.slug] += rng.randint(1, 4)
        author, reviewer = rng.sample(engineers, 2)
        # The first eight show every stage, whatever the scale.
        stage = _STAGES[len(changes)] if len(changes) < len(_STAGES) else rng.choice(_STAGES)
        day = rng.randint(-120, -6) if stage == "done" else rng.randint(0, 30)
        release = next((index for index, on in enumerate(RELEASE_DAYS) if on > day), len(RELEASE_DAYS) - 1)
        key = f"{component.key}-{numbers[component.slug]}"
        changes.append(
            Change(key, component, kind, title, why, path, setting, project, author, reviewer, stage, day, release)
        )
    return Engineering(COMPONENTS, engineers, tuple(changes))


Work = tuple[Component, str, str, str, str, Setting | None, Project]


def _work(rng: Stream, cast: Cast) -> Iterator[Work]:
    """Pieces of work, none touching what another one touches: settings and runbooks first, customers between."""
    settings = [(component, setting) for component in COMPONENTS for setting in component.settings]
    rng.shuffle(settings)
    topics = list(_TOPICS)
    rng.shuffle(topics)
    projects = iter(cast.projects)
    left = CHANGES
    while left:
        left -= 1
        project = next(projects)
        if settings and left % 4:
            component, setting = settings.pop()
            yield _setting_work(rng, component, setting, project)
        elif topics and left % 8:
            yield _runbook_work(topics.pop(), project)
        else:
            yield _customer_work(project)


def _setting_work(rng: Stream, component: Component, setting: Setting, project: Project) -> Work:
    what = setting.name.replace("_", " ")
    kind = rng.choice(("bug", "bug", "feature"))
    title = f"Change {what} from {setting.value} to {setting.wanted}"
    why = f"{project.company.name} reports that {setting.reason}. Agreed with {project.contact.name}."
    return component, kind, title, why, "config/settings.yaml", setting, project


def _runbook_work(topic: str, project: Project) -> Work:
    why = f"We had no written steps when {project.company.name} called. {project.owner.name} asked for them."
    path = f"steps/{ascii_name(topic).replace('.', '-')}.md"
    return COMPONENTS[7], "chore", f"Write down the steps {topic}", why, path, None, project


def _customer_work(project: Project) -> Work:
    why = f"Order {project.po_number} is confirmed; {project.contact.name} expects everything to be ready."
    title = f"Set up {project.company.name}: {project.title}"
    path = f"customers/{ascii_name(project.company.short)}-{project.po_number.lower()}.yaml"
    return COMPONENTS[6], "feature", title, why, path, None, project
