"""Panels made ready for a page."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core import Bar, Checks, Ledger, Noted, Part, Row, Said, SeatId, Standing, say, words_of
from companion.library import Texts
from companion.table import Table
from web import create_app, dashboard_of
from web.door import Phone
from web.draw import Pen
from web.draw.panels import LENGTH, kind, pieces, runs, scale

LINE, NOTE = say("one"), Noted(say("two"), "lab")
CHECKS = Checks((say("three"),), say("head"), ())


def test_lines_that_follow_each_other_share_a_frame_and_panels_stand_alone() -> None:
    assert list(runs((LINE, LINE, NOTE, CHECKS, CHECKS, LINE))) == [(LINE, LINE), (NOTE,), CHECKS, CHECKS, (LINE,)]
    assert list(runs(())) == []
    assert (kind(NOTE), kind(CHECKS)) == ("noted", "checks")


def test_a_panel_has_words_for_who_does_not_see_it() -> None:
    assert words_of((LINE, NOTE, CHECKS)) == (say("one"), say("two"), say("three"))


def spell(said: Said) -> str:
    return said.key


def test_bars_on_one_scale_are_as_long_as_what_they_show() -> None:
    long = Bar(say("a"), (Part(say("five"), 5), Part(say("none"), 0), Part(say("a-very-long-word"), 5, "used")))
    short = Bar(say("b"), (Part(say("b"), 4, "left"),))
    full = scale((long, short))
    assert full == 10
    first, second = pieces(long, spell, full)
    assert (first.x, first.w, second.x, second.w) == (0.0, LENGTH / 2, LENGTH / 2, LENGTH / 2)
    assert [piece.w for piece in pieces(short, spell, full)] == [LENGTH * 0.4]
    assert (first.look, second.look) == ("plain", "used")


def test_what_does_not_fit_its_part_is_told_by_its_number_or_not_at_all() -> None:
    bar = Bar(say("a"), (Part(say("a-very-long-word"), 30), Part(say("long"), 10), Part(say("tiny"), 1)))
    assert [piece.text for piece in pieces(bar, spell, 41)] == ["a-very-long-word", "long", ""]
    assert [piece.text for piece in pieces(bar, spell, 110)] == ["30", "10", ""]
    assert pieces(Bar(say("empty"), ()), spell, scale(())) == ()


def test_a_long_ledger_folds_and_a_standing_has_notes(table: Table, texts: Texts) -> None:
    dash = dashboard_of(create_app(table, texts, None, ("box.test",), "en"))
    phone = Phone(seat=SeatId(0), asking="", lang="en", theme="auto", prefix="")
    speaker = dash.speaker(table.moment.public, "en")
    pen = Pen(dash.assets, speaker, phone, table.snapshot.table, table.snapshot.game.icons)
    one, head, unit = say("web.own"), say("web.check"), say("web.report")
    flat = Ledger((), head, unit, (Row(one, one, "3"),))
    drawn = pen.draw("parts/own.html", m=(flat,))
    assert "<details" not in drawn
    folded = pen.draw("parts/own.html", m=(replace(flat, folded=True),))
    assert 'id="fold-web.check"' in folded, "what a person has opened stays open"
    assert "<caption>" in folded
    stands = pen.draw("parts/own.html", m=(Standing((), SeatId(0), one, head, "3", notes=(unit,)),))
    assert f'<ul class="more"><li>{speaker.say(unit)}</li></ul>' in stands
