"""Taking cards as an Action, from a Market, a Lab or the Junkyard; and looking into Labs (P22–P25, P45, P46)."""

from __future__ import annotations

from collections.abc import Callable

from companion.core import (
    UNKNOWN,
    Basis,
    Event,
    Facts,
    Hidden,
    Intent,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Rule,
    RuleId,
    SeatId,
    Token,
    Verb,
    alone,
    is_seat,
    unless,
)
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    SLOTS,
    Cards,
    Inventing,
    Kind,
    State,
    board_at,
    board_of,
    card,
    in_sight,
    kind_at,
    known,
    look_of,
    machine_of,
)

from .guards import ACT, at_step, on, there_is
from .intents import Buy, Invent, InventNothing, LookInLab, Salvage, Study


def scrapped(state: State, seat: SeatId, piece: PieceId) -> tuple[Event, ...]:
    """P7: the card that must leave the slot for `piece`, if any."""
    new = card(state, piece)
    old = machine_of(state, seat).cards[new.slot] if new else ""
    return (e.Scrapped(seat, PieceId(old)),) if old else ()


def own_slot(state: State, seat: SeatId, piece: PieceId) -> tuple[PlaceId, ...]:
    """Where hands lay an Upgrade that goes onto a machine."""
    found = card(state, piece)
    return (PlaceId(f"slot/{seat}/{SLOTS[found.slot]}"),) if found else ()


def rank(state: State, piece: PieceId) -> int:
    found = card(state, piece)
    return found.rank if found else 0


def _on_sale(state: State, actor: SeatId) -> Cards:
    """The Market underfoot; elsewhere all Markets, so that “why not” has something to name."""
    if is_seat(state, actor) and kind_at(state, actor) == "market":
        return state.markets[board_at(state, actor)]
    return tuple(piece for cards in state.markets for piece in cards)


def _all_on_sale(state: State, actor: SeatId) -> list[Buy]:
    return [Buy(actor, piece) for cards in state.markets for piece in cards]


def _not_on_sale(state: State, intent: Buy) -> Facts | None:
    return unless(not any(intent.card in cards for cards in state.markets), card=Piece(intent.card))


def _other_market(state: State, intent: Buy) -> Facts | None:
    """Which Market has it, for a pawn that stands on another."""
    board = next((at for at, cards in enumerate(state.markets) if intent.card in cards), 0)
    if not board or kind_at(state, intent.actor) != "market":
        return None
    there = known(state).market[board]
    return unless(board != board_at(state, intent.actor), card=Piece(intent.card), place=Place(there))


def _too_dear(state: State, intent: Buy) -> Facts | None:
    price, gold = rank(state, intent.card), machine_of(state, intent.actor).gold
    return unless(price > gold, price=price, gold=gold)


def _bought(state: State, intent: Buy) -> tuple[Event, ...]:
    price = rank(state, intent.card)
    return (*scrapped(state, intent.actor, intent.card), e.Bought(intent.actor, intent.card, price))


def _market_stocked(state: State, seat: SeatId) -> bool:
    return kind_at(state, seat) != "market" or bool(state.markets[board_at(state, seat)])


def _lab_stocked(state: State, seat: SeatId) -> bool:
    return kind_at(state, seat) != "lab" or bool(state.labs[board_at(state, seat)])


def _earlier_labs(state: State, seat: SeatId) -> bool:
    return kind_at(state, seat) != "library" or any(state.labs[1 : board_at(state, seat)])


def underfoot(kind: Kind) -> Callable[[State, Intent], tuple[Token, ...]]:
    """The tag of the space where the pawn stands means what is done there."""

    def also(state: State, intent: Intent) -> tuple[Token, ...]:
        here = kind_at(state, intent.actor) == kind
        return (Token("place", machine_of(state, intent.actor).at),) if here else ()

    return also


def _unseen(state: State, actor: SeatId) -> list[Invent]:
    """Anything face down may be in the Lab: a refusal must not reveal which cards are."""
    seen = in_sight(state)
    return [Invent(actor, piece) for piece in known(state).cards if piece not in seen]


def _opened(state: State, intent: LookInLab) -> tuple[Event, ...]:
    seat, board = intent.actor, board_at(state, intent.actor)
    cards = tuple(hidden.value for hidden in state.labs[board])
    return (e.LabOpened(seat, known(state).lab[board], Hidden(cards, (seat,))),)


def _studied(state: State, intent: Study) -> tuple[Event, ...]:
    seat, board = intent.actor, board_at(state, intent.actor)
    cards = tuple(hidden.value for lab in state.labs[1:board] for hidden in lab)
    return (e.LabsStudied(seat, board, Hidden(cards, (seat,))),)


def _in_reach(state: State, actor: SeatId) -> tuple[PieceId, ...]:
    """The cards the actor sees in the Lab to take one from; by now it may be looking at other Labs (advise mode)."""
    step = state.steps[-1] if state.steps else None
    lab = {h.value for h in state.labs[board_of(step.place)]} if isinstance(step, Inventing) else set()
    return tuple(piece for piece in look_of(state, actor) if piece in lab or UNKNOWN in lab)


def _not_looked_at(state: State, intent: Invent) -> Facts | None:
    return unless(intent.card not in _in_reach(state, intent.actor), card=Piece(intent.card))


def _invented(state: State, intent: Invent) -> tuple[Event, ...]:
    step = state.steps[-1]
    assert isinstance(step, Inventing)
    return (*scrapped(state, intent.actor, intent.card), e.Invented(intent.actor, intent.card, step.place))


def _all_junk(state: State, actor: SeatId) -> list[Salvage]:
    return [Salvage(actor, piece) for piece in state.junkyard]


def _not_junk(state: State, intent: Salvage) -> Facts | None:
    return unless(intent.card not in state.junkyard, card=Piece(intent.card))


def _salvaged(state: State, intent: Salvage) -> tuple[Event, ...]:
    return (*scrapped(state, intent.actor, intent.card), e.Salvaged(intent.actor, intent.card))


TAKING = (
    Verb[State, Buy](
        Buy,
        (*ACT, on("market", "P22"), there_is("P.aa", "market-stocked", _market_stocked)),
        lambda state, actor: (Buy(actor, piece) for piece in _on_sale(state, actor)),
        (
            Rule(RuleId("P22"), "on-sale", _not_on_sale, physical=True),
            Rule(RuleId("P22"), "this-market", _other_market, basis=Basis.PLACE),
            Rule(RuleId("P.ag"), "can-pay", _too_dear, physical=True, basis=Basis.PRICE),
        ),
        _bought,
        asks=True,
        lands=lambda s, i: own_slot(s, i.actor, i.card),
        also=underfoot("market"),
        also_by=("place",),
        thinkable=_all_on_sale,
    ),
    Verb[State, LookInLab](
        LookInLab,
        (*ACT, on("lab", "P23"), there_is("P.aa", "lab-stocked", _lab_stocked)),
        alone(LookInLab),
        (),
        _opened,
        asks=True,
        also=underfoot("lab"),
        also_by=("place",),
    ),
    Verb[State, Study](
        Study,
        (*ACT, on("library", "P24"), there_is("P.aa", "labs-stocked", _earlier_labs)),
        alone(Study),
        (),
        _studied,
        asks=True,
        also=underfoot("library"),
        also_by=("place",),
    ),
    Verb[State, Salvage](
        Salvage,
        (*ACT, on("junkyard", "P25"), there_is("P.aa", "junkyard-stocked", lambda s, seat: bool(s.junkyard))),
        _all_junk,
        (Rule(RuleId("P25"), "in-junkyard", _not_junk, physical=True),),
        _salvaged,
        asks=True,
        lands=lambda s, i: own_slot(s, i.actor, i.card),
        also=underfoot("junkyard"),
        also_by=("place",),
        thinkable=_all_junk,
    ),
)

ANSWERS = (
    Verb[State, Invent](
        Invent,
        at_step("P23", "inventing", Inventing),
        lambda state, actor: (Invent(actor, piece) for piece in _in_reach(state, actor)),
        (Rule(RuleId("P23"), "in-this-lab", _not_looked_at, physical=True),),
        _invented,
        asks=True,
        listed=False,
        lands=lambda s, i: own_slot(s, i.actor, i.card),
        thinkable=_unseen,
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
