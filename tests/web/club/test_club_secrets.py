"""Nothing that leaves for a club depends on what not everybody may know: byte for byte, at every moment of a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.opening import load_texts
from companion.core import PUBLIC
from companion.library import Speaker
from companion.table import Snapshot
from companion.table.outside import Seen
from companion.table.snapshot import Views
from tests.campaigns.phones_canary import Played, dealt_anew
from tests.web.club.evening import GAMES, play, played
from web.club import Paired, TableId, home
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.teller import Message, Teller

MEMBER = Membership(Paired(TableId("t-oak4"), "0123456789abcdef", "h", 1, "", "Club"), "Oak 4")
ACTS, EVERY = 60, 6
Build = Callable[[Snapshot], Snapshot]


def speaks(seen: Seen) -> Speaker:
    return Speaker(load_texts(seen.game), "en")


def said(snapshot: Snapshot, folder: Path) -> list[Message]:
    """Every byte that a table says if it connects at this moment, until it has nothing more to say."""
    teller = Teller(MEMBER, "1.0", Outbox(folder), home(MEMBER, "1.0", speaks))
    teller.take(snapshot.moment().public)
    found: list[Message] = [teller.will]
    while due := list(teller.due()):
        found += due
        for message in due:
            teller.acknowledge(message)
    return found


def leaks(evening: Played, folder: Path, build: Build = lambda snapshot: snapshot) -> int:
    """Moments at which what is said distinguishes two games that nobody may tell apart, including the end."""
    found, dice = 0, random.Random(3)
    looked = 0
    for at in range(ACTS // EVERY):
        play(evening, dice, EVERY)
        snapshot = evening.snapshot()
        other = dealt_anew(snapshot, PUBLIC)
        if other is not None:
            looked += 1
            found += said(build(snapshot), folder / f"{at}a") != said(build(other), folder / f"{at}b")
    assert looked > ACTS // EVERY // 2, "there were secrets to tell"
    return found


@pytest.mark.parametrize("game", GAMES)
def test_secrets_change_no_byte(tmp_path: Path, game: str) -> None:
    with played(tmp_path / "game", game, 0) as evening:
        assert leaks(evening, tmp_path) == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_planted_leak_is_found(tmp_path: Path, game: str) -> None:
    """The control: a build in which the table hands out the state instead of what everybody may see."""

    def leaky(snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, views=Views({PUBLIC: snapshot.state}))

    with played(tmp_path / "game", game, 0) as evening:
        assert leaks(evening, tmp_path, leaky) > 0
