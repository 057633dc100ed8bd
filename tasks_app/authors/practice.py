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

from services_app.engine.protocol import LocalMounting, Mounting
from services_app.library import registry
from tasks_app.authors.practice_chains import BACKEND, Chain, Look, distinct, mail_to, write_chain
from tasks_app.engine.program import Register
from tasks_app.engine.task import StateEdit, TaskSpec

__all__ = ["BACKEND", "SERVICES", "Story", "draw", "local_mounting", "write", "write_many"]

SERVICES: Final = ("mail", "shop-catalog")
PEOPLE: Final = tuple(
    "ada bruno celia dario elke fadil greta hanno ilse jovan kaja lorin mirko nadja odo petra".split()
)
TOPICS: Final = tuple("tea rent lunch paint wool soap chalk flour glue twine cocoa felt resin oats wax salt".split())
ITEMS: Final = tuple("vase stool kettle easel trowel lantern mallet sieve quilt trivet bellows funnel".split())
HOUSES: Final = tuple("zorba tango polka rumba salsa bebop disco swing mambo conga fado samba".split())
PRICES: Final = tuple(11.25 + 3.5 * number for number in range(16))
_NAMED: Final = ("person", "topic", "item", "price")
CARD, PRODUCT, VARIANT = "CTC-0901", "PRD-090", "VAR-090"


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
    return write_chain(chain_of(story), mounting, SERVICES)


def chain_of(story: Story) -> Chain:
    """The three calls of a story: the contact card, the shop, the message."""
    other_note = StateEdit(service="mail", table="contacts", id=CARD, patch={"note": story.other_item})
    return Chain(
        instruction=story.instruction,
        edits=_edits(story),
        looks=(
            Look("mail", "search_contacts", "query", "$.contacts[*].note", "item", "label", story.item,
                 story.other_item, other_note, asks=story.person, also=(("address", "$.contacts[*].email"),)),
            priced("item", story.price, story.other_price),
        ),
        service="mail",
        tool="send_message",
        arguments=mail_to(Register(name="address"), story.topic, "price"),
        mentioned=_NAMED,
        lineage=f"practice|{story.person}|{story.topic}",
    )  # fmt: skip


def priced(key: str, price: float, other: float, *, number: int = 1) -> Look:
    """Ask the shop for the price of the item in register `key`, which is planted item `number`."""
    cheaper = StateEdit(
        service="shop-catalog", table="variants", id=f"{VARIANT}{number}", patch={"opening_price": other}
    )
    return Look(
        "shop-catalog", "search_variants", "query", "$.variants[*].price", "price", "money", price, other, cheaper,
        key=key,
    )  # fmt: skip


def write_many(count: int, *, seed: int, mounting: Mounting) -> Iterator[TaskSpec]:
    """`count` different proven tasks. Raises ValueError as `distinct` does."""
    return distinct(lambda number: write(draw(seed, number), mounting), count)


def local_mounting() -> LocalMounting:
    """The two services in this process."""
    return LocalMounting([registry.load(slug) for slug in SERVICES])


def _edits(story: Story) -> tuple[StateEdit, ...]:
    card = contact(CARD, story.person, story.address, story.item)
    return (card, *for_sale(1, story.item, story.price), *for_sale(2, story.other_item, story.other_price))


def contact(key: str, name: str, address: str, note: str) -> StateEdit:
    """A person in the address book."""
    card = {
        "id": key, "name": name, "email": address, "company": "Practice", "title": "", "phone": "", "note": note,
    }  # fmt: skip
    return StateEdit(service="mail", table="contacts", id=key, record=card)


def for_sale(number: int, item: str, price: float, vendor: str = "Practice") -> tuple[StateEdit, StateEdit]:
    """An item in the shop with its only variant."""
    product, variant = f"{PRODUCT}{number}", f"{VARIANT}{number}"
    return (
        StateEdit(service="shop-catalog", table="products", id=product, record={
            "id": product, "title": item, "handle": item, "product_type": "accessory", "vendor": vendor,
            "description": "For practice.", "tags": [], "status": "active", "published_on": "2026-01-05",
            "created_at": "2026-01-05T09:00:00Z",
        }),
        StateEdit(service="shop-catalog", table="variants", id=variant, record={
            "id": variant, "product_id": product, "sku": f"PR-{number}", "option": "single", "barcode": "",
            "weight_grams": 400, "opening_price": price, "compare_at_price": None, "unit_cost": 1.0,
        }),
    )  # fmt: skip
