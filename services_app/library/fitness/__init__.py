"""Fitness: activities, gear, goals, planned workouts, challenges and the people one follows."""

from services_app.library.fitness import activities, challenges, people, planning, seed
from services_app.library.fitness.state import service

__all__ = ["activities", "challenges", "people", "planning", "seed", "service"]
