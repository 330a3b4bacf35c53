"""The second referee on corrections: refuses only what could not lie on the table, and everything during a roll."""

from __future__ import annotations

from tests.games.one_false_step.naive_table import SYSTEMS, Broken, NaiveTable, must

KNOW_HOW = tuple(f"know-{system}" for system in SYSTEMS)


class NaiveRepairs(NaiveTable):
    """What stands against a correction; anybody may make one."""

    def _settled(self) -> Broken:
        return [*self.begun(), *self.no_roll()]

    def _seat(self, seat: int) -> Broken:
        return must(seat in self.seats, "thing", "F4")

    def against_set_chips(self, actor: int, place: str, number: int) -> Broken:
        """What an auction was promised must exist: red chips for a city (F.u), any for the Button (F.v, F.w)."""
        own = {f"{colour}/{seat}": (colour, seat) for colour in ("red", "food", "gold") for seat in self.seats}
        on_cities = {f"on/{h.city}" for h in self.s.owned}
        found = [
            *self._settled(),
            *must(place in own or place in on_cities, "thing", "F37"),
            *must(0 <= number <= 199, "thing", "F37"),
        ]
        if place not in own:
            return found
        colour, seat = own[place]
        after = {**self.chips(seat), colour: number}
        of_city = self.kind == "auction" and self.step.city != "" and self.step.by == seat
        return [
            *found,
            *must(not of_city or after["red"] >= self.step.high, "price", "F.u"),
            *must(self.pays_for_button(seat, after), "price", "F.v", "F.w"),
        ]

    def against_set_counters(self, actor: int, place: str, number: int) -> Broken:
        cities = {f"{area}/{h.city}" for h in self.s.owned for area in ("city", "card", "train")}
        is_there = place in cities | {f"rocket/{seat}" for seat in self.seats}
        return [*self._settled(), *must(is_there, "thing", "F37"), *must(0 <= number <= 99, "thing", "F37")]

    def against_set_level(self, actor: int, card: str, number: int) -> Broken:
        cards = {f"{system}-{seat + 1}" for system in SYSTEMS for seat in self.seats}
        return [*self._settled(), *must(card in cards, "thing", "F38"), *must(1 <= number <= 10, "thing", "F23")]

    def against_clear_claim(self, actor: int, claim: str) -> Broken:
        return [*self._settled(), *must(claim in self.owner, "thing", "F12")]

    def against_set_claim(self, actor: int, claim: str, seat: int) -> Broken:
        return [*self.against_clear_claim(actor, claim), *self._seat(seat)]

    def against_bank_know_how(self, actor: int, card: str) -> Broken:
        return [*self._settled(), *must(card in KNOW_HOW, "thing", "F38")]

    def against_set_know_how(self, actor: int, card: str, seat: int) -> Broken:
        return [*self.against_bank_know_how(actor, card), *self._seat(seat)]

    def _free_city(self, city: str) -> Broken:
        """A city on the map that isn't just being sold."""
        is_seat = city in {offer.city for offer in self.s.open_seats}
        is_sold = self.kind == "auction" and self.step.city == city
        return [
            *self._settled(),
            *must(not is_seat, "settling", "F3", "F5", "F7"),
            *must(not is_sold, "settling", "F29"),
            *must(city in self.links and city in self.towns, "thing", "F2"),
        ]

    def against_give_city(self, actor: int, city: str, seat: int) -> Broken:
        return [*self._free_city(city), *self._seat(seat)]

    def against_drop_city(self, actor: int, city: str) -> Broken:
        """A city on the map is out when nobody bid for it."""
        lost = city in self.s.gone and city in self.links and bool(self.owner)
        return [*self._free_city(city), *must(not lost, "thing", "F32", "F.am")]

    def against_set_button(self, actor: int, seat: int) -> Broken:
        return [*self._settled(), *self._seat(seat)]

    def against_set_turn(self, actor: int, seat: int) -> Broken:
        ordered = self.kind in ("monday", "thursday", "dispute", "shot")
        return [*self._settled(), *must(ordered, "step", "F39"), *self._seat(seat)]

    def against_set_week(self, actor: int, number: int) -> Broken:
        return [*self._settled(), *must(1 <= number <= 99, "thing", "F9")]
