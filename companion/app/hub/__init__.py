"""`companion hub`: the broker of a club, and the hub that shows its tables."""

from .running import HubOptions, RunningHub, running_hub
from .settings import HubSettings, load_hub_settings

__all__ = ["HubOptions", "HubSettings", "RunningHub", "load_hub_settings", "running_hub"]
