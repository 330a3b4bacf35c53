"""What phones and bots wish for: each wish names the question it answers, and a repeated one is done once."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import msgspec

from companion.core.ids import REFEREE, TABLE, SeatId
from companion.core.inputs import (
    Act,
    Asked,
    BotChose,
    Claim,
    Enrol,
    HandOver,
    Join,
    Lead,
    Leave,
    LetBot,
    OpenGame,
    Skip,
    TakeBack,
)
from companion.core.judge import is_correction, legal, verb_of
from companion.core.rules import Intent
from companion.core.secrets import mask
from companion.journal import WasRefused

from . import door, record, sitting
from .answers import Answer, Done, No
from .record import own_rule
from .snapshot import Joining

if TYPE_CHECKING:
    from .desk import Desk


def answer(desk: Desk, asked: Asked) -> Answer:
    """What becomes of a wish; one that was answered before is answered again and not done again.

    A command is one wish of one seat: under the same id nobody gets the answer to another.
    """
    repeated = desk.referee.answered(asked.command)
    before = desk.heeded if repeated is None else repeated.cause
    if isinstance(before, Asked) and before.command == asked.command:
        if _meant(before) != _meant(asked):
            return No(own_rule(12, "command-reused"))
        if repeated is not None and isinstance(repeated.body, WasRefused):
            return No(repeated.body.refusal)
        return Done(desk.referee.at.seq if repeated is None else repeated.seq, again=True)
    if asked.table not in ("", desk.referee.table):
        return No(own_rule(1, "stale"))
    return _wished(desk, asked)


def _meant(asked: Asked) -> bytes:
    """Who wishes what. Only the question may differ: it is read from the page anew when a command is sent again."""
    return msgspec.json.format(msgspec.json.encode((asked.seat, asked.wish)), indent=-1)


def _wished(desk: Desk, asked: Asked) -> Answer:
    wish = asked.wish
    match wish:
        case Join():
            return _join(desk, asked, wish)
        case Claim(code=code, key=key):
            return _claim(desk, asked, code, key)
        case Leave() | LetBot() | HandOver():
            return sitting.changed(desk.referee, asked, wish, desk.away)
        case Skip(seat=seat):
            return _skip(desk, asked, seat)
        case OpenGame():
            return _open_game(desk, asked, wish)
        case Enrol() | Lead():
            return _heeded(desk, asked, wish)
        case Act(intent=raw):
            return _phone_acts(desk, asked, raw)
        case TakeBack(to=to):
            return desk.go_back(to, asked, asked.seat, on_box=False, as_referee=asked.seat == REFEREE)
        case _:
            assert_never(wish)


def _join(desk: Desk, asked: Asked, wish: Join) -> Answer:
    """One more at the door; whoever came before keeps the place."""
    who = Joining(wish.seat, wish.name, wish.code, command=asked.command)
    queue = door.asked(desk.joining, who, wish.instead)
    if queue is None:
        return No(own_rule(8, "door-full"))
    desk.joining, desk.signal = queue, "turn"
    return Done(desk.referee.at.seq)


def _claim(desk: Desk, asked: Asked, code: str, key: str) -> Answer:
    answer = sitting.claim(desk.referee, desk.joining, asked, code, key)
    if isinstance(answer, Done):
        desk.joining = door.without(desk.joining, (code,))
    return answer


def _skip(desk: Desk, asked: Asked, seat: SeatId) -> Answer:
    """The game's own bot answers once for a seat; it reads that seat's view, like every bot."""
    game, at = desk.referee.game, desk.referee.at
    barred = sitting.bars(at, asked.seat, seat, desk.away)
    if barred:
        return No(barred)
    if seat == REFEREE or not at.decisions or seat not in at.decisions[-1].seats:
        return No(own_rule(4, "nothing-to-do"))
    view = mask(at.state, seat)
    return desk.act(game.bot(view, seat, legal(game, view, seat), at.seq), asked, on_box=False)


def _open_game(desk: Desk, asked: Asked, wish: OpenGame) -> Answer:
    """Begin the next game; phones keep their seats, so that nobody has to join again."""
    at = desk.referee.at
    if desk.opens is None or (at.result is None and asked.seat != REFEREE):
        return No(own_rule(10, "game-not-over"))
    return desk.begin(wish, asked)


def bot_chose(desk: Desk, given: BotChose) -> Answer:
    """A bot's answer counts like a phone's, as long as the seat is still the bot's and the question open."""
    referee = desk.referee
    if not referee.at.chairs[given.seat].bot:
        return No(own_rule(3, "not-your-seat"))
    if given.asked != referee.at.asked[given.seat]:
        return No(own_rule(1, "stale"))
    return desk.act(record.intent(referee.game, given.intent), given, on_box=False)


def _heeded(desk: Desk, asked: Asked, wish: Enrol | Lead) -> Answer:
    """What leaves no entry by which a repeated command could be known."""
    if isinstance(wish, Lead):
        answer = desk.lead(wish)
    else:
        barred = desk.enrol(wish)
        answer = No(barred) if barred else Done(desk.referee.at.seq)
    if isinstance(answer, Done):
        desk.heeded = asked
    return answer


def _phone_acts(desk: Desk, asked: Asked, raw: msgspec.Raw) -> Answer:
    referee = desk.referee
    try:
        intent = record.intent(referee.game, raw)
    except msgspec.MsgspecError:
        return No(own_rule(5, "unreadable"))
    if asked.asked != sitting.question(referee.at, asked.seat):
        return No(own_rule(1, "stale"))
    if intent.actor != asked.seat and not _speaks_for_table(desk, asked, intent):
        return No(own_rule(3, "not-your-seat"))
    return desk.act(intent, asked, on_box=False)


def _speaks_for_table(desk: Desk, asked: Asked, intent: Intent) -> bool:
    """Whether a phone may say this for the table: the referee a correction, who rolls what the dice show."""
    if intent.actor != TABLE:
        return False
    if is_correction(desk.referee.game, intent):
        return asked.seat == REFEREE
    is_typed = verb_of(desk.referee.game, intent).is_typed
    return is_typed and sitting.may_roll(desk.referee.at, asked.seat, desk.away)
