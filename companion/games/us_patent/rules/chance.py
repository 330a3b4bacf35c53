"""What the table does: draw Time Machines and Upgrades, roll dice (P2, P18, P19, P27, P29)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TypeVar, assert_never

from companion.core import NOBODY, Event, Facts, Hidden, Intent, PieceId, Rule, RuleId, SeatId, Verb, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    EXTRA_GOLD,
    NEVER,
    Cards,
    Dealing,
    Dice,
    Drawing,
    Moving,
    Numbering,
    Rolling,
    State,
    Step,
    drive,
    in_sight,
    is_easier,
    known,
    top,
    workings_of,
)

from .guards import RUNNING, of_table
from .intents import AttackRolled, DefenceRolled, Drew, DrewMachine, MoveRolled, NumberRolled

D = TypeVar("D", MoveRolled, NumberRolled, AttackRolled, DefenceRolled)
Rolled = MoveRolled | NumberRolled | AttackRolled | DefenceRolled


def machines_left(state: State) -> Cards:
    """The Time Machines that nobody has drawn."""
    drawn = {machine.card for machine in state.machines}
    return tuple(card for card in known(state).inventors if card not in drawn)


def machine_drawn(state: State, card: PieceId) -> tuple[Event, ...]:
    """P2, P39: the card gives the start space and the Gold."""
    seat = next(SeatId(at) for at, machine in enumerate(state.machines) if not machine.card)
    inventor = known(state).inventors[card]
    gold = inventor.gold + (EXTRA_GOLD if is_easier(state) else 0)
    return (e.MachineDrawn(seat, card, inventor.start, gold),)  # type: ignore[arg-type]


def _machine_left(state: State, intent: DrewMachine) -> Facts | None:
    return unless(intent.card not in machines_left(state))


def _not_in_deck(state: State, intent: Drew) -> Facts | None:
    return unless(intent.card not in state.deck.next())


def _any_unseen(state: State, actor: SeatId) -> list[Drew]:
    """Cards that lie face up are not in the deck, as everyone can see."""
    seen = in_sight(state)
    return [Drew(actor, card) for card in known(state).cards if card not in seen]


def _researched(state: State, intent: Drew) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Drawing)
    knowers = (step.seat,) if state.setup.option("lab_memory") == "on" else NOBODY
    return (e.CardResearched(step.seat, Hidden(intent.card, knowers), known(state).cards[intent.card].period),)


def dice_of(state: State, kind: type[Intent]) -> int:
    """How many dice such a roll has now; 0 if it is not due."""
    step = top(state)
    match step:
        case Rolling(dice=dice) if kind is MoveRolled:
            return dice
        case Moving(seat=seat) if kind is MoveRolled:
            return drive(known(state), state.machines[seat])[0]
        case Numbering() if kind is NumberRolled:
            return 1
        case Dice(fight=fight, attack=attack) if kind is AttackRolled and attack == NEVER:
            return fight.attack_dice
        case Dice(fight=fight, attack=attack, defence=defence) if kind is DefenceRolled and attack != NEVER == defence:
            return fight.defence_dice
        case _:
            return 0


def rolls_on(state: State) -> bool:
    """A move begins with its dice, unless a card's text could be used before them."""
    step = top(state)
    return isinstance(step, Moving) and dice_of(state, MoveRolled) > 0 and not workings_of(state, step.seat).mends


def _sums(kind: type[D]) -> Callable[[State, SeatId], tuple[D, ...]]:
    @lru_cache(maxsize=32)
    def sums(actor: SeatId, dice: int) -> tuple[D, ...]:
        return tuple([kind(actor, number) for number in range(dice, 6 * dice + 1)])

    return lambda state, actor: sums(actor, dice_of(state, kind))


def _impossible(state: State, intent: Rolled) -> Facts | None:
    dice = dice_of(state, type(intent))
    return unless(dice > 0 and not dice <= intent.number <= 6 * dice, low=dice, high=6 * dice)


def _thrown(state: State, intent: Rolled) -> tuple[Event, ...]:
    step, number = top(state), intent.number
    match intent:
        case MoveRolled():
            return _moved(state, step, number)
        case NumberRolled():
            assert isinstance(step, Numbering)
            return (e.NumberTaken(step.seat, number),)
        case AttackRolled():
            assert isinstance(step, Dice)
            return (e.AttackThrown(step.fight.attacker, number, number + step.fight.attack_plus),)
        case DefenceRolled():
            assert isinstance(step, Dice)
            return (e.DefenceThrown(step.fight.defender, number, number + step.fight.defence_plus),)
        case _:
            assert_never(intent)


def _moved(state: State, step: Step | None, number: int) -> tuple[Event, ...]:
    """Rolling the die straight away needs no announcement."""
    match step:
        case Rolling(seat=seat, plus=plus):
            return (e.MoveKnown(seat, max(0, number + plus)),)
        case Moving(seat=seat):
            plus = drive(known(state), state.machines[seat])[1]
            return e.RollBegun(seat), e.MoveKnown(seat, max(0, number + plus))
        case _:
            raise ValueError(f"no move is due at {step}: the die was judged before")


@cache
def ways(dice: int) -> dict[int, int]:
    """In how many ways this many dice give each sum."""
    counts = {0: 1}
    for _ in range(dice):
        more: dict[int, int] = {}
        for total, count in counts.items():
            for face in range(1, 7):
                more[total + face] = more.get(total + face, 0) + count
        counts = more
    return counts


def weight(state: State, intent: Intent) -> int:
    """Sums of dice by their frequency; everything else is equally likely."""
    match intent:
        case MoveRolled(number=number) | AttackRolled(number=number) | DefenceRolled(number=number):
            return ways(dice_of(state, type(intent))).get(number, 0)
        case _:
            return 1


def _dice_verb(kind: type[D], rule: str, key: str, is_due: Callable[[object], bool]) -> Verb[State, D]:
    return Verb[State, D](
        kind,
        of_table(rule, key, is_due),
        _sums(kind),
        (Rule(RuleId(rule), "dice-sum", _impossible, physical=True),),
        _thrown,
        chance=True,
    )


CHANCE = (
    Verb[State, DrewMachine](
        DrewMachine,
        of_table("P2", "machine-due", lambda step: type(step) is Dealing, (RUNNING,)),
        lambda state, actor: (DrewMachine(actor, card) for card in machines_left(state)),
        (Rule(RuleId("P2"), "machine-left", _machine_left, physical=True),),
        lambda state, intent: machine_drawn(state, intent.card),
        chance=True,
        thinkable=lambda state, actor: [DrewMachine(actor, card) for card in known(state).inventors],
    ),
    Verb[State, Drew](
        Drew,
        of_table("P18", "research-due", lambda step: type(step) is Drawing),
        lambda state, actor: (Drew(actor, card) for card in state.deck.next()),
        # The refusal reads the same for every card: a draw reveals nothing before it is accepted.
        (Rule(RuleId("P4"), "next-card", _not_in_deck, physical=True),),
        _researched,
        chance=True,
        thinkable=_any_unseen,
    ),
    _dice_verb(MoveRolled, "P19", "move-die-due", lambda step: type(step) in (Rolling, Moving)),
    _dice_verb(NumberRolled, "P29", "number-die-due", lambda step: type(step) is Numbering),
    _dice_verb(AttackRolled, "P27", "attack-dice-due", lambda step: isinstance(step, Dice) and step.attack == NEVER),
    _dice_verb(
        DefenceRolled,
        "P27",
        "defence-die-due",
        lambda step: isinstance(step, Dice) and step.attack != NEVER == step.defence,
    ),
)
