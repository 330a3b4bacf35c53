"""The second referee on corrections: refuses only what hands could not do either."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.games.us_patent.naive_table import NEVER, SLOTS, Json, NaiveTable

Conditions = Iterator[tuple[str, str]]
ROOMS = tuple(f"{board}/{room}" for board in range(1, 9) for room in ("market", "lab"))


class NaiveFixes(NaiveTable):
    """Each method lists what one correction breaks."""

    def dealing(self) -> bool:
        return self.ahead("dealing")

    def not_running(self) -> Conditions:
        if not self.steps:
            yield "over", "P30"
        if self.dealing():
            yield "over", "P2"

    def about_seat(self, wish: Json) -> Conditions:
        yield from self.not_running()
        if not self.is_seat(wish["seat"]):
            yield "thing", "P40"

    def set_gold(self, wish: Json) -> Conditions:
        """After the end it still counts."""
        if self.dealing():
            yield "over", "P2"
        if not self.is_seat(wish["seat"]):
            yield "thing", "P40"
        if not 0 <= wish["number"] <= 199:
            yield "thing", "P.o"

    def set_number(self, wish: Json) -> Conditions:
        yield from self.about_seat(wish)
        if not 0 <= wish["number"] <= 6:
            yield "thing", "P42"

    def drop_number(self, wish: Json) -> Conditions:
        yield from self.about_seat(wish)
        if self.is_seat(wish["seat"]) and self.machines[wish["seat"]]["number"] < 0:
            yield "thing", "P42"

    def set_pawn(self, wish: Json) -> Conditions:
        yield from self.about_seat(wish)
        if not self.is_space(wish):
            yield "place", "P.ak"

    def set_turn(self, wish: Json) -> Conditions:
        yield from self.about_seat(wish)
        if self.at_step not in ("moving", "acting", "ending", "drawing") or len(self.steps) > 4:
            yield "settling", "P20"

    def set_die(self, wish: Json) -> Conditions:
        if not self.steps:
            yield "over", "P30"
        if self.at_step == "going":
            dice, rule = self.move_dice(self.top["seat"]), "P19"
        elif self.at_step == "dice" and self.top["attack"] != NEVER:
            dice, rule = self.top["fight"]["attack_dice"], "P27"
        elif self.at_step == "hit":
            dice, rule = self.top["fight"]["defence_dice"], "P27"
        else:
            dice, rule = 0, ""
        if dice == 0:
            yield "step", "P19"
            yield "step", "P27"
        elif not dice <= wish["number"] <= 6 * dice:
            yield "thing", rule

    def turn_card(self, wish: Json) -> Conditions:
        if not self.steps:
            yield "over", "P30"
        if not any(wish["card"] in self.attached(seat) for seat in range(len(self.machines))):
            yield "thing", "P13"

    def move_card(self, wish: Json) -> Conditions:
        yield from self.not_running()
        if self.ahead("placing", "inventing", "loot"):
            yield "settling", "P46"
        if wish["card"] not in self.cards:
            yield "thing", "P4"
        if wish["place"] not in ("deck", "0/junkyard", *ROOMS):
            yield from self.into_slot(wish)

    def into_slot(self, wish: Json) -> Conditions:
        parts = wish["place"].split("/")
        if len(parts) != 3 or parts[0] != "slot" or parts[2] not in SLOTS or not parts[1].isdecimal():
            yield "thing", "P46"
            return
        if not self.is_seat(int(parts[1])):
            yield "thing", "P46"
            return
        if wish["card"] in self.cards and self.cards[wish["card"]]["slot"] != parts[2]:
            yield "thing", "P5"
        if self.machines[int(parts[1])]["cards"][SLOTS.index(parts[2])] not in ("", wish["card"]):
            yield "thing", "P5"

    def describe(self, wish: Json) -> Conditions:
        """P6, P45: a whole card, described by somebody who sees it; what is installed keeps its type."""
        if not self.steps:
            yield "over", "P30"
        if wish["card"] not in self.cards:
            yield "thing", "P4"
        if not self.sees(wish["actor"], wish["card"]):
            yield "thing", "P45"
        try:
            told = json.loads(wish["upgrade"])
        except ValueError:
            told = None
        if not isinstance(told, dict) or told.get("id") != wish["card"] or not self.is_printable(told):
            yield "thing", "P6"
            return
        if told["period"] == 0:
            yield "thing", "P18"
        attached = any(wish["card"] in self.attached(seat) for seat in range(len(self.machines)))
        if attached and told["slot"] != self.cards[wish["card"]]["slot"]:
            yield "thing", "P5"

    def is_printable(self, told: Json) -> bool:
        slot, rank, period = told.get("slot"), told.get("rank"), told.get("period")
        return slot in SLOTS and rank in range(21) and period in range(9)

    def sees(self, seat: int, card: str) -> bool:
        everyone = [*self.state["markets"], self.state["junkyard"], *(machine["cards"] for machine in self.machines)]
        held = [step["card"] for step in self.steps if step["type"] == "loot"]
        own = [step["card"]["value"] for step in self.steps if step["type"] == "placing" and step["seat"] == seat]
        own += [hidden["value"] for lab in self.state["labs"] for hidden in lab if seat in hidden["known_by"]]
        looked = self.state["looks"][seat]["value"] if self.is_seat(seat) else ()
        return any(card in cards for cards in (*everyone, held, own, looked))
