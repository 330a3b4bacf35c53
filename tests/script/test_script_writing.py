"""A finished game is saved as a script, and the script leads to the very same state."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import msgspec
import pytest

from companion.app import bots
from companion.app.opening import make_setup
from companion.app.script import CannotSave, read, run, write
from companion.app.script.evening import Evening
from companion.app.script.lines import ChanceBy, Header
from companion.box import hands
from companion.core import (
    TABLE,
    Act,
    Intent,
    LetBot,
    Mode,
    PieceId,
    Pressed,
    SeatId,
    Seq,
    TakeBack,
    Tapped,
    legal,
)
from companion.games.actionworks.rules.intents import Play, SetTotal, Ship
from companion.journal import Did, Journal
from companion.library import PieceTag, pretend_uid, shelf
from companion.table import Referee, state_hash

GAME = shelf.open("actionworks")
ADA, BEN = SeatId(0), SeatId(1)


class Played(Evening):
    """An evening that is played, not read from a script; chance is random but the same each time."""

    def __init__(self, chance: ChanceBy = "scripted", seats: int = 2, seed: int = 3, mode: Mode = "strict") -> None:
        names = ("Ada", "Ben", "Anne Marie")[:seats]
        super().__init__(Header(GAME, make_setup(GAME, seats), names, chance, mode, "en"))
        self.dice = random.Random(seed)

    def _fall(self, candidates: tuple[Intent, ...], _weights: tuple[int, ...]) -> Intent | None:
        return self.dice.choice(candidates)

    def phone(self, intent: Intent) -> None:
        self.ask(intent.actor, Act(msgspec.Raw(msgspec.json.encode(intent))))

    def tap(self, piece: str) -> None:
        self.give(Tapped(pretend_uid(PieceTag(GAME.id, PieceId(piece))), self.header.readers[0]))

    def go_on(self, acts: int, on_box: Callable[[], bool]) -> None:
        """Bots choose; hands or phones do it."""
        for _ in range(acts):
            now = self.now
            seat = now.awaited[0]
            if seat == TABLE:
                intent: Intent | None = self.dice.choice(legal(GAME, now.state, TABLE))
            else:
                intent = bots.chosen(GAME, GAME.bot, now.view(seat), seat, self.dice.randrange(1000))
            assert intent is not None
            if seat == TABLE or on_box():
                for move in hands.spread(hands.moves_for(now, intent) or ()):
                    self.move(move)
            else:
                self.phone(intent)
            assert self.now.seq > now.seq

    def saved(self) -> str:
        return write(self.referee._journal, self.referee.table)


class Open(Protocol):
    def __call__(self, chance: ChanceBy = "scripted", seats: int = 2, mode: Mode = "strict") -> Played: ...


@pytest.fixture
def open_evening() -> Iterator[Open]:
    with ExitStack() as opened:
        yield lambda *how, **named: opened.enter_context(Played(*how, **named))


@pytest.mark.parametrize("chance", ["typed", "scripted"])
@pytest.mark.parametrize("on_box", [True, False])
def test_a_saved_game_leads_to_the_same_state(open_evening: Open, chance: ChanceBy, on_box: bool) -> None:
    evening = open_evening(chance=chance, seats=3)
    evening.go_on(60, lambda: on_box)
    script = read(evening.saved())
    report = run(script)
    assert not report.differences
    assert state_hash(report.last.state) == state_hash(evening.now.state)
    assert report.expected == 1
    assert script.header.names == ("Ada", "Ben", "Anne Marie")


def test_a_script_of_another_state_is_told(open_evening: Open) -> None:
    evening = open_evening()
    evening.go_on(10, lambda: False)
    lines = evening.saved().splitlines()
    last = max(at for at, line in enumerate(lines) if line.startswith("phone"))
    assert run(read("\n".join(lines[:last] + lines[-1:]))).differences


def test_take_backs_refusals_corrections_and_people_are_saved(open_evening: Open) -> None:
    evening = open_evening()
    mine = evening.now.state.hands[evening.now.awaited[0]].value
    seat = evening.now.awaited[0]
    other = SeatId(1 - seat)
    evening.phone(Ship(seat, mine[0]))
    evening.ask(seat, TakeBack(Seq(evening.now.seq - 1)))
    evening.phone(Ship(other, mine[0]))  # refused
    evening.ask(other, LetBot(True))
    evening.tap(evening.now.state.hands[other].value[0])  # refused on the box
    evening.phone(Play(seat, mine[0]))
    evening.give(Pressed("back"))
    evening.give(Pressed("ok", held=True))
    evening.phone(SetTotal(seat, other, 7))
    evening.phone(Ship(seat, mine[1]))
    evening.ask(seat, TakeBack(evening.now.at.line[-2]))
    text = evening.saved()
    assert "takes back to #" in text
    assert "hold ok" in text
    assert text.count("expect refused") == 2
    assert "is played by a bot from now on" in text
    report = run(read(text))
    assert not report.differences
    assert state_hash(report.last.state) == state_hash(evening.now.state)
    kinds = [type(entry.body).__name__ for entry in evening.referee.history if type(entry.body).__name__ != "Seated"]
    assert [type(entry.body).__name__ for entry in report.last.history] == kinds


def test_what_a_bot_did_is_saved_as_what_its_seat_did(open_evening: Open) -> None:
    evening = open_evening()
    seat = evening.now.awaited[0]
    evening.ask(seat, LetBot(True))
    chose = bots.choice(evening.now, seat, 0)
    assert chose is not None
    evening.bot(chose)
    assert f"phone {('Ada', 'Ben')[seat]} does" in evening.saved()


def test_a_game_with_a_pack_of_its_own_cannot_be_a_script(tmp_path: Path) -> None:
    setup = make_setup(GAME, 2)
    own = msgspec.structs.replace(setup, pack=msgspec.structs.replace(setup.pack, parts=setup.pack.parts[1:]))
    with Journal.open(tmp_path / "games.journal") as journal:
        referee = Referee.begin(GAME, own, ("Ada", "Ben"), "strict", journal, lambda: 0.0)
        with pytest.raises(CannotSave, match="a pack of its own"):
            write(journal, referee.table)


def test_a_record_that_comes_out_differently_is_not_saved(open_evening: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = open_evening()
    evening.go_on(5, lambda: False)
    original = Evening.ask
    monkeypatch.setattr(Evening, "ask", lambda self, seat, wish: original(self, BEN, LetBot(False)))
    with pytest.raises(CannotSave, match="comes out differently"):
        evening.saved()


def played_out_of_turn(evening: Played) -> Ship:
    """What a seat that isn't awaited would ship."""
    other = SeatId(1 - evening.now.awaited[0])
    return Ship(other, evening.now.state.hands[other].value[0])


def marks(evening: Played) -> tuple[str, ...]:
    """The rules that the last act stands against."""
    body = evening.referee.history[-1].body
    assert isinstance(body, Did)
    return body.marks


def test_an_appeal_at_the_box_is_saved(open_evening: Open) -> None:
    """Hands take a card from the bench, and nobody has played a Take."""
    evening = open_evening()
    evening.tap(evening.now.state.bench[0])
    evening.give(Pressed("ok", held=True))
    evening.give(Pressed("ok"))
    assert marks(evening)
    text = evening.saved()
    assert "hold ok" in text
    assert not run(read(text)).differences


def test_an_appeal_of_a_phone_is_saved_as_one(open_evening: Open) -> None:
    evening = open_evening()
    wish = played_out_of_turn(evening)
    evening.ask(wish.actor, Act(msgspec.Raw(msgspec.json.encode(wish)), appeals=True))
    evening.give(Pressed("ok", held=True))
    text = evening.saved()
    assert f" appeals ship {wish.card}\nhold ok" in text
    assert not run(read(text)).differences


@pytest.mark.parametrize("on_box", [True, False])
def test_what_a_scribe_noted_is_saved(open_evening: Open, on_box: bool) -> None:
    evening = open_evening(mode="scribe")
    wish = played_out_of_turn(evening)
    if on_box:
        for move in hands.spread(hands.moves_for(evening.now, wish) or ()):
            evening.move(move)
    else:
        evening.phone(wish)
    assert marks(evening) == ("A5",)
    evening.go_on(10, lambda: on_box)
    text = evening.saved()
    assert "mode scribe" in text
    assert not run(read(text)).differences
