"""What has been pointed at on the box, and where that leads. Pure."""

from __future__ import annotations

from typing import Any, ClassVar, Self, TypeVar, assert_never

from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    TABLE,
    Blocked,
    End,
    HowMany,
    Idle,
    Intent,
    Mode,
    More,
    Ready,
    SeatId,
    Token,
    Verb,
    is_correction,
    legal,
    mentions_it,
    select,
    standing_now,
)
from companion.table import Snapshot

from .dialog import Dialog


class Pointing(Dialog, frozen=True):
    """What has been pointed at, and the row that is marked.

    For a number, `at` counts from where it begins, and `down` is whether NEXT makes it less.
    """

    tokens: tuple[Token, ...] = ()
    at: int = 0
    down: bool = False
    among: tuple[Intent, ...] = ()
    """If moved pieces started it: what they may mean, and nothing else is possible."""

    corrects: ClassVar[bool] = False
    """Whether this sets facts right rather than playing the game."""
    appeals: ClassVar[bool] = False
    """Whether it picks what should stand against a rule: then all that hands can do is possible, as for a scribe."""

    def pointing_at(self, token: Token) -> Self:
        return replace(self, tokens=(*self.tokens, token), at=0, down=False)


P = TypeVar("P", bound=Pointing)


def mode_of(scene: Snapshot, now: Pointing) -> Mode:
    """How this is refereed."""
    return "scribe" if now.appeals else scene.mode


def ending(scene: Snapshot, now: Pointing) -> End:
    """Where the box's selection stands. A number that the seat can do nothing with may be its die."""
    return _reached(scene, now)[1]


def _reached(scene: Snapshot, now: Pointing) -> tuple[tuple[SeatId, ...], End]:
    """Whose selection it may be, and where it stands."""
    actors = (TABLE,) if now.corrects else _actors(scene, now)
    end = _selected(scene, now, actors)
    if now.corrects or not isinstance(end, Idle | Blocked):
        return actors, end
    if any(t.kind == "number" for t in now.tokens):
        rolled = _selected(scene, now, (TABLE,))
        if isinstance(rolled, Ready):
            return (TABLE,), rolled
    if mode_of(scene, now) == "scribe" and not any(token.kind == "actor" for token in now.tokens):
        return _by_another(scene, now, actors, end)
    return actors, end


def _by_another(scene: Snapshot, now: Pointing, actors: tuple[SeatId, ...], end: End) -> tuple[tuple[SeatId, ...], End]:
    """The same, acted by somebody who is not awaited: a scribe accepts anyone."""
    others = tuple(SeatId(seat) for seat in range(len(scene.chairs)) if seat not in actors)
    by_others = _selected(scene, now, others)
    return (actors, end) if isinstance(by_others, Idle | Blocked) else (others, by_others)


def _selected(scene: Snapshot, now: Pointing, actors: tuple[SeatId, ...]) -> End:
    game, known, advise = scene.game, scene.known(PUBLIC), mode_of(scene, now) != "strict"
    verbs: tuple[Verb[Any, Any], ...] = game.corrections if now.corrects else game.verbs
    view, among = scene.view(PUBLIC), now.among
    return select(game, scene.state, view, actors, now.tokens, known=known, verbs=verbs, advise=advise, among=among)


def _actors(scene: Snapshot, now: Pointing) -> tuple[SeatId, ...]:
    """Who may have tapped: whoever said so; else the awaited seats, and a seat that was pointed at and may act too."""
    if who := [SeatId(int(token.value)) for token in now.tokens if token.kind == "actor"]:
        return tuple(who[:1])
    tagged = [SeatId(int(token.value)) for token in now.tokens if token.kind == "seat"][:1]
    may_act = [seat for seat in tagged if seat not in scene.awaited and legal(scene.game, scene.view(PUBLIC), seat)]
    return (*scene.awaited, *may_act)


def pointed(scene: Snapshot, now: P, token: Token) -> tuple[P, End]:
    """A row was chosen. A seat now known to act cannot be the one that the act is about."""
    whom = Token("seat", token.value) if token.kind == "actor" else None
    after = replace(now, tokens=(*(t for t in now.tokens if t != whom), token), at=0, down=False)
    return after, ending(scene, after)


def number_at(scene: Snapshot, now: Pointing, end: HowMany) -> int:
    """The number that the box shows. One being set right starts at its present value, any other at its lowest."""
    return end.low + (_begins(scene, end) - end.low + now.at) % (end.high - end.low + 1)


def number_now(scene: Snapshot, end: HowMany) -> int | None:
    """The present value of a number being set right; None if there is none yet."""
    now = standing_now(scene.game, scene.view(PUBLIC), end.intent)
    return now if isinstance(now, int) and end.low <= now <= end.high else None


def _begins(scene: Snapshot, end: HowMany) -> int:
    if not is_correction(scene.game, end.intent):
        return end.low
    now = number_now(scene, end)
    return min(max(0, end.low), end.high) if now is None else now


def row_of(scene: Snapshot, now: Pointing, token: Token) -> int:
    """The row of an open list that takes this token; the first if none does."""
    match ending(scene, now):
        case More(choices=choices):
            return next((at for at, choice in enumerate(choices) if choice.token == token), 0)
        case HowMany() as end if token.kind == "number":
            return (int(token.value) - number_at(scene, now, end)) % (end.high - end.low + 1)
        case _:
            return 0


def meant_by(scene: Snapshot, now: Pointing, end: End) -> SeatId | None:
    """Who would do what has been pointed at so far; None while that is open, or if it is nobody's."""
    match end:
        case Ready(intent=intent) | HowMany(intent=intent):
            return None if intent.actor == TABLE else intent.actor
        case More():
            actors = _reached(scene, now)[0]
            able = [seat for seat in actors if len(actors) == 1 or _can_mean(scene, now, seat)]
            return able[0] if len(able) == 1 and able[0] != TABLE else None
        case Idle() | Blocked():
            return None
        case _:
            assert_never(end)


def _can_mean(scene: Snapshot, now: Pointing, seat: SeatId) -> bool:
    return not isinstance(pointed(scene, now, Token("actor", seat))[1], Idle | Blocked)


def who_or_whom(scene: Snapshot, now: Pointing, token: Token) -> Token:
    """While several are awaited, the first seat tag says who means it, and so does one's own tag if nothing is about
    that seat; any other says whom an intent is about."""
    is_first = not any(t.kind == "actor" for t in now.tokens) and not now.corrects
    if token.kind != "seat" or not is_first:
        return token
    seat = SeatId(int(token.value))
    may_say_who = seat in scene.awaited or mode_of(scene, now) == "scribe"
    is_who = len(scene.awaited) > 1 or (may_say_who and not _is_about(scene, seat))
    return Token("actor", seat) if is_who else token


def _is_about(scene: Snapshot, seat: SeatId) -> bool:
    """Whether anything the awaited seats may do is about this seat."""
    view, token = scene.view(PUBLIC), Token("seat", seat)
    return any(mentions_it(intent, token) for who in scene.awaited for intent in legal(scene.game, view, who))
