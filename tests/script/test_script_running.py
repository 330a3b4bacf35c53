"""Differences are reported for what they are; the same script always runs the same way."""

from __future__ import annotations

import pytest

from companion.app.script import Difference, Line, read, run
from companion.table import Snapshot

DEALT = """\
game actionworks
seats Ada, Ben
chance scripted
table does name-first Ada
draw demand-make, demand-take
draw make-2a, take-2a
draw make-1a, take-1a
draw make-3a, borrow-3a
"""


def differences(body: str, top: str = DEALT) -> tuple[Difference, ...]:
    return run(read(top + body)).differences


def found(body: str, top: str = DEALT) -> list[str]:
    return [difference.found for difference in differences(body, top)]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("phone Ben does ship make-3a\nexpect accepted", "refused A5 your-turn"),
        ("phone Ada does ship make-1a\nexpect refused A5", "accepted"),
        ("phone Ben does ship make-3a\nexpect refused A6", "refused A5 your-turn"),
        ("phone Ben does ship make-3a\nexpect refused A5 running", "refused A5 your-turn"),
        ("press check\nexpect accepted", "nothing was done or refused"),
        ("expect awaited Ben", "Ada"),
        ("expect awaited table", "Ada"),
        ("expect decision clear", "turn"),
        ("expect over", "not over; awaited: Ada"),
        ("expect winners Ada", "not over; awaited: Ada"),
        ("phone Ada does ship make-1a\nexpect marks A5", "no marks"),
        ("tap borrow-3a\nexpect oled turn", "refused A6"),
        ("tap borrow-3a\nexpect oled refused A5", "refused A6"),
        ("tap borrow-3a\nexpect oled then refused A6", "turn"),
        ("expect Ada may take make-2a", "not offered"),
        ("expect Ada may not ship make-1a", "offered"),
        ("expect Ada sees hands.Ada = make-1a", "make-1a, take-1a"),
        ("expect Ada sees hands.Ada has make-7", "make-1a, take-1a"),
        ("expect Ada sees hands.Ada has no make-1a", "make-1a, take-1a"),
        ("expect Ada sees hands.Ben = make-3a, borrow-3a", "?, ?"),
        ("expect public turn = Ben", "Ada"),
        ("expect public heap = make-7", "nothing"),
        ("expect public steps = clearing", "turn"),
        ("expect public demands = demand-take, demand-make", "demand-make, demand-take"),
        ("expect public hands.Cleo = nothing", "no seat 'Cleo'; there are: Ada, Ben"),
        ("expect public bench.9 = make-7", "there is no item 9 here; the list has 2, counted from 0"),
        ("expect public deck.topp = ?", "no fact 'topp'; did you mean 'top'?"),
        ("expect public round.more = 1", "'more' leads nowhere: 1 has no parts"),
    ],
)
def test_what_was_found_instead_is_told(body: str, told: str) -> None:
    assert found(body) == [told]


def test_the_text_of_the_display_is_told_in_the_scripts_language() -> None:
    body = 'tap borrow-3a\nexpect oled text "nowhere"'
    (english,), (french,) = found(body), found(body, DEALT.replace("chance", "lang fr\nchance"))
    assert english.startswith("A6 · ")
    assert french.startswith("A6 · ")
    assert english != french


def test_a_state_is_known_by_its_hash() -> None:
    (digest,) = found("expect state 00")
    assert found(f"expect state {digest}") == []


def test_an_outcome_that_nobody_asked_for_is_told() -> None:
    (told,) = differences("phone Ada does ship make-1a\ndraw make-7, make-6\nphone Ada takes back\nexpect accepted")
    assert (told.text, told.found) == ("draw make-7, make-6", "was not asked for")


def test_a_table_that_waits_for_chance_ends_the_script_with_its_reason() -> None:
    play = "phone Ada does play make-1a\n"
    assert found(play + "phone Ada does ship take-1a") == ["the table waits for chance (flip), and nothing is given"]
    assert found(play + "draw make-2a\nphone Ada does ship take-1a") == [
        "the table waits for chance (flip), where line 10 (draw make-2a) cannot fall"
    ]
    assert found(play) == ["the table waits for chance (flip)"]
    assert found(play + "draw make-2a") == ["cannot fall where the table asks for it"]
    top = "game actionworks\nseats Ada, Ben\nchance scripted\n"
    assert found("press ok", top) == ["the table waits for chance (name-first), and nothing is given"]


def test_outcomes_may_be_given_in_advance() -> None:
    body = "draw make-7, make-6\nphone Ada does play make-1a\nexpect public bench has make-7, make-6"
    assert found(body) == []


def test_typed_chance_is_tapped_and_counted_as_chance() -> None:
    top = "game actionworks\nseats Ada, Ben\nchance typed\n"
    report = run(read(top + "table does name-first Ben\ndraw demand-make, demand-take\ntap make-2a\ndraw make-2a\n"))
    assert not report.differences
    assert (report.count.inputs, report.count.chance) == (5, 5)
    assert report.last.state.bench == ("make-2a",)
    refused = read(
        top + "table does name-first Ben\ndraw demand-make, demand-take, make-2a, make-2a\nexpect refused A4"
    )
    assert not run(refused).differences


def test_the_count_tells_acts_turns_and_inputs() -> None:
    body = "tap make-1a\npress next\npress ok\nphone Ada does ship take-1a\nphone Ben does clear-take make-2a\n"
    count = run(read(DEALT + body + "draw make-7, make-6")).count
    assert (count.inputs, count.chance, count.acts, count.turns) == (5, 0, 3, 2)
    assert count.per_turn == 2.5


def test_a_watcher_sees_the_table_after_each_line_that_does_something() -> None:
    seen: list[tuple[int, int]] = []

    def watch(line: Line, now: Snapshot) -> None:
        seen.append((line.number, now.seq))

    run(read(DEALT + "phone Ada does ship make-1a\nexpect accepted\n\nphone Ada takes back\n"), watch=watch)
    assert seen == [(9, 11), (12, 12)]


def test_a_reader_that_is_lost_is_trouble_until_it_is_back() -> None:
    body = "reader left lost\nexpect oled trouble\nreader left back\nexpect awaited Ada"
    for wire in (False, True):
        report = run(read(DEALT + body), wire=wire)
        assert not report.differences
        assert report.last.troubles == ()


def test_dial_holds_and_lifts_go_through_the_wire() -> None:
    body = "hold check\npress ok\ntap seat Ben\nturn 5\npress ok\nlift make-1a\nexpect public totals.Ben = 5"
    direct, wired = run(read(DEALT + body)), run(read(DEALT + body), wire=True)
    assert not direct.differences
    assert not wired.differences


def test_a_seat_given_to_a_bot_is_played_when_the_script_says_so() -> None:
    body = "phone Ada lets the bot play\nbot Ada acts\nexpect accepted\nphone Ada plays again\nbot Ada acts\n"
    report = run(read(DEALT + body + "expect refused C3"))
    assert [d.found for d in report.differences] == ["nothing was done or refused"]
    assert [chair.bot for chair in report.last.chairs] == [False, False]
