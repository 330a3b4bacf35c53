"""What a seat may infer about the cards that lie face down.

A card is in the Lab of its own period (P18), so anything that is nowhere in sight is in that Lab or in the deck. A view
shows what its seat has seen only with `lab_memory` (P.ai). Without it a look from a Library is over before the next
move, and a bot, which remembers nothing, would waste its Action on one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.core import UNKNOWN, PieceId, PlaceId, SeatId
from companion.games.us_patent.state import UNDATED, Placing, State, in_sight, known, top

FAR: Final = 99
FADE: Final = 0.78
"""How much something is discounted for each move it is away."""


class FaceDown:
    """The Labs as one seat imagines them; `better` tells how much an Upgrade would improve its machine."""

    def __init__(self, view: State, seat: SeatId, better: Callable[[PieceId], float]) -> None:
        self._view, self._seat, self._better = view, seat, better
        self._tables = known(view)
        self._remembers = view.setup.option("lab_memory") == "on"
        self._guesses: dict[int, tuple[float, float]] = {}
        self._unseen: frozenset[PieceId] | None = None

    def promise(self, board: int) -> float:
        """What looking into this Lab is worth: the best card known to be there, or what the others may be."""
        seen = (hidden.value for hidden in self._view.labs[board] if hidden.value != UNKNOWN)
        sure = max((self._better(piece) for piece in seen), default=0.0)
        chance, use = self.guess(board)
        return max(sure, chance * use * (1.0 if chance == 1 else self._mood(board)))

    def study(self, library: PlaceId, pace: float) -> float:
        """What a look from this Library is worth: a useful card in an earlier Lab (P24), less the way there."""
        if not self._remembers:
            return 0.0
        ways = self._tables.distances[library]
        labs = range(1, self._tables.boards[library])
        worth, none = 0.0, 1.0
        for far, board in sorted((ways.get(self._tables.lab[board], FAR), board) for board in labs):
            chance, use = self.guess(board)
            worth += none * chance * use * FADE ** (1 + far / pace)
            none *= 1 - chance
        return worth

    def guess(self, board: int) -> tuple[float, float]:
        """The chance that a useful card is among the unknown ones in this Lab, and how much such a card improves."""
        found = self._guesses.get(board)
        if found is None:
            found = self._guesses[board] = self._guessed(board)
        return found

    def _guessed(self, board: int) -> tuple[float, float]:
        down = sum(hidden.value == UNKNOWN for hidden in self._view.labs[board])
        may_be = [c for c in self.unseen() if self._tables.cards[c].period in (board, UNDATED)]
        of_use = [worth for worth in map(self._better, may_be) if worth > 0]
        if not down or not of_use:
            return 0.0, 0.0
        none = 1.0
        for drawn in range(min(down, len(may_be))):
            none *= max(0, len(may_be) - len(of_use) - drawn) / (len(may_be) - drawn)
        return 1 - none, sum(of_use) / len(of_use)

    def unseen(self) -> frozenset[PieceId]:
        """The Upgrades whose whereabouts this seat does not know."""
        if self._unseen is None:
            step = top(self._view)
            held = (step.card.value,) if isinstance(step, Placing) else ()
            seen = (hidden.value for lab in self._view.labs for hidden in lab)
            self._unseen = frozenset(self._tables.cards) - {*in_sight(self._view), *held, *seen}
        return self._unseen

    def _mood(self, board: int) -> float:
        """A bot that forgets what a Lab holds must not look into it for ever, so its mood changes."""
        if self._remembers:
            return 0.8
        return 0.3 + 0.06 * ((7 * self._view.turns + 13 * board + 5 * self._seat) % 10)
