"""What was pointed at when the box said no."""

from __future__ import annotations

from companion.core import Token

from .dialog import Dialog


class Tried(Dialog, frozen=True):
    """Remembers it for an appeal. It is never asked: in all else the box is at rest (see `stack.settled`)."""

    tokens: tuple[Token, ...]
