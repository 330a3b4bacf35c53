"""A script with mistakes is refused as a whole, each mistake with its line and what was probably meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.script import ScriptError, read, read_file
from companion.app.script.lines import Falls, PhoneActs, PhoneTakesBack, Refuses, Sees, Shows
from companion.app.script.words import bare, words_of
from companion.core import PieceId, PlaceId, Pressed, ReaderId, SeatId, Seq, Tapped, Token, Turned, Uid
from companion.games.actionworks.rules.intents import MoveCard, Play, SetTotal

TOP = "game actionworks\nseats Ada, Ben\n"


def problems(body: str, top: str = TOP) -> list[str]:
    with pytest.raises(ScriptError) as caught:
        read(top + body, "evening.txt")
    return str(caught.value).splitlines()


def deed(line: str, top: str = TOP) -> object:
    (one,) = read(top + line).lines
    return one.deed


def test_lines_become_inputs_intents_and_expectations() -> None:
    assert deed("press ok") == Pressed("ok")
    assert deed("hold NEXT") == Pressed("next", held=True)
    assert deed("turn -2") == Turned(-2)
    assert deed("draw make-4") == Falls(Token("piece", "make-4"))
    assert deed("roll 7") == Falls(Token("number", 7))
    assert deed("phone Ben does play make-4") == PhoneActs(Play(SeatId(1), PieceId("make-4")))
    assert deed("phone Ada does set-total number=12 seat=ben") == PhoneActs(SetTotal(SeatId(0), SeatId(1), 12))
    assert deed("phone Ada does move-card make-4 hand/Ben") == PhoneActs(
        MoveCard(SeatId(0), PieceId("make-4"), PlaceId("hand/1"))
    )
    assert deed("phone Ada takes back to #12") == PhoneTakesBack(SeatId(0), Seq(12))
    assert deed("expect refused A6 in-hand") == Refuses("A6", "in-hand")
    assert deed("expect refused C7") == Refuses("C7")
    assert deed('expect oled then text "two words"') == Shows(text="two words", then=True)
    assert deed("expect Ben sees hands.Ben = make-4, ?") == Sees(SeatId(1), ("hands", "Ben"), "=", ("make-4", "?"))
    tapped = deed("tap uid 04:a1:b2:c3 right")
    assert tapped == Tapped(Uid("04A1B2C3"), ReaderId("right"))


def test_several_outcomes_on_one_line_are_several() -> None:
    lines = read(TOP + "draw make-4, make-5 take-4").lines
    assert [line.deed for line in lines] == [Falls(Token("piece", p)) for p in ("make-4", "make-5", "take-4")]


def test_a_name_with_a_space_is_quoted() -> None:
    top = 'game actionworks\nseats Anne Marie, "Ben"\n'
    assert deed('phone "Anne Marie" does play make-4', top) == PhoneActs(Play(SeatId(0), PieceId("make-4")))
    assert deed('phone Ben does set-total seat="Anne Marie" number=3', top) == PhoneActs(
        SetTotal(SeatId(1), SeatId(0), 3)
    )


def test_a_comment_begins_with_a_hash_that_stands_alone() -> None:
    assert bare("press ok # and wait") == "press ok"
    assert bare("# all of it") == ""
    assert bare("press ok #") == "press ok"
    assert bare("phone Ada takes back to #12  # four cards") == "phone Ada takes back to #12"
    assert bare('expect oled text "a # b" # c') == 'expect oled text "a # b"'
    assert words_of("draw a, b,c") == ("draw", "a", "b", "c")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tpa make-4", "no kind of line 'tpa'; did you mean 'tap'?"),
        ("tap make-44", "no piece 'make-44'; did you mean 'make-4'?"),
        ("tap", "what is tapped?"),
        ("tap make-4 lef", "no reader 'lef'; did you mean 'left'?"),
        ("tap make-4 left right", "'right' is one word too many"),
        ("tap uid 04", "is not a tag number"),
        ("press okay", "no button 'okay'; did you mean 'ok'?"),
        ("press", "one word is wanted here, not 0; write: press ok"),
        ("turn two", "'two' is not a whole number"),
        ("reader left gone", "write: reader left lost"),
        ("phone Adda does end-turn", "no seat 'Adda'; did you mean 'Ada'?"),
        ("phone Ada plays make-4", "what does the phone do? Write: "),
        ("phone Ada does ply make-4", "no verb 'ply'; did you mean 'play'?"),
        ("phone Ada does play", "play wants card (a piece); 'card' is missing"),
        ("phone Ada does play make-4 make-5", "'make-5' is one word too many; play wants card (a piece)"),
        ("phone Ada does play crad=make-4", "no argument of play 'crad'; did you mean 'card'?"),
        ("phone Ada does", "a verb is missing"),
        ("bot Ada sleeps", "write: bot Ben acts"),
        ("table drew make-4", "Write: table does name-first Ada"),
        ("draw", "a word is missing here; write: draw make-3a"),
        ("expect", "what is expected?"),
        ("expect refused A99", "no rule 'A99'"),
        ("expect refusd A5", "no form of expect 'refusd'; did you mean 'refused'?"),
        ("expect oled choice", "no page of the display 'choice'; did you mean 'choose'?"),
        ("expect public bensh = make-4", "no fact of actionworks 'bensh'; did you mean 'bench'?"),
        ("expect public bench", "a fact is a path and its value"),
        ('expect oled text "open', "is not closed"),
        ("game actionworks", "'game' belongs at the top"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_was_meant(line: str, told: str) -> None:
    (problem,) = problems(f"press ok\n{line}\n")
    assert problem.startswith("evening.txt:4: ")
    assert told in problem


def test_all_mistakes_are_told_at_once() -> None:
    assert [p.split(": ")[0] for p in problems("tpa x\npress ok\n\npress ko\n")] == ["evening.txt:3", "evening.txt:6"]


@pytest.mark.parametrize(
    ("top", "told"),
    [
        ("seats Ada, Ben\n", "the line 'game' is missing"),
        ("game actionworks\n", "the line 'seats' is missing"),
        ("game actionwork\nseats Ada, Ben\n", "did you mean 'actionworks'?"),
        ("game actionworks\nseats Ada\n", "2 to 6 seats, not 1"),
        (TOP + "option new_typ by-choice\n", "no option 'new_typ'; did you mean 'new_type'?"),
        (TOP + "option new_type by-chance\n", "did you mean 'by-choice'?"),
        (TOP + "chance type\n", "no chance 'type'; did you mean 'typed'?"),
        (TOP + "mode strikt\n", "no mode 'strikt'; did you mean 'strict'?"),
        (TOP + "lang de\n", "no lang 'de'"),
    ],
)
def test_a_top_that_cannot_be_is_told(top: str, told: str) -> None:
    assert told in problems("press ok\n", top)[0]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be read: No such file"):
        read_file(tmp_path / "none.txt")
    (tmp_path / "latin.txt").write_bytes(b"game \xe9")
    with pytest.raises(ScriptError, match="not UTF-8"):
        read_file(tmp_path / "latin.txt")


def test_an_appeal_is_an_act_that_asks_the_table() -> None:
    assert deed("phone Ben appeals play make-4") == PhoneActs(Play(SeatId(1), PieceId("make-4")), appeals=True)
