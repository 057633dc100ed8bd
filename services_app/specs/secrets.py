"""Commands and URLs as they may be shown and kept: whoever reads a log must not learn a key from it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from urllib.parse import urlsplit

HIDDEN = "***"
_NAME = re.compile(
    r"(?:^|[-_.])(?:api-?key|apikey|key|token|secret|passw(?:or)?d|pwd|pat|auth\w*|bearer|credentials?|dsn)$", re.I
)
# Keys of well-known kinds, also where nothing around them says so.
_VALUE = re.compile(
    r"^(?:sk-|pk_|rk_|gh[opsu]_|github_pat_|glpat-|xox[abpr]-|AKIA|AIza|ya29\.|eyJ[\w-]+\.|hf_|pplx-|nvapi-)[\w.\-]{8,}"
)


def shown_url(url: str) -> str:
    """A URL without name, password, query and fragment, all of which may hold a key."""
    parts = urlsplit(url.strip())
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def shown_command(words: Sequence[str]) -> str:
    """A command line with the values of `--token X`, `--api-key=X`, `TOKEN=X` and the like hidden."""
    shown: list[str] = []
    value_follows = False
    for word in words:
        name, equals, _ = word.partition("=")
        if value_follows or _VALUE.match(word):
            shown.append(HIDDEN)
        elif equals and (_NAME.search(name) or _VALUE.match(word[len(name) + 1 :])):
            shown.append(f"{name}={HIDDEN}")
        elif "://" in word and "@" in word.partition("://")[2]:
            shown.append(shown_url(word))
        else:
            shown.append(word)
        value_follows = not equals and word.startswith("-") and bool(_NAME.search(word))
    return shlex.join(shown)
