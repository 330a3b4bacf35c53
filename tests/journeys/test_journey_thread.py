"""One act from the reader, the buttons or the phone to the journal, the display and the phones."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from typing import Any

from PIL import Image

from companion.app.opening import load_texts
from companion.core import AcceptedPage, Asked, ChoosePage, PieceId, Pressed, RefusedPage, SeatId, Tapped
from companion.games.actionworks.rules.intents import ClearTake, EndTurn, Play
from companion.library import Lang, Speaker
from companion.table import state_hash
from hw.display.draw import draw
from tests.patience import PATIENCE

ADA, BEN = SeatId(0), SeatId(1)


def until_ben_clears(room: Any) -> None:
    """Ada (named first) ends her turn; Ben takes the first card off the workbench."""
    room.press("next")
    page = room.until(lambda now: isinstance(now.page, ChoosePage)).page
    while page.items[page.at].key != "intent.end-turn":
        room.press("next")
        page = room.until(lambda now, at=page.at: now.page.at != at).page
    room.press("ok")
    assert room.until(lambda now: now.decisions[-1].kind == "clear").awaited == (BEN,)


def test_tap_buttons_and_phone_write_the_same_entry_but_for_its_input(open_room: Callable[..., Any]) -> None:
    entries, hashes = [], []
    for way in ("tap", "buttons", "phone"):
        room = open_room(way)
        until_ben_clears(room)
        card = room.now.state.bench[1]
        match way:
            case "tap":
                room.tap(card)
            case "buttons":
                room.press("next")
                room.press("next")
                room.press("ok")
            case "phone":
                room.seat_phone(BEN)
                assert room.phone(BEN, ClearTake(BEN, card))[0] == 200
        deed = next(e for e in reversed(room.entries) if b"clear-take" in bytes(getattr(e.body, "intent", b"")))
        entries.append(deed)
        hashes.append(state_hash(room.now.state))
    assert entries[0].body == entries[1].body == entries[2].body
    assert entries[0].state == entries[1].state == entries[2].state
    assert [type(e.cause) for e in entries] == [Tapped, Pressed, Asked]
    assert len(set(hashes)) == 1


def display(room: Any, page: object, lang: Lang, over: AcceptedPage | None = None) -> bool:
    """Whether the pretend display gets to show this page, pixel by pixel."""
    speaker = Speaker(load_texts(room.now.game), lang, room.now.names())
    wanted = draw(page, speaker, over=over).tobytes()  # type: ignore[arg-type]
    changed = threading.Event()
    end = room.box.watch(changed.set)
    try:
        while True:
            changed.clear()
            if Image.open(io.BytesIO(room.box.screen())).convert("1").tobytes() == wanted:
                return True
            if not changed.wait(PATIENCE):
                return False
    finally:
        end()


def test_a_refused_tap_shows_its_rule_and_reason_on_the_display_in_its_language(open_room: Callable[..., Any]) -> None:
    room = open_room(settings='language = "fr"\n')
    bens = room.now.state.hands[BEN].value[0]
    shown = room.tap(bens)
    assert isinstance(shown.flash, RefusedPage)
    assert shown.flash.refusal.rule == "A6"
    assert display(room, shown.flash, "fr")


def test_a_refused_wish_on_a_phone_is_shown_there_in_its_language_and_nowhere_else(room: Any) -> None:
    room.seat_phone(ADA)
    room.seat_phone(BEN)
    card = room.now.state.hands[BEN].value[0]
    status, sheet = room.phone(BEN, Play(BEN, card), lang="fr")
    assert status == 409
    assert "A5" in sheet
    assert "C’est le tour d" in sheet
    assert not isinstance(room.now.flash, RefusedPage)
    assert not isinstance(room.now.page, RefusedPage)
    _, history = room.get("/phone/0/history", ADA)
    assert "A5" not in history
    _, own = room.get("/phone/1/history", BEN)
    assert "A5" in own


def test_the_display_says_what_was_accepted(room: Any) -> None:
    until_ben_clears(room)
    card = room.now.state.bench[0]
    shown = room.tap(card)
    assert isinstance(shown.flash, AcceptedPage)
    assert display(room, shown.page, "en", over=shown.flash.leaves[0]), "at the foot of the page that follows"


def test_a_seat_sees_its_own_cards_and_the_spectator_none(room: Any) -> None:
    room.seat_phone(ADA)
    _, mine = room.get("/phone/0/seat", ADA)
    _, public = room.get("/phone/9/watch", 9)
    speaker = Speaker(load_texts(room.now.game), "en", room.now.names())
    for card in room.now.state.hands[ADA].value:
        name = speaker.say(room.now.names().describe(PieceId(card)))
        assert name in mine
        assert name not in public or card in room.now.state.bench


def test_pulling_the_cable_is_named_and_loses_nothing(room: Any) -> None:
    before = room.now.state
    room.box.set_fault("cable", True)
    assert room.until(lambda now: bool(now.troubles)).state == before
    room.box.set_fault("cable", False)
    room.until(lambda now: not now.troubles)
    until_ben_clears(room)
    seq = room.now.seq
    room.tap(room.now.state.bench[0])
    assert isinstance(room.until(lambda now: now.seq > seq).flash, AcceptedPage)


def test_a_game_goes_on_after_a_restart_where_it_was(open_room: Callable[..., Any]) -> None:
    room = open_room("same")
    room.seat_phone(ADA)
    room.phone(ADA, EndTurn(ADA))
    seq, state = room.now.seq, state_hash(room.now.state)
    room.table.stop()
    room.running.journal.close()
    again = open_room("same")
    assert (again.now.seq, state_hash(again.now.state)) == (seq, state)
    assert again.get("/phone/0/seat", ADA)[0] == 200
