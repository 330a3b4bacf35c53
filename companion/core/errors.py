"""Broken promises. A refused wish is a value (`Refusal`), never one of these."""

from __future__ import annotations

from .facts import Said


class CompanionError(Exception):
    """The parent of every error this program raises on purpose. Its text says what to do next."""


class UnknownVerb(CompanionError, LookupError):
    """An intent of a kind the game does not have."""


class SetupError(CompanionError, ValueError):
    """The game cannot be set up as asked."""


class Misfit(CompanionError, ValueError):
    """Values that do not fit together. Each entry of `found` names one problem, for the log and for people."""

    def __init__(self, *found: tuple[str, Said]) -> None:
        self.found = found
        super().__init__("; ".join(text for text, _ in found))


class Unplayable(Misfit, SetupError):
    """A pack with which a game could start but never end."""


class EndlessRules(CompanionError, RuntimeError):
    """The game's rules never settle after an act."""
