"""Who may speak for which seat, and how a seat gets another phone, name or bot."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.core import REFEREE, TABLE, Asked, HandOver, Leave, LetBot, OpenGame, Refusal, Seat, SeatId, SitElsewhere

from .record import Asks, Chair, Position, own_rule
from .referee import Carried, Referee
from .seen import Joining
from .wishes import Answer, Done, No


def bars(at: Position, asker: SeatId, seat: SeatId, away: tuple[SeatId, ...] = ()) -> Refusal | None:
    """Why `asker` may not speak for `seat`; None if it may: for itself, as the referee, or for one of `away`."""
    is_there = 0 <= seat < len(at.chairs) or (seat == REFEREE and at.referee is not None)
    if is_there and (asker in (seat, REFEREE) or (asker >= 0 and seat in away)):
        return None
    return own_rule(3, "not-your-seat")


def chair(at: Position, seat: SeatId) -> Chair:
    """Who sits there; the referee's chair is beside the table."""
    if seat == REFEREE:
        return at.referee or Chair("")
    return at.chairs[seat]


def question(at: Asks, seat: SeatId) -> int:
    """The number of a seat's present question; for the referee, who is asked nothing, that of the newest one."""
    return at.asked[seat] if seat >= 0 else max(at.asked)


def who_rolls(at: Asks) -> SeatId | None:
    """The seat whose hands roll or draw for the table now; None if nobody in particular is named."""
    facts = at.decisions[-1].facts if at.decisions and at.decisions[-1].is_chance else ()
    return next((fact.id for _, fact in facts if isinstance(fact, Seat)), None)


def may_roll(at: Asks, asker: SeatId, away: tuple[SeatId, ...]) -> bool:
    """Whether a phone may type what the dice show: that of the seat that rolls, the referee's or, if the decision names
    nobody or somebody whose phone does not listen, any seat's."""
    if not at.decisions or not at.decisions[-1].is_chance or asker == TABLE:
        return False
    rolls = who_rolls(at)
    if asker in (rolls, REFEREE) or rolls is None:
        return True
    return rolls in away or not at.chairs[rolls].key


def claim(referee: Referee, queue: tuple[Joining, ...], asked: Asked, code: str, key: str) -> Answer:
    """The phone that shows `code` takes the seat it was admitted to."""
    joining = next((each for each in queue if each.code == code and each.admitted), None)
    if joining is None:
        return No(own_rule(8, "not-admitted"))
    return Done(referee.seat(joining.seat, Chair(joining.name, key), asked).seq)


def changed(
    referee: Referee, asked: Asked, wish: Leave | LetBot | SitElsewhere | HandOver, away: tuple[SeatId, ...]
) -> Answer:
    """Give up a seat, one's own or one that one speaks for, or hand it to a bot, a person elsewhere or another
    phone."""
    seat = asked.seat if isinstance(wish, HandOver) or wish.seat is None else wish.seat
    barred = bars(referee.at, asked.seat, seat, away if isinstance(wish, LetBot) else ())
    if barred:
        return No(barred)
    now = chair(referee.at, seat)
    match wish:
        case Leave():
            then = replace(now, key="")
        case LetBot(on=on):
            then = replace(now, bot=on)
        case SitElsewhere(on=on):
            then = replace(now, elsewhere=on)
        case HandOver(name=name, key=key):
            then = replace(now, name=name or now.name, key=key)
        case _:
            assert_never(wish)
    return Done(referee.seat(seat, then, asked).seq)


def given(referee: Referee, bots: tuple[SeatId, ...]) -> Answer:
    """Bots play for these seats from now on, people for all others; only changes are recorded."""
    for n, now in enumerate(referee.at.chairs):
        seat = SeatId(n)
        if now.bot != (seat in bots):
            referee.seat(seat, replace(now, bot=not now.bot), None)
    return Done(referee.at.seq)


def carried(at: Position, wish: OpenGame, asked: Asked | None) -> Carried:
    """Phones keep their seats in the new game, so that nobody has to join again. People who let a bot play take over
    again; a seat with a bot and no phone keeps its bot."""
    sat = wish.sat or tuple(SeatId(n) for n in range(len(wish.names)))
    kept: list[tuple[SeatId, Chair, Asked | None]] = []
    for n, (name, before) in enumerate(zip(wish.names, sat, strict=False)):
        was = at.chairs[before] if 0 <= before < len(at.chairs) else Chair(name)
        if was.key or was.bot:
            chair_now = replace(was, name=name, bot=was.bot and not was.key)
            kept.append((SeatId(n), chair_now, _asked_by(asked, before)))
    if at.referee is not None:
        kept.append((REFEREE, at.referee, _asked_by(asked, REFEREE)))
    return tuple(kept)


def _asked_by(asked: Asked | None, seat: SeatId) -> Asked | None:
    return asked if asked is not None and asked.seat == seat else None
