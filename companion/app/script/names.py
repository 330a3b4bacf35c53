"""Seats, pieces, places and intents as people write them in a script, both ways."""

from __future__ import annotations

from typing import Any, assert_never

from msgspec import Struct

from companion.box.hands import Move, Tap
from companion.core import (
    TABLE,
    Game,
    Intent,
    PieceId,
    PlaceId,
    Pressed,
    SeatId,
    Setup,
    Token,
    TokenKind,
    Turned,
    Verb,
    argument_kinds,
    mentions,
    verb_name,
)

from .words import Unreadable, quoted, unknown


class Named(Struct, frozen=True):
    """The names of one table."""

    game: Game[Any, Any]
    setup: Setup[Any]
    seats: tuple[str, ...]

    def seat(self, word: str) -> SeatId:
        for at, name in enumerate(self.seats):
            if name.casefold() == word.casefold():
                return SeatId(at)
        raise unknown("seat", word, self.seats)

    def actor(self, word: str) -> SeatId:
        return TABLE if word == "table" else self.seat(word)

    def seat_name(self, seat: int) -> str:
        return quoted(self.seats[seat]) if 0 <= seat < len(self.seats) else "table"

    def piece(self, word: str) -> PieceId:
        pieces = self.game.pieces(self.setup.pack)
        if word in pieces:
            return PieceId(word)
        raise unknown("piece", word, pieces)

    def place(self, word: str) -> PlaceId:
        """`hand/Ben` is the place `hand/1`."""
        parts = (str(self.seat(part)) if self._is_seat(part) else part for part in word.split("/"))
        return PlaceId("/".join(parts))

    def tagged_place(self, word: str) -> PlaceId:
        place, tagged = self.place(word), self.game.places(self.setup.pack)
        if place not in tagged:
            raise unknown("place with a tag", word, tuple(map(self.place_name, tagged)))
        return place

    def place_name(self, place: str) -> str:
        head, *rest = place.split("/")
        shown = (self.seats[int(p)] if p.isdecimal() and int(p) < len(self.seats) else p for p in rest)
        return quoted("/".join((head, *shown)))

    def _is_seat(self, word: str) -> bool:
        return any(name.casefold() == word.casefold() for name in self.seats)

    def intent(self, actor: SeatId, words: tuple[str, ...]) -> Intent:
        """`play make-3a` or `set-total seat=Ben number=12`: a verb and its arguments, by name or in order."""
        if not words:
            raise Unreadable("a verb is missing; say what is done, such as: play make-3a")
        verb = self._verb(words[0])
        kinds = argument_kinds(verb.intent)
        given: dict[str, Any] = {}
        for word in words[1:]:
            name, value = self._argument(word, tuple(n for n, _ in kinds if n not in given), verb)
            given[name] = self._value(dict(kinds)[name], value)
        missing = [name for name, _ in kinds if name not in given]
        if missing:
            raise Unreadable(f"{verb.name} wants {_told(kinds)}; {missing[0]!r} is missing")
        intent: Intent = verb.intent(actor, **given)
        return intent

    def _argument(self, word: str, left: tuple[str, ...], verb: Verb[Any, Any]) -> tuple[str, str]:
        name, is_named, value = word.partition("=")
        if is_named:
            if name not in left:
                raise unknown(f"argument of {verb.name}", name, left)
            return name, value
        if not left:
            raise Unreadable(f"{word!r} is one word too many; {verb.name} wants {_told(argument_kinds(verb.intent))}")
        return left[0], word

    def _verb(self, word: str) -> Verb[Any, Any]:
        verbs = {verb.name: verb for verb in (*self.game.verbs, *self.game.corrections)}
        if word not in verbs:
            raise unknown("verb", word, verbs)
        return verbs[word]

    def _value(self, kind: TokenKind, word: str) -> Any:
        match kind:
            case "piece":
                return self.piece(word)
            case "place":
                return self.place(word)
            case "seat" | "actor":
                return self.seat(word)
            case "number":
                return number(word)
            case "verb" | "text":
                return word
            case _:
                assert_never(kind)

    def line_of(self, intent: Intent) -> str:
        """An intent as `phone … does` takes it."""
        kinds = argument_kinds(type(intent))
        values = (self._shown(kind, getattr(intent, name)) for name, kind in kinds)
        return " ".join((verb_name(type(intent)), *values))

    def outcome_of(self, intent: Intent) -> str:
        """An outcome of chance as a line of its own."""
        match tuple(kind for _, kind in argument_kinds(type(intent))):
            case ("piece",):
                return f"draw {mentions(intent)[-1].value}"
            case ("number",):
                return f"roll {mentions(intent)[-1].value}"
            case _:
                return f"table does {self.line_of(intent)}"

    def line_of_move(self, move: Move) -> str:
        """What hands do, as a line."""
        match move:
            case Tap(token=Token(kind="seat", value=value)):
                return f"tap seat {self.seat_name(int(value))}"
            case Tap(token=Token(kind="number", value=value)):
                return f"tap number {value}"
            case Tap(token=Token(kind="place", value=value)):
                return f"tap place {self.place_name(str(value))}"
            case Tap(token=token):
                return f"tap {token.value}"
            case Pressed(button=button, held=held):
                return f"{'hold' if held else 'press'} {button}"
            case Turned(steps=steps):
                return f"turn {steps}"
            case _:
                assert_never(move)

    def _shown(self, kind: TokenKind, value: Any) -> str:
        match kind:
            case "seat":
                return self.seat_name(value)
            case "place":
                return self.place_name(value)
            case _:
                return quoted(str(value))


def number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise Unreadable(f"{word!r} is not a whole number") from None


def _told(kinds: tuple[tuple[str, TokenKind], ...]) -> str:
    return " and ".join(f"{name} (a {kind})" for name, kind in kinds) or "nothing more"
