"""The box's own Wi-Fi: a name, an unguessable password, codes that cameras read, a profile for NetworkManager."""

from __future__ import annotations

import configparser
import re
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image, ImageDraw
from pyzbar import pyzbar

from companion.app import hotspot
from companion.app.cli import main
from companion.app.hotspot import Hotspot, HotspotError, fresh
from companion.core import WifiPage
from hw.display import gallery
from hw.display.draw import draw


def read(image: Image.Image) -> str:
    """What a camera reads."""
    (found,) = pyzbar.decode(image)
    return str(found.data.decode())


def typed(data: Path, *words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words), "--data", str(data)])


def test_a_password_is_long_and_never_the_same() -> None:
    passwords = {fresh("TABLE").password for _ in range(200)}
    assert len(passwords) == 200
    assert all(re.fullmatch(r"[A-HJ-NP-Z2-9]{10}", password) for password in passwords)


@pytest.mark.parametrize("name", ["TABLE", 'Ada; the "1st"', "a:b,c\\d"])
def test_the_code_on_the_display_is_read_by_a_camera(name: str) -> None:
    own = Hotspot(name, "K7QX2M9PAB")
    image = draw(WifiPage(own.name, own.password, own.code), gallery.speaker("en"))
    big = image.convert("L").resize((image.width * 6, image.height * 6))
    assert read(big) == own.code
    assert own.code.startswith("WIFI:T:WPA;S:")


def test_network_manager_can_read_the_profile() -> None:
    profile = configparser.ConfigParser()
    profile.read_string(Hotspot("TABLE", "K7QX2M9PAB").profile())
    assert profile["wifi"]["ssid"] == "TABLE"
    assert profile["wifi"]["mode"] == "ap"
    assert profile["wifi-security"]["psk"] == "K7QX2M9PAB"
    assert int(profile["connection"]["autoconnect-priority"]) < 0, "a Wi-Fi that is known comes first"


def test_made_once_it_stays_and_only_the_owner_may_read_it(tmp_path: Path) -> None:
    first = typed(tmp_path, "wifi", "make", "TABLE")
    assert first.exit_code == 0, first.output
    own = hotspot.load(tmp_path)
    assert own is not None
    assert own.password in first.stdout
    assert stat.S_IMODE((tmp_path / hotspot.FILE).stat().st_mode) == 0o600
    assert typed(tmp_path, "wifi", "make", "TABLE").exit_code == 0
    assert hotspot.load(tmp_path) == own
    assert typed(tmp_path, "wifi", "make", "OTHER").exit_code == 0
    assert hotspot.load(tmp_path) != own


def test_a_name_that_is_none_is_refused(tmp_path: Path) -> None:
    for name in ("", "x" * 33, "Émile"):
        told = typed(tmp_path, "wifi", "make", name)
        assert told.exit_code == 2, told.output
    assert hotspot.load(tmp_path) is None


def test_without_one_it_is_said_how_to_make_one(tmp_path: Path) -> None:
    for words in (("wifi", "profile"), ("wifi", "card", tmp_path / "card.html")):
        told = typed(tmp_path, *words)
        assert told.exit_code == 1
        assert "companion wifi make" in told.output


def test_a_broken_file_is_named_with_every_problem(tmp_path: Path) -> None:
    (tmp_path / hotspot.FILE).write_text('nmae = "x"\npassword = "short"\n')
    with pytest.raises(HotspotError, match=r"(?s)nmae.*password|password.*nmae"):
        hotspot.load(tmp_path)


def picture_of(size: int, path: str) -> Image.Image:
    """A code as a printer prints it."""
    image = Image.new("L", (size * 8, size * 8), 255)
    pen = ImageDraw.Draw(image)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", path):
        pen.rectangle((int(x) * 8, int(y) * 8, int(x) * 8 + 7, int(y) * 8 + 7), fill=0)
    return image


def test_the_card_has_both_codes_and_the_same_in_words(tmp_path: Path) -> None:
    typed(tmp_path, "wifi", "make", "TABLE")
    own = hotspot.load(tmp_path)
    assert own is not None
    (tmp_path / "settings.toml").write_text("port = 80\n")
    assert typed(tmp_path, "wifi", "card", tmp_path / "card.html").exit_code == 0
    page = (tmp_path / "card.html").read_text()
    codes = re.findall(r'viewBox="0 0 (\d+) \d+".*?<path d="([^"]+)"', page, flags=re.DOTALL)
    assert [read(picture_of(int(size), path)) for size, path in codes] == [own.code, "http://10.42.0.1"]
    for words in (own.name, own.password, "http://10.42.0.1", "Rejoindre le Wi-Fi", "Join the Wi-Fi"):
        assert words in page
    assert not re.search(r"(src|href)=", page), "it needs nothing else"


@pytest.mark.parametrize("name", ["TABLE", "Bob\\tavern", " in front", "12;13;", "A;B", "#1"])
def test_signs_in_a_name_or_a_password_mean_nothing_else_in_the_profile(name: str) -> None:
    """As GLib and NetworkManager read such a file: \\ begins an escape, spaces in front go, 12;13; are two bytes."""
    lines = Hotspot(name, "pass\\word;1").profile().splitlines()
    kept = next(line.removeprefix("ssid=") for line in lines if line.startswith("ssid="))
    is_list = re.fullmatch(r"(\d{1,3};)+", kept)
    assert (bytes(map(int, kept.split(";")[:-1])).decode() if is_list else kept) == name
    assert is_list or kept.isalnum()
    assert r"psk=pass\\word;1" in lines
