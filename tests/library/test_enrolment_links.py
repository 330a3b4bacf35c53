"""Links on stickers while tags are given: which tag gets one, what people are told; the tagbook comes first."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.core import LinkOutcome, Uid, say
from companion.library.enrolment import linked, signal
from tests.library.test_enrolment_rows import COIL, GEAR, ONE, RIGHT, THREE, TWO, Bench, tag

GOOD = ("new", "same")
TRIES = ("gone", "again")


def linking(bench: Bench | None = None) -> Bench:
    bench = bench or Bench()
    bench.do("link")
    return bench


def test_links_are_written_only_while_people_want_them() -> None:
    bench = Bench()
    assert bench.lay(ONE).link is None
    assert bench.do("link").note == say("enrol.links-on")
    assert bench.lay(TWO).link == TWO
    assert bench.do("link").note == say("enrol.links-off")
    assert bench.lay(THREE).link is None


def test_a_tag_is_in_the_tagbook_before_its_link_is_written_and_stays_there_whatever_comes_of_it() -> None:
    for outcome in get_args(LinkOutcome):
        bench = linking()
        now = bench.lay(ONE)
        assert (now.link, bench.book.find(ONE)) == (ONE, tag(COIL))
        linked(now, ONE, outcome)
        assert bench.book.find(ONE) == tag(COIL)


@pytest.mark.parametrize("outcome", get_args(LinkOutcome))
def test_people_are_told_what_came_of_it_and_whether_to_lay_it_again(outcome: LinkOutcome) -> None:
    now = linking().lay(ONE)
    after = linked(now, ONE, outcome)
    assert after.note == say(f"enrol.link.{outcome}")
    assert (after.link == ONE) == (outcome in TRIES)
    assert signal(now, after) == ("accepted" if outcome in GOOD else "refused")
    assert linked(now, TWO, outcome) == now, "about another tag"


def test_a_tag_laid_again_is_only_written_again() -> None:
    bench = linking()
    bench.now = linked(bench.lay(ONE), ONE, "again")
    again = bench.lay(ONE)
    assert (again.link, again.note, len(again.steps)) == (ONE, say("enrol.link-again"), 1)
    assert bench.lay(TWO).link == TWO, "or left as it is"
    assert bench.book.find(TWO) == tag(GEAR)


def test_tags_that_were_given_long_ago_get_links_too_where_they_are_only_told() -> None:
    bench = linking(Bench("tell", tags={ONE: tag(COIL)}))
    assert bench.lay(ONE).link == ONE
    assert bench.lay(TWO).link is None, "nobody knows it"


def test_a_tag_that_is_something_else_gets_a_link_only_when_it_is_given_anyway() -> None:
    bench = linking(Bench(tags={ONE: tag(GEAR)}))
    assert bench.lay(ONE).link is None
    assert bench.do("anyway").link == ONE


def test_naming_readers_and_taking_back_write_nothing() -> None:
    assert linking(Bench("readers", tags={ONE: tag(COIL)})).lay(ONE, RIGHT).link is None
    bench = linking()
    bench.lay(Uid(ONE))
    assert bench.do("undo").link is None
