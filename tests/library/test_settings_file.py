"""The owner of the box writes settings.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.core import CompanionError, PlaceId, ReaderId, mat
from companion.library import OledPins, Settings, settings
from companion.library.settings import SettingsError, Wand, Zone


def load(tmp_path: Path, text: str) -> Settings:
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    return settings.load_settings(tmp_path)


def refused(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, text)
    *problems, then = str(caught.value).splitlines()
    assert then.startswith("Repair ")
    return problems


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert settings.load_settings(tmp_path) == Settings()
    assert settings.load_settings(tmp_path).readers == {ReaderId("left"): Wand(), ReaderId("right"): Wand()}


def test_what_is_written_counts_and_the_rest_stays(tmp_path: Path) -> None:
    chosen = load(
        tmp_path,
        """
        language = "fr"
        port = 80
        hosts = ["table.local", "10.42.0.1"]
        [readers.market-1]
        kind = "zone"
        place = "market:1"
        [readers.wand]
        kind = "wand"
        [oled]
        driver = "sh1106"
        address = 0x3D
        """,
    )
    assert (chosen.language, chosen.port, chosen.mode) == ("fr", 80, "strict")
    assert chosen.hosts == ("table.local", "10.42.0.1")
    assert chosen.oled == OledPins("sh1106", 0x3D)
    assert chosen.readers[ReaderId("market-1")] == Zone(PlaceId("market:1"))


def test_every_problem_is_told_at_once_with_a_guess(tmp_path: Path) -> None:
    assert refused(
        tmp_path,
        """
        langage = "fr"
        mode = "advice"
        port = 0
        hosts = ["no spaces please"]
        [buttons]
        ok = 99
        [readers.shop]
        kind = "zone"
        [night]
        begins = "25:00"
        """,
    ) == [
        "settings.toml: langage: is not known here; did you mean language?",
        'settings.toml: mode = "advice": expected one of "strict", "advise", "scribe"; did you mean "advise"?',
        "settings.toml: port = 0: expected a whole number from 1 to 65535",
        'settings.toml: hosts[0] = "no spaces please": expected a host name, such as "table.local"',
        "settings.toml: readers.shop.place: is missing; expected a text",
        "settings.toml: buttons.ok = 99: expected a GPIO number from 0 to 27",
        'settings.toml: night.begins = "25:00": expected a time, such as "22:30"',
    ]


def test_pins_are_not_shared(tmp_path: Path) -> None:
    text = """
        [buttons]
        ok = 5
        [buzzer]
        pin = 2
        [dial]
        a = 23
        """
    assert refused(tmp_path, text) == [
        "settings.toml: buttons.ok = 5: expected a pin of its own; buttons.check has this one",
        "settings.toml: buzzer.pin = 2: expected a pin of its own; oled (SDA) has this one",
        "settings.toml: dial: expected both a and b, or neither",
    ]


def test_a_place_may_have_several_readers(tmp_path: Path) -> None:
    row = "".join(f'[readers.{name}]\nkind = "zone"\nplace = "bench"\n' for name in ("a", "b"))
    assert load(tmp_path, row).antennas() == {ReaderId("a"): PlaceId("bench"), ReaderId("b"): PlaceId("bench")}


def test_without_a_mat_there_are_two_wands() -> None:
    assert Settings().antennas() == {ReaderId("left"): None, ReaderId("right"): None}


def test_a_mat_says_where_its_readers_lie_and_the_settings_have_the_last_word(tmp_path: Path) -> None:
    slots = mat("slots", PlaceId("bench"), PlaceId("bench"))
    bench = {ReaderId("r01"): None, ReaderId("r02"): PlaceId("bench"), ReaderId("r03"): PlaceId("bench")}
    assert load(tmp_path, 'mat = "slots"').antennas(slots) == bench
    own = load(tmp_path, 'mat = "slots"\n[readers.r03]\nkind = "wand"\n[readers.heap]\nkind = "zone"\nplace = "heap"\n')
    assert own.antennas(slots) == bench | {ReaderId("r03"): None, ReaderId("heap"): PlaceId("heap")}


def test_a_mat_that_no_game_has_is_refused_with_those_there_are(tmp_path: Path) -> None:
    assert refused(tmp_path, 'mat = "slot"') == [
        'settings.toml: mat = "slot": expected one of "wand", "slots", "seat", "turn"; did you mean "slots"?'
    ]
    named = 'expected the name of a mat, such as "slots"'
    assert refused(tmp_path, "mat = 3") == [f"settings.toml: mat = 3: {named}"]


def test_the_error_has_two_parents(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load(tmp_path, "port = =")
    assert isinstance(caught.value, CompanionError)
    assert isinstance(caught.value, ValueError)
    assert "line 1" in str(caught.value)


def test_the_description_is_itself_a_settings_file(tmp_path: Path) -> None:
    described = settings.described_settings()
    assert load(tmp_path, described) == Settings()
    assert "# a GPIO number from 0 to 27; default: 6" in described
    changed = load(tmp_path, 'port = 80\n[readers.shop]\nkind = "zone"\nplace = "x"\n[oled]\ndriver = "pretend"\n')
    assert load(tmp_path, settings.described_settings(changed)) == changed
    assert tomllib.loads(settings.described_settings(changed))["port"] == 80


def test_lamps_at_the_seats_have_pins_of_their_own(tmp_path: Path) -> None:
    assert refused(tmp_path, "[lamps]\npins = [12, 17, 12, 28]") == [
        "settings.toml: lamps.pins[3] = 28: expected a GPIO number from 0 to 27",
    ]
    assert refused(tmp_path, "[lamps]\npins = [12, 17, 12]") == [
        "settings.toml: lamps.pins[1] = 17: expected a pin of its own; lamp.red has this one",
        "settings.toml: lamps.pins[2] = 12: expected a pin of its own; lamps.pins[0] has this one",
    ]


def test_lamps_at_the_seats_are_kept(tmp_path: Path) -> None:
    chosen = settings.Settings(lamps=settings.Lamps((12, 16, 20)))
    settings.save_settings(tmp_path, chosen)
    assert settings.load_settings(tmp_path) == chosen


def test_readers_that_people_own_are_named_by_their_devices(tmp_path: Path) -> None:
    text = (
        '[readers.hand]\nkind = "wand"\nwedge = "RFID"\nreverse = true\n'
        '[readers.slot]\nkind = "zone"\nplace = "bench"\npcsc = "ACR122U"\n[readers.left]\nkind = "wand"\n'
    )
    chosen = load(tmp_path, text)
    devices = [settings.own_of(antenna) for antenna in chosen.readers.values()]
    assert devices == [settings.OwnReader("wedge", "RFID", reverse=True), settings.OwnReader("pcsc", "ACR122U"), None]
    settings.save_settings(tmp_path, chosen)
    assert settings.load_settings(tmp_path) == chosen, "and stay so"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('kind = "wand"\nwedge = "a"\npcsc = "b"', "expected pcsc or wedge"),
        ('kind = "wand"\npcsc = ""', "readers.hand"),
        ('kind = "zone"\nplace = "bench"\nwedge = "a"', "wedge"),
        ('kind = "wand"\nwegde = "a"', "wegde"),
    ],
)
def test_a_reader_that_cannot_be_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(settings.SettingsError, match=problem):
        load(tmp_path, f"[readers.hand]\n{text}\n")
