"""How long a test waits for what must come."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 180.0
"""Seconds; a busy machine is slow, not wrong, and only what is wrong waits so long."""
