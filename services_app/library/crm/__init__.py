"""CRM: accounts, contacts and the sales pipeline."""

from services_app.library.crm import accounts, activities, deals, seed
from services_app.library.crm.state import service

__all__ = ["accounts", "activities", "deals", "seed", "service"]
