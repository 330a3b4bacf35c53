"""A second referee, slow and simple, written from the numbered rules alone: what does this intent break, if
anything?

It knows set-ups, states and intents as plain dictionaries, and nothing of the game's own code.
"""

from __future__ import annotations

from tests.games.us_patent.naive_deeds import NaiveDeeds
from tests.games.us_patent.naive_fixes import Conditions
from tests.games.us_patent.naive_table import SLOTS, TABLE, Json, NaiveTable

CHANCE = {
    "drew-machine": ("P2", "dealing"),
    "drew": ("P18", "drawing"),
    "move-rolled": ("P19", ""),
    "number-rolled": ("P29", ""),
    "attack-rolled": ("P27", ""),
    "defence-rolled": ("P27", ""),
}
"""The rule of each, and where it waits if no dice tell."""
FIXES = (
    *("set-gold", "set-number", "drop-number", "set-pawn", "set-turn"),
    *("set-die", "turn-card", "move-card", "describe"),
)
ANSWERS = {
    "placing": ("tell-period", "place-in-lab", "place-in-market"),
    "inventing": ("invent", "invent-nothing"),
    "following": ("finish-text",),
    "hit": ("disable", "destroy", "steal", "spare"),
    "loot": ("install-loot", "throw-away"),
    "countering": ("counter-attack", "let-go"),
}
"""The answers to each question."""
ASKED_BY = {"placing": "P18", "inventing": "P23", "following": "P32", "hit": "P27", "loot": "P36", "countering": "P35"}
SETTLED = {
    **dict.fromkeys(("dice", "hit", "loot", "countering"), "P.t"),
    "inventing": "P23",
    "numbering": "P29",
    "following": "P32",
}
"""What everything else waits for, and the rule that says so."""
MOVES = ("roll", "stay", "go")
REPAIRS = ("repair-one", "repair-all", "revive")
IN_ANY_TURN = ("counter-attack", "let-go")


def broken(setup: Json, state: Json, intent: Json) -> list[tuple[str, str]]:
    """Every condition that isn't met, each as (basis, rule id)."""
    return list(dict.fromkeys(Naive(setup, state).broken(intent)))


def legal(setup: Json, state: Json, intent: Json) -> bool:
    """Whether all of them hold."""
    return not broken(setup, state, intent)


class Naive(NaiveDeeds):
    """One position, and what an intent would break there."""

    def broken(self, wish: Json) -> Conditions:
        verb, actor = wish["verb"], wish["actor"]
        method = verb.replace("-", "_")
        if verb in FIXES:
            yield from getattr(self, method)(wish)
        elif not self.steps:
            yield "over", "P30"
        elif verb in CHANCE:
            yield from self.chance(verb, wish)
        elif not self.is_seat(actor):
            yield "over", "P40"
        elif self.at_step == "dealing":
            yield "over", "P2"
        else:
            yield from self.moment(verb, actor)
            yield from getattr(self, method)(actor, wish)

    # chance

    def chance(self, verb: str, wish: Json) -> Conditions:
        rule, step = CHANCE[verb]
        if self.at_step == "dealing" and verb != "drew-machine":
            yield "over", "P2"
            return
        if self.short():
            yield "settling", "P10"
        dice = self.dice_due(verb)
        due = self.at_step == step if step else dice > 0
        if wish["actor"] != TABLE or not due:
            yield "step", rule
        if verb == "drew-machine" and wish["card"] not in self.machines_left():
            yield "thing", "P2"
        if verb == "drew" and wish["card"] not in self.state["deck"]["unseen"]:
            yield "thing", "P4"
        if dice and not dice <= wish["number"] <= 6 * dice:
            yield "thing", rule

    def machines_left(self) -> set[str]:
        return {machine["id"] for machine in self.pack["inventors"]} - {machine["card"] for machine in self.machines}

    # the moment

    def moment(self, verb: str, actor: int) -> Conditions:
        """Whose turn, what must be settled first, which step."""
        if verb == "close-look":
            yield from self.look_settled(actor)
        elif verb == "switch-off":
            yield from self.power_order(actor)
        else:
            yield from self.turn_of(verb, actor)
            yield from self.settled(verb, actor)
            yield from self.step_of(verb, actor)

    def look_settled(self, actor: int) -> Conditions:
        """P.n: play may go on meanwhile, but in the Lab one says first what to take."""
        if any(step["type"] == "inventing" and step["seat"] == actor for step in self.steps):
            yield "settling", "P23"

    def power_order(self, actor: int) -> Conditions:
        """P10, P.e: in anyone's turn, but only for want of power."""
        if self.short()[:1] not in ([], [actor]):
            yield "settling", "P10"
        if not self.lacks_power(actor):
            yield "step", "P10"
            yield "step", "P.e"

    def turn_of(self, verb: str, actor: int) -> Conditions:
        """P3; some questions come in somebody else's turn."""
        is_answer = any(verb in verbs for verbs in ANSWERS.values())
        asked = is_answer and actor in (self.waits_for(), *self.short()[:1])
        if verb not in IN_ANY_TURN and self.state["turn"] != actor and not asked:
            yield "turn", "P3"

    def settled(self, verb: str, actor: int) -> Conditions:
        if self.short():
            yield "settling", "P10"
        answers = verb in ANSWERS.get(self.at_step, ()) and self.waits_for() == actor
        if self.at_step in SETTLED and not answers:
            yield "settling", SETTLED[self.at_step]

    def step_of(self, verb: str, actor: int) -> Conditions:
        question = next((step for step, verbs in ANSWERS.items() if verb in verbs), None)
        if question is not None:
            if self.at_step != question or self.waits_for() != actor:
                yield "step", ASKED_BY[question]
                if verb == "steal":
                    yield "step", "P36"
        elif self.state["turn"] == actor:
            yield from self.own_step(verb)

    def own_step(self, verb: str) -> Conditions:
        """P17–P20: the order of one's own turn."""
        if self.at_step in ("drawing", "placing"):
            yield "step", "P18"
        if verb in REPAIRS:
            if self.at_step == "rolling":
                yield "step", "P19"
        elif verb in MOVES:
            if self.at_step != ("going" if verb == "go" else "moving"):
                yield "step", "P19"
        elif verb == "end-turn":
            if self.at_step in ("drawing", "placing", "moving", "rolling", "going"):
                yield "step", "P20"
        elif self.at_step != "acting":
            yield "step", "P20"


# What a thing means that is pointed at


def meant(setup: Json, state: Json, intent: Json, token: tuple[str, str | int]) -> bool:
    """Whether a person who points at this (kind, value) could mean this intent."""
    kind, value = token
    if kind == "verb":
        return bool(intent["verb"] == value)
    arguments = {name: given for name, given in intent.items() if name not in ("verb", "actor")}
    kinds = {"card": "piece", "source": "piece", "place": "place", "board": "place", "space": "place"}
    if any(given == value and kinds.get(name, name) == kind for name, given in arguments.items()):
        return True
    if kind == "seat" and intent["actor"] == value:
        return True
    table = NaiveTable(setup, state)
    if not table.is_seat(intent["actor"]):
        return False
    return token in _also(table, intent)


def _also(table: NaiveTable, intent: Json) -> list[tuple[str, str | int]]:
    """Other things that mean an intent at the table."""
    verb, actor = intent["verb"], intent["actor"]
    found: list[tuple[str, str | int]] = []
    here = {
        "buy": "market",
        "look-in-lab": "lab",
        "study": "library",
        "salvage": "junkyard",
        "mend": "mechanic",
        **dict.fromkeys(("patent", "take-number", "claim-patent"), "office"),
    }.get(verb)
    if verb == "stay" or (here is not None and table.stands_on(actor, here)):
        found.append(("place", table.place(actor)))
    card = intent.get("card", "")
    if table.at_step == "loot" and verb in ("install-loot", "throw-away"):
        card = table.top["card"]
        found.append(("piece", card))
    if verb in ("buy", "salvage", "invent", "install-loot") and card in table.cards:
        assert table.cards[card]["slot"] in SLOTS
        found.append(("place", f"slot/{actor}/{table.cards[card]['slot']}"))
    if table.at_step == "placing" and verb in ANSWERS["placing"]:
        found.append(("piece", table.top["card"]["value"]))
    if table.at_step == "countering" and verb == "counter-attack":
        found.append(("seat", table.top["fight"]["attacker"]))
    return found
