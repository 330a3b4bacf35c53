"""`companion run` from start to stop, as its own process."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from click import Command, Context, Option

from companion.app.cli.options import AskedWrongly, clock_given
from companion.app.cli.run import stop_asked
from companion.app.cli.seats import names_in
from companion.journal import JOURNAL, Journal
from companion.library import TurnClock
from tests.patience import PATIENCE

from .conftest import Companion

ROOT = Path(__file__).parent.parent.parent
Start = Callable[..., "Started"]


class Started:
    """A running companion and what it says."""

    def __init__(self, *words: str, env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.app.cli", "run", *words],
            cwd=ROOT,
            env={**os.environ, "PYTHONWARNINGS": "error", **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def until(self, pattern: str) -> re.Match[str]:
        """The first line from now on that matches this."""
        while line := self.line():
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"ended without {pattern!r}: {self.process.communicate(timeout=PATIENCE)}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> tuple[str, str, int]:
        """What it still says, and its exit code."""
        self.process.send_signal(how)
        said, errors = self.process.communicate(timeout=PATIENCE)
        return said, errors, self.process.returncode


@pytest.fixture
def start(data: Path) -> Iterator[Start]:
    started: list[Started] = []

    def begin(*words: str) -> Started:
        started.append(Started(*words, env={"COMPANION_DATA": str(data)}))
        return started[-1]

    yield begin
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


def get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return str(answer.read().decode())


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_says_that_it_is_pretend_serves_its_pages_and_stops(start: Start, data: Path, how: signal.Signals) -> None:
    started = start("--pretend", "--port", "0", "--seats", "Ada,Ben")
    assert started.line().startswith("PRETEND TABLE")
    assert "for Ada, Ben." in started.line()
    url = started.until(r"http://127\.0\.0\.1:\d+/pretend").group()
    started.until(r"^Phones .* (http://\S+)$")
    assert "Ada" in get(url)
    with ExitStack() as phones:
        for screen in ("pretend", *("watch", "join", "table") * 3):
            stream = urllib.request.urlopen(url.replace("/pretend", f"/stream?screen={screen}"), timeout=PATIENCE)
            phones.enter_context(closing(stream))
        said, errors, code = started.stop(how)
    with Journal.look(data / JOURNAL) as journal:
        [row] = journal.games()
    assert said == f"The game is saved at #{row.seq}.\n"
    assert (errors, code) == ("", 0)


@pytest.mark.slow
def test_an_unfinished_game_goes_on_and_new_begins_another(start: Start) -> None:
    first = start("--pretend", "--port", "0", "--game", "actionworks")
    table = first.until(r"A new game of actionworks, (\w+),").group(1)
    first.until("Phones")
    kept = re.search(r"#\d+", first.stop()[0])
    assert kept
    again = start("--pretend", "--port", "0")
    assert again.until(r"Going on with actionworks, game (\w+), at (#\d+)").groups() == (table, kept.group())
    again.until("Phones")
    again.stop()
    other = start("--pretend", "--port", "0", "--new")
    other.until(r"A new game of us-patent, (\w+),")
    other.until("Phones")
    other.stop()


@pytest.mark.slow
def test_a_newcomer_is_told_that_the_practice_is_not_kept(start: Start, data: Path) -> None:
    started = start("--pretend", "--port", "0")
    started.until("A first minute of us-patent for practice, which is not kept")
    started.until("Phones")
    said, errors, code = started.stop()
    assert (errors, code) == ("", 0)
    assert "kept at #" not in said
    with Journal.look(data / JOURNAL) as journal:
        assert not journal.games()


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_sentence_and_no_traceback(start: Start) -> None:
    with closing(socket.create_server(("0.0.0.0", 0))) as taken:
        started = start("--pretend", "--port", str(taken.getsockname()[1]))
        _, errors = started.process.communicate(timeout=PATIENCE)
    assert started.process.returncode == 1
    assert errors.startswith("Error: the dashboard cannot listen on")
    assert "--port" in errors
    assert errors.count("\n") == 1


@pytest.mark.slow
def test_two_companions_do_not_share_a_journal(start: Start) -> None:
    playing = start("--pretend", "--port", "0")
    playing.until("Phones")
    second = start("--pretend", "--port", "0")
    _, errors = second.process.communicate(timeout=PATIENCE)
    assert second.process.returncode == 1
    assert "another program has this journal open" in errors
    assert "Traceback" not in errors


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--seats", "Ada"), "us-patent is for 3 to 8 seats, not 1; give that many names with --seats"),
        (("--seats", "Ada,Ben,Ada"), "is used twice"),
        (("--game", "actionwork"), "did you mean 'actionworks'?"),
        (("--port", "99999"), "99999"),
    ],
)
def test_what_is_asked_for_wrongly_ends_with_code_2(start: Start, words: tuple[str, ...], says: str) -> None:
    started = start("--pretend", *words)
    _, errors = started.process.communicate(timeout=PATIENCE)
    assert started.process.returncode == 2
    assert says in errors
    assert "Traceback" not in errors


def test_a_stop_that_was_asked_for_before_anyone_waits_is_not_missed() -> None:
    usual = signal.getsignal(signal.SIGTERM)
    with stop_asked() as wait:
        signal.raise_signal(signal.SIGTERM)
        wait()
    assert signal.getsignal(signal.SIGTERM) is usual


def test_a_folder_that_cannot_be_made_is_one_sentence(start: Start, data: Path) -> None:
    (data / "letter").write_text("Dear Ada")
    started = start("--pretend", "--data", str(data / "letter" / "below"))
    _, errors = started.process.communicate(timeout=PATIENCE)
    assert started.process.returncode == 1
    assert "cannot be created (Not a directory). Choose another with --data" in errors


def test_names_are_cleaned_as_those_of_phones() -> None:
    assert names_in(" Ada , B\u202een\x07,Chloe\u0301") == ("Ada", "Ben", "Chloé")
    assert names_in("x" * 24 + ",y") == ("x" * 24, "y")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("Ada,,Ben", "Seat 2"),
        ("", "Seat 1"),
        ("Ada,\u202e", "Seat 2"),
        ("Ada,ada", "twice"),
        ("x" * 25, "longer than 24"),
    ],
)
def test_names_that_cannot_be_used_are_refused(given: str, says: str) -> None:
    with pytest.raises(AskedWrongly, match=says):
        names_in(given)


@pytest.mark.parametrize(
    ("given", "wanted"), [("off", TurnClock()), ("soft", TurnClock("soft", 90)), ("strict:60", TurnClock("strict", 60))]
)
def test_a_turn_clock_is_asked_for_by_name(given: str, wanted: TurnClock) -> None:
    assert clock_given(Context(Command("run")), Option(["--clock"]), given) == wanted


@pytest.mark.parametrize("given", ["hard", "soft:3", "soft:soon", "soft:99999", ":60"])
def test_a_clock_that_is_none_is_named_with_its_cure(companion: Companion, given: str) -> None:
    told = companion("run", "--clock", given, "--port", "0", "--pretend")
    assert told.exit_code == 2
    assert "such as strict:60" in told.stderr
