"""What people take in at a glance: slots, power meter, number line, and how far a seat is from the patent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import (
    Bar,
    Cell,
    Check,
    Checks,
    Duel,
    Ledger,
    Look,
    Meter,
    Noted,
    Part,
    Piece,
    Place,
    Row,
    RuleId,
    Said,
    SeatId,
    Side,
    Slots,
    Stages,
    Standing,
    Track,
    Word,
    say,
)
from companion.games.us_patent.state import (
    CALLED,
    NEVER,
    NO_NUMBER,
    OWN_POWER,
    PAIR_POWER,
    PLANT,
    SLOTS,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Going,
    Hit,
    Machine,
    Moving,
    Placing,
    Rolling,
    State,
    card_name,
    has_action,
    is_pair,
    kind_at,
    known,
    pack_now,
    set_needed,
    top,
    wins_by_action,
    workings,
)

from .books import meter, missing, number, prices, slots, texts
from .odds import Odds, odds_now, sides_of

ODDS: Final[tuple[tuple[str, Look], ...]] = (("miss", "plain"), ("hit", "used"), ("heavy", "over"))
STOPS: Final = ("6", "5", "4", "3", "2", "1", "!")
_STAGES: Final = ("number", "research", "move", "act")


def slot_panel(view: State, seat: SeatId) -> Slots:
    """The four slots; “=” stands between Chassis and Power Plant while they are a pair (P8)."""
    machine = view.machines[seat]
    pair = is_pair(known(view), machine)
    cells = (_cell(view, machine, at, tied=pair and at == PLANT) for at in range(len(SLOTS)))
    return Slots(tuple(slots(view, seat)), tuple(cells))


def _cell(view: State, machine: Machine, at: int, *, tied: bool) -> Cell:
    slot, piece = SLOTS[at], machine.cards[at]
    head = say(f"panel.slot.{slot}")
    if not piece:
        return Cell(head, slot)
    name = say("panel.name", name=card_name(pack_now(view), piece))
    return Cell(head, slot, name, known(view).cards[piece].rank, not machine.works[at], tied)


def effect_lines(view: State, seat: SeatId) -> Iterator[Noted]:
    """What the working Upgrades do, each beside the icon of its slot."""
    machine = view.machines[seat]
    for slot, piece, works in zip(SLOTS, machine.cards, machine.works, strict=True):
        if works:
            yield from (Noted(line, slot) for line in texts(view, piece))


def power_meter(view: State, seat: SeatId) -> Meter:
    """Capacity and draw on one scale (P8, P9), and what depends on the Power Plant (P12)."""
    tables, machine = known(view), view.machines[seat]
    now = workings(tables, machine)
    plant, pair = now.ranks[PLANT], PAIR_POWER if is_pair(tables, machine) else 0
    more = now.capacity - OWN_POWER - plant - pair
    capacity = (
        Part(say("panel.own", n=OWN_POWER), max(0, OWN_POWER + min(0, more))),
        Part(say("panel.drawn", slot=Word("panel.slot.plant"), n=plant), plant),
        Part(say("panel.pair", n=pair), pair, "extra"),
        Part(say("panel.more", n=more), max(0, more), "extra"),
    )
    bars = (
        Bar(say("panel.capacity", n=now.capacity), capacity),
        Bar(say("panel.draw", n=now.draw), _drawn(view, machine)),
    )
    words = meter(view, seat)
    return Meter(words, bars, next((line for line in words if line.key == "power.plant-fails"), None))


def _drawn(view: State, machine: Machine) -> tuple[Part, ...]:
    tables = known(view)
    now = workings(tables, machine)
    taken = (
        Part(
            say("panel.drawn", slot=Word(f"panel.slot.{slot}"), n=tables.cards[piece].draw),
            tables.cards[piece].draw,
            "used",
        )
        for slot, piece, works in zip(SLOTS, machine.cards, machine.works, strict=True)
        if works
    )
    left = now.capacity - now.draw
    return (*taken, Part(say("panel.left", n=left), max(0, left), "left"))


def number_line(view: State, seat: SeatId) -> Track:
    """The counter on its way to “!” (P42)."""
    value = view.machines[seat].number
    if value == NO_NUMBER:
        return Track((), say("panel.number-none"), STOPS)
    words = (number(view, seat),)
    if value == CALLED:
        return Track(words, say("panel.number-called"), STOPS, len(STOPS) - 1)
    calls = say("panel.calls-in", n=value) if view.steps else None  # nobody is called once the game is over
    return Track(words, say("panel.number", n=value), STOPS, len(STOPS) - 1 - value, calls)


def conditions(view: State, seat: SeatId) -> tuple[Check, ...]:
    """The conditions of the patent (P30), each with the rule in the way; none once somebody has it.

    If winning is an Action, a seat that is called also needs that Action (P.ac).
    """
    if not view.steps:
        return ()
    machine, need = view.machines[seat], set_needed(view)
    have, value = len(machine.working()), machine.number
    called = say("panel.check-called") if value == CALLED else say("panel.check-in", n=value)
    waits = RuleId("P44" if value == NO_NUMBER else "P17")
    acts = wins_by_action(view) and value == CALLED and seat == view.turn
    action = (Check(say("panel.check-action"), has_action(view, seat), RuleId("P.ac")),) if acts else ()
    return (
        Check(say("panel.check-set", have=have, need=need), have >= need, RuleId("P30")),
        Check(say("panel.check-office"), kind_at(view, seat) == "office", RuleId("P30")),
        Check(say("panel.check-none") if value == NO_NUMBER else called, value == CALLED, waits),
        *action,
    )


def to_win(view: State, seat: SeatId) -> Iterator[Checks]:
    """What the seat still needs; nothing once the game is over."""
    if view.steps:
        yield Checks(tuple(m.said for m in missing(view, seat)), say("panel.to-win"), conditions(view, seat))


def standing(view: State, seat: SeatId, words: tuple[Said, ...], alarm: Said | None) -> Standing:
    """A seat in the referee check."""
    machine = view.machines[seat]
    now = workings(known(view), machine)
    bar = Bar(say("panel.power", draw=now.draw, capacity=now.capacity), _drawn_in_one(now.draw, now.capacity))
    value = {NO_NUMBER: "–", CALLED: "!"}.get(machine.number, str(machine.number))
    place = say("panel.at", place=Place(machine.at), gold=machine.gold, draw=now.draw, capacity=now.capacity)
    return Standing(words, seat, place, say("panel.number-word"), value, bar, conditions(view, seat), alarm)


def _drawn_in_one(draw: int, capacity: int) -> tuple[Part, ...]:
    return (
        Part(say("panel.own", n=draw), min(draw, capacity), "used"),
        Part(say("panel.over", n=draw - capacity), max(0, draw - capacity), "over"),
        Part(say("panel.left", n=capacity - draw), max(0, capacity - draw), "left"),
    )


def price_list(view: State) -> Iterator[Ledger]:
    """Every Market with its year; nothing while all are empty."""
    tables, years = known(view), view.setup.pack.years
    rows = tuple(
        Row(say("panel.year", year=years[board]), say("choice", item=Piece(piece)), str(tables.cards[piece].rank))
        for board, cards in enumerate(view.markets)
        for piece in cards
    )
    if rows:
        yield Ledger(tuple(prices(view)), say("panel.markets"), say("panel.in-gold"), rows)


def duels(view: State) -> Iterator[Duel]:
    """The attack in progress, with the remaining chances while dice are due."""
    step = next((each for each in reversed(view.steps) if isinstance(each, Dice | Hit | Countering)), None)
    if step is None:
        return
    fight = step.fight
    attack, defence = (NEVER, NEVER) if isinstance(step, Countering) else (step.attack, step.defence)
    sides = (
        Side(fight.attacker, _throws(fight.attack_dice, fight.attack_plus, attack), say("panel.attacks")),
        Side(fight.defender, _throws(fight.defence_dice, fight.defence_plus, defence), say("panel.defends")),
    )
    found = odds_now(step) if isinstance(step, Dice) else None
    words = (sides_of(fight), *((found.said(),) if found else ()))
    yield Duel(words, sides, say("panel.against"), _chances(found) if found else None)


def _throws(dice: int, plus: int, total: int) -> Said:
    """A sum once it is known, else what will make it up."""
    return say("panel.sum", n=total) if total != NEVER else say("panel.throws", dice=Word(f"dice.{dice}"), plus=plus)


def _chances(found: Odds) -> Bar:
    parts = zip(ODDS, found.shares(), found.percents(), strict=True)
    said = tuple(Part(say(f"panel.odds-{name}", share=share), n, look) for (name, look), share, n in parts)
    return Bar(say("panel.chances"), said)


def stages(view: State) -> Stages | None:
    """Step 0 to step 3 of a turn (P17–P20)."""
    step = top(view)
    if step is None or isinstance(step, Dealing):
        return None
    open_ = {type(each) for each in view.steps}
    researching = Moving in open_ and bool(open_ & {Drawing, Placing})
    at = 1 if researching else 2 if open_ & {Moving, Rolling, Going} else 3
    return Stages(tuple(say(f"panel.stage.{name}") for name in _STAGES), at)
