"""Mail: one person's mailbox."""

from services_app.library.mail import compose, organise, reading, seed
from services_app.library.mail.state import service

__all__ = ["compose", "organise", "reading", "seed", "service"]
