"""What the rules do by themselves: nothing is asked where nothing is to be decided.

Only public facts force anything, or others could tell a secret by what happens.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.ids import SeatId
from companion.core.judge import allowed
from companion.core.rules import Event
from companion.games.us_patent import events as e
from companion.games.us_patent.combat import is_disarmed, targets
from companion.games.us_patent.effects import Repair
from companion.games.us_patent.machine import CALLED, drive, effects
from companion.games.us_patent.state import State, kind_at, known, left_of, set_needed, top
from companion.games.us_patent.steps import (
    NEVER,
    Closing,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Ending,
    Going,
    Hit,
    Moving,
    Short,
)

from .chance import machine_drawn, machines_left
from .fight import can_go_off
from .repair import FREE_VERBS, something_off
from .turn import rolled_for


def forced(state: State) -> tuple[Event, ...]:
    """The events that follow without anyone's choice; () when the game waits."""
    step = top(state)
    match step:
        case Ending(seat=seat):
            return () if is_free_open(state, seat) else (e.TurnEnded(seat),)
        case Closing(seat=seat):
            return _closed(state, seat)
        case Short(seat=seat):
            cards = can_go_off(state, seat)
            return (e.SwitchedOff(seat, cards[0]),) if len(cards) == 1 else ()
        case Drawing(seat=seat) if not len(state.deck):
            return (e.ResearchSkipped(seat),)
        case Moving(seat=seat) if drive(known(state), state.machines[seat])[0] == 0:
            return rolled_for(state, seat)
        case Going(seat=seat, reach=0):
            return (e.Stayed(seat),)
        case Dealing():
            return _dealt(state)
        case Dice() | Hit() | Countering():
            return _fight(state, step)
        case _:
            return ()


def is_free_open(state: State, seat: SeatId) -> bool:
    """Something free is still open to the seat in its turn (P.al, P.am)."""
    if not something_off(state, seat):
        return False
    return any(next(allowed(verb, state, seat), None) is not None for verb in FREE_VERBS)


def _fight(state: State, step: Dice | Hit | Countering) -> tuple[Event, ...]:
    fight = step.fight
    seat, target = fight.attacker, fight.defender
    match step:
        case Dice(attack=attack, defence=defence):
            if NEVER in (attack, defence):
                return ()
            told = e.AttackHit if attack > defence else e.AttackMissed
            return (told(seat, target, attack, defence),)
        case Hit():
            return () if any(targets(state, step).values()) else (e.Spared(seat, target),)
        case Countering():
            apart = state.machines[seat].at != state.machines[target].at
            barred = state.setup.option("disarmed_counter") == "barred" and is_disarmed(state, fight)
            return (e.CounterWaived(target),) if apart or barred else ()


def _dealt(state: State) -> tuple[Event, ...]:
    """P3: when all are dealt, the earliest begins; a last Time Machine needs no draw."""
    if not all(machine.card for machine in state.machines):
        left = machines_left(state)
        return machine_drawn(state, left[0]) if len(left) == 1 else ()
    years = [known(state).inventors[machine.card].year for machine in state.machines]
    return (e.TurnBegan(SeatId(years.index(min(years))), 1),)


def has_won(state: State, seat: SeatId) -> bool:
    """P30: called, in the Office, with a full working set."""
    machine = state.machines[seat]
    full = len(machine.working()) >= set_needed(state)
    return machine.number == CALLED and full and kind_at(state, seat) == "office"


def _closed(state: State, seat: SeatId) -> tuple[Event, ...]:
    """P.ae: the win, then the number lost, then the next turn with its step 0."""
    if state.setup.option("win") == "end-of-turn" and has_won(state, seat):
        return (e.Won(seat),)
    lost = (e.NumberLost(seat),) if state.machines[seat].number == CALLED else ()
    return (*lost, *_next(state, left_of(state, seat)))


def _next(state: State, seat: SeatId) -> Iterator[Event]:
    machine = state.machines[seat]
    yield e.TurnBegan(seat, state.round + (seat == state.first))
    if state.looks[seat].value:
        yield e.LookClosed(seat)
    if machine.number > 1:
        yield e.NumberTicked(seat, machine.number - 1)
    elif machine.number == 1:
        yield e.NumberCalled(seat)
    if something_off(state, seat):
        sources = effects(known(state), machine, Repair)
        yield from (e.AllRepaired(seat, card.id) for card, effect in sources if effect.when == "always")
