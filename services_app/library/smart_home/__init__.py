"""Smart home: devices, scenes, automations, door codes and energy of one home."""

from services_app.library.smart_home import automations, control, devices, doors, energy, scenes, seed
from services_app.library.smart_home.state import service

__all__ = ["automations", "control", "devices", "doors", "energy", "scenes", "seed", "service"]
