"""What happens to cables, readers and tags."""

from __future__ import annotations

from typing import Final

from companion.app.prove.evening import Evening
from companion.app.prove.orders import Lay, Lift, Line, Lose, Press, Suffer
from companion.library import PieceTag, pretend_uid, shelf

from .registry import fault

_WELL = "the box names no trouble any more"
_AMISS: Final = frozenset(
    f"trouble.{what}" for what in ("cable", "reader-lost", "unreadable", "greeting", "flood", "changing", "two-readers")
)


def _is_well(evening: Evening) -> bool:
    return not _AMISS.intersection(evening.box.look().troubles)


def _well(evening: Evening) -> None:
    evening.until(lambda: _is_well(evening), _WELL)


def _tap(evening: Evening, uid: str) -> None:
    """Hold a tag to a reader, and take it away."""
    box = evening.box
    box.order(Lay(uid, evening.dice.choice(box.look().readers)))
    box.order(Lift(uid))


def _piece(evening: Evening) -> str:
    game = evening.kit.game
    return pretend_uid(PieceTag(game.id, evening.dice.choice(game.pieces(evening.kit.pack))))


@fault("cable-pulled", "the cable of the readers is pulled, somebody plays on, and it is put back", _WELL)
def _cable_pulled(evening: Evening) -> None:
    evening.box.order(Suffer("cable", on=True))
    evening.act()
    evening.box.order(Suffer("cable", on=False))
    _well(evening)


@fault("pico-reset", "the Pico loses its power for a moment", _WELL)
def _pico_reset(evening: Evening) -> None:
    evening.box.order(Suffer("cable", on=True))
    evening.box.order(Suffer("cable", on=False))
    _well(evening)


@fault("frame-cut", "the cable goes in the middle of a frame", _WELL)
def _frame_cut(evening: Evening) -> None:
    evening.box.order(Line("torn", evening.dice.randrange(1, 30)))
    _tap(evening, _piece(evening))
    evening.box.order(Suffer("cable", on=True))
    evening.box.order(Suffer("cable", on=False))
    _well(evening)


@fault("frames-damaged", "bytes are flipped, dropped and invented while cards are tapped", _WELL)
def _frames_damaged(evening: Evening) -> None:
    evening.box.order(Suffer("noise", on=True))
    _tap(evening, _piece(evening))
    evening.act()
    evening.box.order(Suffer("noise", on=False))
    _well(evening)


@fault("frames-doubled", "frames are lost, doubled, and overtake each other", _WELL)
def _frames_doubled(evening: Evening) -> None:
    evening.box.order(Line("bad", evening.plan.seed))
    _tap(evening, _piece(evening))
    evening.act()
    evening.box.order(Line("good"))
    _well(evening)


@fault("frames-delayed", "nothing comes through for a while, then all at once", _WELL)
def _frames_delayed(evening: Evening) -> None:
    evening.box.order(Line("stalled"))
    _tap(evening, _piece(evening))
    evening.act()
    evening.box.order(Line("good"))
    _well(evening)


@fault("tag-flickers", "tags answer badly while one lies on a reader", _WELL)
def _tag_flickers(evening: Evening) -> None:
    uid = _piece(evening)
    evening.box.order(Suffer("flicker", on=True))
    evening.box.order(Lay(uid, evening.dice.choice(evening.box.look().readers)))
    evening.act()
    evening.box.order(Lift(uid))
    evening.box.order(Suffer("flicker", on=False))
    _well(evening)


@fault("reader-browns-out", "a reader fails, and works again", _WELL)
def _reader_browns_out(evening: Evening) -> None:
    reader = evening.dice.choice(evening.box.look().readers)
    evening.box.order(Lose(reader, on=True))
    evening.act()
    evening.box.order(Lose(reader, on=False))
    _well(evening)


@fault("display-dead", "the display does not answer, and does again", "the game goes on all along")
def _display_dead(evening: Evening) -> None:
    evening.box.order(Suffer("display", on=True))
    evening.act()
    evening.box.order(Suffer("display", on=False))


@fault("unknown-tag", "a tag is tapped that nobody has given to anything", "the box has said so, and goes on")
def _unknown_tag(evening: Evening) -> None:
    _tap(evening, f"04{evening.dice.getrandbits(48):012X}")
    evening.box.order(Press("back"))


@fault("two-cards-at-once", "two cards lie on one reader", "both are lifted, and the game goes on")
def _two_cards(evening: Evening) -> None:
    reader = evening.dice.choice(evening.box.look().readers)
    both = [_piece(evening) for _ in range(2)]
    for uid in both:
        evening.box.order(Lay(uid, reader))
    for uid in both:
        evening.box.order(Lift(uid))
    evening.box.order(Press("back"))


@fault("card-of-another-game", "a card of another game is tapped", "the box has said so, and goes on")
def _other_game(evening: Evening) -> None:
    other = shelf.open(evening.dice.choice([name for name in shelf.games() if name != evening.plan.game]))
    pieces = other.pieces(shelf.pack(other))
    _tap(evening, pretend_uid(PieceTag(other.id, evening.dice.choice(pieces))))
    evening.box.order(Press("back"))
