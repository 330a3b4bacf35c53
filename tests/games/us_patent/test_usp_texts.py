"""Every key the game can say has words in both languages, and the short ones are short."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from typing import get_args

import pytest

from companion.core.facts import Fact, Name, Piece, Place, Said, Seat, Word
from companion.core.ids import PUBLIC, PlaceId, SeatId
from companion.core.judge import Accepted, judge
from companion.core.pictures import Card, Disc, Zone
from companion.core.rules import Intent, facts_of, verb_name
from companion.core.secrets import mask
from companion.core.telling import told
from companion.games.us_patent import GAME
from companion.games.us_patent.effects import AnyEffect, Drive, Leap, Ranged, Repair, Robbery, sentence
from companion.games.us_patent.state import State
from companion.texts import LANGS, Lang, Names, Speaker, Texts
from hatch_build import read_texts
from tests.games.us_patent.play import CLERK, FOLDER, playout
from tests.games.us_patent.test_usp_effects import SAMPLES

TEXTS = Texts.load(FOLDER / "texts", FOLDER.parents[1] / "locale")
PEOPLE = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
NAMES = Names(PEOPLE, lambda piece: GAME.describe(CLERK, piece), GAME.place)
VERBS = (*GAME.verbs, *GAME.corrections)
RULES = tuple({rule.key: rule for verb in VERBS for rule in (*verb.guards, *verb.rules)}.values())
KINDS = (
    *("draw-machine", "research", "move-die", "number-die", "attack-dice", "defence-die", "move", "go"),
    *("act", "end", "place", "invent", "hit", "loot", "counter", "short"),
)


def keys() -> Iterator[tuple[str, str]]:
    """(surface, key) of everything that must have words."""
    yield from (("", key) for key in ("game.title", "game.short", "game.about"))
    for option in GAME.options:
        yield "", f"option.{option.name}"
        yield from (("", f"option.{option.name}.{choice}") for choice in option.choices)
    yield from (("", f"rule.{rule}") for rule in GAME.rules)
    yield from (("", f"card.{card.id}") for card in CLERK.upgrades)
    yield from (("", f"card.{card.id}") for card in CLERK.inventors)
    yield from ((surface, f"decide.{kind}") for kind in KINDS for surface in ("", "oled"))
    yield from (("", f"awaited.{kind}") for kind in KINDS)
    yield from ((surface, sentence(effect).key) for effect in SAMPLES for surface in ("", "oled"))
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
def test_every_effect_makes_a_full_sentence(lang: Lang) -> None:
    speaker = Speaker(TEXTS, lang, NAMES)
    more: tuple[AnyEffect, ...] = (
        *(Leap(to) for to in ("lab", "market", "library")),
        *(Ranged(scope, result=result) for scope in ("time", "ahead", "any") for result in ("usual", "steal")),
        *(Ranged("any", dice=0, defence=0, result=result) for result in ("disable", "destroy")),
        *(Drive(dice, plus) for dice, plus in ((0, 6), (1, 2), (2, 0), (1, -1))),
        *(Repair("one", when) for when in ("action", "free")),
        *(Repair("all", when) for when in ("action", "free", "always")),
        Robbery(5),
    )
    shipped = tuple(effect for card in CLERK.upgrades for effect in card.effects)
    for effect in (*SAMPLES, *more, *shipped):
        text = speaker.say(sentence(effect))
        assert text.endswith((".", "»"))
        assert "{" not in text
        assert "effect." not in text


@pytest.mark.parametrize("lang", LANGS)
def test_whatever_a_game_says_is_said_in_full(lang: Lang) -> None:
    speaker = Speaker(TEXTS, lang, NAMES)
    for seats, seed, memory in ((3, 1, "off"), (8, 2, "on"), (5, 3, "on")):
        for before, intent, _ in playout(seats, seed, 220, {"lab_memory": memory}):
            for said in filter(lambda said: said.key, _said_about(before, intent)):
                for text in (speaker.say(said), speaker.say(said, "oled")):
                    assert text, said
                    assert "{" not in text, said
                    assert said.key not in text


def _said_about(state: State, intent: Intent) -> Iterator[Said]:
    view = mask(state, SeatId(0))
    status = GAME.status(view)
    yield from (GAME.headline(view), *GAME.own(view, SeatId(0)), *status.facts, *(f.said for f in status.findings))
    picture = GAME.picture(view)
    yield from (shape.said for shape in picture.shapes if isinstance(shape, Card | Zone | Disc))
    yield from picture.rows
    yield from GAME.foresee(view, intent)
    yield from (Said(f"decide.{d.kind}", d.facts) for d in GAME.decisions(view))
    yield from (Said(f"awaited.{d.kind}") for d in GAME.decisions(view))
    yield Said(f"intent.{verb_name(type(intent))}", facts_of(intent))
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Accepted)
    yield from (told(event, PUBLIC) for event in verdict.events)


@pytest.mark.parametrize("lang", LANGS)
def test_short_forms_fit_the_display(lang: Lang) -> None:
    """With a usual card; a longer name is cut by the display, the words around it are not."""
    speaker = Speaker(TEXTS, lang, NAMES)
    long = []
    for surface, key in keys():
        if surface != "oled":
            continue
        template = TEXTS.find(lang, key, "oled", 2) or ""
        facts = {name: _usual(name) for _, name, _, _ in Formatter().parse(template) if name}
        text = speaker.key(key, "oled", **facts)
        if len(text) > (16 if key.startswith("no.") else 21):
            long.append((key, text))
    assert long == []


def _usual(name: str) -> Fact:
    match name:
        case "card" | "source":
            return Name("Bee Can. 4")
        case "seat" | "target" | "actor":
            return Seat(SeatId(2))
        case "place" | "space":
            return Place(PlaceId("3/lab"))
        case "kind" | "what":
            return Word("kind.basic")
        case _:
            return 9


@pytest.mark.parametrize("lang", LANGS)
def test_names_of_cards_fit_the_display(lang: Lang) -> None:
    speaker = Speaker(TEXTS, lang, NAMES)
    names = [speaker.say(GAME.describe(CLERK, piece), "oled") for piece in GAME.pieces(CLERK)]
    assert [name for name in names if len(name) > 21] == []
    assert len(set(names)) == len(names)
    assert speaker.key("shown", card=Piece(GAME.pieces(CLERK)[0])) == "shown"


@pytest.mark.parametrize("lang", LANGS)
def test_every_refusal_tells_facts_that_are_always_there(lang: Lang) -> None:
    for rule in RULES:
        template = TEXTS.find(lang, f"no.{rule.key}", "", None) or ""
        names = {name for _, name, _, _ in Formatter().parse(template) if name}
        known = {"card", "seat", "low", "high", "far", "reach", "price", "gold", "margin", "need", "have", "kind"}
        assert names <= known
