"""Business phone: calls, voicemail, text messages, lines and queues."""

from services_app.library.phone import calls, contacts, lines, messages, seed, voicemail
from services_app.library.phone.state import service

__all__ = ["calls", "contacts", "lines", "messages", "seed", "service", "voicemail"]
