"""Shop catalogue: what the web shop sells, at which prices."""

from services_app.library.shop_catalog import merchandising, products, seed, variants
from services_app.library.shop_catalog.state import service

__all__ = ["merchandising", "products", "seed", "service", "variants"]
