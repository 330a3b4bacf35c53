"""A second referee, written from the numbered rules alone, slowly and plainly. It must agree with the first.

It knows nothing of the game's own code: set-ups, states and intents come as plain dictionaries. Where it and the
game differ, one of them has misread the rules. Each verb has one method, which lists what stands against it.
"""

from __future__ import annotations

from typing import Any

from tests.games.one_false_step.naive_opening import NaiveOpening
from tests.games.one_false_step.naive_repairs import NaiveRepairs
from tests.games.one_false_step.naive_table import SYSTEMS, Broken, Json, must
from tests.games.one_false_step.naive_trade import NaiveTrade

PRICES = {2: 1, 3: 2, 4: 3, 5: 5, 6: 7, 7: 10, 8: 13, 9: 17, 10: 21}


class Naive(NaiveOpening, NaiveTrade, NaiveRepairs):
    """What stands against a wish in a state."""

    # Monday (F11 to F19)

    def _monday(self, actor: int, city: str) -> Broken:
        """A day, a turn, no dispute open, and a counter in the middle of the card of an own Active city."""
        held = self.held(city)
        asleep = held is not None and held.chips > 0
        return [
            *self.begun(),
            *self.in_turn(actor),
            *must(self.kind != "dispute", "settling", "F14", "F.ae"),
            *must(self.kind in ("monday", "dispute"), "step", "F11"),
            *must(self.is_active(actor, city) and held.middle > 0, "place", "F11", *(("F31",) if asleep else ())),
        ]

    def _on_claim(self, actor: int, city: str, claim: str) -> Broken:
        is_there = claim in self.owner
        return [
            *self._monday(actor, city),
            *must(is_there, "thing", "F12"),
            *must(not is_there or claim in self.connected(actor, city), "place", "F13"),
        ]

    def against_stake(self, actor: int, city: str, claim: str) -> Broken:
        free = self.owner.get(claim, -1) == -1
        return [*self._on_claim(actor, city, claim), *must(free, "thing", "F12", "F42", "F45")]

    def against_jump(self, actor: int, city: str, claim: str) -> Broken:
        owner = self.owner.get(claim)
        return [
            *self._on_claim(actor, city, claim),
            *must(owner != -1, "thing", "F14"),
            *must(owner != actor or actor == -1, "thing", "F14", "F.ag"),
        ]

    def against_strengthen(self, actor: int, city: str) -> Broken:
        held = self.held(city)
        limited = self.options["population"] != "off" and held is not None
        room = not limited or held.counters < (self.towns[city].population + 999) // 1000
        return [*self._monday(actor, city), *must(room, "thing", "F36", "F.aw", "F.ah")]

    def against_board_rocket(self, actor: int, city: str) -> Broken:
        return self._monday(actor, city)

    def against_send_by_train(self, actor: int, city: str, to: str) -> Broken:
        return [*self._monday(actor, city), *must(self.is_active(actor, to), "place", "F17", "F43")]

    # Wednesday: the bills of F21

    def _wednesday(self, actor: int) -> Broken:
        return [*self.begun(), *self.in_turn(actor), *must(self.kind == "wednesday", "step", "F21")]

    def _due(self, actor: int) -> list[str]:
        """The cities of a seat that are neither fed nor starved yet."""
        due = self.step.due if self.kind == "wednesday" else ()
        return [h.city for h in self.s.owned if h.seat == actor and h.city in due]

    def against_starve(self, actor: int, city: str) -> Broken:
        eats = self.green(city) > 0 or not self.is_active(actor, city)
        return [
            *self._wednesday(actor),
            *must(city in self._due(actor), "thing", "F21"),
            *must(eats, "thing", "F.ak"),
        ]

    def against_feed(self, actor: int, city: str) -> Broken:
        enough = self.chips(actor)["food"] >= self.green(city)
        return [*self.against_starve(actor, city), *must(enough, "price", "F21")]

    def against_feed_all(self, actor: int) -> Broken:
        due = self._due(actor)
        return [
            *self._wednesday(actor),
            *must(bool(due), "thing", "F21"),
            *must(self.chips(actor)["food"] >= sum(map(self.green, due)), "price", "F21"),
        ]

    # Thursday (F22 to F27)

    def _thursday(self, actor: int) -> Broken:
        return [
            *self.begun(),
            *self.in_turn(actor),
            *must(self.kind != "shot", "settling", "F26"),
            *must(self.kind in ("thursday", "shot"), "step", "F22"),
        ]

    def against_end_thursday(self, actor: int) -> Broken:
        return self._thursday(actor)

    def against_upgrade(self, actor: int, card: str) -> Broken:
        own = {f"{system}-{actor + 1}": at for at, system in enumerate(SYSTEMS) if actor in self.seats}
        printed = self.options["rocket_table"] in ("printed", "printed-prices")
        level = self.s.levels[actor][own[card]] if card in own else 0
        price = 6 if printed and level == 4 else PRICES.get(level + 1, 0)
        return [
            *self._thursday(actor),
            *must(card in own, "thing", "F38"),
            *must(level < 10, "thing", "F23"),
            *must(card not in own or self.chips(actor)["gold"] >= price, "price", "F23", "F.a"),
        ]

    def against_moon_shot(self, actor: int) -> Broken:
        shot_before = self.kind == "thursday" and self.turn == actor and self.step.shot
        return [
            *self._thursday(actor),
            *must(not shot_before, "step", "F22", "F.l"),
            *must(self.chips(actor)["food"] >= 4, "price", "F26", "F.az"),
        ]

    # Saturday (F29 to F33)

    def _auction(self, actor: int) -> Broken:
        """In the starting auction, too, one bids in turn, but on a seat, and nobody passes (F5)."""
        passed = self.kind == "auction" and actor in self.seats and actor not in self.step.inside
        saturday = self.kind in ("turning", "auction", "paying", "giving")
        return [
            *self.begun(),
            *must(not passed, "turn", "F29"),
            *self.in_turn(actor),
            *must(self.kind != "turning", "settling", "F29"),
            *must(self.kind not in ("paying", "giving"), "settling", "F33"),
            *must(self.kind != "opening", "step", "F5"),
            *must(saturday or self.kind == "opening", "step", "F29"),
        ]

    against_pass = _auction

    def against_bid(self, actor: int, number: int) -> Broken:
        is_auction = self.kind == "auction"
        of_city = is_auction and self.step.city != ""
        have = self.chips(actor)
        return [
            *self._auction(actor),
            *must(number >= 1, "price", "F.h"),
            *must(not is_auction or self.step.high == 0 or number > self.step.high, "price", "F29"),
            *must(not of_city or number <= have["red"], "price", "F.u"),
            *must(not is_auction or of_city or number <= sum(have.values()), "price", "F.v", "F33"),
        ]

    def _paying(self, actor: int, colour: str, number: int) -> Broken:
        """F33: the rest must be payable with the colours still to come."""
        broken = [*self.begun(), *self.in_turn(actor), *must(self.kind == "paying", "step", "F33")]
        if self.kind != "paying" or self.turn != actor:
            return broken
        asked, *later = self.step.colours
        have = self.chips(actor)
        low, high = self.step.left - sum(have[c] for c in later), min(self.step.left, have[asked])
        return [
            *broken,
            *must(colour == asked, "step", "F33"),
            *must(colour != asked or max(0, low) <= number <= high, "price", "F33", "F.v"),
        ]

    def against_pay_red(self, actor: int, number: int) -> Broken:
        return self._paying(actor, "red", number)

    def against_pay_food(self, actor: int, number: int) -> Broken:
        return self._paying(actor, "food", number)

    def against_give_button(self, actor: int, seat: int) -> Broken:
        return [
            *self.begun(),
            *self.in_turn(actor),
            *must(self.kind != "paying", "settling", "F33"),
            *must(self.kind in ("paying", "giving"), "step", "F33"),
            *must(seat in self.seats, "thing", "F.x"),
        ]


_LAST: list[tuple[Json, Json, Naive]] = []
"""The position asked about last: many wishes are asked about the same one."""


def _at(setup: Json, state: Json) -> Naive:
    if not _LAST or _LAST[0][0] is not setup or _LAST[0][1] is not state:
        _LAST[:] = [(setup, state, Naive(setup, state))]
    return _LAST[0][2]


def _arguments(intent: Json) -> Json:
    return {name: value for name, value in intent.items() if name not in ("verb", "actor")}


def broken(setup: Json, state: Json, intent: Json) -> Broken:
    """Every condition that isn't met, each as (what it is about, rule id)."""
    against: Any = getattr(_at(setup, state), "against_" + intent["verb"].replace("-", "_"))
    found: Broken = against(intent["actor"], **_arguments(intent))
    return found


def legal(setup: Json, state: Json, intent: Json) -> bool:
    """Whether the rules allow `intent` now."""
    return not broken(setup, state, intent)


KINDS = {"seat": "seat", "number": "number", "place": "place", "claim": "place"}
"""The kind of thing each argument is; every other one is a piece."""


def meant(setup: Json, state: Json, intent: Json, token: tuple[str, str | int]) -> bool:
    """Whether a person who points at this (kind, value) could mean this intent.

    Besides the obvious: touching the City card that is up for auction means bidding.
    """
    kind, value = token
    if kind in ("actor", "seat") and value == intent["actor"]:
        return True
    if kind == "verb":
        return bool(value == intent["verb"])
    step = _at(setup, state).step
    if intent["verb"] in ("bid", "pass") and kind == "piece" and step and step.type == "auction" and value == step.city:
        return True
    return any(KINDS.get(name, "piece") == kind and value == given for name, given in _arguments(intent).items())
