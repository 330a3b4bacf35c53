"""People come and go: hand over, bot, skip, referee, phones that are away, and the next game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.box import Box
from companion.core import (
    REFEREE,
    TABLE,
    Act,
    Asked,
    Claim,
    HandOver,
    Join,
    Leave,
    LetBot,
    Name,
    OpenGame,
    SeatId,
    SetupError,
    Skip,
    TakeBack,
    say,
)
from companion.journal import Did, Journal, Seated
from companion.library import Tagbook
from companion.table import Carried, Desk, No, Referee, Table
from companion.table.sitting import bars, question
from companion.table.wishes import Done
from tests.patience import PATIENCE
from tests.pick import GAME, A, Lay, Pass, SetChips, setup_for
from tests.table.conftest import Evening, Open

ADA, BEN = SeatId(0), SeatId(1)


def sit(evening: Evening, seat: int, key: str, name: str = "Ada") -> None:
    evening.ask(seat, Join(SeatId(seat), name, "KQX"))
    evening.press("ok", held=True)
    assert isinstance(evening.ask(seat, Claim("KQX", key)), Done)


def wish(intent: Any) -> Act:
    return Act(msgspec.Raw(msgspec.json.encode(intent)))


def rule_of(answer: Any) -> str:
    assert isinstance(answer, No)
    return answer.refusal.rule


def test_a_seat_moves_to_another_phone_without_the_box(evening: Evening) -> None:
    sit(evening, ADA, "old")
    assert isinstance(evening.ask(ADA, HandOver("Adele", "new")), Done)
    assert (evening.now.chairs[ADA].name, evening.now.chairs[ADA].key) == ("Adele", "new")
    evening.ask(ADA, HandOver("", "newer"))
    assert evening.now.chairs[ADA].name == "Adele"


def test_a_seat_speaks_for_itself_only(evening: Evening) -> None:
    for other in (LetBot(True, BEN), Leave(BEN), Skip(BEN), Skip(SeatId(99)), Leave(REFEREE)):
        assert rule_of(evening.ask(ADA, other)) == "C3"
    assert rule_of(evening.ask(-1, Leave(), asked=0)) == "C3"
    assert not any(chair.bot for chair in evening.now.chairs)


def test_nobody_waits_in_vain_for_a_phone_that_is_away(evening: Evening) -> None:
    sit(evening, ADA, "hers")
    sit(evening, BEN, "his", "Ben")
    evening.table.away((ADA,))
    evening.now = evening._shown.get(timeout=PATIENCE)
    assert isinstance(evening.ask(BEN, Skip(ADA)), Done)
    assert evening.now.away == (ADA,)
    assert isinstance(evening.entries[-1].body, Did)
    assert isinstance(evening.ask(BEN, LetBot(True, ADA)), Done)
    assert evening.now.chairs[ADA].bot
    assert evening.now.chairs[ADA].key == "hers", "she plays again as soon as she is back"
    assert rule_of(evening.ask(BEN, Leave(ADA))) == "C3", "but her phone stays hers"


def test_a_seat_that_is_asked_nothing_is_not_skipped(evening: Evening) -> None:
    assert rule_of(evening.ask(BEN, Skip(BEN))) == "C4"


def test_the_referee_takes_back_sets_right_and_frees_seats(evening: Evening) -> None:
    sit(evening, BEN, "his", "Ben")
    sit(evening, REFEREE, "hers", "Rosa")
    rosa = evening.now.referee
    assert rosa is not None
    assert rosa.name == "Rosa"
    to = evening.now.at.line[-1]
    evening.phone(Pass(ADA))
    evening.phone(Pass(BEN))
    assert rule_of(evening.ask(ADA, TakeBack(to))) == "C6"
    assert isinstance(evening.ask(REFEREE, TakeBack(to), asked=0), Done)
    assert evening.now.state.turn == ADA

    asked = question(evening.now.at, REFEREE)
    assert isinstance(evening.ask(REFEREE, wish(SetChips(TABLE, ADA, 9)), asked=asked), Done)
    assert evening.now.state.chips[0] == 9
    asked = question(evening.now.at, REFEREE)
    assert rule_of(evening.ask(REFEREE, wish(SetChips(TABLE, ADA, 3)), asked=asked - 1)) == "C1"
    for intent in (Lay(ADA, A), Pass(TABLE), SetChips(ADA, ADA, 3)):
        assert rule_of(evening.ask(REFEREE, wish(intent), asked=asked)) == "C3", "it plays for nobody"
    assert isinstance(evening.ask(REFEREE, Leave(BEN), asked=0), Done)
    assert evening.now.chairs[BEN].key == ""
    assert isinstance(evening.ask(REFEREE, Leave(), asked=0), Done)
    assert evening.now.referee is None
    assert rule_of(evening.ask(ADA, LetBot(True, REFEREE))) == "C3"


def test_the_referee_is_known_after_a_restart_and_named_in_the_history(open_evening: Open, journal: Journal) -> None:
    evening = open_evening()
    sit(evening, REFEREE, "hers", "Rosa")
    for _ in range(60):
        evening.phone(Pass(evening.now.state.turn))
    again = Referee(GAME, journal, evening.referee.table, lambda: 0.0)
    assert again.at.referee == evening.now.referee
    lines = [line for told in evening.now.seen_by(TABLE).past.told() for line in told.lines]
    assert say("history.referee", name=Name("Rosa")) in lines


@pytest.mark.parametrize(("asker", "seat"), [(TABLE, 0), (0, 1), (0, 7), (0, -7), (REFEREE, 7), (0, REFEREE)])
def test_who_may_not_speak_for_whom(evening: Evening, asker: int, seat: int) -> None:
    assert bars(evening.now.at, SeatId(asker), SeatId(seat)) is not None
    assert bars(evening.now.at, SeatId(0), SeatId(0)) is None


class Next:
    """A table that can open the next game, and counts how often it did."""

    def __init__(self, journal: Journal) -> None:
        self.opened = 0
        self.journal = journal

    def __call__(self, wish: OpenGame, carried: Carried) -> Referee:
        if wish.game != GAME.id:
            raise SetupError(f"no game {wish.game}")
        self.opened += 1
        setup = setup_for(len(wish.names))
        return Referee.begin(GAME, setup, wish.names, wish.mode, self.journal, lambda: 0.0, carried)


@pytest.fixture
def next_evening(open_evening: Open, journal: Journal) -> Evening:
    evening = open_evening()
    evening.table._desk.opens = Next(journal)
    return evening


AGAIN = OpenGame(GAME.id, ("Ada", "Bea"))


def test_the_next_game_waits_for_the_end_of_this_one(next_evening: Evening, open_evening: Open) -> None:
    assert rule_of(next_evening.ask(ADA, AGAIN)) == "C10"
    assert rule_of(open_evening().ask(ADA, AGAIN)) == "C10"


def test_phones_keep_their_seats_in_the_next_game(next_evening: Evening) -> None:
    evening = next_evening
    sit(evening, ADA, "hers")
    sit(evening, BEN, "his", "Ben")
    sit(evening, REFEREE, "rosa", "Rosa")
    evening.ask(BEN, LetBot(True))
    before, chairs = evening.now.table, evening.now.chairs
    assert rule_of(evening.ask(REFEREE, OpenGame("chess", ("Ada", "Bea")), asked=0)) == "C5"
    assert isinstance(evening.ask(REFEREE, AGAIN, asked=0, command="open-once"), Done)
    now = evening.now
    assert now.table != before
    assert [c.key for c in now.chairs] == [c.key for c in chairs]
    assert [c.name for c in now.chairs] == ["Ada", "Bea"]
    assert not now.chairs[BEN].bot, "Ben has his phone, and plays again"
    assert now.referee is not None
    assert now.referee.key == "rosa"
    again = evening.ask(REFEREE, AGAIN, asked=0, command="open-once")
    assert isinstance(again, Done)
    assert again.again, "a repeated command is answered again and done once"
    assert isinstance(evening.table._desk.opens, Next)
    assert evening.table._desk.opens.opened == 1


def test_an_act_of_the_game_before_is_stale_in_the_next(next_evening: Evening) -> None:
    evening = next_evening
    sit(evening, REFEREE, "rosa", "Rosa")
    before = evening.now.table
    evening.ask(REFEREE, AGAIN, asked=0)
    question_now = evening.now.asked[ADA]
    late = evening.table.ask(Asked("late", ADA, question_now, wish(Pass(ADA)), before))
    assert rule_of(late) == "C1"
    fine = evening.table.ask(Asked("fine", ADA, question_now, wish(Pass(ADA)), evening.now.table))
    assert isinstance(fine, Done)


def test_a_seated_entry_names_who_and_the_record_stays_whole(next_evening: Evening, journal: Journal) -> None:
    evening = next_evening
    sit(evening, REFEREE, "rosa", "Rosa")
    first = evening.now.table
    evening.ask(REFEREE, AGAIN, asked=0)
    for table in (first, evening.now.table):
        assert not journal.verify(table)
    seated = [e.body for e in journal.entries(evening.now.table) if isinstance(e.body, Seated)]
    assert [(s.seat, s.name) for s in seated] == [(REFEREE, "Rosa")]


def test_a_table_is_told_who_is_away_without_a_word_in_the_record(evening: Evening) -> None:
    seq = evening.now.seq
    evening.table.away((BEN,))
    evening.now = evening._shown.get(timeout=PATIENCE)
    assert evening.now.away == (BEN,)
    assert evening.now.seq == seq
    assert isinstance(Table(Desk(evening.referee, Tagbook(), Box())).snapshot.away, tuple)
