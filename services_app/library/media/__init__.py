"""Media: the films, series, albums and podcasts of a household, watched, listed and lent."""

from services_app.library.media import catalogue, lending, lists, playing, playlists, podcasts, seed
from services_app.library.media.state import service

__all__ = ["catalogue", "lending", "lists", "playing", "playlists", "podcasts", "seed", "service"]
