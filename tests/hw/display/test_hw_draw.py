"""Every page in both languages: the picture that people have approved, and text that fits whatever it says."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from companion.core import (
    AcceptedPage,
    AdmitPage,
    Button,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    EnrolPage,
    Glance,
    GlancePage,
    IdlePage,
    JoinPage,
    Name,
    NumberPage,
    Page,
    PiecePage,
    Refusal,
    RefusedPage,
    RuleId,
    Said,
    Seq,
    SpellPage,
    StartingPage,
    TroublePage,
    TurnPage,
    UnplugPage,
    Waits,
    say,
)
from companion.library import LANGS, ButtonPins, DialPins, Lang, Speaker
from hatch_build import read_texts
from hw.display import faces as fonts
from hw.display import gallery
from hw.display.draw import Around, draw, has_foot
from hw.display.faces import NBSP, SIZES, Face, Faces, faces, fallback, spleen
from hw.display.sheet import HEIGHT, WIDTH, Box, Sheet, fit
from hw.keys.jobs import BUTTONS, renamed

GOLDEN = Path(__file__).parents[2] / "golden" / "oled"
REGENERATE = "REGENERATE_OLED"
FRENCH = "àâäçéèêëîïôöùûüÿœæÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸŒÆ«»’…–—€°×·"
needs_spleen = pytest.mark.skipif(spleen() is None, reason="the package fonts-spleen is not installed")


@needs_spleen
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("name", "page", "over"), gallery.LOOKS, ids=[name for name, _, _ in gallery.LOOKS])
def test_the_page_looks_as_it_did_when_somebody_looked(
    name: str, page: Page, over: AcceptedPage | None, lang: Lang
) -> None:
    """REGENERATE_OLED=1 makes the pictures again: look at them before you commit them."""
    image = gallery.picture(lang, page, over)
    path = GOLDEN / f"{name}.{lang}.png"
    if os.environ.get(REGENERATE):
        path.parent.mkdir(parents=True, exist_ok=True)
        image.save(path, optimize=True)
    assert _equal(image, Image.open(path)), f"{path.name} changed; look at it with {REGENERATE}=1"


@needs_spleen
def test_a_single_pixel_would_be_noticed() -> None:
    image = Image.open(GOLDEN / "turn.en.png").copy()
    image.putpixel((127, 63), 1 - bool(image.getpixel((127, 63))))
    assert not _equal(image, Image.open(GOLDEN / "turn.en.png"))


def test_the_gallery_shows_every_kind_of_page() -> None:
    assert {type(page) for _, page in gallery.PAGES} == set(get_args(Page))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("family", [spleen, fallback])
def test_every_character_of_every_label_is_drawn_as_itself_or_spelled_out(lang: Lang, family: object) -> None:
    letters = spleen() if family is spleen else fallback()
    if letters is None:
        pytest.skip("the package fonts-spleen is not installed")
    texts = "".join(
        str(message.string)
        for folder in gallery.FOLDERS
        for message in read_texts(folder / f"{lang}.po")[0]
        if message.id
    )
    for size in SIZES:
        assert "?" not in letters[size].clean((texts + FRENCH).replace("?", ""))


@needs_spleen
@pytest.mark.parametrize(
    ("size", "given_", "drawn"),
    [
        (8, "Bérénice’s cœur…", "Bérénice's coeur..."),
        (12, "Bérénice’s cœur…", "Bérénice's coeur..."),
        (16, "Bérénice’s cœur…", "Bérénice’s cœur…"),
        (12, "8\u202f€\u00a0!", f"8{NBSP}EUR{NBSP}!"),
        (16, "Zoë\u0301 \u202e漢\ud800\x07", "Zoë ??"),
    ],
)
def test_what_a_face_lacks_is_replaced_by_the_nearest_thing(size: int, given_: str, drawn: str) -> None:
    letters = spleen()
    assert letters is not None
    assert _face(letters, size).clean(given_) == drawn


@needs_spleen
def test_the_smallest_letters_tell_accents_apart() -> None:
    pictures = {_tiny(char).tobytes() for char in "eéèêë"} | {_tiny(char).tobytes() for char in "cç"}
    assert len(pictures) == 7


def test_without_any_font_of_the_system_letters_lose_their_accents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_OUTLINES", ())
    letters = fallback()
    assert {letters[size].clean("Bérénice, cœur, français") for size in SIZES} == {"Berenice, coeur, francais"}


@pytest.mark.slow
@given(
    st.text(max_size=200), st.integers(1, 128), st.integers(1, 64), st.sampled_from([(24, 16, 12, 8), (12, 8), (8,)])
)
def test_any_text_fits_its_box(words: str, wide: int, high: int, sizes: tuple[int, ...]) -> None:
    for letters in (spleen(), fallback()):
        if letters is not None:
            fitted = fit(letters, words, Box(0, 0, wide, high), sizes)  # type: ignore[arg-type]
            face = letters[fitted.size]
            assert all(face.width(line) <= wide for line in fitted.lines)
            assert len(fitted.lines) * fitted.size <= max(high, fitted.size)


@given(st.text(max_size=120), st.booleans())
def test_text_leaves_nothing_outside_its_box(words: str, right: bool) -> None:
    letters = spleen() or fallback()
    sheet = Sheet(letters)
    sheet.text(Box(20, 10, 60, 30), words, align="right" if right else "left")
    box = sheet.image.getbbox()
    assert box is None or (box[0] >= 20 and box[1] >= 10 and box[2] <= 80 and box[3] <= 40)


def test_words_keep_their_size_while_they_can_then_wrap_then_end_in_an_ellipsis() -> None:
    letters = spleen() or fallback()
    room = Box(0, 0, 128, 32)
    sizes: list[int] = []
    for words in ("Short", "Somewhat longer than one line", "one two three four five six seven eight nine ten"):
        fitted = fit(letters, words, room, (24, 16, 12, 8))
        sizes.append(fitted.size)
        assert " ".join(fitted.lines) == words
    assert sizes == sorted(sizes, reverse=True)
    fitted = fit(letters, "word " * 60, room, (24, 16, 12, 8))
    assert fitted.cut
    assert fitted.lines[-1].endswith(("...", "…"))


def pages(said: st.SearchStrategy[Said]) -> st.SearchStrategy[Page]:
    lines = st.lists(said, max_size=5).map(tuple)
    small, number = st.integers(0, 9), st.integers(-(10**9), 10**12)
    waits = st.builds(Waits, said, st.text(max_size=12))
    glance = st.builds(Glance, said, st.sampled_from(["plain", "kept", "missing", "alarm"]))
    refusal = st.builds(Refusal, st.text(max_size=12).map(RuleId), st.text(max_size=30))
    return st.one_of(
        st.sampled_from([StartingPage(), UnplugPage(), JoinPage()]),
        st.builds(EnrolPage, said, said, small, small, said, st.booleans()),
        st.builds(AdmitPage, st.lists(waits, min_size=1, max_size=9).map(tuple), st.none() | st.integers(0, 8)),
        st.builds(TurnPage, said, said, said, said, said),
        st.builds(ChoosePage, said, lines, small, said, st.booleans()),
        st.builds(NumberPage, said, number, number, number, lines),
        st.builds(SpellPage, said, st.text(max_size=30), st.just(("", *"AB1.:")), st.integers(0, 5), st.integers(0, 9)),
        st.builds(ConfirmPage, said, lines, said, st.booleans()),
        st.builds(AcceptedPage, number.map(Seq), lines, said, small, small),
        st.builds(RefusedPage, refusal, said),
        st.builds(CheckPage, said, small, small, st.booleans(), said, said),
        st.builds(GlancePage, said, st.lists(glance, max_size=9).map(tuple), said, st.text(max_size=9), small, small),
        st.builds(PiecePage, said, said),
        st.builds(TroublePage, said),
        st.builds(IdlePage, said, said),
    )


@given(
    pages(st.text(max_size=150).map(lambda text: say("sample.who", who=Name(text)))),
    st.one_of(st.just(""), st.text("ABCXYZ0189:/.-", max_size=90).map("HTTP://".__add__), st.text(max_size=40)),
    st.integers(0, 10**6),
)
def test_no_page_is_ever_too_much(english: Speaker, page: Page, address: str, drift: int) -> None:
    over = AcceptedPage(Seq(7), (say("sample.who", who=Name(address)),) * (drift % 4)) if has_foot(page) else None
    image = draw(page, english, Around(address, drift), over)
    assert (image.size, image.mode) == ((WIDTH, HEIGHT), "1")


@pytest.mark.parametrize("at", range(7))
def test_the_marked_row_is_always_among_those_shown(english: Speaker, at: int) -> None:
    items = tuple(say("sample.who", who=Name(f"item {n}")) for n in range(7))
    assert len(_inverted_rows(draw(ChoosePage(say("sample.round", n=9), items, at), english))) == 1


@pytest.mark.parametrize("deep", [16, 24, 32, 40])
def test_a_foot_that_grows_cuts_no_line(deep: int) -> None:
    """Whatever it partly covers disappears; everything above it is whole."""
    rows = range(24, 48, 12)
    letters = spleen() or fallback()
    sheet, alone = Sheet(letters), Sheet(letters)
    for y in rows:
        sheet.text(Box(2, y, 124, 12), "MWMWMWMW", (12,))
        if y + 12 <= 64 - deep:
            alone.text(Box(2, y, 124, 12), "MWMWMWMW", (12,))
    sheet.foot("Bought", deep=deep)
    above = (0, 0, 128, 64 - deep)
    assert _equal(sheet.image.crop(above), alone.image.crop(above))


def test_a_refusal_without_a_text_for_hands_does_not_say_the_same_twice(english: Speaker) -> None:
    bare = draw(RefusedPage(Refusal(RuleId("C4"), "sample.bare")), english)
    assert not _equal(bare, draw(RefusedPage(Refusal(RuleId("C4"), "sample.gold")), english))
    assert _ink(bare.crop((6, 58, 122, 61))) == 0


@pytest.mark.parametrize("letters", [faces, fallback], ids=["bitmaps", "fallback"])
@pytest.mark.parametrize("missing", BUTTONS)
def test_a_button_that_is_not_there_is_called_what_one_holds_instead(
    english: Speaker, missing: Button, letters: Callable[[], Faces], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[draw.__module__], "faces", letters)
    around = Around(renamed=renamed(ButtonPins(**{missing: None}), DialPins()))
    turn = TurnPage(Said(""), Said(""), Said(""), Said(""), say("sample.who", who=Name(f"{missing.upper()}: choices")))
    heir = dict(around.renamed)[missing.upper()]
    other = TurnPage(Said(""), Said(""), Said(""), Said(""), say("sample.who", who=Name(f"{heir}: choices")))
    assert _equal(draw(turn, english, around), draw(other, english))
    assert not _equal(draw(turn, english, around), draw(turn, english))
    for _, page in gallery.PAGES:
        draw(page, english, around)


def test_a_pushed_dial_is_the_ok_of_a_box_without_one(english: Speaker) -> None:
    around = Around(renamed=renamed(ButtonPins(ok=None), DialPins(a=23, b=24, push=25)))
    assert around.renamed == (("OK", "PUSH"),)
    page = ConfirmPage(say("sample.gold"), ())
    assert not _equal(draw(page, english, around), draw(page, english))


def test_idle_leaves_no_pixel_on_for_ever(english: Speaker) -> None:
    page = IdlePage(say("sample.title"), say("sample.to-play", who=Name("Ada")))
    always = draw(page, english, Around(drift=0))
    for drift in range(1, 90):
        always = ImageChops.logical_and(always, draw(page, english, Around(drift=drift)))
    assert always.getbbox() is None


def test_the_code_on_the_join_page_is_the_address(english: Speaker) -> None:
    """Decoded dot by dot, as a camera would."""
    import segno

    image = draw(JoinPage(), english, Around("HTTP://10.42.0.1/J"))
    rows = segno.make("HTTP://10.42.0.1/J", micro=False, error="l", boost_error=False).matrix
    left, top = (62 - 2 * len(rows)) // 2, (HEIGHT - 2 * len(rows)) // 2
    seen = [[not image.getpixel((left + 2 * x, top + 2 * y)) for x in range(len(rows))] for y in range(len(rows))]
    assert seen == [[bool(dot) for dot in row] for row in rows]
    assert left >= 8, "a code needs four dots of white around it"
    assert top >= 8


@pytest.mark.parametrize(
    ("address", "dots"),
    [
        ("http://10.42.0.1:8080", 21),
        ("HTTP://10.42.0.1/J", 21),
        ("http://192.168.100.200:8080", 25),
        ("http://table-companion.local:8080/", 25),
    ],
)
def test_the_addresses_of_a_home_have_a_code_of_double_dots(english: Speaker, address: str, dots: int) -> None:
    image = draw(JoinPage(), english, Around(address))
    field = ImageChops.invert(image.crop((0, 0, 62 if dots == 21 else 64, 64)).convert("L")).getbbox()
    assert field is not None
    assert (field[2] - field[0], field[3] - field[1]) == (2 * dots, 2 * dots)


@pytest.mark.parametrize("address", ["http://[", "://", "http://" + "x" * 5000, "\x00", "é" * 60])
def test_an_odd_address_is_no_error(english: Speaker, address: str) -> None:
    draw(JoinPage(), english, Around(address))


def test_the_picture_is_one_bit_in_a_png(english: Speaker) -> None:
    out = io.BytesIO()
    draw(JoinPage(), english).save(out, "PNG")
    assert Image.open(out).mode == "1"


def _equal(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.tobytes() == other.convert("1").tobytes()


def _ink(image: Image.Image) -> int:
    return sum(1 for value in image.convert("L").tobytes() if value == 0)


def _inverted_rows(image: Image.Image) -> list[int]:
    return [row for row in range(4) if image.getpixel((1, 1 + 12 * row))]


def _face(letters: Faces, size: int) -> Face:
    return next(letters[known] for known in SIZES if known == size)


def _tiny(char: str) -> Image.Image:
    letters = spleen()
    assert letters is not None
    sheet = Sheet(letters)
    sheet.text(Box(0, 0, 20, 8), char, (8,))
    return sheet.image
