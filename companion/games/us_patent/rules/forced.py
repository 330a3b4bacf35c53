"""What the rules do by themselves: nothing is asked when there is nothing to decide.

Only public facts may force anything, or what happens would give a secret away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.core import Course, Event, SeatId, allowed, left_of
from companion.games.us_patent import events as e
from companion.games.us_patent.decide import ASKS, above
from companion.games.us_patent.state import (
    CALLED,
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
    Repair,
    Short,
    State,
    drive,
    effects,
    is_disarmed,
    kind_at,
    known,
    set_needed,
    targets,
    wins_by_action,
    workings_of,
)

from .chance import machine_drawn, machines_left
from .hits import can_go_off
from .repair import FREE_VERBS, something_off
from .turn import rolled_for


def _ended(state: State, step: Ending) -> tuple[Event, ...]:
    return () if is_free_open(state, step.seat) else (e.TurnEnded(step.seat),)


def _switched_off(state: State, step: Short) -> tuple[Event, ...]:
    cards = can_go_off(state, step.seat)
    return (e.SwitchedOff(step.seat, cards[0]),) if len(cards) == 1 else ()


def _skipped(state: State, step: Drawing) -> tuple[Event, ...]:
    return () if len(state.deck) else (e.ResearchSkipped(step.seat),)


def _driven(state: State, step: Moving) -> tuple[Event, ...]:
    dice, _ = drive(known(state), state.machines[step.seat])
    return () if dice else rolled_for(state, step.seat)


def _stayed(_state: State, step: Going) -> tuple[Event, ...]:
    return () if step.reach else (e.Stayed(step.seat),)


def is_free_open(state: State, seat: SeatId) -> bool:
    """Whether the seat still has something free to do in its turn (P.al, P.am)."""
    if not workings_of(state, seat).mends:
        return False
    return any(next(allowed(verb, state, seat), None) is not None for verb in FREE_VERBS)


def _resolved(_state: State, step: Dice) -> tuple[Event, ...]:
    fight, attack, defence = step.fight, step.attack, step.defence
    if NEVER in (attack, defence):
        return ()
    told = e.AttackHit if attack > defence else e.AttackMissed
    return (told(fight.attacker, fight.defender, attack, defence),)


def _spared(state: State, step: Hit) -> tuple[Event, ...]:
    return () if any(targets(state, step).values()) else (e.Spared(step.fight.attacker, step.fight.defender),)


def _unanswered(state: State, step: Countering) -> tuple[Event, ...]:
    fight = step.fight
    apart = state.machines[fight.attacker].at != state.machines[fight.defender].at
    barred = state.setup.option("disarmed_counter") == "barred" and is_disarmed(state, fight)
    if apart:
        return (e.CounterMissed(fight.defender),)
    return (e.CounterBarred(fight.defender),) if barred else ()


def _dealt(state: State, _step: Dealing) -> tuple[Event, ...]:
    """P3: once all are dealt, the earliest begins; the last Time Machine needs no draw."""
    if not all(machine.card for machine in state.machines):
        left = machines_left(state)
        return machine_drawn(state, left[0]) if len(left) == 1 else ()
    years = [known(state).inventors[machine.card].year for machine in state.machines]
    return (e.TurnBegan(SeatId(years.index(min(years))), 1),)


def has_won(state: State, seat: SeatId) -> bool:
    """P30: called, in the Office, with a full working set."""
    machine = state.machines[seat]
    if machine.number != CALLED or kind_at(state, seat) != "office":
        return False
    return len(machine.working()) >= set_needed(state)


def _closed(state: State, step: Closing) -> tuple[Event, ...]:
    """P.ae: the win, then the number lost, then the next turn with its step 0."""
    seat = step.seat
    if not wins_by_action(state) and has_won(state, seat):
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


FORCES: Final[dict[type, Callable[[State, Any], tuple[Event, ...]]]] = {
    Dealing: _dealt,
    Drawing: _skipped,
    Moving: _driven,
    Going: _stayed,
    Dice: _resolved,
    Hit: _spared,
    Countering: _unanswered,
    Short: _switched_off,
    Ending: _ended,
    Closing: _closed,
}
"""At these steps there may be nothing to decide; the others always wait."""


COURSE: Final = Course[State](ASKS, FORCES, above=above)
