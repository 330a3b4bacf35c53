"""What an intent would do, told in advance from what its audience knows."""

from __future__ import annotations

from companion.core import Intent, Piece, PieceId, Said, Seat, SeatId, left_of, say, top
from companion.games.actionworks.rules import intents as i
from companion.games.actionworks.state import Copying, Effects, State, act_of, hand_of, kind_of

from .worth import worth


def foresee(view: State, intent: Intent) -> tuple[Said, ...]:
    """Short lines for the choice; () if its label says it all, or if they would reveal a card the view hides."""
    if isinstance(intent, i.Play | i.Ship) and intent.card not in hand_of(view, intent.actor):
        return ()
    match intent:
        case i.Play(actor=seat, card=card):
            return _play(view, seat, card)
        case i.Ship(actor=seat, card=card):
            return (say("foresee.scores", points=worth(view, seat, card)), say("foresee.sealed"))
        case i.Take(actor=seat, card=card) | i.Borrow(actor=seat, card=card) | i.ClearTake(actor=seat, card=card):
            return (say("foresee.scores", points=worth(view, seat, card)),)
        case i.BorrowFrom(seat=of) | i.PlanHand(seat=of):
            return (say("foresee.shows", seat=Seat(of), n=len(view.hands[of].value)),)
        case i.PlanDeck():
            return _look(view)
        case i.FromHeap() | i.ScrapNothing() | i.ActAs():
            return _half(view, intent)
        case i.EndTurn(actor=seat):
            return _end(view, seat)
        case i.NewType() | i.SameTypes():
            return (say("foresee.types", n=view.types + isinstance(intent, i.NewType)),)
        case _:
            return ()


def _play(view: State, seat: SeatId, card: PieceId) -> tuple[Said, ...]:
    match kind_of(card):
        case "make":
            flips = min(2, len(view.deck))
            return (say("foresee.flips", n=flips) if flips else say("foresee.nothing"),)
        case "take":
            return (say("foresee.take", n=len(view.bench)) if view.bench else say("foresee.nothing"),)
        case "borrow":
            return (say("foresee.borrow"),)
        case "plan":
            return (say("foresee.plan"),)
        case "scrap":
            works = view.bench or view.heap
            return (say("foresee.scrap") if works else say("foresee.nothing"),)
        case "copy":
            return tuple(say("foresee.copy", card=Piece(demand)) for demand in view.demands[seat])
        case None:
            return ()


def _look(view: State) -> tuple[Said, ...]:
    step = top(view)
    looked = step.looked if isinstance(step, Effects) else 0
    return (say("foresee.look", at=looked + 1) if looked < len(view.deck) else say("foresee.nothing"),)


def _half(view: State, intent: i.FromHeap | i.ScrapNothing | i.ActAs) -> tuple[Said, ...]:
    match intent:
        case i.FromHeap(actor=seat):
            return _heap(view, seat)
        case i.ScrapNothing():
            return (say("foresee.nothing"),)
        case i.ActAs(card=card):
            return _copy(view, card)


def _heap(view: State, seat: SeatId) -> tuple[Said, ...]:
    if not view.heap:
        return (say("foresee.nothing"),)
    card = view.heap[0]
    return (say("foresee.gets", card=Piece(card)), say("foresee.scores", points=worth(view, seat, card)))


def _copy(view: State, like: PieceId) -> tuple[Said, ...]:
    step = top(view)
    if isinstance(step, Copying) and act_of(step, like) == "none":
        return (say("foresee.nothing"),)
    return ()


def _end(view: State, seat: SeatId) -> tuple[Said, ...]:
    lines = [say("foresee.clears", n=len(view.bench))] if view.bench else []
    if len(view.deck):
        lines.append(say("foresee.next", seat=Seat(left_of(view, seat))))
    else:
        lines.append(say("foresee.round-ends"))
    return tuple(lines)
