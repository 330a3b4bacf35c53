"""Every fault that can befall an evening, by its name."""

from . import club, keys, machine, phones, wire
from .phones import Granted
from .registry import FAULTS, Fault, befall, fault

__all__ = ["FAULTS", "Fault", "Granted", "befall", "club", "fault", "keys", "machine", "phones", "wire"]
