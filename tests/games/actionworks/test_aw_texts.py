"""Every key the game can say has words in both languages, and the short ones are short."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import get_args

import pytest

from companion.core.facts import Fact, Name, Piece, Place, Said, Seat, Word
from companion.core.ids import PUBLIC, PlaceId, SeatId
from companion.core.judge import Accepted, judge
from companion.core.pictures import Card, Zone
from companion.core.rules import Intent, facts_of, verb_name
from companion.core.secrets import mask
from companion.core.telling import told
from companion.games.actionworks import GAME
from companion.games.actionworks.state import State
from companion.texts import LANGS, Lang, Names, Speaker, Texts
from hatch_build import read_texts
from tests.games.actionworks.play import FOLDER, PACK, playout

TEXTS = Texts.load(FOLDER / "texts", FOLDER.parents[1] / "locale")
NAMES = Names(("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"), lambda piece: GAME.describe(PACK, piece), GAME.place)
VERBS = (*GAME.verbs, *GAME.corrections)
RULES = tuple({rule.key: rule for verb in VERBS for rule in (*verb.guards, *verb.rules)}.values())


def keys() -> Iterator[tuple[str, str]]:
    """(surface, key) of everything that must have words."""
    yield from (("", key) for key in ("game.title", "game.short", "option.new_type"))
    yield from (("", f"option.new_type.{choice}") for choice in GAME.options[0].choices)
    yield from (("", f"rule.{rule}") for rule in GAME.rules)
    for verb in VERBS:
        yield from ((surface, f"{kind}.{verb.name}") for kind in ("verb", "intent") for surface in ("", "oled"))
    for event in get_args(GAME.event):
        yield from ((surface, f"event.{event.__struct_config__.tag}") for surface in ("", "oled"))
    for rule in RULES:
        yield "", f"ok.{rule.key}"
        yield from ((surface, f"no.{rule.key}") for surface in ("", "oled", "hands"))


@pytest.mark.parametrize("lang", LANGS)
def test_every_key_has_words(lang: Lang) -> None:
    catalog, problems = read_texts(FOLDER / "texts" / f"{lang}.po")
    there = {
        (message.context or "", message.id if isinstance(message.id, str) else message.id[0]) for message in catalog
    }
    assert problems == []
    assert [key for key in keys() if key not in there] == []


@pytest.mark.parametrize("lang", LANGS)
def test_whatever_a_game_says_is_said_in_full(lang: Lang) -> None:
    speaker = Speaker(TEXTS, lang, NAMES)
    for seats in (2, 6):
        for seed in range(4):
            for before, intent, _ in playout(seats, seed, 250, new_type="by-choice" if seed % 2 else "every-round"):
                for said in _said_about(before, intent):
                    for text in (speaker.say(said), speaker.say(said, "oled")):
                        assert text
                        assert "{" not in text, said
                        assert said.key not in text


def _said_about(state: State, intent: Intent) -> Iterator[Said]:
    view = mask(state, SeatId(0))
    yield from (GAME.headline(view), *GAME.own(view, SeatId(0)), *GAME.status(view).facts)
    picture = GAME.picture(view)
    yield from (shape.said for shape in picture.shapes if isinstance(shape, Card | Zone))
    yield from picture.rows
    yield from GAME.foresee(view, intent)
    yield from (Said(f"decide.{d.kind}", d.facts) for d in GAME.decisions(view))
    yield Said(f"intent.{verb_name(type(intent))}", facts_of(intent))
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Accepted)
    yield from (told(event, PUBLIC) for event in verdict.events)


@pytest.mark.parametrize("lang", LANGS)
def test_short_forms_fit_the_display(lang: Lang) -> None:
    speaker = Speaker(TEXTS, lang, NAMES)
    long = []
    for surface, key in keys():
        if surface != "oled":
            continue
        template = TEXTS.find(lang, key, "oled", 2) or ""
        facts = {name: _longest(name) for _, name, _, _ in Formatter().parse(template) if name}
        text = speaker.key(key, "oled", **facts)
        if len(text) > (16 if key.startswith("no.") else 21):
            long.append(text)
    assert long == []


def _longest(name: str) -> Fact:
    match name:
        case "card" | "like":
            return Piece(GAME.pieces(PACK)[1])
        case "seat" | "of" | "by" | "lender" | "first" | "actor":
            return Seat(SeatId(2))
        case "place":
            return Place(PlaceId("hand/2"))
        case "types" | "what":
            return Word("types.6")
        case "mark":
            return Name("a")
        case _:
            return 28


@pytest.mark.parametrize("lang", LANGS)
def test_every_refusal_tells_its_facts(lang: Lang) -> None:
    for rule in RULES:
        template = TEXTS.find(lang, f"no.{rule.key}", "", None) or ""
        names = {name for _, name, _, _ in Formatter().parse(template) if name}
        assert names <= {"card", "seat", "low", "high"}


@pytest.mark.parametrize(
    "key", ["own.pile", "status.deck", "status.bench", "picture.deck", "picture.bench", "picture.hand"]
)
def test_none_is_never_said_as_one(key: str) -> None:
    """French has one form for none and for one."""
    assert all("0" in Speaker(TEXTS, lang, NAMES).key(key, n=0) for lang in LANGS)
