"""Writes a whole game of sensible bots as a table script that needs taps, buttons and the dial alone.

    python -m tests.games.us_patent.recorded [SEED] > companion/games/us_patent/playthroughs/taps-and-dial.txt

Bots choose what is done, `companion.hands` finds the fewest inputs for it. The expectations are worked out here from
the rules beside them, by a book of its own; only those marked *recorded* were read off the table.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from companion import hands
from companion.core.ids import TABLE, SeatId
from companion.core.inputs import Pressed
from companion.core.judge import legal, verb_of
from companion.core.rules import Intent, Token, verb_name
from companion.core.secrets import mask
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.steps import Moving
from companion.script import read
from companion.script.evening import Evening
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


class Recording:
    def __init__(self, seed: int) -> None:
        self._chance, self._books = random.Random(seed), Books()

    def lines(self) -> Iterator[str]:
        script = read(TOP, "recorded")
        with Evening(script.header) as evening:
            while evening.now.result is None:
                turns, before = evening.now.state.turns, evening.now.state.turn
                intent = self._next(evening)
                for move in self._moves(evening, intent):
                    yield evening.named.line_of_move(move)
                    evening.move(move)
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

    def _moves(self, evening: Evening, intent: Intent) -> tuple[hands.Move, ...]:
        number = getattr(intent, "number", 0)
        if intent.actor == TABLE and number:
            return (hands.Tap(Token("number", number)),)
        moves = hands.moves_for(evening.now, intent)
        assert moves is not None, f"no way to {verb_name(type(intent))} on the box"
        sure = verb_of(evening.now.game, intent).asks and not isinstance(moves[-1], Pressed)
        return (*moves, Pressed("ok")) if sure else moves

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
