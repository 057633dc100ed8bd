"""One small story with drawn values, thousands of times: tasks that a tiny model can learn within minutes.

Two shipped services and three calls: the note on a person's contact card names an item, the shop knows its price, and
the price goes to the person's address. Everything that differs between the tasks is one word out of a short list, so
these tasks say nothing about how a model fares on others; they show that training and evaluation work. Each is proven
as any task is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from services_app.engine.protocol import Environment, LocalMounting, Mounting
from services_app.library import registry
from tasks_app.engine.criteria import build_rubric, goal_of, write_scope
from tasks_app.engine.program import Call, Constant, Get, Program, Register, Sequenced, Template, run_program
from tasks_app.engine.proof import submit
from tasks_app.engine.task import Graph, GraphEdge, InitialState, StateEdit, TaskSpec, mounted_services

BACKEND: Final = "practice"
SERVICES: Final = ("mail", "shop-catalog")
STATE_SEED: Final = 1
PEOPLE: Final = tuple(
    "ada bruno celia dario elke fadil greta hanno ilse jovan kaja lorin mirko nadja odo petra".split()
)
TOPICS: Final = tuple("tea rent lunch paint wool soap chalk flour glue twine cocoa felt resin oats wax salt".split())
ITEMS: Final = tuple("vase stool kettle easel trowel lantern mallet sieve quilt trivet bellows funnel".split())
HOUSES: Final = tuple("zorba tango polka rumba salsa bebop disco swing mambo conga fado samba".split())
PRICES: Final = tuple(11.25 + 3.5 * number for number in range(16))
_NAMED: Final = ("person", "topic", "item", "price")
_CARD, _PRODUCT, _VARIANT = "CTC-0901", "PRD-090", "VAR-090"


@dataclass(frozen=True)
class Story:
    """The words of one task. The shop sells the other item as well, at the other price."""

    person: str
    topic: str
    item: str
    house: str
    price: float
    other_item: str
    other_price: float

    @property
    def address(self) -> str:
        return f"{self.house}@practice.example"

    @property
    def instruction(self) -> str:
        return (
            f"write to {self.person} about {self.topic}: the price of the item that the note on the contact card "
            f"of {self.person} names."
        )


def draw(seed: int, number: int) -> Story:
    """Story `number` of a series; it depends on nothing else."""
    rng = random.Random(f"practice:{seed}:{number}")  # noqa: S311 - a reproducible story
    items, prices = rng.sample(ITEMS, 2), rng.sample(PRICES, 2)
    return Story(rng.choice(PEOPLE), rng.choice(TOPICS), items[0], rng.choice(HOUSES), prices[0], items[1], prices[1])


def write(story: Story, mounting: Mounting) -> TaskSpec:
    """The proven task of a story, or one whose `proof` names the claim that fails."""
    edits = _edits(story)
    plain = _plain(mounting)
    world = plain.edited(edit.to_edit() for edit in edits)
    solved = world.fork()
    program = _program(story)
    run = run_program(program, solved.call)
    task = TaskSpec(
        instruction=story.instruction,
        services=mounted_services(world, SERVICES),
        initial=InitialState(seed=STATE_SEED, clock=world.clock, edits=edits),
        graph=Graph(walk=("mail", "shop-catalog", "mail"), edges=_edges(story)),
        reference=program,
        answer=run.answer,
        goal=goal_of(solved),
        rubric=build_rubric(program, run, solved),
        scope=write_scope(solved),
        meaning={"frame": BACKEND, "mentioned": list(_NAMED), "defined": list(_NAMED)},
        tags=("practice",),
        author={"backend": BACKEND, "model": ""},
        lineage=f"practice|{story.person}|{story.topic}",
    )
    proven = submit(task, lambda _: world.fork())
    for environment in (solved, world, plain):
        environment.close()
    return proven


def write_many(count: int, *, seed: int, mounting: Mounting) -> Iterator[TaskSpec]:
    """`count` different proven tasks. Raises ValueError naming the claim for a task that cannot be proven."""
    seen: set[str] = set()
    number = 0
    while len(seen) < count:
        task = write(draw(seed, number), mounting)
        number += 1
        if not task.proof.passed:
            raise ValueError(f"practice task {number} is not proven: {', '.join(task.proof.failing)}")
        if task.task_hash not in seen:
            seen.add(task.task_hash)
            yield task


def local_mounting() -> LocalMounting:
    """The two services in this process."""
    return LocalMounting([registry.load(slug) for slug in SERVICES])


def _edits(story: Story) -> tuple[StateEdit, ...]:
    card = {
        "id": _CARD, "name": story.person, "email": story.address, "company": "Practice", "title": "", "phone": "",
        "note": story.item,
    }  # fmt: skip
    edits = [StateEdit(service="mail", table="contacts", id=_CARD, record=card)]
    for number, (item, price) in enumerate(((story.item, story.price), (story.other_item, story.other_price)), start=1):
        edits += _for_sale(number, item, price)
    return tuple(edits)


def _for_sale(number: int, item: str, price: float) -> tuple[StateEdit, StateEdit]:
    """An item in the shop with its only variant."""
    product, variant = f"{_PRODUCT}{number}", f"{_VARIANT}{number}"
    return (
        StateEdit(service="shop-catalog", table="products", id=product, record={
            "id": product, "title": item, "handle": item, "product_type": "accessory", "vendor": "Practice",
            "description": "For practice.", "tags": [], "status": "active", "published_on": "2026-01-05",
            "created_at": "2026-01-05T09:00:00Z",
        }),
        StateEdit(service="shop-catalog", table="variants", id=variant, record={
            "id": variant, "product_id": product, "sku": f"PR-{number}", "option": "single", "barcode": "",
            "weight_grams": 400, "opening_price": price, "compare_at_price": None, "unit_cost": 1.0,
        }),
    )  # fmt: skip


def _program(story: Story) -> Program:
    subject = Constant(value=story.topic)
    return Program(
        steps=(
            Call(number=1, service="mail", tool="search_contacts", arguments={"query": Constant(value=story.person)}),
            Get(register_name="address", call=1, path="$.contacts[*].email"),
            Get(register_name="item", call=1, path="$.contacts[*].note"),
            Call(number=2, service="shop-catalog", tool="search_variants", arguments={"query": Register(name="item")},
                 visit=1),
            Get(register_name="price", call=2, path="$.variants[*].price"),
            Call(number=3, service="mail", tool="send_message", visit=2, write=True, arguments={
                "to": Sequenced(items=(Register(name="address"),)),
                "subject": subject,
                "body": Template(parts=(Register(name="price"),)),
            }),
        )
    )  # fmt: skip


def _edges(story: Story) -> tuple[GraphEdge, ...]:
    other_note = StateEdit(service="mail", table="contacts", id=_CARD, patch={"note": story.other_item})
    other_price = StateEdit(
        service="shop-catalog", table="variants", id=f"{_VARIANT}1", patch={"opening_price": story.other_price}
    )
    return (
        GraphEdge(
            position=0, source="mail", target="shop-catalog", name="item", kind="label", how="field", value=story.item,
            alternative=story.other_item, register_name="item", ablation=(other_note,),
        ),
        GraphEdge(
            position=1, source="shop-catalog", target="mail", name="price", kind="money", how="field",
            value=story.price, alternative=story.other_price, revisit=True, register_name="price",
            ablation=(other_price,),
        ),
    )  # fmt: skip


def _plain(mounting: Mounting) -> Environment:
    return mounting.mount(SERVICES, seed=STATE_SEED, scale="small")
