"""A pen redraws a part exactly when the value that it shows has changed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core import Name, Said, SeatId, say
from companion.library import Lang, Texts
from companion.table import Table
from web import create_app, dashboard_of
from web.door import Phone
from web.draw import Pen
from web.screen import Dashboard

HOST = "box.test"


def phone(lang: Lang) -> Phone:
    return Phone(seat=SeatId(0), asking="", lang=lang, theme="auto", prefix="")


class Counting(Pen):
    """Counts what it really draws."""

    def __init__(self, *args: Any) -> None:
        self.drew: list[str] = []
        super().__init__(*args)

    def draw(self, template: str, **more: Any) -> str:
        self.drew.append(template)
        return super().draw(template, **more)


@pytest.fixture
def dash(table: Table, texts: Texts) -> Dashboard:
    return dashboard_of(create_app(table, texts, None, (HOST,), "en"))


def pen_for(dash: Dashboard, lang: Lang) -> Counting:
    seen = dash.table.moment.public
    return Counting(dash.assets, dash.speaker(seen, lang), phone(lang), seen.table, seen.game.icons)


def lines(*names: str) -> tuple[Said, ...]:
    return tuple(say("web.away", name=Name(name)) for name in names)


def test_a_part_is_drawn_once_for_the_same_value(dash: Dashboard) -> None:
    pen = pen_for(dash, "en")
    part = pen._part
    first = part("own", lines("Ada"))
    assert part("own", lines("Ada")) == first
    assert pen.drew == ["parts/own.html"]
    other = part("own", lines("Ben"))
    assert "Ben" in other
    assert "Ada" not in other
    assert part("own", lines("Ada")) == first, "and again when it changes back"


def test_pens_of_two_languages_share_nothing(dash: Dashboard) -> None:
    english, french = (pen_for(dash, lang)._part("own", lines("Ada")) for lang in ("en", "fr"))
    assert english != french


def test_what_people_typed_stays_text(dash: Dashboard) -> None:
    assert "<b>" not in pen_for(dash, "en")._part("own", lines("<b>x</b>"))
