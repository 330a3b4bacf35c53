"""The table as the second referee sees it: its own map from the pack, its own search and its own sums.

It shares no code with the game: set-ups and states come as plain dictionaries.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

Json = dict[str, Any]
Spot = tuple[int, int]
Broken = list[tuple[str, str]]
"""Conditions that aren't met: what each is about (over turn settling step place thing price), and its rule."""

JOINT = {
    "n1": (33, 0), "n2": (67, 0), "e1": (100, 33), "e2": (100, 67),
    "s1": (33, 100), "s2": (67, 100), "w1": (0, 33), "w2": (0, 67),
}  # fmt: skip
SYSTEMS = ("guidance", "life", "fuel")


def must(holds: bool, basis: str, *rules: str) -> Broken:
    """Nothing if the condition is met, else each of the rules that state it."""
    return [] if holds else [(basis, rule) for rule in rules]


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
    """Plain data with dots: fields left out because they have their defaults are filled in."""
    if isinstance(value, dict):
        usual: Json = {}
        if "city" in value and "type" not in value:
            usual = {"seat": -1, "number": 0, "chips": 0, "counters": 1, "middle": 0, "train": 0}
        return SimpleNamespace(**{**usual, **{key: opened(item) for key, item in value.items()}})
    return tuple(opened(item) for item in value) if isinstance(value, list | tuple) else value


_PACK: list[tuple[Json, Any]] = []
"""The pack opened last: a whole game is asked about with one."""


def _pack(pack: Json) -> Any:
    if not _PACK or _PACK[0][0] is not pack:
        _PACK[:] = [(pack, opened(pack))]
    return _PACK[0][1]


class NaiveTable:
    """Where everything lies, and what the game waits for: `step`, within the turn or auction of `turn`."""

    def __init__(self, setup: Json, state: Json) -> None:
        self.s = opened(state)
        self.pack = _pack(setup["pack"])
        self.seats = range(setup["seats"])
        self.links = neighbours(self.pack, tuple((b.board, b.x, b.y, b.turn) for b in self.s.laid))
        self.towns = {t.id: t for b in self.pack.boards for t in b.towns}
        self.options = dict(setup["options"])
        claims = [node for laid in self.s.laid for node in self._claims(laid.board)]
        self.owner = dict(zip(claims, self.s.claims, strict=False))
        self.step: Any = self.s.steps[-1] if self.s.steps else None
        self.kind = self.step.type if self.step else "over"
        self.turn = getattr(self.s.steps[0], "seat", None) if self.s.steps else None

    def _claims(self, number: int) -> list[str]:
        board = next(b for b in self.pack.boards if b.number == number)
        return [f"{c.kind}/{number}-{c.id}" for c in board.claims]

    def held(self, city: str) -> Any:
        """What lies in and on this city; None if nobody has it."""
        return next((h for h in self.s.owned if h.city == city), None)

    def is_active(self, seat: int, city: str) -> bool:
        held = self.held(city)
        return held is not None and held.seat == seat and held.chips == 0

    def connected(self, seat: int, city: str) -> set[str]:
        """F13, by a plain walk: from the city along lines; only own claims lead further."""
        found: set[str] = set()
        walk = [city]
        while walk:
            for node in self.links.get(walk.pop(), ()):
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

    def hangs_together(self) -> bool:
        """F.ax, by letting a group of boards grow: whether they all meet."""
        squares = {(b.x, b.y) for b in self.s.laid}
        group = {min(squares, default=(0, 0))}
        for _ in squares:
            group |= {(x, y) for x, y in squares for i, j in group if abs(x - i) + abs(y - j) == 1}
        return squares <= group

    def stars(self) -> set[str]:
        """The County Seats of the map."""
        lying = {laid.board for laid in self.s.laid}
        return {t.id for b in self.pack.boards if b.number in lying for t in b.towns if t.seat}

    def green(self, city: str) -> int:
        return int(self.towns[city].green) if city in self.towns else 0

    def chips(self, seat: int) -> dict[str, int]:
        """The chips before a seat; none before one that is not there."""
        if seat not in self.seats:
            return {"red": 0, "food": 0, "gold": 0}
        return {"red": self.s.red[seat], "food": self.s.food[seat], "gold": self.s.gold[seat]}

    def pays_for_button(self, seat: int, have: dict[str, int]) -> bool:
        """F.w: whether these chips pay what the bid for the Button still wants, in the colours not yet asked for."""
        step = self.step
        if self.kind == "auction" and step.city == "" and step.by == seat:
            return sum(have.values()) >= int(step.high)
        if self.kind == "paying" and step.seat == seat:
            return sum(have[colour] for colour in step.colours) >= int(step.left)
        return True

    # The moment

    def begun(self) -> Broken:
        """F35: nothing is done any more when the game is over; F4: and nothing before the set-up is made."""
        return [
            *must(self.kind != "over", "over", "F35", "F.ba"),
            *must(self.kind not in ("laying", "drawing-seats", "naming"), "over", "F4"),
        ]

    def in_turn(self, actor: int) -> Broken:
        """Whose turn it is, where one plays after another: the days by F39, each auction by its own rule too."""
        rules = {"opening": ("F5",), "auction": ("F29", "F39"), "paying": ("F33", "F39"), "giving": ("F33", "F39")}
        return [
            *must(actor in self.seats, "turn", "F39"),
            *must(self.turn in (None, actor), "turn", *rules.get(self.kind, ("F39",))),
        ]

    def no_roll(self) -> Broken:
        """F.y: between a declared roll and its outcome nothing else happens."""
        return must(self.kind not in ("dispute", "shot"), "settling", "F.y")
