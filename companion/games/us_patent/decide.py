"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, assert_never

from companion.core.facts import Fact, Piece, Seat, say
from companion.core.game import Decision, Lies, Result
from companion.core.ids import TABLE, UNKNOWN, PlaceId, SeatId

from .cards import SEATS_AT_MOST, SLOTS, pawn_of
from .combat import margin
from .machine import capacity, draw
from .state import State, known, seats_of
from .steps import (
    NEVER,
    Acting,
    Closing,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Ending,
    Going,
    Hit,
    Inventing,
    Loot,
    Moving,
    Numbering,
    OfTable,
    Placing,
    Rolling,
    Short,
    Step,
)


def decisions(state: State) -> tuple[Decision, ...]:
    """The stack of open questions, the one that counts last."""
    asked = [_decision(state, step) for step in state.steps]
    if state.short and asked:
        asked.append(_decision(state, Short(state.short[0])))
    return tuple(asked)


def _decision(state: State, step: Step) -> Decision:
    """`subject` counts what changes with each answer, so that no two questions of a turn look alike."""
    match step:
        case Moving() | Acting() | Ending() | Closing():
            return _of_part(_PARTS[type(step)], step.seat, state.turns, len(state.used))
        case Dealing() | Drawing() | Rolling() | Numbering() | Dice():
            return _of_table(state, step)
        case Going() | Placing() | Inventing():
            return _of_turn(state, step)
        case Hit() | Loot() | Countering():
            return _of_fight(state, step)
        case Short(seat=seat):
            machine = state.machines[seat]
            have, need = capacity(known(state), machine), draw(known(state), machine)
            return _ask("short", seat, state, sum(machine.works), seat=Seat(seat), draw=need, capacity=have)
        case _:
            assert_never(step)


_PARTS: Final[dict[type[Step], str]] = {Moving: "move", Acting: "act", Ending: "end", Closing: "end"}


@lru_cache(maxsize=256)
def _of_part(kind: str, seat: SeatId, turns: int, used: int) -> Decision:
    """A part of the turn that is still to come; the same question each time that the stack is told."""
    return _asked(kind, seat, turns, used, seat=Seat(seat))


def _of_table(state: State, step: OfTable) -> Decision:
    match step:
        case Dealing():
            seat = next((at for at, machine in enumerate(state.machines) if not machine.card), 0)
            return _ask("draw-machine", TABLE, state, seat, seat=Seat(SeatId(seat)))
        case Drawing(seat=seat):
            return _ask("research", TABLE, state, len(state.deck), seat=Seat(seat))
        case Rolling(seat=seat):
            return _ask("move-die", TABLE, state, len(state.steps), seat=Seat(seat))
        case Numbering(seat=seat):
            return _ask("number-die", TABLE, state, 0, seat=Seat(seat))
        case Dice(fight=fight, attack=attack):
            mine = attack == NEVER
            who, kind = (fight.attacker, "attack-dice") if mine else (fight.defender, "defence-die")
            dice, plus = (fight.attack_dice, fight.attack_plus) if mine else (fight.defence_dice, fight.defence_plus)
            return _ask(kind, TABLE, state, len(state.steps), seat=Seat(who), dice=dice, plus=plus)


def _of_turn(state: State, step: Going | Placing | Inventing) -> Decision:
    who = Seat(step.seat)
    match step:
        case Going(reach=reach):
            return _ask("go", step.seat, state, 10 * len(state.steps) + len(state.used), seat=who, reach=reach)
        case Placing():
            # Not which card: a decision is shown to everyone.
            return _ask("place", step.seat, state, len(state.deck), seat=who)
        case Inventing():
            return _ask("invent", step.seat, state, 0, seat=who, n=len(state.looks[step.seat].value))


def _of_fight(state: State, step: Hit | Loot | Countering) -> Decision:
    depth = len(state.steps)
    match step:
        case Hit(fight=fight):
            who, target = Seat(fight.attacker), Seat(fight.defender)
            return _ask("hit", fight.attacker, state, depth, seat=who, target=target, margin=margin(step))
        case Loot(seat=seat, card=card):
            return _ask("loot", seat, state, depth, seat=Seat(seat), card=Piece(card))
        case Countering(fight=fight):
            return _ask("counter", fight.defender, state, depth, seat=Seat(fight.defender), target=Seat(fight.attacker))


def _ask(kind: str, awaited: SeatId, state: State, left: int, /, **facts: Fact) -> Decision:
    return _asked(kind, awaited, state.turns, left, **facts)


def _asked(kind: str, awaited: SeatId, turns: int, left: int, /, **facts: Fact) -> Decision:
    return Decision(kind, (awaited,), f"{turns}.{left}", tuple(facts.items()))


def result(state: State) -> Result | None:
    """Who patented time travel."""
    if state.steps:
        return None
    return Result((state.winner,), say("result.won", seat=Seat(state.winner), round=state.round))


def layout(state: State) -> tuple[Lies, ...]:
    """Each known piece and where it should lie; what a view does not know is left out."""
    lying = [lies for lies in _lies(state) if lies.piece != UNKNOWN]
    looked_at = {card for look in state.looks for card in look.value} - {UNKNOWN}
    if looked_at:
        # A view names a card before its seat's eyes, though it does not know which of the Lab's cards that is.
        tables = known(state)
        unnamed = sorted(looked_at - {lies.piece for lies in lying})
        lying += [Lies(card, tables.lab[tables.cards[card].period], "down") for card in unnamed]
    return tuple(lying)


def _lies(state: State) -> Iterator[Lies]:
    tables = known(state)
    for board, cards in enumerate(state.markets):
        yield from (Lies(card, tables.market[board], "up") for card in cards)
    for board, lab in enumerate(state.labs):
        yield from (Lies(hidden.value, tables.lab[board], "down") for hidden in lab)
    yield from (Lies(card, PlaceId("0/junkyard"), "up") for card in state.junkyard)
    yield from (Lies(card, PlaceId("deck"), "down") for card in state.deck.unseen)
    for step in state.steps:
        match step:
            case Placing(seat=seat, card=hidden):
                yield Lies(hidden.value, PlaceId(f"hand/{seat}"), "down")
            case Loot(seat=seat, card=card):
                yield Lies(card, PlaceId(f"hand/{seat}"), "up")
    for number in seats_of(state):
        yield from _machine(state, SeatId(number))
    standing = {pawn_of(SeatId(at)) for at, machine in enumerate(state.machines) if machine.card}
    pawns = (pawn_of(SeatId(at)) for at in range(SEATS_AT_MOST))
    yield from (Lies(pawn, PlaceId("box"), "up") for pawn in pawns if pawn not in standing)
    drawn = {machine.card for machine in state.machines}
    yield from (Lies(card, PlaceId("box"), "down") for card in tables.inventors if card not in drawn)


def _machine(state: State, seat: SeatId) -> Iterator[Lies]:
    machine = state.machines[seat]
    if machine.card:
        yield Lies(machine.card, PlaceId(f"machine/{seat}"), "up")
        yield Lies(pawn_of(seat), machine.at, "up")
    for slot, card, works in zip(SLOTS, machine.cards, machine.works, strict=True):
        if card:
            yield Lies(card, PlaceId(f"slot/{seat}/{slot}"), "up" if works else "down")
