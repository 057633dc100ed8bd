"""SQL warehouse: sales data, and what is watched and delivered from it."""

from services_app.library.sql_warehouse import delivery, explore, glossary, queries, seed
from services_app.library.sql_warehouse.state import service

__all__ = ["delivery", "explore", "glossary", "queries", "seed", "service"]
