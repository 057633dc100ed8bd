"""Documents: what is written down, by whom, and what of it holds."""

from services_app.library.documents import editing, reading, seed, sharing
from services_app.library.documents.state import service

__all__ = ["editing", "reading", "seed", "service", "sharing"]
