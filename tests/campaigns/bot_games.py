"""Whole games of sensible bots: they end, their record replays to the same, and no secret gets out.

    python tests/campaigns/bot_games.py [--games N] [--short] [--seed N] [--game ID]

Every game of the shelf with its fewest, a few and its most seats. Each game is played once more from its own intents
and must be the same, and folded from its events alone. At every so many steps everything an audience is sent is
searched for canaries: the ids of pieces that it may not know. The control is a build that shows what lies face down.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

import msgspec

from companion.app.kit.evening import table
from companion.app.kit.kit import Kit, Step, kit_of
from companion.app.kit.sent import OpenHands, Outlet, sent
from companion.core import PUBLIC, Accepted, PieceId, SeatId, fold, judge, known_pieces, mask
from companion.library import shelf
from companion.table import Snapshot

GAMES, SHORT = 1000, 3
LOOK_EVERY = 37
MOST_STEPS = 20_000
WORD = re.compile(rb"[A-Za-z0-9_/-]+")


class Tally(NamedTuple):
    """The results of the games with one number of seats."""

    games: int
    steps: int
    seconds: float
    winners: tuple[int, ...]
    looked: int
    leaks: int


def replays(kit: Kit, seats: int, seed: int, played: list[Step]) -> bool:
    """The same intents lead to the same game again, and so do the events, read from JSON."""
    decode = msgspec.json.Decoder(kit.game.event).decode
    state = folded = kit.game.start(kit.setup(seats, seed))
    for step in played:
        verdict = judge(kit.game, state, step.intent)
        if not isinstance(verdict, Accepted) or verdict.events != step.verdict.events:
            return False
        state = verdict.after
        folded = fold(kit.game, folded, tuple(decode(msgspec.json.encode(event)) for event in step.verdict.events))
    return bool(state == folded == played[-1].verdict.after)


def canaries(kit: Kit, at: Snapshot, audience: SeatId, shown: set[PieceId]) -> frozenset[PieceId]:
    """The pieces that this audience never had a chance to see, and may not know now."""
    return frozenset(kit.game.pieces(kit.pack)) - shown - known_pieces(kit.game, at.view(audience))


def looks(kit: Kit, seats: int, seed: int, played: list[Step], outlet: Outlet, folder: Path) -> tuple[int, int]:
    """How often everything sent to somebody was searched, and how often a canary sang."""
    searched = found = 0
    audiences = (PUBLIC, SeatId(seed % seats))
    shown = {audience: set(known_pieces(kit.game, mask(played[0].before, audience))) for audience in audiences}
    with table(kit.game, kit.setup(seats, seed), folder) as referee:
        for number, step in enumerate(played):
            referee.act(step.intent, None, on_box=False)
            for audience in audiences:
                shown[audience] |= known_pieces(kit.game, mask(step.verdict.after, audience))
                # An event may show a piece that is hidden again afterwards.
                shown[audience] |= named(kit, [mask(event, audience) for event in step.verdict.events])
            if number % LOOK_EVERY == LOOK_EVERY - 1:
                at = referee.snapshot()
                for audience in audiences:
                    searched += 1
                    secret = canaries(kit, at, audience, shown[audience])
                    found += bool(named_in(secret, told(outlet, at, audience, number)))
    return searched, found


def told(outlet: Outlet, at: Snapshot, audience: SeatId, number: int) -> bytes:
    outlet_without_probes = Quiet(outlet)
    return sent(outlet_without_probes, at, audience, number, whole=True)


class Quiet(Outlet):
    """The same outlets, but nobody tries anything: a wish names what its asker names."""

    def __init__(self, outlet: Outlet) -> None:
        super().__init__(outlet.kit)
        self._outlet = outlet

    def view(self, at: Snapshot, audience: SeatId) -> Any:
        return self._outlet.view(at, audience)

    def refusals(self, at: Snapshot, audience: SeatId, wishes: list[Any]) -> list[Any]:
        return []


def named(kit: Kit, things: Any) -> set[PieceId]:
    return set(named_in(frozenset(kit.game.pieces(kit.pack)), msgspec.json.encode(things)))


def named_in(pieces: frozenset[PieceId], words: bytes) -> set[PieceId]:
    said = {word.decode() for word in WORD.findall(words)} if pieces else set()
    return {piece for piece in pieces if piece in said}


def play(kit: Kit, seats: int, games: int, seed: int, folder: Path) -> Tally:
    begun, steps, wins, looked, leaks = time.monotonic(), 0, [0] * seats, 0, 0
    for number in range(seed, seed + games):
        played: list[Step] = []
        for step in kit.sensible(seats, number):
            played.append(step)
            assert len(played) < MOST_STEPS, f"{kit.game.id}, {seats} seats, game {number} never ends"
        steps += len(played)
        result = kit.game.result(played[-1].verdict.after)
        assert result is not None
        for seat in result.winners:
            wins[seat] += 1
        assert replays(kit, seats, number, played), f"{kit.game.id}, {seats} seats, game {number} replays otherwise"
        if number % 10 == 0:
            searched, found = looks(kit, seats, number, played, Outlet(kit), folder)
            looked, leaks = looked + searched, leaks + found
    return Tally(games, steps, time.monotonic() - begun, tuple(wins), looked, leaks)


def control(kit: Kit, folder: Path) -> int:
    """A build that shows what lies face down must be noticed."""
    seats = kit.seats()[0]
    return looks(kit, seats, 0, list(kit.sensible(seats, 0)), OpenHands(kit), folder)[1]


def main() -> int:
    parser = argparse.ArgumentParser(description="Let sensible bots play whole games, and look for anything wrong.")
    parser.add_argument("--games", type=int, default=GAMES, help="games of each game, over its numbers of seats")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} games of each")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--game", action="append", help="only this game, may be repeated")
    options = parser.parse_args()
    games, failed = SHORT if options.short else options.games, False
    columns = f"{'seats':>6}{'games':>7}{'steps':>9}{'steps/game':>12}{'looks':>7}{'leaks':>7}{'s':>7}"
    print(f"{'game':<14}{columns}  wins per seat")
    for kit in map(kit_of, options.game or shelf.games()):
        with TemporaryDirectory() as folder:
            for seats in kit.seats():
                many = -(-games // len(kit.seats()))
                tally = play(kit, seats, many, options.seed, Path(folder))
                failed |= tally.leaks > 0
                print(
                    f"{kit.game.id:<14}{seats:>6}{tally.games:>7}{tally.steps:>9}{tally.steps / tally.games:>12.0f}"
                    f"{tally.looked:>7}{tally.leaks:>7}{tally.seconds:>7.1f}  {' '.join(map(str, tally.winners))}",
                    flush=True,
                )
            if not kit.keeps_secrets:
                print(f"{kit.game.id}: nobody knows what others do not, so there is nothing to show too early")
                continue
            heard = control(kit, Path(folder))
            print(f"{kit.game.id}: a build that shows what lies face down is heard {heard} times")
            failed |= not heard
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
