"""The examples of PROTOCOL.md, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import astuple

import firmware_bridge
from companion.core import ReaderId
from firmware_bridge import wire
from firmware_bridge.link import Counter, read_health, read_report
from firmware_bridge.presence import Connected, Presence, Sensed, observe

PROTOCOL = (Path(firmware_bridge.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
FIRST, ANEW, STRANGE, HEALTH, LINK = re.findall(r"^```\n(.*?)^```$", PROTOCOL, re.MULTILINE | re.DOTALL)


def spoken(example: str) -> list[str]:
    """The conversation as this program holds it, given only what the device says."""
    numbers = count(1)
    receiver = wire.Receiver(lambda: f"5EED{next(numbers):04d}")
    presence, lines = Presence(), []
    for line in example.splitlines():
        if not line.startswith("> "):
            continue
        lines.append(line)
        for words in receiver.feed(line[2:].encode() + b"\n"):
            report = Connected((ReaderId("left"), ReaderId("right"))) if words[0] == "HELLO" else read_report(words)
            assert report is not None
            presence, sensed = observe(presence, report)
            lines += [" ".join(("=", type(each).__name__, *_words(each))) for each in sensed]
        lines += [f"< {answer}" for answer in receiver.answers().decode().splitlines()]
    return lines


def _words(sensed: Sensed) -> Iterator[str]:
    for value in astuple(sensed):
        yield from (value,) if isinstance(value, str) else value or ("-",)


def test_a_session_and_a_device_that_starts_anew() -> None:
    assert spoken(FIRST + ANEW) == (FIRST + ANEW).splitlines()


def test_what_gets_no_session() -> None:
    assert spoken(STRANGE) == STRANGE.splitlines()


def test_counters_and_a_wish() -> None:
    told, wished = (line[2:].encode() + b"\n" for line in HEALTH.splitlines())
    receiver = wire.Receiver(lambda: "5EED0002")
    receiver.feed(wire.encode("HELLO", "1", "pretend", "bench", "0002", "left"))
    receiver.answers()
    ((kind, listed),) = receiver.feed(told)
    assert (kind, read_health(listed)[:2]) == ("HEALTH", (Counter("up", 12), Counter("polls", 940)))
    assert receiver.answers() == b""
    sender = wire.Sender("pretend", "bench", "0002", ["left"])
    (words,) = wire.Decoder().feed(wished)
    sender.hear(words)
    assert sender.wish == "RESET"


def test_a_link_is_asked_for_and_answered() -> None:
    asked, wrote, heard = (line[2:].encode() + b"\n" for line in LINK.splitlines())
    receiver = wire.Receiver(lambda: "5EED0002")
    assert receiver.link(1, "left", "04A2B3C4D5E680", "table.local:8080/t/") == b"", "no session yet"
    receiver.feed(wire.encode("HELLO", "1", "companion-2", "bench", "0002", "left"))
    sender = wire.Sender("companion-2", "bench", "0002", ["left"])
    for words in wire.Decoder().feed(receiver.answers()):
        sender.hear(words)
    sender.tell_levels(0, [("left", ["04A2B3C4D5E680"])])
    receiver.feed(sender.due(0))
    for words in wire.Decoder().feed(receiver.answers()):
        sender.hear(words)
    assert receiver.link(1, "left", "04A2B3C4D5E680", "table.local:8080/t/") == asked
    jobs = []
    for words in wire.Decoder().feed(asked + asked):
        sender.hear(words)
        jobs.append(sender.job)
        sender.job = None
    assert jobs == [("1", "left", "04A2B3C4D5E680", "table.local:8080/t/"), None], "said twice, done once"
    sender.tell("WROTE", "1", "04A2B3C4D5E680", "left", "new")
    assert sender.due(100) == wrote
    assert receiver.feed(wrote) == [["WROTE", "1", "04A2B3C4D5E680", "left", "new"]]
    assert receiver.answers() == heard


@pytest.mark.parametrize("limit", ["200 ms", "50 ms", "At most 8", "With 64", "every 10 s", "1 to 1000", "version 1"])
def test_the_numbers_in_the_text_are_those_of_the_program(limit: str) -> None:
    assert limit in PROTOCOL
    told = {
        wire.HEALTH_EVERY // 1000,
        wire.HELLO_EVERY,
        wire.RESEND_EVERY,
        wire.WINDOW,
        wire.MAX_UNHEARD,
        wire.MAX_PAYLOAD,
        wire.VERSION,
    }
    assert int(re.findall(r"[0-9]+", limit)[-1]) in told


def test_the_device_says_its_lines_as_written() -> None:
    sender = wire.Sender("pretend", "bench", "0001", ["left", "right"])
    said = [sender.due(0)]
    sender.hear(["START", "5EED0001", "0001"])
    sender.tell_levels(1, [("left", ["04A2B3C4D5E680"]), ("right", [])])
    sender.tell("ARRIVE", "04C0FFEE", "right")
    said.append(sender.due(1))
    written = [line[2:] for line in FIRST.splitlines() if line.startswith("> ")]
    assert b"".join(said).decode().splitlines() == written[:4]
