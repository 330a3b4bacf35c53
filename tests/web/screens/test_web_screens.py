"""Every screen, read as people read it, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from companion.core import Card, Disc, Name, Picture, ReaderLost, Stroke, Zone, say
from companion.library import Names, Speaker, Texts
from tests.web.conftest import Phone
from web.door import phone_of, split_prefix
from web.draw import draw

FOR_STRANGERS = ("/", "/waiting")
"""A phone with a seat is redirected there instead."""
PAGES = (
    "/?seat=1",
    "/seat",
    "/watch",
    "/table",
    "/table?form=list",
    "/history",
    "/corrections",
    "/check",
    "/lay",
    "/shown?code=nonsense",
    "/rules",
    "/rules?q=X2",
    "/more",
    "/tv",
    "/move",
    "/thing?kind=seat&id=1",
    "/shelf",
    "/setup?game=actionworks",
    "/report",
    "/enrol",
    "/doctor",
    "/pretend",
)
VOID = {"meta", "link", "input", "br", "img", "hr"}


class Reader(HTMLParser):
    """Checks that elements close as they open, and gathers ids, landmarks and the language."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.seen: list[str] = []
        self.lang = ""
        self.nameless: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.seen.append(tag)
        if "id" in found:
            self.ids.append(found["id"] or "")
        if tag == "html":
            self.lang = found.get("lang") or ""
        if tag == "img" and "alt" not in found:
            self.nameless.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    assert not reader.open
    return reader


@pytest.mark.parametrize("path", [*PAGES, *FOR_STRANGERS])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_is_whole_and_speaks_one_language(
    ada: Phone, phone: Callable[[], Phone], path: str, lang: str
) -> None:
    reads = phone() if path in FOR_STRANGERS else ada
    reader = read(reads.html(path, **{"Accept-Language": f"{lang}-CH,{lang};q=0.9"}))
    assert reader.lang == lang
    assert reader.seen.count("h1") == 1
    assert reader.seen.count("main") == 1
    assert len(reader.ids) == len(set(reader.ids)), "an id twice"
    assert not reader.nameless
    for leftover in ("web.", "rule.C", "None", "{who}", "{n}"):
        assert leftover not in reader.text, f"{leftover} shows through"


def test_every_page_has_one_polite_and_one_assertive_region(ada: Phone) -> None:
    for path in PAGES:
        html = ada.html(path)
        assert html.count('aria-live="polite"') == 1
        assert html.count('aria-live="assertive"') == 1
        assert "<noscript>" in html


def test_french_pages_say_other_things(ada: Phone) -> None:
    assert "À vous, Ada" in ada.html("/seat", **{"Accept-Language": "fr"})


def test_the_table_is_drawn_and_listed(ada: Phone, ben: Phone) -> None:
    drawn = ada.html("/table")
    assert '<svg class="picture" viewBox="0 0 360 300"' in drawn
    assert 'class="card down"' in drawn
    assert "Card Ace" in drawn
    assert "Card Ace" not in ben.html("/table")
    listed = ada.html("/table?form=list")
    assert "picture" not in listed
    assert "<li>Card Ace</li>" in listed


def test_rules_are_found_by_word_and_number(ada: Phone) -> None:
    assert "X1" in ada.html("/rules")
    found = ada.html("/rules?q=OWN+hand")
    assert 'id="rule-X2"' in found
    assert 'id="rule-X1"' not in found
    assert "No rule has these words" in ada.html("/rules?q=zebra")
    assert "&lt;script&gt;" in ada.html("/rules?q=<script>")


def test_troubles_are_on_every_page_with_their_cure(ada: Phone) -> None:
    ada.table.put(ReaderLost("left"))  # type: ignore[arg-type]
    ada.post("/join", seat=0, name="")
    for path in ("/seat", "/table", "/history", "/more", "/pretend"):
        assert 'class="strip trouble"' in ada.html(path)


def test_language_and_paper_are_remembered_by_the_phone(ada: Phone) -> None:
    assert ada.post("/settings", lang="fr", theme="dark").get_json() == {"go": "/more"}
    html = ada.html("/more", **{"Accept-Language": "en"})
    assert '<html lang="fr" class="dark">' in html
    assert ada.post("/settings", lang="xx", theme="dark").status_code == 400


def test_a_phone_with_odd_cookies_is_just_a_spectator(phone: Callable[[], Phone]) -> None:
    odd = phone()
    for name in ("seat", "asking", "lang", "theme"):
        odd.client.set_cookie(f"companion-{name}", "é\x01'\";", domain="box.test")
    assert "You are watching" in odd.html("/watch")


def test_prefixes() -> None:
    assert split_prefix("/phone/2/seat") == ("/phone/2", "/seat")
    assert split_prefix("/phone/2") == ("/phone/2", "/")
    for path in ("/phone/12/seat", "/phones/1/", "/seat", "/phone/x/"):
        assert split_prefix(path) == ("", path)


def test_the_first_language_we_speak_is_used(ada: Phone) -> None:
    public = ada.table.moment.public
    assert phone_of({}, "", "de, fr;q=0.8, en;q=0.5", public, "en").lang == "fr"
    assert phone_of({}, "", "de", public, "en").lang == "en"
    assert phone_of({"companion-lang": "en"}, "", "fr", public, "fr").lang == "en"


def test_lines_keep_their_pattern_and_a_trace_is_drawn_only_when_chosen(texts: Texts) -> None:
    speaker = Speaker(texts, "en")
    said = say("web.table")
    points = ((0, 0), (9, 9))
    shapes = (
        Stroke(points, "brown", "double", said),
        Stroke(points, "yellow", "dotted"),
        Disc(5, 5, 4, said, hollow=True),
    )
    drawing = draw(Picture(20, 20, shapes, ()), speaker)
    assert [(mark.kind, mark.look) for mark in drawing.marks] == [
        ("trace", "ink-brown trace-0"),
        ("stroke", "ink-yellow line-dotted"),
        ("disc", "ink-ink hollow"),
    ]
    assert [(trace.number, trace.look) for trace in drawing.traces] == [(0, "ink-brown line-double")]


def test_words_in_a_drawing_stay_in_their_boxes(texts: Texts) -> None:
    speaker = Speaker(texts, "en", Names((), lambda p: say("x"), lambda p: say("x")))
    said = say("pick.piece", name=Name("with quite a long name"))
    short = Card(60, 0, 60, 90, say("pick.zone"))
    picture = Picture(200, 200, (Card(0, 0, 60, 90, said), Zone(0, 0, 99, 9, said), Disc(5, 5, 4, said), short), ())
    drawing = draw(picture, speaker)
    assert [mark.kind for mark in drawing.marks] == ["card", "zone", "disc", "card"]
    for words in drawing.marks[0].words:
        assert 0 <= words.y <= 90
    assert drawing.marks[2].words[0].text == "C"
    assert drawing.marks[3].words[0].size == drawing.marks[0].words[0].size, "cards of one format, one size"
    assert draw(Picture(9, 9, (Stroke(((0, 0), (4, 5))),), ()), speaker).marks[0].points == "0,0 4,5"
