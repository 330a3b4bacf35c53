"""Each effect in the vocabulary, and pairs that meet."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import TABLE, PlaceId, Said, Word, say
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    NOTHING,
    Acting,
    ByText,
    Ending,
    Leap,
    Moving,
    Ranged,
    Repair,
    SelfRepair,
    board_place,
    drive,
    fight_of,
    known,
    sentence,
    turn_steps,
)
from companion.games.us_patent.state.vocabulary import (
    KINDS,
    AnyEffect,
    Counter,
    Drive,
    Hold,
    Muffle,
    Parry,
    Pierce,
    Robbery,
    Strike,
    Surplus,
    Thrift,
    Ward,
)
from companion.table import state_hash
from tests.games.us_patent.play import ADA, BEN, CLEO, CLERK, Table, in_lab, laid, machine, piece

SAMPLES: tuple[AnyEffect, ...] = (
    Drive(2, 1),
    Leap("lab"),
    Strike(3, 1, 3),
    Parry(2, 1),
    Pierce(),
    Robbery(),
    Ranged("any"),
    Ward("ranged"),
    Hold("pierce"),
    Counter(),
    Repair("all", "free"),
    SelfRepair(),
    Surplus(4),
    Thrift(2),
    Muffle(1, "all"),
    ByText(),
)


def test_every_effect_names_its_rules_and_makes_a_sentence() -> None:
    assert {type(sample) for sample in SAMPLES} == set(KINDS)
    for sample in SAMPLES:
        assert sample.rules
        assert set(sample.rules) <= set(GAME.rules)
        assert sentence(sample).key.startswith("effect.")


def repair(effect: AnyEffect, cards: str = "-angry-goose -fog-bell water-wheel", **laying: object) -> Table:
    """Ada's Power Plant has the effect."""
    return laid(machine(cards, at="4/a"), effects={"water-wheel": (effect,)}, **laying)  # type: ignore[arg-type]


@pytest.mark.rule("P.al", "P32")
def test_a_repair_by_action_spends_it() -> None:
    table = repair(Repair("one", "action"))
    assert [n.card for n in table.may(i.RepairOne)] == ["angry-goose", "fog-bell"]
    assert table.why(i.RepairOne(ADA, piece("water-wheel"), piece("water-wheel"))) == ("P.al", "is-off")
    assert table.why(i.RepairOne(ADA, piece("fog-bell"), piece("angry-goose"))) == ("P.al", "repairs")
    table.do(i.RepairOne(ADA, piece("water-wheel"), piece("fog-bell")))
    assert table.works(ADA) == {"fog-bell", "water-wheel"}
    assert table.now.turn == BEN
    early = repair(Repair("one", "action"), steps=(Ending(ADA), Acting(ADA), Moving(ADA)))
    assert early.why(i.RepairOne(ADA, piece("water-wheel"), piece("fog-bell"))) == ("P32", "action-left")


@pytest.mark.rule("P.al", "P.as")
def test_a_free_repair_may_be_used_once_in_ones_turn_or_declined() -> None:
    table = repair(Repair("one", "free"), steps=(Ending(ADA), Acting(ADA), Moving(ADA)))
    assert table.may(i.RepairOne)
    table.do(i.RepairOne(ADA, piece("water-wheel"), piece("fog-bell")))
    assert table.awaits() == ("move", (ADA,)), "no Action spent"
    assert table.why(i.RepairOne(ADA, piece("water-wheel"), piece("angry-goose"))) == ("P.am", "once-a-turn")
    table.do(i.Stay(ADA), i.TakeGold(ADA))
    assert table.now.turn == BEN
    declined = repair(Repair("all", "free")).do(i.TakeGold(ADA))
    assert declined.awaits() == ("end", (ADA,)), "the turn waits for a last repair"
    assert declined.do(i.EndTurn(ADA)).down(ADA) == {"angry-goose", "fog-bell"}


@pytest.mark.rule("P.al")
def test_repair_serves_the_own_machine_in_the_own_turn_then_power_counts() -> None:
    table = laid(
        machine("-fog-bell", at="4/a"),
        machine("-arc-harpoon -oak-door water-wheel", at="4/a"),
        effects={"water-wheel": (Repair("all", "free"),)},
    )
    assert table.why(i.RepairAll(BEN, piece("water-wheel"))) == ("P3", "your-turn")
    table.do(i.EndTurn(ADA), i.Drew(TABLE, piece("pet-star")), in_lab(BEN, 8))
    table.do(i.RepairAll(BEN, piece("water-wheel")))
    assert table.awaits() == ("short", (BEN,)), "16 > 8"
    table.do(i.SwitchOff(BEN, piece("oak-door")))
    assert table.works(BEN) == {"arc-harpoon", "water-wheel"}


@pytest.mark.rule("P.as", "P33")
def test_what_does_not_say_may_is_always_on() -> None:
    table = laid(
        machine(at="4/a"),
        machine("-fog-bell -sedan-chair water-wheel", at="4/a"),
        effects={"water-wheel": (Repair("all", "always"),)},
    )
    table.do(i.EndTurn(ADA))
    assert table.happened(e.AllRepaired)
    assert table.works(BEN) == {"fog-bell", "sedan-chair", "water-wheel"}
    assert not table.may(i.RepairAll, BEN)
    off = laid(
        machine(at="4/a"),
        machine("-fog-bell -water-wheel", at="4/a"),
        effects={"water-wheel": (Repair("all", "always"),)},
    )
    assert off.do(i.EndTurn(ADA)).down(BEN) == {"fog-bell", "water-wheel"}


@pytest.mark.rule("P16", "P.am")
def test_mangolds_robot_repairs_itself_even_disabled_once_a_turn_never_by_force() -> None:
    table = laid(machine("-mangolds-robot boiler-of-doubt", at="4/a"), pack=CLERK)
    table.do(i.TakeGold(ADA))
    assert table.awaits() == ("end", (ADA,))
    assert Table(table.now).do(i.EndTurn(ADA)).down(ADA) == {"mangolds-robot"}
    assert table.do(i.Revive(ADA, piece("mangolds-robot"))).works(ADA) == {"mangolds-robot", "boiler-of-doubt"}
    weak = laid(machine("-mangolds-robot", at="4/a"), pack=CLERK).do(i.Revive(ADA, piece("mangolds-robot")))
    assert weak.happened(e.SwitchedOff), "6 > 5: P10 takes it back"
    assert weak.why(i.Revive(ADA, piece("mangolds-robot"))) == ("P.am", "once-a-turn")
    assert weak.why(i.Revive(BEN, piece("mangolds-robot")))[0] == "P3"


@pytest.mark.rule("P.am", "P.al")
def test_mangolds_robot_repairs_itself_and_another_in_one_turn_in_either_order() -> None:
    """Each effect of a card is used once; neither uses up the other."""
    robot, goose = piece("mangolds-robot"), piece("angry-goose")
    own = "-mangolds-robot -angry-goose boiler-of-doubt"
    table = laid(machine(own, at="4/a"), pack=CLERK).do(i.Revive(ADA, robot))
    table.do(i.RepairOne(ADA, robot, goose))
    assert table.works(ADA) == {"mangolds-robot", "angry-goose", "boiler-of-doubt"}
    bell, net = piece("fog-bell"), piece("paradox-net")
    free = {"fog-bell": (SelfRepair(), Repair("one", "free"))}
    reverse = laid(machine("fog-bell -paradox-net", at="4/a"), effects=free).do(i.RepairOne(ADA, bell, net))
    reverse.do(i.SwitchOff(ADA, bell), i.Revive(ADA, bell), i.SwitchOff(ADA, bell))
    assert reverse.why(i.Revive(ADA, bell)) == ("P.am", "once-a-turn"), "each of the two only once"


@pytest.mark.rule("P.am")
def test_a_record_from_before_effects_were_counted_apart_still_leads_to_the_same_state() -> None:
    table = laid(machine("angry-goose -mangolds-robot boiler-of-doubt", at="4/a"), pack=CLERK)
    robot = piece("mangolds-robot")
    after = GAME.apply(table.now, e.CardRepaired(ADA, robot, robot))
    assert state_hash(after) == "6e8ce31e9f786bf3d00c49af4530d7a2"


@pytest.mark.rule("P.an")
def test_a_disabled_repairer_cannot_repair() -> None:
    table = repair(Repair("all", "action"), "-fog-bell -water-wheel")
    assert table.why(i.RepairAll(ADA, piece("water-wheel"))) == ("P.an", "source-works")
    assert not table.may(i.RepairAll)


@pytest.mark.rule("P32")
def test_a_leap_is_an_action_to_any_space_of_its_kind() -> None:
    table = laid(machine("sedan-chair", at="4/a"), effects={"sedan-chair": (Leap("library"),)})
    assert {n.space for n in table.may(i.LeapTo)} == {f"{b}/library" for b in range(2, 9)}
    assert table.why(i.LeapTo(ADA, board_place(3), PlaceId("3/lab"))) == ("P32", "leaps-there")
    assert table.why(i.LeapTo(ADA, board_place(2), PlaceId("3/library"))) == ("P.ak", "space-there")
    table.do(i.LeapTo(ADA, board_place(8), PlaceId("8/library")))
    assert (table.now.machines[ADA].at, table.now.turn) == ("8/library", BEN)
    grounded = laid(machine("-sedan-chair"), effects={"sedan-chair": (Leap("library"),)})
    assert grounded.why(i.LeapTo(ADA, board_place(8), PlaceId("8/library"))) == ("P32", "has-leap")


def fight(mine: dict[str, tuple[AnyEffect, ...]], theirs: dict[str, tuple[AnyEffect, ...]]) -> Table:
    return laid(machine(" ".join(mine), at="4/a"), machine(" ".join(theirs), at="4/a"), effects=mine | theirs)


@pytest.mark.rule("P41")
def test_strike_and_parry_change_the_basic_attack() -> None:
    table = fight({"angry-goose": (Strike(3, 1, 2),)}, {"fog-bell": (Parry(2, 1),)})
    found = fight_of(table.now, ADA, BEN, "basic", NOTHING)
    assert (found.attack_dice, found.attack_plus, found.destroys) == (3, 3, 2)
    assert (found.defence_dice, found.defence_plus) == (2, 2)
    table.do(i.Attack(ADA, BEN)).rolls(3, 2)
    assert table.happened(e.AttackHit)[0] == e.AttackHit(ADA, BEN, 6, 4)
    assert table.may(i.Destroy), "from a margin of 2"


@pytest.mark.rule("P41")
def test_two_cards_with_one_kind_of_effect_add_up() -> None:
    table = fight({"angry-goose": (Strike(2, 1),), "fog-bell": (Strike(3, 1, 4),)}, {"polite-aura": ()})
    found = fight_of(table.now, ADA, BEN, "basic", NOTHING)
    assert (found.attack_dice, found.attack_plus, found.destroys) == (3, 4, 4)
    two = laid(
        machine("sedan-chair water-wheel"), effects={"sedan-chair": (Drive(2, 1),), "water-wheel": (Drive(1, 2),)}
    )
    assert drive(known(two.now), two.now.machines[ADA]) == (2, 3)
    both = {"angry-goose": (Ranged("time"),), "fog-bell": (Ranged("any"),)}
    guns = laid(machine("angry-goose fog-bell", at="4/a"), machine(at="4/lab"), machine(at="8/a"), effects=both)
    assert {(n.card, n.seat) for n in guns.may(i.Shoot)} == {
        ("angry-goose", BEN),
        ("fog-bell", BEN),
        ("fog-bell", CLEO),
    }


ATTACKER = [Strike(3, 1, 3), Pierce(), Robbery(), Ranged("any")]
DEFENDER = [Parry(2, 1), Ward("ranged"), Ward("all"), Hold("pierce"), Hold("steal"), Hold("destroy"), Counter()]


@pytest.mark.rule("P38", "P34", "P35")
@pytest.mark.parametrize("shield", DEFENDER, ids=repr)
@pytest.mark.parametrize("weapon", ATTACKER, ids=repr)
def test_every_weapon_meets_every_shield(weapon: AnyEffect, shield: AnyEffect) -> None:
    table = fight({"angry-goose": (weapon,)}, {"hedgehog-coat": (shield,), "water-wheel": ()})
    ranged = isinstance(weapon, Ranged)
    table.do(i.Shoot(ADA, piece("angry-goose"), BEN) if ranged else i.Attack(ADA, BEN))
    if isinstance(shield, Ward) and (ranged or shield.against == "all"):
        assert table.happened(e.AttackStopped)
        assert table.now.turn == BEN
        return
    strike, parry = isinstance(weapon, Strike), isinstance(shield, Parry)
    table.rolls(12, 2)
    attack = 12 + 2 + strike
    pierced = ranged or (isinstance(weapon, Pierce) and shield != Hold("pierce"))
    defence = 2 + (0 if pierced else 3) + (parry and not ranged)
    assert table.happened(e.AttackHit)[0] == e.AttackHit(ADA, BEN, attack, defence)
    assert bool(table.may(i.Steal)) == (isinstance(weapon, Robbery) and shield != Hold("steal"))
    assert bool(table.may(i.Destroy)) == (shield != Hold("destroy"))
    assert table.may(i.Disable)
    table.do(i.Spare(ADA))
    assert (table.awaits()[0] == "counter") == (isinstance(shield, Counter) and not ranged)


@pytest.mark.parametrize(("one", "other"), list(combinations(SAMPLES, 2)), ids=repr)
def test_any_two_effects_on_one_machine_can_be_played(one: AnyEffect, other: AnyEffect) -> None:
    """Every pair that can meet on a machine: a turn of each seat, attacked and attacking, has no dead end."""
    effects = {"angry-goose": (one,), "polite-aura": (other,)}
    own = machine("angry-goose polite-aura -sedan-chair water-wheel", at="4/a")
    table = laid(own, machine("magnet-glove fog-bell", at="4/a"), effects=effects)
    for start in (table.now, replace(table.now, turn=BEN, steps=turn_steps(BEN))):
        walk = Table(start)
        for at in range(40):
            if not GAME.decisions(walk.now):
                break
            seat = walk.awaits()[1][0]
            intents = walk.legal(seat)
            assert intents
            walk.do(intents[(7 * at + 3) % len(intents)])
            if GAME.decisions(walk.now):
                seat = walk.awaits()[1][0]
                for intent in walk.legal(seat):
                    GAME.foresee(walk.view(seat), intent)


@pytest.mark.rule("P33")
def test_effects_that_are_always_on_need_no_action() -> None:
    table = laid(
        machine("sedan-chair"), steps=(Ending(ADA), Acting(ADA), Moving(ADA)), effects={"sedan-chair": (Drive(3),)}
    )
    table.do(i.Roll(ADA)).rolls(18)
    table.goes(ADA, "4/market")
    assert i.TakeGold(ADA) in table.legal(ADA), "the Action is still open"
    assert laid(machine(), steps=turn_steps(ADA)).why(i.RepairAll(ADA, piece("fog-bell")))[0] == "P18"


ONE, TWO = Word("dice.1"), Word("dice.2")
SENTENCES: tuple[tuple[AnyEffect, Said], ...] = (
    (Drive(0, 6), say("effect.drive-flat", plus=6)),
    (Drive(0, 0), say("effect.drive-flat", plus=0)),
    (Drive(1, 0), say("effect.drive-dice", dice=ONE)),
    (Drive(2, 0), say("effect.drive-dice", dice=TWO)),
    (Drive(1, 1), say("effect.drive", dice=ONE, plus=1)),
    (Drive(2, 3), say("effect.drive", dice=TWO, plus=3)),
    (Drive(1, -1), say("effect.drive-less", dice=ONE, less=1)),
    (Drive(2, -3), say("effect.drive-less", dice=TWO, less=3)),
    (Strike(2, 0, 4), say("effect.strike", dice=TWO, plus=0, margin=4)),
    (Strike(2, 1, 4), say("effect.strike-plus", dice=TWO, plus=1, margin=4)),
    (Parry(2, 0), say("effect.parry", dice=TWO, plus=0)),
    (Parry(2, 2), say("effect.parry-plus", dice=TWO, plus=2)),
    (Robbery(1), say("effect.robbery")),
    (Robbery(2), say("effect.robbery-from", margin=2)),
    *(
        (
            Ranged("time", 1, plus, 2, "steal"),
            say(key, scope=Word("scope.time"), dice=ONE, plus=plus, defence=TWO, result=Word("ranged.steal")),
        )
        for plus, key in ((0, "effect.ranged"), (3, "effect.ranged-plus"))
    ),
)


@pytest.mark.rule("P33", "P41")
@pytest.mark.parametrize(
    ("effect", "said"), SENTENCES, ids=lambda value: repr(value) if isinstance(value, Said) else ""
)
def test_the_sentence_of_an_effect_tells_its_numbers_and_no_others(effect: AnyEffect, said: Said) -> None:
    assert sentence(effect) == said


@pytest.mark.rule("P41")
@pytest.mark.parametrize(
    ("kind", "field", "low", "high"),
    [
        ("drive", "dice", 0, 3),
        ("drive", "plus", -6, 12),
        ("strike", "dice", 1, 4),
        ("strike", "destroys", 1, 20),
        ("parry", "dice", 1, 3),
        ("thrift", "less", 1, 12),
    ],
)
def test_the_numbers_of_an_effect_have_bounds(kind: str, field: str, low: int, high: int) -> None:
    def read(number: int) -> Any:
        return getattr(msgspec.convert({"does": kind, field: number}, AnyEffect), field)

    assert (read(low), read(high)) == (low, high)
    for beyond in (low - 1, high + 1):
        with pytest.raises(msgspec.ValidationError, match=field):
            read(beyond)


@pytest.mark.rule("P.al")
def test_a_text_repairs_as_it_says_and_in_no_other_way() -> None:
    wheel = piece("water-wheel")
    one, all_ = i.RepairOne(ADA, wheel, piece("fog-bell")), i.RepairAll(ADA, wheel)
    for what, may, not_so in (("one", one, all_), ("all", all_, one)):
        table = repair(Repair(what, "free"))  # type: ignore[arg-type]
        assert may in table.legal(ADA)
        assert not table.may(type(not_so))
        assert table.why(not_so) == ("P.al", "repairs")
    always = repair(Repair("all", "always"))
    assert always.why(all_) == ("P.al", "repairs"), "it is not asked"
    assert not always.may(i.RepairAll)


@pytest.mark.rule("P.as", "P.al")
@pytest.mark.parametrize("when", ["action", "free"])
def test_a_repair_that_is_asked_for_does_nothing_as_a_turn_begins(when: Any) -> None:
    effects = {"water-wheel": (Repair("all", when),)}
    table = laid(machine(), machine("-fog-bell water-wheel"), effects=effects).do(i.EndTurn(ADA))
    assert table.now.turn == BEN
    assert table.down(BEN) == {"fog-bell"}
