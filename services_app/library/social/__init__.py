"""Social media: profiles, posts, queue, media, inbox and figures."""

from services_app.library.social import inbox, posts, profiles, publishing, seed
from services_app.library.social.state import service

__all__ = ["inbox", "posts", "profiles", "publishing", "seed", "service"]
