"""Why not, in full: the rule, the reason, and the facts. Ada acts unless somebody else is named."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Fact, Intent, Piece, PieceId, Place, PlaceId, Refused, Seat, SeatId, Word, judge
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import Over, Selling, State, Stopping, level, lies
from tests.games.timeline.board import ADA, BEN, act, board, broken, card, opened

Reason = tuple[str, str, dict[str, Fact]]


def reasons(state: State, intent: Intent) -> list[Reason]:
    verdict = judge(GAME, state, intent)
    assert isinstance(verdict, Refused), verdict
    return [(refusal.rule, refusal.key, dict(refusal.facts)) for refusal in verdict.refusals]


def why(rule: str, key: str, **facts: Fact) -> Reason:
    return rule, key, facts


COLUMN_1, COLUMN_2 = PlaceId("column/1"), PlaceId("column/2")
TURN = board([("=1a", 0), ("?", 4)], [("=2a", 0)], pawns={0: (1, 0), 1: (1, 2)})
STOPPING = replace(TURN, steps=(*TURN.steps, Stopping(ADA, 1, 0)))
MARKET = board(pawns={0: (5, 1), 1: (2, 0)}, goods={0: (0, 3, 0, 0)})
SPARE = board([("=1a", 0), ("?", 4)], pawns={0: (1, 0), 1: (2, 0)}, blanks="stand-ins", deck=0)
FAR_OFF = board([("=1a", 0)], [("=2a", 9)], pawns={0: (1, 0), 1: (3, 0)}, deck=2)
ON_LINE = board([("=1a", 0)], [("=2a", 0)], pawns={0: (1, 0), 1: (2, 0)})
GAP = board([("=1a", 1)], [("=2a", 0), ("=3a", 6)], pawns={0: (1, 4), 1: (3, 0)}, slide="card-and-above")
OFF_LINE = board([("=1a", 0)], [("=2a", 1)], pawns={0: (1, 0), 1: (3, 0)})
BLANKS = board([("?", 0)], [("?", 0), ("3a", 4)], pawns={0: (2, 5), 1: (3, 0)})
PLACING = opened(2, Random(1))
FIRST, SECOND = PLACING.columns[0][0].card, PLACING.columns[1][0].card


@pytest.mark.rule("T5", "T.aa", "T8", "T18", "T.u", "T9", "T.d", "T.f", "T.g", "T.p")
@pytest.mark.parametrize(
    ("state", "intent", "reason"),
    [
        (PLACING, i.Place(PLACING.turn, SECOND, 1), why("T.aa", "your-card", card=lies(2, 1, 1), column=1)),
        (PLACING, i.Place(PLACING.turn, FIRST, 0), why("T5", "waypoint", number=0)),
        (PLACING, i.Place(PLACING.turn, FIRST, 5), why("T5", "waypoint", number=5)),
        (TURN, i.Place(ADA, card("1a"), 1), why("T5", "placing")),
        (TURN, i.Move(ADA, card("9a"), 1), why("T8", "on-board")),
        (TURN, i.Move(ADA, card("1a"), 0), why("T8", "waypoint", number=0)),
        (TURN, i.Move(ADA, card("1a"), 5), why("T8", "waypoint", number=5)),
        (TURN, i.Move(ADA, card("2a"), 1), why("T8", "own-column", card=lies(2, 1, 1), column=1)),
        (TURN, i.Move(ADA, card("1a"), 3), why("T18", "waypoint-free", seat=Seat(BEN))),
        (TURN, i.Move(ADA, card("1a"), 1), why("T.u", "elsewhere")),
        (TURN, i.StopOn(ADA, 1), why("T9", "stopping")),
        (STOPPING, i.StopOn(ADA, 0), why("T9", "waypoint", number=0)),
        (STOPPING, i.StopOn(ADA, 5), why("T9", "waypoint", number=5)),
        (STOPPING, i.StopOn(ADA, 3), why("T18", "new-waypoint-free", seat=Seat(BEN))),
        (TURN, i.Flip(ADA, PlaceId("card/1/1")), why("T.f", "blank-there")),
        (TURN, i.Flip(ADA, PlaceId("card/1/3")), why("T.f", "blank-there")),
        (BLANKS, i.Flip(ADA, PlaceId("card/1/1")), why("T8", "own-column", card=lies(1, 1, 1), column=2)),
        (SPARE, i.Flip(ADA, PlaceId("card/1/2")), why("T.p", "stand-in-swapped")),
        (SPARE, i.GoAbove(ADA), why("T.g", "deck-left")),
        (TURN, i.Move(BEN, card("1a"), 2), why("T6", "your-turn", seat=Seat(ADA))),
        (MARKET, i.GoBelow(ADA), why("T.d", "in-zone")),
    ],
)
def test_placing_and_local_moves(state: State, intent: Intent, reason: Reason) -> None:
    assert reasons(state, intent)[0] == reason


@pytest.mark.rule("T10", "T11", "T14", "T.w", "T.q", "T.ac", "T.c")
@pytest.mark.parametrize(
    ("state", "intent", "reason"),
    [
        (ON_LINE, i.Travel(ADA, card("9a")), why("T10", "on-board")),
        (ON_LINE, i.Travel(ADA, card("1a")), why("T10", "other-column")),
        (OFF_LINE, i.Travel(ADA, card("2a")), why("T10", "on-line", card=lies(2, 1, 1))),
        (ON_LINE, i.Travel(ADA, card("2a")), why("T.w", "stop-free", seat=Seat(BEN), card=lies(2, 1, 1))),
        (ON_LINE, i.Explore(ADA, COLUMN_2), why("T11", "open-there", place=Place(COLUMN_2))),
        (ON_LINE, i.Explore(ADA, COLUMN_1), why("T10", "other-column")),
        (ON_LINE, i.Explore(ADA, PlaceId("column/0")), why("T14", "column-there")),
        (ON_LINE, i.Explore(ADA, PlaceId("column/5")), why("T14", "column-there")),
        (FAR_OFF, i.Explore(ADA, COLUMN_2), why("T.q", "deck-enough", due=3, left=2)),
        (GAP, i.Explore(ADA, COLUMN_2), why("T.ac", "no-gap", place=Place(COLUMN_2))),
        (MARKET, i.EnterMarket(ADA), why("T.c", "not-in-market")),
    ],
)
def test_time_travel(state: State, intent: Intent, reason: Reason) -> None:
    assert reasons(state, intent)[0] == reason


@pytest.mark.rule("T21", "T22", "T.y", "T.b", "T.af", "T23", "T25")
@pytest.mark.parametrize(
    ("state", "intent", "reason"),
    [
        (MARKET, i.Sell(ADA, 0), why("T.y", "in-stock", high=3)),
        (MARKET, i.Sell(ADA, 4), why("T.y", "in-stock", high=3)),
        (replace(MARKET, goods=((1, 0, 1, 1),) * 2), i.Sell(ADA, 1), why("T21", "has-good", good=Word("good.milk"))),
        (board(pawns={0: (5, 4), 1: (2, 0)}), i.Sell(ADA, 1), why("T22", "connected")),
        (TURN, i.Sell(ADA, 1), why("T21", "in-market")),
        (STOPPING, i.Sell(ADA, 1), why("T.x", "stop-first", seat=Seat(ADA), column=1)),
        (MARKET, i.KeepGoods(ADA), why("T.b", "entered")),
        (STOPPING, i.Stay(ADA), why("T.x", "stop-first", seat=Seat(ADA), column=1)),
        (STOPPING, i.AgreeToStop(ADA), why("T.x", "stop-first", seat=Seat(ADA), column=1)),
        (replace(TURN, agreed=(ADA,)), i.AgreeToStop(ADA), why("T.af", "not-agreed", seat=Seat(ADA))),
        (replace(TURN, steps=(Over(),), gold=(21, 0)), i.Stay(ADA), why("T23", "running")),
        (replace(TURN, steps=(Over(),), gold=(20, 0)), i.Stay(ADA), why("T.af", "not-stopped")),
        (TURN, i.Stay(SeatId(2)), why("T30", "seat-there")),
        (TURN, i.Stay(SeatId(-2)), why("T30", "seat-there")),
        (TURN, i.Drew(TABLE, card("9a")), why("T25", "draw-due")),
        (act(TURN, i.GoAbove(ADA)), i.Drew(TABLE, card("1a")), why("T25", "unseen-card")),
        (act(TURN, i.GoAbove(ADA)), i.Drew(ADA, card("9a")), why("T25", "by-chance")),
        (TURN, i.NameFirst(TABLE, ADA), why("T5", "naming")),
    ],
)
def test_markets_the_end_and_the_deck(state: State, intent: Intent, reason: Reason) -> None:
    assert reasons(state, intent)[0] == reason


LONE = board([("1a", 0)], [("2a", 0), ("3a", 4)], pawns={0: (1, 0), 1: (2, 4)})
PAWN_1A = i.SetPawn(BEN, BEN, card("1a"), 1)


@pytest.mark.rule("T30", "T3", "T26", "T1", "T2", "T.o", "T15", "T.a", "T.x")
@pytest.mark.parametrize(
    ("state", "intent", "reason"),
    [
        (LONE, i.SetGold(ADA, ADA, -1), why("T30", "in-span", low=0, high=99)),
        (LONE, i.SetGold(ADA, ADA, 100), why("T30", "in-span", low=0, high=99)),
        (LONE, i.SetGold(ADA, SeatId(2), 1), why("T30", "seat-there")),
        (LONE, i.SetGoods(ADA, ADA, PlaceId("oil"), -1), why("T30", "in-span", low=0, high=60)),
        (LONE, i.SetGoods(ADA, ADA, PlaceId("oil"), 61), why("T30", "in-span", low=0, high=60)),
        (LONE, i.SetGoods(ADA, ADA, PlaceId("deck"), 1), why("T30", "good-known")),
        (LONE, i.SetColumn(ADA, COLUMN_1, -100), why("T26", "in-span", low=-99, high=99)),
        (LONE, i.SetColumn(ADA, COLUMN_1, 100), why("T26", "in-span", low=-99, high=99)),
        (LONE, i.SetColumn(ADA, PlaceId("column/0"), 0), why("T1", "column-known")),
        (LONE, i.SetColumn(ADA, PlaceId("column/5"), 0), why("T1", "column-known")),
        (LONE, i.SetCounter(ADA, card("9a"), 1), why("T3", "on-board")),
        (LONE, i.SetCounter(ADA, card("1a"), 0), why("T3", "waypoint", number=0)),
        (LONE, i.SetCounter(ADA, card("1a"), 5), why("T3", "waypoint", number=5)),
        (LONE, i.SetCounter(ADA, card("1a"), 1), why("T15", "pawn-there")),
        (LONE, PAWN_1A, why("T18", "spot-free")),
        (
            LONE,
            i.PutCard(ADA, PieceId("face-99a"), COLUMN_1, 9),
            why("T25", "card-known", card=Piece(PieceId("face-99a"))),
        ),
        (LONE, i.PutCard(ADA, card("9a"), COLUMN_1, 3), why("T.o", "no-overlap", at=level(3))),
        (LONE, i.PutCard(ADA, card("9a"), COLUMN_1, -3), why("T.o", "no-overlap", at=level(-3))),
        (LONE, i.PutCard(ADA, card("1a"), COLUMN_2, 8), why("T2", "not-last", card=lies(1, 1, 1))),
        (LONE, i.RemoveCard(ADA, card("1a")), why("T2", "not-last", card=lies(1, 1, 1))),
        (LONE, i.RemoveCard(ADA, card("3a")), why("T.a", "no-pawn")),
        (LONE, i.RemoveBlank(ADA, PlaceId("card/1/1")), why("T.p", "blank-known")),
        (LONE, i.RemoveBlank(ADA, PlaceId("card/9/1")), why("T.p", "blank-known")),
        (BLANKS, i.RemoveBlank(ADA, PlaceId("card/1/1")), why("T2", "not-last", card=lies(1, 1, 1))),
        (LONE, i.SetFace(ADA, PlaceId("card/1/2"), card("9a")), why("T2", "place-known")),
        (LONE, i.SetFace(ADA, PlaceId("card/1/0"), card("9a")), why("T2", "place-known")),
        (LONE, i.SetFace(ADA, PlaceId("card/1/1"), card("2a")), why("T25", "not-twice", card=lies(2, 1, 2))),
        (SPARE, i.SetFace(ADA, PlaceId("card/1/2"), card("9a")), why("T.p", "stand-in-swapped")),
        (board([("1a", 0)], deck=0), i.PutCard(ADA, card("9a"), COLUMN_1, 4), why("T25", "deck-has")),
        (board([("1a", 0)], deck=0), i.PutBlank(ADA, COLUMN_1, 4), why("T.q", "deck-has")),
        (STOPPING, i.SetColumn(ADA, COLUMN_1, 1), why("T.x", "stop-first", seat=Seat(ADA), column=1)),
        (replace(TURN, steps=(Selling(),)), i.SetTurn(ADA, BEN), why("T.b", "sale-first", seat=Seat(ADA))),
        (replace(TURN, columns=((), *TURN.columns[1:])), i.SetCounter(ADA, card("2a"), 1), why("T2", "board-laid")),
    ],
)
def test_corrections(state: State, intent: Intent, reason: Reason) -> None:
    assert reasons(state, intent)[0] == reason


@pytest.mark.rule("T30")
@pytest.mark.parametrize(
    "intent",
    [
        *(i.SetGold(ADA, ADA, number) for number in (0, 20)),
        *(i.SetGoods(ADA, ADA, PlaceId("oil"), number) for number in (0, 60)),
        *(i.SetColumn(ADA, COLUMN_1, number) for number in (-99, 99)),
        *(i.PutCard(ADA, card("9a"), COLUMN_1, number) for number in (-99, -4, 4, 99)),
        *(i.PutBlank(ADA, COLUMN_1, number) for number in (-4, 4)),
        *(i.SetCounter(ADA, card("1a"), number) for number in (2, 3, 4)),
        i.PutCard(ADA, card("1a"), COLUMN_1, 2),
        i.PutCard(ADA, card("2a"), COLUMN_1, 4),
        i.RemoveCard(ADA, card("2a")),
        i.SetFace(ADA, PlaceId("card/2/2"), card("9a")),
        i.SetPawn(ADA, ADA, card("1a"), 1),
        i.SetPawn(ADA, ADA, card("2a"), 4),
    ],
)
def test_corrections_reach_their_bounds(intent: Intent) -> None:
    assert broken(LONE, intent) == []
