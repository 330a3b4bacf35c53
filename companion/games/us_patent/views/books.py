"""The books: power, numbers, prices, and what is still missing to win."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core import Name, Piece, PieceId, Place, RuleId, Said, Seat, SeatId, Word, say
from companion.games.us_patent.state import (
    CALLED,
    NO_NUMBER,
    PAIR_POWER,
    PLANT,
    SLOTS,
    Machine,
    State,
    capacity,
    card,
    draw,
    has_action,
    is_pair,
    kind_at,
    known,
    pack_now,
    sentence,
    set_needed,
    wins_by_action,
    with_card,
)


class Missing(Struct, frozen=True):
    """One condition that a seat does not meet yet, and its rule."""

    rule: RuleId
    said: Said


def missing(view: State, seat: SeatId) -> tuple[Missing, ...]:
    """Everything between a seat and the patent, by rule (P30, P44, P17, P.ac); nothing once the game is over."""
    return tuple(_missing(view, seat)) if view.steps else ()


def alarm(view: State, seat: SeatId) -> Said | None:
    """A seat that wins with its next step, and how: at the end of its turn, or by an Action (P.a)."""
    lacking = [m.rule for m in missing(view, seat)]
    by = "-by-action" if wins_by_action(view) else ""
    if not view.steps or view.machines[seat].number not in (CALLED, 1):
        return None
    if not lacking and seat == view.turn:
        return say(f"status.wins{by}", seat=Seat(seat))
    return say(f"status.wins-next{by}", seat=Seat(seat)) if lacking in ([], ["P17"]) else None


def _missing(view: State, seat: SeatId) -> Iterator[Missing]:
    machine, who = view.machines[seat], Seat(seat)
    lacking = set_needed(view) - len(machine.working())
    if lacking > 0:
        for slot, piece, works in zip(SLOTS, machine.cards, machine.works, strict=True):
            if not piece:
                yield Missing(RuleId("P30"), say("missing.empty", seat=who, slot=Word(f"slot.{slot}")))
            elif not works:
                yield Missing(RuleId("P30"), say("missing.disabled", seat=who, card=Piece(piece)))
    if kind_at(view, seat) != "office":
        yield Missing(RuleId("P30"), say("missing.office", seat=who))
    if machine.number == NO_NUMBER:
        yield Missing(RuleId("P44"), say("missing.number", seat=who))
    elif machine.number > CALLED:
        yield Missing(RuleId("P17"), say("missing.turns", seat=who, n=machine.number))
    elif seat == view.turn and wins_by_action(view) and not has_action(view, seat):
        yield Missing(RuleId("P.ac"), say("missing.action", seat=who))


def power(view: State, machine: Machine) -> Said:
    """Capacity, draw and what is left."""
    tables = known(view)
    have, need = capacity(tables, machine), draw(tables, machine)
    if need > have:
        return say("power.over", draw=need, capacity=have, over=need - have)
    return say("power.meter", draw=need, capacity=have, left=have - need)


def meter(view: State, seat: SeatId) -> tuple[Said, ...]:
    """A machine's power meter, where its capacity comes from, and what depends on the Power Plant (P12)."""
    tables, machine = known(view), view.machines[seat]
    lines = [power(view, machine)]
    if is_pair(tables, machine):
        lines.append(say("power.pair", bonus=PAIR_POWER))
    if machine.works[PLANT]:
        lines.append(plant_fails(view, machine))
    return tuple(lines)


def plant_fails(view: State, machine: Machine) -> Said:
    """What losing the Power Plant would cost."""
    tables = known(view)
    without = with_card(machine, PLANT, machine.cards[PLANT], False)
    have, need = capacity(tables, without), draw(tables, without)
    if need <= have:
        return say("power.plant-safe", capacity=have)
    return say("power.plant-fails", capacity=have, draw=need, over=need - have)


def number(view: State, seat: SeatId) -> Said:
    """The number line (P42)."""
    value = view.machines[seat].number
    if value == NO_NUMBER:
        return say("number.none", seat=Seat(seat))
    if value == CALLED:
        return say("number.called", seat=Seat(seat))
    return say("number.waits", seat=Seat(seat), number=value)


def slots(view: State, seat: SeatId) -> Iterator[Said]:
    """Each slot with its card."""
    machine = view.machines[seat]
    for slot, piece, works in zip(SLOTS, machine.cards, machine.works, strict=True):
        if not piece:
            yield say("slot.empty", slot=Word(f"slot.{slot}"))
        else:
            yield say("slot.works" if works else "slot.down", card=Piece(piece))


def texts(view: State, piece: PieceId) -> Iterator[Said]:
    """What a card does; free text from the pack is marked as not enforced."""
    found = card(view, piece)
    if found is None:
        return
    yield from (sentence(effect) for effect in found.effects)
    free = next((up.text for up in pack_now(view).upgrades if up.id == piece and up.text), "")
    if free:
        yield say("effect.free-text", text=Name(free))


def prices(view: State) -> Iterator[Said]:
    """Every Market."""
    tables = known(view)
    for board, cards in enumerate(view.markets):
        where = Place(tables.market[board])
        yield from (say("status.price", place=where, card=Piece(c), price=tables.cards[c].rank) for c in cards)


def junk(view: State) -> Iterator[Said]:
    """The Junkyard, where cards are free."""
    return (say("status.junk", card=Piece(c)) for c in view.junkyard)
