"""Scripts, demos and simulations from the command line."""

from __future__ import annotations

import threading
from pathlib import Path
from urllib.request import urlopen

import pytest
from PIL import Image

from companion.app.cli.demo import pressed
from companion.app.demo import Demo
from companion.app.main import Options
from companion.app.main import companion as running_companion
from companion.app.playback import FASTEST, Playback
from companion.app.sim import Order, Played, play, summary
from companion.core import BotChose, SetupError, TurnPage, say
from companion.journal import JOURNAL, Journal
from companion.library import shelf
from companion.table import Playing
from tests.patience import PATIENCE

from .conftest import Companion, Evening

SCRIPT = """\
game actionworks
seats Ada, Ben
chance scripted
table does name-first Ada
draw demand-make, demand-take, make-2a, take-2a, make-1a, take-1a, make-3a, borrow-3a
tap borrow-3a
expect oled refused A6
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "evening.txt"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def test_a_script_that_goes_as_it_says_ends_well(companion: Companion, script: Path) -> None:
    told = companion("script", script, "--count")
    assert told.exit_code == 0
    assert "1 expectations, as expected" in told.stdout
    assert "1 inputs, 0 of them for chance; 0 acts in 0 turns" in told.stdout


def test_a_script_that_differs_says_where_and_ends_with_one(companion: Companion, script: Path) -> None:
    script.write_text(SCRIPT.replace("A6", "A5"), encoding="utf-8")
    told = companion("script", script, "--wire")
    assert told.exit_code == 1
    assert f"{script}:7: expect oled refused A5\n    found: refused A6" in told.stdout
    assert "1 line differs." in told.stderr


def test_a_script_with_a_mistake_is_not_played(companion: Companion, script: Path) -> None:
    script.write_text(SCRIPT + "prss ok\n", encoding="utf-8")
    told = companion("script", script)
    assert told.exit_code == 1
    assert f"{script}:8: no kind of line 'prss'; did you mean 'press'?" in told.stderr


def test_the_display_is_saved_after_each_line_in_the_language_asked_for(
    companion: Companion, script: Path, tmp_path: Path
) -> None:
    assert companion("script", script, "--save-oled", tmp_path / "en").exit_code == 0
    assert companion("script", script, "--save-oled", tmp_path / "fr", "--lang", "fr").exit_code == 0
    english, french = (Image.open(tmp_path / lang / "evening-0006.png") for lang in ("en", "fr"))
    assert english.size == (128, 64)
    assert english.tobytes() != french.tobytes()


def test_a_game_is_saved_as_a_script_that_can_be_played(companion: Companion, evening: Evening, tmp_path: Path) -> None:
    table, file = evening(acts=40), tmp_path / "saved.txt"
    told = companion("games", "save-script", table, file)
    assert told.exit_code == 0
    assert "keep it from the players" in told.stdout
    assert companion("script", file).exit_code == 0
    again = companion("games", "save-script", table, file)
    assert again.exit_code == 1
    assert "already exists" in again.stderr
    assert companion("games", "save-script", table, file, "--force").exit_code == 0


def test_a_game_that_is_not_there_cannot_be_saved(companion: Companion, evening: Evening, tmp_path: Path) -> None:
    evening(acts=1)
    told = companion("games", "save-script", "nope", tmp_path / "saved.txt")
    assert told.exit_code == 1
    assert "There is no game 'nope'" in told.stderr


def test_a_simulation_prints_a_table(companion: Companion) -> None:
    told = companion("sim", "actionworks", "--games", "2", "--seats", "2", "--processes", "1")
    assert told.exit_code == 0
    assert told.stdout.splitlines()[0] == "actionworks, 2 seats, sensible bots, 2 games from seed 1"
    assert "over: 2" in told.stdout
    assert "refused: nothing" in told.stdout
    assert "totals" in told.stdout


@pytest.mark.parametrize("game", shelf.games())
def test_any_game_can_be_simulated(game: str) -> None:
    """The report has numbers for each seat or for the whole table."""
    seats = shelf.open(game).seats[0]
    played = play(Order(game, seats, "sensible", 1))
    lines = list(summary(Order(game, seats, "sensible", 1), [played]))
    assert f"over: {int(played.is_over)} " in lines[1]
    for key, values in played.numbers:
        called = key.removeprefix("series.")
        assert any(called in line.split() or line.startswith(f"{called}: ") for line in lines), (key, values)


def test_a_simulation_for_too_many_is_refused(companion: Companion) -> None:
    told = companion("sim", "actionworks", "--seats", "9")
    assert told.exit_code == 2
    assert "2 to 6 seats, not 9" in told.stderr
    assert "did you mean 'actionworks'?" in companion("sim", "actionwork").stderr


def test_the_same_seed_is_the_same_game_in_one_process_or_two(companion: Companion) -> None:
    order = Order("actionworks", 2, "sensible", 7)
    assert play(order) == play(order)
    words = ("sim", "actionworks", "--games", "3", "--seats", "2", "--seed", "7", "--processes")
    assert companion(*words, "1").stdout == companion(*words, "2").stdout


def test_random_bots_are_given_up_after_a_while_and_a_refusal_would_be_counted() -> None:
    order = Order("actionworks", 2, "random", 1, most=50)
    given_up = play(order)
    assert (given_up.is_over, given_up.acts, given_up.refused) == (False, 50, ())
    refused = Played(False, 3, 1, (), (), ("A6",))
    over = Played(True, 3, 1, (), (("series.totals", (3, 4)),))
    assert list(summary(order, [refused, over]))[-1] == "refused: A6 1"


def test_a_demo_plays_by_itself_with_taps_and_phones(tmp_path: Path) -> None:
    options = Options(tmp_path, "actionworks", ("Ada", "Ben"), 0, pretend=True, new=True)
    with running_companion(options, lambda line: None) as running:
        assert running.pretend is not None
        playback = Playback(0.0)
        running.table.subscribe(lambda now: playback.end() if now.seq >= 60 else None)
        last = Demo(running, running.pretend, playback).play()
        causes = {type(entry.cause).__name__ for entry in last.history}
    assert last.seq >= 60
    assert {"Asked", "Pressed"} <= causes


def test_the_demo_command_ends_with_the_result(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[float] = []

    def plays(demo: Demo) -> object:
        played.append(demo._playback.now().pace)
        return demo._table.snapshot

    monkeypatch.setattr(Demo, "play", plays)
    told = companion("demo", "actionworks", "--pace", "0.5", "--port", "0", "--seats", "Ada,Ben")
    assert told.exit_code == 0
    assert played == [0.5]
    assert "/pretend to watch" in told.stdout
    assert "It ended at #" in told.stdout
    assert companion("demo", "actionworks", "--port", "0", "--seats", "Ada").exit_code == 2


def test_a_demo_says_so_everywhere_and_is_led(tmp_path: Path) -> None:
    """Paused, it does nothing; a step is one act; every page has the strip, and the display says so."""
    playback = Playback(0.0, paused=True)
    options = Options(tmp_path, "actionworks", ("Ada", "Ben"), 0, pretend=True, new=True, playback=playback)
    with running_companion(options, lambda line: None) as running:
        assert running.pretend is not None
        begun = running.table.snapshot
        assert begun.banner == say("demo.banner")
        assert isinstance(begun.page, TurnPage)
        assert begun.page.corner == say("demo.banner")
        for path in ("/", "/watch", "/tv", "/pretend", "/more"):
            with urlopen(f"http://127.0.0.1:{running.port}{path}") as page:
                html = page.read().decode()
            assert 'class="demo"' in html, path
            assert ">Go on<" in html, path
        playing = threading.Thread(target=Demo(running, running.pretend, playback).play)
        playing.start()
        latest = running.table.latest()
        playback.do("step")
        while (now := latest.wait(PATIENCE)) is not None and len(now.at.line) == len(begun.at.line):
            pass
        latest.close()
        playback.end()
        playing.join(PATIENCE)
        assert not playing.is_alive()


def test_keys_lead_a_demo() -> None:
    playback = Playback(2.0)
    for key in (" ", "+", "x", "."):
        pressed(playback, key)
    assert playback.now() == Playing(paused=True, pace=1.0)
    assert playback.wait(), "the step that was asked for"
    for key in (" ", "-", "-"):
        pressed(playback, key)
    assert playback.now() == Playing(paused=False, pace=4.0)
    for _ in range(9):
        playback.do("faster")
    assert playback.now().pace == FASTEST
    playback.end()
    assert not playback.wait()
    assert not playback.breathe()


def test_bots_play_for_the_seats_that_were_given_to_them(data: Path) -> None:
    options = Options(data, "actionworks", ("Ada", "Ben"), 0, True, True, bots=("ben", "Ada"), thinking=0.0)
    with running_companion(options, lambda line: None) as running:
        latest = running.table.latest()
        while (now := latest.wait(PATIENCE)) is not None and now.seq < 60:
            pass
        latest.close()
    with Journal.look(data / JOURNAL) as journal:
        (row,) = journal.games()
        causes = [entry.cause for entry in journal.entries(row.table)]
    assert sum(isinstance(cause, BotChose) for cause in causes) > 20


def test_a_bot_for_nobody_is_refused_before_anything_starts(companion: Companion, data: Path) -> None:
    told = companion("run", "--seats", "Ada,Ben", "--bots", "Cleo", "--port", "0", "--pretend")
    assert told.exit_code == 2
    assert "nobody called 'Cleo' sits here" in told.stderr
    with pytest.raises(SetupError), running_companion(Options(data, bots=("Dan",)), lambda line: None):
        pass
