"""What lies face down reaches nobody, where all else lies open: the deck of a public game, at every moment of it.

    python tests/campaigns/face_down.py [--games N] [--short] [--seed N]

Some games keep no secret from a single seat: TimeLine, One False Step. Whatever they hide is hidden from everybody: the
cards that nobody has drawn yet, and those that lie face down on the table. Bots play such games; at many moments all
that lies unseen is dealt anew, and every page, sheet, stream, report, API answer and page of the display must stay the
same, byte for byte, for spectators, for a seat and for the referee. (Which cards are still out everybody can work out;
which of them lies where, or comes next, is the secret.)
Controls: builds that tell the next card of the deck in one way each; every one must be caught in every such game.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.box import Dialog, stack
from companion.box.check import Check
from companion.box.choosing import Choosing
from companion.box.correcting import Correcting
from companion.box.take_back import TakeBack
from companion.core import PUBLIC, REFEREE, Game, Name, Picture, SeatId, mask, say
from companion.journal import Journal
from companion.library import shelf
from companion.table import Snapshot
from companion.table.record import bare
from companion.table.snapshot import Views
from tests.campaigns.phones_canary import MEMORY, Played, Sent, _at_unknown, dealt_anew, outlets

DIALOGS: Final[tuple[Dialog, ...]] = (Choosing(listed=True), Check(), Correcting(), TakeBack())
EVERY: Final = 15
"""Acts between two moments that are checked."""


def is_public(played: Played) -> bool:
    """Whether all seats have seen the same at every moment."""
    seats = range(played.referee.setup.seats)
    return all(
        msgspec.to_builtins(bare(mask(state, SeatId(seat)))) == msgspec.to_builtins(bare(mask(state, PUBLIC)))
        for state in played.referee.states.values()
        for seat in seats
    )


def next_card(snapshot: Snapshot) -> str:
    """The first of the unseen pieces."""
    hidden: list[str] = []
    state, seen = (msgspec.to_builtins(bare(x)) for x in (snapshot.state, snapshot.view(PUBLIC)))
    _at_unknown(state, seen, hidden.append)
    return hidden[0] if hidden else ""


def sent(snapshot: Snapshot, audience: SeatId) -> Sent:
    """Everything sent to this audience; for everybody that includes the display."""
    told = outlets(snapshot, audience)
    if audience == PUBLIC:
        pages = [stack.page(snapshot, stack.REST), *(dialog.page(snapshot) for dialog in DIALOGS)]
        told["the display"] = msgspec.json.encode(pages)
    return told


# Builds that tell too much


def _headline(game: Game[Any, Any], card: str) -> Game[Any, Any]:
    return replace(game, headline=lambda _view: say("choice", item=Name(card)))


def _own(game: Game[Any, Any], card: str) -> Game[Any, Any]:
    return replace(game, own=lambda view, seat: (*game.own(view, seat), say("choice", item=Name(card))))


def _picture(game: Game[Any, Any], card: str) -> Game[Any, Any]:
    def drawn(view: Any) -> Picture:
        picture = game.picture(view)
        return replace(picture, rows=(*picture.rows, say("choice", item=Name(card))))

    return replace(game, picture=drawn)


def _decision(game: Game[Any, Any], card: str) -> Game[Any, Any]:
    def asked(view: Any) -> Any:
        return tuple(replace(each, facts=(*each.facts, ("card", Name(card)))) for each in game.decisions(view))

    return replace(game, decisions=asked, headline=lambda view: say("choice", item=asked(view)[-1].facts[-1][1]))


BROKEN: Final[dict[str, Callable[[Game[Any, Any], str], Game[Any, Any]]]] = {
    "the headline": _headline,
    "a seat's things": _own,
    "the drawn table": _picture,
    "what is asked": _decision,
}


class Campaign:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.moments: Counter[str] = Counter()
        self.bytes = 0
        self.leaks: list[str] = []
        self.caught: dict[str, set[str]] = {}

    def game(self, game_id: str) -> None:
        game = shelf.open(game_id)
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Journal.open(Path(folder) / "games.journal") as journal:
            played = Played(journal, game, self.dice.randint(game.seats[0], min(game.seats[1], 4)))
            for acts in range(EVERY, self.dice.randint(2, 8) * EVERY, EVERY):
                played.play(self.dice, acts)
                if not is_public(played):
                    return
                self.look(played.snapshot())

    def look(self, here: Snapshot) -> None:
        seat = SeatId(self.dice.randrange(here.state.setup.seats))
        for audience in (PUBLIC, REFEREE, seat):
            there = dealt_anew(here, audience)
            if there is None:
                continue
            self.moments[here.game.id] += 1
            one, two = sent(here, audience), sent(there, audience)
            self.bytes += sum(map(len, one.values()))
            different = [name for name in (*one, *two) if one.get(name) != two.get(name)]
            self.leaks += [f"{here.game.id}: {name} tells {audience} what lies face down" for name in different]
            if audience == seat:
                self.plant(here, there, audience)

    def plant(self, here: Snapshot, there: Snapshot, audience: SeatId) -> None:
        caught = self.caught.setdefault(here.game.id, set())
        for name, broken in BROKEN.items():
            if name not in caught:
                one, two = (sent(_built(at, broken), audience) for at in (here, there))
                if one != two:
                    caught.add(name)

    def missed(self) -> list[str]:
        return [f"{game}, {name}" for game, caught in self.caught.items() for name in BROKEN if name not in caught]


def _built(snapshot: Snapshot, broken: Callable[[Game[Any, Any], str], Game[Any, Any]]) -> Snapshot:
    return replace(snapshot, game=broken(snapshot.game, next_card(snapshot)), views=Views())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--short", action="store_true", help="one game of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long, whatever was reached")
    options = parser.parse_args()
    campaign, ids, until = Campaign(options.seed), shelf.games(), time.monotonic() + 60 * options.minutes
    for n in range(len(ids) if options.short else options.games):
        if time.monotonic() < until:
            campaign.game(ids[n % len(ids)])
    missed = campaign.missed()
    print(
        f"Public games, moments dealt anew: {dict(campaign.moments)}; {campaign.bytes >> 20} MB compared: "
        f"{len(campaign.leaks)} leaks. Planted leaks caught in each: "
        f"{ {game: len(caught) for game, caught in campaign.caught.items()} } of {len(BROKEN)}."
    )
    print(*campaign.leaks[:10], *(f"NOT CAUGHT: {name}" for name in missed), sep="\n")
    return 1 if campaign.leaks or missed or not campaign.moments else 0


if __name__ == "__main__":
    sys.exit(main())
