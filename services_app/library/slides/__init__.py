"""Slides: presentations from templates, with review, publishing and sharing."""

from services_app.library.slides import decks, elements, reading, review, seed, slides
from services_app.library.slides.state import service

__all__ = ["decks", "elements", "reading", "review", "seed", "service", "slides"]
