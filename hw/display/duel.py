"""The page of a duel: who against whom, what each of them rolled, and the result."""

from __future__ import annotations

from typing import Final

from companion.core import DuelPage, Seat, Side, say
from companion.library import Speaker

from .sheet import FOOT, ONE_LINE, WIDTH, Box, Sheet

_NAME: Final = 16
"""The height of the names."""
_MIDDLE: Final = 16
"""The width of what stands between the two."""


def draw_duel(sheet: Sheet, speaker: Speaker, page: DuelPage) -> None:
    half = (WIDTH - _MIDDLE) // 2
    left, right = page.duel.sides
    _side(sheet, speaker, Box(2, 0, half - 4, FOOT), left)
    _side(sheet, speaker, Box(WIDTH - half + 2, 0, half - 4, FOOT), right)
    sheet.text(Box(half, _NAME, _MIDDLE, FOOT - _NAME), ":", (24, 16), align="middle")
    sheet.foot("" if page.duel.outcome is None else speaker.say(page.duel.outcome, "oled"))


def _side(sheet: Sheet, speaker: Speaker, box: Box, side: Side) -> None:
    who = speaker.say(say("box.who", seat=Seat(side.seat)), "oled")
    sheet.text(Box(box.x, box.y, box.w, _NAME), who, (12, 8), align="middle")
    thrown = speaker.say(side.said, "oled")
    sheet.text(Box(box.x, box.y + _NAME, box.w, box.h - _NAME), thrown, (32, 24, *ONE_LINE), align="middle")
