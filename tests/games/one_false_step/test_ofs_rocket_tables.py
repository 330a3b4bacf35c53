"""The tables of the Rocket cards are data in the pack: prices and targets separately, as we read them and as
printed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import TABLE, PieceId, say
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e
from companion.games.one_false_step.editing import ROCKETS
from companion.games.one_false_step.rules.intents import MoonShot, ShotRolled, Upgrade
from companion.games.one_false_step.state import Pack, Rockets, Thursday, price, rocket_card, target
from companion.journal import Journal
from companion.library import InBoth, OwnPacks, PackError
from companion.library.card_forms import read, typed
from companion.table import Referee
from tests.games.one_false_step.play import ADA, BEN, PACK, VALLEY, Table, laid, own

LEVELS = range(1, 11)
CORRECTED, PRINTED = list(range(12, 2, -1)), list(LEVELS)
OLD_GAME = Path(__file__).parents[2] / "formats" / "one-false-step-1.export"


def thursday(**more: Any) -> Table:
    given = {"gold": (40, 5, 5), "steps": (Thursday(ADA),), "day": "thursday", **more}
    return laid(own("alba"), own("brio", BEN), **given)


def edited(pack: Pack, level: int, **typed_in: str) -> Pack:
    """The pack after one level's form was filled in on a phone."""
    cards = list(ROCKETS.read(pack))
    old = cards[level - 1]
    cards[level - 1], wrongs = read(ROCKETS, typed(ROCKETS, old) | typed_in, old)
    assert wrongs == ()
    return ROCKETS.write(pack, tuple(cards))


@pytest.mark.rule("F.a", "F.b", "F23", "F26")
@pytest.mark.parametrize(
    ("option", "fifth", "targets"),
    [
        ("corrected", 5, CORRECTED),
        ("printed", 6, PRINTED),
        ("printed-prices", 6, CORRECTED),
        ("printed-targets", 5, PRINTED),
    ],
)
@pytest.mark.parametrize("pack", [PACK, VALLEY], ids=lambda pack: pack.id)
def test_prices_and_targets_are_chosen_apart(pack: Pack, option: str, fifth: int, targets: list[int]) -> None:
    state = thursday(rocket_table=option, pack=replace(VALLEY, rockets=pack.rockets)).now
    assert [price(state, level) for level in (-1, 0, *LEVELS, 11)] == [0, 0, 0, 1, 2, 3, fifth, 7, 10, 13, 17, 21, 0]
    assert [target(state, level) for level in LEVELS] == targets


@pytest.mark.rule("F.a")
def test_the_corrected_prices_follow_one_pattern() -> None:
    assert PACK.rockets.prices.corrected[1:] == tuple((level - 1) ** 2 // 4 + 1 for level in range(2, 11))


@pytest.mark.rule("F23", "F26")
def test_an_own_table_is_what_a_level_costs_and_what_the_dice_must_show() -> None:
    own_table = edited(edited(VALLEY, 2, price="9"), 1, target="4")
    table = thursday(pack=own_table).do(Upgrade(ADA, rocket_card(0, ADA)))
    assert table.now.gold[ADA] == 31
    table.do(MoonShot(ADA), ShotRolled(TABLE, 4))
    assert table.happened(e.SystemFailed)
    table.do(ShotRolled(TABLE, 4))
    assert table.happened(e.SystemHeld)


def test_a_level_is_changed_on_a_phone_and_none_is_added() -> None:
    pack = edited(PACK, 5, price="6", printed_target="12")
    assert pack.rockets.prices.corrected == PACK.rockets.prices.printed
    assert pack.rockets.targets.printed == (1, 2, 3, 4, 12, 6, 7, 8, 9, 10)
    assert (pack.boards, pack.layouts) == (PACK.boards, PACK.layouts)
    assert ROCKETS.said(ROCKETS.read(pack)[4]) == say("card.rocket", level=5, price=6, target=8)
    assert ROCKETS.blank is None


@pytest.mark.parametrize(
    ("field", "low", "high"),
    [("price", 0, 99), ("printed_price", 0, 99), ("target", 1, 12), ("printed_target", 1, 12)],
)
def test_two_dice_can_reach_a_target_and_a_price_is_no_debt(field: str, low: int, high: int) -> None:
    card = ROCKETS.read(PACK)[0]
    for number, fits in ((low - 1, False), (low, True), (high, True), (high + 1, False)):
        _, wrongs = read(ROCKETS, typed(ROCKETS, card) | {field: str(number)}, card)
        assert (not wrongs) == fits, number


def test_everything_that_is_wrong_with_a_file_of_tables_is_told_at_once(tmp_path: Path) -> None:
    packs = OwnPacks(tmp_path)
    name = packs.copy(GAME, "", "Ours", "Ada", InBoth("Ours.", "Les nôtres."))
    text = packs.text(GAME, name)
    for was, wrong in (
        ("prices = {", "pricess = {"),
        ("[12, 11, 10, 9, 8, 7, 6, 5, 4, 3]", "[13, 11]"),
        ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "[1, 2, 0, 4, 5, 6, 7, 8, 9, 13]"),
    ):
        assert was in text
        text = text.replace(was, wrong)
    with pytest.raises(PackError) as refused:
        packs.take_in(GAME, text)
    assert [problem.line() for problem in refused.value.problems] == [
        "pack.toml: rockets.pricess: is not known here; did you mean rockets.prices?",
        "pack.toml: rockets.targets.corrected = [13, 11]: expected a list of 10",
        "pack.toml: rockets.targets.printed[2] = 0: expected a whole number from 1 to 12",
        "pack.toml: rockets.targets.printed[9] = 13: expected a whole number from 1 to 12",
    ]


def test_a_game_begun_before_the_tables_were_data_goes_on_as_it_was(tmp_path: Path) -> None:
    """Its pack has no tables. Level 5 was bought for 6 Gold, and every entry gives the same state as then."""
    with Journal.open(tmp_path / "games.journal", _synchronous="OFF") as journal:
        table = journal.import_(OLD_GAME).table
        referee = Referee(GAME, journal, table, lambda: 0.0)
        assert referee.setup.pack.rockets == Rockets()
        bought = [event for deed in referee.deeds.values() for event in deed.events if isinstance(event, e.Upgraded)]
        assert (PieceId("guidance-1"), 5, 6) in [(event.card, event.level, event.gold) for event in bought]
        assert referee.at.result is not None
        assert (referee.at.state.levels[ADA], referee.at.state.gold) == ((7, 2, 2), (9, 1, 0))
