"""The table as the second referee reads it from plain dictionaries: machines, spaces, what the game waits for.

It shares nothing with the game: it counts power on its own fingers and walks the map step by step.
"""

from __future__ import annotations

import json
from typing import Any

Json = dict[str, Any]
SLOTS = ("weapon", "shield", "chassis", "plant")
NEVER = 99
TABLE = -1
_packs: dict[int, tuple[Json, dict[str, Json], dict[str, str]]] = {}


def _read(setup: Json) -> tuple[dict[str, Json], dict[str, str]]:
    """Cards and kinds of spaces by name, once for each set-up."""
    kept = _packs.get(id(setup))
    if kept is None or kept[0] is not setup:
        cards = {card["id"]: card for card in setup["pack"]["upgrades"]}
        kinds = {space["id"]: space["kind"] for space in setup["pack"]["spaces"]}
        kept = _packs[id(setup)] = setup, cards, kinds
    return kept[1], kept[2]


class NaiveTable:
    """One position."""

    def __init__(self, setup: Json, state: Json) -> None:
        self.pack, self.state = setup["pack"], state
        self.options = dict(setup["options"])
        self.cards, self.kinds = _read(setup)
        told = [json.loads(hidden["value"]) for hidden in state.get("described", ())]
        if told:
            self.cards = {**self.cards, **{card["id"]: card for card in told}}
        self.machines: list[Json] = [
            {"card": "", "at": "", "gold": 0, "number": -1, "cards": ("",) * 4, "works": (False,) * 4, **machine}
            for machine in state["machines"]
        ]
        self.steps: list[Json] = list(state["steps"])
        self.top: Json = self.steps[-1] if self.steps else {"type": "over"}
        self.at_step: str = self.top["type"]

    # whom the game waits for

    def is_seat(self, seat: int) -> bool:
        return 0 <= seat < len(self.machines)

    def others(self, seat: int) -> list[int]:
        return [other for other in range(len(self.machines)) if other != seat]

    def waits_for(self) -> int:
        """The seat that the top step asks; the table if chance is due."""
        if self.at_step in ("hit", "countering"):
            who: int = self.top["fight"]["attacker" if self.at_step == "hit" else "defender"]
            return who
        return TABLE if self.at_step in ("drawing", "rolling", "numbering") else int(self.top.get("seat", TABLE))

    def ahead(self, *steps: str) -> bool:
        """Such a step is open, or still to come."""
        return any(step["type"] in steps for step in self.steps)

    # what is on a machine

    def on(self, seat: int) -> list[str]:
        machine = self.machines[seat]
        return [c for c, works in zip(machine["cards"], machine["works"], strict=True) if c and works]

    def off(self, seat: int) -> list[str]:
        machine = self.machines[seat]
        return [c for c, works in zip(machine["cards"], machine["works"], strict=True) if c and not works]

    def attached(self, seat: int) -> list[str]:
        return [card for card in self.machines[seat]["cards"] if card]

    def texts(self, card: str, does: str) -> list[Json]:
        """What is printed on a card, of one kind."""
        found = self.cards.get(card, {}).get("effects", ())
        return [text for text in found if text["does"] == does]

    def working_texts(self, seat: int, does: str) -> list[Json]:
        return [text for card in self.on(seat) for text in self.texts(card, does)]

    def lacks_power(self, seat: int) -> bool:
        """P8–P10."""
        ranks = {self.cards[card]["slot"]: self.cards[card]["rank"] for card in self.on(seat)}
        have = 5 + ranks.get("plant", 0) + sum(text["plus"] for text in self.working_texts(seat, "surplus"))
        if "plant" in ranks and ranks["plant"] == ranks.get("chassis"):
            have += 6
        need = 0
        for card in self.on(seat):
            if self.cards[card]["slot"] != "plant":
                less = sum(text["less"] for text in self.texts(card, "thrift"))
                need += max(0, self.cards[card]["rank"] - less)
        return bool(need > have)

    def short(self) -> list[int]:
        return [seat for seat in range(len(self.machines)) if self.lacks_power(seat)]

    def move_dice(self, seat: int) -> int:
        return max([text["dice"] for text in self.working_texts(seat, "drive")], default=1)

    # where things are

    def place(self, seat: int) -> str:
        return str(self.machines[seat]["at"])

    def board(self, seat: int) -> int:
        return int(self.place(seat)[0])

    def stands_on(self, seat: int, kind: str) -> bool:
        return self.kinds.get(self.place(seat)) == kind

    def far(self, start: str, steps: int) -> set[str]:
        """P19, P.ak: every space within so many steps."""
        found = {start}
        for _ in range(steps):
            more = {link["b"] for link in self.pack["links"] if link["a"] in found}
            more |= {link["a"] for link in self.pack["links"] if link["b"] in found and not link["one_way"]}
            if more <= found:
                break
            found |= more
        return found

    def is_space(self, wish: Json) -> bool:
        return wish["space"] in self.kinds and wish["board"] == f"board/{wish['space'][0]}"

    def on_sale(self) -> dict[str, int]:
        """The board of each card that lies in a Market."""
        return {card: board for board, cards in enumerate(self.state["markets"]) for card in cards}

    def in_lab(self, board: int) -> list[str]:
        return [hidden["value"] for hidden in self.state["labs"][board]]

    def reaches(self, text: Json, actor: int, seat: int) -> bool:
        """P37, P.j, P.z."""
        here, there = self.board(actor), self.board(seat)
        on_space = self.place(actor) == self.place(seat)
        return bool({"space": on_space, "time": here == there, "ahead": there > here, "any": True}[text["scope"]])

    def dice_due(self, verb: str) -> int:
        """How many dice such a roll has now; 0 if it isn't due."""
        step = self.top
        if verb == "move-rolled" and self.at_step == "rolling":
            return int(step["dice"])
        if verb == "move-rolled" and self.at_step == "moving":
            return self.move_dice(step["seat"])
        if verb == "number-rolled" and self.at_step == "numbering":
            return 1
        if verb == "attack-rolled" and self.at_step == "dice" and step["attack"] == NEVER:
            return int(step["fight"]["attack_dice"])
        if verb == "defence-rolled" and self.at_step == "dice" and step["attack"] != NEVER == step["defence"]:
            return int(step["fight"]["defence_dice"])
        return 0
