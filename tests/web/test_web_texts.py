"""Every key that pages use has a text in both languages, and no page contains a sentence of its own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from babel.messages.pofile import read_po
from PIL import ImageFont

from companion.box.first_run import ORDER
from companion.core import Enrol, Mode, Signal
from companion.library import LANGS
from companion.phones.photo.spotting import Unfit
from companion.table import Fault
from companion.table.outside import WifiKind
from companion.table.printer import Paper
from tests.chromium import FAMILIES, FONTS, LIBERATION, Faces
from web.club import NoWay
from web.club.membership import Why
from web.door import THEMES
from web.door.guard import _KNOWN
from web.draw.pen import TABS
from web.screen import STEPS
from web.screens.link import Reason

WEB = Path(__file__).parents[2] / "web"
ENDINGS: dict[str, tuple[str, ...]] = {
    "web.box-speaks.": LANGS,
    "web.card.": ("wifi", "page"),
    "web.enrol.": tuple(do for do in get_type_hints(Enrol)["do"].__args__ if do != "begin"),
    "web.error.": tuple(str(code) for code in _KNOWN),
    "web.fault.": Fault.__args__,  # type: ignore[attr-defined]
    "web.first.": ORDER,
    "web.first.more.": ("first.play", "tags.readers", "tags.deck", "tags.seats"),
    "web.guide.": STEPS,
    "web.guide.step.": STEPS,
    "web.lamp.": Signal.__args__,  # type: ignore[attr-defined]
    "web.lang.": LANGS,
    "web.link.": get_args(Reason),
    "web.mode.": get_args(Mode),
    "web.photo.": get_args(Unfit),
    "web.print.paper.": get_args(Paper),
    "web.stands.": get_args(Mode),
    "web.tab.": TABS,
    "web.theme.": THEMES,
    "web.demo.": ("pause", "go", "step", "slower", "faster"),
    "web.clock.": ("soft", "strict"),
    "web.clock.now.": ("soft", "strict"),
    "web.sound.": ("no", "yes"),
    "web.confirm.": ("yes", "no"),
    "web.wifi.going.": get_args(WifiKind),
    "web.leaving.": get_args(WifiKind),
    "web.club.no.": get_args(NoWay),
    "web.club.status.": (*get_args(Why), "connecting", "here", "no-hub"),
    "web.hub.tile.": ("away", "nothing", "unreadable"),
    "web.hub.title.": ("wall", "evening", "league"),
    "web.waiting.": ("asked", "admitted", "gone"),
}


def keys_of(lang: str) -> set[str]:
    with (WEB / "texts" / f"{lang}.po").open("rb") as file:
        ids = [message.id for message in read_po(file) if message.id]
    return {one if isinstance(one, str) else one[0] for one in ids}


def sources() -> str:
    hub = WEB.parent / "companion" / "app" / "hub"
    files = [*WEB.rglob("*.py"), *WEB.glob("templates/**/*.html"), *hub.glob("*.py")]
    return "\n".join(path.read_text() for path in sorted(files))


def used() -> set[str]:
    found = set(re.findall(r"""["'](web\.[a-z0-9.-]+[a-z0-9])["']""", sources()))
    for prefix in set(re.findall(r"""["'](web\.[a-z.-]+\.)(?:["']|\{)""", sources())):
        found |= {prefix + ending for ending in ENDINGS[prefix]}
    found |= {f"web.fault.{fault}.text" for fault in ENDINGS["web.fault."]}
    found |= {f"web.first.{question}.text" for question in ORDER if question != "buttons"}
    found |= {f"web.guide.{step}.piece" for step in ("laid", "refused")}
    found |= {f"web.photo.{why}.try" for why in ENDINGS["web.photo."]}
    found |= {f"web.waiting.{stage}.text" for stage in ENDINGS["web.waiting."]}
    return found


@pytest.mark.parametrize("lang", LANGS)
def test_every_key_has_its_text_and_every_text_its_use(lang: str) -> None:
    assert keys_of(lang) == used()


def test_templates_hold_no_words(tmp_path: Path) -> None:
    """Outside tags and expressions a template has marks, numbers and the word LIST of nobody."""
    for path in sorted(WEB.glob("templates/**/*.html")):
        plain = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", path.read_text(), flags=re.DOTALL)
        plain = re.sub(r"<style>.*?</style>|<[^>]*>", "", plain, flags=re.DOTALL)
        assert not re.findall(r"[A-Za-zÀ-ÿ]{2,}", plain), path


def test_the_script_holds_no_sentence() -> None:
    script = re.sub(r"//.*", "", (WEB / "static" / "companion.js").read_text())
    words = [text for text in re.findall(r'"([^"]*)"', script) if re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", text)]
    assert not words


def has(faces: Faces, letter: str) -> bool:
    """Whether any face of a family has a letter; a face without it draws a box."""
    files = sorted((FONTS / faces.folder).glob("*.ttf"))
    return any(_drawn(file, letter) != _drawn(file, "\uffff") for file in files)


def _drawn(file: Path, letter: str) -> bytes:
    return bytes(ImageFont.truetype(file, 24).getmask(letter))


@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_style_sheets_and_scripts_write_only_letters_that_every_phone_has(faces: Faces) -> None:
    """Small triangles and ticks are drawn: many a phone has no such letter and shows an empty box."""
    if not faces.is_here:
        pytest.skip(f"needs {faces.package}")
    written = set[str]()
    for sheet in (WEB / "static").glob("*.css"):
        written |= set("".join(re.findall(r'content: "([^"]*)"', sheet.read_text())))
    for script in (WEB / "static").glob("*.js"):
        written |= set(re.sub(r"^ *//.*", "", script.read_text(), flags=re.MULTILINE))
    strange = {letter for letter in written if ord(letter) > 126}
    assert {letter for letter in strange if not has(faces, letter)} == set()
    assert has(faces, "é")
    assert not has(LIBERATION, "\u25b8"), "a letter that is missing is found"
