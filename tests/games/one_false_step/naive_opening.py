"""The second referee before the first week, and on chance: boards, draws, dice, the starting auction (F1 to F8)."""

from __future__ import annotations

from tests.games.one_false_step.naive_table import Broken, NaiveTable, must


class NaiveOpening(NaiveTable):
    """What stands against laying a board, a bid on a County Seat, and any claimed outcome of chance."""

    # The boards: five in any layout that hangs together, with a seat for everyone (F1, F.ax)

    def _laying(self, actor: int) -> Broken:
        return [
            *must(self.kind != "over", "over", "F35", "F.ba"),
            *must(self.kind == "laying", "over", "F1"),
            *must(actor in self.seats, "turn", "F1"),
        ]

    def _lies(self, board: str) -> bool:
        return board in {f"board-{laid.board}" for laid in self.s.laid}

    def against_lay_board(self, actor: int, board: str, place: str) -> Broken:
        taken = {(b.x, b.y) for b in self.s.laid}
        beside = {(x + i, y + j) for x, y in taken for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))} - taken
        return [
            *self._laying(actor),
            *must(place in {f"at/{x}/{y}" for x, y in (beside if taken else {(0, 0)})}, "place", "F.ax"),
            *must(board in {f"board-{b.number}" for b in self.pack.boards}, "thing", "F1"),
            *must(not self._lies(board), "thing", "F1"),
            *must(len(taken) < 5, "thing", "F1"),
        ]

    def against_turn_board(self, actor: int, board: str) -> Broken:
        return [*self._laying(actor), *must(self._lies(board), "thing", "F1")]

    against_lift_board = against_turn_board

    def against_use_layout(self, actor: int, number: int) -> Broken:
        return [*self._laying(actor), *must(1 <= number <= len(self.pack.layouts), "thing", "F1")]

    def against_make_map(self, actor: int) -> Broken:
        return [
            *self._laying(actor),
            *must(len(self.s.laid) == 5, "step", "F1"),
            *must(self.hangs_together(), "place", "F.ax"),
            *must(len(self.stars()) >= len(self.seats), "thing", "F.ax"),
        ]

    # Chance: what was drawn, named or rolled

    def _falls(self, actor: int, due: bool, rule: str) -> Broken:
        return [
            *must(self.kind != "over", "over", "F35", "F.ba"),
            *must(actor == -1, "turn", rule),
            *must(due, "step", rule),
        ]

    def against_drew_seat(self, actor: int, city: str) -> Broken:
        left = self.stars() - {offer.city for offer in self.s.open_seats}
        return [*self._falls(actor, self.kind == "drawing-seats", "F3"), *must(city in left, "thing", "F3")]

    def against_name_button(self, actor: int, seat: int) -> Broken:
        return [*self._falls(actor, self.kind == "naming", "F4"), *must(seat in self.seats, "thing", "F4")]

    def against_attack_rolled(self, actor: int, number: int) -> Broken:
        due = self.kind == "dispute" and self.step.roll == 0
        return [*self._falls(actor, due, "F14"), *must(1 <= number <= 6, "thing", "F14")]

    def against_defence_rolled(self, actor: int, number: int) -> Broken:
        due = self.kind == "dispute" and self.step.roll > 0
        return [*self._falls(actor, due, "F14"), *must(1 <= number <= 6, "thing", "F14")]

    def against_shot_rolled(self, actor: int, number: int) -> Broken:
        return [*self._falls(actor, self.kind == "shot", "F26"), *must(2 <= number <= 12, "thing", "F26")]

    def against_drew_city(self, actor: int, city: str) -> Broken:
        known = [card.value for card in self.s.deck.top]
        is_next = city in (known[:1] or self.s.deck.unseen)
        return [*self._falls(actor, self.kind == "turning", "F29"), *must(is_next, "thing", "F29", "F.al")]

    # The starting auction (F5, F6)

    def against_bid_seat(self, actor: int, city: str, number: int) -> Broken:
        offer = next((offer for offer in self.s.open_seats if offer.city == city), None)
        bid_out = self.kind == "opening" and actor in [offer.seat for offer in self.s.open_seats]
        return [
            *self.begun(),
            *must(self.kind in ("opening", "laying", "drawing-seats", "naming"), "over", "F5"),
            *must(not bid_out, "turn", "F5", "F.s"),
            *must(actor in self.seats and (self.kind != "opening" or self.turn == actor), "turn", "F5"),
            *must(offer is not None, "thing", "F3"),
            *must(number >= 1, "price", "F.h"),
            *must(offer is None or offer.number == 0 or number > offer.number, "price", "F6"),
            *must(number <= self.chips(actor)["red"], "price", "F.r"),
        ]
