"""Names that every model provider accepts: `service__tool` within ^[a-zA-Z0-9_-]{1,64}$.

The mapping is injective and depends only on the set of names, never on their order.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

SEPARATOR = "__"
MAX_LENGTH = 64
MAX_SLUG = 48
SLUG = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")
_FOREIGN = re.compile(r"[^a-zA-Z0-9_-]+")


def _mark(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=3).hexdigest()


def _clean(name: str) -> str:
    return _FOREIGN.sub("_", name).strip("_-") or "tool"


def slugify(title: str) -> str:
    """A slug of at most 48 characters; text without any usable letter gets a hash of itself."""
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    if not slug:
        return f"service-{_mark(title)}"
    if len(slug) > MAX_SLUG:
        slug = f"{slug[: MAX_SLUG - 7].rstrip('-')}-{_mark(title)}"
    return slug


def exposed_names(slug: str, tools: Iterable[str]) -> dict[str, str]:
    """Original tool name -> exposed name for one service.

    A name that had to be cleaned, or that clashes after cleaning, carries a short hash of the original;
    a name that was legal as it stood keeps its form.
    """
    names = sorted(set(tools))
    clean = {name: _clean(name) for name in names}
    crowd = Counter(clean.values())
    exposed = {}
    for name in names:
        stem = clean[name]
        if stem != name and (crowd[stem] > 1 or stem == "tool"):
            stem = f"{stem}_{_mark(name)}"
        full = f"{slug}{SEPARATOR}{stem}"
        if len(full) > MAX_LENGTH:
            full = f"{full[: MAX_LENGTH - 7].rstrip('_-')}_{_mark(slug + SEPARATOR + name)}"
        exposed[name] = full
    return exposed
