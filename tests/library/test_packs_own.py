"""Owners copy a pack, change it, count their deck, and export it as one file; everything saved can be read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import Game
from companion.library import SHIPPED, ChangedMeanwhile, InBoth, OwnPacks, PackError, packs, shelf
from companion.library.own_packs import NotOurs
from companion.library.shelf import UnknownPack
from companion.library.whole_files import NotSaved

GAME: Game[Any, Any] = shelf.open("actionworks")
NOTE = InBoth("Ours.", "À nous.")


@pytest.fixture
def own(tmp_path: Path) -> OwnPacks:
    return OwnPacks(tmp_path)


def copied(own: OwnPacks, called: str = "Chloé’s box") -> str:
    return own.copy(GAME, SHIPPED, called, "Chloé", NOTE)


def test_a_copy_holds_the_same_cards_and_says_whose_it_is(own: OwnPacks) -> None:
    name = copied(own)
    assert name == "chloes-box"
    assert own.names(GAME.id) == (name,)
    head = own.head(GAME.id, name)
    assert (head.name.fr, head.author, head.note) == ("Chloé’s box", "Chloé", NOTE)
    assert own.load(GAME, name).parts == own.load(GAME, SHIPPED).parts


def test_names_never_collide_and_are_never_empty(own: OwnPacks) -> None:
    assert [copied(own, name) for name in ("Our box", "our  BOX!", "箱", "../..", "a" * 90)] == [
        "our-box",
        "our-box-2",
        "own",
        "own-2",
        "a" * 32,
    ]


@pytest.mark.parametrize("game_id", shelf.games())
def test_every_shipped_pack_goes_into_one_file_and_comes_back(own: OwnPacks, game_id: str) -> None:
    game = shelf.open(game_id)
    name = own.take_in(game, own.text(game, SHIPPED))
    was, now = own.load(game, SHIPPED), own.load(game, name)
    assert replace(now, id=was.id) == was


def test_a_change_is_there_when_it_returns_and_another_ones_change_is_not_lost(own: OwnPacks, tmp_path: Path) -> None:
    name = copied(own)
    seen, pack = own.mark(GAME, name), own.load(GAME, name)
    own.change(GAME, name, replace(pack, parts=pack.parts[:5]), seen)
    assert len(OwnPacks(tmp_path).load(GAME, name).parts) == 5
    with pytest.raises(ChangedMeanwhile, match="open it again"):
        own.change(GAME, name, pack, seen)
    assert len(own.load(GAME, name).parts) == 5


def test_what_comes_with_the_game_and_what_is_kept_in_several_files_is_not_changed(
    own: OwnPacks, tmp_path: Path
) -> None:
    pack = own.load(GAME, SHIPPED)
    with pytest.raises(NotOurs, match="make a copy"):
        own.change(GAME, SHIPPED, pack, own.mark(GAME, SHIPPED))
    name = copied(own)
    (tmp_path / "packs" / GAME.id / name / "more.toml").write_text("")
    assert not own.may_change(GAME.id, name)
    with pytest.raises(NotOurs):
        own.throw_away(GAME, name)
    assert own.load(GAME, name).parts == pack.parts


def test_a_pack_that_could_not_be_read_again_is_not_kept(own: OwnPacks) -> None:
    name = copied(own)
    pack = own.load(GAME, name)
    bad = replace(pack, parts=(replace(pack.parts[0], count=99),))
    with pytest.raises(PackError, match=r"parts\[0\]\.count"):
        own.change(GAME, name, bad, own.mark(GAME, name))
    assert own.load(GAME, name) == pack


def test_a_file_with_mistakes_names_all_of_them_and_nothing_is_kept(own: OwnPacks) -> None:
    text = own.text(GAME, SHIPPED).replace('"make"', '"mkae"', 1).replace("value = 2", "value = 200", 1)
    with pytest.raises(PackError) as caught:
        own.take_in(GAME, text)
    assert len(caught.value.problems) == 2
    with pytest.raises(PackError, match="expected TOML"):
        own.take_in(GAME, "][")
    with pytest.raises(PackError):
        own.take_in(GAME, "a=" + "[" * 20_000)
    assert own.names(GAME.id) == ()


def test_thrown_away_is_gone(own: OwnPacks) -> None:
    name = copied(own)
    own.throw_away(GAME, name)
    assert own.names(GAME.id) == ()
    with pytest.raises(UnknownPack):
        own.load(GAME, name)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "packs").write_text("in the way")
    with pytest.raises(NotSaved, match="was not saved"):
        copied(OwnPacks(tmp_path))


def test_a_saved_pack_can_be_read_by_people(own: OwnPacks, tmp_path: Path) -> None:
    name = copied(own)
    lines = (tmp_path / "packs" / GAME.id / name / packs.HEAD_FILE).read_text(encoding="utf-8").splitlines()
    assert 'name = { en = "Chloé’s box", fr = "Chloé’s box" }' in lines
    assert '  { type = "make", value = 1, count = 2 },' in lines
