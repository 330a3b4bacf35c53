"""What the text of an Upgrade can say: a small closed vocabulary with parameters.

A card has each kind at most once, except those that say something else the second time. Every kind names the rules it
serves and makes its own sentence, so cards need no prose; free text beyond this is shown, marked “not enforced”.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final, Literal, TypeAlias, assert_never, get_args

from msgspec import Meta, Struct

from companion.core import Misfit, Name, Said, Word, kebab, say

Dice = Annotated[int, Meta(ge=0, le=3)]
Plus = Annotated[int, Meta(ge=-6, le=12)]
Margin = Annotated[int, Meta(ge=1, le=20)]

Scope = Literal["space", "time", "ahead", "any"]
Result = Literal["usual", "disable", "destroy", "steal"]
Targets = Literal["one", "all"]
Against = Literal["ranged", "all"]
Muffled = Literal["basic", "ranged", "all"]
Held = Literal["pierce", "disable", "destroy", "steal"]
Mended = Literal["one", "all"]
When = Literal["action", "free", "always"]
Goal = Literal["lab", "market", "library", "office", "mechanic", "junkyard", "any"]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag=kebab):
    """One thing that a working Upgrade does."""

    rules: ClassVar[tuple[str, ...]] = ()


class Drive(Effect, frozen=True):
    """The move is this many dice plus a number; with no dice nothing is rolled."""

    rules: ClassVar[tuple[str, ...]] = ("P19", "P33")
    dice: Dice = 1
    plus: Plus = 0


class Leap(Effect, frozen=True):
    """Action: go straight to any space of this kind, or to any space at all."""

    rules: ClassVar[tuple[str, ...]] = ("P32",)
    to: Goal


class Strike(Effect, frozen=True):
    """One's own basic attacks: the dice, a number to add, the margin from which they destroy."""

    rules: ClassVar[tuple[str, ...]] = ("P27", "P33", "P41")
    dice: Annotated[int, Meta(ge=1, le=4)] = 2
    plus: Plus = 0
    destroys: Margin = 5


class Parry(Effect, frozen=True):
    """Defence against basic attacks: the dice and a number to add."""

    rules: ClassVar[tuple[str, ...]] = ("P27", "P33", "P41")
    dice: Annotated[int, Meta(ge=1, le=3)] = 1
    plus: Plus = 0


class Pierce(Effect, frozen=True):
    """One's own basic attacks ignore the Shield's rank, unless the Shield holds."""

    rules: ClassVar[tuple[str, ...]] = ("P33", "P38", "P41")


class Robbery(Effect, frozen=True):
    """A hit of a basic attack may steal an Upgrade from this margin on."""

    rules: ClassVar[tuple[str, ...]] = ("P36", "P38", "P.s")
    margin: Margin = 1


class Ranged(Effect, frozen=True):
    """Action: attack one player in scope from afar, or all of them, with these dice on both sides and this result.

    A card may have two of them; each is an Action of its own.
    """

    rules: ClassVar[tuple[str, ...]] = ("P32", "P34", "P37", "P41", "P.y", "P.z")
    scope: Scope
    dice: Dice = 2
    plus: Plus = 0
    defence: Annotated[int, Meta(ge=0, le=2)] = 1
    result: Result = "usual"
    targets: Targets = "one"


class Ward(Effect, frozen=True):
    """Ranged attacks, or all attacks, have no effect on this machine."""

    rules: ClassVar[tuple[str, ...]] = ("P34", "P38", "P.y")
    against: Against


class Muffle(Effect, frozen=True):
    """Attacks on this machine roll this many dice fewer: basic ones, ranged ones, or both."""

    rules: ClassVar[tuple[str, ...]] = ("P33", "P34", "P38", "P41")
    dice: Annotated[int, Meta(ge=1, le=3)] = 1
    against: Muffled = "basic"


class Hold(Effect, frozen=True):
    """Against every attack: the Shield's rank counts, or nothing is disabled, destroyed or stolen."""

    rules: ClassVar[tuple[str, ...]] = ("P38",)
    against: Held


class Counter(Effect, frozen=True):
    """After a basic attack its target may strike back."""

    rules: ClassVar[tuple[str, ...]] = ("P35", "P47")


class Repair(Effect, frozen=True):
    """One or all of its owner's disabled Upgrades work again: as an Action, free once a turn, or as a turn begins."""

    rules: ClassVar[tuple[str, ...]] = ("P16", "P.al")
    what: Mended
    when: When

    def __post_init__(self) -> None:
        if self.when == "always" and self.what == "one":
            text = 'a repair that is always on chooses nothing: write what = "all", or when = "free"'
            raise Misfit((text, say("pack.repair")))


class SelfRepair(Effect, frozen=True):
    """Even when disabled it may make itself work again, once in each of its owner's turns."""

    rules: ClassVar[tuple[str, ...]] = ("P16", "P.am")


class Surplus(Effect, frozen=True):
    """Changes the capacity by this much while it works."""

    rules: ClassVar[tuple[str, ...]] = ("P8", "P33", "P41")
    plus: Plus


class Thrift(Effect, frozen=True):
    """It draws this much less than its rank."""

    rules: ClassVar[tuple[str, ...]] = ("P9", "P33", "P41")
    less: Annotated[int, Meta(ge=1, le=12)]


class ByText(Effect, frozen=True):
    """Action: do what the free text says; nobody checks it, and what it changes is corrected by hand."""

    rules: ClassVar[tuple[str, ...]] = ("P32", "P41")


AnyEffect: TypeAlias = (
    Drive
    | Leap
    | Strike
    | Parry
    | Pierce
    | Robbery
    | Ranged
    | Ward
    | Muffle
    | Hold
    | Counter
    | Repair
    | SelfRepair
    | Surplus
    | Thrift
    | ByText
)
KINDS: Final[tuple[type[AnyEffect], ...]] = get_args(AnyEffect)
REPEATED: Final = (Leap, Hold, Ranged)
"""These say something else the second time: another goal, another protection, another attack."""
MOST_ATTACKS: Final = 2


def misprints(card: str, effects: tuple[AnyEffect, ...], text: str) -> Iterator[tuple[str, Said]]:
    """What cannot be printed together on one card: for the log, and for people."""
    once = [type(effect) for effect in effects if not isinstance(effect, REPEATED)]
    if len(set(once)) < len(once) or len(set(effects)) < len(effects):
        yield f"{card} has one kind of effect twice: keep one of them", say("pack.effect-twice", card=Name(card))
    attacks = [effect for effect in effects if isinstance(effect, Ranged)]
    if len(attacks) > MOST_ATTACKS or sum(attack.targets == "all" for attack in attacks) > 1:
        told = f"{card} has too many ranged attacks: {MOST_ATTACKS} at most, one of them on all"
        yield told, say("pack.attacks", card=Name(card), n=MOST_ATTACKS)
    if any(isinstance(effect, ByText) for effect in effects) and not text:
        yield f"{card} is an Action by its text and has none: write it", say("pack.no-text", card=Name(card))


def sentence(effect: AnyEffect) -> Said:
    """The effect in words, made from its parameters."""
    match effect:
        case Drive() | Leap():
            return _of_move(effect)
        case Strike() | Parry() | Pierce() | Robbery() | Ranged():
            return _of_attack(effect)
        case Ward() | Muffle() | Hold() | Counter():
            return _of_shield(effect)
        case Repair(what=what, when=when):
            return say(f"effect.repair.{what}.{when}")
        case SelfRepair():
            return say("effect.self-repair")
        case Surplus(plus=plus):
            return say("effect.surplus", plus=plus)
        case Thrift(less=less):
            return say("effect.thrift", less=less)
        case ByText():
            return say("effect.by-text")
        case _:
            assert_never(effect)


def _of_shield(effect: Ward | Muffle | Hold | Counter) -> Said:
    match effect:
        case Muffle(dice=dice, against=against):
            return say(f"effect.muffle.{against}", dice=Word(f"dice.{dice}"))
        case Ward(against=against):
            return say(f"effect.ward.{against}")
        case Hold(against=held):
            return say(f"effect.hold.{held}")
        case Counter():
            return say("effect.counter")


def _of_move(effect: Drive | Leap) -> Said:
    match effect:
        case Drive(dice=0, plus=plus):
            return say("effect.drive-flat", plus=plus)
        case Drive(dice=dice, plus=0):
            return say("effect.drive-dice", dice=Word(f"dice.{dice}"))
        case Drive(dice=dice, plus=plus) if plus < 0:
            return say("effect.drive-less", dice=Word(f"dice.{dice}"), less=-plus)
        case Drive(dice=dice, plus=plus):
            return say("effect.drive", dice=Word(f"dice.{dice}"), plus=plus)
        case Leap(to=to):
            return say(f"effect.leap.{to}")


def _of_attack(effect: Strike | Parry | Pierce | Robbery | Ranged) -> Said:
    match effect:
        case Ranged(scope=scope, dice=dice, plus=plus, defence=defence, result=result, targets=targets):
            key = "effect.ranged" if targets == "one" else "effect.volley"
            return say(
                f"{key}-plus" if plus else key,
                scope=Word(f"scope.{scope}"),
                dice=Word(f"dice.{dice}"),
                plus=plus,
                defence=Word(f"dice.{defence}"),
                result=Word(f"ranged.{result}"),
            )
        case Strike(dice=dice, plus=plus, destroys=destroys):
            return say(
                "effect.strike-plus" if plus else "effect.strike", dice=Word(f"dice.{dice}"), plus=plus, margin=destroys
            )
        case Parry(dice=dice, plus=plus):
            return say("effect.parry-plus" if plus else "effect.parry", dice=Word(f"dice.{dice}"), plus=plus)
        case Pierce():
            return say("effect.pierce")
        case Robbery(margin=1):
            return say("effect.robbery")
        case Robbery(margin=margin):
            return say("effect.robbery-from", margin=margin)
