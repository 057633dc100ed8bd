"""Practice tasks over one, two or three services and two to five calls: what experiments on a CPU compare.

All kinds use the words of `practice`, the same tools in the same ways, and each call is one visit of the walk; a walk
over one service stays where it is. So the kinds differ in how many services a task joins (K) and how long it is (L).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from services_app.engine.protocol import Mounting
from tasks_app.authors.practice import (
    CARD,
    HOUSES,
    ITEMS,
    PEOPLE,
    PRICES,
    PRODUCT,
    TOPICS,
    contact,
    for_sale,
    priced,
)
from tasks_app.authors.practice_chains import Chain, Look, distinct, mail_to, write_chain
from tasks_app.engine.program import Constant, Expression, Register, Template
from tasks_app.engine.task import StateEdit, TaskSpec

NOTEBOOK: Final = "NB-090"


@dataclass(frozen=True)
class Words:
    """What is drawn for one task; each list without repeats."""

    people: tuple[str, ...]
    items: tuple[str, ...]
    addresses: tuple[str, ...]
    prices: tuple[float, ...]
    topic: str


@dataclass(frozen=True)
class Kind:
    """A kind of practice task: services that it joins, calls, and how its story is made of words."""

    name: str
    services: tuple[str, ...]
    length: int
    chain: Callable[[Words], Chain]

    @property
    def needed(self) -> int:
        """K."""
        return len(self.services)


def write_kind(kind: Kind, count: int, *, seed: int, mounting: Mounting, services: Sequence[str]) -> Iterator[TaskSpec]:
    """`count` different proven tasks of a kind with `services` mounted; which ones depends on kind and seed only.

    Raises ValueError as `distinct` does.
    """

    def make(number: int) -> TaskSpec:
        return write_chain(kind.chain(_draw(kind.name, seed, number)), mounting, services)

    return distinct(make, count, kind=kind.name)


def _draw(kind: str, seed: int, number: int) -> Words:
    rng = random.Random(f"practice:{kind}:{seed}:{number}")  # noqa: S311 - a reproducible story
    return Words(
        people=tuple(rng.sample(PEOPLE, 3)),
        items=tuple(rng.sample(ITEMS, 4)),
        addresses=tuple(f"{house}@practice.example" for house in rng.sample(HOUSES, 3)),
        prices=tuple(rng.sample(PRICES, 2)),
        topic=rng.choice(TOPICS),
    )


def _mail(words: Words) -> Chain:
    """mail, mail, mail: the card names an address, the card with that address an item."""
    person, other, third = words.people
    first, second, last = words.addresses
    item, spare = words.items[:2]
    pointer = StateEdit(service="mail", table="contacts", id=f"{CARD}1", patch={"note": last})
    note = StateEdit(service="mail", table="contacts", id=f"{CARD}2", patch={"note": spare})
    return Chain(
        instruction=f"write to {person} about {words.topic}: the note on the card of the address that the note on the "
        f"contact card of {person} names.",
        edits=(
            contact(f"{CARD}1", person, first, second),
            contact(f"{CARD}2", other, second, item),
            contact(f"{CARD}3", third, last, spare),
        ),
        looks=(
            Look("mail", "search_contacts", "query", "$.contacts[*].note", "next address", "label", second, last,
                 pointer, asks=person, also=(("address", "$.contacts[*].email"),)),
            Look("mail", "search_contacts", "email", "$.contacts[*].note", "item", "label", item, spare, note,
                 key="next address"),
        ),
        service="mail",
        tool="send_message",
        arguments=mail_to(Register(name="address"), words.topic, "item"),
        mentioned=("person", "topic", "item"),
        lineage=_family(person, words.topic),
    )  # fmt: skip


def _shop(words: Words) -> Chain:
    """shop, shop, shop: the vendor of an item is another item, whose price is noted on the first one."""
    item, following, spare, _ = words.items
    price, other = words.prices
    pointer = StateEdit(service="shop-catalog", table="products", id=f"{PRODUCT}1", patch={"vendor": spare})
    arguments: dict[str, Expression] = {
        "product_id": Register(name="product"),
        "name": Constant(value=words.topic),
        "value": Template(parts=(Register(name="price"),)),
    }
    return Chain(
        instruction=f"note on the {item} under {words.topic}: the price of the item that stands as its vendor.",
        edits=(
            *for_sale(1, item, 99.5, following),
            *for_sale(2, following, price),
            *for_sale(3, spare, other),
        ),
        looks=(
            Look("shop-catalog", "search_products", "query", "$.products[*].vendor", "item", "label", following, spare,
                 pointer, asks=item, also=(("product", "$.products[*].id"),)),
            priced("item", price, other, number=2),
        ),
        service="shop-catalog",
        tool="set_specification",
        arguments=arguments,
        mentioned=("item", "topic", "price"),
        lineage=_family(item, words.topic),
    )  # fmt: skip


def _pair(length: int) -> Callable[[Words], Chain]:
    """Mail and shop by turns, ending with the shop's price and a message: `length` visits, 2 to 5."""
    return lambda words: _alternating(words, length)


def _alternating(words: Words, length: int) -> Chain:
    person, keeper, other_keeper = words.people
    looks: list[Look] = []
    edits: list[StateEdit] = []
    wanted, place = "", 0
    if length in (3, 5):
        looks.append(_card(1, words.items[0], words.items[1], "item", asks=person))
        edits.append(contact(f"{CARD}1", person, words.addresses[0], words.items[0]))
        wanted = "item"
    if length >= 4:
        # An item's vendor is a person whose card names the item that is asked for.
        first = words.items[0]
        looks.append(_vendor(keeper, other_keeper, wanted, first))
        edits += for_sale(1, first, 99.5, keeper)
        if length == 5:
            edits += for_sale(4, words.items[1], 99.5, other_keeper)
        looks.append(_card(2, words.items[2], words.items[3], "next item", key="person"))
        edits.append(contact(f"{CARD}2", keeper, words.addresses[1], words.items[2]))
        edits.append(contact(f"{CARD}3", other_keeper, words.addresses[2], words.items[3]))
        wanted, place = "next item", 2
    return _message(words, length, looks, edits, (wanted, place))


def _message(
    words: Words, length: int, looks: Sequence[Look], edits: Sequence[StateEdit], wanted: tuple[str, int]
) -> Chain:
    """The last look-up, at the price of the wanted item, and the message to the address of the last card."""
    name, place = wanted
    price, other = words.prices
    item, spare = words.items[place : place + 2]
    asked = priced(name, price, other, number=2)
    if not name:
        asked = replace(asked, asks=item)
    to: Expression = Constant(value=words.addresses[0])
    if looks:
        to = Register(name="next address" if length >= 4 else "address")
    begin = f"write to {words.people[0]} about {words.topic}" if length == 3 else f"write about {words.topic}"
    story = {
        2: f"write to {words.addresses[0]} about {words.topic}: the price of the {item}.",
        3: f"{begin}: the price of the item that the note on the contact card of {words.people[0]} names.",
        4: f"{begin} to the vendor of the {words.items[0]}: the price of the item that the note on their card names.",
        5: f"{begin} to the vendor of the item that the note on the contact card of {words.people[0]} names: the price "
        "of the item that the note on the card of that vendor names.",
    }[length]
    return Chain(
        instruction=story,
        edits=(*edits, *for_sale(2, item, price), *for_sale(3, spare, other)),
        looks=(*looks, asked),
        service="mail",
        tool="send_message",
        arguments=mail_to(to, words.topic, "price"),
        mentioned=("person", "topic", "item", "price"),
        lineage=_family(words.people[0] if length in (3, 5) else item if length == 2 else words.items[0], words.topic),
    )


def _card(number: int, item: str, other: str, name: str, *, asks: str = "", key: str = "") -> Look:
    changed = StateEdit(service="mail", table="contacts", id=f"{CARD}{number}", patch={"note": other})
    address = name.replace("item", "address")
    return Look(
        "mail", "search_contacts", "query", "$.contacts[*].note", name, "label", item, other, changed, asks=asks,
        key=key, also=((address, "$.contacts[*].email"),),
    )  # fmt: skip


def _vendor(person: str, other: str, key: str, item: str) -> Look:
    changed = StateEdit(service="shop-catalog", table="products", id=f"{PRODUCT}1", patch={"vendor": other})
    return Look(
        "shop-catalog", "search_products", "query", "$.products[*].vendor", "person", "label", person, other, changed,
        key=key, asks="" if key else item,
    )  # fmt: skip


def _three(words: Words) -> Chain:
    """notes, shop, mail: a notebook names an item, the shop its price."""
    person, item, spare = words.people[0], *words.items[:2]
    price, other = words.prices
    notebook = {
        "id": NOTEBOOK, "name": person, "stack": item, "owner_email": "noor.haddad@larkfield.example",
        "default": False,
    }  # fmt: skip
    restacked = StateEdit(service="notes", table="notebooks", id=NOTEBOOK, patch={"stack": spare})
    return Chain(
        instruction=f"write to {words.addresses[0]} about {words.topic}: the price of the item in whose stack the "
        f"notebook {person} stands.",
        edits=(
            StateEdit(service="notes", table="notebooks", id=NOTEBOOK, record=notebook),
            *for_sale(1, item, price),
            *for_sale(2, spare, other),
        ),
        looks=(
            Look("notes", "list_notebooks", "query", "$.notebooks[*].stack", "item", "label", item, spare, restacked,
                 asks=person),
            priced("item", price, other),
        ),
        service="mail",
        tool="send_message",
        arguments=mail_to(Constant(value=words.addresses[0]), words.topic, "price"),
        mentioned=("person", "topic", "item", "price"),
        lineage=_family(person, words.topic),
    )  # fmt: skip


def _family(word: str, topic: str) -> str:
    """Relatives of any kind, which never lie in two splits: the same word with the same topic."""
    return f"practice|{word}|{topic}"


BOTH: Final = ("mail", "shop-catalog")
KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("mail-3", ("mail",), 3, _mail),
        Kind("shop-3", ("shop-catalog",), 3, _shop),
        Kind("pair-2", BOTH, 2, _pair(2)),
        Kind("pair-3", BOTH, 3, _pair(3)),
        Kind("pair-4", BOTH, 4, _pair(4)),
        Kind("pair-5", BOTH, 5, _pair(5)),
        Kind("three-3", ("mail", "notes", "shop-catalog"), 3, _three),
    )
}
"""By name: the services, and the number of calls."""
