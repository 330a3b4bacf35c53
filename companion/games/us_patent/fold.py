"""`apply`: the state after an event. It decides nothing; what the rules do by themselves is in `rules/forced.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never, get_args

from msgspec.structs import replace

from companion.core import NOBODY, TABLE, Hidden, PieceId, SeatId, instead, pushed, swapped, with_steps

from . import events as e
from .correct import corrected, shown
from .state import (
    CALLED,
    NEVER,
    NO_NUMBER,
    Acting,
    Closing,
    Countering,
    Dice,
    Drawing,
    Following,
    Going,
    Hit,
    Inventing,
    Loot,
    Moving,
    Numbering,
    Placing,
    Rolling,
    State,
    Step,
    board_of,
    drive,
    fight_of,
    forgotten,
    installed,
    into_market,
    known,
    looked_at,
    may_counter,
    mended,
    off_lab,
    off_machine,
    onto_junkyard,
    turn_steps,
    turned,
    with_machine,
)


def apply(state: State, event: e.AnyEvent) -> State:
    """The state after `event`; on a view, what its audience then knows for sure."""
    after: State = _APPLY[type(event)](state, event)
    return shown(after) if after.described else after


def done(state: State, kind: type[Step]) -> State:
    """The state without its top step, if that is of this kind; in advise mode it may not be."""
    if state.steps and isinstance(state.steps[-1], kind):
        return replace(state, steps=state.steps[:-1])
    return state


def acted(state: State, seat: SeatId) -> State:
    """The seat's Action of this turn is spent."""
    return replace(state, steps=tuple([s for s in state.steps if not (isinstance(s, Acting) and s.seat == seat)]))


def _opening(state: State, event: e.Opening) -> State:
    match event:
        case e.MachineDrawn(seat=seat, card=card, place=place, gold=gold):
            machine = replace(state.machines[seat], card=card, at=place, gold=gold)
            return with_machine(state, seat, machine)
        case e.TurnBegan(seat=seat, round=number):
            return _begun(state, seat, number)
        case e.NumberTicked(seat=seat, number=number):
            return _numbered(state, seat, number)
        case e.NumberCalled(seat=seat):
            return _numbered(state, seat, CALLED)
        case e.TurnEnded(seat=seat):
            return with_steps(state, Closing(seat))
        case e.Won(seat=seat):
            return replace(state, winner=seat, steps=())
        case _:
            assert_never(event)


def _begun(state: State, seat: SeatId, number: int) -> State:
    first = state.first if state.turns else seat
    began = replace(state, turn=seat, first=first, round=number, turns=state.turns + 1, steps=turn_steps(seat))
    return replace(began, used=(), revived=())


def _numbered(state: State, seat: SeatId, number: int) -> State:
    return with_machine(state, seat, replace(state.machines[seat], number=number))


def _paid(state: State, seat: SeatId, gold: int) -> State:
    machine = state.machines[seat]
    return with_machine(state, seat, replace(machine, gold=machine.gold + gold))


def _researching(state: State, event: e.Researching) -> State:
    match event:
        case e.CardResearched(seat=seat, card=hidden, board=board):
            drawn = replace(done(state, Drawing), deck=state.deck.without(hidden.value), due=board)
            return pushed(drawn, Placing(seat, Hidden(hidden.value, (seat,))))
        case e.ResearchSkipped():
            return done(state, Drawing)
        case e.PutInLab(seat=seat, card=hidden, place=place):
            board = board_of(place)
            laid = Hidden(hidden.value, (seat,) if state.setup.option("lab_memory") == "on" else NOBODY)
            labs = swapped(state.labs, board, (*state.labs[board], laid))
            return replace(done(state, Placing), labs=labs, due=0)
        case e.PutInMarket(card=card, place=place):
            return into_market(replace(done(state, Placing), due=0), card, place)
        case e.LabOpened(seat=seat, place=place, cards=cards):
            board = board_of(place)
            opened = looked_at(acted(state, seat), seat, cards.value, range(board, board + 1))
            return pushed(opened, Inventing(seat, place))
        case e.LabsStudied(seat=seat, board=board, cards=cards):
            return looked_at(acted(state, seat), seat, cards.value, range(1, board))
        case e.LookClosed(seat=seat):
            return forgotten(state, seat)
        case _:
            assert_never(event)


def _travelling(state: State, event: e.Travelling) -> State:
    seat = event.seat
    match event:
        case e.RollBegun():
            return pushed(done(state, Moving), Rolling(seat, *drive(known(state), state.machines[seat])))
        case e.MoveKnown(reach=reach):
            return pushed(done(done(state, Rolling), Moving), Going(seat, reach))
        case e.Stayed():
            return done(done(state, Going), Moving)
        case e.Went(place=place):
            return with_machine(done(state, Going), seat, replace(state.machines[seat], at=place))
        case e.Leapt(place=place):
            return with_machine(acted(state, seat), seat, replace(state.machines[seat], at=place))
        case e.ResearchedAgain():
            return pushed(acted(state, seat), Drawing(seat))
        case e.MovedAgain():
            return acted(state, seat)
        case e.Earned(gold=gold):
            return _paid(acted(state, seat), seat, gold)
        case _:
            assert_never(event)


def _trading(state: State, event: e.Trading) -> State:
    seat = event.seat
    match event:
        case e.Bought(card=card, gold=gold):
            bought = _paid(acted(state, seat), seat, -gold)
            markets = tuple(tuple(c for c in cards if c != card) for cards in bought.markets)
            return installed(replace(bought, markets=markets), seat, card, works=True)
        case e.Invented(card=card, place=place):
            taken = forgotten(off_lab(done(state, Inventing), card, board_of(place)), seat)
            return installed(taken, seat, card, works=True)
        case e.InventedNothing():
            return forgotten(done(state, Inventing), seat)
        case e.Salvaged(card=card):
            rest = tuple(c for c in state.junkyard if c != card)
            return installed(replace(acted(state, seat), junkyard=rest), seat, card, works=False)
        case e.Scrapped(card=card):
            return onto_junkyard(off_machine(state, seat, card), card)
        case e.Patented(card=card, gold=gold, place=place):
            sold = _paid(off_machine(acted(state, seat), seat, card), seat, gold)
            return into_market(sold, card, place)
        case _:
            assert_never(event)


def _numbers(state: State, event: e.Numbers) -> State:
    seat = event.seat
    match event:
        case e.NumberWanted():
            return pushed(acted(state, seat), Numbering(seat))
        case e.NumberTaken(number=number):
            return _numbered(done(state, Numbering), seat, number)
        case e.NumberLost():
            return _numbered(state, seat, NO_NUMBER)
        case _:
            assert_never(event)


def _mending(state: State, event: e.Mending) -> State:
    seat = event.seat
    machine = state.machines[seat]
    match event:
        case e.MachineMended(gold=gold):
            return _paid(with_machine(acted(state, seat), seat, mended(machine)), seat, -gold)
        case e.CardRepaired(card=card, source=source):
            return with_machine(_used(state, source), seat, turned(machine, card, works=True))
        case e.CardRevived(card=card):
            revived = replace(state, revived=(*state.revived, card))
            return with_machine(revived, seat, turned(machine, card, works=True))
        case e.AllRepaired(source=source):
            return with_machine(_used(state, source), seat, mended(machine))
        case e.SwitchedOff(card=card):
            return with_machine(state, seat, turned(machine, card, works=False))
        case _:
            assert_never(event)


def _by_text(state: State, event: e.ByTexts) -> State:
    seat = event.seat
    match event:
        case e.ActionSpent():
            return acted(state, seat)
        case e.TextFollowed(card=card):
            return pushed(acted(state, seat), Following(seat, card))
        case e.TextDone():
            return done(state, Following)
        case _:
            assert_never(event)


def _used(state: State, source: PieceId) -> State:
    return replace(state, used=(*state.used, source))


def _attacking(state: State, event: e.Attacking) -> State:
    step = state.steps[-1] if state.steps else None
    match event, step:
        case (e.AttackDeclared(), _):
            return _declared(state, event)
        case (e.AttackThrown(total=total), Dice()):
            return instead(state, replace(step, attack=total))
        case (e.DefenceThrown(total=total), Dice()):
            return instead(state, replace(step, defence=total))
        case (e.AttackStopped() | e.AttackMissed(), Dice()):
            return done(state, Dice)
        case (e.AttackHit(), Dice(fight=fight, attack=attack, defence=defence)):
            return instead(state, Hit(fight, attack, defence))
        case (e.CounterBarred(seat=seat), Countering()):
            return replace(done(state, Countering), barred=seat)
        case (e.CounterOpened() | e.CounterWaived() | e.CounterMissed(), Countering()):
            return done(state, Countering)
        case _:
            raise ValueError(f"{event} does not follow {step}: the record and these rules do not belong together")


def _declared(state: State, event: e.AttackDeclared) -> State:
    """The steps of the attack and, below them, the right to strike back."""
    fight = replace(fight_of(state, event.seat, event.target, event.kind, event.source, event.attack), held=event.held)
    attack = NEVER if fight.attack_dice else fight.attack_plus
    defence = NEVER if fight.defence_dice else fight.defence_plus
    steps: tuple[Step, ...] = (Dice(fight, attack, defence),)
    if may_counter(state, event.target, event.kind):
        steps = (Countering(fight), *steps)
    spent = replace(acted(state, event.seat) if event.kind != "counter" else state, barred=TABLE)
    return pushed(spent, *steps)


def _hitting(state: State, event: e.Hitting) -> State:
    seat = event.seat
    match event:
        case e.CardDisabled(target=target, card=card):
            return with_machine(done(state, Hit), target, turned(state.machines[target], card, works=False))
        case e.CardDestroyed(target=target, card=card):
            return onto_junkyard(off_machine(done(state, Hit), target, card), card)
        case e.CardStolen(target=target, card=card):
            works = state.machines[target].is_on(card)
            return pushed(off_machine(done(state, Hit), target, card), Loot(seat, card, works))
        case e.Spared():
            return done(state, Hit)
        case e.LootInstalled(card=card):
            step = state.steps[-1] if state.steps else None
            works = isinstance(step, Loot) and step.works
            return installed(done(state, Loot), seat, card, works=works)
        case e.LootThrown(card=card):
            return onto_junkyard(done(state, Loot), card)
        case _:
            assert_never(event)


_GROUPS: Final[tuple[tuple[Any, Callable[[State, Any], State]], ...]] = (
    (e.Opening, _opening),
    (e.Researching, _researching),
    (e.Travelling, _travelling),
    (e.Trading, _trading),
    (e.Numbers, _numbers),
    (e.Mending, _mending),
    (e.ByTexts, _by_text),
    (e.Attacking, _attacking),
    (e.Hitting, _hitting),
    (e.Correcting, corrected),
)
_APPLY: Final = {kind: function for group, function in _GROUPS for kind in get_args(group)}
