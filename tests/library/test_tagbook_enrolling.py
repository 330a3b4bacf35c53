"""Ada puts tags under cards and taps them one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import CompanionError, GameId, PieceId, PlaceId, ReaderId, SeatId, Uid
from companion.library import BadUid, NumberTag, PieceTag, PlaceTag, SeatTag, Tag, Tagbook, pretend_uid, uid_of
from companion.library.tagbook import Line, Swap, TagbookDamaged
from companion.library.whole_files import NotSaved

COIL = PieceTag(GameId("actionworks"), PieceId("coil-7"))
LENS = PieceTag(GameId("actionworks"), PieceId("lens-2"))
LAB = PlaceTag(GameId("us-patent"), PlaceId("3/lab"))
ONE, TWO = Uid("04A1B2C3D4E5F6"), Uid("DEADBEEF")


def test_a_tag_is_found_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tags.toml"
    book = Tagbook.load(path)
    assert book.find(ONE) is None
    book.change([Line(ONE, COIL)])
    book.change([Line(TWO, SeatTag(SeatId(1)))])
    again = Tagbook.load(path)
    assert (again.find(ONE), again.find(TWO)) == (COIL, SeatTag(SeatId(1)))
    assert again.all() == book.all()


def test_the_file_reads_like_a_list(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    book = Tagbook.load(path)
    book.change([Line(TWO, NumberTag(6))])
    book.change([Line(ONE, COIL)])
    assert path.read_text().splitlines()[-3:] == [
        "[tags]",
        '"DEADBEEF" = { number = 6 }',
        '"04A1B2C3D4E5F6" = { game = "actionworks", piece = "coil-7" }',
    ]


def test_changes_are_made_together(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    book = Tagbook.load(path)
    book.change([Line(ONE, COIL), Line(TWO, COIL)])
    assert book.uids_of(COIL) == (ONE, TWO)
    book.change([Line(ONE, LENS), Line(TWO, None), Swap(ReaderId("left"), ReaderId("right"))])
    again = Tagbook.load(path)
    assert again.all() == ((ONE, LENS),)
    assert again.reader(ReaderId("right")) == "left"
    assert again.forget(ONE) == LENS
    assert again.forget(ONE) is None
    assert Tagbook.load(path).reader(ReaderId("left")) == "right"


def test_readers_that_cannot_be_told_apart_are_a_damage(tmp_path: Path) -> None:
    (tmp_path / "tags.toml").write_text('[readers]\nleft = "right"\n')
    with pytest.raises(TagbookDamaged, match="each reader once on either side"):
        Tagbook.load(tmp_path / "tags.toml")


def test_two_programs_do_not_lose_each_others_tags(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    running, command_line = Tagbook.load(path), Tagbook.load(path)
    running.change([Line(ONE, COIL)])
    command_line.change([Line(TWO, LENS)])
    assert Tagbook.load(path).all() == ((ONE, COIL), (TWO, LENS))


DAMAGED = """
[tags]
"04A1B2C3D4E5F6" = { game = "actionworks", piece = "coil-7" }
"04A1" = { seat = 0 }
"DEADBEEF" = { sate = 0 }
"DEADBEE0" = { seat = 1, number = 2 }
"DEADBEE1" = 5
"04:a1:b2:c3:d4:e5:f6" = { number = 1 }
[names]
x = 1
"""


def test_a_damaged_book_tells_every_line_and_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    path.write_text(DAMAGED)
    with pytest.raises(TagbookDamaged) as caught:
        Tagbook.load(path)
    error = caught.value
    assert isinstance(error, CompanionError)
    assert isinstance(error, ValueError)
    assert [problem.key for problem in error.problems] == [
        'tags."04A1"',
        'tags."DEADBEEF".sate',
        'tags."DEADBEE0"',
        'tags."DEADBEE1"',
        'tags."04:a1:b2:c3:d4:e5:f6"',
        "names",
    ]
    assert "did you mean seat?" in str(error)
    assert str(error.aside) in str(error)
    assert error.aside is not None
    assert path.read_text() == error.aside.read_text() == DAMAGED
    assert error.readable.all() == ((ONE, COIL),)


def test_going_on_with_the_good_lines_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    path.write_text(DAMAGED)
    with pytest.raises(TagbookDamaged) as caught:
        Tagbook.load(path)
    book = caught.value.readable
    book.change([Line(TWO, LENS)])
    assert Tagbook.load(path).all() == ((ONE, COIL), (TWO, LENS))
    assert (caught.value.aside or tmp_path).read_text() == DAMAGED


def test_a_book_damaged_while_running_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    book = Tagbook.load(path)
    book.change([Line(ONE, COIL)])
    path.write_text("[tags]\nhalf a line")
    with pytest.raises(TagbookDamaged):
        book.change([Line(TWO, LENS)])
    assert path.read_text() == "[tags]\nhalf a line"
    assert book.find(ONE) == COIL


def test_a_book_that_cannot_be_saved_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    book = Tagbook(tmp_path / "file" / "tags.toml")
    with pytest.raises(NotSaved, match="was not saved"):
        book.change([Line(ONE, COIL)])
    assert book.find(ONE) is None


def test_saving_leaves_no_scraps(tmp_path: Path) -> None:
    book = Tagbook.load(tmp_path / "tags.toml")
    book.change([Line(ONE, COIL)])
    (tmp_path / "tags.toml").unlink()
    (tmp_path / "tags.toml").mkdir()
    with pytest.raises((NotSaved, TagbookDamaged, IsADirectoryError)):
        book.change([Line(TWO, LENS)])
    assert [path.name for path in tmp_path.iterdir()] == ["tags.toml"]


@pytest.mark.parametrize("written", ["04:a1:b2:c3:d4:e5:f6", "04 A1 B2 C3 D4 E5 F6", "04-a1-b2-c3-d4-e5-f6"])
def test_uids_are_read_as_people_write_them(written: str) -> None:
    assert uid_of(written) == ONE


@pytest.mark.parametrize("written", ["", "04A1", "04A1B2C3D4E5F", "XYZ1B2C3", "04A1B2C3D4"])
def test_what_no_chip_can_have_is_no_uid(written: str) -> None:
    with pytest.raises(BadUid, match="4, 7 or 10 bytes"):
        uid_of(written)


def test_on_the_pretend_table_every_piece_has_a_tag() -> None:
    book = Tagbook()
    book.pretend([COIL, LENS, SeatTag(SeatId(0)), NumberTag(0), LAB])
    assert book.find(pretend_uid(COIL)) == COIL
    assert book.find(pretend_uid(NumberTag(0))) == NumberTag(0)
    assert book.find(pretend_uid(LAB)) == LAB
    assert book.all() == ()
    assert uid_of(pretend_uid(COIL)) == pretend_uid(COIL) == pretend_uid(COIL)


names = st.text(st.characters(codec="ascii"), min_size=1)
tags: st.SearchStrategy[Tag] = st.one_of(
    st.builds(PieceTag, names, names),
    st.builds(PlaceTag, names, names),
    st.builds(SeatTag, st.integers(0, 9)),
    st.builds(NumberTag, st.integers(-99, 99)),
)


@given(st.dictionaries(st.binary(min_size=7, max_size=7).map(lambda b: Uid(b.hex().upper())), tags, max_size=6))
def test_whatever_is_enrolled_is_read_back(tmp_path_factory: pytest.TempPathFactory, enrolled: dict[Uid, Tag]) -> None:
    path = tmp_path_factory.mktemp("book") / "tags.toml"
    book = Tagbook.load(path)
    for uid, tag in enrolled.items():
        book.change([Line(uid, tag)])
    assert dict(Tagbook.load(path).all()) == enrolled


@given(st.lists(tags, unique=True))
def test_pretend_uids_tell_all_tags_apart(several: list[Tag]) -> None:
    assert len({pretend_uid(tag) for tag in several}) == len(several)
