"""Files that nobody would write: their faults are named, and nothing waits, fails or is changed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from companion.app import hotspot
from companion.core import ReaderId
from companion.library import Settings, Tagbook, settings
from companion.library.settings import MOST_READERS, SettingsError, Wand
from companion.library.tagbook import TagbookDamaged
from companion.library.toml_forms import MOST, parse_toml
from firmware_bridge import greeting, wire


def refused(data: Path, text: str | bytes) -> list[str]:
    path = data / settings.SETTINGS
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = path.read_bytes()
    with pytest.raises(SettingsError) as caught:
        settings.load_settings(data)
    assert path.read_bytes() == before
    return [problem.line() for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("port = " + "9" * 5000, "settings.toml: Exceeds the limit"),
        ("port = 0x" + "F" * 5000, "settings.toml: port = 0xfff"),
        ("port = " + "[" * 5000, "settings.toml: maximum recursion depth"),
        ("port" + ".a" * 40 + " = 1", 'settings.toml: port = {"a": {"a":'),
        ("port" + ".a" * 5000 + " = 1", "settings.toml: an endless dotted name"),
        ("x" * 5000 + " = 1", "settings.toml: xxxx"),
        ('language = "\\u202e\\u009b"', 'settings.toml: language = "\\u202e\\u009b": expected one of'),
        ('language = "en"\nlanguage = "fr"', "settings.toml: Cannot overwrite a value (at"),
        ("port = 80".encode("utf-16"), "settings.toml: byte 0: expected UTF-8"),
        (b"port = 80\n\0", "settings.toml: Invalid statement (at line 2"),
        ("readers = {}", "settings.toml: readers = 0 of them: expected 1 to 48 readers"),
        ('[readers."Left !"]\nkind = "wand"', 'settings.toml: readers = "Left !": expected a name of 1 to 16'),
        ('[readers."-"]\nkind = "wand"', 'settings.toml: readers = "-": expected a name'),
        ('[readers."left\\n"]\nkind = "wand"', "settings.toml: readers = "),
        ('hosts = ["table.local\\n"]', "settings.toml: hosts[0] = "),
        ("#" * (MOST + 1), "settings.toml: is too long: expected at most 4 MB"),
    ],
)
def test_the_key_and_the_value_are_named(tmp_path: Path, text: str | bytes, told: str) -> None:
    lines = refused(tmp_path, text)
    assert lines[0].startswith(told), lines
    assert all(line.isprintable() and len(line) < 1000 for line in lines)


def test_a_mark_that_some_editors_put_first_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / settings.SETTINGS).write_bytes("port = 80".encode("utf-8-sig"))
    assert settings.load_settings(tmp_path).port == 80


def test_what_is_no_file_is_named_and_nobody_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / settings.SETTINGS
    for make, told in (
        (path.mkdir, "is not a file"),
        (lambda: os.mkfifo(path), "is not a file"),
        (lambda: path.symlink_to("/dev/zero"), "is not a file"),
        (lambda: path.symlink_to("nowhere"), "No such file"),
        (lambda: path.symlink_to(path), "symbolic links"),
    ):
        make()
        with pytest.raises(SettingsError, match=told):
            settings.load_settings(tmp_path)
        path.rmdir() if path.is_dir() else path.unlink()


def test_a_tagbook_that_is_no_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "tags.toml").mkdir()
    with pytest.raises(TagbookDamaged) as caught:
        Tagbook.load(tmp_path / "tags.toml")
    assert caught.value.aside is None


def test_every_reader_that_settings_may_name_is_told_over_the_wire() -> None:
    """The longest names, as many as there may be."""
    readers = {ReaderId(f"{'r' * 14}{n:02}"): Wand() for n in range(MOST_READERS)}
    assert not list(settings._readers_wrong(readers))
    sender = wire.Sender("pretend", "pretend", "0001", list(readers))
    (words,) = wire.Decoder().feed(sender.due(0))
    assert isinstance(greeting.believed(words), greeting.Up)
    assert MOST_READERS == greeting.MOST_READERS


def test_a_wifi_with_quotes_in_its_name_is_kept_as_it_is(tmp_path: Path) -> None:
    wifi = hotspot.Hotspot('the "blue" \\ table', "ABCDEFGH23")
    hotspot.save(tmp_path, wifi)
    assert hotspot.load(tmp_path) == wifi


def test_a_key_of_a_hundred_thousand_names_takes_no_time() -> None:
    """A phone may send a pack this long."""
    begun = time.thread_time()
    for name in ("a", '"a"', "'a'"):
        _, problems = parse_toml(".".join([name] * 60_000) + " = 1", "pack.toml")
        assert len(problems) == 1
    assert time.thread_time() - begun < 5


def test_the_defaults_are_not_hostile(tmp_path: Path) -> None:
    (tmp_path / settings.SETTINGS).write_text(settings.described_settings(), encoding="utf-8")
    assert settings.load_settings(tmp_path) == Settings()
