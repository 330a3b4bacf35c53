"""Hardware journeys: a whole evening of each game on the shelf by taps, buttons and dial, read off the display."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from companion.core import AcceptedPage, ChoosePage, JoinPage, Pressed, RefusedPage, Tapped, TurnPage
from companion.library import LANGS, shelf
from companion.table import state_hash
from hw.display.draw import draw
from hw.display.scene import at_first
from hw.pretend.panel import PretendPanel
from tests.hw.evening import Evening
from tests.hw.faults import Faults, box_with
from tests.hw.room import Eye

GAMES = tuple(zip(shelf.games(), LANGS * 10, strict=False))


def shows(panel: PretendPanel, picture: bytes) -> bool:
    return panel.image().tobytes() == picture


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "lang"), GAMES)
def test_a_whole_evening_by_hands_alone(game_id: str, lang: str) -> None:
    """Every input shows its result at once, no act is refused, and at the end the display names the winner."""
    pressed: Counter[str] = Counter()
    with Evening(game_id, lang=LANGS[LANGS.index(lang)]) as evening, box_with(evening, "display", Faults()) as panel:
        eye = Eye(panel.watchers.add)
        for given, now in evening.play():
            pressed[given.button if isinstance(given, Pressed) else type(given).__name__] += 1
            shown = at_first(now.page, now.flash)
            picture = draw(shown.page, evening.speaker(), over=shown.over).tobytes()
            assert eye.sees(partial(shows, panel, picture)), (given, shown)
            assert not isinstance(shown.page, RefusedPage)
        assert isinstance(evening.now.flash, AcceptedPage)
        assert evening.now.result is not None
        evening.do(Pressed("back"))
        evening.do(Pressed("back"))
        page = evening.now.page
        assert isinstance(page, TurnPage)
        words = evening.speaker().say(page.who, "oled")
        winners = [evening.now.chairs[seat].name for seat in evening.now.result.winners]
        assert any(name in words for name in winners) or not winners, words
        assert eye.sees(lambda: panel.image().tobytes() == draw(page, evening.speaker()).tobytes())
    verbs = evening.now.game.verbs
    assert pressed[Tapped.__name__] > 0
    assert pressed["ok"] > 0 or not any(verb.asks or verb.span for verb in verbs), "a tap alone does all of it"


def test_the_same_evening_is_the_same_without_a_box() -> None:
    """Pins, filter and threads change nothing about the inputs of hands."""
    ends = []
    for with_box in (True, False):
        with Evening(shelf.games()[0], chance=5) as evening:
            if with_box:
                with box_with(evening, "display", Faults()):
                    for _ in evening.play(60):
                        pass
            else:
                for _ in evening.play(60):
                    pass
            ends.append((evening.now.seq, state_hash(evening.now.state), evening.inputs))
    assert ends[0] == ends[1]


def test_next_held_walks_a_list_and_elsewhere_shows_the_code() -> None:
    with Evening(shelf.games()[0]) as evening:
        for _, now in evening.play(60):
            if isinstance(now.page, ChoosePage) and len(now.page.items) > 2 and now.flash is None:
                break
        else:
            raise AssertionError("no list was open in sixty acts")
        assert isinstance(evening.now.page, ChoosePage)
        before, many = evening.now.page.at, len(evening.now.page.items)
        evening.do(Pressed("next", held=True))
        assert isinstance(evening.now.page, ChoosePage)
        assert evening.now.page.at == (before + 1) % many
        evening.do(Pressed("check"))
        evening.do(Pressed("check"))
        assert isinstance(evening.now.page, TurnPage)
        evening.do(Pressed("next", held=True))
        assert isinstance(evening.now.page, JoinPage)
        evening.do(Pressed("next"))
        assert isinstance(evening.now.page, JoinPage), "the button repeats while it is down; the code must stay"
