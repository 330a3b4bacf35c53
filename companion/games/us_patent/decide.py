"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace

from companion.core import (
    TABLE,
    UNKNOWN,
    Decision,
    Fact,
    Lies,
    Piece,
    PieceId,
    PlaceId,
    Result,
    Seat,
    SeatId,
    say,
    seats_of,
)

from .state import (
    NEVER,
    SEATS_AT_MOST,
    SLOTS,
    Acting,
    Closing,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Ending,
    Following,
    Going,
    Hit,
    Inventing,
    Loot,
    Machine,
    Moving,
    Numbering,
    Placing,
    Rolling,
    Short,
    State,
    Step,
    Tables,
    is_undated,
    known,
    margin,
    pawn_of,
    workings_of,
)


def above(state: State) -> tuple[Step, ...]:
    """A lack of power, which comes before anything else (P10)."""
    return (Short(state.short[0]),) if state.short else ()


# Each counts something that its answer changes, so that no two questions of a turn look alike.


def _repairs(state: State) -> int:
    return len(state.used) + len(state.revived)


def _part(kind: str) -> Callable[[State, Moving | Acting | Ending | Closing], Decision]:
    """A part of the turn, now or still to come."""
    return lambda state, step: _of_seat(kind, step.seat, step.seat, state.turns, _repairs(state))


def _chance(kind: str, left: Callable[[State], int]) -> Callable[[State, Drawing | Rolling | Numbering], Decision]:
    return lambda state, step: _of_seat(kind, TABLE, step.seat, state.turns, left(state))


def _dealing(state: State, _step: Dealing) -> Decision:
    seat = SeatId(next((at for at, machine in enumerate(state.machines) if not machine.card), 0))
    return _of_seat("draw-machine", TABLE, seat, state.turns, seat)


def _placing(state: State, step: Placing) -> Decision:
    """Does not say which card: decisions are shown to everyone."""
    return _of_seat("date" if is_undated(state) else "place", step.seat, step.seat, state.turns, len(state.deck))


def _going(state: State, step: Going) -> Decision:
    left = f"{len(state.steps)}.{_repairs(state)}"
    return _ask("go", step.seat, state.turns, left, seat=Seat(step.seat), reach=step.reach)


def _inventing(state: State, step: Inventing) -> Decision:
    return _ask("invent", step.seat, state.turns, 0, seat=Seat(step.seat), n=len(state.looks[step.seat].value))


def _dice(state: State, step: Dice) -> Decision:
    fight, mine = step.fight, step.attack == NEVER
    who, kind = (fight.attacker, "attack-dice") if mine else (fight.defender, "defence-die")
    dice, plus = (fight.attack_dice, fight.attack_plus) if mine else (fight.defence_dice, fight.defence_plus)
    return _ask(kind, TABLE, state.turns, len(state.steps), seat=Seat(who), dice=dice, plus=plus)


def _hit(state: State, step: Hit) -> Decision:
    target, far = Seat(step.fight.defender), margin(step)
    return _ask("hit", step.seat, state.turns, len(state.steps), seat=Seat(step.seat), target=target, margin=far)


def _loot(state: State, step: Loot) -> Decision:
    return _ask("loot", step.seat, state.turns, len(state.steps), seat=Seat(step.seat), card=Piece(step.card))


def _following(state: State, step: Following) -> Decision:
    return replace(
        _ask("follow", step.seat, state.turns, 0, seat=Seat(step.seat), card=Piece(step.card)), corrects=True
    )


def _countering(state: State, step: Countering) -> Decision:
    target = Seat(step.fight.attacker)
    return _ask("counter", step.seat, state.turns, len(state.steps), seat=Seat(step.seat), target=target)


def _short(state: State, step: Short) -> Decision:
    machine, now = state.machines[step.seat], workings_of(state, step.seat)
    who = Seat(step.seat)
    return _ask("short", step.seat, state.turns, sum(machine.works), seat=who, draw=now.draw, capacity=now.capacity)


ASKS: Final[dict[type[Step], Callable[[State, Any], Decision]]] = {
    Dealing: _dealing,
    Drawing: _chance("research", lambda state: len(state.deck)),
    Rolling: _chance("move-die", lambda state: len(state.steps)),
    Numbering: _chance("number-die", lambda _state: 0),
    Dice: _dice,
    Placing: _placing,
    Moving: _part("move"),
    Going: _going,
    Acting: _part("act"),
    Inventing: _inventing,
    Hit: _hit,
    Loot: _loot,
    Countering: _countering,
    Following: _following,
    Ending: _part("end"),
    Closing: _part("end"),
    Short: _short,
}


@lru_cache(maxsize=256)
def _of_seat(kind: str, awaited: SeatId, seat: SeatId, turns: int, left: int) -> Decision:
    """A question whose only fact is whose it is: the same each time the stack is told."""
    return _ask(kind, awaited, turns, left, seat=Seat(seat))


def _ask(kind: str, awaited: SeatId, turns: int, left: int | str, /, **facts: Fact) -> Decision:
    return Decision(kind, (awaited,), f"{turns}.{left}", tuple(facts.items()))


def result(state: State) -> Result | None:
    """Who patented time travel."""
    if state.steps:
        return None
    return Result((state.winner,), say("result.won", seat=Seat(state.winner), round=state.round))


def layout(state: State) -> tuple[Lies, ...]:
    """Each known piece and where it should lie; what a view does not know is left out."""
    lying = _lies(state)
    looked_at = {card for look in state.looks for card in look.value} - {UNKNOWN}
    if looked_at:
        # A view names a card that its seat is looking at, but does not know which of the Lab's cards it is.
        tables = known(state)
        unnamed = sorted(looked_at - {lies.piece for lies in lying})
        lying += [Lies(card, tables.lab[tables.cards[card].period], "down") for card in unnamed]
    return tuple(lying)


def _lies(state: State) -> list[Lies]:
    tables, machines = known(state), state.machines
    lying = [Lies(card, at, "up") for at, cards in zip(tables.market, state.markets, strict=True) for card in cards]
    lying += [
        Lies(hidden.value, at, "down")
        for at, lab in zip(tables.lab, state.labs, strict=True)
        for hidden in lab
        if hidden.value != UNKNOWN
    ]
    lying += [Lies(card, _JUNKYARD, "up") for card in state.junkyard]
    lying += [Lies(card, _DECK, "down") for card in state.deck.unseen if card != UNKNOWN]
    lying += [lies for step in state.steps if (lies := _in_hand(step)) and lies.piece != UNKNOWN]
    for seat in seats_of(state):
        lying += _of_machine(machines[seat], SeatId(seat))
    return [*lying, *_boxed(tables, tuple([machine.card for machine in machines]))]


_JUNKYARD, _DECK, _BOX = PlaceId("0/junkyard"), PlaceId("deck"), PlaceId("box")


def _in_hand(step: Step) -> Lies | None:
    match step:
        case Placing(seat=seat, card=hidden):
            return Lies(hidden.value, PlaceId(f"hand/{seat}"), "down")
        case Loot(seat=seat, card=card):
            return Lies(card, PlaceId(f"hand/{seat}"), "up")
        case _:
            return None


@lru_cache(maxsize=64)
def _boxed(tables: Tables, drawn: tuple[PieceId, ...]) -> tuple[Lies, ...]:
    """What stays in the box: unused pawns, and machines that were not drawn."""
    pawns = [pawn_of(SeatId(at)) for at in range(SEATS_AT_MOST) if not any(drawn[at : at + 1])]
    cards = [card for card in tables.inventors if card not in drawn]
    return (*(Lies(pawn, _BOX, "up") for pawn in pawns), *(Lies(card, _BOX, "down") for card in cards))


@lru_cache(maxsize=256)
def _of_machine(machine: Machine, seat: SeatId) -> tuple[Lies, ...]:
    """A machine, its pawn and its cards; an act changes one of them at most."""
    own, slots = _OWN[seat]
    lying = [Lies(machine.card, own, "up"), Lies(pawn_of(seat), machine.at, "up")] if machine.card else []
    laid = zip(slots, machine.cards, machine.works, strict=True)
    return (*lying, *[Lies(card, slot, "up" if works else "down") for slot, card, works in laid if card])


_OWN: Final = tuple(
    (PlaceId(f"machine/{seat}"), tuple(PlaceId(f"slot/{seat}/{slot}") for slot in SLOTS))
    for seat in range(SEATS_AT_MOST)
)
"""The place of each seat's machine, and its slots."""
