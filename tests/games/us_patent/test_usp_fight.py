"""Attacks: dice, margins, hits, counterattacks, ranged attacks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import TABLE, PlaceId, Refusal, Refused, RuleId, Seat, SeatId, judge
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.rules.chance import weight
from companion.games.us_patent.state import Acting, Countering, Ending, Loot, Ranged, board_place
from companion.games.us_patent.state.vocabulary import Counter, Hold, Pierce, Robbery, Strike, Ward
from tests.games.us_patent.play import ADA, BEN, CLEO, Table, laid, machine, piece

COUNTER = {"hedgehog-coat": (Counter(),)}


def duel(mine: str = "", theirs: str = "", **laying: object) -> Table:
    """Ada and Ben on one space, Cleo elsewhere."""
    return laid(machine(mine, at="4/a"), machine(theirs, at="4/a"), machine(at="6/lab"), **laying)  # type: ignore[arg-type]


@pytest.mark.rule("P27")
def test_two_dice_and_weapon_against_one_die_and_shield() -> None:
    table = duel("bee-cannon", "brass-umbrella").do(i.Attack(ADA, BEN))
    assert [n.number for n in table.legal(TABLE)] == list(range(2, 13))  # type: ignore[attr-defined]
    assert [weight(table.now, n) for n in table.legal(TABLE)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    table.rolls(7)
    assert [n.number for n in table.legal(TABLE)] == [1, 2, 3, 4, 5, 6]  # type: ignore[attr-defined]
    table.rolls(6)
    assert table.happened(e.AttackMissed)[0] == e.AttackMissed(ADA, BEN, 11, 11), "A = D: nothing"
    assert table.now.turn == BEN


@pytest.mark.rule("P27")
@pytest.mark.parametrize(("mine", "theirs"), [("-bee-cannon", "-brass-umbrella"), ("", "")])
def test_disabled_or_missing_cards_add_nothing(mine: str, theirs: str) -> None:
    table = duel(mine, theirs + " sedan-chair").do(i.Attack(ADA, BEN)).rolls(5, 4)
    assert table.happened(e.AttackHit)[0] == e.AttackHit(ADA, BEN, 5, 4)


@pytest.mark.rule("P27")
@pytest.mark.parametrize(("attack", "heavy"), [(9, False), (10, True)])
def test_five_more_may_destroy(attack: int, heavy: bool) -> None:
    table = duel("", "sedan-chair fog-bell").do(i.Attack(ADA, BEN)).rolls(attack, 4)
    assert table.now.machines[BEN].cards[1] == "fog-bell"
    assert bool(table.may(i.Destroy)) == heavy
    if not heavy:
        assert table.why(i.Destroy(ADA, piece("fog-bell"))) == ("P27", "heavy-hit")
    else:
        table.do(i.Destroy(ADA, piece("sedan-chair")))
        assert table.now.junkyard == ("sedan-chair",)
        assert table.now.machines[BEN].attached() == ("fog-bell",)


@pytest.mark.rule("P27", "P.x")
def test_an_attack_needs_another_player_on_the_same_space() -> None:
    table = duel()
    assert [n.seat for n in table.may(i.Attack)] == [BEN]
    assert table.why(i.Attack(ADA, CLEO)) == ("P27", "same-space")
    assert table.why(i.Attack(ADA, ADA)) == ("P27", "other-player")
    assert table.why(i.Attack(ADA, SeatId(7))) == ("P27", "other-player")
    assert table.why(i.Disable(ADA, piece("fog-bell")))[1] == "hit-open"


@pytest.mark.rule("P.x")
def test_one_of_several_is_named_before_the_dice_and_the_card_after() -> None:
    table = laid(machine(at="4/a"), machine("fog-bell", at="4/a"), machine("angry-goose", at="4/a"))
    assert [n.seat for n in table.may(i.Attack)] == [BEN, CLEO]
    table.do(i.Attack(ADA, CLEO)).rolls(12, 1)
    assert [n.card for n in table.may(i.Disable)] == ["angry-goose"]
    assert table.why(i.Disable(ADA, piece("fog-bell"))) == ("P27", "victims-card")


@pytest.mark.rule("P.b")
def test_a_heavy_hit_may_destroy_only_disable_or_do_nothing() -> None:
    table = duel("", "fog-bell").do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert {type(n) for n in table.legal(ADA)} == {i.Destroy, i.Disable, i.Spare}
    assert Table(table.now).do(i.Spare(ADA)).works(BEN) == {"fog-bell"}
    french = duel("", "fog-bell", margin="destroy").do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert {type(n) for n in french.legal(ADA)} == {i.Destroy, i.Spare}
    assert french.why(i.Disable(ADA, piece("fog-bell"))) == ("P.b", "light-hit")
    light = duel("", "fog-bell", margin="destroy").do(i.Attack(ADA, BEN)).rolls(6, 1)
    assert {type(n) for n in light.legal(ADA)} == {i.Disable, i.Spare}


@pytest.mark.rule("P.c")
def test_only_working_cards_are_disabled_but_any_is_destroyed() -> None:
    table = duel("", "fog-bell -sedan-chair").do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert [n.card for n in table.may(i.Disable)] == ["fog-bell"]
    assert {n.card for n in table.may(i.Destroy)} == {"fog-bell", "sedan-chair"}
    assert table.why(i.Disable(ADA, piece("sedan-chair"))) == ("P.c", "still-works")


@pytest.mark.rule("P.w")
def test_an_attack_without_a_weapon_on_a_bare_machine_is_legal_and_finds_nothing() -> None:
    table = duel().do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert table.happened(e.Spared)
    assert table.now.turn == BEN
    light = duel("", "-fog-bell").do(i.Attack(ADA, BEN)).rolls(4, 1)
    assert light.happened(e.Spared), "nothing works, nothing to disable"
    back = duel("", "hedgehog-coat", effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(2, 6)
    assert back.awaits() == ("counter", (BEN,))


@pytest.mark.rule("P35", "P.u")
@pytest.mark.parametrize(("attack", "defence"), [(2, 6), (12, 1)])
def test_a_shield_that_grants_it_lets_its_owner_strike_back_hit_or_miss(attack: int, defence: int) -> None:
    table = duel("", "hedgehog-coat", effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(attack, defence)
    if attack == 12:
        table.do(i.Spare(ADA))
    assert table.awaits() == ("counter", (BEN,))
    assert {type(n) for n in table.legal(BEN)} == {i.CounterAttack, i.LetGo}
    assert table.why(i.CounterAttack(CLEO)) == ("P.t", "fight-over")
    let_go = Table(table.now).do(i.LetGo(BEN))
    assert let_go.now.turn == BEN
    table.do(i.CounterAttack(BEN)).rolls(2, 6)
    assert table.now.turn == BEN
    assert not any(isinstance(step, Countering) for step in table.now.steps)


@pytest.mark.rule("P35", "P.u")
def test_no_right_without_a_working_shield_that_grants_it_when_declared() -> None:
    for theirs in ("-hedgehog-coat", "fog-bell"):
        table = duel("", theirs, effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(2, 6)
        assert table.now.turn == BEN, "nothing is asked"


@pytest.mark.rule("P35", "P.k")
@pytest.mark.parametrize("way", [i.Disable, i.Destroy])
def test_the_counter_stays_legal_when_its_shield_was_just_lost(way: type[i.Disable | i.Destroy]) -> None:
    table = duel("", "hedgehog-coat", effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(12, 1)
    table.do(way(ADA, piece("hedgehog-coat")))
    assert table.awaits() == ("counter", (BEN,))
    table.do(i.CounterAttack(BEN))
    assert table.awaits() == ("attack-dice", (TABLE,))


@pytest.mark.rule("P35", "P.l", "P47")
@pytest.mark.parametrize("way", [i.Disable, i.Destroy])
def test_a_weapon_lost_in_the_attack_does_not_count(way: type[i.Disable | i.Destroy]) -> None:
    theirs = "angry-goose hedgehog-coat"
    table = duel("", theirs, effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(12, 1)
    table.do(way(ADA, piece("angry-goose")), i.CounterAttack(BEN)).rolls(7)
    assert table.happened(e.AttackThrown)[0].total == 7
    kept = duel("", theirs, effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(12, 1)
    kept.do(i.Spare(ADA), i.CounterAttack(BEN)).rolls(7)
    assert kept.happened(e.AttackThrown)[0].total == 9


@pytest.mark.rule("P.l")
def test_the_french_bar_the_disarmed_but_not_the_unarmed() -> None:
    theirs = "angry-goose hedgehog-coat"
    table = duel("", theirs, effects=COUNTER, disarmed_counter="barred").do(i.Attack(ADA, BEN)).rolls(12, 1)
    disarmed = Table(table.now).do(i.Disable(ADA, piece("angry-goose")))
    assert disarmed.happened(e.CounterBarred) == [e.CounterBarred(BEN)]
    assert not disarmed.happened(e.CounterWaived), "he had no choice"
    assert disarmed.now.turn == BEN
    assert disarmed.why(i.CounterAttack(BEN)) == ("P.l", "still-armed")
    assert disarmed.why(i.CounterAttack(CLEO)) == ("P35", "counter-open")
    later = disarmed.do(i.SetPawn(ADA, CLEO, board_place(4), PlaceId("4/a")), i.SetTurn(ADA, CLEO))
    later.now = replace(later.now, steps=(Ending(CLEO), Acting(CLEO)))
    assert later.do(i.Attack(CLEO, ADA)).now.barred == TABLE, "until the next attack"
    armed = Table(table.now).do(i.Disable(ADA, piece("hedgehog-coat")))
    assert armed.awaits() == ("counter", (BEN,))
    unarmed = duel("", "hedgehog-coat", effects=COUNTER, disarmed_counter="barred").do(i.Attack(ADA, BEN)).rolls(2, 1)
    assert unarmed.awaits() == ("counter", (BEN,))


@pytest.mark.rule("P35", "P47")
def test_a_counterattack_follows_every_rule_of_the_basic_attack_but_has_no_counter() -> None:
    mine, theirs = "hedgehog-coat -angry-goose sedan-chair", "magnet-glove fog-bell"
    effects = COUNTER | {"fog-bell": (Counter(),), "magnet-glove": (Strike(dice=3, destroys=2),)}
    table = duel(mine, theirs, effects=effects).do(i.Attack(ADA, BEN)).rolls(2, 6).do(i.CounterAttack(BEN))
    assert [n.number for n in table.legal(TABLE)] == list(range(3, 19))  # type: ignore[attr-defined]
    table.rolls(10, 1)
    assert table.happened(e.AttackHit)[0] == e.AttackHit(BEN, ADA, 13, 4), "3 + 10 against 3 + 1"
    assert {type(n) for n in table.legal(BEN)} == {i.Disable, i.Destroy, i.Spare}
    table.do(i.Destroy(BEN, piece("sedan-chair")))
    assert table.now.turn == BEN, "Ada's own counter Shield gives no counter to a counter"


@pytest.mark.rule("P47", "P.t")
def test_who_is_hit_by_a_counter_settles_power_before_the_turn_ends() -> None:
    mine = "thunder-jar pet-star"
    table = duel(mine, "hedgehog-coat", effects=COUNTER).do(i.Attack(ADA, BEN)).rolls(2, 6).do(i.CounterAttack(BEN))
    table.rolls(12, 1).do(i.Destroy(BEN, piece("pet-star")))
    assert table.happened(e.SwitchedOff)[0] == e.SwitchedOff(ADA, piece("thunder-jar"))
    assert table.now.turn == BEN


@pytest.mark.rule("P.t")
def test_the_order_after_a_hit() -> None:
    """Victim's power, thief's card and power, counterattack."""
    effects = COUNTER | {"magnet-glove": (Robbery(),)}
    mine, theirs = "magnet-glove polite-aura", "bee-cannon hedgehog-coat kite-velocipede steam-abbot"
    table = duel(mine, theirs, effects=effects).do(i.Attack(ADA, BEN)).rolls(12, 1)
    table.do(i.Steal(ADA, piece("steam-abbot")))
    assert table.awaits() == ("short", (BEN,))
    assert isinstance(table.now.steps[-1], Loot)
    table.do(i.SwitchOff(BEN, piece("hedgehog-coat")))
    assert table.awaits() == ("short", (BEN,)), "7 > 5"
    table.do(i.SwitchOff(BEN, piece("bee-cannon")))
    assert table.awaits() == ("loot", (ADA,))
    table.do(i.InstallLoot(ADA))
    assert table.awaits() == ("counter", (BEN,))


@pytest.mark.rule("P36", "P.s")
def test_a_stolen_card_is_installed_or_thrown_away() -> None:
    table = duel("magnet-glove boiler-of-doubt oak-door", "fog-bell", effects={"magnet-glove": (Robbery(),)})
    table.do(i.Attack(ADA, BEN)).rolls(12, 1).do(i.Steal(ADA, piece("fog-bell")))
    assert table.awaits() == ("loot", (ADA,))
    installed = Table(table.now).do(i.InstallLoot(ADA))
    assert installed.works(ADA) == {"magnet-glove", "fog-bell", "boiler-of-doubt"}
    assert installed.now.junkyard == ("oak-door",), "a full slot obeys P7"
    thrown = table.do(i.ThrowAway(ADA))
    assert thrown.now.junkyard == ("fog-bell",)
    assert not thrown.now.machines[BEN].attached()


@pytest.mark.rule("P.s")
def test_a_disabled_card_stays_disabled_when_stolen() -> None:
    table = duel("magnet-glove", "-fog-bell", effects={"magnet-glove": (Robbery(),)}).do(i.Attack(ADA, BEN)).rolls(9, 1)
    table.do(i.Steal(ADA, piece("fog-bell")), i.InstallLoot(ADA))
    assert table.down(ADA) == {"fog-bell"}


@pytest.mark.rule("P36")
def test_without_a_card_that_says_so_nothing_is_stolen() -> None:
    table = duel("", "fog-bell").do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert table.why(i.Steal(ADA, piece("fog-bell"))) == ("P36", "may-steal")
    assert table.why(i.InstallLoot(ADA)) == ("P.t", "fight-over")
    assert duel("", "fog-bell").why(i.InstallLoot(ADA)) == ("P36", "loot-open")
    late = duel("magnet-glove", "fog-bell", effects={"magnet-glove": (Robbery(5),)}).do(i.Attack(ADA, BEN)).rolls(4, 2)
    assert late.why(i.Steal(ADA, piece("fog-bell"))) == ("P36", "steal-margin")


@pytest.mark.rule("P.v")
def test_an_attack_is_finished_as_declared_though_its_weapon_is_replaced() -> None:
    effects = COUNTER | {"magnet-glove": (Robbery(),)}
    table = duel("magnet-glove", "angry-goose hedgehog-coat", effects=effects).do(i.Attack(ADA, BEN)).rolls(9, 1)
    table.do(i.Steal(ADA, piece("angry-goose")), i.InstallLoot(ADA))
    assert table.works(ADA) == {"angry-goose"}
    assert table.now.junkyard == ("magnet-glove",)
    assert table.awaits() == ("counter", (BEN,)), "all in order: the attack stood, now the counter"


@pytest.mark.rule("P32", "P34", "P.y")
def test_a_ranged_attack_is_an_action_anywhere_and_meets_no_shield_rank() -> None:
    own, far = machine("thunder-jar boiler-of-doubt", at="4/a"), machine("oak-door boiler-of-doubt", at="4/lab")
    table = laid(own, far, effects={"thunder-jar": (Ranged("time"),)})
    assert [(n.card, n.seat) for n in table.may(i.Shoot)] == [("thunder-jar", BEN)]
    table.do(i.Shoot(ADA, piece("thunder-jar"), BEN)).rolls(4, 3)
    assert table.happened(e.AttackHit)[0] == e.AttackHit(ADA, BEN, 10, 3), "6 + 4, against 3 alone"
    table.do(i.Destroy(ADA, piece("oak-door")))
    assert table.now.turn == BEN, "its Action is spent"
    assert duel("thunder-jar").why(i.Shoot(ADA, piece("thunder-jar"), BEN))[0] in {"P10", "P32"}


@pytest.mark.rule("P34", "P.y")
@pytest.mark.parametrize(("against", "ranged", "basic"), [("ranged", True, False), ("all", True, True)])
def test_a_shield_stops_what_it_says_without_dice(against: str, ranged: bool, basic: bool) -> None:
    effects = {"angry-goose": (Ranged("time"),), "fog-bell": (Ward(against),)}  # type: ignore[arg-type]
    shot = duel("angry-goose", "fog-bell", effects=effects).do(i.Shoot(ADA, piece("angry-goose"), BEN))
    assert bool(shot.happened(e.AttackStopped)) == ranged
    blow = duel("angry-goose", "fog-bell", effects=effects).do(i.Attack(ADA, BEN))
    assert bool(blow.happened(e.AttackStopped)) == basic
    off = duel("angry-goose", "-fog-bell", effects=effects).do(i.Shoot(ADA, piece("angry-goose"), BEN))
    assert not off.happened(e.AttackStopped)


@pytest.mark.rule("P35")
def test_there_is_no_counter_to_a_ranged_attack() -> None:
    effects = COUNTER | {"angry-goose": (Ranged("time"),)}
    table = (
        duel("angry-goose", "hedgehog-coat", effects=effects).do(i.Shoot(ADA, piece("angry-goose"), BEN)).rolls(2, 6)
    )
    assert table.now.turn == BEN


@pytest.mark.rule("P37", "P.j", "P.z")
@pytest.mark.parametrize(
    ("scope", "at", "targets"),
    [
        ("time", "4/a", [1]),
        ("ahead", "4/a", [2]),
        ("any", "4/a", [1, 2, 3]),
        ("ahead", "0/office", [1, 2, 3]),
        ("ahead", "8/lab", []),
        ("time", "8/lab", []),
    ],
)
def test_scopes_by_board(scope: str, at: str, targets: list[int]) -> None:
    """Ben on board 4, Cleo on board 6, Dan on board 2."""
    table = laid(
        machine("angry-goose", at=at),
        machine(at="4/a"),
        machine(at="6/a"),
        machine(at="2/a"),
        effects={"angry-goose": (Ranged(scope),)},  # type: ignore[arg-type]
    )
    assert [n.seat for n in table.may(i.Shoot)] == targets
    for seat in {1, 2, 3} - set(targets):
        assert table.why(i.Shoot(ADA, piece("angry-goose"), SeatId(seat))) == ("P37", "in-scope")
    assert table.why(i.Shoot(ADA, piece("angry-goose"), ADA)) == ("P.z", "other-player")


@pytest.mark.rule("P.an", "P32")
def test_a_disabled_gun_cannot_be_used() -> None:
    table = duel("-angry-goose", effects={"angry-goose": (Ranged("time"),)})
    assert not table.may(i.Shoot)
    verdict = judge(GAME, table.now, i.Shoot(ADA, piece("angry-goose"), BEN))
    assert isinstance(verdict, Refused)
    assert ("P.an", "gun-works") in [(refusal.rule, refusal.key) for refusal in verdict.refusals]
    assert duel("fog-bell").why(i.Shoot(ADA, piece("fog-bell"), BEN)) == ("P32", "has-gun")


@pytest.mark.rule("P.y")
@pytest.mark.parametrize(
    ("result", "light", "heavy"),
    [
        ("usual", {i.Disable, i.Spare}, {i.Disable, i.Destroy, i.Spare}),
        ("disable", {i.Disable, i.Spare}, {i.Disable, i.Spare}),
        ("destroy", {i.Destroy, i.Spare}, {i.Destroy, i.Spare}),
        ("steal", {i.Steal, i.Spare}, {i.Steal, i.Spare}),
    ],
)
def test_results_of_ranged_attacks(result: str, light: set[type], heavy: set[type]) -> None:
    effects = {"angry-goose": (Ranged("time", result=result),)}  # type: ignore[arg-type]
    for dice, kinds in ((3, light), (12, heavy)):
        table = duel("angry-goose", "fog-bell", effects=effects)
        table.do(i.Shoot(ADA, piece("angry-goose"), BEN)).rolls(dice, 2)
        assert {type(n) for n in table.legal(ADA)} == kinds
        if result == "steal":
            assert table.why(i.Disable(ADA, piece("fog-bell"))) == ("P41", "may-disable")
        if result in ("disable", "steal"):
            assert table.why(i.Destroy(ADA, piece("fog-bell"))) == ("P41", "may-destroy"), "no Shield forbids it"


def test_ranged_attacks_with_other_dice() -> None:
    effects = {"angry-goose": (Ranged("time", dice=0, plus=1, defence=0, result="disable"),)}
    table = duel("angry-goose", "fog-bell", effects=effects).do(i.Shoot(ADA, piece("angry-goose"), BEN))
    assert table.happened(e.AttackHit)[0] == e.AttackHit(ADA, BEN, 3, 0), "no dice on either side"
    effects = {"angry-goose": (Ranged("time", dice=3, defence=2),)}
    table = duel("angry-goose", "fog-bell", effects=effects).do(i.Shoot(ADA, piece("angry-goose"), BEN)).rolls(18)
    assert [n.number for n in table.legal(TABLE)] == list(range(2, 13))  # type: ignore[attr-defined]


@pytest.mark.rule("P38")
def test_where_shield_and_weapon_disagree_the_shield_wins() -> None:
    pierce = {"angry-goose": (Pierce(),)}
    table = duel("angry-goose", "brass-umbrella", effects=pierce).do(i.Attack(ADA, BEN)).rolls(4, 1)
    assert table.happened(e.AttackHit)[0] == e.AttackHit(ADA, BEN, 6, 1)
    held = duel("angry-goose", "brass-umbrella", effects=pierce | {"brass-umbrella": (Hold("pierce"),)})
    assert held.do(i.Attack(ADA, BEN)).rolls(4, 1).happened(e.AttackMissed)
    thief = {"angry-goose": (Robbery(),), "fog-bell": (Hold("steal"),)}
    table = duel("angry-goose", "fog-bell", effects=thief).do(i.Attack(ADA, BEN)).rolls(9, 1)
    assert table.no(i.Steal(ADA, piece("fog-bell"))) == Refusal(RuleId("P38"), "steal-held", (("seat", Seat(BEN)),))
    crush = {"angry-goose": (Strike(destroys=1),), "fog-bell": (Hold("destroy"),)}
    table = duel("angry-goose", "fog-bell", effects=crush, margin="destroy").do(i.Attack(ADA, BEN)).rolls(12, 1)
    assert table.why(i.Destroy(ADA, piece("fog-bell"))) == ("P38", "destroy-held")
    assert table.may(i.Disable), "what cannot be destroyed can still be disabled"


@pytest.mark.rule("P.ar")
def test_no_attack_touches_a_number() -> None:
    table = laid(
        machine("magnet-glove", at="4/a", number=4),
        machine("fog-bell", at="4/a", number=3),
        effects={"magnet-glove": (Robbery(),)},
    )
    table.do(i.Attack(ADA, BEN)).rolls(12, 1)
    for end in (i.Disable(ADA, piece("fog-bell")), i.Destroy(ADA, piece("fog-bell")), i.Steal(ADA, piece("fog-bell"))):
        after = Table(table.now).do(end)
        if isinstance(end, i.Steal):
            after.do(i.ThrowAway(ADA))
        ticked = after.now.turn == BEN
        assert [m.number for m in after.now.machines] == [4, 2 if ticked else 3, -1], "step 0 alone"


@pytest.mark.rule("P27")
@pytest.mark.parametrize(("here", "there"), [("4/a", "4/lab"), ("4/lab", "4/a"), ("4/a", "2/lab")])
def test_who_stands_elsewhere_is_not_attacked_on_either_side(here: str, there: str) -> None:
    table = laid(machine(at=here), machine(at=there))
    assert table.why(i.Attack(ADA, BEN)) == ("P27", "same-space")


@pytest.mark.rule("P32", "P37")
def test_a_gun_reaches_who_sits_before_and_is_ones_own() -> None:
    effects = {"angry-goose": (Ranged("any"),), "bee-cannon": (Ranged("any"),)}
    table = laid(machine("bee-cannon"), machine("angry-goose"), machine(), effects=effects, turn=BEN)
    assert [n.seat for n in table.may(i.Shoot, BEN)] == [ADA, CLEO]
    assert table.why(i.Shoot(BEN, piece("bee-cannon"), CLEO)) == ("P32", "own-gun")
    unarmed = laid(machine("angry-goose fog-bell"), machine(), effects=effects)
    assert unarmed.why(i.Shoot(ADA, piece("fog-bell"), BEN)) == ("P32", "own-gun")


@pytest.mark.rule("P38", "P36")
def test_a_hit_that_cannot_destroy_or_steal_at_all_says_so_and_no_more() -> None:
    effects = {"sedan-chair": (Hold("destroy"),)}
    table = duel("", "sedan-chair", effects=effects).do(i.Attack(ADA, BEN)).rolls(12, 1)
    for intent, rule in (
        (i.Destroy(ADA, piece("sedan-chair")), ("P38", "destroy-held")),
        (i.Steal(ADA, piece("sedan-chair")), ("P36", "may-steal")),
    ):
        verdict = judge(GAME, table.now, intent)
        assert isinstance(verdict, Refused)
        assert [(refusal.rule, refusal.key) for refusal in verdict.refusals] == [rule]
