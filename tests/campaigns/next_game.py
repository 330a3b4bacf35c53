"""kill -9 the companion between the end of a game and the next: everybody keeps their seat.

    python tests/campaigns/next_game.py [--kills N] [--short] [--seed N]

A game is over, three phones sit at it. One of them wishes for the next game, and at a random moment around that the
process is killed and started again on the same data. Every phone must find its seat, in the old game or in the new one,
and the wish, sent again, must lead to one new game. The control is a build as it was before: it seats people after it
has opened the game, and after the end of a game it begins another one without them.
"""

from __future__ import annotations

import argparse
import http.client
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from companion.app.opening import make_setup
from companion.core import TABLE, legal, mask
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table import Referee
from tests.campaigns.kills import SEATS, Box, Phone, new_id

GAME = "actionworks"
AS_BEFORE = """
from companion.app import opening
from companion.app.cli import main
from companion.table.referee import Referee
usual = Referee.begin
def afterwards(*given):
    referee = usual(*given[:6])
    for seat, chair, cause in (given[6] if len(given) > 6 else ()):
        referee.seat(seat, chair, cause)
    return referee
Referee.begin = afterwards
opening.EVENING = 0.0
main()
"""


class Tally(Struct):
    kills: int = 0
    opened: int = 0
    """After this many of them the next game was there."""
    unseated: list[str] = []
    doubled: list[str] = []


def finished(data: Path) -> None:
    """A game that bots have just finished."""
    game = shelf.open(GAME)
    with Journal.open(data / JOURNAL) as journal:
        referee = Referee.begin(game, make_setup(game, len(SEATS)), SEATS, "strict", journal, time.time)
        while referee.at.result is None:
            decision = referee.at.decisions[-1]
            seat = TABLE if decision.is_chance else decision.seats[0]
            view = referee.at.state if seat == TABLE else mask(referee.at.state, seat)
            intents = legal(game, view, seat)
            chosen = intents[0] if seat == TABLE else game.bot(view, seat, intents, referee.at.seq)
            referee.act(chosen, None, on_box=True)


def prepared(base: Path) -> list[Phone]:
    """Phones that sit at the finished game; their data are in `base`."""
    finished(base)
    phones = [Phone(seat) for seat in range(len(SEATS))]
    box = Box(base)
    for phone in phones:
        phone.join(box.port)
    box.kill(signal.SIGTERM)
    return phones


def killed(box: Box, phone: Phone, delay: float, wish: dict[str, object]) -> None:
    killer = threading.Timer(delay, box.kill)
    killer.start()
    with suppress(OSError, http.client.HTTPException):
        phone.request(box.port, "POST", "/open", wish)
    killer.join()


def games(data: Path) -> int:
    with Journal.look(data / JOURNAL) as journal:
        return len(journal.games())


def one(base: Path, data: Path, phones: list[Phone], delay: float, code: str, tally: Tally) -> None:
    shutil.copytree(base, data)
    wish: dict[str, object] = {"command": new_id(), "game": GAME, "names": list(SEATS)}
    box = Box(data, code)
    killed(box, phones[0], delay, wish)
    tally.kills += 1
    tally.opened += games(data) > 1
    box = Box(data, code)
    for phone in phones:
        status, page = phone.request(box.port, "GET", "/seat")
        if status != 200 or SEATS[phone.seat] not in page:
            tally.unseated.append(f"kill after {delay * 1000:.1f} ms: {SEATS[phone.seat]} gets {status} at their seat")
    status, _ = phones[0].request(box.port, "POST", "/open", wish)
    if status != 200 or games(data) != 2:
        tally.doubled.append(f"kill after {delay * 1000:.1f} ms: sent again, {status}, and {games(data)} games")
    box.kill()
    shutil.rmtree(data)


def run(kills: int, seed: int, code: str = "") -> Tally:
    dice, tally = random.Random(seed), Tally(unseated=[], doubled=[])
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "base"
        base.mkdir()
        phones = prepared(base)
        for n in range(kills):
            one(base, Path(folder) / "data", phones, dice.uniform(0, 0.06), code, tally)
            print(f"\r{n + 1} kills", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--short", action="store_true", help="2 kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tally = run(2 if options.short else options.kills, options.seed)
    control = run(2 if options.short else 8, options.seed, AS_BEFORE)
    print(
        f"{tally.kills} kills, the next game was there after {tally.opened}: {len(tally.unseated)} phones lost their "
        f"seat, {len(tally.doubled)} wishes sent again went wrong. "
        f"Control: {f'{len(control.unseated)} phones lost their seat' if control.unseated else 'NOT CAUGHT'}."
    )
    for line in (tally.unseated + tally.doubled)[:10]:
        print("WRONG", line)
    return 1 if tally.unseated or tally.doubled or not control.unseated else 0


if __name__ == "__main__":
    sys.exit(main())
