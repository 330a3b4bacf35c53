"""The second referee: the same rules, written once more from the README alone, on plain dictionaries."""

from __future__ import annotations

from typing import Any


def legal(setup: dict[str, Any], state: dict[str, Any], intent: dict[str, Any]) -> bool:
    seats, actor, held = setup["seats"], intent["actor"], [hand["value"] for hand in state["hands"]]
    laid = state.get("laid", [])
    if intent["verb"] == "set-rounds":
        return 0 <= intent["seat"] < seats and 0 <= intent["number"] <= 3
    if intent["verb"] == "deal":  # H1
        return actor == -1 and state["to_deal"] > 0 and intent["card"] in state["deck"]["unseen"]
    on_turn = (state["lead"] + len(laid)) % seats  # H2, H3
    return state["to_deal"] == 0 and actor == on_turn and intent["card"] in held[actor]
