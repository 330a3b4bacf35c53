"""Writes a whole game of sensible bots as a table script that needs taps, buttons and the dial alone.

    python -m tests.games.us_patent.recorded [SEED] > companion/games/us_patent/playthroughs/taps-and-dial.txt

Bots choose what is done, `companion.box.hands` finds the fewest inputs for it. The expectations are worked out here
from the rules beside them, by a book of its own; only those marked *recorded* were read off the table.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping

from companion.app.script import read
from companion.app.script.evening import Evening
from companion.box import hands
from companion.core import (
    TABLE,
    Intent,
    Lifted,
    PieceId,
    PlaceId,
    Pressed,
    ReaderId,
    SeatId,
    Tapped,
    Token,
    Uid,
    legal,
    mask,
    verb_name,
    verb_of,
)
from companion.core.legality import carry_out
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import Moving, State
from companion.library import PieceTag, pretend_uid
from tests.games.us_patent.play import CLERK

TOP = """\
# A whole game by taps, buttons and the dial alone: a wand, tags on the board's spaces, real dice and cards.
# Sensible bots chose what is done, and a program (tests/games/us_patent/recorded.py) wrote it down. What it read off
# the table is marked *recorded*; the rest was worked out from the rule beside it.

game us-patent
seats Ada, Ben, Chloé
chance typed
"""


class Books:
    """What must be true by the rules, kept separately from the program: the deck, and everybody's Gold."""

    def __init__(self) -> None:
        self.deck = len(CLERK.upgrades)
        self.gold: dict[int, int] = {}
        self.rank = {card.id: card.rank for card in CLERK.upgrades}

    def note(self, intent: Intent) -> None:
        seat = intent.actor
        match intent:
            case i.DrewMachine(card=card):
                self.gold[len(self.gold)] = next(m.gold for m in CLERK.inventors if m.id == card)
            case i.Drew():
                self.deck -= 1
            case i.TakeGold():
                self.gold[seat] += 1
            case i.Mend():
                self.gold[seat] -= 1
            case i.Buy(card=card):
                self.gold[seat] -= self.rank[card]
            case i.Patent(card=card):
                self.gold[seat] += self.rank[card]
            case _:
                pass


def _uid(card: PieceId) -> Uid:
    return pretend_uid(PieceTag(GAME.id, card))


SLOTS_OF_ALL = {
    ReaderId(f"slot-{at}"): place for at, place in enumerate(GAME.places(CLERK)) if place.startswith("slot/")
}
"""A zone reader under each slot of every machine."""


class Recording:
    """One game of bots. With `zones`, hands move what lies on the machines' slots, and readers see it."""

    def __init__(self, seed: int, zones: Mapping[ReaderId, PlaceId] | None = None) -> None:
        self._chance, self._books, self._zones = random.Random(seed), Books(), zones or {}
        self._laid: dict[PieceId, PlaceId] = {}

    def lines(self) -> Iterator[str]:
        script = read(TOP, "recorded")
        with Evening(script.header, self._zones) as evening:
            while evening.now.result is None:
                turns, before = evening.now.state.turns, evening.now.state.turn
                intent = self._next(evening)
                yield from self._done(evening, intent)
                self._books.note(intent)
                if turns and evening.now.state.turns > turns:
                    yield from self._turn_over(evening, before)
            state = evening.now.state
            yield f"expect over{' ' * 41}# P30; recorded"
            yield _expect(f"winners {evening.named.seat_name(state.winner)}", "P30: called, in the Office; recorded")

    def _next(self, evening: Evening) -> Intent:
        now = evening.now
        seat = now.awaited[0]
        if seat == TABLE:
            choices = legal(now.game, now.state, TABLE)
            return self._chance.choices(choices, [now.game.weight(now.state, c) for c in choices])[0]
        view = mask(now.state, seat)
        chosen = now.game.bot(view, seat, legal(now.game, view, seat), self._chance.randrange(1 << 16))
        if isinstance(chosen, i.Roll) and isinstance(now.state.steps[-1], Moving):
            rolls = legal(now.game, now.state, TABLE)  # the die says it all
            return self._chance.choices(rolls, [now.game.weight(now.state, roll) for roll in rolls])[0]
        return chosen

    def _done(self, evening: Evening, intent: Intent) -> Iterator[str]:
        """What hands do for it: first what they move on the slots' readers anyway, then whatever that leaves open."""
        seq, moved = evening.now.seq, self._moved(evening, intent)
        yield from self._carry(evening, moved)
        if not moved or evening.now.seq == seq:
            for move in (Pressed("ok"),) if moved else self._moves(evening, intent):
                yield evening.named.line_of_move(move)
                evening.move(move)
        yield from self._carry(evening, self._lying(evening.now.state))

    def _moved(self, evening: Evening, intent: Intent) -> dict[PieceId, PlaceId]:
        """What lies on the slots after it, if that differs from what lies there now."""
        state = evening.now.state
        after = self._lying(carry_out(GAME, state, verb_of(GAME, intent), intent)[1])
        return after if after != self._lying(state) else {}

    def _lying(self, state: State) -> dict[PieceId, PlaceId]:
        watched = set(self._zones.values())
        return {lies.piece: lies.place for lies in GAME.layout(state) if lies.place in watched}

    def _carry(self, evening: Evening, to: dict[PieceId, PlaceId]) -> Iterator[str]:
        """Lift and lay until these cards are in the slots; none of this counts as input, since hands do it anyway."""
        readers = {place: reader for reader, place in self._zones.items()}
        for card, place in tuple(self._laid.items()):
            if to.get(card) != place:
                del self._laid[card]
                evening.give(Lifted(_uid(card), readers[place]))
                yield f"lift {card} {readers[place]}"
        for card, place in to.items():
            if card not in self._laid:
                self._laid[card] = place
                evening.give(Tapped(_uid(card), readers[place]))
                yield f"lay {card} {readers[place]}"

    def _moves(self, evening: Evening, intent: Intent) -> tuple[hands.Move, ...]:
        number = getattr(intent, "number", 0)
        if intent.actor == TABLE and number:
            return (hands.Tap(Token("number", number)),)
        moves = hands.moves_for(evening.now, intent)
        assert moves is not None, f"no way to {verb_name(type(intent))} on the box"
        return moves

    def _turn_over(self, evening: Evening, seat: SeatId) -> Iterator[str]:
        state, named = evening.now.state, evening.named
        who = SeatId((seat + 1) % 3)
        yield _expect(f"public turn = {named.seat_name(who)}", "P3: to the left")
        if state.turns % 3 == 0:
            yield _expect(f"public deck.size = {self._books.deck}", "P18: one less for each Research")
            yield _expect(
                f"public machines.{named.seat_name(seat)}.gold = {self._books.gold[seat]}", "P21, P22, P26, P28"
            )
        if state.turns % 12 == 0:
            yield _expect(f"public round = {state.round}", "P3; recorded")
        yield ""


def _expect(what: str, why: str) -> str:
    return f"expect {what}".ljust(51) + f" # {why}"


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    print("\n".join([TOP, *Recording(seed).lines()]))


if __name__ == "__main__":
    main()
