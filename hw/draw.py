"""From a page to its picture: keys and facts in, one bit for each pixel out. No clock, no device, never an error."""

from __future__ import annotations

import re
from typing import Final, assert_never

from msgspec import Struct
from PIL import Image

from companion.core.facts import Fact, Name, Said
from companion.pages import (
    AcceptedPage,
    AdmitPage,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    EnrolPage,
    IdlePage,
    JoinPage,
    NumberPage,
    Page,
    PiecePage,
    RefusedPage,
    StartingPage,
    TroublePage,
    TurnPage,
    UnplugPage,
    WifiPage,
)
from companion.texts import Speaker

from .code import as_typed, draw_code, draw_text_code
from .faces import Size, faces
from .sheet import BAR, HEIGHT, WIDTH, Box, Sheet, fit

ROWS: Final = 3


class Around(Struct, frozen=True):
    """What the box itself knows: its web address (capitals make a smaller code), how far idle has drifted, and what
    to call the buttons that it does not have."""

    address: str = ""
    drift: int = 0
    renamed: tuple[tuple[str, str], ...] = ()


NOWHERE: Final = Around()


def draw(page: Page, speaker: Speaker, around: Around = NOWHERE) -> Image.Image:  # noqa: C901, PLR0912 - one case per page
    """The picture of a page, 128×64, mode "1"."""
    sheet = Sheet(faces(), inverted=isinstance(page, RefusedPage), renamed=dict(around.renamed))
    match page:
        case StartingPage():
            _starting(sheet, speaker)
        case UnplugPage():
            _unplug(sheet, speaker)
        case JoinPage():
            _join(sheet, speaker, around)
        case WifiPage():
            _wifi(sheet, speaker, page)
        case AdmitPage():
            _admit(sheet, speaker, page)
        case TurnPage():
            _turn(sheet, speaker, page)
        case ChoosePage():
            _choose(sheet, speaker, page)
        case NumberPage():
            _number(sheet, speaker, page)
        case ConfirmPage():
            _confirm(sheet, speaker, page)
        case AcceptedPage():
            _accepted(sheet, speaker, page)
        case RefusedPage():
            _refused(sheet, speaker, page)
        case CheckPage():
            _check(sheet, speaker, page)
        case PiecePage():
            _piece(sheet, speaker, page)
        case EnrolPage():
            _enrol(sheet, speaker, page)
        case TroublePage():
            _trouble(sheet, speaker, page)
        case IdlePage():
            _idle(sheet, speaker, page, around.drift)
        case _:
            assert_never(page)
    return sheet.image


def _label(speaker: Speaker, name: str, **facts: Fact) -> str:
    return speaker.key(f"page.{name}", "oled", **facts)


def _hands(speaker: Speaker, said: Said) -> str:
    """What hands should do, or nothing: a key without such a text answers with its general form."""
    words = speaker.say(said, "hands")
    return "" if words in (speaker.say(said), said.key) else words


def _starting(sheet: Sheet, speaker: Speaker) -> None:
    _emblem(sheet, 6, 19)
    sheet.text(Box(36, 13, WIDTH - 38, 24), _label(speaker, "title"), (12, 8))
    sheet.text(Box(36, 38, WIDTH - 38, 13), _label(speaker, "starting"), (12, 8))


def _unplug(sheet: Sheet, speaker: Speaker) -> None:
    _emblem(sheet, 0, 3)
    sheet.text(Box(26, 0, WIDTH - 28, 28), _label(speaker, "saved"), (24, 16, 12))
    sheet.text(Box(2, 28, WIDTH - 4, 36), _label(speaker, "unplug"), (12, 8))


def _join(sheet: Sheet, speaker: Speaker, around: Around) -> None:
    left = draw_code(sheet, around.address) + 4
    room = WIDTH - left
    sheet.text(Box(left, 0, room, 24), _label(speaker, "join"), (24, 16, 12, 8))
    if not around.address:
        sheet.text(Box(left, 25, room, 39), _label(speaker, "no-address"), (16, 12, 8))
        return
    words = as_typed(sheet, around.address, room)
    sheet.text(Box(left, 24, room, 24), _label(speaker, "scan-or-type" if words else "scan"), (12, 8))
    sheet.text(Box(left, 48, room, 16), words, (12, 8))


def _wifi(sheet: Sheet, speaker: Speaker, page: WifiPage) -> None:
    left = draw_text_code(sheet, page.code) + 4
    room = WIDTH - left
    sheet.text(Box(left, 0, room, 14), _label(speaker, "wifi"), (12, 8))
    sheet.text(Box(left, 15, room, 20), page.name, (16, 12, 8))
    half = (len(page.password) + 1) // 2
    sheet.text(Box(left, 37, room, 27), f"{page.password[:half]} {page.password[half:]}", (12, 8))


def _admit(sheet: Sheet, speaker: Speaker, page: AdmitPage) -> None:
    sheet.bar(_label(speaker, "admit"))
    code = min(sheet.width(page.code, 24), 60)
    sheet.text(Box(2, 15, WIDTH - code - 10, 32), speaker.say(page.who, "oled"), (24, 16, 12, 8))
    sheet.frame(Box(WIDTH - code - 6, 16, code + 6, 29))
    sheet.text(Box(WIDTH - code - 3, 18, code, 25), page.code, (24, 16, 12, 8), align="middle")
    sheet.key(0, 51, "OK", _label(speaker, "hold-to-admit"), 74)
    sheet.key(76, 51, "BACK", _label(speaker, "no-thanks"), WIDTH)


def _turn(sheet: Sheet, speaker: Speaker, page: TurnPage) -> None:
    sheet.bar(speaker.say(page.title, "oled"), speaker.say(page.corner, "oled"))
    what, hint = speaker.say(page.what, "oled"), speaker.say(page.hint, "oled")
    sheet.text(Box(2, BAR, WIDTH - 4, 24), speaker.say(page.who, "oled"), (24, 16, 12, 8))
    if hint:
        sheet.text(Box(2, 36, WIDTH - 4, 16), what)
        sheet.text(Box(2, 52, WIDTH - 4, 12), hint, (12, 8))
    else:
        sheet.text(Box(2, 38, WIDTH - 4, 26), what, (24, 16, 12, 8))


def _choose(sheet: Sheet, speaker: Speaker, page: ChoosePage) -> None:
    many = len(page.items)
    title = speaker.say(page.title, "oled")
    is_counted = re.search(r"\d/\d", title) is not None
    sheet.bar(title, "" if is_counted else f"{min(page.at + 1, many)}/{many}")
    # A whole page at a time: only the mark moves while one walks down it.
    first = page.at // ROWS * ROWS
    room = WIDTH - 18 if many > ROWS else WIDTH - 14
    for row, said in enumerate(page.items[first : first + ROWS]):
        y = 16 + 16 * row
        marked = first + row == page.at
        if marked:
            sheet.fill(Box(0, y, room + 14, 16))
            sheet.pen.polygon(((3, y + 3), (8, y + 8), (3, y + 13)), fill=sheet.paper)
        sheet.text(Box(13, y, room, 16), speaker.say(said, "oled"), ink=sheet.paper if marked else None)
    if many > ROWS:
        thumb = max(48 * ROWS // many, 6)
        last = (many - 1) // ROWS * ROWS
        sheet.fill(Box(WIDTH - 2, 16 + (48 - thumb) * first // last, 2, thumb))


def _number(sheet: Sheet, speaker: Speaker, page: NumberPage) -> None:
    sheet.bar(speaker.say(page.title, "oled"), _label(speaker, "range", low=page.low, high=page.high))
    words = str(page.at)
    wide = min(max(sheet.width(words, 32) + 8, 32), 40 if page.foreseen else 90)
    left = 0 if page.foreseen else (WIDTH - wide) // 2
    sheet.frame(Box(left, 15, wide, 34))
    sheet.text(Box(left + 2, 16, wide - 4, 32), words, (32, 24, 16, 12, 8), align="middle")
    if page.foreseen:
        _foresee(sheet, Box(wide + 5, 15, WIDTH - wide - 5, 35), [speaker.say(said, "oled") for said in page.foreseen])
    else:
        _arrows(sheet, page, left, left + wide)
    sheet.text(Box(0, 51, WIDTH, 12), _label(speaker, "set-number"), (12, 8), align="middle")


def _arrows(sheet: Sheet, page: NumberPage, left: int, right: int) -> None:
    if page.at > page.low:
        sheet.pen.polygon(((left - 5, 24), (left - 15, 31), (left - 5, 38)), fill=sheet.ink)
    if page.at < page.high:
        sheet.pen.polygon(((right + 4, 24), (right + 14, 31), (right + 4, 38)), fill=sheet.ink)


def _foresee(sheet: Sheet, box: Box, lines: list[str]) -> None:
    """As many of the lines as there is room for; what matters most is told first."""
    while len(lines) > 1 and fit(sheet.faces, ", ".join(lines), box, (12, 8)).cut:
        lines = lines[:-1]
    sheet.text(box, ", ".join(lines), (12, 8))


def _confirm(sheet: Sheet, speaker: Speaker, page: ConfirmPage) -> None:
    words = speaker.say(page.said, "oled")
    foreseen = [speaker.say(said, "oled") for said in page.foreseen]
    sheet.bar(_label(speaker, "confirm"))
    above = 24 if foreseen else 36
    if _is_cut(sheet, ", ".join(foreseen), 12):
        above = 20 if _is_cut(sheet, words, 12) else 12
    sheet.text(Box(2, 14, WIDTH - 4, above), words, (24, 16, 12, 8))
    if foreseen:
        _foresee(sheet, Box(2, 14 + above, WIDTH - 4, 36 - above), foreseen)
    sheet.key(0, 52, "OK", _label(speaker, "yes"), 62)
    sheet.key(64, 52, "BACK", _label(speaker, "no-thanks"), WIDTH)


def _is_cut(sheet: Sheet, words: str, height: int) -> bool:
    return fit(sheet.faces, words, Box(2, 0, WIDTH - 4, height), (12, 8)).cut


def _accepted(sheet: Sheet, speaker: Speaker, page: AcceptedPage) -> None:
    sheet.bar(_label(speaker, "accepted"), f"#{page.seq}")
    sheet.pen.line((6, 23, 12, 29, 25, 16), fill=sheet.ink, width=3)
    lines = [words for said in page.lines if (words := speaker.say(said, "oled"))]
    if len(lines) <= 1:
        sheet.text(Box(34, 15, WIDTH - 36, 48), "".join(lines), (24, 16, 12, 8))
        return
    sheet.text(Box(34, 15, WIDTH - 36, 17), lines[0])
    if len(lines) == 2:
        sheet.text(Box(2, 34, WIDTH - 4, 29), lines[1], (24, 16, 12, 8))
        return
    more = "  …" if len(lines) > 3 else ""
    sheet.text(Box(2, 33, WIDTH - 4, 16), lines[1])
    sheet.text(Box(1, 51, WIDTH - 1, 12), lines[2] + more, (12, 8))


def _refused(sheet: Sheet, speaker: Speaker, page: RefusedPage) -> None:
    refusal = page.refusal
    said = Said(f"no.{refusal.key}", refusal.facts)
    why, hands = speaker.say(said, "oled"), _hands(speaker, said)
    sheet.frame(Box(0, 0, WIDTH, HEIGHT))
    sheet.frame(Box(2, 2, WIDTH - 4, HEIGHT - 4))
    is_long = fit(sheet.faces, hands, Box(5, 0, 118, 12), (12, 8)).cut
    deep = 0 if not hands else 16 if is_long else 12
    below = 61 - deep
    needs_room = fit(sheet.faces, why, Box(4, 33, 120, below - 33), (16, 12)).cut
    big: Size = 24 if needs_room else 32
    no, rule = _label(speaker, "refused"), _label(speaker, "rule", rule=Name(refusal.rule))
    wide = min(sheet.width(no, big), 60)
    sheet.text(Box(6, 2, wide, big), no, (big, 16, 12, 8))
    sheet.text(Box(wide + 12, 3, WIDTH - wide - 16, big - 2), rule)
    sheet.text(Box(4, big + 1, 120, below - big - 1), why)
    if hands:
        sheet.text(Box(5, below, 118, deep), hands, (12, 8))


def _check(sheet: Sheet, speaker: Speaker, page: CheckPage) -> None:
    sheet.bar(_label(speaker, "problem" if page.is_problem else "check"), f"{page.at}/{page.of}")
    left = 2
    if page.is_problem:
        sheet.fill(Box(0, 16, 20, 48))
        sheet.fill(Box(8, 21, 4, 25), sheet.paper)
        sheet.fill(Box(8, 52, 4, 5), sheet.paper)
        left = 24
    sheet.text(Box(left, 15, WIDTH - left - 1, 49), speaker.say(page.said, "oled"), (24, 16, 12, 8))


def _piece(sheet: Sheet, speaker: Speaker, page: PiecePage) -> None:
    sheet.bar(_label(speaker, "piece"), "?")
    where = speaker.say(page.where, "oled")
    sheet.text(Box(2, 14, WIDTH - 4, 24 if where else 36), speaker.say(page.said, "oled"), (24, 16, 12, 8))
    if where:
        sheet.text(Box(2, 38, WIDTH - 4, 13), where, (12, 8))
    sheet.text(Box(2, 52, WIDTH - 4, 12), _label(speaker, "nothing-played"), (12, 8))


def _enrol(sheet: Sheet, speaker: Speaker, page: EnrolPage) -> None:
    sheet.bar(_label(speaker, "enrol"), f"{page.at}/{page.of}" if page.of else "")
    said, note = speaker.say(page.said, "oled"), speaker.say(page.note, "oled")
    if page.used:
        sheet.text(Box(2, 14, WIDTH - 4, 12), said, (12, 8))
        sheet.text(Box(2, 26, WIDTH - 4, 25), note, (24, 16, 12, 8))
        sheet.key(0, 52, "OK", _label(speaker, "give-anyway"), WIDTH)
        return
    sheet.text(Box(2, 14, WIDTH - 4, 12), speaker.say(page.asks, "oled"), (12, 8))
    sheet.text(Box(2, 26, WIDTH - 4, 24), said, (24, 16, 12, 8))
    sheet.text(Box(2, 52, WIDTH - 4, 12), note or _label(speaker, "enrol-keys"), (12, 8))


def _trouble(sheet: Sheet, speaker: Speaker, page: TroublePage) -> None:
    sheet.bar(_label(speaker, "trouble"), "!")
    hands = _hands(speaker, page.said)
    sheet.text(Box(2, 14, WIDTH - 4, 33 if hands else 49), speaker.say(page.said, "oled"), (16, 12, 8))
    if hands:
        sheet.text(Box(2, 48, WIDTH - 4, 16), hands, (12, 8))


def _idle(sheet: Sheet, speaker: Speaker, page: IdlePage, drift: int) -> None:
    title, who = speaker.say(page.title, "oled"), speaker.say(page.who, "oled")
    room = min(max(sheet.width(title, 12), sheet.width(who, 12)), 96)
    x, y = _to_and_fro(18 + 7 * drift, WIDTH - room - 28), _to_and_fro(18 + 5 * drift, HEIGHT - 26)
    _emblem(sheet, x, y + 2)
    sheet.text(Box(x + 27, y, room, 12), title, (12, 8))
    sheet.text(Box(x + 27, y + 13, room, 12), who, (12, 8))


def _emblem(sheet: Sheet, x: int, y: int) -> None:
    """Our seal, 21 pixels wide and high."""
    sheet.pen.ellipse((x, y, x + 20, y + 20), outline=sheet.ink)
    sheet.pen.ellipse((x + 3, y + 3, x + 17, y + 17), outline=sheet.ink)
    sheet.pen.line((x + 6, y + 10, x + 9, y + 13, x + 14, y + 7), fill=sheet.ink)


def _to_and_fro(step: int, room: int) -> int:
    """A place between 0 and `room` that walks there and back."""
    if room <= 0:
        return 0
    along = step % (2 * room)
    return along if along <= room else 2 * room - along
