"""What only owners' packs say: leaps anywhere, protections, fewer dice, two attacks, attacks on several, free text."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core import TABLE, Act, ChoosePage, Piece, PlaceId, Pressed, Refusal, RuleId, Seat
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    NOTHING,
    ByText,
    Leap,
    Ranged,
    Upgrade,
    board_place,
    capacity,
    fight_of,
    is_pair,
    known,
    sentence,
)
from companion.games.us_patent.state.vocabulary import AnyEffect, Drive, Hold, Muffle, Robbery, Ward
from tests.games.us_patent.play import ADA, BEN, CLEO, CLERK, PLAIN, Table, laid, machine, piece
from tests.games.us_patent.test_usp_fight import duel
from tests.games.us_patent.test_usp_laying import evening

CHAIR, GOOSE = piece("sedan-chair"), piece("angry-goose")


@pytest.mark.rule("P32")
@pytest.mark.parametrize(
    ("to", "spaces"),
    [
        ("office", {"0/office"}),
        ("mechanic", {"0/mechanic"}),
        ("junkyard", {"0/junkyard"}),
        ("any", {space.id for space in CLERK.spaces}),
    ],
)
def test_a_leap_goes_to_the_office_the_mechanic_the_junkyard_or_anywhere(to: Any, spaces: set[str]) -> None:
    table = laid(machine("sedan-chair", at="4/a"), effects={"sedan-chair": (Leap(to),)})
    assert {wish.space for wish in table.may(i.LeapTo)} == spaces
    goal = min(spaces)
    table.do(i.LeapTo(ADA, board_place(int(goal[0])), PlaceId(goal)))
    assert (table.now.machines[ADA].at, table.now.turn) == (goal, BEN)


@pytest.mark.rule("P32")
def test_one_card_may_leap_to_two_kinds_of_space() -> None:
    table = laid(machine("sedan-chair", at="4/a"), effects={"sedan-chair": (Leap("office"), Leap("junkyard"))})
    assert {wish.space for wish in table.may(i.LeapTo)} == {"0/office", "0/junkyard"}


@pytest.mark.rule("P38")
def test_a_shield_may_forbid_to_disable() -> None:
    table = (
        duel("", "fog-bell water-wheel", effects={"fog-bell": (Hold("disable"),)}).do(i.Attack(ADA, BEN)).rolls(4, 1)
    )
    assert table.now.turn == BEN, "a light hit does nothing"
    heavy = (
        duel("", "fog-bell water-wheel", effects={"fog-bell": (Hold("disable"),)}).do(i.Attack(ADA, BEN)).rolls(12, 1)
    )
    refused = heavy.no(i.Disable(ADA, piece("water-wheel")))
    assert refused == Refusal(RuleId("P38"), "disable-held", (("seat", Seat(BEN)),))
    assert {type(wish) for wish in heavy.legal(ADA)} == {i.Destroy, i.Spare}
    every = {"fog-bell": (Hold("disable"), Hold("destroy"), Hold("steal")), "angry-goose": (Robbery(),)}
    assert duel("angry-goose", "fog-bell", effects=every).do(i.Attack(ADA, BEN)).rolls(12, 1).happened(e.Spared)
    far = {"angry-goose": (Ranged("any"),), "fog-bell": (Hold("disable"),)}
    shot = duel("angry-goose", "fog-bell", effects=far).do(i.Shoot(ADA, GOOSE, BEN)).rolls(12, 1)
    assert not shot.may(i.Disable), "from afar as well (P38)"


@pytest.mark.rule("P38", "P41")
@pytest.mark.parametrize(("against", "basic", "ranged"), [("basic", 1, 2), ("ranged", 2, 1), ("all", 1, 1)])
def test_a_shield_may_take_dice_from_the_attacker(against: Any, basic: int, ranged: int) -> None:
    effects: dict[str, tuple[AnyEffect, ...]] = {"angry-goose": (Ranged("any"),), "fog-bell": (Muffle(1, against),)}
    table = duel("angry-goose", "fog-bell", effects=effects)
    assert fight_of(table.now, ADA, BEN, "basic", NOTHING).attack_dice == basic
    assert fight_of(table.now, ADA, BEN, "ranged", GOOSE).attack_dice == ranged
    table.do(i.Attack(ADA, BEN))
    assert [wish.number for wish in table.legal(TABLE)] == list(range(basic, 6 * basic + 1))  # type: ignore[attr-defined]


@pytest.mark.rule("P41")
def test_an_attack_without_a_die_left_counts_the_weapon_alone() -> None:
    table = duel("angry-goose", "fog-bell", effects={"fog-bell": (Muffle(3, "all"),)}).do(i.Attack(ADA, BEN))
    assert table.awaits()[0] == "defence-die"
    table.rolls(6)
    assert table.happened(e.AttackMissed) == [e.AttackMissed(ADA, BEN, 2, 7)]
    off = duel("", "-fog-bell", effects={"fog-bell": (Muffle(3, "all"),)})
    assert fight_of(off.now, ADA, BEN, "basic", NOTHING).attack_dice == 2, "a disabled Shield takes none"


@pytest.mark.rule("P32", "P34")
def test_one_card_may_have_two_ranged_attacks() -> None:
    both = (Ranged("time", dice=3, result="disable"), Ranged("any", dice=1, result="steal"))
    table = laid(
        machine("angry-goose", at="4/a"),
        machine("fog-bell", at="4/lab"),
        machine("polite-aura", at="8/a"),
        effects={"angry-goose": both},
    )
    assert {(type(wish), wish.seat) for wish in (*table.may(i.Shoot), *table.may(i.ShootSecond))} == {
        (i.Shoot, BEN),
        (i.ShootSecond, BEN),
        (i.ShootSecond, CLEO),
    }
    assert table.why(i.Shoot(ADA, GOOSE, CLEO)) == ("P37", "in-scope")
    first = Table(table.now).do(i.Shoot(ADA, GOOSE, BEN))
    assert [wish.number for wish in first.legal(TABLE)] == list(range(3, 19))  # type: ignore[attr-defined]
    second = table.do(i.ShootSecond(ADA, GOOSE, CLEO)).rolls(6, 1)
    assert {type(wish) for wish in second.legal(ADA)} == {i.Steal, i.Spare}
    single = laid(machine("angry-goose", at="4/a"), effects={"angry-goose": (Ranged("any"),)})
    assert single.why(i.ShootSecond(ADA, GOOSE, BEN)) == ("P32", "own-gun")


@pytest.mark.rule("P34", "P37", "P41")
def test_an_attack_on_several_is_fought_with_one_after_the_other_from_the_left() -> None:
    gun: dict[str, tuple[AnyEffect, ...]] = {
        "angry-goose": (Ranged("time", result="disable", targets="all"),),
        "polite-aura": (Ward("ranged"),),
    }
    table = laid(
        machine("angry-goose", at="4/a"),
        machine("fog-bell", at="4/lab"),
        machine("polite-aura", at="4/market"),
        machine("sedan-chair", at="4/a"),
        machine("water-wheel", at="5/a"),
        effects=gun,
    )
    assert table.may(i.Volley) == [i.Volley(ADA, GOOSE)]
    assert not table.may(i.Shoot), "it has no attack on one"
    table.do(i.Volley(ADA, GOOSE))
    assert [event.target for event in table.happened(e.AttackDeclared)] == [3, 2, 1]
    assert table.happened(e.AttackStopped) == [e.AttackStopped(ADA, CLEO)], "each Shield speaks for its own"
    assert dict(GAME.decisions(table.now)[-1].facts)["seat"] == Seat(ADA)
    table.rolls(12, 1).do(i.Disable(ADA, piece("fog-bell"))).rolls(12, 1).do(i.Disable(ADA, CHAIR))
    assert (table.down(BEN), table.works(CLEO), table.now.turn) == ({"fog-bell"}, {"polite-aura"}, BEN)
    alone = laid(machine("angry-goose", at="4/a"), effects=gun)
    assert alone.why(i.Volley(ADA, GOOSE)) == ("P37", "anyone-in-scope")
    here = {"angry-goose": (Ranged("space", targets="all"),)}
    assert laid(machine("angry-goose", at="4/a"), machine(at="4/a"), effects=here).may(i.Volley)
    assert not laid(machine("angry-goose", at="4/a"), machine(at="4/lab"), effects=here).may(i.Volley)


@pytest.mark.rule("P32")
def test_what_an_attack_on_several_would_do_is_told_for_each() -> None:
    gun = {"angry-goose": (Ranged("any", targets="all"),)}
    table = laid(machine("angry-goose"), machine("fog-bell"), machine(), effects=gun)
    keys = [line.key for line in GAME.foresee(table.view(ADA), i.Volley(ADA, GOOSE))]
    assert keys == ["foresee.at", "foresee.sides", "foresee.odds"] * 2


@pytest.mark.rule("P6", "P8", "P22")
def test_ranks_go_from_0_to_20() -> None:
    ranks = {"sedan-chair": 0, "water-wheel": 0, "full-stop": 20}
    pack = replace(PLAIN, upgrades=tuple(replace(up, rank=ranks.get(up.id, up.rank)) for up in PLAIN.upgrades))
    table = laid(machine("sedan-chair water-wheel", gold=0, at="1/market"), markets="sedan-chair", pack=pack)
    own = table.now.machines[ADA]
    assert is_pair(known(table.now), own), "equal ranks, both work"
    assert capacity(known(table.now), own) == 11
    down = laid(machine("sedan-chair -water-wheel"), pack=pack).now
    assert capacity(known(down), down.machines[ADA]) == 5, "a rank of 0 is not a card that is off"
    empty = laid(machine("sedan-chair"), pack=pack).now
    assert not is_pair(known(empty), empty.machines[ADA])
    assert laid(machine(gold=0, at="1/market"), markets="sedan-chair", pack=pack).may(i.Buy), "it costs nothing"
    rich = laid(machine(gold=19, at="8/market"), markets="full-stop", pack=pack)
    assert rich.why(i.Buy(ADA, piece("full-stop"))) == ("P.ag", "can-pay")
    for rank in (-1, 21):
        with pytest.raises(msgspec.ValidationError, match="rank"):
            msgspec.convert({"id": "x", "slot": "weapon", "rank": rank, "period": 1}, Upgrade)


@pytest.mark.rule("P32", "P41", "P.an")
def test_a_free_text_is_an_action_that_opens_corrections_until_it_is_done() -> None:
    table = laid(machine("sedan-chair", at="4/a"), machine(gold=5), effects={"sedan-chair": (ByText(),)})
    assert table.may(i.FollowText) == [i.FollowText(ADA, CHAIR)]
    assert "effect.free-text" in [line.key for line in GAME.foresee(table.view(ADA), i.FollowText(ADA, CHAIR))]
    table.do(i.FollowText(ADA, CHAIR))
    top = GAME.decisions(table.now)[-1]
    assert (top.kind, top.seats, top.corrects) == ("follow", (ADA,), True)
    first = Refusal(RuleId("P32"), "text-done", (("seat", Seat(ADA)), ("card", Piece(CHAIR))))
    assert table.no(i.EndTurn(ADA)) == table.no(i.TakeGold(ADA)) == first
    assert table.why(i.FinishText(BEN)) == ("P3", "your-turn")
    table.do(i.SetGold(ADA, BEN, 2), i.SetPawn(ADA, BEN, board_place(4), PlaceId("4/a")), i.FinishText(ADA))
    assert (table.now.turn, table.now.machines[BEN].gold, table.now.machines[BEN].at) == (BEN, 2, "4/a")
    assert not any(decision.corrects for decision in GAME.decisions(table.now))
    off = laid(machine("-sedan-chair"), effects={"sedan-chair": (ByText(),)})
    assert off.why(i.FollowText(ADA, CHAIR)) == ("P.an", "source-works")
    assert laid(machine("sedan-chair")).why(i.FollowText(ADA, CHAIR)) == ("P32", "own-text")


@pytest.mark.rule("P32")
def test_on_the_box_the_list_of_corrections_opens_by_itself() -> None:
    chair = next(up for up in CLERK.upgrades if up.id == "sedan-chair")
    told = replace(chair, effects=(ByText(),), text="Swap two pawns.")
    pack = replace(CLERK, upgrades=tuple(told if up is chair else up for up in CLERK.upgrades))
    with evening("water-wheel", pack=pack) as (now, tap):
        tap("1/lab", kind="place")
        tap("1/lab", kind="place")
        now.ask(ADA, Act(msgspec.Raw(msgspec.json.encode(i.MoveCard(ADA, CHAIR, PlaceId("slot/0/chassis"))))))
        tap("sedan-chair")
        now.give(Pressed("ok"))
        assert now.now.decisions[-1].kind == "follow"
        page = now.now.page
        assert isinstance(page, ChoosePage)
        assert "verb.set-gold" in [item.key for item in page.items]
        now.give(Pressed("back"))
        now.give(Pressed("next"))
        now.give(Pressed("ok"))
        assert now.now.state.turn != ADA, "done, and the turn with it"


@pytest.mark.rule("P41")
def test_what_cannot_be_printed_on_one_card_is_told() -> None:
    two = (Ranged("any"), Ranged("time"))
    assert Upgrade("x", "weapon", 1, 1, effects=two).effects == two
    for effects, problem in (
        ((Drive(), Drive(plus=1)), "one kind of effect twice"),
        ((Ranged("any"), Ranged("any")), "one kind of effect twice"),
        ((*two, Ranged("ahead")), "too many ranged attacks: 2 at most"),
        ((Ranged("any", targets="all"), Ranged("time", targets="all")), "one of them on all"),
        ((ByText(),), "an Action by its text and has none"),
    ):
        with pytest.raises(ValueError, match=problem):
            Upgrade("x", "weapon", 1, 1, effects=effects)


def test_old_packs_are_read_as_before() -> None:
    old = {"does": "ranged", "scope": "any", "dice": 2, "plus": 0, "defence": 1, "result": "usual"}
    assert msgspec.convert(old, AnyEffect) == Ranged("any")


@pytest.mark.parametrize(
    ("effect", "key"),
    [
        (Leap("any"), "effect.leap.any"),
        (Hold("disable"), "effect.hold.disable"),
        (Muffle(2, "ranged"), "effect.muffle.ranged"),
        (Ranged("space", targets="all"), "effect.volley"),
        (Ranged("space", plus=2, targets="all"), "effect.volley-plus"),
        (ByText(), "effect.by-text"),
    ],
)
def test_each_makes_its_own_sentence(effect: AnyEffect, key: str) -> None:
    assert sentence(effect).key == key
