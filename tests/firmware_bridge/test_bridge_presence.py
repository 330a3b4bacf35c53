"""What lies where: arrivals are plays, levels are layout, a lost reader removes nothing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.core import Found, Lifted, ReaderBack, ReaderId, ReaderLost, Tapped, Uid
from firmware_bridge.presence import (
    Arrived,
    Back,
    Connected,
    Disconnected,
    Left,
    Lies,
    Lost,
    Lying,
    Presence,
    Report,
    Sensed,
    observe,
)

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
COIL, PLANT = Uid("04A2B3C4D5E680"), Uid("04C0FFEE")


def told(*reports: Report) -> tuple[Presence, list[Sensed]]:
    """What is told after both readers were heard for the first time."""
    presence, inputs = Presence(), list[Sensed]()
    first: tuple[Report, ...] = (Connected((LEFT, RIGHT)), Lies(LEFT, ()), Lies(RIGHT, ()))
    for report in first:
        presence, sensed = observe(presence, report)
        inputs += sensed
    assert inputs == [Found(LEFT, ()), Found(RIGHT, ())]
    inputs.clear()
    for report in reports:
        presence, sensed = observe(presence, report)
        inputs += sensed
    return presence, inputs


def test_a_card_laid_and_lifted_is_told_once_each() -> None:
    presence, inputs = told(Arrived(COIL, LEFT), Arrived(COIL, LEFT), Left(COIL, LEFT), Left(COIL, LEFT))
    assert inputs == [Tapped(COIL, LEFT), Lifted(COIL, LEFT)]
    assert presence.lying == ()


def test_a_card_lying_there_at_connect_is_layout_and_its_leaving_is_told() -> None:
    presence, inputs = told(Lies(LEFT, (COIL,)), Arrived(COIL, LEFT))
    assert inputs == [Found(LEFT, (COIL,))]
    assert presence.on(LEFT) == (COIL,)
    assert told(Lies(LEFT, (COIL,)), Left(COIL, LEFT))[1] == [Found(LEFT, (COIL,)), Lifted(COIL, LEFT)]


def test_a_level_that_is_no_news_is_not_told_again() -> None:
    assert told(Lies(LEFT, ()), Arrived(COIL, LEFT), Lies(LEFT, (COIL,)))[1] == [Tapped(COIL, LEFT)]


def test_a_pulled_cable_loses_every_reader_once_and_removes_nothing() -> None:
    presence, inputs = told(Arrived(COIL, LEFT), Lost(LEFT), Disconnected(), Disconnected())
    assert inputs == [Tapped(COIL, LEFT), ReaderLost(LEFT), ReaderLost(RIGHT)]
    assert presence.on(LEFT) == (COIL,)
    assert presence.lost == (LEFT, RIGHT)


def test_after_the_cable_is_back_levels_tell_what_was_lifted_and_play_nothing() -> None:
    again = (Disconnected(), Connected((LEFT, RIGHT)), Lies(LEFT, ()), Lies(RIGHT, (PLANT,)))
    presence, inputs = told(Arrived(COIL, LEFT), *again)
    back = [ReaderBack(LEFT), Found(LEFT, ()), Lifted(COIL, LEFT), ReaderBack(RIGHT), Found(RIGHT, (PLANT,))]
    assert inputs == [Tapped(COIL, LEFT), ReaderLost(LEFT), ReaderLost(RIGHT), *back]
    assert presence.on(RIGHT) == (PLANT,)


def test_a_reader_that_is_still_lost_when_the_cable_is_back_stays_lost() -> None:
    presence, inputs = told(Lost(LEFT), Disconnected(), Connected((LEFT, RIGHT)), Lost(LEFT), Lies(RIGHT, ()))
    assert inputs == [ReaderLost(LEFT), ReaderLost(RIGHT), ReaderBack(RIGHT), Found(RIGHT, ())]
    assert presence.lost == (LEFT,)


def test_a_reader_comes_back_once() -> None:
    assert told(Lost(LEFT), Back(LEFT), Lies(LEFT, ()), Back(LEFT))[1] == [ReaderLost(LEFT), ReaderBack(LEFT)]


def at(*reports: tuple[float, Report]) -> tuple[Presence, list[Sensed]]:
    presence, inputs = Presence((LEFT, RIGHT)), list[Sensed]()
    for now, report in reports:
        presence, sensed = observe(presence, report, now)
        inputs += sensed
    return presence, inputs


def test_a_card_moved_faster_than_its_leaving_is_noticed_is_lifted_and_then_played() -> None:
    presence, inputs = at((0, Arrived(COIL, LEFT)), (9, Arrived(COIL, RIGHT)))
    assert inputs == [Tapped(COIL, LEFT)]
    assert at((0, Arrived(COIL, LEFT)), (9, Arrived(COIL, RIGHT)), (9.2, Left(COIL, LEFT)))[1] == [
        Tapped(COIL, LEFT),
        Lifted(COIL, LEFT),
        Tapped(COIL, RIGHT),
    ]
    assert presence.questions(9.5) == ()


def test_a_neighbour_that_reads_a_card_for_a_moment_plays_nothing() -> None:
    presence, inputs = at((0, Arrived(COIL, LEFT)), (9, Arrived(COIL, RIGHT)), (9.4, Left(COIL, RIGHT)))
    assert inputs == [Tapped(COIL, LEFT)]
    assert presence == Presence((LEFT, RIGHT), (), presence.lying)
    assert presence.on(LEFT) == (COIL,)


def test_the_same_card_on_two_readers_is_a_question_until_it_is_lifted_off_one() -> None:
    presence, inputs = at((0, Arrived(COIL, LEFT)), (9, Arrived(COIL, RIGHT)), (10, Lies(RIGHT, (COIL,))))
    assert presence.questions(10) == ()
    assert presence.questions(10.6) == ((LEFT, RIGHT),)
    assert inputs == [Tapped(COIL, LEFT)]
    presence, sensed = observe(presence, Lies(LEFT, ()), 20)
    assert sensed == (Found(LEFT, ()), Lifted(COIL, LEFT), Tapped(COIL, RIGHT))
    assert presence.questions(99) == ()


def test_the_same_card_on_two_readers_at_connect_is_a_question_and_never_a_play() -> None:
    presence, _ = at((0, Lies(LEFT, (COIL,))), (0, Lies(RIGHT, (COIL,))))
    assert presence.questions(2) == ((LEFT, RIGHT),)
    assert observe(presence, Left(COIL, LEFT), 3)[1] == (Lifted(COIL, LEFT),)
    assert observe(presence, Left(COIL, RIGHT), 3)[1] == (Lifted(COIL, RIGHT),)


def test_a_lost_reader_has_no_say_in_where_a_card_is() -> None:
    presence, inputs = at((0, Arrived(COIL, LEFT)), (1, Lost(LEFT)), (2, Arrived(COIL, RIGHT)))
    assert inputs == [Tapped(COIL, LEFT), ReaderLost(LEFT), Tapped(COIL, RIGHT)]
    assert presence.questions(9) == ()
    doubted, _ = at((0, Arrived(COIL, LEFT)), (2, Arrived(COIL, RIGHT)))
    assert observe(doubted, Disconnected(), 3)[1] == (ReaderLost(LEFT), ReaderLost(RIGHT))
    assert observe(doubted, Disconnected((LEFT,)), 3)[1] == (ReaderLost(LEFT), Tapped(COIL, RIGHT))


READERS, UIDS = st.sampled_from([LEFT, RIGHT]), st.sampled_from([COIL, PLANT, Uid("04DEADBEEF")])
REPORTS = st.lists(
    st.one_of(
        st.builds(Arrived, UIDS, READERS),
        st.builds(Left, UIDS, READERS),
        st.builds(Lies, READERS, st.lists(UIDS, unique=True).map(tuple)),
        st.builds(Lost, READERS),
        st.builds(Back, READERS),
        st.just(Disconnected()),
        st.just(Connected((LEFT, RIGHT))),
    ),
    max_size=30,
)


@given(REPORTS)
def test_only_arrivals_play_and_every_input_is_a_change(reports: list[Report]) -> None:
    presence = Presence((LEFT, RIGHT))
    for report in reports:
        before = presence
        presence, sensed = observe(before, report)
        for each in sensed:
            match each:
                case Tapped(uid, reader):
                    if report == Arrived(uid, reader):
                        assert uid not in before.on(reader)
                    else:
                        assert [doubt.is_play for doubt in before.doubts if doubt.one == Lying(reader, uid)] == [True]
                case Lifted(uid, reader):
                    assert uid in before.on(reader)
                    assert uid not in presence.on(reader)
                case ReaderLost(reader):
                    assert reader not in before.lost
                    assert presence.lying == before.lying
                case ReaderBack(reader):
                    assert reader in before.lost
