"""What the text of an Upgrade can say: a small closed vocabulary with parameters.

A card carries each kind at most once. Every kind names the rules it serves and makes its own sentence, so cards need
no prose; free text beyond this is shown, marked “not enforced”.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal, TypeAlias, assert_never, get_args

from msgspec import Meta, Struct

from companion.core.errors import Misfit
from companion.core.facts import Said, Word, say
from companion.core.rules import kebab

Dice = Annotated[int, Meta(ge=0, le=3)]
Plus = Annotated[int, Meta(ge=-6, le=12)]
Margin = Annotated[int, Meta(ge=1, le=20)]

Scope = Literal["time", "ahead", "any"]
Result = Literal["usual", "disable", "destroy", "steal"]
Against = Literal["ranged", "all"]
Held = Literal["pierce", "steal", "destroy"]
Mended = Literal["one", "all"]
When = Literal["action", "free", "always"]
Goal = Literal["lab", "market", "library"]


class Effect(Struct, frozen=True, forbid_unknown_fields=True, tag_field="does", tag=kebab):
    """One thing that a working Upgrade does."""

    rules: ClassVar[tuple[str, ...]] = ()


class Drive(Effect, frozen=True):
    """The move is so many dice plus a number; with no dice nothing is rolled."""

    rules: ClassVar[tuple[str, ...]] = ("P19", "P33")
    dice: Dice = 1
    plus: Plus = 0


class Leap(Effect, frozen=True):
    """Action: go straight to any space of this kind."""

    rules: ClassVar[tuple[str, ...]] = ("P32",)
    to: Goal


class Strike(Effect, frozen=True):
    """Own basic attacks: dice, a number added, the margin from which they destroy."""

    rules: ClassVar[tuple[str, ...]] = ("P27", "P33", "P41")
    dice: Annotated[int, Meta(ge=1, le=4)] = 2
    plus: Plus = 0
    destroys: Margin = 5


class Parry(Effect, frozen=True):
    """Defence against basic attacks: dice and a number added."""

    rules: ClassVar[tuple[str, ...]] = ("P27", "P33", "P41")
    dice: Annotated[int, Meta(ge=1, le=3)] = 1
    plus: Plus = 0


class Pierce(Effect, frozen=True):
    """Own basic attacks meet no Shield rank, unless the Shield holds."""

    rules: ClassVar[tuple[str, ...]] = ("P33", "P38", "P41")


class Robbery(Effect, frozen=True):
    """A hit of a basic attack may steal an Upgrade from this margin on."""

    rules: ClassVar[tuple[str, ...]] = ("P36", "P38", "P.s")
    margin: Margin = 1


class Ranged(Effect, frozen=True):
    """Action: attack one player in scope from afar, with these dice on both sides and this result."""

    rules: ClassVar[tuple[str, ...]] = ("P32", "P34", "P37", "P.y", "P.z")
    scope: Scope
    dice: Dice = 2
    plus: Plus = 0
    defence: Annotated[int, Meta(ge=0, le=2)] = 1
    result: Result = "usual"


class Ward(Effect, frozen=True):
    """Ranged attacks, or all attacks, have no effect on this machine."""

    rules: ClassVar[tuple[str, ...]] = ("P34", "P38", "P.y")
    against: Against


class Hold(Effect, frozen=True):
    """Against every Weapon: the Shield's rank counts, or nothing is stolen, or nothing is destroyed."""

    rules: ClassVar[tuple[str, ...]] = ("P38",)
    against: Held


class Counter(Effect, frozen=True):
    """After a basic attack its target may strike back."""

    rules: ClassVar[tuple[str, ...]] = ("P35", "P47")


class Repair(Effect, frozen=True):
    """One or all own disabled Upgrades work again: as an Action, free once a turn, or by itself as a turn begins."""

    rules: ClassVar[tuple[str, ...]] = ("P16", "P.al")
    what: Mended
    when: When

    def __post_init__(self) -> None:
        if self.when == "always" and self.what == "one":
            text = 'a repair that is always on chooses nothing: write what = "all", or when = "free"'
            raise Misfit((text, say("pack.repair")))


class SelfRepair(Effect, frozen=True):
    """Even disabled, once in each own turn, it may make itself work again."""

    rules: ClassVar[tuple[str, ...]] = ("P16", "P.am")


class Surplus(Effect, frozen=True):
    """Capacity changes by so much while it works."""

    rules: ClassVar[tuple[str, ...]] = ("P8", "P33", "P41")
    plus: Plus


class Thrift(Effect, frozen=True):
    """It draws so much less than its rank."""

    rules: ClassVar[tuple[str, ...]] = ("P9", "P33", "P41")
    less: Annotated[int, Meta(ge=1, le=12)]


AnyEffect: TypeAlias = (
    Drive
    | Leap
    | Strike
    | Parry
    | Pierce
    | Robbery
    | Ranged
    | Ward
    | Hold
    | Counter
    | Repair
    | SelfRepair
    | Surplus
    | Thrift
)
KINDS: Final[tuple[type[AnyEffect], ...]] = get_args(AnyEffect)


def sentence(effect: AnyEffect) -> Said:
    """The effect in words, made of its parameters."""
    match effect:
        case Drive() | Leap():
            return _of_move(effect)
        case Strike() | Parry() | Pierce() | Robbery() | Ranged():
            return _of_attack(effect)
        case Ward() | Hold() | Counter():
            return _of_shield(effect)
        case Repair(what=what, when=when):
            return say(f"effect.repair.{what}.{when}")
        case SelfRepair():
            return say("effect.self-repair")
        case Surplus(plus=plus):
            return say("effect.surplus", plus=plus)
        case Thrift(less=less):
            return say("effect.thrift", less=less)
        case _:
            assert_never(effect)


def _of_shield(effect: Ward | Hold | Counter) -> Said:
    match effect:
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
        case Ranged(scope=scope, dice=dice, plus=plus, defence=defence, result=result):
            return say(
                "effect.ranged-plus" if plus else "effect.ranged",
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
