"""Set-up: boards, Time Machines, the first turn, the pack and what a pack may not be."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import TABLE, PlaceId, Setup, SetupError, Zone
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import SLOTS, Inventor, Link, Pack, Repair, SelfRepair, Upgrade, tables
from companion.games.us_patent.state.cards import blank_pack
from companion.games.us_patent.state.vocabulary import Drive
from companion.library import shelf
from tests.games.us_patent.play import (
    ADA,
    BEN,
    CLEO,
    CLERK,
    PLAIN,
    drawn,
    in_lab,
    in_market,
    machine,
    piece,
    playout,
    setup_for,
)


@pytest.mark.rule("P1")
def test_nine_boards_in_a_square_with_board_0_in_the_middle() -> None:
    assert CLERK.years == tuple(sorted(CLERK.years))
    assert (CLERK.years[0], CLERK.years[1], CLERK.years[8]) == (1790, 1814, 2168)
    zones = [s for s in GAME.picture(drawn(3).now).shapes if isinstance(s, Zone) and s.head is not None]
    where = {dict(zone.said.facts)["board"]: (zone.x, zone.y) for zone in zones}
    columns, rows = sorted({x for x, _ in where.values()}), sorted({y for _, y in where.values()})
    assert (len(columns), len(rows)) == (3, 3)
    assert where[0] == (columns[1], rows[1])
    around = [where[board] for board in range(1, 9)]
    steps = {(abs(a - c), abs(b - d)) for (a, b), (c, d) in pairwise(around)}
    beside = {(columns[1] - columns[0], 0), (0, rows[1] - rows[0])}
    assert steps == beside, "each board lies next to the one before"


@pytest.mark.rule("P2")
def test_a_time_machine_gives_start_space_and_gold() -> None:
    table = drawn(3, "lampwright-1857")
    first = table.now.machines[ADA]
    inventor = tables(CLERK).inventors[piece("lampwright-1857")]
    assert (first.card, first.at, first.gold) == ("lampwright-1857", "2/lab", inventor.gold)
    assert table.why(i.DrewMachine(TABLE, piece("lampwright-1857"))) == ("P2", "machine-left")
    table.do(i.DrewMachine(TABLE, piece("quill-1814")), i.DrewMachine(TABLE, piece("last-heir-2168")))
    assert table.why(i.DrewMachine(TABLE, piece("archivist-2104"))) == ("P2", "machine-due")


@pytest.mark.rule("P3")
def test_the_earliest_machine_begins_and_turns_pass_to_the_left() -> None:
    table = drawn(3, "archivist-2104", "quill-1814", "last-heir-2168")
    assert table.now.turn == BEN
    assert table.awaits() == ("research", (TABLE,))
    turns = [after.turn for before, _, after in playout(4, 5, 300) if before.turns != after.turns]
    assert all((b - a) % 4 == 1 for a, b in pairwise(turns))
    table = drawn(3, "quill-1814", "archivist-2104", "last-heir-2168")
    table.do(i.Drew(TABLE, piece("fog-bell")), in_lab(ADA, 1), i.Stay(ADA))
    assert table.why(i.TakeGold(BEN)) == ("P3", "your-turn")
    assert table.do(i.TakeGold(ADA)).now.turn == BEN


@pytest.mark.rule("P4")
def test_48_upgrades_in_the_deck_and_nothing_elsewhere() -> None:
    table = drawn(3, "quill-1814", "archivist-2104", "last-heir-2168")
    now = table.now
    assert len(now.deck) == len(set(now.deck.unseen)) == 48
    assert not now.junkyard
    assert not any(now.markets)
    assert not any(now.labs)
    assert all(card == "?" for card in table.view(ADA).deck.unseen)
    table.do(i.Drew(TABLE, piece("fog-bell")), in_market(ADA, 1), i.Stay(ADA), i.ResearchAgain(ADA))
    assert table.why(i.Drew(TABLE, piece("fog-bell"))) == ("P4", "next-card")


@pytest.mark.rule("P40")
def test_three_to_eight_play() -> None:
    for seats in (2, 9):
        with pytest.raises(SetupError, match="3 to 8"):
            GAME.start(setup_for(seats))
    for seats in range(3, 9):
        assert len(GAME.start(setup_for(seats)).machines) == seats
    with pytest.raises(SetupError, match="Time Machines"):
        GAME.start(setup_for(8, replace(CLERK, inventors=CLERK.inventors[:7])))


@pytest.mark.rule("P39", "P.af")
@pytest.mark.parametrize(
    ("seats", "easier", "extra"),
    [(3, "by-seats", 0), (6, "by-seats", 0), (7, "by-seats", 4), (8, "by-seats", 4), (8, "off", 0), (3, "on", 4)],
)
def test_the_easier_game_gives_four_gold_more(seats: int, easier: str, extra: int) -> None:
    table = drawn(seats, "quill-1814", easier=easier)
    gold = tables(CLERK).inventors[piece("quill-1814")].gold
    assert table.now.machines[ADA].gold == gold + extra


@pytest.mark.rule("P.aq")
def test_unused_machines_leave_the_game_and_no_date_comes_twice() -> None:
    table = drawn(3, "archivist-2104", "quill-1814", "last-heir-2168")
    boxed = [lies.piece for lies in GAME.layout(table.now) if lies.place == "box"]
    assert len([piece for piece in boxed if not piece.startswith("pawn")]) == 5
    again = Inventor("double", 1814, "3/lab", 5)
    with pytest.raises(ValueError, match="1814"):
        replace(CLERK, inventors=(*CLERK.inventors, again))


def test_the_last_of_eight_machines_needs_no_draw() -> None:
    table = drawn(8, *(m.id for m in CLERK.inventors[:7]))
    assert len(table.happened(e.MachineDrawn)) == 2
    assert table.now.turn == ADA


@pytest.mark.rule("P5", "P6")
def test_the_clerks_pack_has_the_right_counts() -> None:
    ups = CLERK.upgrades
    assert Counter(up.slot for up in ups) == dict.fromkeys(SLOTS, 12)
    assert all(sorted(u.rank for u in ups if u.slot == slot) == list(range(1, 13)) for slot in SLOTS)
    assert Counter(up.period for up in ups) == dict.fromkeys(range(1, 9), 6)
    robot = next(up for up in ups if up.id == "mangolds-robot")
    assert any(isinstance(effect, SelfRepair) for effect in robot.effects)
    years = [inventor.year for inventor in CLERK.inventors]
    assert (len(years), min(years), max(years)) == (8, 1814, 2168)
    assert all(inventor.start == f"{at}/lab" for at, inventor in enumerate(CLERK.inventors, 1))


def test_the_clerks_map_has_every_place_once_and_hangs_together() -> None:
    kinds = {space.id: space.kind for space in CLERK.spaces}
    assert sorted(place for place, kind in kinds.items() if kind == "library") == [f"{b}/library" for b in range(2, 9)]
    for room in ("lab", "market"):
        assert sorted(p for p, kind in kinds.items() if kind == room) == [f"{b}/{room}" for b in range(1, 9)]
    assert {kinds["0/office"], kinds["0/mechanic"], kinds["0/junkyard"]} == {"office", "mechanic", "junkyard"}
    found = tables(CLERK)
    assert all(len(far) == len(kinds) for far in found.distances.values())
    assert all(1 <= found.distances[PlaceId(f"{b}/lab")][PlaceId("0/office")] <= 7 for b in range(1, 9))


def test_broken_packs_are_told_what_is_wrong() -> None:
    twice = (*PLAIN.upgrades, PLAIN.upgrades[0])
    with pytest.raises(ValueError, match="two cards are called"):
        replace(PLAIN, upgrades=twice)
    with pytest.raises(ValueError, match="no space 3/cellar"):
        replace(PLAIN, links=(*PLAIN.links, Link("3/lab", "3/cellar")))
    with pytest.raises(ValueError, match="years"):
        replace(PLAIN, years=(1790,))
    with pytest.raises(ValueError, match="twice"):
        Upgrade("x", "weapon", 1, 1, effects=(Drive(), Drive(plus=1)))
    with pytest.raises(ValueError, match="always"):
        Repair("one", "always")
    assert isinstance(PLAIN, Pack)
    assert machine().cards == ("",) * 4
    assert CLEO == 2


def test_a_blank_pack_has_the_right_counts_and_can_be_played() -> None:
    blank = shelf.pack(GAME, "blank", Path())
    assert blank == blank_pack(blank, CLERK), "write it again: see blank_pack"
    assert Counter(up.slot for up in blank.upgrades) == dict.fromkeys(SLOTS, 12)
    assert Counter(up.period for up in blank.upgrades) == {0: 48}, "nobody has told them yet"
    assert sum(1 for _ in playout(3, 1, 300, pack=blank)) == 300


def test_a_set_up_survives_its_journal() -> None:
    before = setup_for(4, win="action")
    again = msgspec.json.decode(msgspec.json.encode(before), type=Setup[Pack])
    assert again == before
    assert GAME.start(again) == GAME.start(before)


@pytest.mark.rule("P2", "P3")
def test_turns_and_rounds_are_counted_from_who_began() -> None:
    table = drawn(3)
    assert (table.now.round, table.now.turns, [own.gold for own in table.now.machines]) == (0, 0, [0, 0, 0])
    for name in ("archivist-2104", "quill-1814", "last-heir-2168"):
        table.do(i.DrewMachine(TABLE, piece(name)))
    counted = []
    for card, board in (("fog-bell", 1), ("oak-door", 1), ("pet-star", 8), ("full-stop", 8)):
        now, seat = table.now, table.now.turn
        counted.append((seat, now.first, now.round, now.turns))
        table.do(i.Drew(TABLE, piece(card)), in_lab(seat, board), i.Stay(seat), i.TakeGold(seat))
    assert counted == [(BEN, BEN, 1, 1), (CLEO, BEN, 1, 2), (ADA, BEN, 1, 3), (BEN, BEN, 2, 4)]


def test_pawns_are_numbered_as_the_seats_are() -> None:
    assert [name for name in GAME.pieces(CLERK) if name.startswith("pawn")] == [f"pawn-{n}" for n in range(1, 9)]
    where = {lies.piece: lies.place for lies in GAME.layout(drawn(3, "quill-1814").now)}
    assert where[piece("pawn-1")] == "1/lab"


def test_the_list_is_complete() -> None:
    assert len(GAME.rules) == len(set(GAME.rules)) == 47 + 26 + 20
    assert (GAME.rules[0], GAME.rules[-1]) == ("P1", "P.at")
