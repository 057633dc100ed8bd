"""Knowledge base: sections, articles, reviews, translations, feedback and searches."""

from services_app.library.knowledge_base import readers, reading, seed, writing
from services_app.library.knowledge_base.state import service

__all__ = ["readers", "reading", "seed", "service", "writing"]
