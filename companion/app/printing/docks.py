"""What lies before a seat: a dock with slots for its cards, the seat's own card, and the rules at hand."""

from __future__ import annotations

from typing import Final

from companion.core import Dock, RuleId, Seat, SeatId, Slot, say
from companion.library import SeatTag

from .etching import emblem
from .fronts import CODE_AT, tag_of
from .paper import H, W, frame
from .pen import BRASS, PALE, SOFT, STOP, Pen

_INSET: Final = 5.0
_LINES: Final = 4
"""What a seat's card explains: how cards are shown to a phone."""


def draw_dock(pen: Pen, x: float, y: float, dock: Dock) -> None:
    for slot in dock.slots:
        _slot(pen, x + slot.column * W, y + slot.row * H, slot)
    _middle(pen, x + W, y + H, dock)


def _slot(pen: Pen, x: float, y: float, slot: Slot) -> None:
    """Its code lies exactly where the card's will be."""
    pen.stroke(0.25, SOFT, (1.6, 1.2))
    pen.rect(x + 1, y + 1, W - 2, H - 2, round_by=2)
    left = x + _INSET
    if slot.icon is not None:
        pen.icon(slot.icon, left, y + 4.6, 5.2)
        pen.icon(slot.icon, x + W / 2 - 11, y + 30, 22, PALE, 0.9)
        left += 6.4
    pen.small_capitals(left, y + 8.6, x + CODE_AT[0] - left - 1, pen.speaker.say(slot.name), 3.8)
    if slot.text is not None:
        text = [pen.speaker.say(slot.text)]
        pen.block((x + _INSET, y + 64, W - 2 * _INSET, 9), text, largest=3.1, align="middle", ink=SOFT)
    if slot.token is not None:
        thing = tag_of(pen.codes.game, slot.token)
        pen.code(x + CODE_AT[0], y + CODE_AT[1], thing)
        pen.short(x + CODE_AT[0] - 0.4, y + 15.4, thing)
        said = pen.speaker.key("print.slot-empty")
        pen.one_line(x + W / 2, y + H - 6, W - 2 * _INSET, said, "italic", largest=2.5, align="middle", ink=SOFT)


def _middle(pen: Pen, x: float, y: float, dock: Dock) -> None:
    """Whose dock it is, the track of its counter, and what that means."""
    frame(pen, x, y)
    _seat_head(pen, x, y, dock.seat)
    pen.small_capitals(x + _INSET, y + 28, W - 2 * _INSET, pen.speaker.say(dock.about), 3.6)
    each = (W - 2 * _INSET) / len(dock.track)
    for at, stop in enumerate(dock.track):
        is_last = at == len(dock.track) - 1
        pen.stroke(0.5 if is_last else 0.25, STOP if is_last else (31, 27, 22))
        pen.rect(x + _INSET + at * each, y + 30, each, 21)
        pen.text(
            x + _INSET + (at + 0.5) * each, y + 42.5, stop, 5.5, "code", align="middle", ink=STOP if is_last else SOFT
        )
    text = [pen.speaker.say(said) for said in dock.text]
    pen.block((x + _INSET, y + 53, W - 2 * _INSET, H - 53 - 5), text, largest=3.1)


def _seat_head(pen: Pen, x: float, y: float, seat: SeatId) -> None:
    thing = SeatTag(seat)
    emblem(pen, x + _INSET + 7, y + 12, 6, seat, str(seat + 1))
    pen.code(x + CODE_AT[0], y + CODE_AT[1], thing)
    pen.short(x + CODE_AT[0] - 0.4, y + 15.4, thing)
    pen.line(x + 3.4, y + 22.5, x + W - 3.4, y + 22.5, 0.6, BRASS)


def draw_seat_card(pen: Pen, x: float, y: float, seat: SeatId) -> None:
    """The seat's code, a line for a name, and how to show cards."""
    frame(pen, x, y)
    _seat_head(pen, x, y, seat)
    who = pen.speaker.say(say("choice", item=Seat(seat)))
    pen.small_capitals(x + 20, y + 8.2, CODE_AT[0] - 21, who, 3.4)
    pen.line(x + 20, y + 17, x + CODE_AT[0] - 7, y + 17, 0.15, SOFT)
    below = y + 24
    pen.small_capitals(x + _INSET, below + 4.4, W - 2 * _INSET, pen.speaker.key("print.seat.title"), 3.8)
    lines = [pen.speaker.key(f"print.seat.{line}") for line in range(1, _LINES + 1)]
    pen.block((x + _INSET, below + 7, W - 2 * _INSET, H - 24 - 7 - 5), lines, largest=3.0)


def draw_reference(pen: Pen, x: float, y: float, rules: tuple[RuleId, ...]) -> None:
    """Two cards wide, to be folded in the middle: the rules in our own words, as on phones."""
    frame(pen, x, y, 2 * W)
    pen.small_capitals(x + _INSET, y + 9, W - 8, pen.speaker.key("print.reference"), 4.4)
    pen.line(x + 3.4, y + 11.4, x + 2 * W - 3.4, y + 11.4, 0.6, BRASS)
    half = -(-len(rules) // 2)
    told = [f"{rule} {pen.speaker.key(f'rule.{rule}')}" for rule in rules]
    room = W - _INSET - 3, H - 11.4 - 6
    columns = told[:half], told[half:]
    size = min(pen.faces.fit(column, "plain", room, 2.7, 1.7).size for column in columns if column)
    for at, column in enumerate(columns):
        pen.block((x + _INSET + at * (W - 2), y + 12.4, *room), column, largest=size, smallest=1.7)
    pen.stroke(0.15, SOFT, (1, 1))
    pen.pdf.line(x + W, y, x + W, y + 2.2)
    pen.pdf.line(x + W, y + H - 2.2, x + W, y + H)
