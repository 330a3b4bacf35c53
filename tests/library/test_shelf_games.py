"""The shelf finds every folder that is a game, and opens only the one that is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.core import CompanionError, GameId
from companion.library import shelf
from companion.library.shelf import BrokenGame, UnknownGame, UnknownPack

GAMES = Path(shelf.__file__).parents[1] / "games"


@pytest.fixture
def toy_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shelf of our own, with two folders that aren't games yet."""
    for name in ("us_toy", "quiet_toy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("GAME = 7\n")
    monkeypatch.setattr("companion.games.__path__", [str(tmp_path)])
    return tmp_path


def test_every_folder_is_a_game_and_those_in_the_workshop_are_not_offered() -> None:
    folders = {path.parent.name for path in GAMES.glob("*/__init__.py")}
    workshop = {path.parent.name for path in GAMES.glob("*/WORKSHOP.md")}
    assert {game.replace("-", "_") for game in shelf.games()} == folders - workshop


def loaded_by(code: str) -> set[str]:
    """The modules that a program has once it has done this."""
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.parametrize("game_id", shelf.games())
def test_every_game_opens_with_its_pack_and_texts(game_id: GameId) -> None:
    game = shelf.open(game_id)
    assert game.id == game_id
    assert isinstance(shelf.pack(game), game.pack)
    for folder in shelf.texts_folders(game_id):
        assert (folder / "en.po").is_file()
        assert (folder / "fr.po").is_file()


def test_listing_opens_nothing() -> None:
    loaded = loaded_by("from companion.library import shelf; shelf.games()")
    assert not [name for name in loaded if name.startswith("companion.games.")]


def test_the_first_page_does_not_wait_for_what_this_room_seldom_needs() -> None:
    assert loaded_by("import companion.library").isdisjoint({"difflib", "hashlib", "shutil", "tempfile"})


def test_folders_with_underscores_are_ids_with_hyphens(toy_shelf: Path) -> None:
    assert shelf.games() == ("quiet-toy", "us-toy")


def test_an_unknown_game_is_guessed(toy_shelf: Path) -> None:
    with pytest.raises(UnknownGame, match="did you mean 'us-toy'") as caught:
        shelf.open("us-toi")
    assert isinstance(caught.value, CompanionError)
    assert isinstance(caught.value, LookupError)
    with pytest.raises(UnknownGame, match="there are: quiet-toy, us-toy"):
        shelf.open("chess")


def test_a_folder_that_gives_no_game_says_what_it_must_do(toy_shelf: Path) -> None:
    with pytest.raises(BrokenGame, match="must set GAME"):
        shelf.open("us-toy")


def test_the_owners_packs_are_found_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "packs" / "toy" / "our-cards"
    folder.mkdir(parents=True)
    (folder / "pack.toml").write_text("")
    toy = GameId("toy")
    assert shelf.pack_names(toy, tmp_path) == ("our-cards",)
    assert shelf.pack_folder(toy, "our-cards", tmp_path) == folder
    for name in ("our-card", "../our-cards", "/etc"):
        with pytest.raises(UnknownPack):
            shelf.pack_folder(toy, name, tmp_path)
