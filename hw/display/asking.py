"""The pages that ask: who may come in, whose turn it is, what to choose, how many, whether to do it."""

from __future__ import annotations

from typing import Final

from companion.core import AdmitPage, ChoosePage, ConfirmPage, NumberPage, SpellPage, TurnPage, Waits
from companion.library import Speaker

from .sheet import FOOT, TOP, WIDTH, Box, Sheet, fit
from .wording import by, label

MARGIN: Final = 14
"""Where text begins that has a button beside it."""
_GUESTS: Final = 3
"""How many phones at the door are shown at a time."""
_BESIDE: Final = 3
"""How many characters are shown on each side of the marked one."""
_LINE: Final = WIDTH - MARGIN - 4
"""The width of a list's lines."""


def draw_door(sheet: Sheet, speaker: Speaker, page: AdmitPage) -> None:
    """One phone large, or several in a list, each with the code that it shows."""
    count = len(page.waiting)
    if count == 1:
        sheet.text(Box(2, 0, WIDTH - 4, 12), label(speaker, "admit"), (12, 8))
        _guest(sheet, speaker, page.waiting[0])
    else:
        sheet.text(Box(2, 0, WIDTH - 4, 12), label(speaker, "admit-several", n=count), (12, 8))
        _guests(sheet, speaker, page)
    key = "hold-to-admit" if page.at is None else "let-in"
    sheet.keys(("OK", label(speaker, key)), ("BACK", label(speaker, "no-thanks")))


def _guest(sheet: Sheet, speaker: Speaker, waits: Waits) -> None:
    code = min(sheet.width(waits.code, 24), 60)
    sheet.text(Box(2, 14, WIDTH - code - 12, 32), speaker.say(waits.who, "oled"), (24, 16, 12, 8))
    sheet.frame(Box(WIDTH - code - 6, 15, code + 6, 30))
    sheet.text(Box(WIDTH - code - 3, 17, code, 26), waits.code, (24, 16, 12, 8), align="middle")


def _guests(sheet: Sheet, speaker: Speaker, page: AdmitPage) -> None:
    first = (page.at or 0) // _GUESTS * _GUESTS
    for row, waits in enumerate(page.waiting[first : first + _GUESTS], 1):
        if first + row - 1 == page.at:
            _mark(sheet, 12 * row, 12)
        code = min(sheet.width(waits.code, 12), 60)
        sheet.text(Box(MARGIN, 12 * row, _LINE - code - 6, 12), speaker.say(waits.who, "oled"), (12, 8))
        sheet.text(Box(WIDTH - 4 - code, 12 * row, code, 12), waits.code, (12, 8))


def _top(sheet: Sheet, words: str) -> None:
    """Who it is about. It stays while they choose, count and confirm: what stays is read once, and sent once."""
    sheet.text(Box(2, 0, WIDTH - 4, TOP), words, (24, 16, 12, 8))


def draw_turn(sheet: Sheet, speaker: Speaker, page: TurnPage) -> None:
    _top(sheet, speaker.say(page.who, "oled"))
    sheet.text(Box(2, TOP, WIDTH - 4, 24), speaker.say(page.what, "oled"), (16, 12, 8), high=True)
    sheet.foot(speaker.say(page.corner, "oled"), speaker.say(page.hint, "oled"))


def draw_choose(sheet: Sheet, speaker: Speaker, page: ChoosePage) -> None:
    """A short list below whoever chooses, a long one alone: only the mark moves as one walks down it."""
    lines, who = [speaker.say(said, "oled") for said in page.items], speaker.say(page.who, "oled")
    is_brief = not any(fit(sheet.faces, line, Box(0, 0, _LINE, 12), (12, 8)).cut for line in lines)
    is_short = is_brief and len(lines) <= 2 and who != ""
    top, high = (TOP if is_short else 0), (12 if is_brief else 16)
    if is_short:
        _top(sheet, who)
    rows = (FOOT - top) // high
    first = page.at // rows * rows
    for row, line in enumerate(lines[first : first + rows]):
        y = top + high * row
        if first + row == page.at:
            _mark(sheet, y, high)
        sheet.text(Box(MARGIN, y, _LINE, high), line, (12, 8))
    if len(lines) > rows:
        thumb = max(FOOT * rows // len(lines), 6)
        last = (len(lines) - 1) // rows * rows
        sheet.fill(Box(WIDTH - 2, (FOOT - thumb) * first // last, 2, thumb))
    title, next_ = speaker.say(page.title, "oled"), label(speaker, "next")
    if page.other and not is_short:
        named = by(speaker, who, title)
        room = WIDTH - 10 - sheet.width(next_, 12)
        title = named if not fit(sheet.faces, named, Box(0, 0, room, 16), (12, 8)).cut else who
    sheet.foot(title, next_)


def _mark(sheet: Sheet, y: int, high: int) -> None:
    """The button to the left of what it takes; an arrow if another key does its job under a longer name."""
    sheet.fill(Box(0, y, MARGIN - 2, high))
    name, middle = sheet.called("OK"), y + high // 2
    if sheet.width(name, 8) <= MARGIN - 2:
        sheet.text(Box(1, middle - 4, MARGIN - 3, 8), name, (8,), ink=sheet.paper)
    else:
        sheet.pen.polygon(((2, middle - 4), (6, middle), (2, middle + 4)), fill=sheet.paper)


def draw_number(sheet: Sheet, speaker: Speaker, page: NumberPage) -> None:
    """The number, with what OK would do and what would come of it beside it, or else its range."""
    title, who = speaker.say(page.title, "oled"), speaker.say(page.who, "oled")
    _top(sheet, who or title)
    _mark(sheet, TOP, FOOT - TOP)
    words = str(page.at)
    room = min(sheet.width(words, 24), 60)
    sheet.text(Box(MARGIN, TOP, room, FOOT - TOP), words, (24, 16, 12, 8))
    left = MARGIN + room + 6
    between = label(speaker, "range", low=page.low, high=page.high)
    lines = [title] if who else []
    lines += [speaker.say(said, "oled") for said in page.foreseen] or [between]
    _foresee(sheet, Box(left, TOP, WIDTH - left - 1, FOOT - TOP), lines)
    sheet.foot(speaker.say(page.corner, "oled"), label(speaker, "next"))


def draw_set(sheet: Sheet, speaker: Speaker, page: NumberPage | SpellPage) -> None:
    """What the dial sets."""
    if isinstance(page, SpellPage):
        draw_spell(sheet, speaker, page)
    else:
        draw_number(sheet, speaker, page)


def draw_spell(sheet: Sheet, speaker: Speaker, page: SpellPage) -> None:
    """What has been typed, with room for what is missing; below it the marked character among its neighbours."""
    typed, half = page.typed, page.of // 2
    if page.of:
        typed = f"{typed:\N{MIDDLE DOT}<{page.of}}"
        typed = f"{typed[:half]}-{typed[half:]}"
    sheet.text(Box(2, 0, WIDTH - 4, 12), speaker.say(page.title, "oled"), (12, 8))
    sheet.text(Box(2, 12, WIDTH - 4, 18), typed if page.of else f"{typed}_", (16, 12, 8))
    middle, count = WIDTH // 2, len(page.signs)
    for step in range(-_BESIDE, _BESIDE + 1):
        x, sign = middle - 7 + 16 * step, page.signs[(page.at + step) % count]
        if step == 0:
            sheet.fill(Box(x - 2, 30, 18, FOOT - 31))
        ink = sheet.paper if step == 0 else sheet.ink
        if sign:
            sheet.text(Box(x, 30, 14, FOOT - 31), sign, (16, 12), align="middle", ink=ink)
        else:
            sheet.pen.line((x + 2, 38, x + 5, 41, x + 11, 34), fill=ink, width=2)
    sheet.keys(("OK", label(speaker, "take-sign" if page.sign else "end-typing")), ("BACK", label(speaker, "delete")))


def _foresee(sheet: Sheet, box: Box, lines: list[str]) -> None:
    """As many of the lines as there is room for, most important first."""
    while len(lines) > 1 and fit(sheet.faces, ", ".join(lines), box, (12, 8)).cut:
        lines = lines[:-1]
    sheet.text(box, ", ".join(lines), (12, 8))


def draw_confirm(sheet: Sheet, speaker: Speaker, page: ConfirmPage) -> None:
    foreseen = [speaker.say(said, "oled") for said in page.foreseen]
    said, who = speaker.say(page.said, "oled"), speaker.say(page.who, "oled")
    room = FOOT - TOP
    below = room // 2 if foreseen else 0
    has_room = not _is_cut(sheet, said, room - below) and not _is_cut(sheet, ", ".join(foreseen), below)
    if who and has_room:
        _top(sheet, who)
        sheet.text(Box(2, TOP, WIDTH - 4, room - below), said)
    else:
        said = by(speaker, who, said) if page.other else said
        below = 32 if _is_cut(sheet, ", ".join(foreseen), 16) else 16 if foreseen else 0
        sheet.text(Box(2, 0, WIDTH - 4, FOOT - below), said, (24, 16, 12, 8))
    if foreseen:
        _foresee(sheet, Box(2, FOOT - below, WIDTH - 4, below), foreseen)
    no = ("BACK", label(speaker, "no-thanks"))
    match page.takes:
        case "ok":
            sheet.keys(("OK", label(speaker, "yes")), no)
        case "hold":
            sheet.keys(("OK", label(speaker, "hold-to-admit")), no)
        case _:
            sheet.keys(("OK", label(speaker, "hold-to-stand")))


def _is_cut(sheet: Sheet, words: str, height: int) -> bool:
    return fit(sheet.faces, words, Box(2, 0, WIDTH - 4, height), (12, 8)).cut
