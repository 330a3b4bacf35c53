"""Pick-a-card: the smallest game with a hand, a sealed pile, a deck and a number, for tests of code that knows no
game.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    NOBODY,
    TABLE,
    Decision,
    Deck,
    Event,
    Facts,
    Finding,
    Game,
    GameId,
    Guarded,
    Hidden,
    Intent,
    Lies,
    Line,
    Name,
    Option,
    Piece,
    PieceId,
    PlaceId,
    Public,
    Result,
    Rule,
    RuleId,
    Said,
    Seat,
    SeatId,
    Setup,
    Static,
    Status,
    Verb,
    alone,
    deck_of,
    including,
    say,
    unless,
    without,
)
from tests import pick_face as face

Cards = tuple[PieceId, ...]
ALL_CHIPS = 9
A, B, C = PieceId("a"), PieceId("b"), PieceId("c")


class Pack(Struct, frozen=True):
    cards: Cards


NO_SETUP: Setup[Pack] = Setup(GameId("pick"), 1, 0, (), Pack(()))


class State(Struct, frozen=True, omit_defaults=True):
    turn: Public[SeatId]
    chips: Public[tuple[int, ...]]
    open: Public[Cards]
    deck: Guarded[Deck]
    hands: Guarded[tuple[Hidden[Cards], ...]]
    sealed: Guarded[Hidden[Cards]]
    drawing: Public[bool] = False
    setup: Static[Setup[Pack]] = NO_SETUP


class Lay(Intent, frozen=True):
    card: PieceId


class Seal(Intent, frozen=True):
    card: PieceId


class Bet(Intent, frozen=True):
    number: int


class Drew(Intent, frozen=True):
    card: PieceId


class Pass(Intent, frozen=True):
    pass


class SetChips(Intent, frozen=True):
    seat: SeatId
    number: int


class Laid(Event, frozen=True):
    seat: Public[SeatId]
    card: Public[PieceId]


class WasSealed(Event, frozen=True):
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class WasBet(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


class WasDrawn(Event, frozen=True):
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]
    reveals = True


class Passed(Event, frozen=True):
    seat: Public[SeatId]


class ChipsSet(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


def start(setup: Setup[Pack]) -> State:
    cards, n = setup.pack.cards, setup.seats
    hands = tuple(Hidden(tuple(sorted(cards[2 * s : 2 * s + 2])), (SeatId(s),)) for s in range(n))
    return State(SeatId(0), (5,) * n, (), deck_of(cards[2 * n :]), hands, Hidden((), NOBODY), setup=setup)


def apply(state: State, event: Event) -> State:
    match event:
        case Laid(seat, card):
            return replace(_out_of_hand(state, seat, card), open=(*state.open, card), drawing=len(state.deck) > 0)
        case WasSealed(seat, card):
            out = _out_of_hand(state, seat, card.value)
            return replace(out, sealed=Hidden(including(state.sealed.value, card.value), NOBODY))
        case WasBet(seat, number):
            return _with_chips(state, seat, state.chips[seat] - number)
        case WasDrawn(seat, card):
            hand = Hidden(including(state.hands[seat].value, card.value), (seat,))
            hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
            return replace(state, deck=state.deck.without(card.value), hands=hands, drawing=False)
        case Passed(seat):
            return replace(state, turn=state.setup.left_of(seat))
        case ChipsSet(seat, number):
            return _with_chips(state, seat, number)
        case _:
            raise AssertionError(event)


def _out_of_hand(state: State, seat: SeatId, card: PieceId) -> State:
    hand = Hidden(without(state.hands[seat].value, card), (seat,))
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def _with_chips(state: State, seat: SeatId, number: int) -> State:
    return replace(state, chips=(*state.chips[:seat], number, *state.chips[seat + 1 :]))


def _on_turn(state: State, seat: SeatId) -> Facts | None:
    return unless(state.turn != seat or state.drawing, who=Seat(state.turn))


def _in_hand(state: State, intent: Lay | Seal) -> Facts | None:
    held = 0 <= intent.actor < len(state.hands) and intent.card in state.hands[intent.actor].value
    return unless(not held, card=Piece(intent.card))


def _affordable(state: State, intent: Bet) -> Facts | None:
    have = state.chips[intent.actor]
    return unless(not 1 <= intent.number <= have, have=have, number=intent.number)


TURN: Rule[State, SeatId] = Rule(RuleId("X1"), "your-turn", _on_turn)
HELD: Rule[State, Any] = Rule(RuleId("X2"), "in-hand", _in_hand, physical=True)
AFFORD: Rule[State, Bet] = Rule(RuleId("X3"), "afford", _affordable)
DRAWING: Rule[State, SeatId] = Rule(RuleId("X4"), "drawing", lambda s, a: unless(not s.drawing or a != TABLE))
NEXT_CARD: Rule[State, Drew] = Rule(RuleId("X5"), "recheck", lambda s, i: unless(i.card not in s.deck.next()), True)
NO_MORE: Rule[State, SetChips] = Rule(RuleId("X6"), "no-more", lambda s, i: unless(i.number > ALL_CHIPS), physical=True)


def _hand(cls: type[Any]) -> Any:
    return lambda s, a: tuple(cls(a, c) for c in s.hands[a].value) if 0 <= a < len(s.hands) else ()


VERBS: tuple[Verb[State, Any], ...] = (
    Verb(Lay, (TURN,), _hand(Lay), (HELD,), lambda s, i: (Laid(i.actor, i.card),), asks=True),
    Verb(Seal, (TURN,), _hand(Seal), (HELD,), lambda s, i: (WasSealed(i.actor, Hidden(i.card, NOBODY)),)),
    Verb(
        Bet, (TURN,), lambda s, a: (Bet(a, 1),) if s.chips[a] else (), (AFFORD,),
        lambda s, i: (WasBet(i.actor, i.number),), asks=True, span=lambda s, i: (1, s.chips[i.actor]),
    ),
    Verb(Pass, (TURN,), alone(Pass), (), lambda s, i: (Passed(i.actor),)),
    Verb(
        Drew, (DRAWING,), lambda s, a: tuple(Drew(a, c) for c in s.deck.next()), (NEXT_CARD,),
        lambda s, i: (WasDrawn(s.turn, Hidden(i.card, (s.turn,))),), chance=True,
    ),
)  # fmt: skip


def _decisions(state: State) -> tuple[Decision, ...]:
    turn = Decision("turn", (state.turn,), str(state.turn))
    return (turn, Decision("draw", (TABLE,))) if state.drawing else (turn,)


def _forced(state: State) -> tuple[Event, ...]:
    empty = not state.drawing and not state.hands[state.turn].value and any(h.value for h in state.hands)
    return (Passed(state.turn),) if empty else ()


def _layout(state: State) -> tuple[Lies, ...]:
    up = tuple(Lies(card, PlaceId("open"), "up") for card in state.open)
    hands = tuple(Lies(c, PlaceId(f"hand-{s}"), "down") for s, h in enumerate(state.hands) for c in h.value)
    return up + hands


def _own(view: State, seat: SeatId) -> tuple[Said, ...]:
    return (face.chips(view.chips[seat]), *(say("pick.card", card=Piece(c)) for c in view.hands[seat].value))


def _status(view: State) -> Status:
    poor = (Finding(AFFORD.id, say("pick.poor")),) if view.chips[0] == 0 else ()
    return Status(face.panels(view.chips[0]), poor)


GAME: Game[State, Pack] = Game(
    id=GameId("pick"), version=1, seats=(2, 3), options=(Option("x", "X1", ("off", "on")),),
    rules=("X1", "X2", "X3", "X4", "X5", "X6"),
    pack=Pack, state=State, event=Laid | WasSealed | WasBet | WasDrawn | Passed | ChipsSet, verbs=VERBS,
    corrections=(
        Verb(
            SetChips, (), lambda s, a: tuple(SetChips(a, SeatId(seat), 0) for seat in range(len(s.chips))), (NO_MORE,),
            lambda s, i: (ChipsSet(i.seat, i.number),),
            asks=True, span=lambda s, i: (0, ALL_CHIPS), now=lambda s, i: s.chips[i.seat],
        ),
    ),
    start=start, decisions=_decisions, forced=_forced, apply=apply,
    result=lambda s: None if any(h.value for h in s.hands) else Result((SeatId(0),), say("pick.over")),
    layout=_layout, pieces=lambda p: p.cards,
    describe=lambda p, c: say("pick.piece", name=Name(c)), place=lambda p: Said(f"place.{p}"),
    headline=lambda v: say("pick.headline", n=len(v.open)), icons=face.ICONS, own=_own, status=_status,
    picture=lambda v: face.picture(tuple(hand.value for hand in v.hands), v.turn),
    foresee=lambda v, i: (say("pick.foreseen"),),
    series=lambda s: (Line("pick.chips-line", s.chips), Line("pick.open-line", (len(s.open),))),
    bot=lambda v, s, legal, n: legal[n % len(legal)],
)  # fmt: skip


def two_seats() -> State:
    """Ada (0) holds a and b, Ben (1) holds c and d; e, f and g are in the deck."""
    return start(setup_for(2))


def setup_for(seats: int) -> Setup[Pack]:
    return Setup(GameId("pick"), 1, seats, (("x", "off"),), Pack(tuple(map(PieceId, "abcdefg"))))
