"""What becomes of a wish, no matter whose: the one place where anything is granted or refused."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from companion.core import (
    REFEREE,
    TABLE,
    Asked,
    BelieveTable,
    Claim,
    CompanionError,
    Draw,
    Enrol,
    HandOver,
    Hubs,
    Intent,
    Join,
    Lead,
    Leave,
    LetBot,
    LetStand,
    OpenGame,
    ReaderId,
    SeatId,
    SetClock,
    SitElsewhere,
    Skip,
    TroublePage,
    Uid,
    Unplayable,
    believing,
    is_correction,
    legal,
    mask,
    say,
    verb_of,
)
from companion.journal import Did, JournalError, WasRefused
from companion.library import TurnClock, enrolment

from . import appeals, door, record, sitting
from .desk import Desk
from .record import own_rule
from .referee import Referee
from .snapshot import Joining, things_of
from .wishes import (
    Answer,
    Appeal,
    AskMachine,
    By,
    Change,
    Do,
    Done,
    FindHubs,
    GiveSeats,
    GoBack,
    GoOn,
    JoinClub,
    LetIn,
    No,
    SendAway,
    Show,
    Speak,
    Tick,
    ToMachine,
    ToStick,
    UseStick,
    Wire,
    Wish,
)

log = logging.getLogger(__name__)


def grant(desk: Desk, wish: Wish, by: By) -> Answer:
    """Do it, or say why not."""
    match wish:
        case Do() | Appeal() | LetStand() | Skip() | GoBack() | BelieveTable():
            return _play(desk, wish, by)
        case OpenGame():
            return _open_game(desk, wish, by)
        case Change(opens=opens):
            return _change(desk, lambda: opens(desk.referee))
        case GiveSeats(bots=bots):
            return sitting.given(desk.referee, bots)
        case Join() | Claim() | Leave() | LetBot() | SitElsewhere() | HandOver() | LetIn() | SendAway():
            return _seat(desk, wish, by)
        case Enrol():
            return _enrol(desk, wish)
        case SetClock():
            return _set_clock(desk, wish, by)
        case Lead():
            return _lead(desk, wish, by)
        case GoOn() | Tick() | Show() | Speak() | Wire() | AskMachine() | UseStick() | FindHubs() | JoinClub():
            _by_box(desk, wish)
            return Done(desk.referee.at.seq)
        case _:
            assert_never(wish)


# The game


def _play(desk: Desk, wish: Do | Appeal | LetStand | Skip | GoBack | BelieveTable, by: By) -> Answer:
    match wish:
        case Do():
            return _do(desk, wish, by)
        case Appeal(intent=intent):
            return _appeal(desk, intent, by)
        case LetStand():
            return _let_stand(desk, wish, by)
        case Skip(seat=seat):
            return _skip(desk, seat, by)
        case GoBack():
            return _go_back(desk, wish, by)
        case BelieveTable():
            return _believe_table(desk, by)
        case _:
            assert_never(wish)


def _do(desk: Desk, wish: Do, by: By) -> Answer:
    intent = wish.intent
    if by.seat is not None and intent.actor != by.seat and not _speaks_for_table(desk, by.seat, intent, by.phone):
        return No(own_rule(3, "not-your-seat"))
    answer = _act(desk, intent, by)
    if by.on_box and isinstance(answer, No) and desk.question is None and not desk.hands.astray:
        desk.offer_appeal(answer.refusal, wish)
    return answer


def _act(desk: Desk, intent: Intent, by: By, *, appealed: bool = False) -> Answer:
    if desk.question is not None:
        return No(own_rule(2, "paused"))
    if desk.hands.astray and not appealed and not is_correction(desk.referee.game, intent):
        no = No(own_rule(14, "out-of-step"))
        return desk.refuse(no, intent.actor) if by.on_box else no
    before = len(desk.referee.history)
    entry = desk.referee.act(intent, by.cause, on_box=by.on_box, appealed=appealed)
    if isinstance(entry.body, WasRefused):
        no = No(entry.body.refusal)
        return desk.refuse(no, intent.actor) if by.on_box else no
    desk.appeal = desk.refused = None
    desk.let_chance_play()
    desk.box.rest(corrects=desk.corrects)
    marks = entry.body.marks if isinstance(entry.body, Did) and desk.referee.mode != "scribe" else ()
    desk.tell(entry.seq, before, stands_against=marks)
    return Done(entry.seq)


def _appeal(desk: Desk, intent: Intent, by: By) -> Answer:
    """Let an act stand that was appealed at the box; a phone has to ask the table, unless nothing stands in the way."""
    asked = by.phone
    if asked is None:
        return _act(desk, intent, by, appealed=True)
    if intent.actor != asked.seat:
        return No(own_rule(3, "not-your-seat"))
    asking = appeals.asking(desk.referee, intent, asked)
    if asking is None or desk.referee.mode != "strict":
        return _act(desk, intent, by)
    if not desk.referee.may_stand(intent):
        return No(own_rule(13, "hands-cannot"))
    desk.appeal, desk.refused, desk.flash, desk.signal = asking, None, None, "turn"
    return Done(desk.referee.at.seq)


def _let_stand(desk: Desk, wish: LetStand, by: By) -> Answer:
    """Somebody at the box, or the referee, answers an appeal; at the box also about what it has just refused."""
    if by.seat not in (None, REFEREE):
        return No(own_rule(3, "not-your-seat"))
    if by.on_box and not wish.command:
        return _let_refused_stand(desk, by)
    asking = desk.appeal
    if asking is None or asking.shown.command != wish.command:
        return No(own_rule(1, "stale"))
    desk.appeal = None
    if not wish.yes:
        return Done(desk.referee.at.seq)
    return _act(desk, asking.intent, By(asking.intent.actor, asking.cause), appealed=True)


def _let_refused_stand(desk: Desk, by: By) -> Answer:
    refused, desk.refused = desk.refused, None
    assert refused is not None, "the refusal is in sight"
    if refused.intent is None:
        return desk.refuse(No(own_rule(13, "hands-cannot")), TABLE)
    return _act(desk, refused.intent, by, appealed=True)


def _speaks_for_table(desk: Desk, seat: SeatId, intent: Intent, asked: Asked | None) -> bool:
    """Whether a phone may say this for the table: the referee a correction, whoever rolls what the dice show, whoever
    draws the card that was shown to the camera."""
    if intent.actor != TABLE:
        return False
    if is_correction(desk.referee.game, intent):
        return seat == REFEREE
    is_shown = asked is not None and isinstance(asked.wish, Draw)
    is_typed = verb_of(desk.referee.game, intent).is_typed
    return (is_typed or is_shown) and sitting.may_roll(desk.referee.at, seat, desk.away)


def _go_back(desk: Desk, wish: GoBack, by: By) -> Answer:
    referee = desk.referee
    if desk.question is not None:
        return No(own_rule(2, "paused"))
    barred = record.bars_take_back(referee.deeds, referee.at, wish.to, wish.by)
    if barred and not (wish.as_referee and barred.rule == "C6"):
        return desk.refuse(No(barred), wish.by) if by.on_box else No(barred)
    entry = referee.take_back(wish.to, wish.by, by.cause)
    desk.appeal = desk.refused = None
    desk.box.rest()
    desk.restart_clock()
    desk.tell_taken_back(entry.seq, wish.to, wish.by)
    desk.let_chance_play()
    return Done(entry.seq)


def _skip(desk: Desk, seat: SeatId, by: By) -> Answer:
    """The game's own bot answers for a seat once; like every bot it reads that seat's view."""
    game, at = desk.referee.game, desk.referee.at
    barred = None if by.seat is None else sitting.bars(at, by.seat, seat, desk.away)
    if barred:
        return No(barred)
    if seat == REFEREE or not at.decisions or seat not in at.decisions[-1].seats:
        return No(own_rule(4, "nothing-to-do"))
    view = mask(at.state, seat)
    return _act(desk, game.bot(view, seat, legal(game, view, seat), at.seq), by)


def _open_game(desk: Desk, wish: OpenGame, by: By) -> Answer:
    """Begin the next game. Phones keep their seats and names, so that nobody has to join again."""
    at = desk.referee.at
    if desk.opens is None or (by.seat not in (None, REFEREE) and at.result is None):
        return No(own_rule(10, "game-not-over"))
    if by.on_box:
        seated = {seat: chair.name for seat, chair in enumerate(at.chairs) if chair.key}
        wish = replace(wish, names=tuple(seated.get(seat, name) for seat, name in enumerate(wish.names)))
    opens = desk.opens
    answer = _change(desk, lambda: opens(wish, sitting.carried(at, wish, by.phone)))
    if isinstance(answer, Done) and not by.on_box:
        desk.box.end_first_run()
    return answer


def _change(desk: Desk, opens: Callable[[], Referee]) -> Answer:
    """Switch to the game that is opened; if that fails, everything stays as it is."""
    try:
        fresh = opens()
    except CompanionError as error:
        if isinstance(error, JournalError):
            raise
        log.warning("a game could not be opened: %s", error)
        desk.show(TroublePage(say("next.cannot")), "trouble")
        return No(own_rule(11, "unplayable") if isinstance(error, Unplayable) else own_rule(5, "unreadable"))
    if fresh is desk.referee:
        return Done(fresh.at.seq)
    fresh.drafted = desk.referee.drafted
    desk.referee, desk.appeal, desk.refused = fresh, None, None
    desk.lay_mat()
    desk.box.rest()
    desk.joining = tuple(each for each in desk.joining if each.seat < fresh.setup.seats)
    desk.away = tuple(seat for seat in desk.away if seat < fresh.setup.seats)
    desk.let_chance_play()
    desk.signal = "turn"
    return Done(fresh.at.seq)


# Who sits where


def _seat(
    desk: Desk, wish: Join | Claim | Leave | LetBot | SitElsewhere | HandOver | LetIn | SendAway, by: By
) -> Answer:
    match wish:
        case LetIn() | SendAway():
            desk.joining = door.answered(desk.joining, wish)
            return Done(desk.referee.at.seq)
        case Join():
            return _join(desk, wish, by)
    asked = by.phone
    assert asked is not None, "only phones sit down"
    if not isinstance(wish, Claim):
        return sitting.changed(desk.referee, asked, wish, desk.away)
    answer = sitting.claim(desk.referee, desk.joining, asked, wish.code, wish.key)
    if isinstance(answer, Done):
        desk.joining = door.without(desk.joining, (wish.code,))
        if desk.machine.hear_time is not None and wish.now:
            desk.machine.hear_time(wish.now, wish.zone)
    return answer


def _join(desk: Desk, wish: Join, by: By) -> Answer:
    """One more at the door; those who came before keep their places."""
    command = by.phone.command if by.phone else ""
    queue = door.asked(desk.joining, Joining(wish.seat, wish.name, wish.code, command=command), wish.instead)
    if queue is None:
        return No(own_rule(8, "door-full"))
    desk.joining, desk.signal = queue, "turn"
    return Done(desk.referee.at.seq)


# Tags


def _enrol(desk: Desk, wish: Enrol) -> Answer:
    """Enrolling a single piece may start with the unknown tag that was laid last."""
    now, begins = desk.enrolling, wish.do == "begin"
    if wish.uid not in (None, desk.stranger) or (wish.at >= 0 and (now is None or wish.at != len(now.steps))):
        return No(own_rule(1, "stale"))
    if (now is None and not begins) or (wish.do == "link" and desk.machine.link is None):
        return No(own_rule(4, "nothing-to-do"))
    things = things_of(desk.snapshot, desk.readers)
    keep(desk, enrolment.obey(now or enrolment.NOTHING, desk.tagbook, things, wish))
    if begins and wish.uid and desk.enrolling:
        keep(desk, enrolment.lay(desk.enrolling, desk.tagbook, things, wish.uid, ReaderId("")))
        desk.stranger = None
    if wish.do == "anyway" and desk.enrolling and desk.enrolling.link:
        write_link(desk, desk.enrolling.link)
    return Done(desk.referee.at.seq)


def write_link(desk: Desk, uid: Uid) -> None:
    """Write the link that this tag was laid for, if it was."""
    if desk.enrolling is not None and desk.enrolling.link == uid and desk.machine.link is not None:
        desk.machine.link(uid)


def keep(desk: Desk, then: enrolment.Then) -> None:
    """Save first; if the tagbook cannot be saved, everything stays as it was and the box says so."""
    after, changes = then
    try:
        if changes:
            desk.tagbook.change(changes)
    except CompanionError as error:
        log.warning("a tag was not enrolled: %s", error)
        desk.enrolling = desk.enrolling and replace(desk.enrolling, note=say("enrol.not-saved"))
        desk.signal = "trouble"
        return
    desk.signal = enrolment.signal(desk.enrolling, after)
    desk.enrolling = after


# The box and its machine


def _lead(desk: Desk, wish: Lead, by: By) -> Answer:
    """A phone answers the first-run question that it was shown; what follows is the same as if the box were asked."""
    asked, busy = desk.box.beginning, desk.question is not None or desk.enrolling is not None
    if asked is None or busy or asked.question != wish.question:
        return No(own_rule(1, "stale"))
    wanted = desk.box.lead(wish)
    return Done(desk.referee.at.seq) if wanted is None else grant(desk, wanted, By(None, by.cause))


def _believe_table(desk: Desk, by: By) -> Answer:
    """Make the record follow what lies there, by corrections that the journal keeps: all of them or none."""
    referee, sight = desk.referee, desk.hands.sight
    if by.seat not in (None, REFEREE):
        return No(own_rule(3, "not-your-seat"))
    game, pack = referee.game, referee.setup.pack
    watch, seen = sight.watch(game, pack, desk.tagbook), sight.lying(game, pack, desk.tagbook)
    found = believing(game, referee.at.state, seen, watch)
    if not found:
        no = No(own_rule(14, "cannot-believe"))
        return desk.refuse(no, TABLE) if by.on_box else no
    for intent in found:
        _act(desk, intent, by)
    return Done(referee.at.seq)


def _set_clock(desk: Desk, wish: SetClock, by: By) -> Answer:
    """The referee, or somebody at the box, sets how long a turn may take; kept with the settings."""
    if by.seat not in (None, REFEREE):
        return No(own_rule(3, "not-your-seat"))
    desk.set_clock(TurnClock(wish.kind, wish.seconds))
    if desk.machine.keep_clock is not None:
        desk.machine.keep_clock(desk.turn_clock)
    return Done(desk.referee.at.seq)


def _by_box(desk: Desk, wish: GoOn | Tick | Show | Speak | Wire | AskMachine | UseStick | FindHubs | JoinClub) -> None:
    machine = desk.machine
    match wish:
        case GoOn():
            desk.question = None
        case Tick(said=said):
            desk.hands.tick(said)
        case Show(page=page):
            desk.show(page)
        case Speak(lang=lang):
            if machine.speak is not None:
                machine.speak(lang)
        case Wire(keys=keys):
            if machine.wire is not None:
                machine.wire(keys)
        case AskMachine() | UseStick() | FindHubs() | JoinClub():
            _ask_machine(desk, wish)
        case _:
            assert_never(wish)


def _ask_machine(desk: Desk, wish: AskMachine | UseStick | FindHubs | JoinClub) -> None:
    match wish:
        case AskMachine(to=to):
            _ask_power(desk, to)
        case UseStick(to=to):
            _use_stick(desk, to)
        case _:
            _ask_club(desk, wish)


def _use_stick(desk: Desk, to: ToStick) -> None:
    desk.stick = None
    if desk.machine.use_stick is not None:
        desk.machine.use_stick(to)
    if to != "no":
        desk.show(TroublePage(say(f"stick.{to}.going")))


def _ask_club(desk: Desk, wish: FindHubs | JoinClub) -> None:
    """The result is reported later: this thread never waits for the network."""
    club = desk.machine.club
    assert club is not None, "the box offers it where it can be done"
    if isinstance(wish, JoinClub):
        club.join(wish)
        desk.show(TroublePage(say("club.going")))
    else:
        desk.hubs = Hubs()
        club.look()


def _ask_power(desk: Desk, to: ToMachine) -> None:
    ask = desk.machine.switch_off if to == "off" else desk.machine.open_wifi
    desk.show(TroublePage(say(f"{to}.not-here" if ask is None else f"{to}.going")))
    if ask is not None:
        ask()
