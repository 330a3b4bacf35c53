"""The record on the command line: listed, put away, replayed, carried to another box."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core import Game, Result, say
from companion.journal import JOURNAL, Did, Journal
from companion.library import shelf
from companion.table import Referee
from tests import pick

from .conftest import Companion, Evening


def test_a_folder_without_games_says_how_to_begin(companion: Companion, data: Path) -> None:
    told = companion("games")
    assert told.exit_code == 0
    assert f"There are no games in {data} yet. Begin one with: companion run" in told.stdout
    assert "On the shelf: actionworks" in told.stdout
    assert list(data.iterdir()) == [], "looking makes nothing"


def test_games_are_listed_with_how_they_stand(companion: Companion, evening: Evening) -> None:
    first, second = evening(20), evening(5, ("Dora", "Emil"))
    told = companion("games").stdout.splitlines()
    assert told[1].split() == [first, "actionworks", "Ada,", "Ben,", "Chloé", *told[1].split()[5:7], "21", "unfinished"]
    assert told[2].startswith(f"{second}  actionworks  Dora, Emil ")


def test_a_game_that_ended_is_over(companion: Companion, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    over = msgspec.structs.replace(pick.GAME, result=lambda state: Result((), say("over")))
    with Journal.open(data / JOURNAL) as journal:
        table = Referee.begin(over, pick.setup_for(2), ("Ada", "Ben"), "strict", journal, lambda: 1.0).table
    opened: dict[str, Game[Any, Any]] = {"pick": over}
    monkeypatch.setattr(shelf, "open", opened.__getitem__)
    [line] = [line for line in companion("games").stdout.splitlines() if line.startswith(table)]
    assert line.endswith("over")


def test_a_game_that_is_put_away_is_listed_only_when_asked_for(companion: Companion, evening: Evening) -> None:
    kept, away = evening(3), evening(4)
    assert companion("games", "archive", away).exit_code == 0
    listed = companion("games").stdout
    assert kept in listed
    assert away not in listed
    assert "Archived: 1" in listed
    assert f"{away}  actionworks" in companion("games", "--archived").stdout
    assert companion("games", "unarchive", away).exit_code == 0
    assert away in companion("games").stdout


def test_the_folder_may_be_named_before_or_after_the_word(companion: Companion, evening: Evening, data: Path) -> None:
    table = evening(1)
    companion_elsewhere = data.parent / "elsewhere"
    assert companion("games", "--data", companion_elsewhere, "archive", table).exit_code == 1
    assert companion("games", "archive", table, "--data", companion_elsewhere).exit_code == 1
    assert companion("games", "--data", data, "archive", table).exit_code == 0


def test_while_a_game_is_played_one_may_look_but_not_put_away(
    companion: Companion, evening: Evening, data: Path
) -> None:
    table = evening(3)
    with Journal.open(data / JOURNAL):
        assert table in companion("games").stdout
        assert companion("replay", table).exit_code == 0
        refused = companion("games", "archive", table)
    assert refused.exit_code == 1
    assert "another program has this journal open" in refused.stderr
    assert "Stop that program, then try again." in refused.stderr


def test_a_game_that_this_shelf_lacks_is_listed_and_not_called_damaged(companion: Companion, data: Path) -> None:
    with Journal.open(data / JOURNAL) as journal:
        table = Referee.begin(pick.GAME, pick.setup_for(2), ("Ada", "Ben"), "strict", journal, lambda: 1.0).table
    assert "not on this shelf" in companion("games").stdout
    told = companion("replay", table)
    assert told.exit_code == 1
    assert "no game 'pick' on the shelf" in told.stderr
    assert "differs" not in told.stderr


def test_an_unknown_game_names_the_list(companion: Companion, evening: Evening) -> None:
    evening(1)
    for words in (("replay", "zzzz"), ("export", "zzzz", "file"), ("games", "archive", "zzzz")):
        told = companion(*words)
        assert told.exit_code == 1
        assert "zzzz" in told.stderr
        assert "list" in told.stderr


def test_a_replay_tells_the_game_in_either_language(companion: Companion, evening: Evening) -> None:
    table = evening(12)
    english, french = companion("replay", table), companion("replay", table, "--lang", "fr")
    assert (english.exit_code, french.exit_code) == (0, 0)
    assert english.stdout.endswith("13 entries, state as recorded.\n")
    assert len(english.stdout.splitlines()) == len(french.stdout.splitlines()) == 14
    assert "A game for 3 players begins." in english.stdout
    assert "Une partie à 3 joueurs commence." in french.stdout
    assert "event." not in english.stdout + french.stdout, "every entry has a text"


def test_a_replay_tells_only_what_everybody_may_know(companion: Companion, evening: Evening) -> None:
    told = companion("replay", evening(14)).stdout
    assert "drew a card" in told


def test_a_replay_may_end_early(companion: Companion, evening: Evening) -> None:
    table = evening(12)
    told = companion("replay", table, "--to", 4)
    assert told.stdout.splitlines()[-1] == "4 entries, state as recorded."
    assert len(told.stdout.splitlines()) == 5
    too_far = companion("replay", table, "--to", 99)
    assert too_far.exit_code == 2
    assert "has 13 entries, not 99" in too_far.stderr


def test_an_entry_that_someone_changed_is_named(companion: Companion, evening: Evening, data: Path) -> None:
    table = evening(12)
    assert companion("replay", table).exit_code == 0, "the control"
    with sqlite3.connect(data / JOURNAL) as db:
        db.execute("UPDATE entries SET at = at + 1 WHERE seq = 7")
    db.close()
    told = companion("replay", table)
    assert told.exit_code == 1
    assert "Entry 7 of 13 is the first that differs." in told.stderr
    assert told.stdout.splitlines()[-1].startswith("#6 ")
    assert "state as recorded" not in told.stdout
    assert companion("replay", table, "--to", 6).exit_code == 0
    [line] = [line for line in companion("games").stdout.splitlines() if line.startswith(table)]
    assert line.endswith(f"damaged; see: companion replay {table}")


def test_an_entry_that_leads_elsewhere_is_named(companion: Companion, evening: Evening, data: Path) -> None:
    """As if the rules had changed since: the chain is intact, the state is different."""
    table = evening(12)
    with Journal.open(data / JOURNAL) as journal:
        last = [entry for entry in journal.entries(table) if isinstance(entry.body, Did)][-1]
        wrong = Did(last.body.intent, (), (), True) if isinstance(last.body, Did) else last.body
        journal.append(table, wrong, None, last.at, "0" * 32)
    told = companion("replay", table)
    assert told.exit_code == 1
    assert "Entry 14 of 14 is the first that differs." in told.stderr
    assert "leads to another state than it did when it was played" in told.stderr


def test_a_game_travels_to_another_box(companion: Companion, evening: Evening, tmp_path: Path) -> None:
    table, file, there = evening(12), tmp_path / "game.jsonl", tmp_path / "there"
    refused = companion("export", table, file)
    assert refused.exit_code == 1
    assert "its file would reveal every hand" in refused.stderr
    assert not file.exists()
    written = companion("export", table, file, "--with-secrets")
    assert written.exit_code == 0
    assert f"Wrote game {table} (actionworks, Ada, Ben, Chloé) with 13 entries to {file}." in written.stdout
    assert "secrets are in the file" in written.stdout
    assert f"Imported game {table} (actionworks, Ada, Ben, Chloé)" in companion("import", file, "--data", there).stdout
    assert "is already here" in companion("import", file, "--data", there).stdout
    assert companion("replay", table, "--data", there).stdout == companion("replay", table).stdout


def test_a_file_is_written_over_only_when_asked(companion: Companion, evening: Evening, tmp_path: Path) -> None:
    table, file = evening(2), tmp_path / "letter.txt"
    file.write_text("Dear Ada")
    refused = companion("export", table, file)
    assert refused.exit_code == 1
    assert "--force" in refused.stderr
    assert file.read_text() == "Dear Ada"
    assert companion("export", table, tmp_path).exit_code == 1
    assert companion("export", table, file, "--force", "--with-secrets").exit_code == 0
    assert "Dear Ada" not in file.read_text()


def test_a_file_that_is_no_export_is_refused_whole(companion: Companion, data: Path, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada")
    told = companion("import", file)
    assert told.exit_code == 1
    assert "Nothing was imported" in told.stderr
    assert companion("import", tmp_path / "nothing").exit_code == 2
    with Journal.look(data / JOURNAL) as journal:
        assert journal.games() == ()
