"""Games that others publish are on the shelf like ours; one that can't be played is named and left out."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from companion.app.cli import main
from companion.app.cli.program_checks import program
from companion.app.main import Options, companion
from companion.app.opening import games_on_shelf, load_texts, make_setup
from companion.core import GameId, Name
from companion.library import LANGS, Speaker, shelf
from companion.library.shelf import UnknownGame

OURS = ("actionworks", "one-false-step", "timeline", "us-patent")
HERE = GameId("high-card")
Break = Callable[[Path], object]


def entry(site: Path, line: str) -> None:
    [points] = site.glob("*.dist-info/entry_points.txt")
    points.write_text(f"[table_companion.games]\n{line}\n")


def code(text: str) -> Break:
    return lambda site: (site / "high_card" / "__init__.py").write_text(text)


BROKEN: dict[str, tuple[Break, str]] = {
    "it raises": (code("raise OSError('no such card')"), "OSError: no such card"),
    "it wants something that is not there": (code("import no_such_thing"), "No module named 'no_such_thing'"),
    "it was written for another contract": (
        code("from companion.core.game import Game\nGAME = Game(id='high-card', colour='red')"),
        "TypeError",
    ),
    "it ends the program": (code("raise SystemExit(3)"), "SystemExit: 3"),
    "it is no Python": (code("def"), "SyntaxError"),
    "it gives no game": (code("GAME = 7"), "high_card:GAME is not a Game"),
    "it gives nothing": (code(""), "has no attribute 'GAME'"),
    "it calls itself otherwise": (lambda site: entry(site, "low-card = high_card:GAME"), "calls itself 'high-card'"),
    "it takes the name of ours": (lambda site: entry(site, "timeline = high_card:GAME"), "called 'timeline' already"),
    "its pack is damaged": (lambda site: (site / "high_card/pack/pack.toml").write_text("highest = []"), "highest"),
    "it has no French": (lambda site: (site / "high_card/texts/fr.po").unlink(), "fr.mo is not there"),
    "its texts are damaged": (lambda site: (site / "high_card/texts/fr.po").write_text("msgid a"), "line 1 is not a"),
}


def test_a_game_that_was_installed_with_pip_stands_on_the_shelf(own_site: Path) -> None:
    assert shelf.games() == tuple(sorted((*OURS, HERE)))
    assert shelf.left_out() == ()
    game = shelf.open(HERE)
    assert shelf.folder(HERE) == own_site / "high_card"
    assert shelf.module(HERE) == "high_card"
    setup = make_setup(game, 3)
    assert len(game.pieces(setup.pack)) == 24
    titles = [Speaker(load_texts(game), lang).key("game.title") for lang in LANGS]
    assert titles == ["High Card", "Carte haute"]


def test_without_it_the_shelf_is_ours() -> None:
    """The control."""
    assert shelf.games() == OURS


def test_the_box_offers_it_and_plays_it(own_site: Path, tmp_path: Path) -> None:
    assert HERE in {one.game for one in games_on_shelf("en")(HERE, 3)}
    options = Options(tmp_path / "data", HERE, ("Ada", "Ben"), 0, True)
    (tmp_path / "data").mkdir()
    with companion(options, tell=lambda _line: None) as running:
        assert running.table.snapshot.game.id == HERE


@pytest.mark.parametrize("how", BROKEN)
def test_one_that_fails_is_named_and_left_out(own_site: Path, how: str, caplog: pytest.LogCaptureFixture) -> None:
    plant, told = BROKEN[how]
    plant(own_site)
    with caplog.at_level(logging.WARNING):
        assert shelf.games() == OURS
    [left] = shelf.left_out()
    assert told in left.why
    assert left.package == "table-companion-high-card"
    assert left.package in caplog.text
    assert told in caplog.text


def test_the_doctor_names_it_with_its_cure_and_people_can_play(own_site: Path, tmp_path: Path) -> None:
    BROKEN["it raises"][0](own_site)
    [found] = [each for each in program(tmp_path) if each.said.key == "doctor.game-left-out"]
    assert (found.state, found.stops) == ("wrong", False)
    assert dict(found.said.facts)["why"] == Name("OSError: no such card")
    texts = load_texts(shelf.open("actionworks"))
    for lang in LANGS:
        said, cure = (Speaker(texts, lang).say(found.said, surface) for surface in ("", "hands"))
        assert "high-card" in said
        assert "pip uninstall table-companion-high-card" in cure


def test_the_list_of_games_names_it(own_site: Path, tmp_path: Path) -> None:
    BROKEN["it raises"][0](own_site)
    told = CliRunner().invoke(main, ["games", "--data", str(tmp_path)]).stdout
    assert "Left out: high-card of table-companion-high-card. OSError: no such card" in told
    with pytest.raises(UnknownGame, match="installed but left out: OSError"):
        shelf.open(HERE)


def test_the_doctor_finds_nothing_wrong_with_a_sound_one(own_site: Path, tmp_path: Path) -> None:
    """The control; its texts are read as written, since nobody compiled them."""
    said = [each.said for each in program(tmp_path) if ("game", Name(HERE)) in each.said.facts]
    assert [each.key for each in said] == ["doctor.game", "doctor.texts"]


def test_a_box_with_a_broken_game_starts_and_its_shelf_names_it(own_site: Path, tmp_path: Path) -> None:
    BROKEN["it ends the program"][0](own_site)
    with companion(Options(tmp_path, "actionworks", ("Ada", "Ben"), 0, True), tell=lambda _line: None) as running:
        for lang, told in (("en", "is left out"), ("fr", "est écarté")):
            asked = Request(f"http://127.0.0.1:{running.port}/shelf", headers={"Accept-Language": lang})
            with urlopen(asked) as answer:
                page = answer.read().decode()
            assert f"table-companion-high-card {told}" in page


def test_listing_does_not_import_ours(own_site: Path) -> None:
    probe = "import sys; from companion.library import shelf; print(*shelf.games()); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], cwd=own_site, capture_output=True, text=True, check=True)
    listed, loaded = done.stdout.splitlines()
    assert HERE in listed
    assert not [name for name in loaded.split() if name.startswith("companion.games.")]
