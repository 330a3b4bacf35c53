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
from companion.core.ids import TABLE, PlaceId, ReaderId, SeatId, Uid
from companion.core.inputs import Tapped
from companion.core.judge import legal, verb_of
from companion.core.rules import Intent, Token, verb_name
from companion.core.secrets import mask
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.steps import Moving
from companion.library.tagbook import pretend_uid
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
    """What the rules say must be so, kept apart from the program: the deck, and everybody's Gold."""

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


SLOTS_OF_ALL = {
    ReaderId(f"slot-{at}"): place for at, place in enumerate(GAME.places(CLERK)) if place.startswith("slot/")
}
"""A zone reader under each slot of every machine."""


class Recording:
    """One game of bots. With `zones`, a card that comes onto a machine is laid on the reader of its slot."""

    def __init__(self, seed: int, zones: Mapping[ReaderId, PlaceId] | None = None) -> None:
        self._chance, self._books, self._zones = random.Random(seed), Books(), zones or {}

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
        if (laid := self._laid(evening, intent)) is not None:
            yield f"tap {getattr(intent, 'card', '')} {laid.reader}"
            evening.give(laid)
            return
        for move in self._moves(evening, intent):
            yield evening.named.line_of_move(move)
            evening.move(move)

    def _laid(self, evening: Evening, intent: Intent) -> Tapped | None:
        """The card on the reader of its slot, where that does it."""
        lands, card = verb_of(GAME, intent).lands, getattr(intent, "card", None)
        places = lands(evening.now.state, intent) if lands is not None and card is not None else ()
        readers = [reader for reader, place in self._zones.items() if place in places]
        uid = pretend_uid(hands.tag_of(GAME.id, Token("piece", card))) if card is not None else Uid("")
        return Tapped(uid, readers[0]) if readers else None

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
