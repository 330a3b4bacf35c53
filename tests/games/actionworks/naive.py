"""A second referee for ActionWorks, slow and simple, written from the numbered rules alone.

It knows nothing of the game's own rules code: states and intents come as plain dictionaries. Where it and the game
differ, one of them has misread the rules.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

ORDER = ["make", "take", "borrow", "plan", "scrap", "copy"]
TABLE = -1


def legal(setup: Json, state: Json, intent: Json) -> bool:
    """Whether the rules allow `intent` now."""
    question = QUESTIONS.get(intent["verb"])
    return question is not None and question(Moment(setup, state), intent)


class Moment:
    """The table as people see it when they look for a reason."""

    def __init__(self, setup: Json, state: Json) -> None:
        self.setup, self.state = setup, state
        self.seats = range(setup["seats"])
        self.types = ORDER[: state["types"]]
        self.steps = state["steps"]
        self.step: Json = self.steps[-1] if self.steps else {"type": "over"}
        self.bench: list[str] = state["bench"]

    def waits_for(self, kind: str, actor: int) -> bool:
        """The game waits for this seat, and for this kind of answer."""
        return self.step["type"] == kind and self.step.get("seat", actor) == actor and actor in self.seats

    def is_turn_of(self, actor: int) -> bool:
        """A5, A6, A.p: it is that seat's turn, and no effect is unsettled."""
        return bool(self.step["type"] == "turn" and self.state["turn"] == actor)

    def acts(self, kind: str, actor: int) -> bool:
        """A card played by that seat acts as this type now."""
        return self.waits_for("effects", actor) and self.step["kind"] == kind

    def hand(self, seat: int) -> list[str]:
        return list(self.state["hands"][seat]["value"]) if seat in self.seats else []

    def already_there(self) -> list[str]:
        """A.b, A.q: the workbench without the cards that act now."""
        return [card for card in self.bench if card not in self.step.get("cards", [])]

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


# Chance: what the table names, deals and draws


def name_first(now: Moment, intent: Json) -> bool:
    """A5, A.af: before the first round, the table names one of the seats."""
    return intent["actor"] == TABLE and now.step["type"] == "naming" and intent["seat"] in now.seats


def dealt(now: Moment, intent: Json) -> bool:
    """A3: a Demand of a type in use that nobody has yet."""
    given = [card for cards in now.state["demands"] for card in cards]
    there = [f"demand-{kind}" for kind in now.types]
    return (
        intent["actor"] == TABLE
        and now.step["type"] == "dealing-demands"
        and intent["card"] in there
        and intent["card"] not in given
    )


def drew(now: Moment, intent: Json) -> bool:
    """A4, A9, A12, A.w: the top of the deck: a card that someone put there, else any that nobody has seen."""
    deck = now.state["deck"]
    if intent["actor"] != TABLE or now.step["type"] not in ("flipping", "dealing", "looking"):
        return False
    if deck["top"] and now.step["type"] != "looking":
        return bool(intent["card"] == deck["top"][0]["value"])
    return intent["card"] in deck["unseen"]


# The turn


def play(now: Moment, intent: Json) -> bool:
    """A6: on your turn, a card of your hand."""
    return now.is_turn_of(intent["actor"]) and intent["card"] in now.hand(intent["actor"])


def declare(now: Moment, intent: Json) -> bool:
    """A12, A14, A.o: at the same time go only Plans and Copies, so there must be such types and a second card."""
    several = len(now.hand(intent["actor"])) > 1 and ("plan" in now.types or "copy" in now.types)
    return play(now, intent) and several


def end_turn(now: Moment, intent: Json) -> bool:
    """A16: announced by the one whose turn it is."""
    return now.is_turn_of(intent["actor"])


def add(now: Moment, intent: Json) -> bool:
    """A.o: all cards of a declaration act as one type; a Copy can become it, only Plans go in numbers."""
    if not now.waits_for("declaring", intent["actor"]) or intent["card"] not in now.hand(intent["actor"]):
        return False
    together = [kind_of(card) for card in (*now.step["cards"], intent["card"])]
    without_copies = [kind for kind in together if kind != "copy"]
    return len(without_copies) < 2 or all(kind == "plan" for kind in without_copies)


def go(now: Moment, intent: Json) -> bool:
    """A.m: the declaration is announced."""
    return now.waits_for("declaring", intent["actor"])


def act_as(now: Moment, intent: Json) -> bool:
    """A14, A.i, A.o, A.s: one of your Demands, or a card played at the same time that acts as something."""
    if not now.waits_for("copying", intent["actor"]):
        return False
    cards, acts = now.step["cards"], now.step["acts"]
    model = intent["card"]
    if model in cards:
        chosen = acts[cards.index(model)]
        if chosen == "copy":
            return False
    elif model in now.state["demands"][intent["actor"]]:
        chosen = model.removeprefix("demand-")
        if chosen == "copy":
            chosen = "none"
    else:
        return False
    types = [act for act in acts if act not in ("copy", "none")]
    return all(chosen == act for act in types)


# Effects


def take(now: Moment, intent: Json) -> bool:
    """A10, A.b, A.q: a card that already lay on the workbench."""
    return now.acts("take", intent["actor"]) and intent["card"] in now.already_there()


def borrow_from(now: Moment, intent: Json) -> bool:
    """A11, A.e: another player."""
    return now.acts("borrow", intent["actor"]) and intent["seat"] in now.seats and intent["seat"] != intent["actor"]


def borrow(now: Moment, intent: Json) -> bool:
    """A11: one card of the hand that is shown."""
    return now.waits_for("borrowing", intent["actor"]) and intent["card"] in now.hand(now.step["of"])


def plan_hand(now: Moment, intent: Json) -> bool:
    """A12, A.e: another player's hand."""
    return now.acts("plan", intent["actor"]) and intent["seat"] in now.seats and intent["seat"] != intent["actor"]


def plan_deck(now: Moment, intent: Json) -> bool:
    """A12, A.v: the deck, even where no card is left in it."""
    return now.acts("plan", intent["actor"])


def seen(now: Moment, intent: Json) -> bool:
    """A.u: who had the hand shown says when it has been seen."""
    return now.waits_for("showing", intent["actor"])


def put_back(now: Moment, intent: Json) -> bool:
    """A12, A.w: one of the cards looked at that is not back yet."""
    if not now.waits_for("ordering", intent["actor"]):
        return False
    out = now.state["deck"]["top"][now.step["placed"] : now.step["of"]]
    return intent["card"] in [card["value"] for card in out]


def scrap_card(now: Moment, intent: Json) -> bool:
    """A13, A.b, A.q."""
    return now.acts("scrap", intent["actor"]) and intent["card"] in now.already_there()


def from_heap(now: Moment, intent: Json) -> bool:
    """A13, A.t: the half is free, even if the heap is empty (A.aj)."""
    return now.acts("scrap", intent["actor"])


def scrap_nothing(now: Moment, intent: Json) -> bool:
    """A.t, A.aj: the workbench half without effect, only if there is nothing to scrap."""
    return now.acts("scrap", intent["actor"]) and not now.already_there()


# After the turn


def clear_take(now: Moment, intent: Json) -> bool:
    """A17, A.aa: the next in the circle takes any card of the workbench."""
    return now.waits_for("clearing", intent["actor"]) and intent["card"] in now.bench


def between(now: Moment, intent: Json) -> bool:
    """A.n: before a round, any seat says whether a type is added."""
    return now.waits_for("between", intent["actor"])


# Corrections: what is physically possible


def set_total(now: Moment, intent: Json) -> bool:
    """A25: totals may be negative; the display has room for −99 … 399."""
    return intent["seat"] in now.seats and -99 <= intent["number"] <= 399


def set_turn(now: Moment, intent: Json) -> bool:
    """A5: while a turn waits."""
    return now.step["type"] == "turn" and intent["seat"] in now.seats


def move_card(now: Moment, intent: Json) -> bool:
    """A4, A27, A.p: a Part in use to any place that Parts lie at, but not while someone looks at the deck."""
    looks = [step["type"] in ("looking", "ordering") or step.get("looked", 0) > 0 for step in now.steps]
    places = ["bench", "deck", "heap", *(f"{area}/{seat}" for area in ("hand", "pile") for seat in now.seats)]
    return bool(now.steps) and not any(looks) and intent["card"] in now.parts() and intent["place"] in places


def set_demand(now: Moment, intent: Json) -> bool:
    """A3, A27: a Demand of a type in use, once they are dealt."""
    dealing = any(step["type"] in ("naming", "dealing-demands") for step in now.steps)
    there = intent["card"] in [f"demand-{kind}" for kind in now.types]
    return bool(now.steps) and not dealing and there and intent["seat"] in now.seats


QUESTIONS = {
    "name-first": name_first,
    "dealt": dealt,
    "drew": drew,
    "play": play,
    "declare": declare,
    "ship": play,
    "end-turn": end_turn,
    "add": add,
    "go": go,
    "act-as": act_as,
    "take": take,
    "borrow-from": borrow_from,
    "borrow": borrow,
    "plan-hand": plan_hand,
    "plan-deck": plan_deck,
    "seen": seen,
    "put-back": put_back,
    "scrap-card": scrap_card,
    "from-heap": from_heap,
    "scrap-nothing": scrap_nothing,
    "clear-take": clear_take,
    "new-type": between,
    "same-types": between,
    "set-total": set_total,
    "set-turn": set_turn,
    "move-card": move_card,
    "set-demand": set_demand,
}
