"""A pretend table with a mat: two pretend Picos, driven as one, with a whole companion."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import pytest

from companion.app.main import Options, Running, companion
from companion.app.readers import Pico
from companion.core import Place, PlaceId, ReaderId, Uid, say
from companion.core.facts import numbered
from firmware_bridge.pretend import NoSuchReader, PretendPico
from firmware_bridge.pretend_picos import PretendPicos
from tests.patience import PATIENCE

STRANGE = Uid("04A5A5A5A5A5A5")
FIRST, LAST = numbered(1), numbered(17)


@contextmanager
def opened(tmp_path: Path, game: str, mat: str, pico: Pico = "quick") -> Iterator[Running]:
    names = ("Ada", "Ben", "Chloé", "Dan")
    options = Options(tmp_path, game, names, port=0, pretend=True, pico=pico, mat=mat)
    with companion(options, tell=lambda _line: None) as running:
        yield running


@pytest.fixture
def picos() -> Iterator[PretendPicos]:
    made = PretendPicos(tuple(numbered(n) for n in range(1, 18)), PretendPico)
    made.start()
    yield made
    made.close()


def test_there_are_as_many_picos_as_the_readers_need(picos: PretendPicos) -> None:
    assert len(picos.ports()) == len(set(picos.ports().values())) == 2
    assert [reader.id for reader in picos.readers()] == [numbered(n) for n in range(1, 18)]


def test_a_card_lies_on_one_reader_whichever_pico_has_it(picos: PretendPicos) -> None:
    def where() -> list[ReaderId]:
        return [reader.id for reader in picos.readers() if STRANGE in reader.lying]

    picos.lay(STRANGE, FIRST)
    picos.lay(STRANGE, LAST)
    assert where() == [LAST]
    picos.lift(STRANGE)
    assert where() == []
    with pytest.raises(NoSuchReader, match="no reader 'r18' on this pretend table; it has r01, r02"):
        picos.lay(STRANGE, numbered(18))


def test_a_pulled_cable_takes_all_of_them_and_watchers_are_told(picos: PretendPicos) -> None:
    told = threading.Event()
    end = picos.watch(told.set)
    picos.set_fault("cable", True)
    assert told.is_set()
    assert (picos.ports(), picos.faults()) == ({}, ("cable",))
    end()
    told.clear()
    picos.set_fault("cable", False)
    assert len(picos.ports()) == 2
    assert not told.is_set()


@pytest.mark.parametrize("pico", get_args(Pico))
def test_a_card_on_the_last_reader_of_the_second_pico_reaches_the_table(tmp_path: Path, pico: Pico) -> None:
    with opened(tmp_path, "us-patent", "slots", pico) as running:
        assert running.pretend is not None
        seen = threading.Event()
        running.table.subscribe(lambda now: seen.set() if now.stranger == STRANGE else None)
        for _ in range(round(PATIENCE)):  # on a busy machine it may lie there first: no play
            running.pretend.lay(STRANGE, LAST)
            if seen.wait(3):
                break
            running.pretend.lift(STRANGE)
            seen.wait(3)  # until the reader has noticed
        assert seen.is_set()


def test_the_readers_are_called_by_what_they_stand_for(tmp_path: Path) -> None:
    with opened(tmp_path, "actionworks", "seat") as running:
        assert running.pretend is not None
        said = {reader.id: reader.said for reader in running.pretend.readers()}
        places = {reader.id: reader.place for reader in running.pretend.readers()}
    bench, demand = PlaceId("bench"), PlaceId("demand/3")
    assert len(said) == 1 + 8 + 4
    assert said[FIRST] == say("reader.wand")
    assert said[numbered(9)] == say("reader.zone.one-of", place=Place(bench), at=8)
    assert said[numbered(13)] == say("reader.zone", place=Place(demand))
    assert (places[FIRST], places[numbered(13)]) == (None, demand)


def test_a_reader_without_a_use_is_shown_while_something_lies_on_it(tmp_path: Path) -> None:
    with opened(tmp_path, "actionworks", "seat") as running:
        assert running.pretend is not None
        running.pretend.lay(STRANGE, numbered(20))
        assert numbered(20) in [reader.id for reader in running.pretend.readers()]
        running.pretend.lift(STRANGE)
        assert numbered(20) not in [reader.id for reader in running.pretend.readers()]


def test_without_a_mat_the_readers_keep_their_own_words(tmp_path: Path) -> None:
    options = Options(tmp_path, "timeline", ("Ada", "Ben"), port=0, pretend=True)
    with companion(options, tell=lambda _line: None) as running:
        assert running.pretend is not None
        assert [reader.said.key for reader in running.pretend.readers()] == ["reader.left", "reader.right"]


def test_a_game_without_that_mat_says_so_and_has_wands(tmp_path: Path) -> None:
    told: list[str] = []
    options = Options(tmp_path, "timeline", ("Ada", "Ben"), port=0, pretend=True, mat="slots")
    with companion(options, tell=told.append) as running:
        assert running.pretend is not None
        assert {reader.place for reader in running.pretend.readers()} == {None}
    assert "timeline has no mat 'slots'; it has wand, seat, turn. Every reader is a wand." in told
