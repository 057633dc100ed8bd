"""Marketing mail: audiences, segments, campaigns, reviews and reports."""

from services_app.library.marketing_mail import audiences, campaigns, seed, segments, sending
from services_app.library.marketing_mail.state import service

__all__ = ["audiences", "campaigns", "seed", "segments", "sending", "service"]
