"""A device that lies about itself gets a message; nothing crashes, and the honest one beside it carries on."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

import pytest

from companion.app import opening
from companion.core import Name, ReaderId, Said, Tapped, Uid, Word, say
from companion.library import Speaker, shelf
from firmware_bridge import wire
from firmware_bridge.greeting import MOST_READERS, Down, Up, believed
from firmware_bridge.link import MINDS, TROUBLE_CABLE, TROUBLE_CHANGING, TROUBLE_FLOOD, TROUBLE_UNREADABLE
from tests.firmware_bridge.two_boxes import LEFT, RIGHT, TwoBoxes
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

COIL = Uid("04A2B3C4D5E680")
MANY = ",".join(f"r{n}" for n in range(MOST_READERS + 1))

LIES = {
    "a version of the future": (("HELLO", "2", "f", "b", "1", "far"), say("trouble.wire-version", theirs=2, ours=1)),
    "a version of the past": (("HELLO", "0", "f", "b", "1", "far"), say("trouble.wire-version", theirs=0, ours=1)),
    "a version of no time": (("HELLO", "one", "f", "b", "1", "far"), say("trouble.greeting")),
    "a version without end": (("HELLO", "9" * 200, "f", "b", "1", "far"), say("trouble.greeting")),
    "a boot that no answer can carry": (("HELLO", "1", "f", "b", "B" * 986, "r"), say("trouble.greeting")),
    "no readers": (("HELLO", "1", "f", "b", "1", "-"), say("trouble.no-readers")),
    "more readers than pins": (("HELLO", "1", "f", "b", "1", MANY), say("trouble.many-readers", n=49, most=48)),
    "a name that is none": (("HELLO", "1", "f", "b", "1", "far,Left!"), say("trouble.reader-name", name=Name("Left!"))),
    "an empty name": (("HELLO", "1", "f", "b", "1", "far,,near"), say("trouble.reader-name", name=Name(""))),
    "a long name": (("HELLO", "1", "f", "b", "1", "x" * 900), say("trouble.reader-name", name=Name("x" * 16))),
    "one name twice": (
        ("HELLO", "1", "f", "b", "1", "left,left"),
        say("trouble.reader-twice", reader=Word("reader.left")),
    ),
    "another's readers": (
        ("HELLO", "1", "f", "b", "1", "left"),
        say("trouble.same-readers", reader=Word("reader.left")),
    ),
}
SENTENCES = (TROUBLE_FLOOD, TROUBLE_CHANGING, TROUBLE_UNREADABLE, TROUBLE_CABLE, *(said for _, said in LIES.values()))


@pytest.fixture
def table() -> Iterator[TwoBoxes]:
    table = TwoBoxes()
    table.start()
    yield table
    table.close()


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_a_sentence_and_the_honest_box_goes_on(table: TwoBoxes, lie: str) -> None:
    words, said = LIES[lie]
    table.insists(wire.encode(*words), lambda: table.states[-1] == Down(said))
    table.honest_goes_on()
    assert table.links.is_alive(PATIENCE)


def test_a_wrong_board_is_believed_and_harms_nobody(table: TwoBoxes) -> None:
    """Its name is only for the log."""
    hello = wire.encode("HELLO", "1", "f" * 300, "toaster" * 60, "1", "far")
    table.insists(hello, lambda: isinstance(table.states[-1], Up) and ReaderId("far") in table.states[-1].readers)
    table.honest_goes_on()


def test_a_device_that_comes_to_its_senses_is_believed(table: TwoBoxes) -> None:
    table.insists(wire.encode("HELLO", "7", "f", "b", "1", "far"), lambda: isinstance(table.states[-1], Down))
    table.insists(wire.encode("HELLO", "1", "f", "b", "1", "far"), lambda: isinstance(table.states[-1], Up))
    assert table.states[-1] == Up("pretend+b", "pretend", (LEFT, RIGHT, ReaderId("far")))


def test_a_device_that_changes_its_mind_is_told_of_once(table: TwoBoxes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    table.insists(wire.encode("HELLO", "1", "f", "b", "1", "far"), lambda: isinstance(table.states[-1], Up))
    for n in range(50):
        table.says(wire.encode("HELLO", "1", "f", "b", "1", f"far-{n}"))
    table.wait_for(lambda: table.states[-1] == Down(TROUBLE_CHANGING))
    before = len(table.states)
    for n in range(50):
        table.says(wire.encode("HELLO", "1", "f", "b", "1", f"far-{n}"))
        table.honest_goes_on() if n % 10 == 0 else None
    assert len(table.states) == before
    assert len([each for each in caplog.records if "reader box" in each.message]) <= 2 * MINDS
    assert len(table.senses.presence.readers) <= 2 + 1, "readers that nobody has any more are kept"


def test_what_a_liar_tells_of_readers_that_it_never_named_is_passed_over(
    table: TwoBoxes, caplog: pytest.LogCaptureFixture
) -> None:
    ears, nonces, told_to = wire.Decoder(), list[str](), set[str]()
    told = [("ARRIVE", COIL, "attic"), ("LOST", "cellar"), ("ARRIVE", "rubbish", "far"), ("LIES", "left", COIL)]

    def has_a_session() -> bool:
        nonces.extend(words[1] for words in ears.feed(table.heard_by_device()) if words[0] == "START")
        return bool(nonces) and "far" in str(table.states[-1])

    def is_heard() -> bool:
        """It says so in every session: a repeated greeting may have opened two."""
        if has_a_session() and nonces[-1] not in told_to:
            told_to.add(nonces[-1])
            for n, words in enumerate((*told, ("ARRIVE", COIL, "far")), 1):
                table.says(wire.encode(words[0], nonces[-1], str(n), *words[1:]))
        return Tapped(COIL, ReaderId("far")) in table.inputs

    table.insists(wire.encode("HELLO", "1", "f", "b", "1", "far"), has_a_session)
    while not is_heard():
        with table.changed:
            table.changed.wait(0.02)
    assert table.inputs == [Tapped(COIL, ReaderId("far"))]
    assert len([each for each in caplog.records if "ignored a message" in each.message]) == 1


@pytest.mark.parametrize(
    "said",
    [b"$" + b"A" * 10_000 + b"\n", b"HELLO\n", wire.encode("HEALTH", "00000000", "up=1")],
    ids=["10 kB", "bare", "stray"],
)
def test_a_device_alone_of_which_nothing_is_understood_is_a_sentence(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.link.SILENCE", 0.2)
    table = TwoBoxes()
    table.links.start()
    table.insists(said, lambda: table.states[-1:] == [Down(TROUBLE_UNREADABLE)])
    table.close()


def test_beside_an_honest_box_another_thing_that_talks_is_no_trouble(table: TwoBoxes) -> None:
    links = table.links._links.values()
    table.insists(b"temperature 21.5\n", lambda: Down(TROUBLE_UNREADABLE) in [link.state for link in links])
    table.honest_goes_on()
    assert [state for state in table.states if state == Down(TROUBLE_UNREADABLE)] == []


def greeting(dice: random.Random) -> list[str]:
    """Anything at all in the places of a HELLO."""
    words = (
        "",
        "0",
        "1",
        "2",
        "-1",
        "1e9",
        "x" * dice.randrange(1, 900),
        "left",
        ",",
        "-",
        "left,right",
        "ü",
        "$",
        "{n}",
    )
    return ["HELLO", *(dice.choice(words) for _ in range(5))]


def test_whatever_a_greeting_says_it_is_believed_or_a_sentence_in_both_languages() -> None:
    texts = opening.load_texts(shelf.open("actionworks"))
    speakers = (Speaker(texts, "en"), Speaker(texts, "fr"))
    for seed in range(3000):
        state = believed(greeting(random.Random(seed)))
        if isinstance(state, Down):
            for speaker in speakers:
                assert_is_told(speaker, state.trouble)
        else:
            assert 1 <= len(state.readers) <= MOST_READERS
            assert all(map(wire.is_reader, state.readers))


@pytest.mark.parametrize("said", SENTENCES, ids=lambda said: said.key)
def test_every_sentence_says_what_hands_should_do_in_both_languages(said: Said) -> None:
    texts = opening.load_texts(shelf.open("actionworks"))
    for lang in ("en", "fr"):
        assert_is_told(Speaker(texts, lang), said)


def assert_is_told(speaker: Speaker, said: Said) -> None:
    for surface in ("", "oled", "hands"):
        text = speaker.say(said, surface)
        assert text
        assert said.key not in text, "no text for it"
        assert len(text) <= (24 if surface else 140), text
