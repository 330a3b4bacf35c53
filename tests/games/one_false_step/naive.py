"""A second referee, written from the numbered rules alone, slowly and plainly. It must agree with the first.

It knows nothing of the game's own code: set-ups, states and intents come as plain dictionaries. It has its own map
from the pack, its own search and its own sums. Where it and the game differ, one of them has misread the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

Json = dict[str, Any]
Spot = tuple[int, int]
Wish = tuple[str, tuple[object, ...]]
"""The name of a verb and its arguments; a number with a span is (low, high)."""

JOINT = {
    "n1": (33, 0), "n2": (67, 0), "e1": (100, 33), "e2": (100, 67),
    "s1": (33, 100), "s2": (67, 100), "w1": (0, 33), "w2": (0, 67),
}  # fmt: skip


def neighbours(pack: Any, laid: tuple[tuple[int, int, int, int], ...]) -> dict[str, set[str]]:
    """Who is linked to whom by a line: towns by their id, claims by their place."""
    links: dict[str, set[str]] = {}
    ends: dict[Spot, list[str]] = {}
    for number, x, y, turn in laid:
        board = next(b for b in pack.boards if b.number == number)
        name = {t.id: t.id for t in board.towns} | {c.id: f"{c.kind}/{number}-{c.id}" for c in board.claims}
        for node in name.values():
            links.setdefault(node, set())
        for a, b in board.links:
            links[name[a]].add(name[b])
            links[name[b]].add(name[a])
        for joint in board.joints:
            at = JOINT[joint.edge]
            for _ in range(turn):
                at = (100 - at[1], at[0])
            ends.setdefault((at[0] + 100 * x, at[1] + 100 * y), []).append(name[joint.node])
    for both in ends.values():
        for one in both:
            links[one] |= {other for other in both if other != one}
    return links


def opened(value: Any) -> Any:
    """Plain data with dots: fields left out because they are as usual are filled in."""
    if isinstance(value, dict):
        usual: Json = {}
        if "city" in value and "type" not in value:
            usual = {"seat": -1, "number": 0, "chips": 0, "counters": 1, "middle": 0, "train": 0}
        return SimpleNamespace(**{**usual, **{key: opened(item) for key, item in value.items()}})
    return tuple(opened(item) for item in value) if isinstance(value, list | tuple) else value


class Naive:
    """What may be done in a state."""

    def __init__(self, setup: Json, state: Json) -> None:
        self.s = opened(state)
        self.pack = opened(setup["pack"])
        self.seats = range(setup["seats"])
        self.links = neighbours(self.pack, tuple((b.board, b.x, b.y, b.turn) for b in self.s.laid))
        self.towns = {t.id: t for b in self.pack.boards for t in b.towns}
        self.options = dict(setup["options"])
        claims = [node for laid in self.s.laid for node in self._claims(laid.board)]
        self.made = bool(self.s.claims)
        self.owner = dict(zip(claims, self.s.claims, strict=False))
        self.step: Any = self.s.steps[-1] if self.s.steps else None
        self.kind = self.step.type.title().replace("-", "") if self.step else "Over"

    def _claims(self, number: int) -> list[str]:
        board = next(b for b in self.pack.boards if b.number == number)
        return [f"{c.kind}/{number}-{c.id}" for c in board.claims]

    def connected(self, seat: int, city: str) -> set[str]:
        """F13, by a plain walk: from the city along lines; only own claims lead further."""
        found: set[str] = set()
        walk = [city]
        while walk:
            for node in self.links[walk.pop()]:
                if node in self.owner and node not in found:
                    found.add(node)
                    if self.owner[node] == seat:
                        walk.append(node)
        return found

    def supported_by(self, claim: str) -> set[str]:
        """F.ac, F.g: the Active cities of a claim's owner from which the claim is connected."""
        seat = self.owner[claim]
        mine = [h for h in self.s.owned if h.seat == seat and h.chips == 0]
        return {h.city for h in mine if claim in self.connected(seat, h.city)}

    def score(self, seat: int) -> int:
        dots = sum(self.towns[h.city].red for h in self.s.owned if h.seat == seat and h.chips == 0)
        return int(self.s.red[seat] + dots + 2 * sum(holder == seat for holder in self.s.know_how))

    def income(self, seat: int) -> tuple[int, int]:
        own = [claim for claim, owner in self.owner.items() if owner == seat]
        return sum(c.startswith("farm") for c in own), sum(c.startswith("mine") for c in own)

    def wishes(self, seat: int) -> set[Wish]:
        """All that this seat may do now."""
        if self.step is None:
            return set()
        return {*self._of_the_day(seat), *self._trades(seat)}

    def _of_the_day(self, seat: int) -> Iterator[Wish]:
        if self.kind == "Wednesday":
            yield from self._wednesday(seat)
        elif getattr(self.step, "seat", None) == seat:
            match self.kind:
                case "Opening":
                    yield from self._opening(seat)
                case "Monday":
                    yield from self._monday(seat)
                case "Thursday":
                    yield from self._thursday(seat)
                case "Auction":
                    yield from self._auction(seat)
                case "Paying":
                    yield from self._paying(seat)
                case "Giving":
                    yield from (("give-button", (to,)) for to in self.seats)

    def _opening(self, seat: int) -> Iterator[Wish]:
        for offer in self.s.open_seats:
            if offer.number < self.s.red[seat]:
                yield "bid-seat", (offer.city, (offer.number + 1, self.s.red[seat]))

    def _monday(self, seat: int) -> Iterator[Wish]:
        active = [h for h in self.s.owned if h.seat == seat and h.chips == 0]
        for h in active:
            if not h.middle:
                continue
            for claim in self.connected(seat, h.city):
                if self.owner[claim] == -1:
                    yield "stake", (h.city, claim)
                elif self.owner[claim] != seat:
                    yield "jump", (h.city, claim)
            thousands = (self.towns[h.city].population + 999) // 1000
            if self.options["population"] == "off" or h.counters < thousands:
                yield "strengthen", (h.city,)
            yield "board-rocket", (h.city,)
            for to in active:
                yield "send-by-train", (h.city, to.city)

    def _wednesday(self, seat: int) -> Iterator[Wish]:
        due = [h.city for h in self.s.owned if h.seat == seat and h.city in self.step.due]
        for city in due:
            yield "starve", (city,)
            if self.s.food[seat] >= self.towns[city].green:
                yield "feed", (city,)
        if due and self.s.food[seat] >= sum(self.towns[city].green for city in due):
            yield "feed-all", ()

    def _thursday(self, seat: int) -> Iterator[Wish]:
        prices = {2: 1, 3: 2, 4: 3, 5: 5, 6: 7, 7: 10, 8: 13, 9: 17, 10: 21}
        if self.options["rocket_table"] in ("printed", "printed-prices"):
            prices[5] = 6
        for system, level in zip(("guidance", "life", "fuel"), self.s.levels[seat], strict=True):
            if level < 10 and self.s.gold[seat] >= prices[level + 1]:
                yield "upgrade", (f"{system}-{seat + 1}",)
        if self.s.food[seat] >= 4 and not self.step.shot:
            yield "moon-shot", ()
        yield "end-thursday", ()

    def _auction(self, seat: int) -> Iterator[Wish]:
        step = self.step
        have = self.s.red[seat]
        if step.city == "":
            have += self.s.food[seat] + self.s.gold[seat]
        if have > step.high:
            yield "bid", ((step.high + 1, have),)
        yield "pass", ()

    def _paying(self, seat: int) -> Iterator[Wish]:
        left, asked = self.step.left, self.step.colours
        have = {"red": self.s.red[seat], "food": self.s.food[seat], "gold": self.s.gold[seat]}
        rest = sum(have[c] for c in asked[1:])
        span = max(0, left - rest), min(left, have[asked[0]])
        yield f"pay-{asked[0]}", (span,)

    def _trades(self, seat: int) -> Iterator[Wish]:
        if self.kind in ("Laying", "DrawingSeats", "Naming", "Dispute", "Shot"):
            return
        food, gold = self.s.food, self.s.gold
        for other in self.seats:
            if other != seat and food[seat] and gold[other]:
                yield "offer-food", (other, (1, food[seat]))
            if other != seat and gold[seat] and food[other]:
                yield "offer-gold", (other, (1, gold[seat]))
        for verb, got, given in (("buy-food", "food", "gold"), ("buy-gold", "gold", "food")):
            have = self._have(seat)
            bought = 0
            while have[given] >= 3 and self._pays(seat, {**have, given: have[given] - 3, got: have[got] + 1}):
                have = {**have, given: have[given] - 3, got: have[got] + 1}
                bought += 1
            if bought:
                yield verb, ((1, bought),)
        yield from self._answers(seat)

    def _have(self, seat: int) -> dict[str, int]:
        return {"red": self.s.red[seat], "food": self.s.food[seat], "gold": self.s.gold[seat]}

    def _pays(self, seat: int, have: dict[str, int]) -> bool:
        """F.w: whether these chips pay what the bid for the Button still wants, in the colours not yet asked for."""
        step = self.step
        if self.kind == "Auction" and step.city == "" and step.by == seat:
            return sum(have.values()) >= int(step.high)
        if self.kind == "Paying" and step.seat == seat:
            return sum(have[colour] for colour in step.colours) >= int(step.left)
        return True

    def _answers(self, seat: int) -> Iterator[Wish]:
        for o in self.s.offers:
            theirs = self.s.gold if o.gives == "food" else self.s.food
            mine = self.s.food if o.gives == "food" else self.s.gold
            if o.seat == seat:
                yield "withdraw-offer", (o.to,)
                if theirs[o.to]:
                    yield "name-price", (o.to, (1, theirs[o.to]))
            if o.to == seat and o.price:
                yield "decline-trade", (o.seat,)
                payable = mine[o.seat] >= o.number and theirs[seat] >= o.price
                back = "gold" if o.gives == "food" else "food"
                for who, given, number, got, more in (
                    (o.seat, o.gives, o.number, back, o.price),
                    (seat, back, o.price, o.gives, o.number),
                ):
                    have = self._have(who)
                    have = {**have, given: have[given] - number, got: have[got] + more}
                    payable = payable and self._pays(who, have)
                if payable:
                    yield "accept-trade", (o.seat,)

    # One wish

    def allows(self, wish: Json) -> bool:
        """Whether this wish of this actor is one of those."""
        verb, actor = wish["verb"], wish["actor"]
        values = tuple(value for key, value in wish.items() if key not in ("verb", "actor"))
        if verb in CORRECTIONS:
            return self._may_correct(verb, values)
        if self.kind == "Laying":
            return actor in self.seats and self._lays(verb, values)
        if verb in CHANCE:
            return actor == -1 and self._falls(verb, values[0])
        if actor not in self.seats:
            return False
        return any(verb == name and fits(values, like) for name, like in self.wishes(actor))

    def _lays(self, verb: str, values: tuple[Any, ...]) -> bool:
        """F1, F.ax: five boards in any layout that hangs together, with a seat for everyone."""
        taken = {(b.x, b.y): b.board for b in self.s.laid}
        numbers = {f"board-{b.number}": b.number for b in self.pack.boards}
        beside = {(x + i, y + j) for x, y in taken for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))} - set(taken)
        match verb:
            case "lay-board":
                squares = {f"at/{x}/{y}" for x, y in (beside if taken else {(0, 0)})}
                fresh = numbers.get(values[0], 0) not in (0, *taken.values())
                return fresh and len(taken) < 5 and values[1] in squares
            case "turn-board" | "lift-board":
                return numbers.get(values[0]) in taken.values()
            case "use-layout":
                return bool(1 <= values[0] <= len(self.pack.layouts))
            case "make-map":
                stars = sum(t.seat for b in self.pack.boards if b.number in taken.values() for t in b.towns)
                return len(taken) == 5 and self._hangs_together(set(taken)) and stars >= len(self.seats)
            case _:
                return False

    def _hangs_together(self, squares: set[Spot]) -> bool:
        group = {min(squares)}
        for _ in squares:
            group |= {(x, y) for x, y in squares for i, j in group if abs(x - i) + abs(y - j) == 1}
        return group == squares

    def _falls(self, verb: str, value: Any) -> bool:
        """What chance may bring now."""
        match verb, self.kind:
            case "drew-seat", "DrawingSeats":
                stars = {t.id for laid in self.s.laid for b in self.pack.boards if b.number == laid.board
                         for t in b.towns if t.seat}  # fmt: skip
                return value in stars - {offer.city for offer in self.s.open_seats}
            case "name-button", "Naming":
                return value in self.seats
            case "attack-rolled", "Dispute":
                return bool(self.step.roll == 0 and 1 <= value <= 6)
            case "defence-rolled", "Dispute":
                return bool(self.step.roll > 0 and 1 <= value <= 6)
            case "shot-rolled", "Shot":
                return bool(2 <= value <= 12)
            case "drew-city", "Turning":
                known = [card.value for card in self.s.deck.top]
                return value in (known[:1] or self.s.deck.unseen)
            case _:
                return False

    def _may_correct(self, verb: str, values: tuple[Any, ...]) -> bool:
        """Facts of the table: only what could not lie there is refused, and nothing during a roll."""
        if self.kind in ("Over", "Laying", "DrawingSeats", "Naming", "Dispute", "Shot"):
            return False
        seat = values[-1] in self.seats
        match verb:
            case "set-chips":
                return self._chips_may_be(values[0], values[1])
            case "set-counters":
                cities = {f"{area}/{h.city}" for h in self.s.owned for area in ("city", "card", "train")}
                return values[0] in cities | {f"rocket/{s}" for s in self.seats} and 0 <= values[1] <= 99
            case "set-level":
                cards = {f"{name}-{s + 1}" for name in ("guidance", "life", "fuel") for s in self.seats}
                return values[0] in cards and 1 <= values[1] <= 10
            case "set-claim" | "clear-claim":
                return values[0] in self.owner and (seat or verb == "clear-claim")
            case "set-know-how" | "bank-know-how":
                return values[0] in ("know-guidance", "know-life", "know-fuel") and (seat or verb == "bank-know-how")
            case "give-city" | "drop-city":
                return self._city_may_go(verb, values)
            case "set-week":
                return bool(1 <= values[0] <= 99)
            case "set-turn":
                return self.kind in ("Monday", "Thursday") and seat
            case _:
                return seat

    def _city_may_go(self, verb: str, values: tuple[Any, ...]) -> bool:
        for_sale = {offer.city for offer in self.s.open_seats} | {getattr(self.step, "city", "")}
        if values[0] not in self.links or values[0] not in self.towns or values[0] in for_sale:
            return False
        return values[0] not in self.s.gone if verb == "drop-city" else values[1] in self.seats

    def _chips_may_be(self, place: str, number: int) -> bool:
        """F.v, F.w: what an auction was promised must be there."""
        area, _, whose = place.partition("/")
        if area == "on":
            return whose in {h.city for h in self.s.owned} and 0 <= number <= 199
        if area not in ("red", "food", "gold") or whose not in {str(s) for s in self.seats}:
            return False
        seat = int(whose)
        have = {**self._have(seat), area: number}
        city_bid = self.kind == "Auction" and self.step.city != "" and self.step.by == seat
        if city_bid and have["red"] < self.step.high:
            return False
        return 0 <= number <= 199 and self._pays(seat, have)


CHANCE = ("drew-seat", "name-button", "attack-rolled", "defence-rolled", "shot-rolled", "drew-city")
CORRECTIONS = (
    "set-chips", "set-counters", "set-level", "set-claim", "clear-claim", "set-know-how", "bank-know-how",
    "give-city", "drop-city", "set-button", "set-turn", "set-week",
)  # fmt: skip


def fits(values: tuple[Any, ...], like: tuple[Any, ...]) -> bool:
    """The same arguments, a number anywhere within its span."""
    pairs = zip(values, like, strict=True)
    return all(want[0] <= value <= want[1] if isinstance(want, tuple) else value == want for value, want in pairs)


_LAST: list[tuple[Json, Json, Naive]] = []
"""The position that was asked about last: many wishes are asked about one."""


def legal(setup: Json, state: Json, intent: Json) -> bool:
    """Whether the rules allow `intent` now."""
    if not _LAST or _LAST[0][0] is not setup or _LAST[0][1] is not state:
        _LAST[:] = [(setup, state, Naive(setup, state))]
    return _LAST[0][2].allows(intent)
