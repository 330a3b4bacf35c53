"""Every fault that can befall an evening, by its name."""

from . import keys, machine, phones, wire
from .phones import Granted
from .registry import FAULTS, Fault, befall, fault

__all__ = ["FAULTS", "Fault", "Granted", "befall", "fault", "keys", "machine", "phones", "wire"]
