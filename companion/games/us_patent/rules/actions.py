"""The Actions of a turn but for attacks and repairs (P20–P25, P28–P30)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.facts import NO_FACTS, Facts, Piece, Word
from companion.core.ids import PieceId, PlaceId, RuleId, SeatId
from companion.core.rules import Event, Rule, Verb, alone, unless
from companion.core.secrets import Hidden
from companion.games.us_patent import events as e
from companion.games.us_patent.cards import SLOTS, board_place
from companion.games.us_patent.effects import Leap
from companion.games.us_patent.machine import CALLED, NO_NUMBER, effects
from companion.games.us_patent.state import (
    Cards,
    State,
    board_at,
    card,
    is_seat,
    kind_at,
    known,
    look_of,
    machine_of,
    set_needed,
    workings_of,
)
from companion.games.us_patent.steps import Inventing

from .guards import ACT, Guard, at_step, on, there_is
from .intents import (
    Buy,
    ClaimPatent,
    Invent,
    InventNothing,
    LeapTo,
    LookInLab,
    MoveAgain,
    Patent,
    ResearchAgain,
    Salvage,
    Study,
    TakeGold,
    TakeNumber,
)
from .turn import SPACE_THERE, rolled_for


def scrapped(state: State, seat: SeatId, piece: PieceId) -> tuple[Event, ...]:
    """P7: the card that must leave the slot for `piece`, if there is one."""
    new = card(state, piece)
    old = machine_of(state, seat).cards[new.slot] if new else ""
    return (e.Scrapped(seat, PieceId(old)),) if old else ()


def own_slot(state: State, seat: SeatId, piece: PieceId) -> tuple[PlaceId, ...]:
    """Where hands lay an Upgrade that comes onto a machine."""
    found = card(state, piece)
    return (PlaceId(f"slot/{seat}/{SLOTS[found.slot]}"),) if found else ()


def rank(state: State, piece: PieceId) -> int:
    found = card(state, piece)
    return found.rank if found else 0


def _on_sale(state: State, actor: SeatId) -> Cards:
    """The Market underfoot; elsewhere all of them, so that “why not” has something to name."""
    if is_seat(state, actor) and kind_at(state, actor) == "market":
        return state.markets[board_at(state, actor)]
    return tuple(piece for cards in state.markets for piece in cards)


def _not_on_sale(state: State, intent: Buy) -> Facts | None:
    return unless(not any(intent.card in cards for cards in state.markets), card=Piece(intent.card))


def _other_market(state: State, intent: Buy) -> Facts | None:
    there = kind_at(state, intent.actor) == "market" and intent.card in state.markets[board_at(state, intent.actor)]
    return unless(not there, card=Piece(intent.card))


def _too_dear(state: State, intent: Buy) -> Facts | None:
    price, gold = rank(state, intent.card), machine_of(state, intent.actor).gold
    return unless(price > gold, price=price, gold=gold)


def _bought(state: State, intent: Buy) -> tuple[Event, ...]:
    price = rank(state, intent.card)
    return (*scrapped(state, intent.actor, intent.card), e.Bought(intent.actor, intent.card, price))


def _lab_stocked(state: State, seat: SeatId) -> bool:
    return bool(state.labs[board_at(state, seat)])


def _earlier_labs(state: State, seat: SeatId) -> bool:
    return any(state.labs[1 : board_at(state, seat)])


def _opened(state: State, intent: LookInLab) -> tuple[Event, ...]:
    seat, board = intent.actor, board_at(state, intent.actor)
    cards = tuple(hidden.value for hidden in state.labs[board])
    return (e.LabOpened(seat, known(state).lab[board], Hidden(cards, (seat,))),)


def _studied(state: State, intent: Study) -> tuple[Event, ...]:
    seat, board = intent.actor, board_at(state, intent.actor)
    cards = tuple(hidden.value for lab in state.labs[1:board] for hidden in lab)
    return (e.LabsStudied(seat, board, Hidden(cards, (seat,))),)


def _not_looked_at(state: State, intent: Invent) -> Facts | None:
    return unless(intent.card not in look_of(state, intent.actor), card=Piece(intent.card))


def _invented(state: State, intent: Invent) -> tuple[Event, ...]:
    step = state.steps[-1]
    assert isinstance(step, Inventing)
    return (*scrapped(state, intent.actor, intent.card), e.Invented(intent.actor, intent.card, step.place))


def _not_junk(state: State, intent: Salvage) -> Facts | None:
    return unless(intent.card not in state.junkyard, card=Piece(intent.card))


def _salvaged(state: State, intent: Salvage) -> tuple[Event, ...]:
    return (*scrapped(state, intent.actor, intent.card), e.Salvaged(intent.actor, intent.card))


def _not_own(state: State, intent: Patent) -> Facts | None:
    machine = machine_of(state, intent.actor)
    return unless(not intent.card or intent.card not in machine.cards, card=Piece(intent.card))


def _not_working(state: State, intent: Patent) -> Facts | None:
    return unless(machine_of(state, intent.actor).is_off(intent.card), card=Piece(intent.card))


def _patented(state: State, intent: Patent) -> tuple[Event, ...]:
    found = card(state, intent.card)
    assert found is not None
    return (e.Patented(intent.actor, intent.card, found.rank, known(state).market[found.period]),)


def leaps(state: State, seat: SeatId) -> tuple[str, ...]:
    """The kinds of space to which the seat's Upgrades leap."""
    return tuple(effect.to for _, effect in effects(known(state), machine_of(state, seat), Leap))


def _landings(state: State, actor: SeatId) -> Iterator[LeapTo]:
    tables = known(state)
    goals = leaps(state, actor) or ("lab", "market", "library")
    spaces = (space for space, kind in tables.kinds.items() if kind in goals)
    return (LeapTo(actor, board_place(tables.boards[space]), space) for space in spaces)


def _not_leapt_to(state: State, intent: LeapTo) -> Facts | None:
    kind = known(state).kinds.get(intent.space, "plain")
    return unless(kind not in leaps(state, intent.actor), kind=Word(f"kind-of-space.{kind}"))


def _no_leap(state: State, actor: SeatId) -> Facts | None:
    return unless(Leap not in workings_of(state, actor).effects)


def _by_itself(state: State, actor: SeatId) -> Facts | None:
    return unless(state.setup.option("win") != "action")


def _no_number(state: State, actor: SeatId) -> Facts | None:
    return unless(machine_of(state, actor).number == NO_NUMBER)


def _not_called(state: State, actor: SeatId) -> Facts | None:
    return None if is_seat(state, actor) and machine_of(state, actor).number in (CALLED, NO_NUMBER) else NO_FACTS


def _set_missing(state: State, actor: SeatId) -> Facts | None:
    have, need = len(machine_of(state, actor).working()), set_needed(state)
    return unless(have < need, have=have, need=need)


DECK_LEFT = there_is("P21", "deck-left", lambda state, seat: len(state.deck) > 0)
WIN = (
    Guard(RuleId("P.a"), "win-by-action", _by_itself, physical=True),
    *ACT,
    Guard(RuleId("P44"), "has-number", _no_number, physical=True),
    Guard(RuleId("P30"), "called", _not_called, physical=True),
    Guard(RuleId("P30"), "on-office", on("office", "P30").broken, physical=True),
    Guard(RuleId("P30"), "full-set", _set_missing, physical=True),
)

ACTIONS = (
    Verb[State, ClaimPatent](
        ClaimPatent, WIN, alone(ClaimPatent), (), lambda s, i: (e.Won(i.actor),), asks=True, listed=False
    ),
    Verb[State, Buy](
        Buy,
        (*ACT, on("market", "P22"), there_is("P.aa", "market-stocked", lambda s, seat: bool(_on_sale(s, seat)))),
        lambda state, actor: (Buy(actor, piece) for piece in _on_sale(state, actor)),
        (
            Rule(RuleId("P22"), "on-sale", _not_on_sale, physical=True),
            Rule(RuleId("P22"), "this-market", _other_market),
            Rule(RuleId("P.ag"), "can-pay", _too_dear, physical=True),
        ),
        _bought,
        asks=True,
        lands=lambda s, i: own_slot(s, i.actor, i.card),
    ),
    Verb[State, LookInLab](
        LookInLab,
        (*ACT, on("lab", "P23"), there_is("P.aa", "lab-stocked", _lab_stocked)),
        alone(LookInLab),
        (),
        _opened,
        asks=True,
    ),
    Verb[State, Study](
        Study,
        (*ACT, on("library", "P24"), there_is("P.aa", "labs-stocked", _earlier_labs)),
        alone(Study),
        (),
        _studied,
        asks=True,
    ),
    Verb[State, Salvage](
        Salvage,
        (*ACT, on("junkyard", "P25"), there_is("P.aa", "junkyard-stocked", lambda s, seat: bool(s.junkyard))),
        lambda state, actor: (Salvage(actor, piece) for piece in state.junkyard),
        (Rule(RuleId("P25"), "in-junkyard", _not_junk, physical=True),),
        _salvaged,
        asks=True,
        lands=lambda s, i: own_slot(s, i.actor, i.card),
    ),
    Verb[State, TakeNumber](
        TakeNumber,
        (*ACT, on("office", "P29")),
        alone(TakeNumber),
        (),
        lambda s, i: (e.NumberWanted(i.actor),),
        asks=True,
    ),
    Verb[State, Patent](
        Patent,
        (
            *ACT,
            on("office", "P28"),
            there_is("P.aa", "something-works", lambda s, seat: any(s.machines[seat].works)),
        ),
        lambda state, actor: (Patent(actor, piece) for piece in machine_of(state, actor).attached()),
        (
            Rule(RuleId("P28"), "own-card", _not_own, physical=True),
            Rule(RuleId("P28"), "works", _not_working),
        ),
        _patented,
        asks=True,
    ),
    Verb[State, LeapTo](
        LeapTo,
        (*ACT, Guard(RuleId("P32"), "has-leap", _no_leap)),
        _landings,
        (
            SPACE_THERE,
            Rule(RuleId("P32"), "leaps-there", _not_leapt_to),
        ),
        lambda s, i: (e.Leapt(i.actor, i.space),),
        asks=True,
        listed=False,
    ),
    Verb[State, TakeGold](TakeGold, ACT, alone(TakeGold), (), lambda s, i: (e.Earned(i.actor, 1),)),
    Verb[State, MoveAgain](
        MoveAgain,
        ACT,
        alone(MoveAgain),
        (),
        lambda s, i: (e.MovedAgain(i.actor), *rolled_for(s, i.actor)),
        asks=True,
    ),
    Verb[State, ResearchAgain](
        ResearchAgain,
        (*ACT, DECK_LEFT),
        alone(ResearchAgain),
        (),
        lambda s, i: (e.ResearchedAgain(i.actor),),
        asks=True,
    ),
)

ANSWERS = (
    Verb[State, Invent](
        Invent,
        at_step("P23", "inventing", Inventing),
        lambda state, actor: (Invent(actor, piece) for piece in look_of(state, actor)),
        (Rule(RuleId("P23"), "in-this-lab", _not_looked_at, physical=True),),
        _invented,
        asks=True,
        listed=False,
        lands=lambda s, i: own_slot(s, i.actor, i.card),
    ),
    Verb[State, InventNothing](
        InventNothing,
        at_step("P23", "inventing", Inventing),
        alone(InventNothing),
        (),
        lambda s, i: (e.InventedNothing(i.actor),),
        listed=False,
    ),
)
