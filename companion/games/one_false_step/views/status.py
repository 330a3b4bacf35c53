"""The referee check: the books of everyone and the Bank, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.core import Finding, Piece, RuleId, Said, Seat, SeatId, Shown, Status, Word, say, seats_of
from companion.games.one_false_step.decide import on_offer
from companion.games.one_false_step.rules.forced import COURSE
from companion.games.one_false_step.rules.week import owed
from companion.games.one_false_step.state import (
    FIRST_FOOD,
    FIRST_RED,
    KNOW_HOW,
    NOBODYS,
    WINNING,
    Holding,
    State,
    active,
    bill,
    capacity,
    claims_of,
    county_of,
    income,
    on_cards,
    score,
)

from .panels import all_cities, know_how, standing
from .sale import sale


def status(view: State) -> Status:
    """Day, awaited seats, the auction, each seat's books, the Bank's, the deck, and what is wrong."""
    facts: Iterator[Shown] = chain(
        (say("status.day", week=view.week, day=Word(f"day.{view.day}")), say("status.button", seat=Seat(view.button))),
        _awaited(view),
        sale(view),
        (standing(view, SeatId(seat), tuple(_seat(view, SeatId(seat)))) for seat in seats_of(view)),
        all_cities(view),
        (say("status.bank", red=view.bank[0], food=view.bank[1], gold=view.bank[2]),),
        (know_how(view, tuple(_know_how(view, at) for at in range(len(KNOW_HOW)))),),
        (say("status.deck", n=len(view.deck)),),
        (say("status.deck-top", at=at, city=Piece(h.value)) for at, h in enumerate(view.deck.top, 1)),
        (say("status.goal", goal=WINNING) for _ in view.steps[:1]),
    )
    return Status(tuple(facts), tuple(_findings(view)))


def _awaited(view: State) -> Iterator[Said]:
    asked = COURSE.decisions(view)
    if not asked:
        yield say("status.over", seat=Seat(view.winner)) if view.winner != NOBODYS else say("status.lost")
        return
    kind = Word(f"awaited.{asked[-1].kind}")
    yield from (say("status.awaited", seat=Seat(seat), what=kind) for seat in asked[-1].seats)


def _seat(view: State, seat: SeatId) -> Iterator[Said]:
    who = Seat(seat)
    yield say("status.score", seat=who, points=score(view, seat), goal=WINNING)
    yield say("status.chips", seat=who, red=view.red[seat], food=view.food[seat], gold=view.gold[seat])
    if not view.claims:
        return
    food, gold = income(view, seat)
    claims = claims_of(view, seat).bit_count()
    yield say("status.claims", seat=who, n=claims, food=food, gold=gold, bill=bill(view, seat))
    first, second, third = view.levels[seat]
    yield say("status.rocket", seat=who, guidance=first, life=second, fuel=third, crew=view.crew[seat])
    yield from (_city(held) for held in view.owned if held.seat == seat)
    yield from (say("status.owes", seat=who, city=Piece(city)) for city in owed(view, seat))


def _city(held: Holding) -> Said:
    city, who = Piece(held.city), Seat(held.seat)
    if held.chips:
        return say("status.inactive", city=city, seat=who, n=held.chips)
    return say("status.city", city=city, seat=who, n=held.counters, middle=held.middle, train=held.train)


def _know_how(view: State, at: int) -> Said:
    card, holder = Piece(KNOW_HOW[at]), view.know_how[at]
    if holder == NOBODYS:
        return say("status.know-how-bank", card=card)
    return say("status.know-how", card=card, seat=Seat(holder))


def _findings(view: State) -> Iterator[Finding]:
    seats = len(view.red)
    red = sum(view.red) + sum(h.chips for h in view.owned) + sum(s.number for s in view.open_seats) + view.bank[0]
    sums = ((red, FIRST_RED), (sum(view.food) + view.bank[1], FIRST_FOOD), (sum(view.gold) + view.bank[2], 0))
    for (total, each), colour in zip(sums, ("red", "food", "gold"), strict=True):
        if total != each * seats:
            yield Finding(RuleId("F37"), say("finding.chips", colour=Word(f"colour.{colour}"), n=total - each * seats))
    cards = len(view.owned) + len(view.deck) + len(on_offer(view)) + sum(map(len, view.starved)) + len(view.gone)
    cities = sum(len(board.towns) for board in view.setup.pack.boards)
    if cards != cities:
        yield Finding(RuleId("F2"), say("finding.cards", n=cards, due=cities))
    if view.claims and len(view.claims) != len(county_of(view).claims):
        yield Finding(RuleId("F1"), say("finding.map"))
    for held in view.owned:
        most = capacity(view, held.city)
        if most is not None and held.counters > most:
            yield Finding(RuleId("F36"), say("finding.full", city=Piece(held.city), n=most))
    late = (seat for seat in seats_of(view) if view.day not in ("sunday", "monday") and on_cards(view, SeatId(seat)))
    for seat in late:
        if active(view, SeatId(seat)):
            yield Finding(RuleId("F.e"), say("finding.unplaced", seat=Seat(SeatId(seat))))
