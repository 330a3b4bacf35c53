"""Every key the game can say has words in both languages, and the short ones are short."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import get_args

import pytest

from companion.core.facts import Fact, Name, Piece, Place, Said, Seat, Word
from companion.core.ids import PUBLIC, PieceId, PlaceId, SeatId
from companion.core.judge import Accepted, judge
from companion.core.pictures import Stroke
from companion.core.rules import Intent, facts_of, verb_name
from companion.core.secrets import mask
from companion.core.telling import told
from companion.games.one_false_step import GAME
from companion.games.one_false_step.state import State
from companion.texts import LANGS, Lang, Names, Speaker, Texts
from hatch_build import read_texts
from tests.games.one_false_step.play import FOLDER, PACK, playout

TEXTS = Texts.load(FOLDER / "texts", FOLDER.parents[1] / "locale")
NAMES = Names(("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay"), lambda piece: GAME.describe(PACK, piece), GAME.place)
VERBS = (*GAME.verbs, *GAME.corrections)
RULES = tuple({rule.key: rule for verb in VERBS for rule in (*verb.guards, *verb.rules)}.values())
LONGEST = PieceId("whistlers-gap")


def keys() -> Iterator[tuple[str, str]]:
    """(surface, key) of everything that must have words."""
    yield from (("", key) for key in ("game.title", "game.short"))
    for option in GAME.options:
        yield "", f"option.{option.name}"
        yield from (("", f"option.{option.name}.{choice}") for choice in option.choices)
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
    for seats in (3, 6):
        for seed in range(2):
            for before, intent, _ in playout(seats, seed, 200):
                for said in _said_about(before, intent):
                    for text in (speaker.say(said), speaker.say(said, "oled")):
                        assert text
                        assert "{" not in text, said
                        assert said.key not in text


def _said_about(state: State, intent: Intent) -> Iterator[Said]:
    view = mask(state, SeatId(0))
    status = GAME.status(view)
    yield from (GAME.headline(view), *GAME.own(view, SeatId(0)), *status.facts, *(f.said for f in status.findings))
    picture = GAME.picture(view)
    yield from (shape.said for shape in picture.shapes if not isinstance(shape, Stroke))
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
        facts = {name: _longest(name, key) for _, name, _, _ in Formatter().parse(template) if name}
        text = speaker.key(key, "oled", **facts)
        if len(text) > (16 if key.startswith("no.") else 21):
            long.append(text)
    assert long == []


_SEATS = ("to", "seat", "by", "loser", "winner", "holder", "actor", "defender")
_LONGEST: dict[str, Fact] = {
    **dict.fromkeys(_SEATS, Seat(SeatId(2))),
    "city": Piece(LONGEST),
    "name": Piece(LONGEST),
    "board": Piece(PieceId("board-8")),
    "card": Piece(PieceId("know-guidance")),
    "place": Place(PlaceId("food/2")),
    "claim": Place(PlaceId("mine/8-k")),
    "day": Word("day.wednesday"),
    "colour": Word("colour.red"),
    "system": Word("system.fuel"),
    "x": Name("2W"),
    "y": Name("2N"),
}


def _longest(name: str, key: str) -> Fact:
    return Piece(LONGEST) if name == "to" and "train" in key else _LONGEST.get(name, 28)


@pytest.mark.parametrize("lang", LANGS)
def test_every_refusal_tells_its_facts(lang: Lang) -> None:
    known = {"card", "seat", "low", "high", "n", "need", "have", "city", "claim", "board", "seats"}
    for rule in RULES:
        template = TEXTS.find(lang, f"no.{rule.key}", "", None) or ""
        assert {name for _, name, _, _ in Formatter().parse(template) if name} <= known


@pytest.mark.parametrize("lang", LANGS)
def test_rule_texts_are_short(lang: Lang) -> None:
    texts = {rule: TEXTS.find(lang, f"rule.{rule}", "", None) or "" for rule in GAME.rules}
    assert [rule for rule, text in texts.items() if not 0 < len(text) <= 240] == []
