"""What a table says, a hub can read: the same view, and the very same big screen drawn from it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import SeatId, Seq
from companion.library import TurnClock
from companion.table.outside import Seen, Ticking
from tests.web.club.evening import GAMES, called, played, public, seen_after, tv
from web.club import (
    GameOver,
    Guests,
    SetupSaid,
    TableId,
    Unreadable,
    View,
    decode,
    encode,
    game_over,
    opened,
    parted,
    seen_of,
    setup_of,
    tellings,
    topic,
    view_of,
)
from web.club.outbox import Outbox
from web.club.reading import entries
from web.club.telling import runs

EVERYBODY = Guests()
TABLE_4 = TableId("t-oak4")


def over_the_wire(seen: Seen, guests: Guests = EVERYBODY) -> Seen:
    """As a hub has it: from the bytes alone."""
    setup = decode(SetupSaid, encode(setup_of(seen)))
    return seen_of(opened(setup), decode(View, encode(view_of(seen, guests))), called)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("acts", [0, 1, 60])
def test_a_hub_draws_the_same_big_screen(tmp_path: Path, game: str, acts: int) -> None:
    seen = seen_after(tmp_path, game, acts)
    there = over_the_wire(seen)
    assert there.view == seen.view
    assert tv(there) == tv(seen)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_hub_draws_the_same_end(tmp_path: Path, game: str) -> None:
    seen = seen_after(tmp_path, game, 5000)
    assert seen.result is not None
    there = over_the_wire(seen)
    assert tv(there) == tv(seen)
    assert there.known == seen.known
    assert there.line == seen.line


@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_small(tmp_path: Path, game: str) -> None:
    """Hundreds of tables publish one each second."""
    assert len(encode(view_of(seen_after(tmp_path, game, 40), EVERYBODY))) < 12_000


def test_the_turn_clock_comes_along(tmp_path: Path) -> None:
    """In seconds since 1970, since no two machines started their clocks together."""
    ticking = Ticking(TurnClock("soft", 60), (12.0, 0.0, 0.0), (SeatId(0),), 500.0)
    seen = replace(seen_after(tmp_path, "timeline", 0), clock=ticking)
    said = decode(View, encode(view_of(seen, EVERYBODY, lambda steady: steady + 1_000_000)))
    there = seen_of(opened(setup_of(seen)), said, called, lambda wall: wall - 999_000)
    assert there.clock == replace(ticking, at=1500.0)


def test_who_is_left_out_is_named_nowhere(tmp_path: Path) -> None:
    seen = seen_after(tmp_path, "timeline", 5000)
    guests = Guests(left_out=("  BEN ",))
    result = game_over(TABLE_4, seen, guests)
    assert result is not None
    said = [encode(each) for each in (view_of(seen, guests), result, *tellings(seen, Seq(0)))]
    assert not any(b"Ben" in each for each in said)
    assert any(b"Ada" in each for each in said)
    assert [chair.name for chair in over_the_wire(seen, guests).chairs] == ["Ada", "Seat 2", "Chloé"]


def test_a_table_may_name_nobody(tmp_path: Path) -> None:
    seen = seen_after(tmp_path, "actionworks", 10)
    assert {chair.name for chair in over_the_wire(seen, Guests(nobody=True)).chairs} == {"Seat 1", "Seat 2", "Seat 3"}


def test_no_phone_is_told_apart(tmp_path: Path) -> None:
    """A chair keeps the hash of its phone's secret; what leaves says only that there is one."""
    seen = seen_after(tmp_path, "actionworks", 10)
    raw = encode(view_of(seen, EVERYBODY))
    assert not any(chair.key.encode() in raw for chair in seen.chairs)
    assert all(chair.key for chair in over_the_wire(seen).chairs)


def test_what_is_told_is_told_from_where_it_was_broken_off(tmp_path: Path) -> None:
    seen = seen_after(tmp_path, "us-patent", 30)
    everything = tellings(seen, Seq(0))
    assert [each.told.seq for each in everything] == sorted(each.told.seq for each in everything)
    assert everything[10:] == tellings(seen, everything[9].told.seq)
    assert tellings(seen, seen.seq) == ()


def test_an_end_that_is_taken_back_stands_no_more(tmp_path: Path) -> None:
    with played(tmp_path, "timeline", 5000) as evening:
        over = game_over(TABLE_4, public(evening), EVERYBODY)
        evening.referee.take_back(evening.referee.at.line[-2], SeatId(0), None)
        seen = public(evening)
    assert isinstance(over, GameOver)
    assert over.stands
    back = game_over(TABLE_4, seen, EVERYBODY, over)
    assert back is not None
    assert not back.stands
    assert back.id == over.id
    assert back.seq > over.seq
    assert game_over(TABLE_4, seen, EVERYBODY, back) is None


@pytest.mark.parametrize("line", [(), (1,), (1, 2, 3), (1, 2, 5, 6, 9)])
def test_a_line_is_said_as_runs(line: tuple[int, ...]) -> None:
    said = tuple(map(Seq, line))
    assert tuple(entries(runs(said))) == said


def test_topics_have_one_reading() -> None:
    assert parted(topic(TABLE_4, "view")) == (TABLE_4, "view")
    for other in ("companion/v1/hub", "companion/v2/t-oak4/view", "companion/v1/T-1/view", "companion/v1/t-a+b/view"):
        assert parted(other) is None


@pytest.mark.parametrize("raw", [b"", b"[]", b'{"v":2,"here":true}', b'{"v":1,"record":"x"}', b"\xff", b"{" * 9000])
def test_what_is_no_payload_is_said_to_be_none(raw: bytes) -> None:
    with pytest.raises(Unreadable, match="same version"):
        decode(View, raw)


def test_another_version_of_a_game_is_named(tmp_path: Path) -> None:
    setup = setup_of(seen_after(tmp_path, "actionworks", 0))
    with pytest.raises(Unreadable, match="version 99 of actionworks"):
        opened(replace(setup, rules=99))
    with pytest.raises(Unreadable, match="not on this shelf"):
        opened(msgspec.structs.replace(setup, game="chess"))


def test_a_view_of_another_game_waits_for_its_set_up(tmp_path: Path) -> None:
    seen = seen_after(tmp_path, "actionworks", 3)
    with pytest.raises(Unreadable, match="wait"):
        seen_of(opened(setup_of(seen)), replace(view_of(seen, EVERYBODY), record="later"), called)


@pytest.mark.parametrize("part", ["view", "setup"])
def test_bytes_that_are_no_text_are_no_view(part: str, tmp_path: Path) -> None:
    """One table that sends well-formed rubbish must not break the wall for all others."""
    seen = seen_after(tmp_path, GAMES[0], 0)
    setup, view = setup_of(seen), view_of(seen, EVERYBODY)
    if part == "view":
        view = replace(view, view=msgspec.Raw(bytes(view.view).replace(b':"', b':"\x96', 1)))
    else:
        setup = replace(setup, setup=msgspec.Raw(bytes(setup.setup).replace(b':"', b':"\x96', 1)))
    with pytest.raises(Unreadable):
        seen_of(opened(setup), view, called)


def test_a_result_that_is_no_text_is_passed_over(tmp_path: Path) -> None:
    """The power may have failed while it was written; the game itself is in the journal."""
    (tmp_path / "torn.json").write_bytes(b'{"over":{"id":"\x96"}}')
    assert Outbox(tmp_path).waiting() == ()
