"""The second referee on trade: Gold for Food, with players freely, with the Bank 3 for 1 (F34)."""

from __future__ import annotations

from typing import Any

from tests.games.one_false_step.naive_table import Broken, NaiveTable, must

OTHER = {"food": "gold", "gold": "food"}


class NaiveTrade(NaiveTable):
    """What stands against a trade. It is nobody's turn: any two who agree may trade, at any time except during a
    roll (F.y).
    """

    def _trading(self, actor: int) -> Broken:
        return [*self.begun(), *must(actor in self.seats, "turn", "F34"), *self.no_roll()]

    def _offer(self, seat: int, to: int) -> Any:
        """What `seat` offers `to` now."""
        return next((offer for offer in self.s.offers if (offer.seat, offer.to) == (seat, to)), None)

    def _offering(self, actor: int, seat: int, number: int, gives: str) -> Broken:
        partner = seat in self.seats
        return [
            *self._trading(actor),
            *must(partner and seat != actor, "thing", "F34"),
            *must(number >= 1, "price", "F.z"),
            *must(number <= self.chips(actor)[gives], "price", "F34"),
            *must(not partner or self.chips(seat)[OTHER[gives]] >= 1, "price", "F34", "F.z"),
        ]

    def against_offer_food(self, actor: int, seat: int, number: int) -> Broken:
        return self._offering(actor, seat, number, "food")

    def against_offer_gold(self, actor: int, seat: int, number: int) -> Broken:
        return self._offering(actor, seat, number, "gold")

    def against_name_price(self, actor: int, seat: int, number: int) -> Broken:
        """No promises: the price is something that the other has now."""
        offer = self._offer(actor, seat)
        return [
            *self._trading(actor),
            *must(offer is not None, "thing", "F34"),
            *must(number >= 1, "price", "F.z"),
            *must(offer is None or number <= self.chips(seat)[OTHER[offer.gives]], "price", "F34"),
        ]

    def against_withdraw_offer(self, actor: int, seat: int) -> Broken:
        return [*self._trading(actor), *must(self._offer(actor, seat) is not None, "thing", "F34")]

    def against_decline_trade(self, actor: int, seat: int) -> Broken:
        """Only an offer with a price can be answered."""
        offer = self._offer(seat, actor)
        return [*self._trading(actor), *must(offer is not None and offer.price > 0, "thing", "F34")]

    def against_accept_trade(self, actor: int, seat: int) -> Broken:
        found = self.against_decline_trade(actor, seat)
        offer = self._offer(seat, actor)
        if offer is None or not offer.price:
            return found
        back = OTHER[offer.gives]
        for who, given, number, got, more in (
            (seat, offer.gives, offer.number, back, offer.price),
            (actor, back, offer.price, offer.gives, offer.number),
        ):
            have = self.chips(who)
            after = {**have, given: have[given] - number, got: have[got] + more}
            found += must(have[given] >= number, "price", "F34")
            found += must(self.pays_for_button(who, after), "price", "F.w")
        return found

    def _from_bank(self, actor: int, number: int, got: str) -> Broken:
        have, given = self.chips(actor), OTHER[got]
        after = {**have, given: have[given] - 3 * number, got: have[got] + number}
        return [
            *self._trading(actor),
            *must(number >= 1, "price", "F.aa"),
            *must(have[given] >= 3 * number, "price", "F34", "F.aa"),
            *must(self.pays_for_button(actor, after), "price", "F.w"),
        ]

    def against_buy_food(self, actor: int, number: int) -> Broken:
        return self._from_bank(actor, number, "food")

    def against_buy_gold(self, actor: int, number: int) -> Broken:
        return self._from_bank(actor, number, "gold")
