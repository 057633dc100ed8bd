"""Cloud resources: accounts, instances, volumes, snapshots, security groups, budgets and costs."""

from services_app.library.cloud import accounts, costs, instances, lifecycle, network, seed, snapshots, volumes
from services_app.library.cloud.state import service

__all__ = ["accounts", "costs", "instances", "lifecycle", "network", "seed", "service", "snapshots", "volumes"]
