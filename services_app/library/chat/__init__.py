"""Team chat: channels and what is said in them."""

from services_app.library.chat import channels, messages, polls, seed
from services_app.library.chat.state import service

__all__ = ["channels", "messages", "polls", "seed", "service"]
