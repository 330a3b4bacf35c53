"""The books: who has what, what it is worth, and what a level costs. All of it public."""

from __future__ import annotations

from typing import Final

from companion.core import PieceId, PlaceId, SeatId, is_seat

from .map import NOBODYS, County, backing, county, holdings, reach
from .parts import City, city_cards
from .state import COLOURS, Auction, Colour, Holding, Paying, State

WINNING: Final = 30
KNOW_HOW_POINTS: Final = 2
PARTY: Final = 4
"""The Food of a Moon Shot (F26)."""
RATE: Final = 3
"""What the Bank charges, in chips of the other colour (F34)."""
HIGHEST_LEVEL: Final = 10
PRINTED_PRICES: Final = ("printed", "printed-prices")
PRINTED_TARGETS: Final = ("printed", "printed-targets")
"""The choices of the option `rocket_table` for which each table is used as printed."""


def price(state: State, level: int) -> int:
    """The Gold for the step to this level (F23, F.a); 0 if there is no such level."""
    return prices(state)[level - 1] if 1 <= level <= HIGHEST_LEVEL else 0


def prices(state: State) -> tuple[int, ...]:
    """The Gold for each level, from the first."""
    table, chosen = state.setup.pack.rockets.prices, state.setup.option("rocket_table")
    return table.printed if chosen in PRINTED_PRICES else table.corrected


def target(state: State, level: int) -> int:
    """The sum that a system of this level must roll at least (F26, F.b)."""
    targets, chosen = state.setup.pack.rockets.targets, state.setup.option("rocket_table")
    return (targets.printed if chosen in PRINTED_TARGETS else targets.corrected)[level - 1]


def card_of(state: State, city: PieceId) -> City | None:
    return city_cards(state.setup.pack).get(city)


def county_of(state: State) -> County:
    return county(state.setup.pack, state.laid)


def holding(state: State, city: PieceId) -> Holding | None:
    """Who has this city, and what lies on it; None if nobody has it."""
    for held in state.owned:
        if held.city == city:
            return held
    return None


def active(state: State, seat: SeatId) -> tuple[Holding, ...]:
    """The Active cities of a seat."""
    return tuple([held for held in state.owned if held.seat == seat and not held.chips])


def active_one(state: State, seat: SeatId, city: PieceId) -> Holding | None:
    """This city, if it is an Active one of this seat."""
    held = holding(state, city)
    return held if held is not None and held.seat == seat and not held.chips else None


def scores(state: State) -> list[int]:
    """F35: red chips held, red dots of Active cities, 2 for each Know-how; per seat."""
    cards, points = city_cards(state.setup.pack), list(state.red)
    for held in state.owned:
        if not held.chips:
            points[held.seat] += cards[held.city].red
    for holder in state.know_how:
        if holder != NOBODYS:
            points[holder] += KNOW_HOW_POINTS
    return points


def score(state: State, seat: SeatId) -> int:
    """The points of one seat."""
    return scores(state)[seat]


def claims_of(state: State, seat: SeatId) -> int:
    """The claims of a seat, as a set of the map."""
    return holdings(state.claims, len(state.red))[seat] if is_seat(state, seat) else 0


def within_reach(state: State, seat: SeatId, city: PieceId) -> int:
    """F13: the claims connected to a city for this seat."""
    where = county_of(state)
    at = where.city_at.get(city)
    return 0 if at is None else reach(where, at, claims_of(state, seat))


def claim_number(state: State, claim: PlaceId) -> int | None:
    return county_of(state).claim_at.get(claim) if state.claims else None


def support(state: State, claim: int) -> int | None:
    """F.o: the strongest connected Active city of a claim's owner; None if there is no such city (F.g)."""
    owner = state.claims[claim]
    where = county_of(state)
    towns = backing(where, claim, claims_of(state, owner))
    return max((held.counters for held in active(state, owner) if towns >> where.city_at[held.city] & 1), default=None)


def income(state: State, seat: SeatId) -> tuple[int, int]:
    """F20: Food and Gold of a Tuesday."""
    mine, mines = claims_of(state, seat), county_of(state).mines
    return (mine & ~mines).bit_count(), (mine & mines).bit_count()


def bill(state: State, seat: SeatId) -> int:
    """F21: the Food that the Active cities of a seat eat on a Wednesday."""
    cards = city_cards(state.setup.pack)
    return sum(cards[held.city].green for held in active(state, seat))


def held(state: State, seat: SeatId) -> dict[Colour, int]:
    """The chips of each colour."""
    return {"red": state.red[seat], "food": state.food[seat], "gold": state.gold[seat]}


def chips(state: State, seat: SeatId) -> int:
    """All chips held, of any colour."""
    return state.red[seat] + state.food[seat] + state.gold[seat]


def pledged(state: State, seat: SeatId) -> tuple[int, tuple[Colour, ...]]:
    """What a seat must keep for its Button bid, and in which colours: one that was paid from is done with (F.w)."""
    match state.steps[-1] if state.steps else None:
        case Auction(city="", by=by, high=high) if by == seat:
            return high, COLOURS
        case Paying(seat=payer, left=left, colours=colours) if payer == seat:
            return left, colours
        case _:
            return 0, ()


def keeps_bid(state: State, seat: SeatId, food: int, gold: int) -> bool:
    """Whether a Button bid can be paid with this much more, or less, Food and Gold (F.w)."""
    number, colours = pledged(state, seat)
    if not number:
        return True
    more = {"food": food, "gold": gold}
    return sum(had + more.get(colour, 0) for colour, had in held(state, seat).items() if colour in colours) >= number


def capacity(state: State, city: PieceId) -> int | None:
    """F36: how many counters a city on the map holds; None without the variant."""
    card = card_of(state, city)
    if card is None or state.setup.option("population") == "off":
        return None
    return -(-card.population // 1000)


def on_cards(state: State, seat: SeatId) -> int:
    """The counters in the middle of a seat's City cards."""
    return sum(held.middle for held in state.owned if held.seat == seat and not held.chips)


_LAST: Final[list[tuple[object, object, object]]] = [((), (), ())]
"""What counted for points when last asked without a winner: most acts change none of it. Compared by identity."""


def winner_now(state: State) -> SeatId | None:
    """The seat that has reached 30; the nearest to the Button if corrections made it several."""
    red, owned, know_how = _LAST[0]
    if red is state.red and owned is state.owned and know_how is state.know_how:
        return None
    points = scores(state)
    if max(points) < WINNING:
        _LAST[0] = state.red, state.owned, state.know_how
        return None
    n = len(points)
    order = (SeatId((state.button + i) % n) for i in range(n))
    return next(seat for seat in order if points[seat] >= WINNING)
