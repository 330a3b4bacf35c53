"""The voice: whose turn and why not, in both languages; only the newest line; a dead speaker is named."""

from __future__ import annotations

import shutil
import sys
import threading
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from companion.app.opening import texts_folders
from companion.core import (
    AcceptedPage,
    Page,
    Pressed,
    Refusal,
    RefusedPage,
    RuleId,
    Said,
    Seq,
    TroublePage,
    say,
)
from companion.library import Lang, Speaker, Texts, VoiceSettings, shelf
from companion.table import Latest, Seen
from hw.display import gallery
from hw.errors import VoiceLost
from hw.voice.aloud import sentences, spoken
from hw.voice.mouth import Espeak, PretendMouth, command
from hw.voice.voice import Voice
from tests.hw.evening import Evening
from tests.hw.room import moment, turn_of
from tests.patience import PATIENCE

REFUSED = RefusedPage(Refusal(RuleId("C2"), "paused"))


class Listener(PretendMouth):
    """Hears what is said, and waits for it; can go on speaking for as long as it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.speaks_on = False
        self.stops = 0
        self._changed = threading.Condition()

    def say(self, words: str, lang: Lang) -> None:
        with self._changed:
            super().say(words, lang)
            self._changed.notify_all()

    def is_speaking(self) -> bool:
        return self.speaks_on

    def stop(self) -> None:
        self.stops += 1

    def first(self, n: int) -> list[str]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.said) >= n, PATIENCE), self.said
        return self.said

    def heard(self, word: str, after: int = 0) -> int:
        """How many lines there are once one after the first `after` contains this word."""
        with self._changed:
            assert self._changed.wait_for(lambda: word in " ".join(self.said[after:]), PATIENCE), self.said
            return len(self.said)


class Told:
    """The troubles that were reported, and a way to wait for them."""

    def __init__(self) -> None:
        self.said: list[Said | None] = []
        self._changed = threading.Condition()

    def __call__(self, said: Said | None) -> None:
        with self._changed:
            self.said.append(said)
            self._changed.notify_all()

    def first(self, n: int) -> list[Said | None]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.said) >= n, PATIENCE)
        return self.said


@pytest.fixture
def english_now() -> Callable[[Seen], Speaker]:
    texts = Texts.load(*texts_folders(shelf.open("us-patent")), *gallery.FOLDERS)
    return lambda _seen: Speaker(texts, "en")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No waiting for more news, so that every moment is said by itself."""
    monkeypatch.setattr(Voice, "settle", 0.0)


def test_it_says_whose_turn_it_is_and_what_check_finds_at_a_real_table() -> None:
    mouth, told = Listener(), Told()
    with (
        Evening("us-patent") as evening,
        Voice(evening.table.shown(), lambda _: evening.speaker(), mouth, told),
    ):
        for _ in evening.play(12):
            pass
        who = evening.speaker().say(evening.now.page.who)  # type: ignore[union-attr]
        seen = mouth.heard(who)  # it may still be about the last act
        evening.table.put(Pressed("check", held=False))
        mouth.heard(who, after=seen)
        assert f"{who}. {who}" not in " ".join(mouth.said), "nobody is named twice in a row"
    assert told.said == []


def test_a_no_is_said_each_time_and_a_page_once(at_once: None, english_now: Any) -> None:
    mouth, latest = Listener(), Latest(moment(turn_of("Ada")))
    with Voice(latest, english_now, mouth, Told()):
        mouth.first(1)
        latest.offer(moment(turn_of("Ada"), flash=REFUSED))
        assert mouth.first(2)[1].startswith("No!")
        latest.offer(moment(turn_of("Ada"), flash=REFUSED))  # another moment with nothing new
        latest.offer(moment(turn_of("Ada"), flash=replace(REFUSED)))
        assert mouth.first(3)[2] == mouth.said[1]
        latest.offer(moment(turn_of("Ben")))
        assert "Ben" in mouth.first(4)[3]


def test_what_was_done_is_said_with_whose_turn_comes_of_it(at_once: None, english_now: Any) -> None:
    done = AcceptedPage(Seq(4), (say("back.done", n=4),))
    mouth, latest = Listener(), Latest(moment(turn_of("Ada")))
    with Voice(latest, english_now, mouth, Told()):
        before = mouth.first(1)[0]
        latest.offer(moment(turn_of("Ada"), flash=done))
        line = mouth.first(2)[1]
    assert line.endswith(before)
    assert len(line) > len(before)


def test_only_the_newest_of_a_burst_is_said(monkeypatch: pytest.MonkeyPatch, english_now: Any) -> None:
    """While hands go on, stale lines are dropped: the thread waits a moment for more before it speaks."""
    gate = threading.Event()
    monkeypatch.setattr(Voice, "settle", 1.0)
    mouth, latest = Listener(), Latest(moment(turn_of("Ada")))
    voice = Voice(latest, english_now, mouth, Told())
    monkeypatch.setattr(voice._stop, "wait", lambda _seconds: gate.wait(PATIENCE) and False)
    with voice:
        for name in ("Ben", "Chloé", "Dora"):
            latest.offer(moment(turn_of(name)))
        gate.set()
        assert "Dora" in mouth.first(1)[0]
        voice.close()
    assert len(mouth.said) == 1


def test_a_dead_speaker_is_a_trouble_until_it_is_heard_again(at_once: None, english_now: Any) -> None:
    mouth, told = Listener(), Told()
    mouth.has_speaker = False
    latest = Latest(moment(turn_of("Ada")))
    with Voice(latest, english_now, mouth, told):
        told.first(1)
        latest.offer(moment(turn_of("Ben")))
        latest.offer(moment(turn_of("Ben"), flash=TroublePage(say("trouble.voice"))))
        mouth.has_speaker = True
        latest.offer(moment(turn_of("Chloé")))
        assert told.first(2) == [say("trouble.voice"), None]


def test_without_a_mouth_it_is_silent(english_now: Any) -> None:
    latest = Latest(moment(turn_of("Ada")))
    told = Told()
    with Voice(latest, english_now, None, told):
        latest.offer(moment(turn_of("Ben")))
    assert told.said == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_of_the_display_has_words_for_the_ear(lang: Lang) -> None:
    speaker, silent = gallery.speaker(lang), {"starting", "unplug", "idle"}
    pages = [page for _, page, over in gallery.LOOKS if over is None]
    kinds = {type(page) for page in pages}
    assert kinds == set(get_args(Page)), "the gallery has one of each"
    for page in pages:
        tag = page.__struct_config__.tag
        assert bool(spoken(page, speaker)) == (tag not in silent), tag


def test_words_become_sentences() -> None:
    assert sentences(["Ada", "", "Roll!", "Gold 7"]) == "Ada. Roll! Gold 7."


def test_a_name_is_never_an_option() -> None:
    asked = command("--stdout -w /etc/passwd", "fr", VoiceSettings(True, 10, 200))
    assert asked[-2:] == ("--", "--stdout -w /etc/passwd")
    assert asked[:7] == ("espeak-ng", "-v", "fr", "-s", "200", "-a", "200")


# With the real program

real = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")


def player(path: Path) -> tuple[str, ...]:
    """Stands in for aplay: keeps what a speaker would get."""
    return (sys.executable, "-c", "import sys; open(sys.argv[1], 'wb').write(sys.stdin.buffer.read())", str(path))


def finish(mouth: Espeak) -> None:
    """Hear it out."""
    for process in mouth._running:
        process.wait(PATIENCE)


@real
@pytest.mark.parametrize(("lang", "words"), [("en", "Ada. Roll the die."), ("fr", "À Chloé. Lancez le dé.")])
def test_the_real_voice_gives_a_speaker_something_to_play(tmp_path: Path, lang: Lang, words: str) -> None:
    mouth, path = Espeak(VoiceSettings(on=True), player(tmp_path / "heard.wav")), tmp_path / "heard.wav"
    mouth.say(words, lang)
    finish(mouth)
    assert not mouth.is_speaking()
    with wave.open(str(path)) as heard:
        assert heard.getframerate() == 22050
        loud = heard.readframes(22050 * 60)
    assert len(loud) > 22050, "more than half a second"
    assert max(loud) > 0


@real
def test_a_new_line_cuts_the_old_one_off(tmp_path: Path) -> None:
    for_ever = (sys.executable, "-c", "import threading; threading.Event().wait()")
    mouth = Espeak(VoiceSettings(on=True), for_ever)
    mouth.say("one", "en")
    first = mouth._running
    assert mouth.is_speaking()
    mouth.say("two", "en")
    assert all(process.returncode is not None for process in first)
    mouth.stop()
    assert not mouth.is_speaking()


@real
def test_a_speaker_that_fails_is_named() -> None:
    mouth = Espeak(VoiceSettings(on=True), (sys.executable, "-c", "raise SystemExit(1)"))
    mouth.say("Ada", "en")
    finish(mouth)
    with pytest.raises(VoiceLost, match="1]: is a speaker plugged in"):
        mouth.is_speaking()


@real
def test_a_player_that_is_not_there_is_named() -> None:
    with pytest.raises(VoiceLost, match="no-such-player cannot be started"):
        Espeak(VoiceSettings(on=True), ("no-such-player",)).say("Ada", "en")


def test_a_missing_voice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(VoiceLost, match=r"espeak-ng cannot be started.*apt-get install espeak-ng"):
        Espeak(VoiceSettings(on=True)).say("Ada", "en")
