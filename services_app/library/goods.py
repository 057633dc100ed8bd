"""Accessories of other makers that we resell: the same article has the same number in shop and inventory."""

from __future__ import annotations

from dataclasses import dataclass

from services_app.library.cast import Cast, Product


@dataclass(frozen=True, slots=True)
class Maker:
    """Who makes accessories. `lead_days` is how long an order takes."""

    name: str
    contact: str
    email: str
    city: str
    lead_days: int


@dataclass(frozen=True, slots=True)
class Accessory:
    """Something that fits one of our own products. `cost` is what one costs us."""

    sku: str
    title: str
    fits: Product
    maker: Maker
    price: float
    cost: float
    grams: int
    text: str


_TESSEL = Maker("Tessel Power", "Ragnhild Aas", "orders@tessel-power.example", "Bergen", 21)
_BRENNHOLM = Maker("Brennholm Cases", "Otto Brennholm", "sales@brennholm.example", "Drammen", 14)
_OSTRA = Maker("Ostra Cables", "Milena Ostra", "b2b@ostra-cables.example", "Brno", 10)
_NORDHAUG = Maker("Nordhaug Mounts", "Sverre Nordhaug", "post@nordhaug.example", "Stavanger", 28)
_PAPIERWERK = Maker("Papierwerk Halden", "Ute Halden", "bestellung@papierwerk-halden.example", "Halden", 7)
MAKERS = (_TESSEL, _BRENNHOLM, _OSTRA, _NORDHAUG, _PAPIERWERK)
_PARTS = (
    (
        "Spare battery",
        _TESSEL,
        38.0,
        0.62,
        210,
        "A second battery for a full double shift. Same cells as the original.",
    ),
    ("Holster", _BRENNHOLM, 24.5, 0.41, 180, "Belt holster of ripstop nylon, for right and left handers alike."),
    ("Protective sleeve", _BRENNHOLM, 17.9, 0.35, 90, "Soft sleeve against knocks; all buttons stay in reach."),
    ("USB-C cable 2 m", _OSTRA, 11.2, 0.48, 70, "Two metres, reinforced at both ends, for data and charging."),
    ("Wall mount", _NORDHAUG, 29.0, 0.55, 640, "Steel mount for wall or pillar, takes up to five kilograms."),
    ("Vehicle mount", _NORDHAUG, 46.0, 0.57, 720, "Holds it within the driver’s reach; fits dashboards and forklifts."),
    ("Power supply", _TESSEL, 33.0, 0.6, 260, "Replacement for the power supply in the box, with a longer lead."),
    ("Cleaning kit", _OSTRA, 9.9, 0.3, 150, "Cloth, brush and 200 ml of cleaner that leaves no film."),
    ("Label pack of 500", _PAPIERWERK, 14.8, 0.5, 400, "500 weatherproof labels that peel off without residue."),
    ("Antenna, external", _OSTRA, 52.0, 0.52, 330, "For metal sheds and cellars; three metres of low-loss cable."),
)


def accessories(cast: Cast) -> list[Accessory]:
    """All accessories: every part for every piece of hardware, the parts taking turns."""
    hardware = [product for product in cast.products if product.kind == "hardware"]
    found = []
    for turn in range(len(_PARTS) * len(hardware)):
        name, maker, price, share, grams, text = _PARTS[turn % len(_PARTS)]
        fits = hardware[(turn + turn // len(_PARTS)) % len(hardware)]
        found.append(
            Accessory(
                sku=f"AC-{2010 + 10 * turn}",
                title=f"{name} for {fits.name}",
                fits=fits,
                maker=maker,
                price=price,
                cost=round(price * share, 2),
                grams=grams,
                text=f"{text} Made for the {fits.name}.",
            )
        )
    return found
