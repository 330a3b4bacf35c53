"""Frames: what goes in comes out, however it is cut; nothing else ever does."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge import wire
from firmware_bridge.link import read_report

WORD = st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="$*"), min_size=1, max_size=20)
WORDS = st.lists(WORD, min_size=1, max_size=8)
TAP = wire.encode("ARRIVE", "5EED0001", "3", "04A2B3C4D5E680", "left")


def decoded(data: bytes) -> list[list[str]]:
    return wire.Decoder().feed(data)


@given(WORDS)
def test_a_frame_comes_out_as_it_went_in(words: list[str]) -> None:
    assert decoded(wire.encode(*words)) == [words]


@pytest.mark.parametrize("words", [(), ("",), ("a b",), ("a$",), ("a*",), ("é",), ("a\n",), ("x" * 1001,), ("a", "")])
def test_words_that_no_frame_can_carry_are_refused_with_the_reason(words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no frame can carry"):
        wire.encode(*words)


def test_the_longest_level_report_fits() -> None:
    uids = ",".join("04A2B3C4D5E680112233" for _ in range(wire.MAX_TAGS))
    assert decoded(wire.encode("LIES", "5EED0001", "999999999", "a-very-long-name", uids))


@given(
    st.lists(st.one_of(WORDS.map(lambda words: wire.encode(*words)), st.binary(max_size=60)), max_size=8),
    st.lists(st.integers(0, 400), max_size=12),
)
def test_it_does_not_matter_where_chunks_are_cut(parts: list[bytes], cuts: list[int]) -> None:
    data = b"".join(parts)
    whole, pieces = wire.Decoder(), wire.Decoder()
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    found = [words for at, end in pairwise(edges) for words in pieces.feed(data[at:end])]
    assert found == whole.feed(data)
    assert (pieces.accepted, pieces.rejected) == (whole.accepted, whole.rejected)


@given(st.integers(0, 3), st.integers(1, 4000))
def test_long_garbage_is_forgotten_and_the_next_frame_is_heard(dollars: int, length: int) -> None:
    decoder = wire.Decoder()
    for _ in range(dollars):
        assert decoder.feed(b"$" + b"x" * length) == []
    held: bytes = decoder._kept
    assert len(held) <= wire.MAX_PAYLOAD + 10
    assert decoder.feed(TAP) == [["ARRIVE", "5EED0001", "3", "04A2B3C4D5E680", "left"]]


@given(st.sets(st.integers(0, 8 * len(TAP) - 1), min_size=1, max_size=3))
def test_one_to_three_flipped_bits_are_never_accepted(bits: set[int]) -> None:
    broken = bytearray(TAP)
    for bit in bits:
        broken[bit // 8] ^= 1 << bit % 8
    assert decoded(bytes(broken) + b"\n") == []


def test_control_a_decoder_without_checksum_would_accept_a_flipped_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_checksum", lambda _: TAP[-9:-1])
    assert decoded(TAP.replace(b"left", b"lefu")) != []


@given(st.binary(max_size=3000))
def test_any_bytes_raise_nothing_and_say_nothing(data: bytes) -> None:
    receiver = wire.Receiver(lambda: "5EED0001")
    assert receiver.feed(data) == []
    assert receiver.answers() == b""


@given(st.lists(WORDS, max_size=5))
def test_any_well_framed_nonsense_raises_nothing_and_taps_nothing(messages: list[list[str]]) -> None:
    receiver, sender = wire.Receiver(lambda: "5EED0001"), wire.Sender("f", "b", "0001", ["left"])
    for words in messages:
        assert [news for news in receiver.feed(wire.encode(*words)) if news[0] != "HELLO"] == []
        sender.hear(words)


@given(st.sampled_from(wire.NUMBERED), st.lists(WORD, max_size=5))
def test_a_report_is_read_only_in_its_exact_form(kind: str, words: list[str]) -> None:
    if read_report([kind, *words]) is not None:
        parts = [part for word in words for part in word.split(",")]
        assert all(wire.is_uid(part) or wire.is_reader(part) or part == wire.NOTHING for part in parts)


@pytest.mark.parametrize("uid", ["04c0ffee", "04C0FF", "04C0FFE", "", "-", "04C0FFEG", "0" * 22, "04C0 FFEE"])
def test_a_uid_is_full_and_upper_case_or_it_is_none(uid: str) -> None:
    assert not wire.is_uid(uid)
    assert read_report(["ARRIVE", uid, "left"]) is None
    assert read_report(["LIES", "left", f"04C0FFEE,{uid}"]) is None


@pytest.mark.parametrize("text", ["", "-1", "+1", " 1", "1_0", "1.0", "1" * 10, "x", "١"])
def test_a_number_is_plain_digits_or_it_is_none(text: str) -> None:
    assert wire.number(text) == -1


def test_the_wire_keeps_to_what_micropython_has() -> None:
    tree = ast.parse(Path(wire.__file__).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    too_new = (ast.ImportFrom, ast.Match, ast.AsyncFunctionDef, ast.JoinedStr, ast.NamedExpr, ast.Delete)
    assert imported == {"binascii"}
    assert [type(node).__name__ for node in ast.walk(tree) if isinstance(node, too_new)] == []
    assert [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.decorator_list] == []
