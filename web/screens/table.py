"""The table, drawn or as a list."""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct

from companion.core import Said, say
from web.draw import Drawing, draw
from web.screen import Page, Screen, Visit


class TableScreen(Struct, frozen=True):
    form: Literal["drawn", "list"]
    drawing: Drawing
    rows: tuple[Said, ...]


def table_screen(visit: Visit) -> Screen:
    picture = visit.seen.game.picture(visit.seen.view)
    form: Literal["drawn", "list"] = "list" if visit.query.get("form") == "list" else "drawn"
    model = TableScreen(form, draw(picture, visit.words), picture.rows)
    return Screen("table", say("web.title.table"), "table", model)


PAGES: Final = (Page("table", table_screen, live=True, reads={"form": re.compile("list")}),)
