"""Video meetings: scheduling, registration, meetings that run, recordings with transcripts."""

from services_app.library.video_meetings import live, meetings, polls, recordings, registration, reports, seed
from services_app.library.video_meetings.state import service

__all__ = ["live", "meetings", "polls", "recordings", "registration", "reports", "seed", "service"]
