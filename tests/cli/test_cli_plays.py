"""The plays of a box: which games are among them, and the files made from them."""

from __future__ import annotations

import random
import time
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.app.bots import bot_of, chosen
from companion.app.opening import make_setup
from companion.app.plays import Plays
from companion.core import PUBLIC, TABLE, Intent, Result, SeatId, Seq, legal, mask, say
from companion.journal import JOURNAL, Journal
from companion.library import Play, shelf
from companion.table import Referee, play_of
from tests.cli.conftest import NAMES, Companion, Evening


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose journal has an ActionWorks evening that bots have finished, one act a minute."""
    data = tmp_path_factory.mktemp("finished")
    game, dice = shelf.open("actionworks"), random.Random(4)
    with Journal.open(data / JOURNAL) as journal:
        ticks = count(1_700_000_000.0, 60.0).__next__
        referee = Referee.begin(game, make_setup(game, 3), NAMES, "strict", journal, ticks)
        while referee.at.result is None:
            seat, state = referee.at.decisions[-1].seats[0], referee.at.state
            if seat == TABLE:
                intent: Intent | None = dice.choice(legal(game, state, TABLE))
            else:
                intent = chosen(game, bot_of(game), mask(state, seat), seat, dice.randrange(1 << 30))
            assert intent is not None
            referee.act(intent, None, on_box=True)
    return data


def the_play(data: Path) -> Play:
    (play,) = Plays(data, "Table 2")()
    return play


def test_only_what_is_over_is_a_play(companion: Companion, evening: Evening) -> None:
    evening(acts=20)
    result = companion("plays")
    assert result.exit_code == 1
    assert "has been played to its end yet" in result.output


def test_a_play_says_who_when_and_how(finished: Path, companion: Companion) -> None:
    play = the_play(finished)
    scores = [player.score for player in play.players]
    assert [player.name for player in play.players] == list(NAMES)
    assert min(player.place for player in play.players) == 1
    assert max(score for score in scores if score is not None) == next(p.score for p in play.players if p.won)
    assert play.minutes == round((play.ended - play.began) / 60)
    listed = companion("plays", "--data", finished).output
    assert "ActionWorks" in listed
    assert all(name in listed for name in NAMES)


@pytest.mark.parametrize("kind", ["bgsplay", "csv"])
def test_files_are_whole_and_nothing_is_written_over(
    finished: Path, companion: Companion, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / f"evening.{kind}"
    assert companion("plays", "save", file, "--data", finished).exit_code == 0
    before = file.read_bytes()
    assert the_play(finished).id.encode() in before
    refused = companion("plays", "save", file, "--data", finished)
    assert (refused.exit_code, file.read_bytes()) == (1, before)
    assert "was left as it is" in refused.output
    assert companion("plays", "save", file, "--force", "--table", "Back room", "--data", finished).exit_code == 0
    assert b"Back room" in file.read_bytes()


def test_an_ending_that_nobody_reads_is_refused(finished: Path, companion: Companion, tmp_path: Path) -> None:
    refused = companion("plays", "save", tmp_path / "evening.xls", "--data", finished)
    assert refused.exit_code == 1
    assert "neither .bgsplay nor .csv" in refused.output


def test_a_play_is_the_same_one_until_its_end_is_taken_back(finished: Path, tmp_path: Path) -> None:
    data = tmp_path / "copy"
    data.mkdir()
    with Journal.look(finished / JOURNAL) as there:
        table = there.games()[0].table
        there.export(table, tmp_path / "game.jsonl")
    with Journal.open(data / JOURNAL) as journal:
        journal.import_(tmp_path / "game.jsonl")
        plays = Plays(data, "Table 2")
        assert [play.id for play in plays()] == [the_play(finished).id]
        referee = Referee(shelf.open("actionworks"), journal, journal.games()[0].table, time.time)
        referee.take_back(Seq(referee.at.line[-2]), TABLE, None)
        assert plays() == ()


def test_a_night_between_two_acts_is_no_play(tmp_path: Path) -> None:
    game, hours = shelf.open("actionworks"), iter([0.0, 600.0, 1200.0, 90_000.0, 90_060.0])
    with Journal.open(tmp_path / JOURNAL) as journal:
        referee = Referee.begin(game, make_setup(game, 3), NAMES, "strict", journal, lambda: next(hours))
        for _ in range(4):
            seat = referee.at.decisions[-1].seats[0]
            referee.act(legal(game, referee.at.state, seat)[0], None, on_box=True)
        seen = replace(referee.snapshot().seen_by(PUBLIC), result=Result((SeatId(0),), say("box.title")))
    play = play_of(seen, "ActionWorks", "Table 2", frozenset({"Ben"}))
    assert play is not None
    assert play.minutes == 11
    assert [player.name for player in play.players] == ["Ada", "", "Chloé"]
    assert play.called(1) == "#2"
