"""Automatic players: they read the view of their seat and nothing else.

A game brings a sensible one; the random one plays every game. In a running game, `BotSeats` plays for the seats that
were given to a bot; it thinks in a thread of its own and hands its choice to the table like anybody else.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import Any, Final, Literal, Self, TypeAlias

import msgspec
from msgspec.structs import replace

from companion.core import (
    BotChose,
    Game,
    Intent,
    SeatId,
    argument_kinds,
    is_possible,
    legal,
    objection,
    thought_of,
    verb_of,
)
from companion.table import Snapshot, Table

Kind = Literal["sensible", "random"]
Bot: TypeAlias = Callable[[Any, SeatId, tuple[Intent, ...], int], Intent]
"""(view, seat, what is legal there, a number to pick by) → one of the legal intents."""

THINKING: Final = 1.5
"""Seconds a bot waits before it acts, so that people can follow, unless the settings say otherwise."""
GLANCE: Final = 8
"""How many words people read in that time; with more of them on the display, a bot waits longer."""
LONGEST: Final = 4
"""No bot waits longer than this many times its usual pause, whatever there is to read."""
_DIE: Final = 1 << 30


def bot_of(game: Game[Any, Any], kind: Kind = "sensible") -> Bot:
    return game.bot if kind == "sensible" else random_bot(game)


def random_bot(game: Game[Any, Any]) -> Bot:
    """Any legal intent; if it takes a number, any within its bounds."""

    def choose(view: Any, _seat: SeatId, intents: tuple[Intent, ...], number: int) -> Intent:
        intent = intents[number % len(intents)]
        span = verb_of(game, intent).span
        if span is None:
            return intent
        low, high = span(view, intent)
        wide = max(high - low + 1, 1)
        return replace(intent, **{argument_kinds(type(intent))[-1][0]: low + number // len(intents) % wide})

    return choose


def chosen(game: Game[Any, Any], bot: Bot, view: Any, seat: SeatId, number: int) -> Intent | None:
    """What the bot does with this view of its seat; None if it can do nothing. `number` is its source of chance."""
    intents = legal(game, view, seat)
    return bot(view, seat, intents, number) if intents else None


def choice(snapshot: Snapshot, seat: SeatId, number: int, kind: Kind = "sensible") -> BotChose | None:
    """The bot's answer to what its seat is being asked.

    If rules do not bind, people may have left it nothing that the rules allow; then it breaks as few as it can.
    """
    game, view = snapshot.game, snapshot.view(seat)
    intent = chosen(game, bot_of(game, kind), view, seat, number)
    if intent is None and snapshot.mode != "strict":
        intent = _least_wrong(game, view, seat, number)
    if intent is None:
        return None
    return BotChose(seat, snapshot.asked[seat], msgspec.Raw(msgspec.json.encode(intent)))


def _least_wrong(game: Game[Any, Any], view: Any, seat: SeatId, number: int) -> Intent | None:
    """Of everything hands could do, one of the intents that break the fewest rules."""
    thought = (each for verb in game.verbs if not verb.chance for each in thought_of(verb, view, seat, ()))
    found = [each for each in thought if is_possible(game, view, each)]
    wrongs = {each: _wrongs(game, view, each) for each in found}
    least = [each for each in found if wrongs[each] == min(wrongs.values())]
    return least[number % len(least)] if least else None


def _wrongs(game: Game[Any, Any], view: Any, intent: Intent) -> int:
    refused = objection(game, view, intent)
    return 0 if refused is None else len(refused.refusals)


Reads: TypeAlias = Callable[[Snapshot], int]
"""How many words there are to read after an act."""


def no_words(_snapshot: Snapshot) -> int:
    return 0


class BotSeats:
    """Plays for every seat that a bot has, from `start` to `close`, after a pause of `thinking` seconds each time.

    The pause is longer if there is more to read (`reads`).
    """

    def __init__(
        self, table: Table, *, thinking: float = THINKING, kind: Kind = "sensible", reads: Reads = no_words
    ) -> None:
        self._table = table
        self._thinking, self._reads = thinking, reads
        self._kind: Kind = kind
        self._latest = table.latest()
        self._closing = threading.Event()
        self._tried: object = None
        self._thread = threading.Thread(target=self._run, name="bots", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._closing.set()
        self._latest.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        for snapshot in self._latest:
            if awaited_bot(snapshot) is not None:
                self._closing.wait(pause(self._thinking, self._reads(snapshot)))
                self._act(self._table.snapshot)
            if self._closing.is_set():
                return

    def _act(self, snapshot: Snapshot) -> None:
        """Answer once: an answer that changed nothing is not repeated until something else has changed."""
        seat = awaited_bot(snapshot)
        if seat is None or self._closing.is_set():
            return
        # If rules do not bind, others act while a bot is asked: the question stays, but another answer may work. What
        # stood in the way of an answer may also have gone since.
        question = (snapshot.table, seat, snapshot.asked[seat], snapshot.at.line[-1], snapshot.stirred)
        if question == self._tried:
            return
        self._tried = question
        answer = choice(snapshot, seat, secrets.randbelow(_DIE), self._kind)
        if answer is not None:
            self._table.put(answer)


def pause(thinking: float, words: int) -> float:
    """How many seconds a bot waits while people read this many words."""
    return thinking * min(1 + words / GLANCE, LONGEST)


def awaited_bot(snapshot: Snapshot) -> SeatId | None:
    """The first seat that the game waits for and a bot plays for."""
    chairs = snapshot.chairs
    return next((s for s in snapshot.awaited if 0 <= s < len(chairs) and chairs[s].bot), None)
