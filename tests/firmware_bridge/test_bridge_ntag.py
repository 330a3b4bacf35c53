"""Links on stickers: the firmware writes them over pretend antennas, and hands take the tag away at every command.

What a phone finds on the tag is judged by an NDEF reader that is not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from shutil import copytree

import ndef
import pytest
from msgspec import Struct

from firmware_bridge.firmware import PICO, bodies
from tests.firmware_bridge.test_bridge_conformance import trace

UID = "04A2B3C4D5E680"
OLD, NEW = "attic.example:8080/somewhere/else/t/", "table.local:8080/t/"
READERS = {"left": "mfrc522", "wand": "pn532"}
ENOUGH = 40
"""More commands than writing needs."""
SIZES = {213: 180, 215: 540, 216: 924}


_TOLD: dict[tuple[str, str, Path], str] = {}


class Ended(Struct, frozen=True):
    """The result of one script: the outcomes that the host heard, and the tag's memory each time it was shown."""

    outcomes: tuple[str, ...]
    memories: tuple[bytes, ...]


def played(folder: Path, scripts: dict[str, list[str]], body: str = "cpython", pico: Path = PICO) -> dict[str, Ended]:
    text = "".join(f"== {name} 2400 0\n" + "\n".join(lines) + "\n" for name, lines in scripts.items())
    ended = {}
    for script in _told(folder, text, body, pico).split("== ")[1:]:
        name, _, rest = script.partition("\n")
        outcomes = re.findall(r"= WROTE \d+ \w+ \w+ (\w+)$", rest, re.MULTILINE)
        memories = re.findall(r"tag \w+ (\w+)$", rest, re.MULTILINE)
        ended[name] = Ended(tuple(outcomes), tuple(map(bytes.fromhex, memories)))
    return ended


def _told(folder: Path, text: str, body: str, pico: Path) -> str:
    """What a body says to these scripts; it always says the same, so it is asked once."""
    if (text, body, pico) not in _TOLD:
        file = folder / "scripts.txt"
        file.write_text(text)
        told = trace("micropython" if body == "micropython" else "cpython", pico, 120, scripts=file)
        _TOLD[text, body, pico] = told
    return _TOLD[text, body, pico]


def on_phone(memory: bytes) -> str:
    """The address that a phone finds: it walks the blocks from page 4 on, and sees the tag's number where the tag
    mirrors it.

    "" for a tag that carries nothing, or nothing complete.
    """
    area = bytearray(memory[16 : 16 + 8 * memory[14]])
    config = memory[len(memory) - 16 :]
    if config[0] >> 6 == 1:
        start = 4 * config[2] + (config[0] >> 4 & 3) - 16
        area[start : start + 14] = UID.encode()
    at = 0
    while at < len(area) and area[at] != 0xFE:
        kind, length = area[at], area[at + 1] if area[at] else -1
        if kind == 0x03:
            return _address_in(bytes(area[at + 2 : at + 2 + length]))
        at += 2 + length
    return ""


def _address_in(message: bytes) -> str:
    try:
        records = list(ndef.message_decoder(message)) if message else []
    except ndef.DecodeError:
        return "half a record"
    return records[0].uri if records else ""


def address(text: str) -> str:
    return f"http://{text}{UID}"


def written(reader: str, *between: str, old: str = OLD) -> list[str]:
    """Hands lay a tag, the host asks for a link, is interrupted, and asks again when the tag is laid again."""
    before = [f"250 link {reader} {UID} {old}"] if old else []
    return [
        f"150 ntag {reader} {UID} 213",
        *before,
        *(f"600 {line}" for line in between),
        f"610 tag {UID}",
        f"620 link {reader} {UID} {NEW}",
        f"1000 tag {UID}",
        f"1010 lift {reader} {UID}",
        f"1800 lay {reader} {UID}",
        f"1950 link {reader} {UID} {NEW}",
        f"2350 tag {UID}",
    ]


def interrupted(reader: str, how: str, old: str) -> Iterator[tuple[str, list[str]]]:
    for commands in range(ENOUGH):
        yield f"{how}-{commands}", written(reader, f"{how} {reader} {UID} {commands}", old=old)


@pytest.mark.parametrize("reader", READERS)
def test_a_link_is_written_read_back_and_found_by_a_phone(tmp_path: Path, reader: str) -> None:
    for size, length in SIZES.items():
        lines = [f"150 ntag {reader} {UID} {size}", f"400 link {reader} {UID} {NEW}", f"1000 tag {UID}"]
        ended = played(tmp_path, {"whole": [*lines, f"1100 link {reader} {UID} {NEW}"]})["whole"]
        assert ended.outcomes == ("new", "same")
        assert len(ended.memories[0]) == length
        assert on_phone(ended.memories[0]) == address(NEW)


def test_the_tag_says_its_own_number_even_with_the_memory_of_another(tmp_path: Path) -> None:
    ended = played(tmp_path, {"mirror": written("left", old="")})["mirror"]
    copied = ended.memories[-1].replace(UID.encode(), b"0" * len(UID))
    assert on_phone(copied) == address(NEW)


@pytest.mark.slow
@pytest.mark.parametrize(("reader", "how", "old"), [*product(READERS, ("cut", "torn"), (OLD, ""))])
def test_a_tag_taken_away_at_any_command_is_old_or_new_or_must_be_written_again(
    tmp_path: Path, reader: str, how: str, old: str
) -> None:
    before = address(old) if old else ""
    seen = set()
    for name, ended in played(tmp_path, dict(interrupted(reader, how, old))).items():
        outcome, at_last = ended.outcomes[-2:]
        was, then, now = map(on_phone, ended.memories)
        assert was == before, name
        seen.add((outcome, then))
        match outcome:
            case "new":
                assert then == address(NEW), name
            case "gone":
                assert ended.memories[1] == ended.memories[0], name
            case "again":
                assert then in (before, "", address(NEW)), name
            case _:
                pytest.fail(f"{name}: {outcome}")
        assert ended.memories[1][:9] == ended.memories[0][:9], "its number is never touched"
        assert at_last in ("new", "same"), name
        assert now == address(NEW), name
    assert {("gone", before), ("again", ""), ("new", address(NEW))} <= seen


@pytest.mark.slow
def test_both_bodies_write_the_same_bytes(tmp_path: Path) -> None:
    if "micropython" not in bodies():
        pytest.skip("MicroPython's unix port is not installed here; the CPython body alone runs the firmware")
    for reader, how in product(READERS, ("cut", "torn")):
        scripts = dict(interrupted(reader, how, OLD))
        assert played(tmp_path, scripts, "micropython") == played(tmp_path, scripts), (reader, how)


@pytest.mark.parametrize("reader", READERS)
def test_garbled_and_silent_answers_are_asked_again(tmp_path: Path, reader: str) -> None:
    noise = (f"garble {reader} 60", f"silence {reader} 60")
    ended = played(tmp_path, {"noise": written(reader, *noise, old="")})["noise"]
    assert {*ended.outcomes} <= {"new", "same", "again", "gone"}
    for outcome, memory in zip(ended.outcomes, ended.memories[1:], strict=True):
        assert on_phone(memory) == address(NEW) or outcome in ("again", "gone")


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("disturbed", "outcome"),
    [
        (f"set {{reader}} {UID} 10 16", "locked"),
        (f"set {{reader}} {UID} 11 255", "locked"),
        (f"set {{reader}} {UID} 160 1", "locked"),
        (f"set {{reader}} {UID} 15 15", "locked"),
        (f"set {{reader}} {UID} 168 64", "locked"),
        (f"set {{reader}} {UID} 12 18", "other"),
    ],
)
def test_what_must_not_be_written_is_left_as_it_is(tmp_path: Path, reader: str, disturbed: str, outcome: str) -> None:
    ended = played(tmp_path, {"no": written(reader, disturbed.format(reader=reader))})["no"]
    assert ended.outcomes == ("new", outcome, outcome)
    assert len({*ended.memories}) == 1


@pytest.mark.parametrize("reader", READERS)
def test_a_tag_of_another_kind_a_text_too_long_and_a_tag_that_is_not_there(tmp_path: Path, reader: str) -> None:
    lines = [
        f"150 lay {reader} 04BEEF01",
        f"150 ntag {reader} {UID} 213",
        f"400 link {reader} 04BEEF01 {NEW}",
        f"900 link {reader} {UID} {'a' * 130}.example/t/",
        f"1200 link {reader} {UID} {'a' * 180}.example/t/",
        f"1500 link {reader} 04A2B3C4D5E6FF {NEW}",
    ]
    assert played(tmp_path, {"no": lines})["no"].outcomes == ("other", "long", "long", "gone")


@pytest.mark.parametrize("reader", READERS)
def test_a_password_of_the_owner_keeps_us_out_and_the_usual_one_does_not(tmp_path: Path, reader: str) -> None:
    wants, own = f"set {reader} {UID} 167 4", f"set {reader} {UID} 172 1"
    ended = played(tmp_path, {"own": written(reader, wants, own), "usual": written(reader, wants)})
    assert ended["own"].outcomes == ("new", "locked", "locked")
    assert len({*ended["own"].memories}) == 1
    assert ended["usual"].outcomes == ("new", "new", "same")
    assert ended["usual"].memories[-1][167] == 4, "whatever else its owner has set stays"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("page", [4, 8, 41])
def test_a_page_that_takes_nothing_is_noticed(tmp_path: Path, reader: str, page: int) -> None:
    ended = played(tmp_path, {"worn": written(reader, f"worn {reader} {UID} {page}", old="")})["worn"]
    assert ended.outcomes == ("again", "again")
    assert on_phone(ended.memories[-1]) == ""


def test_a_blank_tag_gets_its_capability_too(tmp_path: Path) -> None:
    blank = [f"set left {UID} {at} 0" for at in range(12, 16)]
    ended = played(tmp_path, {"blank": written("left", *blank, old="")})["blank"]
    assert on_phone(ended.memories[-1]) == address(NEW)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "good", "broken"),
    [
        ("ntag.py", "self._put(_FIRST, _EMPTY)\n", "pass\n"),
        ("ntag.py", "self._put(_FIRST, _EMPTY)\n", "self._put(_FIRST, whole[:4])\n"),
        ("ntag.py", "self.is_begun = True", "pass"),
        ("ntag.py", "return NEW if self._holds(_FIRST, whole) else AGAIN", "return NEW"),
        ("mfrc522.py", "self._wait_for(WRITES)", "pass"),
    ],
)
def test_control_a_firmware_that_writes_otherwise_is_caught(tmp_path: Path, file: str, good: str, broken: str) -> None:
    pico = tmp_path / "pico"
    copytree(PICO, pico)
    text = (pico / file).read_text(encoding="utf-8")
    assert text.count(good) == 1
    (pico / file).write_text(text.replace(good, broken), encoding="utf-8")
    scripts = {name: lines for how in ("cut", "torn") for name, lines in interrupted("left", how, OLD)}
    scripts["worn"] = written("left", f"worn left {UID} 4", old="")
    assert all(_is_sound(*each) for each in played(tmp_path, scripts).items())
    assert not all(_is_sound(*each) for each in played(tmp_path, scripts, pico=pico).items())


def _is_sound(name: str, ended: Ended) -> bool:
    outcome, then = ended.outcomes[-2], on_phone(ended.memories[1])
    if name == "worn" or ended.outcomes[-1] not in ("new", "same"):
        return name == "worn" and "new" not in ended.outcomes
    if outcome == "gone":
        return ended.memories[1] == ended.memories[0]
    return then == address(NEW) if outcome == "new" else outcome == "again" and then in (address(OLD), "", address(NEW))
