"""Appointments: the patients of several practices, their visits, referrals and the waiting list."""

from services_app.library.appointments import booking, diary, patients, referrals, seed, waitlist
from services_app.library.appointments.state import service

__all__ = ["booking", "diary", "patients", "referrals", "seed", "service", "waitlist"]
