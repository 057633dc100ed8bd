"""Files: drives with folders, versions, locks, shares, links and requests for files."""

from services_app.library.files import browsing, organising, requests, seed, sharing, versions
from services_app.library.files.state import service

__all__ = ["browsing", "organising", "requests", "seed", "service", "sharing", "versions"]
