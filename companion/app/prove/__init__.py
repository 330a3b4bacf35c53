"""Whole evenings through the whole program while everything goes wrong, held against an independent replay."""

from .again import again, smallest
from .orders import Plant
from .plan import Plan, plan_for
from .proving import Outcome, prove
from .report import as_page, as_text, headline
from .results import Results, added_up
from .running import Asked, load, run

__all__ = [
    "Asked",
    "Outcome",
    "Plan",
    "Plant",
    "Results",
    "added_up",
    "again",
    "as_page",
    "as_text",
    "headline",
    "load",
    "plan_for",
    "prove",
    "run",
    "smallest",
]
