"""The palette is measured, not believed: contrast and colour-blind distance, recomputed from the CSS file."""

import math
import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "static/css/tokens.css").read_text(encoding="utf-8")
THEMES = ("light", "dark")
STATUS = ("ok", "sim", "quar", "fail", "run", "idle")
SURFACES = ("bg", "surface", "sunken")

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}

Rgb = tuple[float, float, float]


def tokens(theme: str) -> dict[str, str]:
    found = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", CSS):
        both = re.fullmatch(r"light-dark\((#\w{6}),\s*(#\w{6})\)", value.strip())
        if both:
            found[name] = both[1 + THEMES.index(theme)]
        elif re.fullmatch(r"#\w{6}", value.strip()):
            found[name] = value.strip()
    return found


def linear(colour: str) -> Rgb:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return r, g, b


def luminance(colour: str) -> float:
    r, g, b = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen_by(colour: str, kind: str) -> Rgb:
    rgb = linear(colour)
    if kind == "normal":
        return rgb
    r, g, b = (min(1.0, max(0.0, sum(m * c for m, c in zip(row, rgb, strict=True)))) for row in BLIND[kind])
    return r, g, b


def lab(rgb: Rgb) -> Rgb:
    r, g, b = rgb
    xyz = (
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
        (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883,
    )
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Rgb, two: Rgb) -> float:
    """CIEDE2000 of two Lab colours."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25.0**7)))
    c1, c2 = math.hypot(a1 * (1 + g), b1), math.hypot(a2 * (1 + g), b2)
    h1, h2 = (math.degrees(math.atan2(b, a * (1 + g))) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    mean_l, mean_cp = (l1 + l2) / 2, (c1 + c2) / 2
    mean_h = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(mean_h - 30))
        + 0.24 * math.cos(math.radians(2 * mean_h))
        + 0.32 * math.cos(math.radians(3 * mean_h + 6))
        - 0.20 * math.cos(math.radians(4 * mean_h - 63))
    )
    sl = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    sc, sh = 1 + 0.045 * mean_cp, 1 + 0.015 * mean_cp * t
    theta = 30 * math.exp(-(((mean_h - 275) / 25) ** 2))
    rt = -2 * math.sqrt(mean_cp**7 / (mean_cp**7 + 25.0**7)) * math.sin(math.radians(2 * theta))
    dl, dc, dhh = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return math.sqrt(dl * dl + dc * dc + dhh * dhh + rt * dc * dhh)


def apart(a: str, b: str, kind: str) -> float:
    return difference(lab(seen_by(a, kind)), lab(seen_by(b, kind)))


def test_the_difference_formula_agrees_with_published_pairs() -> None:
    # Sharma, Wu and Dalal 2005, pairs 1, 7, 17 and 25 of the test data.
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    assert difference((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)
    assert difference((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(1.2644, abs=1e-4)


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_readable_on_every_surface(theme: str) -> None:
    colours = tokens(theme)
    for name in ("text", "text-2", "text-3", "link"):
        for surface in SURFACES:
            assert contrast(colours[name], colours[surface]) >= 4.5, (name, surface)
    assert contrast(colours["on-ink"], colours["ink"]) >= 7


@pytest.mark.parametrize("theme", THEMES)
def test_status_is_readable_on_its_tint_and_on_every_surface(theme: str) -> None:
    colours = tokens(theme)
    for name in STATUS:
        assert contrast(colours[name], colours[f"{name}-tint"]) >= 4.7, name
        for surface in SURFACES:
            assert contrast(colours[name], colours[surface]) >= 4.7, (name, surface)


@pytest.mark.parametrize("theme", THEMES)
def test_controls_and_focus_are_visible(theme: str) -> None:
    colours = tokens(theme)
    for surface in SURFACES:
        assert contrast(colours["control"], colours[surface]) >= 3, surface
        assert contrast(colours["focus"], colours[surface]) >= 3, surface


@pytest.mark.parametrize("kind", ["normal", *BLIND])
@pytest.mark.parametrize("theme", THEMES)
def test_status_colours_stay_apart_for_every_reader(theme: str, kind: str) -> None:
    colours = tokens(theme)
    for a, b in combinations(STATUS, 2):
        assert apart(colours[a], colours[b], kind) >= 12, (a, b)


@pytest.mark.parametrize("kind", ["normal", *BLIND])
def test_neighbouring_steps_of_the_pass_rate_ramp_stay_apart(kind: str) -> None:
    ramp = [tokens("light")[f"ramp-{step}"] for step in range(6)]
    for a, b in pairwise(ramp):
        assert apart(a, b, kind) >= 20, (a, b)


def test_heat_map_text_is_readable_on_its_cell() -> None:
    colours = tokens("light")
    for step in range(6):
        ink = colours["ramp-on-end" if step in (0, 5) else "ramp-ink"]
        assert contrast(ink, colours[f"ramp-{step}"]) >= 4.5, step


def test_no_other_stylesheet_names_a_colour() -> None:
    folder = Path(__file__).parents[2] / "static/css"
    for path in folder.glob("*.css"):
        if path.name != "tokens.css":
            assert not re.search(r"#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(", path.read_text(encoding="utf-8")), path.name


def test_every_token_that_is_used_exists() -> None:
    folder = Path(__file__).parents[2] / "static/css"
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.css"))
    defined = set(re.findall(r"(--[\w-]+):", text))
    assert set(re.findall(r"var\((--[\w-]+)", text)) <= defined
