"""Surveys: questionnaires, collectors, invitations, responses and results."""

from services_app.library.surveys import collecting, design, results, seed
from services_app.library.surveys.state import service

__all__ = ["collecting", "design", "results", "seed", "service"]
