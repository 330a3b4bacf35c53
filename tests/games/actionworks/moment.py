"""The moment that the second referee looks at, and what must be true of it whatever the wish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]
Against = Iterator[tuple[str, str]]

ORDER = ["make", "take", "borrow", "plan", "scrap", "copy"]
TABLE = -1


class Moment:
    """The table as people see it when they look for a reason."""

    def __init__(self, setup: Json, state: Json) -> None:
        self.setup, self.state = setup, state
        self.seats = range(setup["seats"])
        self.types = ORDER[: state["types"]]
        self.steps = state["steps"]
        self.step: Json = self.steps[-1] if self.steps else {"type": "over"}
        self.bench: list[str] = state["bench"]

    def is_dealt(self) -> bool:
        """A3–A5: someone starts, and everybody has Demands and cards."""
        return not any(step["type"] in ("naming", "dealing-demands", "dealing") for step in self.steps)

    def has_turn(self) -> bool:
        """A5: a turn goes on. Clearing comes after it, and a choice of types between two rounds."""
        return self.is_dealt() and self.step["type"] not in ("over", "clearing", "between")

    def begins(self) -> bool:
        """A18: two Parts are flipped onto the cleared workbench; a Make lies there itself while its two are flipped."""
        return bool(self.step["type"] == "flipping" and len(self.bench) <= 2 - self.step["left"])

    def asks(self, kind: str, acts_as: str = "") -> bool:
        """The game waits for an answer of this kind, of whomever."""
        return bool(self.step["type"] == kind and self.step.get("kind", "") == acts_as)

    def hand(self, seat: int) -> list[str]:
        return list(self.state["hands"][seat]["value"]) if seat in self.seats else []

    def parts(self) -> list[str]:
        """A4, A27: every Part of the types in use, by the ids that a deck of this pack has."""
        counted: dict[tuple[str, int], int] = {}
        for lot in self.setup["pack"]["parts"]:
            if lot["type"] in self.types:
                kind = lot["type"], lot["value"]
                counted[kind] = counted.get(kind, 0) + lot.get("count", 1)
        ids = []
        for (name, value), many in counted.items():
            marks = [""] if many == 1 else [chr(ord("a") + n) for n in range(many)]
            ids += [f"{name}-{value}{mark}" for mark in marks]
        return ids


def kind_of(card: str) -> str:
    """The type printed on a Part: its id begins with it."""
    return card.partition("-")[0]


# When: the same for everything that seats do in a round


def in_round(now: Moment, actor: int) -> Against:
    """A21, A4, A5, A17, A.n: the game goes on, the cards are dealt, a seat acts, and the last turn is done with."""
    if not now.steps:
        yield "over", "A21"
    if not now.is_dealt():
        yield "over", "A4"
    if actor not in now.seats:
        yield "turn", "A5"
    if now.step["type"] == "between":
        yield "settling", "A.n"


def unsettled(now: Moment) -> Against:
    """A.p, A18: what has begun is done first: the effects of a play, and the two flips before a turn."""
    if now.has_turn() and now.step["type"] != "turn":
        yield "settling", "A18" if now.begins() else "A.p"


def on_turn(now: Moment, intent: Json) -> Against:
    """A5, A6: only on your turn, while nothing is open."""
    yield from in_round(now, intent["actor"])
    if now.step["type"] == "clearing":
        yield "settling", "A17"
    if now.has_turn() and now.state["turn"] != intent["actor"]:
        yield "turn", "A5"
    yield from unsettled(now)


def answer(now: Moment, intent: Json, rule: str, kind: str, acts_as: str = "") -> Against:
    """To a question that a play has raised, by whoever is asked."""
    if not now.asks(kind, acts_as):
        yield from on_turn(now, intent)
        yield "step", rule
        return
    yield from in_round(now, intent["actor"])
    if now.step["seat"] != intent["actor"]:
        yield "turn", "A5"


def by_table(now: Moment, intent: Json, rule: str, *kinds: str) -> Against:
    """Chance: of the table, when it is due."""
    if not now.steps:
        yield "over", "A21"
    if intent["actor"] != TABLE:
        yield "turn", rule
    if now.step["type"] not in kinds:
        yield "step", rule
