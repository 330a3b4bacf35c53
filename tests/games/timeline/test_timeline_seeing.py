"""What people read is what they see: the second card of a column, the market above, Ben's pawn. No lane has a number.

Column 1 is three cards high, from two lanes above Start, and Ada stands on its middle card. Column 2 lies far below, so
that a straight line runs above it. Ben is in a market far up.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

import pytest

from companion.core import (
    PUBLIC,
    TABLE,
    Accepted,
    Fact,
    Intent,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Said,
    SeatId,
    called,
    judge,
    known_pieces,
    label,
    legal,
    mask,
    say,
    told,
)
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import State, lies
from companion.library import LANGS
from tests.games.timeline.board import ADA, BEN, act, board, card, played
from tests.games.timeline.test_timeline_views import speaker

TALL = board(
    [("=1a", -2), ("9a", 2), ("=3a", 6)],
    [("=4a", 8)],
    [("=5a", 0)],
    pawns={0: (1, 2), 1: (5, -14)},
)


def called_in(lang: str, state: State, intent: Intent, surface: str = "") -> str:
    said = label(GAME, state, intent, known_pieces(GAME, state))
    return speaker(lang).say(said, surface)  # type: ignore[arg-type]


def thing(lang: str, state: State, what: Piece | Place) -> str:
    return speaker(lang).say(say("choice", item=called(GAME, state, what)))


def tell(lang: str, state: State, *intents: Intent, surface: str = "") -> list[str]:
    """The lines that report the last of these acts."""
    for intent in intents[:-1]:
        state = act(state, intent)
    verdict = judge(GAME, state, intents[-1])
    assert isinstance(verdict, Accepted), verdict
    lines = (told(GAME, mask(verdict.after, PUBLIC), event, PUBLIC) for event in verdict.events)
    return [speaker(lang).say(line, surface) for line in lines]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("intent", "en", "fr"),
    [
        (
            i.Move(ADA, card("1a"), 2),
            "Move to Milkbread, the second waypoint of the top card of column 1",
            "Aller sur la deuxième étape (Milkbread) de la carte du haut de la colonne 1",
        ),
        (
            i.Move(ADA, card("9a"), 4),
            "Move to Beetcandy, the bottom waypoint of the second card of column 1",
            "Aller sur l’étape du bas (Beetcandy) de la deuxième carte de la colonne 1",
        ),
        (
            i.Travel(ADA, card("5a")),
            "Travel to column 3 on your line: Milkbread",
            "Voyager vers la colonne 3 sur votre ligne\u00a0: Milkbread",
        ),
        (
            i.Explore(ADA, PlaceId("column/2")),
            "Travel to column 2, a new card above",
            "Voyager vers la colonne 2, nouvelle carte en haut",
        ),
        (
            i.SetColumn(ADA, PlaceId("column/1"), -14),
            "The top of column 1 is 14 lanes above Start",
            "Le haut de la colonne 1 est 14 voies au-dessus du Départ",
        ),
        (
            i.SetPawn(ADA, BEN, card("3a"), 1),
            "Ben’s pawn is on Oilpetrol, the top waypoint of the bottom card of column 1",
            "Le pion de Ben est sur l’étape du haut (Oilpetrol) de la carte du bas de la colonne 1",
        ),
        (
            i.PawnToMarket(ADA, BEN, -14),
            "Ben’s pawn is in the market of 3, 4 cards above Start",
            "Le pion de Ben est dans le marché à 3, 4 cartes au-dessus du Départ",
        ),
    ],
)
def test_a_choice_says_what_eyes_see(intent: Intent, en: str, fr: str) -> None:
    straight = board(
        *([("=1a", -2), ("9a", 2), ("=3a", 6)], [("=4a", 8)], [("=5a", 0)]), pawns={0: (1, 1), 1: (5, -14)}
    )
    state = straight if isinstance(intent, i.Travel | i.Explore) else TALL
    assert called_in("en", state, intent) == en
    assert called_in("fr", state, intent) == fr


@pytest.mark.rule("T14", "T.d")
def test_the_first_column_is_the_left_end_of_the_line() -> None:
    state = board([("=1a", 0)], [("=2a", 0)], pawns={0: (2, 1), 1: (3, 0)})
    travel = i.Travel(ADA, card("1a"))
    assert called_in("en", state, travel) == "Travel to the left end of your line, column 1: Milkbread"
    assert called_in("en", state, i.EnterMarket(ADA)) == "Travel to the right end of your line, into its market"
    assert called_in("en", state, travel, "oled") == "to left end: Milkb"


@pytest.mark.rule("T9", "T12", "T16")
def test_what_happened_says_where_hands_lay_the_card() -> None:
    above = i.GoAbove(ADA)
    assert tell("en", TALL, above) == ["Ada heads for a card nobody has seen yet: the top card of column 1. Draw it."]
    assert tell("en", TALL, above, i.Drew(TABLE, card("2a")))[0] == (
        "The new card is the top card of column 1: put a counter on each of its waypoints."
    )
    assert tell("en", TALL, above, i.Drew(TABLE, card("2a")), i.StopOn(ADA, 1))[:2] == [
        "Ada stops on Beetcandy, the top waypoint of the top card of column 1.",
        "Ada takes Beetcandy.",
    ]
    assert tell("fr", TALL, i.GoBelow(ADA)) == [
        "Ada part vers une carte encore inconnue\u00a0: la carte du bas de la colonne 1. Piochez-la."
    ]
    far = board([("=1a", 0)], [("=2a", 8)], pawns={0: (1, 1), 1: (3, 0)})
    assert tell("en", far, i.Explore(ADA, PlaceId("column/2"))) == [
        "Lay the next card face down: it is the top card of column 2.",
        "Ada heads for a card nobody has seen yet: the top card of column 2. Draw it.",
    ]


def test_the_place_of_a_new_card_is_told_the_same_once_it_lies_there_and_has_slid() -> None:
    """The box reports an act and the card drawn for it together, after both."""
    seen = set()
    for state, intent, verdict in played(Random(21), 4, 400):
        for event in verdict.events:
            if type(event).__name__ == "SetOut":
                drawn = judge(GAME, verdict.after, legal(GAME, verdict.after, TABLE)[0])
                assert isinstance(drawn, Accepted)
                at_once, later = told(GAME, verdict.after, event, PUBLIC), told(GAME, drawn.after, event, PUBLIC)
                assert at_once == later, (state.steps, intent)
                seen.add(dict(at_once.facts)["top"])
    assert len(seen) > 4


def test_markets_and_heights_are_told_beside_start() -> None:
    assert thing("en", TALL, Place(PlaceId("market/-14"))) == "The market of 3, 4 cards above Start"
    assert thing("en", TALL, Place(PlaceId("market/-1"))) == "The market of 4, 1 card above Start"
    assert thing("en", TALL, Place(PlaceId("market/3"))) == "The market of 4, level with Start"
    assert thing("en", TALL, Place(PlaceId("market/4"))) == "The market of 1, 1 card below Start"
    assert thing("fr", TALL, Place(PlaceId("lane/2/8"))) == "La colonne 2, 8 voies au-dessous du Départ"
    assert thing("en", TALL, Place(PlaceId("stop/1/2"))) == (
        "Oilpetrol, the top waypoint of the second card of column 1"
    )
    assert thing("en", TALL, Place(PlaceId("card/1/3"))) == "The bottom card of column 1"


def test_pieces_are_called_by_where_they_lie_and_pawns_by_whose_they_are() -> None:
    assert thing("en", TALL, Piece(card("9a"))) == "The second card of column 1"
    assert thing("fr", TALL, Piece(card("4a"))) == "La carte de la colonne 2"
    assert thing("en", TALL, Piece(PieceId("pawn-1"))) == "Ben’s pawn"
    assert thing("fr", TALL, Piece(PieceId("pawn-0"))) == "Le pion d’Ada"
    assert thing("en", TALL, Piece(card("22b"))) == "Card 3421 BYRG b"
    assert thing("fr", TALL, Piece(card("22b"))) == "La carte 3421 BYRG b"


@pytest.mark.parametrize(
    ("intent", "fr"),
    [
        (i.PutBlank(ADA, PlaceId("column/2"), 12), "Une carte cachée est dans la colonne 2, son haut 12 voies au-"),
        (i.PutCard(ADA, card("4a"), PlaceId("column/2"), 0), "À poser dans la colonne 2, son haut à hauteur du Départ"),
        (i.RemoveCard(ADA, card("4a")), "À remettre dans la pioche\u00a0: la carte de la colonne 2"),
    ],
)
def test_in_french_a_thing_has_its_article_and_only_one(intent: Intent, fr: str) -> None:
    assert called_in("fr", TALL, intent).startswith(fr)


def test_in_french_a_counter_is_taken_and_not_a_good() -> None:
    taken = tell("fr", TALL, i.GoAbove(ADA), i.Drew(TABLE, card("2a")), i.StopOn(ADA, 1))[:2]
    assert taken == [
        "Ada s’arrête sur l’étape du haut (Beetcandy) de la carte du haut de la colonne 1.",
        "Ada prend un jeton Beetcandy.",
    ]


def test_a_high_column_is_counted_from_the_top() -> None:
    names = [speaker("en").say(say("choice", item=lies(3, at, 12))) for at in (1, 2, 9, 10, 12)]
    assert names[0] == "The top card of column 3"
    assert names[1:3] == ["The second card of column 3", "The ninth card of column 3"]
    assert names[3:] == ["Card 10 from the top of column 3", "The bottom card of column 3"]


@pytest.mark.parametrize("place", ["(", "card/0/1", "card/9/1", "stop/9/1", "lane/x", "column/1/2/3", "", "market/"])
def test_a_place_that_nobody_has_stops_nothing(place: str) -> None:
    assert thing("en", TALL, Place(PlaceId(place)))


NUMBERED = re.compile(
    r"lane [−-]?\d|voie [−-]?\d|card \d+[ab]|carte \d+[ab]|col\. |[Ww]aypoint \d|étape \d|[−-]\d|pawn \d"
)


def sayings(state: State, intent: Intent, verdict: Accepted) -> list[Said]:
    view, after = mask(state, PUBLIC), mask(verdict.after, PUBLIC)
    known = known_pieces(GAME, view)
    saids = [label(GAME, view, wish, known) for wish in legal(GAME, view, intent.actor)]
    saids += [label(GAME, view, wish, known) for verb in GAME.corrections for wish in verb.arguments(view, ADA)]
    saids += [told(GAME, after, event, PUBLIC) for event in verdict.events]
    saids += [Said("decide." + asked.kind, asked.facts) for asked in GAME.decisions(view)]
    things: list[Fact] = [
        called(GAME, view, what) for at in GAME.layout(view) for what in (Piece(at.piece), Place(at.place))
    ]
    saids += [say("choice", item=each) for each in things]
    return [*saids, *GAME.status(view).words, *GAME.picture(view).rows, GAME.headline(view)]


@cache
def all_sayings() -> frozenset[Said]:
    """Everything that is said in one game, each saying once."""
    steps = played(Random(8), 5, 160, slide="card-and-above")
    return frozenset(said for step in steps for said in sayings(*step))


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("surface", ["", "oled"])
def test_no_number_of_a_lane_a_face_or_a_pawn_is_ever_told(lang: str, surface: Any) -> None:
    speak = speaker(lang)
    for said in all_sayings():
        assert not NUMBERED.search(speak.say(said, surface)), said


def test_a_text_with_the_number_of_a_lane_would_be_caught() -> None:
    for words in ("to col. 2", "lane −14", "voie -2", "waypoint 3 of card 23b", "pawn 2"):
        assert NUMBERED.search(words)


def test_nothing_is_seen_by_nobody() -> None:
    """Ada asks about a seat that doesn't exist: her question is still answered."""
    assert called_in("en", TALL, i.Travel(SeatId(9), card("5a"))) == "Travel to the card of column 3"
