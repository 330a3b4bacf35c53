"""A box that has never played: from power to a played move with its own four buttons, in at most 25 inputs."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from companion.app import hotspot
from companion.app.hotspot import Hotspot
from companion.app.main import Options, Running, _never_played, companion
from companion.box import BUTTONS, FirstRun, Offers
from companion.box.hands import tag_of
from companion.core import (
    Button,
    JoinPage,
    NumberPage,
    Pressed,
    ReaderId,
    Tapped,
    Turned,
    Uid,
    WifiPage,
    legal,
    mentions,
)
from companion.journal import JOURNAL, Did, Journal
from companion.library import pretend_uid, settings
from companion.table import Snapshot
from tests.patience import PATIENCE

pytestmark = pytest.mark.journey

MOST_INPUTS = 25


class Hands:
    """Somebody who has just unpacked the box; counts every press and tap."""

    def __init__(self, running: Running, wires: dict[Button, Button] | None = None) -> None:
        self._table = running.table
        self._wires = wires or {}
        self._shown: queue.SimpleQueue[Snapshot] = queue.SimpleQueue()
        self._table.subscribe(self._shown.put)
        self.inputs = 0

    @property
    def page(self) -> Any:
        return self._table.snapshot.page

    @property
    def now(self) -> Snapshot:
        return self._table.snapshot

    def press(self, button: Button, held: bool = False) -> Hands:
        """Press the button labelled `button`; crossed wires may make it another one."""
        return self._put(Pressed(self._wires.get(button, button), held))

    def tap(self, uid: str, reader: str) -> Hands:
        return self._put(Tapped(Uid(uid), ReaderId(reader)))

    def take(self, key: str) -> Hands:
        """Walk with NEXT to the line with this key or name, and take it."""
        while key not in (self.page.items[self.page.at].key, *(str(f[1]) for f in self.page.items[self.page.at].facts)):
            self.press("next")
        return self.press("ok")

    def play_a_card(self) -> None:
        """Lay a playable card or the tag of a usable place, and press OK until it is done."""
        scene = self.now
        seat = scene.awaited[0]
        tokens = [token for intent in legal(scene.game, scene.state, seat) for token in mentions(intent)]
        thing = next(token for token in tokens if token.kind in ("piece", "place"))
        self.tap(pretend_uid(tag_of(scene.game.id, thing)), "left")
        while not any(isinstance(entry.body, Did) and entry.cause for entry in self.now.history):
            self.press("ok")
            assert self.inputs <= MOST_INPUTS, "nobody has moved yet"

    def _put(self, given: Pressed | Tapped | Turned) -> Hands:
        self.inputs += 1
        while not self._shown.empty():
            self._shown.get_nowait()
        self._table.put(given)
        self._shown.get(timeout=PATIENCE)
        return self


Unpack = Callable[..., Any]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def box(data: Path) -> Iterator[Running]:
    options = Options(data, port=0, pretend=True, first_run=True)
    with companion(options, tell=lambda _: None) as running:
        yield running


def answered(hands: Hands) -> Hands:
    """Language and buttons."""
    assert hands.page.title.key == "first.language"
    hands.take("first.fr")
    for button in BUTTONS:
        assert hands.page.who.key == "first.press"
        hands.press(button)
    assert isinstance(hands.page, NumberPage)
    return hands


def test_from_unpacking_to_a_played_move(box: Running, data: Path) -> None:
    hands = answered(Hands(box))
    hands.press("ok")  # three players
    assert hands.page.title.key == "first.game"
    hands.press("ok")
    hands.take("tags.readers")
    for reader in ("left", "right"):
        hands.tap("04AABBCC", reader)
    while hands.now.enrolling is not None:
        hands.press("back", held=True)
    hands.take("first.play")
    assert hands.now.beginning is None
    hands.play_a_card()
    assert hands.inputs <= MOST_INPUTS
    print(f"{hands.inputs} inputs from unpacking to a played move")
    assert len(hands.now.chairs) == 3
    assert hands.now.chairs[0].name == "Place 1"
    assert settings.load_settings(data).language == "fr"
    with Journal.look(data / JOURNAL) as journal:
        assert [row.table for row in journal.games()] == [hands.now.table], "the game that nobody began is forgotten"


def test_crossed_wires_are_learnt_and_kept(data: Path, box: Running) -> None:
    crossed: dict[Button, Button] = {"check": "ok", "ok": "check", "back": "next", "next": "back"}
    hands = Hands(box, crossed)
    hands._wires = {}
    hands.take("first.en")
    hands._wires = crossed
    for button in BUTTONS:
        hands.press(button)
    hands.press("next")
    assert hands.page.at == 4, "NEXT is NEXT from now on"
    hands.press("ok").press("ok").take("first.play")
    usual, kept = settings.ButtonPins(), settings.load_settings(data).buttons
    assert (kept.check, kept.ok, kept.back, kept.next) == (usual.ok, usual.check, usual.next, usual.back)


def test_a_tap_before_the_game_plays_nothing(box: Running) -> None:
    hands = answered(Hands(box))
    before = hands.now.seq
    hands.tap("04AABBCC", "left")
    assert (hands.now.stranger, hands.now.seq) == (None, before)


def test_back_returns_to_the_question_before(box: Running) -> None:
    hands = answered(Hands(box))
    hands.press("next").press("ok")
    assert hands.page.title.key == "first.game"
    hands.press("back")
    assert (hands.page.title.key, hands.page.at) == ("first.seats", 4)
    hands.press("back")
    assert hands.page.who.key == "first.press"


def test_check_shows_where_phones_find_the_box_until_the_next_press(box: Running) -> None:
    hands = Hands(box)
    assert hands.page.who.key == "first.join"
    hands.press("check")._put(Turned(1))
    shown = hands.page
    assert isinstance(shown, JoinPage)
    hands.press("ok")
    after = hands.page
    assert (after.title.key, after.at) == ("first.language", 0)


def test_a_box_with_a_wifi_of_its_own_shows_that_first(data: Path) -> None:
    own = Hotspot("TABLE", "K7QX2M9PAB")
    hotspot.save(data, own)
    with companion(Options(data, port=0, pretend=True, first_run=True), tell=lambda _: None) as running:
        hands = Hands(running)
        for _ in range(2):
            hands.press("check")._put(Turned(1))
            assert hands.page == WifiPage(own.name, own.password, own.code)
            shown = hands.press("check").page
            assert isinstance(shown, JoinPage)
            hands.press("check")
            assert hands.page.title.key == "first.language"
        hands.press("check").press("ok")
        assert hands.page.title.key == "first.language", "any other press returns to the question"


def test_on_a_wifi_of_the_house_only_the_address_is_shown(
    data: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box's own Wi-Fi isn't open then, and no phone would find it."""
    hotspot.save(data, Hotspot("TABLE", "K7QX2M9PAB"))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path_factory.mktemp("run")))
    monkeypatch.setattr("companion.app.serving.is_reachable", lambda: True)
    with companion(Options(data, port=0, pretend=True, first_run=True), tell=lambda _: None) as running:
        hands = Hands(running)
        assert isinstance(hands.press("check").page, JoinPage)


def test_who_has_played_is_not_asked_again(data: Path, box: Running) -> None:
    hands = answered(Hands(box))
    hands.press("ok").press("ok").take("first.play")
    hands.play_a_card()
    again = Journal.look(data / JOURNAL)
    assert not _never_played(Options(data, first_run=True), again)
    again.close()


def test_without_being_asked_for_there_are_no_questions(data: Path) -> None:
    with companion(Options(data, port=0, pretend=True), tell=lambda _: None) as running:
        assert running.table.snapshot.beginning is None


def test_the_dial_turns_what_next_would_turn(box: Running) -> None:
    hands = answered(Hands(box))
    hands._put(Turned(2))
    assert hands.page.at == 5
    hands._put(Turned(-3))
    assert hands.page.at == 2


NOTHING = Offers(lambda seats: (), lambda seats: ())


def pressed(first: FirstRun, button: Button) -> FirstRun:
    after, _ = first.press(cast("Snapshot", None), button, False)  # it asks about the box, whatever the table does
    assert isinstance(after, FirstRun)
    return after


def test_the_same_button_twice_is_said() -> None:
    first = pressed(pressed(FirstRun(NOTHING, "buttons"), "check"), "check")
    assert first.again
    assert first.keys == ("check",)


def test_with_fewer_buttons_they_are_not_asked_for() -> None:
    first = pressed(FirstRun(NOTHING, all_buttons=False), "ok")
    assert first.question == "seats"
    assert pressed(first, "back").question == "language"
