"""Distances on the globe, plane figures, units of measurement, colours."""

from __future__ import annotations

import math
import re
from typing import Any

from services_app.engine.errors import invalid

_EARTH = 6371.0088  # mean radius in km


def distance(lat1: float, lon1: float, lat2: float, lon2: float, unit: str | None = None) -> dict[str, Any]:
    """Great-circle distance by the haversine formula, in km (or m, mi, nmi)."""
    for latitude, longitude in ((lat1, lon1), (lat2, lon2)):
        if not -90 <= latitude <= 90 or not -180 <= longitude <= 180:
            raise invalid("A latitude lies between -90 and 90, a longitude between -180 and 180.", type="out_of_range")
    a, b = math.radians(lat1), math.radians(lat2)
    arc = math.sin((b - a) / 2) ** 2 + math.cos(a) * math.cos(b) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    kilometres = 2 * _EARTH * math.asin(math.sqrt(arc))
    sizes = {"km": 1, "m": 0.001, "mi": 1.609344, "miles": 1.609344, "nmi": 1.852, "kilometers": 1, "meters": 0.001}
    name = (unit or "km").lower()
    if name not in sizes:
        raise invalid(f"Unknown unit {unit!r}. Use one of {', '.join(sizes)}.")
    return {"distance": round(kilometres / sizes[name], 3), "unit": name}


_UNITS: dict[str, dict[str, float]] = {
    "length": {
        "mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "in": 0.0254, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344,
        "nmi": 1852,
    },
    "mass": {"mg": 1e-6, "g": 0.001, "kg": 1, "t": 1000, "oz": 0.028349523125, "lb": 0.45359237, "st": 6.35029318},
    "volume": {
        "ml": 0.001, "cl": 0.01, "dl": 0.1, "l": 1, "m3": 1000, "tsp": 0.00492892159375, "tbsp": 0.01478676478125,
        "floz": 0.0295735295625, "cup": 0.2365882365, "pt": 0.473176473, "qt": 0.946352946, "gal": 3.785411784,
    },
    "time": {"ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86400, "wk": 604800},
    "area": {"cm2": 1e-4, "m2": 1, "ha": 1e4, "km2": 1e6, "ft2": 0.09290304, "ac": 4046.8564224, "mi2": 2589988.110336},
    "speed": {"m/s": 1, "km/h": 1 / 3.6, "mph": 0.44704, "kn": 1852 / 3600},
    "data": {"b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2**10, "mib": 2**20, "gib": 2**30,
        "tib": 2**40},
    "pressure": {"pa": 1, "hpa": 100, "kpa": 1000, "bar": 1e5, "atm": 101325, "psi": 6894.757293168,
        "mmhg": 133.322387415},
    "energy": {"j": 1, "kj": 1000, "cal": 4.184, "kcal": 4184, "wh": 3600, "kwh": 3.6e6},
}  # fmt: skip
_NAMES = {
    "millimeter": "mm", "centimeter": "cm", "meter": "m", "metre": "m", "kilometer": "km", "kilometre": "km",
    "inch": "in", "inches": "in", "foot": "ft", "feet": "ft", "yard": "yd", "mile": "mi", "milligram": "mg",
    "gram": "g", "kilogram": "kg", "kilo": "kg", "ton": "t", "tonne": "t", "ounce": "oz", "pound": "lb", "lbs": "lb",
    "stone": "st", "milliliter": "ml", "liter": "l", "litre": "l", "teaspoon": "tsp", "tablespoon": "tbsp",
    "pint": "pt", "quart": "qt", "gallon": "gal", "second": "s", "minute": "min", "hour": "h", "day": "d",
    "week": "wk", "hectare": "ha", "acre": "ac", "kph": "km/h", "kmh": "km/h", "knot": "kn", "byte": "b",
    "celsius": "c", "fahrenheit": "f", "kelvin": "k", "joule": "j", "calorie": "cal", "cups": "cup",
}  # fmt: skip


def _unit(name: str) -> str:
    plain = str(name).strip().lower().replace("°", "").replace("²", "2").replace("³", "3")
    return _NAMES.get(plain, _NAMES.get(plain.removesuffix("s"), plain))


def converted(value: float, source: str, target: str) -> float:
    """A measurement in another unit of the same quantity; 422 for units that do not belong together."""
    first, second = _unit(source), _unit(target)
    if {first, second} <= {"c", "f", "k"}:
        kelvin = value + 273.15 if first == "c" else (value - 32) / 1.8 + 273.15 if first == "f" else value
        found = kelvin - 273.15 if second == "c" else (kelvin - 273.15) * 1.8 + 32 if second == "f" else kelvin
        return round(found, 10)
    for sizes in _UNITS.values():
        if first in sizes and second in sizes:
            result = value * sizes[first] / sizes[second]
            return float(f"{result:.12g}")
    raise invalid(f"{source!r} cannot be converted to {target!r}.", type="unknown_unit")


def circle(radius: float) -> dict[str, Any]:
    if not 0 < radius < 1e100:
        raise invalid("The radius must be positive.")
    return {"area": math.pi * radius**2, "circumference": 2 * math.pi * radius}


def colour(value: str) -> dict[str, Any]:
    """A colour of three or six hexadecimal digits as red, green, blue and as hue, saturation, lightness."""
    digits = str(value).strip().lstrip("#")
    if not re.fullmatch(r"[0-9a-fA-F]{3}|[0-9a-fA-F]{6}", digits):
        raise invalid(f"{value!r} is no colour. Write it like #336699.")
    long = "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(long[at : at + 2], 16) for at in (0, 2, 4))
    high, low = max(red, green, blue) / 255, min(red, green, blue) / 255
    light, span = (high + low) / 2, high - low
    hue = 0.0
    if span:
        r, g, b = red / 255, green / 255, blue / 255
        hue = ((g - b) / span % 6 if high == r else (b - r) / span + 2 if high == g else (r - g) / span + 4) * 60
    saturation = span / (1 - abs(2 * light - 1)) if span else 0.0
    return {
        "hex": f"#{long.lower()}",
        "rgb": [red, green, blue],
        "hsl": [round(hue), round(saturation * 100), round(light * 100)],
    }
