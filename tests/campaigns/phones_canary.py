"""Non-interference over every byte: what a phone is sent does not depend on what it may not know.

    python tests/campaigns/phones_canary.py [--games N] [--short] [--seed N]

Bots play every game on the shelf. For each audience everything that it may not know is dealt anew, decks too: every
page, sheet, stream, report, API answer and answer to a photo of any card must stay the same, byte for byte. Then two
pieces are chosen that it never saw; they are swapped in every intent, and the game is played again. If all views of
that audience are equal (the pieces are alike for the rules), then all that is sent must be equal too. Leaks are
planted in each outlet; every one must be caught, and in each game at least one.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Flask

from companion.app.bots import bot_of, chosen
from companion.app.opening import load_texts, make_setup
from companion.core import (
    PUBLIC,
    REFEREE,
    TABLE,
    UNKNOWN,
    Asked,
    Draw,
    Game,
    Intent,
    PieceId,
    SeatId,
    known_pieces,
    legal,
    mask,
)
from companion.journal import Journal, WasRefused
from companion.library import PieceTag, Tagbook, codes_of, pretend_uid, shelf
from companion.phones import offers
from companion.table import Answer, Chair, No, Referee, Snapshot, things_of
from companion.table.record import bare, own_rule
from companion.table.seen import Moment
from companion.table.snapshot import Views
from tests.campaigns._leaks import PLANTED, REFUSAL, refusals_leak
from tests.printed import Album
from web import create_app, dashboard_of
from web.door import Limits, key_of, phone_of
from web.door.limits import Pace
from web.screen import Visit, rendering
from web.screen.screen import Builder
from web.screens import LIVE, still_screen

HOST = "box.test"
PHOTOS = 8
"""Pieces that a seat shows to its camera, wherever they are; and all of them at once."""
EXTRA = 20
"""Extra games if a planted leak had no chance yet, because nobody held anything that could have leaked there."""
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
LINKS = 12
"""About this many links are followed at each moment."""
NO_LIMITS = Limits(
    {
        "join": Pace(10**9, 1),
        "post": Pace(10**9, 1),
        "get": Pace(10**9, 1),
        "seated": Pace(10**9, 1),
        "photo": Pace(10**9, 1),
    }
)
NAMES = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo")
PAGES = (
    "/",
    "/watch",
    "/seat",
    "/seat?wide=1",
    "/table",
    "/table?form=list",
    "/history",
    "/corrections",
    "/check",
    "/lay",
    "/rules?q=A1",
    "/more",
    "/shelf",
    "/setup",
    "/packs",
    "/waiting",
    "/describe",
    "/report",
    "/report.html",
    "/enrol",
    "/api/v1/view",
    "/api/v1/history",
    "/api/v1/rules",
)


class Still:
    """A table at which nothing happens any more."""

    snapshot: Snapshot

    def ask(self, asked: Asked, *_: Any) -> Answer:
        """Pages ask for nothing; a card shown while the table is drawing is refused, like any that it can't draw."""
        assert isinstance(asked.wish, Draw)
        return No(own_rule(4, "nothing-to-do"))

    @property
    def moment(self) -> Moment:
        return self.snapshot.moment()

    def follow(self, _fn: Any) -> Callable[[], None]:
        return lambda: None

    def foresee(self, _fn: Any) -> Callable[[], None]:
        return lambda: None

    def away(self, _seats: Any) -> None:
        pass


class Played:
    """One game in its own journal."""

    def __init__(self, journal: Journal, game: Game[Any, Any], seats: int) -> None:
        self.game = game
        self.referee = Referee.begin(game, make_setup(game, seats), NAMES[:seats], "strict", journal, lambda: 0.0)
        for seat in (*range(seats), REFEREE):
            chair = Chair("Rosa" if seat == REFEREE else NAMES[seat], key_of(f"phone-{seat}"))
            self.referee.seat(SeatId(seat), chair, None)
        self.intents: list[Intent] = []

    def act(self, intent: Intent) -> bool:
        entry = self.referee.act(intent, None, on_box=False)
        self.intents.append(intent)
        return not isinstance(entry.body, WasRefused)

    def snapshot(self) -> Snapshot:
        """Named alike in all journals, so that only the game tells two apart."""
        return msgspec.structs.replace(self.referee.snapshot(1), table="game")

    def play(self, dice: random.Random, acts: int) -> None:
        bot = bot_of(self.game, dice.choice(("sensible", "random")))
        while len(self.intents) < acts and self.referee.at.result is None:
            at = self.referee.at
            seat = dice.choice(at.decisions[-1].seats)
            if seat == TABLE:
                intent: Intent | None = dice.choice(legal(self.game, at.state, TABLE))
            else:
                intent = chosen(self.game, bot, mask(at.state, seat), seat, dice.randrange(1 << 30))
            assert intent is not None
            assert self.act(intent)


def moments(played: Played) -> Iterator[Any]:
    """Every state of a game, including those between two events of one entry: a hand may be shown and hidden in one
    act.
    """
    state = played.referee.states[played.referee.history[0].seq]
    yield state
    for deed in played.referee.deeds.values():
        for event in deed.events:
            state = played.game.apply(state, event)
            yield state


def unseen(played: Played, audience: SeatId) -> list[PieceId]:
    """The pieces that this audience never saw by name."""
    seen: set[PieceId] = set()
    for state in moments(played):
        seen |= known_pieces(played.game, mask(state, audience))
    return [piece for piece in played.game.pieces(played.referee.setup.pack) if piece not in seen]


def swapped(played: Played, journal: Journal, a: PieceId, b: PieceId, audience: SeatId) -> Played | None:
    """The same game with two pieces swapped; None if the rules or the audience can tell them apart."""
    other = Played(journal, played.game, played.referee.setup.seats)
    exchange: dict[str, str] = {a: b, b: a}
    for intent in played.intents:
        raw = msgspec.to_builtins(intent)
        mapped = {k: exchange.get(v, v) if isinstance(v, str) else v for k, v in raw.items()}
        if not other.act(msgspec.convert(mapped, type(intent))):
            return None
    both = zip(moments(played), moments(other), strict=False)
    return other if all(mask(x, audience) == mask(y, audience) for x, y in both) else None


@cache
def dashboard_for(game_id: str) -> tuple[Flask, Still]:
    """One dashboard for each game, as people have it, with tags for all pieces: its templates are loaded once."""
    still, book, game = Still(), Tagbook(), shelf.open(game_id)
    book.pretend(PieceTag(game.id, piece) for piece in _pieces(game))
    return create_app(still, load_texts, None, (HOST,), limits=NO_LIMITS, tagbook=book, photos=Album()), still


def _pieces(game: Game[Any, Any]) -> tuple[PieceId, ...]:
    pieces: tuple[PieceId, ...] = game.pieces(make_setup(game, game.seats[0]).pack)
    return pieces


@cache
def links_of(game_id: str) -> tuple[str, ...]:
    """The links on the stickers of some of its pieces, from all over its pack."""
    game = shelf.open(game_id)
    uids = [pretend_uid(PieceTag(game.id, piece)) for piece in _pieces(game)]
    return tuple(f"/t/{uid}?watch=1" for uid in uids[:: 1 + len(uids) // LINKS])


def dealt_anew(snapshot: Snapshot, audience: SeatId) -> Snapshot | None:
    """The same moment with all pieces that this audience may not know permuted; None if it knows all.

    A deck alone is such a secret too, though nobody at the table knows it.
    """
    state, seen = (msgspec.to_builtins(bare(x)) for x in (snapshot.state, snapshot.view(audience)))
    hidden: list[str] = []
    _at_unknown(state, seen, hidden.append)
    pieces = sorted(set(hidden) & set(snapshot.game.pieces(snapshot.state.setup.pack)))
    there = dict(zip(pieces, (*pieces[1:], *pieces[:1]), strict=True))
    other = msgspec.convert(_at_unknown(state, seen, lambda piece: there.get(piece, piece)), snapshot.game.state)
    if len(there) < 2:
        return None
    at = msgspec.structs.replace(snapshot.at, state=msgspec.structs.replace(other, setup=snapshot.state.setup))
    return msgspec.structs.replace(snapshot, at=at, views=Views())


def _at_unknown(state: Any, seen: Any, fn: Callable[[str], Any]) -> Any:
    """The state with `fn` of each value that the view doesn't show."""
    match state:
        case str() if seen == UNKNOWN != state:
            return fn(state)
        case dict():
            return {name: _at_unknown(value, seen.get(name), fn) for name, value in state.items()}
        case tuple():
            return [_at_unknown(x, y, fn) for x, y in zip(state, seen, strict=True)]
        case _:
            return state


Way = Callable[[], bytes]
Sent = dict[str, bytes]


def ways(snapshot: Snapshot, audience: SeatId) -> dict[str, Way]:
    """Everything this audience can be sent, by name: pages, sheets, streams, answers."""
    app, still = dashboard_for(snapshot.game.id)
    still.snapshot = snapshot
    client = app.test_client()
    if audience != PUBLIC:
        client.set_cookie("companion-seat", f"phone-{audience}", domain=HOST)
    dash = dashboard_of(app)
    phone = phone_of({"companion-seat": f"phone-{audience}"}, "", "", snapshot.seen_by(PUBLIC), "en")

    def page(path: str) -> Way:
        is_link = path.startswith("/t/")
        return lambda: client.get(path, base_url=f"http://{HOST}", follow_redirects=is_link).data

    def stream(builder: Builder) -> Way:
        visit = Visit(dash, phone, snapshot.moment())
        return lambda: rendering.render_fragments(visit, builder(visit) or still_screen(visit)).encode()

    def photo(*pieces: PieceId) -> Way:
        codes = codes_of(things_of(snapshot))
        data = " ".join(codes.number(PieceTag(snapshot.game.id, piece)) for piece in pieces).encode()
        headers = {"X-Companion": "1", "Origin": f"http://{HOST}", "Content-Type": "image/jpeg"}
        return lambda: (
            client.post("/photo?command=12345678", base_url=f"http://{HOST}", data=data, headers=headers).data
        )

    places = sorted({lies.place for lies in snapshot.game.layout(snapshot.view(PUBLIC))})
    paths = [*PAGES, *links_of(snapshot.game.id), *(f"/thing?kind=place&id={quote(place)}" for place in places)]
    paths += [f"/touch?kind=place&id={quote(place)}" for place in places[::4]]
    if audience >= 0:
        paths += [f"/take-back?entry={seq}" for seq in snapshot.at.line[-3:]]
        paths += [f"/why?intent={quote(row.json)}" for row in offers.not_now(snapshot.seen_by(audience))]
    pieces = snapshot.game.pieces(snapshot.state.setup.pack)
    photos = {f"photo {piece}": photo(piece) for piece in pieces[:: len(pieces) // PHOTOS]} if audience >= 0 else {}
    if audience >= 0:
        photos["photo of all"] = photo(*pieces)
    return (
        photos
        | {path: page(path) for path in paths}
        | {f"stream {name}": stream(live.build) for name, live in LIVE.items()}
    )


def outlets(snapshot: Snapshot, audience: SeatId, only: str = "") -> Sent:
    """What they send; only those whose name begins with `only`, if given."""
    return {name: way() for name, way in ways(snapshot, audience).items() if name.startswith(only)}


def refusals(played: Played, audience: SeatId) -> list[bytes]:
    """A seat's answers when it tries what it can name; only refusals."""
    view = mask(played.referee.at.state, audience)
    told: list[bytes] = []
    for verb in played.game.verbs:
        for intent in list(verb.arguments(view, audience))[:2]:
            entry = played.referee.act(intent, None, on_box=False)
            if not isinstance(entry.body, WasRefused):
                return told
            told.append(msgspec.json.encode(entry.body.refusal))
    return told


class Campaign:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.games = self.bytes = 0
        self.swapped: Counter[str] = Counter()
        self.anew: Counter[str] = Counter()
        self.leaks: list[str] = []
        self.caught: dict[str, set[str]] = {name: set() for name in (*(name for _, name in PLANTED), REFUSAL)}

    def game(self, game_id: str) -> None:
        game = shelf.open(game_id)
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Journal.open(Path(folder) / "games.journal") as journal:
            seats = self.dice.randint(game.seats[0], min(game.seats[1], 4))
            played = Played(journal, game, seats)
            played.play(self.dice, self.dice.randint(5, 120))
            # Two of the onlookers: over many games everybody gets a turn, and more games are worth more than more
            # phones.
            for audience in (SeatId(self.dice.randrange(seats)), PUBLIC):
                here = played.snapshot()
                sent = outlets(here, audience)
                self._deal_anew(here, sent, audience)
                self._swap(journal, played, sent, audience)
        self.games += 1

    def missed(self) -> list[str]:
        """The outlets in which no planted leak was caught yet, and the games in which none was."""
        games = set().union(*self.caught.values())
        return [name for name, found in self.caught.items() if not found] + sorted(set(shelf.games()) - games)

    def _deal_anew(self, here: Snapshot, sent: Sent, audience: SeatId) -> None:
        """Just this moment: whatever lies where this audience can't see it."""
        there = dealt_anew(here, audience)
        if there is not None:
            self.anew[here.game.id] += 1
            self._compare(here, sent, there, audience, "about what lies unseen")

    def _swap(self, journal: Journal, played: Played, sent: Sent, audience: SeatId) -> None:
        """The whole game: two pieces that were moved and never seen."""
        hidden = unseen(played, audience)
        moved = {str(v) for i in played.intents for v in msgspec.to_builtins(i).values()}
        acted = [piece for piece in hidden if piece in moved]
        for _ in range(6):
            if len(hidden) < 2 or not acted:
                return
            a = self.dice.choice(acted)
            b = self.dice.choice([piece for piece in hidden if piece != a])
            other = swapped(played, journal, a, b, audience)
            if other is not None:
                break
        else:
            return
        self.swapped[played.game.id] += 1
        self._compare(played.snapshot(), sent, other.snapshot(), audience, f"about {a} or {b}")
        same = swapped(played, journal, a, a, audience)
        assert same is not None
        if audience >= 0:
            self._refuse(same, other, audience, f"{a} or {b}")

    def _refuse(self, here: Played, there: Played, audience: SeatId, what: str) -> None:
        with refusals_leak():
            if refusals(here, audience) != refusals(there, audience):
                self.caught[REFUSAL].add(here.game.id)
        if refusals(here, audience) != refusals(there, audience):
            self.leaks.append(f"{here.game.id}: a refusal tells {audience} about {what}")

    def _compare(self, here: Snapshot, sent: Sent, there: Snapshot, audience: SeatId, what: str) -> None:
        twos = outlets(there, audience)
        if sent.keys() != twos.keys():
            self.leaks.append(f"{here.game.id}: what {audience} may ask tells {what}")
        for name, one in sent.items():
            self.bytes += len(one)
            if one != twos.get(name, one):
                self.leaks.append(f"{here.game.id}: {name} tells {audience} {what}")
        for leak, name in PLANTED:
            if not self.caught[name] or here.game.id in self.missed():
                with leak():
                    if outlets(_afresh(here), audience, name) != outlets(_afresh(there), audience, name):
                        self.caught[name].add(here.game.id)


def _afresh(snapshot: Snapshot) -> Snapshot:
    """With no view drawn yet, so that a broken build draws its own."""
    return msgspec.structs.replace(snapshot, views=Views())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--short", action="store_true", help="few games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long, whatever was reached")
    options = parser.parse_args()
    campaign = Campaign(options.seed)
    ids = shelf.games()
    games = max(6, len(ids)) if options.short else options.games
    until = time.monotonic() + 60 * options.minutes
    while campaign.games < games + (EXTRA if campaign.missed() else 0) and time.monotonic() < until:
        campaign.game(ids[campaign.games % len(ids)])
        print(f"\r{campaign.games} games, {campaign.bytes >> 20} MB", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    missed = campaign.missed()
    print(
        f"{campaign.games} games, {campaign.bytes >> 20} MB compared: {len(campaign.leaks)} leaks. Moments dealt anew: "
        f"{dict(campaign.anew)}; games with two pieces swapped: {dict(campaign.swapped)}. "
        f"Outlets in which a planted leak was caught: {sum(map(bool, campaign.caught.values()))} "
        f"of {len(campaign.caught)}."
    )
    for line in (*campaign.leaks[:10], *(f"NOT CAUGHT: {name}" for name in missed)):
        print(line)
    return 1 if campaign.leaks or missed or campaign.games < games or len(campaign.anew) < len(ids) else 0


if __name__ == "__main__":
    sys.exit(main())
