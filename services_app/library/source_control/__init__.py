"""Source control: repositories, branches, commits and pull requests."""

from services_app.library.source_control import branches, contents, conversation, pulls, repositories, seed
from services_app.library.source_control.state import service

__all__ = ["branches", "contents", "conversation", "pulls", "repositories", "seed", "service"]
