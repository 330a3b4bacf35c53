"""The second referee on what seats do: the place, the thing and the price of each deed."""

from __future__ import annotations

from tests.games.us_patent.naive_fixes import Conditions, NaiveFixes
from tests.games.us_patent.naive_table import NEVER, Json


class NaiveDeeds(NaiveFixes):
    """Each method lists what one verb breaks, apart from the moment."""

    # Research, Move, the end

    def tell_period(self, actor: int, wish: Json) -> Conditions:
        if self.at_step == "placing" and self.period_held() != 0:
            yield "step", "P18"
        if not 1 <= wish["number"] <= 8:
            yield "thing", "P18"

    def period_held(self) -> int:
        return int(self.cards[self.top["card"]["value"]]["period"])

    def place_in_lab(self, actor: int, wish: Json, room: str = "lab") -> Conditions:
        """P18: of the card's own period; if nobody knows it, that is told first."""
        if self.at_step != "placing":
            return
        if self.period_held() == 0:
            yield "thing", "P18"
        elif wish["place"] != f"{self.period_held()}/{room}":
            yield "place", "P18"

    def place_in_market(self, actor: int, wish: Json) -> Conditions:
        yield from self.place_in_lab(actor, wish, "market")

    def roll(self, actor: int, wish: Json) -> Conditions:
        yield from ()

    stay = end_turn = take_gold = move_again = roll
    invent_nothing = spare = install_loot = throw_away = let_go = finish_text = roll

    def go(self, actor: int, wish: Json) -> Conditions:
        if not self.is_space(wish) or wish["space"] not in self.far(self.place(actor), len(self.kinds)):
            yield "place", "P.ak"
        reach = self.top["reach"] if self.at_step == "going" and self.state["turn"] == actor else len(self.kinds)
        if wish["space"] in self.kinds and wish["space"] not in self.far(self.place(actor), reach):
            yield "place", "P19"

    def close_look(self, actor: int, wish: Json) -> Conditions:
        if not self.state["looks"][actor]["value"]:
            yield "thing", "P.n"

    # Actions

    def on_space(self, actor: int, kind: str, rule: str) -> Conditions:
        if not self.stands_on(actor, kind):
            yield "place", rule

    def research_again(self, actor: int, wish: Json) -> Conditions:
        if not self.state["deck"]["unseen"]:
            yield "thing", "P21"

    def buy(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "market", "P22")
        board = self.on_sale().get(wish["card"])
        if board is None:
            yield "thing", "P22"
        if self.stands_on(actor, "market"):
            if board not in (None, self.board(actor)):
                yield "place", "P22"
            if not self.state["markets"][self.board(actor)]:
                yield "thing", "P.aa"
        if self.cards.get(wish["card"], {"rank": 0})["rank"] > self.machines[actor]["gold"]:
            yield "price", "P22"
            yield "price", "P.ag"

    def look_in_lab(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "lab", "P23")
        if self.stands_on(actor, "lab") and not self.in_lab(self.board(actor)):
            yield "thing", "P.aa"

    def study(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "library", "P24")
        if self.stands_on(actor, "library") and not any(self.in_lab(b) for b in range(1, self.board(actor))):
            yield "thing", "P.aa"

    def invent(self, actor: int, wish: Json) -> Conditions:
        if self.at_step == "inventing" and wish["card"] not in self.in_lab(int(self.top["place"][0])):
            yield "thing", "P23"

    def salvage(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "junkyard", "P25")
        if wish["card"] not in self.state["junkyard"]:
            yield "thing", "P25"
        if not self.state["junkyard"]:
            yield "thing", "P.aa"

    def mend(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "mechanic", "P26")
        if not self.off(actor):
            yield "thing", "P.aa"
        if self.machines[actor]["gold"] < 1:
            yield "price", "P26"
            yield "price", "P.ag"

    def patent(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "office", "P28")
        if not self.on(actor):
            yield "thing", "P.aa"
        if wish["card"] not in self.on(actor) or self.cards[wish["card"]]["period"] == 0:
            yield "thing", "P28"

    def take_number(self, actor: int, wish: Json) -> Conditions:
        yield from self.on_space(actor, "office", "P29")

    def claim_patent(self, actor: int, wish: Json) -> Conditions:
        """P30, P44, P.a, P.ac."""
        if self.options["win"] != "action":
            yield "step", "P.a"
        yield from self.on_space(actor, "office", "P30")
        if self.machines[actor]["number"] == -1:
            yield "thing", "P44"
        elif self.machines[actor]["number"] != 0:
            yield "thing", "P30"
        easier = self.options["easier"] == "on"
        easier |= self.options["easier"] == "by-seats" and len(self.machines) in (7, 8)
        if len(self.on(actor)) < (3 if easier else 4):
            yield "thing", "P30"

    def leap_to(self, actor: int, wish: Json) -> Conditions:
        goals = [text["to"] for text in self.working_texts(actor, "leap")]
        if not self.is_space(wish):
            yield "place", "P.ak"
        if not goals:
            yield "thing", "P32"
        elif wish["space"] in self.kinds and "any" not in goals and self.kinds[wish["space"]] not in goals:
            yield "place", "P32"

    def follow_text(self, actor: int, wish: Json) -> Conditions:
        yield from self.text_works(actor, wish["card"], bool(self.texts(wish["card"], "by-text")), "P32")

    def text_works(self, actor: int, card: str, has_text: bool, rule: str) -> Conditions:
        """P32, P.an: your own card says so, and works."""
        if card not in self.attached(actor) or not has_text:
            yield "thing", rule
        if card in self.off(actor):
            yield "thing", "P.an"

    # repairs

    def repair_one(self, actor: int, wish: Json) -> Conditions:
        yield from self.repair(actor, wish, "one")
        if wish["card"] not in self.off(actor):
            yield "thing", "P.al"

    def repair_all(self, actor: int, wish: Json) -> Conditions:
        yield from self.repair(actor, wish, "all")

    def repair(self, actor: int, wish: Json, what: str) -> Conditions:
        """P16, P32, P.al, P.am, P.an."""
        source = wish["source"]
        found = [text for text in self.texts(source, "repair") if text["what"] == what and text["when"] != "always"]
        yield from self.text_works(actor, source, bool(found), "P.al")
        if not self.off(actor):
            yield "thing", "P.aa"
        if source in self.attached(actor) and found:
            if found[0]["when"] == "action" and self.at_step != "acting":
                yield "step", "P20"
                yield "step", "P32"
            if source in self.state["used"]:
                yield "step", "P.am"

    def revive(self, actor: int, wish: Json) -> Conditions:
        if not self.off(actor):
            yield "thing", "P.aa"
        if wish["card"] not in self.off(actor) or not self.texts(wish["card"], "self-repair"):
            yield "thing", "P16"
        if wish["card"] in self.state.get("revived", ()):
            yield "step", "P.am"

    def switch_off(self, actor: int, wish: Json) -> Conditions:
        if wish["card"] not in self.on(actor) or self.cards[wish["card"]]["slot"] == "plant":
            yield "thing", "P.p"

    # attacks

    def attack(self, actor: int, wish: Json) -> Conditions:
        if wish["seat"] not in self.others(actor):
            yield "thing", "P27"
        elif self.place(actor) != self.place(wish["seat"]):
            yield "place", "P27"

    def shoot(self, actor: int, wish: Json, nth: int = 0) -> Conditions:
        attacks = [text for text in self.texts(wish["card"], "ranged") if text["targets"] == "one"][nth:]
        yield from self.gun(actor, wish, bool(attacks))
        if wish["seat"] not in self.others(actor):
            yield "thing", "P.z"
        elif attacks and wish["card"] in self.attached(actor) and not self.reaches(attacks[0], actor, wish["seat"]):
            yield "place", "P37"

    def shoot_second(self, actor: int, wish: Json) -> Conditions:
        yield from self.shoot(actor, wish, 1)

    def volley(self, actor: int, wish: Json) -> Conditions:
        attacks = [text for text in self.texts(wish["card"], "ranged") if text["targets"] == "all"]
        yield from self.gun(actor, wish, bool(attacks))
        own = attacks if wish["card"] in self.attached(actor) else []
        if own and not any(self.reaches(own[0], actor, seat) for seat in self.others(actor)):
            yield "place", "P37"

    def gun(self, actor: int, wish: Json, attacks: bool) -> Conditions:
        """P32: the effect of a working Upgrade."""
        yield from self.text_works(actor, wish["card"], attacks, "P32")
        if wish["card"] not in self.on(actor):
            yield "thing", "P32"

    # what a hit does

    def hits(self, actor: int) -> bool:
        return self.at_step == "hit" and self.waits_for() == actor and not self.short()

    def of_victim(self, wish: Json) -> Conditions:
        if wish["card"] not in self.attached(self.top["fight"]["defender"]):
            yield "thing", "P27"

    def disable(self, actor: int, wish: Json) -> Conditions:
        """P27, P38, P41, P.b, P.c."""
        if not self.hits(actor):
            return
        yield from self.of_victim(wish)
        fight, margin = self.top["fight"], self.top["attack"] - self.top["defence"]
        if wish["card"] in self.off(fight["defender"]):
            yield "thing", "P.c"
        if not fight["disables"]:
            yield "thing", "P38" if "disable" in fight.get("held", ()) else "P41"
        elif self.options["margin"] == "destroy" and margin >= fight["destroys"]:
            yield "thing", "P.b"

    def destroy(self, actor: int, wish: Json) -> Conditions:
        if self.hits(actor):
            yield from self.of_victim(wish)
            yield from self.from_margin("destroy", self.top["fight"]["destroys"], "P41", "P27")

    def steal(self, actor: int, wish: Json) -> Conditions:
        if self.hits(actor):
            yield from self.of_victim(wish)
            yield from self.from_margin("steal", self.top["fight"]["steals"], "P36", "P36")

    def from_margin(self, what: str, need: int, never: str, light: str) -> Conditions:
        """P38 where the Shield forbids it; else the attack cannot, or not by so little."""
        if need == NEVER:
            yield "thing", "P38" if what in self.top["fight"].get("held", ()) else never
        elif self.top["attack"] - self.top["defence"] < need:
            yield "thing", light

    def counter_attack(self, actor: int, wish: Json) -> Conditions:
        if self.state.get("barred", -1) == actor:
            yield "step", "P.l"
