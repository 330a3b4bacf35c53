"""Sunday and Monday: counters come, claim, jump, strengthen, ride and board."""

from __future__ import annotations

import pytest

from companion.core import TABLE, Intent, PieceId, SeatId
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.rules.intents import (
    AttackRolled,
    BoardRocket,
    DefenceRolled,
    GiveButton,
    Jump,
    SendByTrain,
    Stake,
    Strengthen,
)
from companion.games.one_false_step.state import Giving, Holding, Monday, Sunday
from tests.games.one_false_step.play import ADA, BEN, CLEO, NOBODY, Table, at, city, laid, own


def stake(claim: str, town: str = "alba", seat: SeatId = ADA) -> Stake:
    return Stake(seat, city(town), at(claim))


def jump(claim: str, town: str = "alba", seat: SeatId = ADA) -> Jump:
    return Jump(seat, city(town), at(claim))


def rolls(attack: int, defence: int) -> tuple[Intent, Intent]:
    return AttackRolled(TABLE, attack), DefenceRolled(TABLE, defence)


def sunday(*owned: Holding) -> Table:
    """The Sunday after a week in which Ada gave the Button to herself."""
    return laid(*owned, steps=(Giving(ADA),), day="saturday").do(GiveButton(ADA, ADA))


@pytest.mark.rule("F10", "F.d", "F31")
def test_sunday_brings_one_counter_to_each_active_city_and_empties_the_train() -> None:
    table = sunday(own("alba", train=2), own("brio", BEN), own("dora", BEN, chips=2, train=0))
    assert table.held("alba") == own("alba", middle=3)
    assert table.held("brio").middle == 1
    assert table.held("dora").middle == 0
    assert table.awaits() == ("place", (ADA,))
    assert not isinstance(table.now.steps[-1], Sunday)


@pytest.mark.rule("F11", "F39")
def test_each_places_all_counters_in_button_order() -> None:
    table = laid(own("alba", middle=1), own("brio", BEN, middle=2), own("cima", CLEO, middle=1), button=BEN,
                 steps=(Monday(BEN),))  # fmt: skip
    assert table.no(stake("farm 1a")).rule == "F39"
    table.do(Strengthen(BEN, city("brio")))
    assert table.awaits() == ("place", (BEN,))
    table.do(Strengthen(BEN, city("brio")))
    assert table.awaits() == ("place", (CLEO,))
    table.do(BoardRocket(CLEO, city("cima")))
    assert table.awaits() == ("place", (ADA,))
    table.do(SendByTrain(ADA, city("alba"), city("alba")))
    assert table.now.day == "wednesday"
    assert table.no(stake("farm 1a")).rule == "F11"


@pytest.mark.rule("F11")
def test_a_counter_comes_from_an_own_active_card_that_has_one() -> None:
    table = laid(own("alba", middle=1), own("brio", chips=2, middle=0), own("cima", BEN, middle=1))
    for town in ("brio", "cima", "dora", "nowhere"):
        assert table.no(Strengthen(ADA, city(town))).rule == "F11"


@pytest.mark.rule("F.e", "F.ah")
def test_every_counter_must_be_placed_and_always_can_be() -> None:
    table = laid(own("fano", middle=1), claims={"farm 5a": BEN}, population="on")
    table.now = GAME.apply(table.now, e.CountersSet(PieceId("city/fano"), 5))  # type: ignore[arg-type]
    kinds = {type(i) for i in table.legal(ADA)}
    assert {SendByTrain, BoardRocket} <= kinds
    assert Strengthen not in kinds
    assert "end" not in {v.name for v in GAME.verbs}
    table = laid(own("alba", middle=1))
    assert {Stake, Strengthen, SendByTrain, BoardRocket} <= {type(i) for i in table.legal(ADA)}


@pytest.mark.rule("F12", "F42")
def test_a_free_connected_mine_or_farm_is_claimed() -> None:
    table = laid(own("alba", middle=2), own("brio", BEN)).do(stake("farm 1a"))
    assert table.owner("farm 1a") == ADA
    assert table.held("alba").middle == 1
    assert table.no(stake("farm 1a")).rule == "F12"
    assert table.no(Stake(ADA, city("alba"), PieceId("farm/9-z"))).rule == "F12"  # type: ignore[arg-type]
    assert laid(own("alba", middle=1), claims={"farm 1a": BEN}).no(stake("farm 1a")).rule == "F12"


@pytest.mark.rule("F13", "F.p")
def test_connections_run_through_own_claims_also_of_this_monday() -> None:
    table = laid(own("alba", middle=3))
    assert table.no(stake("mine 1b")).rule == "F13"
    table.do(stake("farm 1a"), stake("mine 1b"))
    assert table.owner("mine 1b") == ADA
    other = laid(own("alba", middle=1), claims={"farm 1a": BEN})
    assert other.no(stake("mine 1b")).rule == "F13"


@pytest.mark.rule("F13", "F.ai")
def test_no_connection_runs_through_a_city_not_even_an_own_one() -> None:
    # cima lies between nothing; brio is beside mine 1b only: from alba over brio nothing is reached.
    table = laid(own("alba", middle=1), own("brio", middle=1), claims={"mine 1b": ADA})
    assert table.no(stake("farm 1a", "alba").__class__(ADA, city("alba"), at("farm 1c"))).rule == "F13"
    assert table.may(stake("farm 1c", "brio"))
    assert table.may(stake("farm 1a", "brio"))
    for held in (own("brio", BEN, chips=2), own("brio", BEN)):
        blocked = laid(own("alba", middle=1), held, claims={"mine 1b": ADA})
        assert blocked.no(stake("farm 1c")).rule == "F13"


@pytest.mark.rule("F13")
def test_connections_cross_joints() -> None:
    table = laid(own("alba", middle=1), claims={"farm 1a": ADA, "mine 1b": ADA, "farm 1c": ADA})
    table.do(stake("mine 2a"))
    assert table.owner("mine 2a") == ADA


@pytest.mark.rule("F14")
@pytest.mark.parametrize(("attack", "defence", "wins"), [(6, 5, True), (4, 4, False), (3, 5, False), (5, 3, True)])
def test_a_dispute_goes_to_the_higher_sum_ties_to_the_defender(attack: int, defence: int, wins: bool) -> None:
    table = laid(
        own("alba", middle=1, counters=2), own("brio", BEN, counters=2), claims={"farm 1a": ADA, "mine 1b": BEN}
    )
    table.do(jump("mine 1b"))
    assert table.awaits() == ("attack", (TABLE,))
    assert table.no(DefenceRolled(TABLE, 3)).rule == "F14"
    assert table.no(AttackRolled(TABLE, 7)).rule == "F14"
    table.do(*rolls(attack, defence))
    assert table.owner("mine 1b") == (ADA if wins else BEN)
    assert table.held("alba").middle == 0


@pytest.mark.rule("F14")
def test_only_a_claim_of_someone_can_be_jumped_and_only_a_connected_one() -> None:
    table = laid(own("alba", middle=1), own("brio", BEN), claims={"mine 1b": BEN})
    assert table.no(jump("farm 1a")).rule == "F14"
    assert table.no(jump("mine 1b")).rule == "F13"
    assert table.no(Jump(ADA, city("alba"), PieceId("x"))).rule == "F12"  # type: ignore[arg-type]


@pytest.mark.rule("F.ag")
def test_an_own_claim_cannot_be_jumped() -> None:
    table = laid(own("alba", middle=1), claims={"farm 1a": ADA})
    assert table.no(jump("farm 1a")).rule == "F.ag"


@pytest.mark.rule("F15", "F.ad", "F.g")
def test_a_claim_without_an_active_city_of_its_owner_falls_without_dice() -> None:
    for others in ((), (own("brio", BEN, chips=1),), (own("cima", BEN),)):
        table = laid(own("alba", middle=1), *others, claims={"farm 1a": ADA, "mine 1b": BEN}).do(jump("mine 1b"))
        assert table.owner("mine 1b") == ADA
        assert table.happened(e.ClaimFell) == [e.ClaimFell(ADA, at("mine 1b"), BEN)]
    supported = laid(own("alba", middle=1), own("brio", BEN), claims={"farm 1a": ADA, "mine 1b": BEN})
    assert supported.do(jump("mine 1b")).awaits()[0] == "attack"


@pytest.mark.rule("F.ac")
def test_the_defender_is_supported_through_strings_of_own_claims() -> None:
    claims = {"farm 1c": ADA, "mine 2a": BEN, "farm 2b": BEN, "farm 1a": ADA, "mine 1b": ADA}
    near = laid(own("alba", middle=1), own("cima", BEN, counters=3), claims=claims).do(jump("mine 2a"))
    near.do(AttackRolled(TABLE, 4))
    assert near.do(DefenceRolled(TABLE, 2)).happened(e.DefenceFell)[0].total == 5
    cut = laid(own("cima", middle=1), own("alba", BEN), claims={"mine 2a": CLEO, "farm 1c": BEN})
    cut = laid(own("cima", middle=1), own("alba", BEN), claims={"mine 2a": ADA, "farm 1c": BEN, "mine 1b": CLEO})
    cut.do(Jump(ADA, city("cima"), at("farm 1c")))
    assert cut.owner("farm 1c") == ADA


@pytest.mark.rule("F.o")
def test_the_defender_uses_the_strongest_connected_city() -> None:
    claims = {"farm 1a": BEN, "mine 1b": BEN, "farm 1c": ADA, "mine 2a": ADA}
    table = laid(own("cima", middle=1), own("alba", BEN, counters=2), own("brio", BEN, counters=5),
                 own("dora", BEN, counters=9), claims=claims)  # fmt: skip
    table.do(Jump(ADA, city("cima"), at("mine 1b")), *rolls(6, 1))
    assert table.happened(e.DefenceFell)[0].total == 6


@pytest.mark.rule("F.f", "F.ab")
def test_the_marker_counts_and_the_jumping_counter_does_not() -> None:
    table = laid(own("alba", middle=1), own("brio", BEN), claims={"farm 1a": ADA, "mine 1b": BEN})
    table.do(jump("mine 1b"), AttackRolled(TABLE, 2))
    assert table.happened(e.AttackFell)[0].total == 3
    assert table.do(DefenceRolled(TABLE, 2)).happened(e.DefenceFell)[0].total == 3
    assert table.owner("mine 1b") == BEN


@pytest.mark.rule("F.ae")
def test_counters_are_settled_one_by_one_and_change_the_net_at_once() -> None:
    table = laid(own("alba", middle=3), own("brio", BEN), claims={"farm 1a": BEN, "mine 1b": BEN})
    assert table.no(jump("mine 1b")).rule == "F13"
    table.do(jump("farm 1a"), *rolls(6, 1))
    assert table.may(jump("mine 1b"))
    table.do(jump("mine 1b"))
    assert table.no(stake("farm 1c")).key == "dispute-first"


@pytest.mark.rule("F.af")
def test_the_same_claim_may_be_jumped_again() -> None:
    table = laid(own("alba", middle=2), own("brio", BEN), claims={"farm 1a": BEN, "mine 1b": BEN})
    table.do(jump("farm 1a"), *rolls(1, 6))
    assert table.owner("farm 1a") == BEN
    table.do(jump("farm 1a"), *rolls(6, 1))
    assert table.owner("farm 1a") == ADA


@pytest.mark.rule("F16")
def test_a_city_is_strengthened_without_limit() -> None:
    table = laid(own("alba", middle=9, counters=40))
    table.do(*[Strengthen(ADA, city("alba"))] * 8)
    assert table.held("alba").counters == 48


@pytest.mark.rule("F36", "F.aw")
def test_the_population_variant_limits_a_city_to_its_thousands_rounded_up() -> None:
    full = laid(own("brio", middle=2, counters=3), population="on")
    assert full.no(Strengthen(ADA, city("brio"))).rule == "F36"
    room = laid(own("brio", middle=2, counters=2), population="on").do(Strengthen(ADA, city("brio")))
    assert room.no(Strengthen(ADA, city("brio"))).rule == "F36"
    off = laid(own("brio", middle=2, counters=3)).do(Strengthen(ADA, city("brio")))
    assert off.held("brio").counters == 4
    full.do(SendByTrain(ADA, city("brio"), city("brio")))
    assert laid(own("brio", middle=1, train=30), population="on").may(SendByTrain(ADA, city("brio"), city("brio")))


@pytest.mark.rule("F17", "F43")
def test_the_train_goes_to_any_own_active_city_without_a_road() -> None:
    table = laid(own("alba", middle=2), own("fano", train=1), own("brio", chips=1), own("cima", BEN))
    table.do(SendByTrain(ADA, city("alba"), city("fano")))
    assert table.held("fano").train == 2
    assert table.no(SendByTrain(ADA, city("alba"), city("brio"))).rule == "F17"
    assert table.no(SendByTrain(ADA, city("alba"), city("cima"))).rule == "F17"
    table.do(SendByTrain(ADA, city("alba"), city("alba")))
    assert table.held("alba").train == 1


@pytest.mark.rule("F18", "F42")
def test_counters_wait_on_the_rocket_any_number() -> None:
    table = laid(own("alba", middle=2), crew=(7, 0, 0)).do(
        BoardRocket(ADA, city("alba")), BoardRocket(ADA, city("alba"))
    )
    assert table.now.crew == (9, 0, 0)
    assert table.now.day == "wednesday"


@pytest.mark.rule("F19", "F.ay")
def test_counters_on_the_board_do_not_move() -> None:
    movers = {"stake", "jump", "strengthen", "send-by-train", "board-rocket"}
    assert movers <= {v.name for v in GAME.verbs}
    table = laid(own("alba", middle=1), own("brio", BEN, counters=2), claims={"farm 1a": ADA, "mine 1b": BEN})
    before = table.held("brio").counters
    table.do(jump("mine 1b"), *rolls(6, 1))
    assert (table.owner("mine 1b"), table.held("brio").counters) == (ADA, before)
    assert table.now.claims.count(BEN) == 0


@pytest.mark.rule("F44")
def test_any_number_of_cities_may_be_owned() -> None:
    names = ("alba", "brio", "cima", "dora", "fano")
    table = laid(*(own(name, middle=1) for name in names), red=(1, 1, 1))
    assert {i.city for i in table.legal(ADA) if isinstance(i, Strengthen)} == set(names)


@pytest.mark.rule("F45", "F12")
def test_claims_bar_others_although_their_city_is_lost() -> None:
    table = laid(own("alba", middle=1), claims={"farm 1a": BEN})
    assert table.no(stake("farm 1a")).rule == "F12"
    assert table.do(jump("farm 1a")).owner("farm 1a") == ADA


def test_in_advise_an_unconnected_claim_stands_with_a_mark() -> None:
    table = laid(own("alba", middle=1), advise=True).do(stake("mine 1b"))
    assert table.marks == ("F13",)
    assert table.owner("mine 1b") == ADA
    assert NOBODY == TABLE
