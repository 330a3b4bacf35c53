"""From a page to its picture: keys and facts in, one bit for each pixel out. No clock, no device, never an error."""

from __future__ import annotations

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
from .sheet import FOOT, HEIGHT, ONE_LINE, WIDTH, Box, Sheet, fit

TOP: Final = 24
"""How high the name on top is."""
MARGIN: Final = 14
"""Where words begin that have a button beside them."""
_LINE: Final = WIDTH - MARGIN - 4
"""How wide the lines of a list are."""


class Around(Struct, frozen=True):
    """What the box itself knows: its web address (capitals make a smaller code), how far idle has drifted, and what
    to call the buttons that it does not have."""

    address: str = ""
    drift: int = 0
    renamed: tuple[tuple[str, str], ...] = ()


NOWHERE: Final = Around()


def draw(page: Page, speaker: Speaker, around: Around = NOWHERE, over: AcceptedPage | None = None) -> Image.Image:
    """The picture of a page, 128×64, mode "1"; with `over`, what was just accepted takes the place of its foot."""
    sheet = Sheet(faces(), inverted=isinstance(page, RefusedPage), renamed=dict(around.renamed))
    _draw(sheet, page, speaker, around)
    if over is not None:
        _feet(sheet, speaker, over)
    return sheet.image


def has_foot(page: Page) -> bool:
    """Whether something accepted can be told at the foot of this page."""
    return isinstance(page, TurnPage | ChoosePage | NumberPage | ConfirmPage | CheckPage | EnrolPage)


def _draw(sheet: Sheet, page: Page, speaker: Speaker, around: Around) -> None:  # noqa: C901, PLR0912 - one case per page
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
    sheet.text(Box(2, 0, WIDTH - 4, 12), _label(speaker, "admit"), (12, 8))
    code = min(sheet.width(page.code, 24), 60)
    sheet.text(Box(2, 14, WIDTH - code - 12, 32), speaker.say(page.who, "oled"), (24, 16, 12, 8))
    sheet.frame(Box(WIDTH - code - 6, 15, code + 6, 30))
    sheet.text(Box(WIDTH - code - 3, 17, code, 26), page.code, (24, 16, 12, 8), align="middle")
    sheet.keys(("OK", _label(speaker, "hold-to-admit")), ("BACK", _label(speaker, "no-thanks")))


def _top(sheet: Sheet, words: str) -> None:
    """Who it is about. It stays while they choose, count and confirm: what stays is read once, and sent once."""
    sheet.text(Box(2, 0, WIDTH - 4, TOP), words, (24, 16, 12, 8))


def _turn(sheet: Sheet, speaker: Speaker, page: TurnPage) -> None:
    _top(sheet, speaker.say(page.who, "oled"))
    sheet.text(Box(2, TOP, WIDTH - 4, 24), speaker.say(page.what, "oled"), (16, 12, 8), high=True)
    sheet.foot(speaker.say(page.corner, "oled"), speaker.say(page.hint, "oled"))


def _choose(sheet: Sheet, speaker: Speaker, page: ChoosePage) -> None:
    """A short list below the one who chooses, a long one alone: only the mark moves while one walks down it."""
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
    sheet.foot(speaker.say(page.title, "oled"), _label(speaker, "next"))


def _mark(sheet: Sheet, y: int, high: int) -> None:
    """The button at the left of what it takes; an arrow where another key has its job and a longer name."""
    sheet.fill(Box(0, y, MARGIN - 2, high))
    name, middle = sheet.called("OK"), y + high // 2
    if sheet.width(name, 8) <= MARGIN - 2:
        sheet.text(Box(1, middle - 4, MARGIN - 3, 8), name, (8,), ink=sheet.paper)
    else:
        sheet.pen.polygon(((2, middle - 4), (6, middle), (2, middle + 4)), fill=sheet.paper)


def _number(sheet: Sheet, speaker: Speaker, page: NumberPage) -> None:
    """The number, and beside it what OK would do with it and what would come of that, or else how far it goes."""
    title, who = speaker.say(page.title, "oled"), speaker.say(page.who, "oled")
    _top(sheet, who or title)
    _mark(sheet, TOP, FOOT - TOP)
    words = str(page.at)
    room = min(sheet.width(words, 24), 60)
    sheet.text(Box(MARGIN, TOP, room, FOOT - TOP), words, (24, 16, 12, 8))
    left = MARGIN + room + 6
    between = _label(speaker, "range", low=page.low, high=page.high)
    lines = [title] if who else []
    lines += [speaker.say(said, "oled") for said in page.foreseen] or [between]
    _foresee(sheet, Box(left, TOP, WIDTH - left - 1, FOOT - TOP), lines)
    sheet.foot(speaker.say(page.corner, "oled"), _label(speaker, "next"))


def _foresee(sheet: Sheet, box: Box, lines: list[str]) -> None:
    """As many of the lines as there is room for; what matters most is told first."""
    while len(lines) > 1 and fit(sheet.faces, ", ".join(lines), box, (12, 8)).cut:
        lines = lines[:-1]
    sheet.text(box, ", ".join(lines), (12, 8))


def _confirm(sheet: Sheet, speaker: Speaker, page: ConfirmPage) -> None:
    foreseen = [speaker.say(said, "oled") for said in page.foreseen]
    said, who = speaker.say(page.said, "oled"), speaker.say(page.who, "oled")
    room = FOOT - TOP
    below = room // 2 if foreseen else 0
    has_room = not _is_cut(sheet, said, room - below) and not _is_cut(sheet, ", ".join(foreseen), below)
    if who and has_room:
        _top(sheet, who)
        sheet.text(Box(2, TOP, WIDTH - 4, room - below), said)
    else:
        below = 32 if _is_cut(sheet, ", ".join(foreseen), 16) else 16 if foreseen else 0
        sheet.text(Box(2, 0, WIDTH - 4, FOOT - below), said, (24, 16, 12, 8))
    if foreseen:
        _foresee(sheet, Box(2, FOOT - below, WIDTH - 4, below), foreseen)
    sheet.keys(("OK", _label(speaker, "yes")), ("BACK", _label(speaker, "no-thanks")))


def _is_cut(sheet: Sheet, words: str, height: int) -> bool:
    return fit(sheet.faces, words, Box(2, 0, WIDTH - 4, height), (12, 8)).cut


def _accepted(sheet: Sheet, speaker: Speaker, page: AcceptedPage) -> None:
    sheet.text(Box(2, 0, WIDTH - 4, FOOT), "; ".join(_told(speaker, page)), (24, 16, 12, 8))
    sheet.foot(_label(speaker, "accepted"), f"#{page.seq}", done=True)


def _feet(sheet: Sheet, speaker: Speaker, page: AcceptedPage) -> None:
    """What was accepted, in place of the foot: as much as one line holds, what matters most first.

    Where not even the first thing fits, the foot grows upwards.
    """
    lines = _told(speaker, page) or [_label(speaker, "accepted")]
    room = Box(17, 0, WIDTH - 19, 16)
    while len(lines) > 1 and fit(sheet.faces, "; ".join(lines), room, (12,)).cut:
        lines = lines[:-1]
    words, next_ = "; ".join(lines), _label(speaker, "next")
    if sheet.width(words, 12) + sheet.width(next_, 12) + 6 <= room.w:
        sheet.foot(words, next_, done=True)
    else:
        sheet.foot(words, done=True, deep=HEIGHT - 24 if fit(sheet.faces, words, room, (12, 8)).cut else 16)


def _told(speaker: Speaker, page: AcceptedPage) -> list[str]:
    return [words for said in page.lines if (words := speaker.say(said, "oled"))]


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
    left = _alarm(sheet) if page.is_problem else 2
    sheet.text(Box(left, 0, WIDTH - left - 1, FOOT), speaker.say(page.said, "oled"), (24, 16, 12, 8))
    sheet.foot(_label(speaker, "problem" if page.is_problem else "check"), f"{page.at}/{page.of}")


def _alarm(sheet: Sheet) -> int:
    """An exclamation mark at the left; gives where the words begin."""
    sheet.fill(Box(0, 0, 20, FOOT - 2))
    sheet.fill(Box(8, 5, 4, 24), sheet.paper)
    sheet.fill(Box(8, 35, 4, 5), sheet.paper)
    return 24


def _piece(sheet: Sheet, speaker: Speaker, page: PiecePage) -> None:
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
    sheet.foot(_label(speaker, "nothing-played"), "?")


def _enrol(sheet: Sheet, speaker: Speaker, page: EnrolPage) -> None:
    said, note = speaker.say(page.said, "oled"), speaker.say(page.note, "oled")
    count = f"{page.at}/{page.of}" if page.of else ""
    wide = min(sheet.width(count, 12), 48)
    sheet.text(Box(WIDTH - 2 - wide, 0, wide, 16), count, (12, 8), align="right")
    sheet.text(Box(2, 0, WIDTH - 8 - wide, 16), said if page.used else speaker.say(page.asks, "oled"), (12, 8))
    sheet.text(Box(2, 16, WIDTH - 4, 32), note if page.used else said, (24, 16, 12, 8))
    if page.used:
        sheet.keys(("OK", _label(speaker, "give-anyway")))
    else:
        sheet.foot(note or _label(speaker, "enrol-keys"))


def _trouble(sheet: Sheet, speaker: Speaker, page: TroublePage) -> None:
    left = _alarm(sheet)
    sheet.text(Box(left, 0, WIDTH - left - 1, FOOT), speaker.say(page.said, "oled"), (16, 12, 8))
    sheet.foot(_hands(speaker, page.said) or _label(speaker, "trouble"))


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
