"""Photos of printed codes, as phones take them: a card on the table, turned, a little askew, blurred and noisy."""

from __future__ import annotations

import html
import io
import re
from random import Random
from typing import Final

import msgspec
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.app.printing.matrix import SIDE, NoMatrix, runs
from companion.box.hands import tag_of
from companion.core import CompanionError, Intent, SeatId, known_pieces, mentions
from companion.library import Digits, codes_of
from companion.table import Snapshot, things_of

from .phones import Answer

SIZE: Final = (800, 600)
MODULE: Final = 12
"""Pixels of one module; a code has ten by ten."""
TABLE, PAPER = 140, 245
UNREAD: Final = b'id="show-again"'
"""Only a sheet that asks for another photo has this."""
_OFFERED: Final = re.compile(r"data-wish='([^']*)'")


def codes_for(now: Snapshot, seat: SeatId, intent: Intent) -> list[Digits]:
    """The codes of what an act is about, as they are printed; who shows a card has seen it."""
    codes, found, known = codes_of(things_of(now)), [], known_pieces(now.game, now.view(seat))
    for token in mentions(intent)[1:]:
        if token.kind == "piece" and token.value not in known:
            continue
        try:
            found.append(codes.number(tag_of(now.game.id, token)))
        except LookupError:
            continue
    return found


def photo_of(digits: Digits, dice: Random) -> bytes | None:
    """A JPEG of it; None where what draws codes is not installed."""
    try:
        dark = runs(digits)
    except NoMatrix:
        return None
    card = Image.new("L", (2 * SIDE * MODULE, 2 * SIDE * MODULE), PAPER)
    pen, edge = ImageDraw.Draw(card), SIDE * MODULE // 2
    for x, y, wide, high in dark:
        left, top = edge + x * MODULE, edge + y * MODULE
        pen.rectangle((left, top, left + wide * MODULE - 1, top + high * MODULE - 1), fill=25)
    askew = (1.0, dice.uniform(-0.12, 0.12), 0.0, dice.uniform(-0.12, 0.12), 1.0, 0.0)
    card = card.transform(card.size, Image.Transform.AFFINE, askew, Image.Resampling.BICUBIC, fillcolor=PAPER)
    card = card.rotate(dice.uniform(-180, 180), Image.Resampling.BICUBIC, expand=True, fillcolor=TABLE)
    picture = Image.new("L", SIZE, TABLE)
    picture.paste(card, tuple(dice.randrange(max(1, a - b)) for a, b in zip(SIZE, card.size, strict=True)))  # type: ignore[arg-type]
    picture = picture.filter(ImageFilter.GaussianBlur(dice.uniform(0.3, 1.4)))
    picture = ImageChops.add(picture, Image.effect_noise(SIZE, dice.uniform(2, 10)), 1, -128)
    whole = io.BytesIO()
    picture.save(whole, "JPEG", quality=dice.randrange(65, 92))
    return whole.getvalue()


class UnreadPhoto(CompanionError, ConnectionError):
    """A photo was answered as none may be."""


def is_read(answer: Answer) -> bool:
    """Whether the box has made out what is on a photo; it may be busy, or want another one."""
    if answer.status >= 500 and answer.status != 503:
        raise UnreadPhoto(f"a photo was answered with {answer.status}")
    return answer.status == 200 and UNREAD not in answer.data


def is_offered(sheet: bytes, intent: Intent) -> bool:
    """Whether the sheet that comes of a photo lets somebody do this."""
    wanted = msgspec.to_builtins(intent)
    offered = (msgspec.json.decode(html.unescape(each)) for each in _OFFERED.findall(sheet.decode()))
    return any(each.get("intent") == wanted for each in offered)
