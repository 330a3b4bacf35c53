"""The second referee."""

from __future__ import annotations

from typing import Any


def legal(_setup: dict[str, Any], state: dict[str, Any], intent: dict[str, Any]) -> bool:
    return bool(intent["actor"] == state["turn"] and 1 <= intent["number"] <= min(2, state["heap"]))
