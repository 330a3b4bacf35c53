"""From a page to its picture: keys and facts in, one bit per pixel out. No clock, no device, no errors."""

from __future__ import annotations

from typing import Final, assert_never

from msgspec import Struct
from PIL import Image

from companion.core import (
    AcceptedPage,
    AdmitPage,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    DuelPage,
    EnrolPage,
    GlancePage,
    IdlePage,
    JoinPage,
    NumberPage,
    Page,
    PiecePage,
    RefusedPage,
    SpellPage,
    StartingPage,
    StartingStep,
    StepPage,
    TroublePage,
    TurnPage,
    UnplugPage,
    WifiPage,
)
from companion.library import Speaker

from .asking import draw_choose, draw_confirm, draw_door, draw_set, draw_turn
from .code import as_typed, draw_code, draw_text_code
from .duel import draw_duel
from .faces import faces
from .sheet import HEIGHT, WIDTH, Box, Sheet
from .telling import (
    draw_accepted,
    draw_check,
    draw_feet,
    draw_glance,
    draw_piece,
    draw_refused,
    draw_step,
    draw_trouble,
)
from .wording import label


class Around(Struct, frozen=True):
    """What the box itself knows: its web address (capitals make a smaller code), how far the idle page has drifted,
    and the names for buttons that it doesn't have.
    """

    address: str = ""
    drift: int = 0
    renamed: tuple[tuple[str, str], ...] = ()


NOWHERE: Final = Around()


def draw(page: Page, speaker: Speaker, around: Around = NOWHERE, over: AcceptedPage | None = None) -> Image.Image:
    """The picture of a page, 128×64, mode "1"; with `over`, what was just accepted replaces its foot."""
    sheet = Sheet(faces(), inverted=isinstance(page, RefusedPage), renamed=dict(around.renamed))
    _draw(sheet, page, speaker, around)
    if over is not None:
        draw_feet(sheet, speaker, over)
    return sheet.image


def has_foot(page: Page) -> bool:
    """Whether an accepted act can be shown at the foot of this page."""
    return isinstance(page, TurnPage | ChoosePage | NumberPage | ConfirmPage | CheckPage | GlancePage | EnrolPage)


def _draw(sheet: Sheet, page: Page, speaker: Speaker, around: Around) -> None:  # noqa: C901, PLR0912, PLR0915 - one case per page
    match page:
        case StartingPage(step=step):
            _starting(sheet, speaker, step)
        case UnplugPage():
            _unplug(sheet, speaker)
        case JoinPage():
            _join(sheet, speaker, around)
        case WifiPage():
            _wifi(sheet, speaker, page)
        case AdmitPage():
            draw_door(sheet, speaker, page)
        case TurnPage():
            draw_turn(sheet, speaker, page)
        case ChoosePage():
            draw_choose(sheet, speaker, page)
        case NumberPage() | SpellPage():
            draw_set(sheet, speaker, page)
        case ConfirmPage():
            draw_confirm(sheet, speaker, page)
        case AcceptedPage():
            draw_accepted(sheet, speaker, page)
        case DuelPage():
            draw_duel(sheet, speaker, page)
        case RefusedPage():
            draw_refused(sheet, speaker, page)
        case CheckPage():
            draw_check(sheet, speaker, page)
        case GlancePage():
            draw_glance(sheet, speaker, page)
        case PiecePage():
            draw_piece(sheet, speaker, page)
        case EnrolPage():
            _enrol(sheet, speaker, page)
        case StepPage():
            draw_step(sheet, speaker, page)
        case TroublePage():
            draw_trouble(sheet, speaker, page)
        case IdlePage():
            _idle(sheet, speaker, page, around.drift)
        case _:
            assert_never(page)


def _starting(sheet: Sheet, speaker: Speaker, step: StartingStep) -> None:
    doing = label(speaker, "starting" if step == "program" else f"starting.{step}")
    _emblem(sheet, 6, 19)
    sheet.text(Box(36, 13, WIDTH - 38, 24), label(speaker, "title"), (12, 8))
    sheet.text(Box(36, 38, WIDTH - 38, 13), doing, (12, 8))


def _unplug(sheet: Sheet, speaker: Speaker) -> None:
    _emblem(sheet, 0, 3)
    sheet.text(Box(26, 0, WIDTH - 28, 28), label(speaker, "saved"), (24, 16, 12))
    sheet.text(Box(2, 28, WIDTH - 4, 36), label(speaker, "unplug"), (12, 8))


def _join(sheet: Sheet, speaker: Speaker, around: Around) -> None:
    left = draw_code(sheet, around.address) + 4
    room = WIDTH - left
    sheet.text(Box(left, 0, room, 24), label(speaker, "join"), (24, 16, 12, 8))
    if not around.address:
        sheet.text(Box(left, 25, room, 39), label(speaker, "no-address"), (16, 12, 8))
        return
    words = as_typed(sheet, around.address, room)
    sheet.text(Box(left, 24, room, 24), label(speaker, "scan-or-type" if words else "scan"), (12, 8))
    sheet.text(Box(left, 48, room, 16), words, (12, 8))


def _wifi(sheet: Sheet, speaker: Speaker, page: WifiPage) -> None:
    left = draw_text_code(sheet, page.code) + 4
    room = WIDTH - left
    sheet.text(Box(left, 0, room, 14), label(speaker, "wifi"), (12, 8))
    sheet.text(Box(left, 15, room, 20), page.name, (16, 12, 8))
    half = (len(page.password) + 1) // 2
    sheet.text(Box(left, 37, room, 27), f"{page.password[:half]} {page.password[half:]}", (12, 8))


def _enrol(sheet: Sheet, speaker: Speaker, page: EnrolPage) -> None:
    said, note = speaker.say(page.said, "oled"), speaker.say(page.note, "oled")
    count = f"{page.at}/{page.of}" if page.of else ""
    wide = min(sheet.width(count, 12), 48)
    sheet.text(Box(WIDTH - 2 - wide, 0, wide, 16), count, (12, 8), align="right")
    sheet.text(Box(2, 0, WIDTH - 8 - wide, 16), said if page.used else speaker.say(page.asks, "oled"), (12, 8))
    sheet.text(Box(2, 16, WIDTH - 4, 32), note if page.used else said, (24, 16, 12, 8))
    if page.used:
        sheet.keys(("OK", label(speaker, "give-anyway")))
    else:
        sheet.foot(note or label(speaker, "enrol-keys"))


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
    """A position between 0 and `room` that moves back and forth."""
    if room <= 0:
        return 0
    along = step % (2 * room)
    return along if along <= room else 2 * room - along
