"""A second referee for ActionWorks, slow and simple, written from the numbered rules alone.

It knows nothing of the game's own rules code: states and intents come as plain dictionaries. It lists everything
that stands against an intent, each with what it is about (`over`, `turn`, `settling`, `step`, `place`, `thing`,
`price`) and the rule that says so. Where it and the game differ, one of them has misread the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.games.actionworks.moment import Against, Json, Moment, answer, by_table, in_round, kind_of, on_turn


def legal(setup: Json, state: Json, intent: Json) -> bool:
    """Whether the rules allow `intent` now."""
    return not broken(setup, state, intent)


def broken(setup: Json, state: Json, intent: Json) -> list[tuple[str, str]]:
    """Every condition that isn't met, each as (what it is about, rule id)."""
    return list(QUESTIONS[intent["verb"]](Moment(setup, state), intent))


def meant(setup: Json, state: Json, intent: Json, token: tuple[str, str | int]) -> bool:
    """Whether a person who points at this could mean this intent."""
    kind, value = token
    match kind:
        case "verb":
            return bool(intent["verb"] == value)
        case "seat":
            return value in (intent["actor"], intent.get("seat"))
        case "piece":
            return value == intent.get("card") or value in stands_for(state, intent["verb"])
        case _:
            return bool(intent.get(kind) == value)


def stands_for(state: Json, verb: str) -> list[str]:
    """A12, A13: the deck is looked at by its cards, the heap taken from by its top."""
    if verb == "plan-deck":
        return [card["value"] for card in state["deck"]["top"]] + list(state["deck"]["unseen"])
    return list(state["heap"]) if verb == "from-heap" else []


# Chance: what the table names, deals and draws


def name_first(now: Moment, intent: Json) -> Against:
    """A5, A.af: before the first round, the table names one of the seats."""
    yield from by_table(now, intent, "A.af", "naming")
    yield from a_seat(now, intent)


def a_seat(now: Moment, intent: Json) -> Against:
    if intent["seat"] not in now.seats:
        yield "thing", "A5"


def dealt(now: Moment, intent: Json) -> Against:
    """A3: a Demand of a type in use that nobody has yet."""
    yield from by_table(now, intent, "A3", "dealing-demands")
    given = [card for cards in now.state["demands"] for card in cards]
    there = [f"demand-{kind}" for kind in now.types]
    if intent["card"] not in there or intent["card"] in given:
        yield "thing", "A3"


def drew(now: Moment, intent: Json) -> Against:
    """A4, A9, A12, A.w: the top of the deck: a card that someone put there, else any that nobody has seen."""
    yield from by_table(now, intent, "A4", "flipping", "dealing", "looking")
    deck = now.state["deck"]
    is_known = deck["top"] and now.step["type"] != "looking"
    if intent["card"] not in ([deck["top"][0]["value"]] if is_known else deck["unseen"]):
        yield "thing", "A4"


# The turn


def play(now: Moment, intent: Json) -> Against:
    """A6: on your turn, a card of your hand."""
    yield from on_turn(now, intent)
    yield from in_hand(now, intent)


def in_hand(now: Moment, intent: Json) -> Against:
    if intent["card"] not in now.hand(intent["actor"]):
        yield "thing", "A6"


def declare(now: Moment, intent: Json) -> Against:
    """A12, A14, A.o: at the same time go only Plans and Copies, so there must be such types and a second card."""
    yield from play(now, intent)
    if len(now.hand(intent["actor"])) < 2 or not ("plan" in now.types or "copy" in now.types):
        yield "thing", "A.o"


def add(now: Moment, intent: Json) -> Against:
    """A.o: all cards of a declaration act as one type; a Copy can become it, only Plans go in numbers."""
    yield from answer(now, intent, "A.m", "declaring")
    yield from in_hand(now, intent)
    together = [kind_of(card) for card in (*now.step.get("cards", []), intent["card"])]
    without_copies = [kind for kind in together if kind != "copy"]
    if now.asks("declaring") and len(without_copies) > 1 and any(kind != "plan" for kind in without_copies):
        yield "thing", "A.o"


def go(now: Moment, intent: Json) -> Against:
    """A.m: the declaration is announced."""
    yield from answer(now, intent, "A.m", "declaring")


def act_as(now: Moment, intent: Json) -> Against:
    """A14, A.i, A.o, A.s: one of your Demands, or a card played at the same time that acts as something."""
    yield from answer(now, intent, "A14", "copying")
    if not now.asks("copying"):
        return
    cards, acts, model = now.step["cards"], now.step["acts"], intent["card"]
    if model in cards:
        chosen = acts[cards.index(model)]
        if chosen == "copy":  # itself, or another Copy that has no type yet
            yield "thing", "A14" if cards.index(model) == acts.index("copy") else "A.s"
            return
    elif model in now.state["demands"][now.step["seat"]]:
        chosen = "none" if model == "demand-copy" else model.removeprefix("demand-")
    else:
        yield "thing", "A14"
        return
    if any(chosen != act for act in acts if act not in ("copy", "none")):
        yield "thing", "A.o"


# Effects


def already_there(now: Moment, intent: Json, rule: str) -> Against:
    """A.b, A.q: a card of the workbench, but none of those that act now."""
    acting = now.step["cards"] if now.step["type"] == "effects" else []
    if intent["card"] not in now.bench:
        yield "thing", rule
    if intent["card"] in acting:
        yield "thing", "A.b" if len(acting) == 1 else "A.q"


def take(now: Moment, intent: Json) -> Against:
    """A10: a card that already lay on the workbench."""
    yield from answer(now, intent, "A10", "effects", "take")
    yield from already_there(now, intent, "A10")


def another(now: Moment, intent: Json) -> Against:
    """A.e: another player's hand."""
    if intent["seat"] not in now.seats or intent["seat"] == intent["actor"]:
        yield "thing", "A.e"


def borrow_from(now: Moment, intent: Json) -> Against:
    """A11."""
    yield from answer(now, intent, "A11", "effects", "borrow")
    yield from another(now, intent)


def borrow(now: Moment, intent: Json) -> Against:
    """A11: one card of the hand that is shown."""
    yield from answer(now, intent, "A11", "borrowing")
    if now.asks("borrowing") and intent["card"] not in now.hand(now.step["of"]):
        yield "thing", "A11"


def plan_hand(now: Moment, intent: Json) -> Against:
    """A12."""
    yield from answer(now, intent, "A12", "effects", "plan")
    yield from another(now, intent)


def plan_deck(now: Moment, intent: Json) -> Against:
    """A12, A.v: the deck, even where no card is left in it."""
    yield from answer(now, intent, "A12", "effects", "plan")


def seen(now: Moment, intent: Json) -> Against:
    """A.u: who had the hand shown says when it has been seen."""
    yield from answer(now, intent, "A.u", "showing")


def put_back(now: Moment, intent: Json) -> Against:
    """A12, A.w: one of the cards looked at that is not back yet."""
    yield from answer(now, intent, "A12", "ordering")
    if now.asks("ordering"):
        out = now.state["deck"]["top"][now.step["placed"] : now.step["of"]]
        if intent["card"] not in [card["value"] for card in out]:
            yield "thing", "A12"


def scrap_card(now: Moment, intent: Json) -> Against:
    """A13."""
    yield from answer(now, intent, "A13", "effects", "scrap")
    yield from already_there(now, intent, "A13")


def from_heap(now: Moment, intent: Json) -> Against:
    """A13, A.t: the half is free, even if the heap is empty (A.aj)."""
    yield from answer(now, intent, "A13", "effects", "scrap")


def scrap_nothing(now: Moment, intent: Json) -> Against:
    """A.t, A.aj: the workbench half without effect, only if there is nothing to scrap."""
    yield from answer(now, intent, "A13", "effects", "scrap")
    if now.asks("effects", "scrap") and any(card not in now.step["cards"] for card in now.bench):
        yield "thing", "A.t"


# After the turn


def clear_take(now: Moment, intent: Json) -> Against:
    """A17, A.aa: the next in the circle takes any card of the workbench."""
    if now.step["type"] == "clearing":
        yield from in_round(now, intent["actor"])
        if now.step["seat"] != intent["actor"]:
            yield "turn", "A17"
    else:
        yield from on_turn(now, intent)
        yield "step", "A17"
    if intent["card"] not in now.bench:
        yield "thing", "A17"


def between(now: Moment, intent: Json) -> Against:
    """A.n: before a round, any seat says whether a type is added."""
    if not now.steps:
        yield "over", "A21"
    if intent["actor"] not in now.seats:
        yield "turn", "A5"
    if now.step["type"] != "between":
        yield "step", "A.n"


# Corrections: what is physically possible


def set_total(now: Moment, intent: Json) -> Against:
    """A25: totals may be negative; the display has room for −99 … 399."""
    yield from a_seat(now, intent)
    if not -99 <= intent["number"] <= 399:
        yield "thing", "A25"


def set_turn(now: Moment, intent: Json) -> Against:
    """A5: while a turn waits."""
    if not now.steps:
        yield "over", "A21"
    if now.step["type"] != "turn":
        yield "settling", "A5"
    yield from a_seat(now, intent)


def move_card(now: Moment, intent: Json) -> Against:
    """A4, A27, A.p: a Part in use to any place that Parts lie at, but not while someone looks at the deck."""
    if not now.steps:
        yield "over", "A21"
    if any(step["type"] in ("looking", "ordering") or step.get("looked", 0) > 0 for step in now.steps):
        yield "settling", "A.p"
    if intent["card"] not in now.parts():
        yield "thing", "A27"
    places = ["bench", "deck", "heap", *(f"{area}/{seat}" for area in ("hand", "pile") for seat in now.seats)]
    if intent["place"] not in places:
        yield "thing", "A4"


def set_demand(now: Moment, intent: Json) -> Against:
    """A3, A27: a Demand of a type in use, once they are dealt."""
    if not now.steps:
        yield "over", "A21"
    if any(step["type"] in ("naming", "dealing-demands") for step in now.steps):
        yield "over", "A3"
    if intent["card"] not in [f"demand-{kind}" for kind in now.types]:
        yield "thing", "A27"
    yield from a_seat(now, intent)


QUESTIONS: dict[str, Callable[[Moment, Json], Against]] = {
    "name-first": name_first,
    "dealt": dealt,
    "drew": drew,
    "play": play,
    "declare": declare,
    "ship": play,
    "end-turn": on_turn,
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
