"""Every text of every game on the shelf, in both languages, on the page where people see it: complete and legible."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.app.opening import load_texts, texts_folders
from companion.core import (
    CODE_LENGTH,
    CODE_SIGNS,
    NO_FACTS,
    AcceptedPage,
    CheckPage,
    ChoosePage,
    ConfirmPage,
    EnrolPage,
    Fact,
    Facts,
    Game,
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
    TroublePage,
    TurnPage,
    say,
)
from companion.library import LANGS, Lang, Names, Speaker, shelf
from hatch_build import read_texts
from hw.display import sheet
from hw.display.draw import draw
from hw.display.faces import SIZES, Faces, fallback, spleen
from hw.display.sheet import Box, Fitted

NOTHING = Said("", NO_FACTS)
WHO = "Bérénice"
ADDRESS = "192.168.100.200:8090"
ON_THE_BOX = re.compile(
    r"(no|event|intent|verb|decide|foresee|status|finding|headline|place|result|trouble|tap|back|box|choose|enrol|tags|club)\."
)


@cache
def the_game(game_id: str) -> Game[Any, Any]:
    return shelf.open(game_id)


def texts_of(game_id: str, lang: Lang) -> Iterator[tuple[str, str, str]]:
    """Key, surface and text of everything that this game and the companion say."""
    for folder in texts_folders(the_game(game_id)):
        for message in read_texts(Path(folder) / f"{lang}.po")[0]:
            if message.id:
                key = message.id if isinstance(message.id, str) else message.id[0]
                strings = message.string if isinstance(message.string, list | tuple) else [message.string]
                for string in strings:
                    yield key, message.context or "", str(string)


def pages_for(said: Said, rest: Callable[[str], Said]) -> Iterator[Page]:  # noqa: C901 - one case per kind
    """The pages on which the box says this."""
    kind, _, name = said.key.partition(".")
    title = rest("game.short")
    match kind:
        case "no":
            yield RefusedPage(Refusal(RuleId("A12"), name, said.facts))
        case "event":
            yield AcceptedPage(Seq(288), (said,))
            yield AcceptedPage(Seq(288), (said, said, said))
        case "intent":
            yield ConfirmPage(said, ())
            yield ChoosePage(rest("choose.lay"), (said, said, said, said), 1)
        case "club":
            yield from _on_the_way_to_a_club(name, said, rest)
        case "enrol":
            yield EnrolPage(rest("choice"), said, 12, 56, rest("enrol.lay"))
            yield EnrolPage(rest("choice"), said, 12, 56, rest("enrol.lay"), used=True)
        case "verb" | "choose" | "tags":
            yield ChoosePage(rest("choose.lay"), (said, said, said, said), 1)
        case "decide" | "box" | "back":
            yield TurnPage(title, rest("box.over"), rest("box.who"), said, rest("box.next"))
        case "foresee":
            yield ConfirmPage(rest("choice"), (said,))
        case "status" | "finding":
            yield CheckPage(said, 12, 14, kind == "finding")
        case "headline":
            yield TurnPage(title, said, rest("box.who"), NOTHING, rest("box.next"))
        case "result":
            yield TurnPage(title, rest("box.over"), said, rest("box.over-what"), rest("box.next"))
        case "place":
            yield PiecePage(rest("choice"), said)
        case _:
            yield TroublePage(said)


def _on_the_way_to_a_club(name: str, said: Said, rest: Callable[[str], Said]) -> Iterator[Page]:
    hint = say("club.at", address=Name(ADDRESS))
    match name:
        case "join" | "shown" | "sure":
            yield ConfirmPage(said, (hint,))
        case "join.what" | "another" | "at":
            yield ConfirmPage(rest("club.join"), (said,))
        case "where" | "type":
            yield ChoosePage(said, (said, said, said, said), 1)
        case "address" | "code":
            yield SpellPage(said, ADDRESS, ("", *"0123456789.:"), 0)
            yield SpellPage(said, "K7MP", tuple(CODE_SIGNS), 7, CODE_LENGTH)
        case "number":
            yield NumberPage(said, 1, 99, 88)
        case _:
            yield TroublePage(said)


def speaker_of(game_id: str, lang: Lang) -> Speaker:
    game = the_game(game_id)
    pack = shelf.pack(game)
    return Speaker(load_texts(game), lang, Names((WHO,) * 6, lambda piece: game.describe(pack, piece), game.place))


def facts_of(text: str, longest: str) -> Facts:
    """Something plausible for each gap: a name, the game's longest piece, or a two-digit number."""
    return tuple((gap, _fact(gap, longest)) for gap in dict.fromkeys(re.findall(r"{(\w+)}", text)))


def _fact(gap: str, longest: str) -> Fact:
    if gap in ("seat", "who", "of", "by", "to", "from", "name", "winner"):
        return Name(WHO)
    if gap in ("card", "piece", "item", "machine", "first"):
        return Name(longest)
    if gap in ("club", "code", "address"):
        return Name({"club": "Café Tournesol", "code": "K7MP-Q2XW", "address": ADDRESS}[gap])
    return {"reader": Name("Left reader"), "uid": Name("04A2B3C4D5E6F7"), "rule": Name("A.m")}.get(gap, 12)


def cut_texts(game_id: str, lang: Lang, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that don't fit on the page they belong to."""
    cut: list[str] = []
    real = sheet.fit

    def noting(faces: Faces, words: str, box: Box, sizes: Any) -> Fitted:
        fitted = real(faces, words, box, sizes)
        if fitted.cut:
            cut.append(words)
        return fitted

    monkeypatch.setattr(sheet, "fit", noting)
    speaker = speaker_of(game_id, lang)
    game = the_game(game_id)
    pieces = (speaker.say(game.describe(shelf.pack(game), piece), "oled") for piece in game.pieces(shelf.pack(game)))
    longest = max(pieces, key=len)

    def rest(key: str) -> Said:
        return say(key, seat=Name(WHO), item=Name(longest), n=2, of=9)

    whole: dict[str, str] = defaultdict(str)
    for key, _, text in texts_of(game_id, lang):
        whole[key] += text
    wrong: list[str] = []
    for key, text in whole.items():
        if ON_THE_BOX.match(key):
            for page in pages_for(Said(key, facts_of(text, longest)), rest):
                cut.clear()
                draw(page, speaker)
                wrong += [f"{key} on {type(page).__name__}: {words!r}" for words in cut]
    return sorted(set(wrong))


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game_id", shelf.games())
def test_every_text_fits_its_page(game_id: str, lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = cut_texts(game_id, lang, monkeypatch)
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game_id", shelf.games())
@pytest.mark.parametrize("family", [spleen, fallback])
def test_every_letter_of_every_text_exists(game_id: str, lang: Lang, family: Callable[[], Faces | None]) -> None:
    letters = family()
    if letters is None:
        pytest.skip("the package fonts-spleen is not installed")
    said = sorted({char for _, _, text in texts_of(game_id, lang) for char in text if char != "?"})
    for size in SIZES:
        lacking = [char for char in said if "?" in letters[size].clean(char)]
        assert lacking == [], f"{size} px"


def test_a_text_that_is_too_long_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "_fact", lambda gap, longest: Name("word " * 20))
    assert cut_texts(shelf.games()[0], "en", monkeypatch)
