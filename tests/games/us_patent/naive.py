"""A second referee, slow and simple, written from the numbered rules alone: may this intent be done now?

It shares no rule code with the game: it reads the raw pack and the plain fields of a state, counts power on its own
fingers and walks the map step by step.
"""

from __future__ import annotations

import json
from typing import Any, Union

import msgspec

from companion.core.game import Setup
from companion.core.ids import TABLE
from companion.core.rules import Intent
from companion.games.us_patent.cards import Pack
from companion.games.us_patent.rules import intents
from companion.games.us_patent.state import State

SLOTS = ("weapon", "shield", "chassis", "plant")
Json = dict[str, Any]
_INTENTS = tuple(c for c in vars(intents).values() if isinstance(c, type) and issubclass(c, Intent) and c is not Intent)
_ANY = Union[_INTENTS]  # type: ignore[valid-type]  # noqa: UP007
_setups: dict[int, tuple[Json, Setup[Pack]]] = {}


def legal(setup: Json, state: Json, intent: Json) -> bool:
    """The same question about plain dictionaries."""
    kept = _setups.get(id(setup))
    if kept is None or kept[0] is not setup:
        kept = _setups[id(setup)] = setup, msgspec.convert(setup, Setup[Pack])
    moment = msgspec.structs.replace(msgspec.convert(state, State), setup=kept[1])
    wish: Intent = msgspec.convert(intent, _ANY)
    return Naive(moment).may(wish)


class Naive:
    """One position."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.pack = state.setup.pack
        assert not state.described, "random play describes no cards"
        self.options = dict(state.setup.options)
        self.cards = {card.id: card for card in self.pack.upgrades}
        self.kinds = {space.id: space.kind for space in self.pack.spaces}
        self.step = state.steps[-1] if state.steps else None
        self.name = type(self.step).__name__ if self.step is not None else ""

    # what is on a machine

    def on(self, seat: int) -> list[Any]:
        machine = self.state.machines[seat]
        return [self.cards[c] for c, works in zip(machine.cards, machine.works, strict=True) if c and works]

    def off(self, seat: int) -> list[Any]:
        machine = self.state.machines[seat]
        return [self.cards[c] for c, works in zip(machine.cards, machine.works, strict=True) if c and not works]

    def texts(self, seat: int, tag: str) -> list[Any]:
        return [effect for card in self.on(seat) for effect in card.effects if type(effect).__name__ == tag]

    def text_of(self, card: str, tag: str) -> Any:
        return (
            next((x for x in self.cards[card].effects if type(x).__name__ == tag), None) if card in self.cards else None
        )

    def lacks_power(self, seat: int) -> bool:
        """P8–P10."""
        ranks = {card.slot: card.rank for card in self.on(seat)}
        have = 5 + ranks.get("plant", 0) + sum(x.plus for x in self.texts(seat, "Surplus"))
        if "plant" in ranks and ranks["plant"] == ranks.get("chassis"):
            have += 6
        need = 0
        for card in self.on(seat):
            if card.slot != "plant":
                thrift = self.text_of(card.id, "Thrift")
                need += max(0, card.rank - (thrift.less if thrift else 0))
        return bool(need > have)

    def short(self) -> list[int]:
        return [seat for seat in range(len(self.state.machines)) if self.lacks_power(seat)]

    # where things are

    def place(self, seat: int) -> str:
        return str(self.state.machines[seat].at)

    def board(self, seat: int) -> int:
        return int(self.place(seat)[0])

    def stands_on(self, seat: int, kind: str) -> bool:
        return bool(self.kinds[self.place(seat)] == kind)

    def far(self, start: str, steps: int) -> set[str]:
        """P19, P.ak: every space within so many steps."""
        found = {start}
        for _ in range(steps):
            more = {link.b for link in self.pack.links if link.a in found}
            more |= {link.a for link in self.pack.links if link.b in found and not link.one_way}
            found |= more
        return found

    # the question

    def may(self, intent: Intent) -> bool:  # noqa: C901 - one list of cases, read from top to bottom
        verb = type(intent).__name__
        actor = int(intent.actor)
        if hasattr(self, "set_right_" + verb.lower()):
            return bool(getattr(self, "set_right_" + verb.lower())(intent))
        if not self.state.steps:
            return False
        if verb in ("DrewMachine", "Drew", "MoveRolled", "NumberRolled", "AttackRolled", "DefenceRolled"):
            return actor == TABLE and not self.short() and self.chance(verb, intent)
        if not 0 <= actor < len(self.state.machines):
            return False
        if verb == "CloseLook":
            return bool(self.state.looks[actor].value) and not self.looks_into_lab(actor)
        if self.short():
            return verb == "SwitchOff" and actor == self.short()[0] and self.can_go_off(actor, intent)
        if verb == "SwitchOff":
            return False
        answer = getattr(self, "answer_" + self.name.lower(), None)
        if answer is not None and self.awaited() == actor and answer(verb, intent):
            return True
        if self.state.turn != actor or self.name not in ("Moving", "Going", "Acting", "Ending"):
            return False
        if verb in ("RepairOne", "RepairAll", "Revive"):
            return self.repair(verb, actor, intent)
        if verb == "EndTurn":
            return self.name in ("Acting", "Ending")
        return self.name == "Acting" and self.action(verb, actor, intent)

    def awaited(self) -> int:
        step: Any = self.step
        if self.name == "Hit":
            return int(step.fight.attacker)
        if self.name == "Countering":
            return int(step.fight.defender)
        return int(getattr(step, "seat", TABLE))

    def looks_into_lab(self, seat: int) -> bool:
        return any(type(step).__name__ == "Inventing" and step.seat == seat for step in self.state.steps)

    def can_go_off(self, seat: int, intent: Any) -> bool:
        return any(card.id == intent.card and card.slot != "plant" for card in self.on(seat))

    def chance(self, verb: str, intent: Any) -> bool:
        step: Any = self.step
        if verb == "DrewMachine":
            drawn = {machine.card for machine in self.state.machines}
            return self.name == "Dealing" and intent.card in {m.id for m in self.pack.inventors} - drawn
        if verb == "Drew":
            return self.name == "Drawing" and intent.card in self.state.deck.unseen
        dice = 0
        if verb == "MoveRolled" and self.name in ("Rolling", "Moving"):
            dice = max([x.dice for x in self.texts(step.seat, "Drive")], default=1)
        if verb == "NumberRolled" and self.name == "Numbering":
            dice = 1
        if verb == "AttackRolled" and self.name == "Dice" and step.attack == 99:
            dice = step.fight.attack_dice
        if verb == "DefenceRolled" and self.name == "Dice" and step.attack != 99 and step.defence == 99:
            dice = step.fight.defence_dice
        return dice > 0 and dice <= intent.number <= 6 * dice

    # answers to a question

    def answer_placing(self, verb: str, intent: Any) -> bool:
        """P18: the Lab or the Market of the card's own period; one that nobody knows is told first."""
        step: Any = self.step
        period = self.cards[step.card.value].period
        if verb == "TellPeriod":
            return bool(period == 0 and 1 <= intent.number <= 8)
        room = {"PlaceInLab": "lab", "PlaceInMarket": "market"}.get(verb)
        return bool(room is not None and period > 0 and intent.place == f"{period}/{room}")

    def answer_moving(self, verb: str, _intent: Any) -> bool:
        return verb in ("Roll", "Stay")

    def answer_going(self, verb: str, intent: Any) -> bool:
        step: Any = self.step
        if verb != "Go" or intent.space not in self.far(self.place(step.seat), step.reach):
            return False
        return bool(intent.board == f"board/{intent.space[0]}")

    def answer_inventing(self, verb: str, intent: Any) -> bool:
        step: Any = self.step
        in_lab = [hidden.value for hidden in self.state.labs[int(step.place[0])]]
        return verb == "InventNothing" or (verb == "Invent" and intent.card in in_lab)

    def answer_following(self, verb: str, _intent: Any) -> bool:
        return verb == "FinishText"

    def answer_loot(self, verb: str, _intent: Any) -> bool:
        return verb in ("InstallLoot", "ThrowAway")

    def answer_countering(self, verb: str, _intent: Any) -> bool:
        return verb in ("CounterAttack", "LetGo")

    def answer_hit(self, verb: str, intent: Any) -> bool:
        """P27, P36, P38, P.b, P.c."""
        step: Any = self.step
        fight, margin = step.fight, step.attack - step.defence
        working = [card.id for card in self.on(fight.defender)]
        attached = working + [card.id for card in self.off(fight.defender)]
        if verb == "Disable":
            destroys_only = self.options["margin"] == "destroy" and margin >= fight.destroys
            return intent.card in working and fight.disables and not destroys_only
        if verb == "Destroy":
            return intent.card in attached and margin >= fight.destroys
        if verb == "Steal":
            return intent.card in attached and margin >= fight.steals
        return verb == "Spare"

    # repairs and Actions

    def repair(self, verb: str, actor: int, intent: Any) -> bool:
        """P16, P.al, P.am, P.an."""
        if verb == "Revive":
            own = intent.card in [card.id for card in self.off(actor)]
            return own and self.text_of(intent.card, "SelfRepair") is not None and intent.card not in self.state.revived
        text = self.text_of(intent.source, "Repair")
        if text is None or intent.source not in [card.id for card in self.on(actor)] or not self.off(actor):
            return False
        if intent.source in self.state.used or text.when == "always":
            return False
        if text.when == "action" and self.name != "Acting":
            return False
        if verb == "RepairAll":
            return bool(text.what == "all")
        return bool(text.what == "one") and intent.card in [card.id for card in self.off(actor)]

    def action(self, verb: str, actor: int, intent: Any) -> bool:  # noqa: C901 - the list of Actions
        machine, board = self.state.machines[actor], self.board(actor)
        match verb:
            case "TakeGold" | "MoveAgain":
                return True
            case "ResearchAgain":
                return len(self.state.deck.unseen) > 0
            case "Buy":
                there = self.stands_on(actor, "market") and intent.card in self.state.markets[board]
                return there and self.cards[intent.card].rank <= machine.gold
            case "LookInLab":
                return self.stands_on(actor, "lab") and len(self.state.labs[board]) > 0
            case "Study":
                return self.stands_on(actor, "library") and any(self.state.labs[b] for b in range(1, board))
            case "Salvage":
                return self.stands_on(actor, "junkyard") and intent.card in self.state.junkyard
            case "Mend":
                return self.stands_on(actor, "mechanic") and machine.gold >= 1 and bool(self.off(actor))
            case "Patent":
                return self.stands_on(actor, "office") and intent.card in [card.id for card in self.on(actor)]
            case "TakeNumber":
                return self.stands_on(actor, "office")
            case "ClaimPatent":
                return self.options["win"] == "action" and self.would_win(actor)
            case "LeapTo":
                goals = [text.to for text in self.texts(actor, "Leap")]
                there = intent.space in self.kinds and intent.board == f"board/{intent.space[0]}"
                return there and ("any" in goals or self.kinds[intent.space] in goals)
            case "FollowText":
                working = intent.card in [card.id for card in self.on(actor)]
                return working and self.text_of(intent.card, "ByText") is not None
            case _:
                return self.attack(verb, actor, intent)

    def would_win(self, actor: int) -> bool:
        easier = self.options["easier"] == "on" or (
            self.options["easier"] == "by-seats" and len(self.state.machines) in (7, 8)
        )
        full = len(self.on(actor)) >= (3 if easier else 4)
        return self.state.machines[actor].number == 0 and self.stands_on(actor, "office") and full

    def attack(self, verb: str, actor: int, intent: Any) -> bool:
        """P27, P32, P34, P37."""
        others = [seat for seat in range(len(self.state.machines)) if seat != actor]
        if verb == "Attack":
            return intent.seat in others and self.place(actor) == self.place(intent.seat)
        if verb not in ("Shoot", "ShootSecond", "Volley") or intent.card not in [card.id for card in self.on(actor)]:
            return False
        attacks = [text for text in self.cards[intent.card].effects if type(text).__name__ == "Ranged"]
        if verb == "Volley":
            return any(
                text.targets == "all" and any(self.reaches(text, actor, seat) for seat in others) for text in attacks
            )
        single = [text for text in attacks if text.targets == "one"][verb == "ShootSecond" :]
        return bool(single) and intent.seat in others and self.reaches(single[0], actor, intent.seat)

    def reaches(self, text: Any, actor: int, seat: int) -> bool:
        """P37, P.j, P.z."""
        here, there = self.board(actor), self.board(seat)
        on_space = self.place(actor) == self.place(seat)
        return bool({"space": on_space, "time": here == there, "ahead": there > here, "any": True}[text.scope])

    # corrections: only what hands could not do either is refused

    def dealt(self) -> bool:
        return not any(type(step).__name__ == "Dealing" for step in self.state.steps)

    def running(self) -> bool:
        return bool(self.state.steps) and self.dealt()

    def seated(self, intent: Any) -> bool:
        return bool(0 <= intent.seat < len(self.state.machines))

    def set_right_setgold(self, intent: Any) -> bool:
        return self.dealt() and self.seated(intent) and 0 <= intent.number <= 199

    def set_right_setnumber(self, intent: Any) -> bool:
        return self.running() and self.seated(intent) and 0 <= intent.number <= 6

    def set_right_dropnumber(self, intent: Any) -> bool:
        return self.running() and self.seated(intent) and self.state.machines[intent.seat].number >= 0

    def set_right_setpawn(self, intent: Any) -> bool:
        there = intent.space in self.kinds and intent.board == f"board/{intent.space[0]}"
        return self.running() and self.seated(intent) and there

    def set_right_describe(self, intent: Any) -> bool:
        """P6, P45: a whole card, told by who sees it; what is installed keeps its type."""
        try:
            told = json.loads(intent.upgrade)
        except ValueError:
            return False
        if not isinstance(told, dict) or told.get("id") != intent.card or intent.card not in self.cards:
            return False
        attached = any(intent.card in machine.cards for machine in self.state.machines)
        fits = told.get("slot") in SLOTS and (not attached or told["slot"] == self.cards[intent.card].slot)
        whole = fits and told.get("rank") in range(21) and told.get("period") in range(1, 9)
        return bool(self.state.steps) and whole and self.sees(int(intent.actor), intent.card)

    def sees(self, seat: int, card: str) -> bool:
        everyone = [*self.state.markets, self.state.junkyard, *(machine.cards for machine in self.state.machines)]
        held = [step.card for step in self.state.steps if type(step).__name__ == "Loot"]
        own = [step.card.value for step in self.state.steps if type(step).__name__ == "Placing" and step.seat == seat]
        own += [hidden.value for lab in self.state.labs for hidden in lab if seat in hidden.known_by]
        looked = self.state.looks[seat].value if 0 <= seat < len(self.state.looks) else ()
        return any(card in cards for cards in (*everyone, held, own, looked))

    def set_right_setturn(self, intent: Any) -> bool:
        calm = self.name in ("Moving", "Acting", "Ending", "Drawing") and len(self.state.steps) <= 4
        return self.running() and self.seated(intent) and calm

    def set_right_setdie(self, intent: Any) -> bool:
        step: Any = self.step
        dice = 0
        if self.name == "Going":
            dice = max([x.dice for x in self.texts(step.seat, "Drive")], default=1)
        if self.name == "Dice" and step.attack != 99:
            dice = step.fight.attack_dice
        if self.name == "Hit":
            dice = step.fight.defence_dice
        return bool(dice > 0 and dice <= intent.number <= 6 * dice)

    def set_right_turncard(self, intent: Any) -> bool:
        attached = [c for machine in self.state.machines for c in machine.cards if c]
        return bool(self.state.steps) and intent.card in attached

    def set_right_movecard(self, intent: Any) -> bool:
        hands = any(type(step).__name__ in ("Placing", "Inventing", "Loot") for step in self.state.steps)
        if hands or not self.running() or intent.card not in self.cards:
            return False
        rooms = [f"{board}/{room}" for board in range(1, 9) for room in ("market", "lab")]
        if intent.place in ("deck", "0/junkyard", *rooms):
            return True
        parts = intent.place.split("/")
        if len(parts) != 3 or parts[0] != "slot" or parts[2] not in SLOTS or not parts[1].isdecimal():
            return False
        seat, slot = int(parts[1]), SLOTS.index(parts[2])
        if seat >= len(self.state.machines) or self.cards[intent.card].slot != parts[2]:
            return False
        return bool(self.state.machines[seat].cards[slot] in ("", intent.card))
