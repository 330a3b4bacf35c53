"""A card that is drawn may be shown to the camera of whoever draws it; of any other card nothing is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.opening import make_setup
from companion.box.stack import Box
from companion.core import TABLE, Asked, Draw, PieceId, SeatId, legal, mentions
from companion.journal import Did, Journal
from companion.library import Tagbook, shelf
from companion.table import Answer, Chair, Desk, No, Referee, Table
from companion.table.record import own_rule
from companion.table.sitting import question, who_rolls
from companion.table.wishes import Done

NOTHING = No(own_rule(4, "nothing-to-do"))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """ActionWorks with a real deck: the first cards are drawn by hand."""
    game = shelf.open("actionworks")
    with Journal.open(tmp_path / "games.journal") as journal:
        referee = Referee.begin(game, make_setup(game, 2), ("Ada", "Ben"), "strict", journal, lambda: 0.0)
        for seat, name in enumerate(("Ada", "Ben")):
            referee.seat(SeatId(seat), Chair(name, f"key-{seat}"), None)
        first = legal(game, referee.at.state, TABLE)[0]
        referee.act(first, None, on_box=True)  # who begins
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        yield table
        table.stop()


def drawable(table: Table) -> list[PieceId]:
    scene = table.snapshot
    found = (token for intent in legal(scene.game, scene.state, TABLE) for token in mentions(intent))
    return [PieceId(str(token.value)) for token in found if token.kind == "piece"]


def draws(table: Table) -> SeatId:
    seat = who_rolls(table.snapshot.at)
    return SeatId(0) if seat is None else seat


def show(table: Table, piece: str, seat: SeatId | None = None, command: str = "command-1", behind: int = 0) -> Answer:
    who = draws(table) if seat is None else seat
    asked = question(table.snapshot.at, who) - behind
    return table.ask(Asked(command, who, asked, Draw(PieceId(piece))))


def test_the_card_that_is_shown_is_drawn_and_recorded_with_how(table: Table) -> None:
    card = drawable(table)[0]
    assert isinstance(show(table, card), Done)
    entry = table._desk.referee.history[-1]
    assert isinstance(entry.body, Did)
    assert card in bytes(entry.body.intent).decode()
    assert isinstance(entry.cause, Asked)
    assert entry.cause.wish == Draw(card)


def test_the_same_photo_sent_again_draws_once(table: Table) -> None:
    card, before = drawable(table)[0], len(table._desk.referee.history)
    asked = Asked("command-1", draws(table), question(table.snapshot.at, draws(table)), Draw(card))
    first, again = table.ask(asked), table.ask(asked)
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert again.again
    assert len(table._desk.referee.history) == before + 1


def test_of_a_card_that_cannot_be_drawn_nothing_is_told(table: Table) -> None:
    gone = drawable(table)[0]
    assert isinstance(show(table, gone), Done)
    assert table.snapshot.awaited == (TABLE,), "more is drawn"
    assert show(table, gone, command="command-2") == NOTHING, "it lies somewhere else now"
    assert show(table, "never-printed", command="command-3") == NOTHING


def test_an_old_page_draws_nothing(table: Table) -> None:
    assert show(table, drawable(table)[0], behind=1) == No(own_rule(1, "stale"))


def test_who_is_not_asked_to_draw_draws_nothing(table: Table) -> None:
    card = drawable(table)[0]
    while table.snapshot.awaited == (TABLE,):
        card = drawable(table)[0]
        assert isinstance(show(table, card, command=f"command-{card}"), Done)
    left = next(piece for piece in table.snapshot.game.pieces(table.snapshot.state.setup.pack) if piece != card)
    for seat in (SeatId(0), SeatId(1)):
        assert show(table, left, seat, f"late-{seat}") == NOTHING
