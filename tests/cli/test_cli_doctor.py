"""The doctor names each fault with its cure; each is planted here, with the healthy box as the control."""

from __future__ import annotations

import ast
import os
import re
import socket
import sqlite3
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.app.cli import bundle, device_checks, program_checks, reader_checks
from companion.app.cli.doctor import LOCALE, chosen_in
from companion.app.opening import make_setup
from companion.core import CheckPage, Name, ReaderId, Said, say
from companion.journal import JOURNAL, Journal
from companion.library import (
    LANGS,
    TAGS,
    ButtonPins,
    Lamps,
    Lang,
    OwnReader,
    Settings,
    Speaker,
    Texts,
    VoiceSettings,
    shelf,
)
from companion.library.settings import Wand
from companion.table import Checkup, Doctor, Found, Referee, checkup, in_its_own_process
from firmware_bridge import link, pcsc, roll_call
from firmware_bridge.pretend import PretendPico
from firmware_bridge.solo import NoPcscd, NoReader, NotInstalled
from hw.display.faces import faces
from hw.display.sheet import FOOT, WIDTH, Box, fit
from tests.patience import PATIENCE

from .conftest import Companion, Evening

HOW = ("fine", "wrong", "ailing", "absent")


@pytest.fixture(autouse=True)
def free_port(data: Path) -> int:
    """A port that nobody else on this machine has, in the settings."""
    with closing(socket.create_server(("0.0.0.0", 0))) as server:
        port: int = server.getsockname()[1]
    (data / "settings.toml").write_text(f"port = {port}\n")
    return port


def in_english(found: Found) -> str:
    return Speaker(Texts.load(LOCALE), "en").say(found.said)


def has_cure(found: Found) -> bool:
    return Speaker(Texts.load(LOCALE), "en").say(found.said, "hands") != in_english(found)


def lines_of(told: str, state: str) -> list[str]:
    return [line[10:] for line in told.splitlines() if line.startswith(state)]


def test_a_healthy_box_can_play(companion: Companion, evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "find_pico", lambda: None)
    table = evening(12)
    told = companion("doctor")
    assert lines_of(told.stdout, "wrong") == []
    assert told.stdout.endswith("You can play.\n")
    assert told.exit_code == 0
    assert f"Game {table}, actionworks, 13 entries, state as recorded" in lines_of(told.stdout, "ok")
    assert "Reader box" in lines_of(told.stdout, "not here")


def test_every_wrong_setting_is_told(companion: Companion, data: Path) -> None:
    (data / "settings.toml").write_text('prot = 1\nlanguage = "de"\n')
    told = companion("doctor")
    assert told.exit_code == 1
    assert "prot" in told.stdout
    assert "language" in told.stdout
    assert "needs fixing before you can play" in told.stdout


def test_a_damaged_tagbook_stops_playing(companion: Companion, data: Path) -> None:
    (data / TAGS).write_text('[tags]\n"coil" = { seat = 0 }\n')
    told = companion("doctor")
    assert told.exit_code == 1
    assert "'coil' is not a tag number" in told.stdout


def test_a_changed_entry_is_named_with_its_game(companion: Companion, evening: Evening, data: Path) -> None:
    table = evening(12)
    with sqlite3.connect(data / JOURNAL) as db:
        db.execute("UPDATE entries SET at = at + 1 WHERE seq = 7")
    db.close()
    told = companion("doctor")
    assert told.exit_code == 1
    assert f"Game {table} is not as it was written" in told.stdout
    assert "from entry 7 on" in told.stdout


def test_a_file_that_is_no_journal_is_named(companion: Companion, data: Path) -> None:
    (data / JOURNAL).write_text("Dear Ada" * 200)
    told = companion("doctor")
    assert told.exit_code == 1
    assert "not a journal of the companion" in told.stdout


def test_a_port_that_another_program_has_stops_playing(companion: Companion, free_port: int) -> None:
    with closing(socket.create_server(("0.0.0.0", free_port))):
        told = companion("doctor")
    assert told.exit_code == 1
    assert f"The dashboard cannot have port {free_port}" in told.stdout


def test_a_port_that_we_have_ourselves_is_fine(companion: Companion, free_port: int, data: Path) -> None:
    with Journal.open(data / JOURNAL), closing(socket.create_server(("0.0.0.0", free_port))):
        told = companion("doctor")
    assert told.exit_code == 0
    assert "a companion is playing there now" in told.stdout


def test_old_python_is_wrong() -> None:
    assert program_checks.python((3, 11, 0)).state == "fine"
    assert program_checks.python((3, 9, 2)).stops


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_wrong(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert program_checks.folder(tmp_path).stops


def test_a_folder_that_is_a_file_or_full_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert program_checks.folder(tmp_path / "new" / "er").state == "fine"
    (tmp_path / "file").touch()
    assert program_checks.folder(tmp_path / "file").stops
    monkeypatch.setattr(program_checks, "ROOM", 1 << 80)
    assert program_checks.folder(tmp_path).stops


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert program_checks.packages().state == "fine"
    monkeypatch.setattr(program_checks, "PACKAGES", ("click", "no-such-package"))
    assert program_checks.packages() == checkup.wrong("packages-missing", names=Name("no-such-package"))


def test_texts_that_one_language_lacks_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = shelf.open("actionworks")
    assert program_checks.texts(game).state == "fine"
    english = (Path(shelf.__file__).parents[1] / "locale" / "en.mo").read_bytes()
    (tmp_path / "en.mo").write_bytes(english)
    monkeypatch.setattr(program_checks, "texts_folders", lambda _: (tmp_path,))
    missing = program_checks.texts(game)
    assert missing.stops
    assert str(tmp_path / "fr.mo") in in_english(missing)
    (tmp_path / "fr.mo").write_bytes(english)
    assert program_checks.texts(game).state == "fine"
    other = (Path(shelf.__file__).parents[2] / "hw" / "texts" / "en.mo").read_bytes()
    (tmp_path / "en.mo").write_bytes(other)
    assert f"{tmp_path / 'en.mo'}: " in in_english(program_checks.texts(game))


@pytest.mark.parametrize("is_real", [True, False])
def test_missing_hardware_is_wrong_only_on_a_real_table(
    tmp_path: Path, is_real: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "find_pico", lambda: None)
    nowhere = tmp_path / "nowhere"
    lines = (
        reader_checks.reader_box(is_real),
        device_checks.display(nowhere, is_real),
        device_checks.pins(nowhere, is_real),
    )
    assert {line.state for line in lines} == {"wrong" if is_real else "absent"}
    assert [line.stops for line in lines] == [False, False, is_real], "phones can play without readers and display"
    assert all(has_cure(line) for line in lines) == is_real


def test_hardware_that_is_there_is_fine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = tmp_path / "device"
    device.touch()
    monkeypatch.setattr(link, "find_pico", lambda: str(device))
    monkeypatch.setattr(device_checks, "find_spec", lambda _: object())
    lines: Checkup = (
        reader_checks.reader_box(True), device_checks.display(device, True), device_checks.pins(device, True),
    )  # fmt: skip
    assert {line.state for line in lines} == {"fine"}


def test_the_bundle_tells_what_a_helper_needs_and_no_name(
    companion: Companion, evening: Evening, data: Path, tmp_path: Path
) -> None:
    evening(12)
    (data / "settings.toml").write_text('hosts = ["the-browns.local"]\n')
    path = tmp_path / "help.zip"
    told = companion("doctor", "--bundle", path)
    assert f"Wrote {path}" in told.stdout
    with zipfile.ZipFile(path) as bundle:
        parts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert set(parts) == {"report.txt", "settings.toml", "versions.txt", "games.txt"}
    whole = "\n".join(parts.values())
    for secret in ("Ada", "Ben", "Chloé", "the-browns", socket.gethostname(), str(data)):
        assert secret not in whole
    assert "actionworks, 3 seats, 13 entries" in parts["games.txt"]
    assert "Python" in parts["versions.txt"]
    assert "[buttons]" in parts["settings.toml"]


def test_names_addresses_and_tags_are_taken_out_of_any_text() -> None:
    scrub = bundle.Scrubber(["Ada", "Bo"])
    text = scrub("Ada's tag 04A2B3C4D5E6F7 at 10.42.0.1 by dc:a6:32:01:02:03; Adam boils")
    assert text == "(removed)'s tag (removed) at (removed) by (removed); Adam boils"


def test_a_bundle_that_cannot_be_written_says_so(companion: Companion, tmp_path: Path) -> None:
    told = companion("doctor", "--bundle", tmp_path / "nowhere" / "help.zip")
    assert told.exit_code == 1
    assert "cannot be written" in told.output


def test_the_doctor_counts_the_lamps_at_the_seats() -> None:
    none, some = (device_checks.seat_lamps(Settings(lamps=Lamps(pins))) for pins in ((), (12, 16, 20)))
    assert (none.state, none.said.key) == ("absent", "doctor.seat-lamps-absent")
    assert (some.state, some.said) == ("fine", say("doctor.seat-lamps", n=3))


def test_the_doctor_says_what_the_voice_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = Settings(voice=VoiceSettings(on=True))
    assert device_checks.voice(Settings()).said.key == "doctor.voice-off"
    for program in ("espeak-ng", "aplay"):
        monkeypatch.setenv("PATH", str(tmp_path))
        lacking = device_checks.voice(wanted, tmp_path)
        assert (lacking.state, lacking.said) == ("wrong", say("doctor.voice-program", program=Name(program)))
        (tmp_path / program).write_text("#!/bin/sh\n")
        (tmp_path / program).chmod(0o755)
    assert device_checks.voice(wanted, tmp_path).said.key == "doctor.voice-speaker"
    (tmp_path / "card0").mkdir()
    assert device_checks.voice(wanted, tmp_path).state == "fine"


def test_the_jobs_of_missing_buttons_are_told() -> None:
    told = tuple(device_checks.buttons(Settings(buttons=ButtonPins(check=None))))
    assert [in_english(each) for each in told] == [
        "CHECK has no pin: hold BACK for two seconds instead, four seconds for its hold"
    ]
    lost = tuple(device_checks.buttons(Settings(buttons=ButtonPins(check=None, back=None, next=None))))
    assert [each.state for each in lost] == ["fine", "wrong", "wrong"]


def test_clock_and_network() -> None:
    assert device_checks.clock(0.0).state == "wrong"
    assert device_checks.clock(1_800_000_000.0).state == "fine"
    assert device_checks.network("127.0.0.1").state == "absent"
    assert device_checks.network("10.42.0.1").state == "fine"


def test_the_result_is_shown_on_the_display_where_nobody_plays(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[object, str]] = []
    monkeypatch.setattr("hw.starting.show_once", lambda _oled, page, lang: shown.append((page, lang)))
    healthy, ill = (checkup.fine("clock"),), (checkup.ailing("clock-wrong"), checkup.wrong("pins-lgpio"))
    device_checks.show(healthy, data)
    assert shown == [], "a pretend table has no display to show it on"
    (data / "settings.toml").write_text('hardware = "real"\nlanguage = "fr"\n')
    device_checks.show(healthy, data)
    device_checks.show(ill, data)
    assert shown == [
        (CheckPage(say("doctor.all-fine"), 1, 1, is_problem=False), "fr"),
        (CheckPage(say("doctor.pins-lgpio"), 1, 2, is_problem=True), "fr"),
    ], "what stops playing comes first"


def findings() -> Iterator[tuple[str, str]]:
    """Every finding that the checks can make: its kind, and its key."""
    for part in (checkup, program_checks, device_checks, reader_checks):
        for node in ast.walk(ast.parse(Path(str(part.__file__)).read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in HOW:
                for word in ast.walk(node.args[0]):
                    if isinstance(word, ast.Constant) and isinstance(word.value, str):
                        yield node.func.id, f"doctor.{word.value}"


@pytest.mark.parametrize("lang", LANGS)
def test_every_finding_has_words_and_everything_wrong_a_cure(lang: Lang) -> None:
    texts = Texts.load(LOCALE)
    found = set(findings())
    assert len(found) > 40
    for how, key in found:
        words, cure = texts.find(lang, key, "", 2), texts.find(lang, key, "hands", 2)
        assert words, key
        assert how not in ("wrong", "ailing") or cure != words, f"{key} has no cure"


@pytest.mark.parametrize("lang", LANGS)
def test_everything_wrong_can_be_read_on_the_display(lang: Lang) -> None:
    texts = Texts.load(LOCALE)
    for how, key in findings():
        gaps = re.findall(r"{(\w+)}", texts.find(lang, key, "", 2) or "")
        short = {"why": "line 12: prot", "what": "fr.mo", "names": "luma.oled", "path": "/dev/ttyACM0"}
        said = Said(key, tuple((gap, Name(short.get(gap, "1234"))) for gap in gaps))
        if how in ("wrong", "ailing"):
            words = Speaker(texts, lang).say(said, "oled")
            assert not fit(faces(), words, Box(0, 0, WIDTH - 25, FOOT), (24, 16, 12, 8)).cut, words


@pytest.mark.slow
def test_the_running_table_asks_for_the_same_in_another_process(data: Path, evening: Evening) -> None:
    evening(3)
    with Journal.open(data / JOURNAL):
        found = in_its_own_process(data)
    told = {each.said.key: each.state for each in found}
    assert told["doctor.record"] == "fine"
    assert told["doctor.port-other"] == "fine", "it knows that somebody plays"
    assert [each for each in found if each.stops] == []


def test_where_nobody_may_give_way_it_looks_all_the_same(
    companion: Companion, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unit of an installed box refuses it to every program in there."""

    def refused(_by: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    evening(3)
    monkeypatch.setattr(os, "nice", refused)
    assert "doctor.record" in companion("doctor", "--json").output


def test_an_examination_that_fails_is_itself_a_finding(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    assert in_its_own_process(data) == (checkup.ailing("itself"),)


def test_one_examination_at_a_time_and_the_last_is_kept() -> None:
    looking, go_on, looks = threading.Event(), threading.Event(), []

    def look() -> Checkup:
        looks.append(1)
        looking.set()
        assert go_on.wait(PATIENCE)
        return (Found("fine", say("doctor.clock")),)

    doctor = Doctor(look)
    first = threading.Thread(target=doctor.examine)
    first.start()
    assert looking.wait(PATIENCE)
    doctor.examine()
    assert (len(looks), doctor.last) == (1, None), "the second one did not wait, nor look"
    go_on.set()
    first.join(PATIENCE)
    assert doctor.last == (Found("fine", say("doctor.clock")),)
    doctor.examine()
    assert len(looks) == 2


@pytest.mark.parametrize(
    ("trouble", "key"),
    [
        (None, "own-reader"),
        (NotInstalled("no"), "own-wedge-library"),
        (NoPcscd("no"), "own-pcsc-service"),
        (PermissionError("no"), "own-reader-locked"),
        (NoReader("no"), "own-reader-missing"),
        (OSError("no"), "own-reader-missing"),
    ],
)
def test_a_reader_of_ones_own_is_named_with_what_is_wrong(
    trouble: OSError | None, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_there(_device: OwnReader) -> bool:
        if trouble is not None:
            raise trouble
        return True

    monkeypatch.setattr(reader_checks, "_is_there", is_there)
    found = reader_checks.own_reader(ReaderId("hand"), OwnReader("wedge", "RFID"))
    assert found.said.key == f"doctor.{key}"
    assert "hand" in in_english(found)
    assert "RFID" in in_english(found)
    assert not found.stops
    assert trouble is None or has_cure(found)


def test_what_is_not_plugged_in_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pcsc, "reader_names", lambda: ("ACS ACR122U PICC Interface 00 00",))
    here, gone = (reader_checks.own_reader(ReaderId("hand"), OwnReader("pcsc", name)) for name in ("acr122", "omnikey"))
    assert (here.state, gone.said.key) == ("fine", "doctor.own-reader-missing")


def test_a_table_with_readers_of_its_own_alone_misses_no_pico() -> None:
    own = Settings(readers={ReaderId("hand"): Wand(pcsc="ACR122U")})
    mixed = Settings(readers={**own.readers, ReaderId("left"): Wand()})
    assert reader_checks.own_devices(own) == [(ReaderId("hand"), OwnReader("pcsc", "ACR122U"))]
    assert len(reader_checks.own_devices(mixed)) < len(mixed.readers)


# The mat


SLOTS = tuple(ReaderId(f"r{n:02}") for n in range(1, 14))
"""Of U.S. Patent for three."""


@pytest.fixture
def wired_by(data: Path, free_port: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Two Picos on USB with the readers of the mat “slots” for three, except the last few; a game was played."""
    with ExitStack() as stack:

        def wire(missing: int) -> None:
            there = SLOTS[: len(SLOTS) - missing]
            picos = [PretendPico(there[:8]), PretendPico(there[8:])]
            for pico in picos:
                pico.start()
                stack.callback(pico.close)
            ports = {f"board {n}": str(pico.port) for n, pico in enumerate(picos)}
            monkeypatch.setattr(link, "find_picos", lambda: ports)
            (data / "settings.toml").write_text(f'port = {free_port}\nmat = "slots"\nhardware = "real"\n')
            game = shelf.open("us-patent")
            with Journal.open(data / JOURNAL) as journal:
                Referee.begin(game, make_setup(game, 3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)

        yield wire


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        (0, "Mat “slots” with all 13 readers"),
        (2, "Mat “slots”: no Pico has these readers: r12, r13."),
    ],
)
def test_the_readers_of_the_mat_are_called(
    data: Path, wired_by: Callable[[int], None], missing: int, told: str
) -> None:
    wired_by(missing)
    (found,) = reader_checks.mat_readers(chosen_in(data), data, is_real=True)
    assert in_english(found) == told
    assert found.state == ("wrong" if missing else "fine")
    assert has_cure(found) == bool(missing)
    assert not found.stops


def test_a_pico_that_says_nothing_has_no_readers() -> None:
    one, silent = PretendPico(SLOTS[:2]), os.openpty()
    one.start()
    try:
        ports = {"a": str(one.port), "b": os.ttyname(silent[1])}
        assert roll_call.announced(ports, seconds=1.0) == SLOTS[:2]
    finally:
        one.close()
        for end in silent:
            os.close(end)


def test_without_a_mat_or_while_somebody_plays_nobody_is_called(
    data: Path, wired_by: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(reader_checks.mat_readers(Settings(), data, is_real=True)) == []
    wired_by(2)
    chosen = chosen_in(data)
    assert list(reader_checks.mat_readers(chosen, data, is_real=False)) == []
    with Journal.open(data / JOURNAL):
        assert list(reader_checks.mat_readers(chosen, data, is_real=True)) == []
