"""The pages that tell: what was accepted, refused or found, how somebody stands, what a piece is, what is wrong."""

from __future__ import annotations

from typing import Final

from companion.core import (
    AcceptedPage,
    CheckPage,
    GlancePage,
    Name,
    PiecePage,
    RefusedPage,
    Said,
    StepPage,
    TroublePage,
)
from companion.library import Speaker

from .faces import Size
from .glance import Thing, draw_things
from .sheet import FOOT, HEIGHT, ONE_LINE, TOP, WIDTH, Box, Sheet, fit
from .wording import by, hands_do, label

_DEEPEST: Final = HEIGHT - TOP
"""How far up the foot may grow: the name at the top stays."""


def draw_accepted(sheet: Sheet, speaker: Speaker, page: AcceptedPage) -> None:
    sheet.text(Box(2, 0, WIDTH - 4, FOOT), "; ".join(_told(speaker, page)), (24, 16, 12, 8))
    sheet.foot(label(speaker, "accepted"), _leaf(page) or f"#{page.seq}", done=True)


def draw_feet(sheet: Sheet, speaker: Speaker, page: AcceptedPage) -> None:
    """What was accepted, in place of the foot. If one line is not enough, the foot grows upwards."""
    words = "; ".join(_told(speaker, page)) or label(speaker, "accepted")
    right = _leaf(page)
    if not right and sheet.width(words, 12) + sheet.width(label(speaker, "next"), 12) + 6 <= WIDTH - 19:
        right = label(speaker, "next")
    beside = sheet.width(right, 12) + 6 if right else 0
    wide = WIDTH - 19 - beside
    deep = next((high for high in (16, 24) if not fit(sheet.faces, words, Box(0, 0, wide, high), (12,)).cut), _DEEPEST)
    sheet.foot(words, right, done=True, deep=deep)


def _leaf(page: AcceptedPage) -> str:
    """Which of several leaves this is."""
    return f"{page.at}/{page.of}" if page.of > 1 else ""


def _told(speaker: Speaker, page: AcceptedPage) -> list[str]:
    """The lines; the first leaf says who it was, if no line does."""
    told = [said for said in page.lines if speaker.say(said, "oled")]
    lines = [speaker.say(said, "oled") for said in told]
    named = any(speaker.names(said, fact, "oled") for said in told for _, fact in page.by.facts)
    who = speaker.say(page.by, "oled")
    if not who or named or page.at > 1:
        return lines
    return [by(speaker, who, "; ".join(lines))] if lines else [who]


def draw_refused(sheet: Sheet, speaker: Speaker, page: RefusedPage) -> None:
    refusal = page.refusal
    said = Said(f"no.{refusal.key}", refusal.facts)
    why, hands = speaker.say(said, "oled"), hands_do(speaker, said)
    sheet.frame(Box(0, 0, WIDTH, HEIGHT))
    sheet.frame(Box(2, 2, WIDTH - 4, HEIGHT - 4))
    is_long = fit(sheet.faces, hands, Box(5, 0, 118, 12), (12, 8)).cut
    deep = 0 if not hands else 16 if is_long else 12
    below = 61 - deep
    needs_room = fit(sheet.faces, why, Box(4, 33, 120, below - 33), (16, 12)).cut
    big: Size = 24 if needs_room else 32
    no, rule = label(speaker, "refused"), label(speaker, "rule", rule=Name(refusal.rule))
    if page.by.key:
        rule = by(speaker, speaker.say(page.by, "oled"), rule)
    wide = min(sheet.width(no, big), 60)
    sheet.text(Box(6, 2, wide, big), no, (big, 16, 12, 8))
    sheet.text(Box(wide + 12, 3, WIDTH - wide - 16, big - 2), rule)
    sheet.text(Box(4, big + 1, 120, below - big - 1), why)
    if hands:
        sheet.text(Box(5, below, 118, deep), hands, (12, 8))


def draw_check(sheet: Sheet, speaker: Speaker, page: CheckPage) -> None:
    left = _alarm(sheet) if page.is_problem else 2
    who = speaker.say(page.who, "oled")
    room = FOOT if not who else FOOT - 16 if page.is_problem else TOP
    sheet.text(Box(left, 0, WIDTH - left - 1, room), speaker.say(page.said, "oled"), (24, 16, 12, 8))
    if who:
        move = by(speaker, who, speaker.say(page.what, "oled"))
        sheet.text(Box(left, room, WIDTH - left - 1, FOOT - room), move, (12, 8))
    sheet.foot(label(speaker, "problem" if page.is_problem else "check"), f"{page.at}/{page.of}")


def draw_glance(sheet: Sheet, speaker: Speaker, page: GlancePage) -> None:
    title, count = speaker.say(page.title, "oled"), f"{speaker.say(page.label, 'oled')} {page.value}".strip()
    wide = min(sheet.width(count, 12), WIDTH // 2)
    sheet.text(Box(WIDTH - 2 - wide, 0, wide, 16), count, (12, 8), align="right")
    sheet.text(Box(2, 0, WIDTH - 8 - wide, 16), title, ONE_LINE)
    things = [Thing(speaker.say(line.said, "oled"), line.look) for line in page.lines]
    draw_things(sheet, Box(2, 16, WIDTH - 4, FOOT - 16), things)
    sheet.keys(("OK", label(speaker, "details")), ("NEXT", f"{page.at}/{page.of}"))


def _alarm(sheet: Sheet) -> int:
    """An exclamation mark at the left; returns where the text begins."""
    sheet.fill(Box(0, 0, 20, FOOT - 2))
    sheet.fill(Box(8, 5, 4, 24), sheet.paper)
    sheet.fill(Box(8, 35, 4, 5), sheet.paper)
    return 24


def draw_piece(sheet: Sheet, speaker: Speaker, page: PiecePage) -> None:
    said, where = speaker.say(page.said, "oled"), speaker.say(page.where, "oled")
    if page.more:
        sheet.text(Box(2, 0, WIDTH - 4, 16), said, ONE_LINE)
        sheet.text(Box(2, 16, WIDTH - 4, 8), where, (8,))
        high = 24 // len(page.more)
        for at, line in enumerate(page.more):
            sheet.text(Box(2, 24 + at * high, WIDTH - 4, high), speaker.say(line, "oled"), (12, 8))
    else:
        sheet.text(Box(2, 0, WIDTH - 4, 32 if where else FOOT), said, (24, 16, 12, 8))
        sheet.text(Box(2, 32, WIDTH - 4, 16), where, (12, 8))
    sheet.foot(label(speaker, "nothing-played"), "?")


def draw_step(sheet: Sheet, speaker: Speaker, page: StepPage) -> None:
    """One thing to do by hand; while the table is out of step, with an alarm mark."""
    left = _alarm(sheet) if page.is_wrong else 2
    count = f"{page.at}/{page.of}"
    wide = sheet.width(count, 12)
    sheet.text(Box(WIDTH - 2 - wide, 0, wide, 16), count, (12, 8), align="right")
    sheet.text(Box(left, 0, WIDTH - left - wide - 6, 16), speaker.say(page.title, "oled"), (12, 8))
    sheet.text(Box(left, 16, WIDTH - left - 1, FOOT - 16), speaker.say(page.said, "oled"), (16, 12, 8))
    sheet.foot(label(speaker, "step-wrong" if page.is_wrong else "step-keys"))


def draw_trouble(sheet: Sheet, speaker: Speaker, page: TroublePage) -> None:
    left = _alarm(sheet)
    sheet.text(Box(left, 0, WIDTH - left - 1, FOOT), speaker.say(page.said, "oled"), (16, 12, 8))
    sheet.foot(hands_do(speaker, page.said) or label(speaker, "trouble"))
