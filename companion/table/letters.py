"""What each letter in the table's inbox does: inputs become wishes, news is noted, failures are named."""

from __future__ import annotations

import logging
from typing import TypeAlias, assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    REFEREE,
    TABLE,
    Act,
    Asked,
    BotChose,
    Draw,
    Enrol,
    Found,
    Hubs,
    Input,
    Lead,
    LetStand,
    Lifted,
    LinkOutcome,
    Name,
    PhoneWish,
    PieceId,
    PiecePage,
    PlaceId,
    Pressed,
    ReaderBack,
    ReaderLost,
    Ready,
    Said,
    SeatId,
    SetClock,
    Stick,
    TakeBack,
    Tapped,
    Token,
    TroublePage,
    Turned,
    Uid,
    mentions_it,
    reader_called,
    say,
    select,
)
from companion.journal import JournalError, WasRefused
from companion.library import PieceTag, PlaceTag, enrolment, points_at

from . import reading, record, sitting
from .desk import Desk
from .granting import grant, keep, write_link
from .overtime import Late, ran_out
from .ports import Clubs
from .publishing import name_failure
from .record import own_rule
from .snapshot import Snapshot, things_of
from .wishes import Answer, Appeal, By, Do, Done, GoBack, No, Wish

log = logging.getLogger(__name__)


def handle(desk: Desk, given: Input | News) -> Answer | None:
    """The answer to one letter. Whatever it does, the next one can be handled. Publishes nothing."""
    desk.signal = "quiet"
    if isinstance(given, Tapped | Lifted | Pressed | Turned):
        desk.flash = None
    before = desk.snapshot
    try:
        reply = _resumed(desk, given) if desk.paused else _taken(desk, given)
        _followed(desk, before, given)
        desk.paused = None
    except JournalError as error:
        if desk.paused is None:
            log.error("paused: %s", error)
        desk.paused = error.said
        desk.show(TroublePage(error.said), "trouble")
        reply = No(own_rule(2, "paused"))
    except Exception as error:  # noqa: BLE001 - whatever one input does, the next one must be handled
        name_failure(f"an input ({type(given).__name__}) could not be handled", error)
        desk.box.rest()
        desk.show(TroublePage(say("trouble.inside")), "trouble")
        reply = No(own_rule(9, "inside"))
    return reply


def _resumed(desk: Desk, given: Input | News) -> Answer | None:
    """Go on after a pause, if the disk lets us. What turns out to be recorded is shown rather than done again."""
    before = len(desk.referee.history)
    late = desk.referee.catch_up()
    desk.let_chance_play()  # the pause may have come between an act and the card drawn for it
    if not late:
        return _taken(desk, given)
    desk.box.rest()
    desk.tell(late[0].seq, before)
    return None if isinstance(given, Tapped | Pressed | Turned) else _taken(desk, given)


def _taken(desk: Desk, given: Input | News) -> Answer | None:
    match given:
        case Tapped() | Lifted() | Found():
            return _sensed(desk, given)
        case Pressed(button=button, held=held):
            return _wished(desk, desk.box.press(desk.in_sight, button, held), given)
        case Turned(steps=steps):
            desk.box.turn(desk.snapshot, steps)
        case ReaderLost() | ReaderBack():
            _lost_or_back(desk, given)
        case Settled():
            return reading.read(desk, None, settled=True)
        case Trouble() | Away() | Question() | Quiet() | Linked() | Late() | StickNews() | ClubNews() | HubNews():
            _heard(desk, given)
        case Asked():
            return _asked(desk, given)
        case BotChose():
            return _bot_chose(desk, given)
        case Wished(wish=wish):
            return grant(desk, wish, By(None, None))
        case _:
            assert_never(given)
    return None


def _wished(desk: Desk, wish: Wish | None, cause: Input) -> Answer | None:
    """What somebody at the box wants."""
    return None if wish is None else grant(desk, wish, By(None, cause))


def _heard(
    desk: Desk, news: Trouble | Away | Question | Quiet | Linked | Late | StickNews | ClubNews | HubNews
) -> None:
    match news:
        case Trouble(source=source, said=said):
            desk.name_trouble(source, said)
        case ClubNews() | HubNews():
            _of_clubs(desk, news)
        case Away(seats=seats):
            desk.away = seats
        case StickNews(stick=stick, said=said):
            desk.stick = stick
            if said is not None:
                desk.show(TroublePage(said), "quiet")
        case Question(said=said):
            desk.question = said
            desk.box.rest()
            desk.signal = "trouble" if said else "quiet"
        case Quiet():
            desk.enrolling = desk.enrolling and enrolment.quiet(desk.enrolling)
        case Linked():
            _linked(desk, news)
        case Late():
            ran_out(desk, news)
        case _:
            assert_never(news)


def _of_clubs(desk: Desk, news: ClubNews | HubNews) -> None:
    if isinstance(news, ClubNews):
        desk.club = news.club
        return
    desk.hubs = news.hubs if news.hubs is not None else desk.hubs
    if news.by is not None:
        desk.machine = replace(desk.machine, club=news.by)
    if news.said is not None:
        desk.show(TroublePage(news.said), "quiet" if news.joined else "trouble")
    if news.joined:
        desk.box.joined()


def _linked(desk: Desk, news: Linked) -> None:
    if desk.enrolling is not None:  # otherwise nobody is giving tags any more
        after = enrolment.linked(desk.enrolling, news.uid, news.outcome)
        desk.signal = enrolment.signal(desk.enrolling, after)
        desk.enrolling = after


# What readers tell


def _sensed(desk: Desk, given: Tapped | Lifted | Found) -> Answer | None:
    """Wands only report what arrives; the reader of a place also reports what lies there and what left."""
    sight = desk.hands.sight
    is_first = given.reader not in sight.heard
    if desk.hands.has_mat:
        desk.hands.sight = sight.after(given)
    if isinstance(given, Tapped):
        return _tapped(desk, given)
    if given.reader not in sight.zones or desk.is_asking:
        return None
    if isinstance(given, Found) and is_first:
        reading.follow(desk, desk.snapshot, given)  # a resumed game is laid out again
        return None
    return reading.read(desk, given, plays=isinstance(given, Lifted))


def _lost_or_back(desk: Desk, given: ReaderLost | ReaderBack) -> None:
    """What lies on a reader that cannot be asked is taken on trust."""
    reader, is_lost = given.reader, isinstance(given, ReaderLost)
    place = desk.hands.sight.zones.get(reader) or desk.trays.get(reader)
    desk.hands.sight = desk.hands.sight.after(given)
    desk.name_trouble(reader, say("trouble.reader-lost", reader=reader_called(reader, place)) if is_lost else None)
    if reader in desk.hands.sight.heard:
        reading.read(desk, None, plays=False)


def _followed(desk: Desk, before: Snapshot, given: Input | News) -> None:
    """Acts not done by moving pieces leave something for hands to do; with wands alone, only the acts of bots and of
    people who are elsewhere."""
    hands, by_others = desk.hands, isinstance(given, Asked | BotChose)
    if not (hands.has_mat or hands.errands or (by_others and reading.is_absent(desk.referee.at.chairs, given))):
        return
    is_moved = isinstance(given, Tapped | Lifted) and given.reader in desk.hands.sight.zones
    changed = desk.referee.at.line != before.at.line or desk.referee.table != before.table
    if changed and not is_moved and not isinstance(given, Settled):
        reading.follow(desk, before, given)


def _tapped(desk: Desk, given: Tapped) -> Answer | None:
    if desk.question is not None:
        desk.signal = "trouble"
        return None
    if desk.enrolling is not None:
        things = things_of(desk.snapshot, desk.readers)
        keep(desk, enrolment.lay(desk.enrolling, desk.tagbook, things, given.uid, given.reader))
        write_link(desk, given.uid)
        return None
    if desk.box.beginning is not None:
        return None
    tag = desk.tagbook.find(given.uid)
    desk.stranger = given.uid if tag is None else None
    match tag:
        case None:
            desk.show(TroublePage(say("tap.unknown-tag", uid=Name(given.uid))), "trouble")
            return None
        case PieceTag(game=game) | PlaceTag(game=game) if game != desk.referee.game.id:
            desk.show(PiecePage(say("tap.other-game"), say("choice", item=Name(game))), "trouble")
            return None
        case PieceTag() if given.reader in desk.hands.sight.zones:
            return reading.read(desk, given)
        case PieceTag() if given.reader in desk.trays:
            return _laid_on_tray(desk, tag, desk.trays[given.reader], given)
        case _:
            return _pointed(desk, desk.snapshot, points_at(tag), given)


def _meant_by(desk: Desk, tag: PieceTag) -> Token:
    """The piece or, if it is the pawn of whoever's turn it is, that seat."""
    whose = (seat for seat in desk.snapshot.awaited if desk.referee.game.pawn(seat) == tag.piece)
    return next((Token("actor", seat) for seat in whose), points_at(tag))


def _laid_on_tray(desk: Desk, tag: PieceTag, place: PlaceId, given: Tapped) -> Answer | None:
    """A piece was laid on a tray to say which place it is meant for; if it is refused, it stands for no place.

    A piece put back where it stood means nothing.
    """
    referee = desk.referee
    if any(lies.piece == tag.piece and lies.place == place for lies in referee.game.layout(referee.at.state)):
        return None
    before = referee.at.seq
    answer = _pointed(desk, desk.snapshot, _meant_by(desk, tag), given)
    if (isinstance(answer, Done) and referee.at.seq > before) or desk.box.is_choosing:
        return _pointed(desk, desk.now(), Token("place", place), given)
    return answer


def _pointed(desk: Desk, scene: Snapshot, token: Token, given: Tapped) -> Answer | None:
    """A known thing was laid down; the card that stood for what was done may also be the one drawn for it."""
    wish = desk.box.lay(scene, token)
    answer = _wished(desk, wish, given)
    if isinstance(wish, Do) and isinstance(answer, Done):
        drawn = desk.box.also_drawn(desk.now(), wish.intent, token)
        if drawn is not None:
            return _wished(desk, Do(drawn), given)
        if token.kind == "place" and mentions_it(wish.intent, token) and desk.box.offer(desk.now(), token):
            desk.flash = None  # OK means what is offered, so that must be what is shown
    return answer


# Phones and bots


def _asked(desk: Desk, asked: Asked) -> Answer:
    """A wish that was answered before is answered again but not done again.

    A command is one wish of one seat: nobody gets the answer to another under the same id.
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
    wish = _wish_of(desk, asked)
    answer = wish if isinstance(wish, No) else grant(desk, wish, By(asked.seat, asked))
    if isinstance(answer, Done) and _leaves_no_entry(asked.wish):
        desk.heeded = asked
    return answer


def _leaves_no_entry(wish: PhoneWish) -> bool:
    """Whether it may leave no entry by which a repeated command could be recognised."""
    return isinstance(wish, Enrol | Lead | LetStand | SetClock) or (isinstance(wish, Act) and wish.appeals)


def _meant(asked: Asked) -> bytes:
    """Who wishes what. Only the question may differ: pages read it afresh when they send a command again."""
    return msgspec.json.format(msgspec.json.encode((asked.seat, asked.wish)), indent=-1)


def _wish_of(desk: Desk, asked: Asked) -> Wish | No:
    """A phone's words as a wish; an act must answer what the seat is being asked now."""
    match asked.wish:
        case Act(intent=raw, appeals=appeals):
            try:
                intent = record.intent_from(desk.referee.game, raw)
            except msgspec.MsgspecError:
                return No(own_rule(5, "unreadable"))
            is_stale = asked.asked != sitting.question(desk.referee.at, asked.seat)
            if is_stale:
                return No(own_rule(1, "stale"))
            return Appeal(intent) if appeals else Do(intent)
        case Draw(piece=piece):
            return _drawn(desk, asked, piece)
        case TakeBack(to=to):
            return GoBack(to, asked.seat, as_referee=asked.seat == REFEREE)
        case _:
            return asked.wish


def _drawn(desk: Desk, asked: Asked, piece: PieceId) -> Wish | No:
    """What the table draws when that card is shown. Nothing is revealed about a card that it cannot draw."""
    at, scene = desk.referee.at, desk.now()
    if asked.asked != sitting.question(at, asked.seat):
        return No(own_rule(1, "stale"))
    if sitting.may_roll(at, asked.seat, desk.away):
        game, token = scene.game, Token("piece", piece)
        known, view = scene.known(PUBLIC), scene.view(PUBLIC)
        end = select(game, scene.state, view, (TABLE,), (token,), known=known, verbs=game.verbs)
        if isinstance(end, Ready) and mentions_it(end.intent, token):
            return Do(end.intent)
    return No(own_rule(4, "nothing-to-do"))


def _bot_chose(desk: Desk, given: BotChose) -> Answer:
    """A bot's answer counts like a phone's, as long as the bot still has the seat and the question is open."""
    referee = desk.referee
    if not referee.at.chairs[given.seat].bot:
        return No(own_rule(3, "not-your-seat"))
    if given.asked != referee.at.asked[given.seat]:
        return No(own_rule(1, "stale"))
    return grant(desk, Do(record.intent_from(referee.game, given.intent)), By(given.seat, given))


class Trouble(Struct, frozen=True):
    """Something around the table is wrong or, with None, no longer. Not an input, so not journalled."""

    source: str
    said: Said | None


class Question(Struct, frozen=True):
    """Something people must settle before the game goes on or, with None, have settled. Not journalled."""

    said: Said | None


class Quiet(Struct, frozen=True):
    """A tag is expected but none was laid for a while."""


class Settled(Struct, frozen=True):
    """Hands have moved nothing for as long as they were given."""


class StickNews(Struct, frozen=True):
    """A USB stick was put in or, with None, taken out; or `said` is what came of using it."""

    stick: Stick | None
    said: Said | None = None


class Away(Struct, frozen=True):
    """The seats whose phones no longer listen. Not journalled."""

    seats: tuple[SeatId, ...]


class ClubNews(Struct, frozen=True):
    """The club where everybody can see this table; "" for none."""

    club: str


class HubNews(Struct, frozen=True):
    """The hubs nearby, and `by` whom clubs can be joined from now on; or `said` is what came of joining one."""

    hubs: Hubs | None = None
    said: Said | None = None
    joined: bool = False
    by: Clubs | None = None


class Linked(Struct, frozen=True):
    """What came of writing a link on a tag."""

    uid: Uid
    outcome: LinkOutcome


class Wished(Struct, frozen=True):
    """Whoever sets up the table wants this. Not an input, because no reader, button or phone reported it."""

    wish: Wish


News: TypeAlias = Trouble | Question | Quiet | Settled | Away | Linked | Wished | Late | StickNews | ClubNews | HubNews
