"""What hands must do and what the books say can be read off the display after every act, however much it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.core import (
    FLASH_SECONDS,
    PUBLIC,
    TABLE,
    AcceptedPage,
    ChoosePage,
    ConfirmPage,
    Name,
    NumberPage,
    Page,
    Refusal,
    RefusedPage,
    RuleId,
    Seq,
    say,
    told,
)
from companion.core.pages import LEAF
from companion.library import LANGS, Lang, Speaker, shelf
from companion.table import Seen
from hw.display import gallery, sheet
from hw.display.draw import draw
from hw.display.faces import faces
from hw.display.scene import Look, Scene
from tests.hw.evening import Evening
from tests.hw.room import moment, turn_of

ADA, BEN = turn_of("Ada"), turn_of("Ben")
ACTS = 70
SOMEBODY = say("sample.who", who=Name("Bérénice"))
SEVEN = AcceptedPage(Seq(7), tuple(say("sample.power", n=n) for n in range(7)))
Drawn = Callable[[Look, Speaker], str]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Everything that one look at the display shows, as it can be read there."""
    real, read = sheet.fit, list[str]()

    def reading(letters: Any, words: str, box: Any, sizes: Any) -> sheet.Fitted:
        fitted = real(letters, words, box, sizes)
        read.append(" ".join(fitted.lines))
        return fitted

    def drawing(look: Look, speaker: Speaker) -> str:
        read.clear()
        draw(look.page, speaker, over=look.over)
        return " | ".join(_plain(words) for words in read)

    monkeypatch.setattr(sheet, "fit", reading)
    return drawing


def _plain(words: str) -> str:
    return faces()[8].clean(words)


def looks(now: Seen) -> Iterator[Look]:
    """What the display shows, one look after another, if nobody does anything."""
    scene, time = Scene(), 0.0
    scene.news(now, time)
    for _ in now.flash.leaves if isinstance(now.flash, AcceptedPage) else ():
        look, due = scene.look(time), scene.due(time)
        assert look is not None
        assert due is not None
        yield look
        time += due


def left_out(game_id: str, lang: Lang, drawn: Drawn) -> list[str]:
    """Results of an evening's acts, and whose they were, that couldn't be read."""
    missing = list[str]()
    with Evening(game_id, lang=lang) as evening:
        before = evening.now.seq
        for _, now in evening.play(ACTS):
            if isinstance(now.flash, AcceptedPage) and now.seq > before:
                deeds = [now.deeds[Seq(seq)] for seq in range(before + 1, now.seq + 1) if seq in now.deeds]
                events = [event for deed in deeds for event in deed.events if event.concerns != "course"]
                speaker = evening.speaker()
                read = " ".join(drawn(look, speaker) for look in looks(now.seen_by(PUBLIC)))
                view = now.view(PUBLIC)
                lines = [speaker.say(told(evening.game, view, event, PUBLIC), "oled") for event in events]
                lines += [now.chairs[deed.intent.actor].name for deed in deeds if deed.intent.actor != TABLE]
                missing += [line for line in lines if _plain(line) not in read]
            before = now.seq
    return missing


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "lang"), tuple(zip(shelf.games(), LANGS * 2, strict=True)))
def test_nothing_for_hands_or_books_is_left_out_nor_who_acted(game_id: str, lang: Lang, drawn: Drawn) -> None:
    assert left_out(game_id, lang, drawn) == []


def test_a_display_that_shows_one_look_only_would_be_noticed(drawn: Drawn, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    monkeypatch.setattr(AcceptedPage, "leaves", property(lambda page: (AcceptedPage(page.seq, page.lines[:LEAF]),)))
    assert left_out("one-false-step", "en", drawn)


def test_leaf_follows_leaf_by_itself_and_then_the_page() -> None:
    scene = Scene()
    scene.news(moment(ADA, flash=SEVEN), 10.0)
    shown = [scene.look(10.0 + FLASH_SECONDS * n + 0.1) for n in range(4)]
    assert shown == [*(Look(ADA, over=leaf) for leaf in SEVEN.leaves), Look(ADA)]
    assert [leaf.lines for leaf in SEVEN.leaves] == [SEVEN.lines[:3], SEVEN.lines[3:6], SEVEN.lines[6:]]
    assert scene.due(10.0) == FLASH_SECONDS
    assert scene.due(11.0 + FLASH_SECONDS) == FLASH_SECONDS - 1


def test_whoever_acts_ends_it() -> None:
    scene = Scene()
    scene.news(moment(ADA, flash=SEVEN), 10.0)
    scene.news(moment(BEN), 10.0 + FLASH_SECONDS)
    assert scene.look(10.1 + FLASH_SECONDS) == Look(BEN)


def test_an_act_without_a_line_has_one_leaf() -> None:
    assert AcceptedPage(Seq(7), ()).leaves == (AcceptedPage(Seq(7), ()),)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    ("page", "named"),
    [
        (ChoosePage(say("sample.round", n=9), (say("sample.gold"),) * 5, 0, SOMEBODY), False),
        (ChoosePage(say("sample.round", n=9), (say("sample.gold"),) * 5, 0, SOMEBODY, other=True), True),
        (ChoosePage(say("sample.long-act"), (say("sample.gold"),) * 5, 0, SOMEBODY, other=True), True),
        (ConfirmPage(say("sample.buy"), (say("sample.cost"), say("sample.power", n=18)), SOMEBODY), False),
        (ConfirmPage(say("sample.buy"), (say("sample.cost"), say("sample.power", n=18)), SOMEBODY, other=True), True),
        (NumberPage(say("sample.bid"), 0, 9, 4, (), SOMEBODY), True),
        (AcceptedPage(Seq(7), (say("sample.bought"),)), False),
        (AcceptedPage(Seq(7), (say("sample.bought"),), SOMEBODY), True),
        (AcceptedPage(Seq(7), (), SOMEBODY), True),
        (AcceptedPage(Seq(7), (say("sample.drew", who=Name("Bérénice")),), SOMEBODY), True),
        (RefusedPage(Refusal(RuleId("C4"), "sample.bare"), SOMEBODY), True),
    ],
)
def test_who_is_not_awaited_is_named_however_little_room_there_is(
    page: Page, named: bool, lang: Lang, drawn: Drawn
) -> None:
    written, her = drawn(Look(page), gallery.speaker(lang)), _plain("Bérénice")
    assert (her in written) == named
    assert written.count(her) <= 1, "and once is enough"
