"""What makes text audible: espeak-ng synthesises it, aplay plays it. And its pretend twin."""

from __future__ import annotations

import logging
import subprocess
from typing import Final, Protocol

from companion.library import Lang, VoiceSettings
from hw.errors import VoiceLost

log = logging.getLogger(__name__)

VOICES: Final[dict[Lang, str]] = {"en": "en-gb", "fr": "fr"}
LOUDEST: Final = 200
"""espeak-ng's greatest amplitude; ours go from 1 to 10."""
PLAYER: Final = ("aplay", "-q")
"""espeak-ng can play by itself, too, but reports nothing if there is no speaker; aplay does."""


class Mouth(Protocol):
    """Says one thing at a time. Never blocks."""

    def say(self, words: str, lang: Lang) -> None:
        """Start saying this, cutting off whatever it was saying. Raises VoiceLost if nothing can be heard."""

    def is_speaking(self) -> bool:
        """Whether it is still speaking. Raises VoiceLost if its last words were not heard."""

    def stop(self) -> None:
        """Be silent at once."""


def command(words: str, lang: Lang, wanted: VoiceSettings) -> tuple[str, ...]:
    """espeak-ng, told to write the sound of this text to its output. A name is never taken for an option."""
    loud = str(wanted.volume * LOUDEST // 10)
    return ("espeak-ng", "-v", VOICES[lang], "-s", str(wanted.speed), "-a", loud, "--stdout", "--", words)


class Espeak:
    """Two small processes for each line; the program itself never touches a sound card."""

    def __init__(self, wanted: VoiceSettings, player: tuple[str, ...] = PLAYER) -> None:
        self._wanted, self._player = wanted, player
        self._running: tuple[subprocess.Popen[bytes], ...] = ()

    def say(self, words: str, lang: Lang) -> None:
        self.stop()
        maker = _start(command(words, lang, self._wanted))
        try:
            player = _start(self._player, maker)
        except VoiceLost:
            _end(maker)
            raise
        self._running = (maker, player)

    def is_speaking(self) -> bool:
        if any(process.poll() is None for process in self._running):
            return True
        codes = [process.returncode for process in self._running]
        self._running = ()
        if any(codes):
            raise VoiceLost(f"espeak-ng and {self._player[0]} ended with {codes}: is a speaker plugged in?")
        return False

    def stop(self) -> None:
        for process in self._running:
            _end(process)
        self._running = ()


def _start(args: tuple[str, ...], source: subprocess.Popen[bytes] | None = None) -> subprocess.Popen[bytes]:
    """A process that reads what `source` writes, or nothing; its messages are discarded."""
    given = subprocess.DEVNULL if source is None else source.stdout
    told = subprocess.PIPE if source is None else subprocess.DEVNULL
    try:
        process = subprocess.Popen(args, stdin=given, stdout=told, stderr=subprocess.DEVNULL)
    except OSError as error:
        cure = "sudo apt-get install espeak-ng alsa-utils"
        raise VoiceLost(f"{args[0]} cannot be started: {error.strerror}; {cure}") from error
    if source is not None and source.stdout is not None:
        source.stdout.close()  # it is the player's now: when the player ends, espeak-ng notices
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    """Killing processes that only make sound loses nothing, and ends them at once."""
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


class PretendMouth:
    """Silent: keeps what it was told to say and logs it. It can lose its speaker."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.has_speaker = True

    def say(self, words: str, lang: Lang) -> None:
        if not self.has_speaker:
            raise VoiceLost("the pretend speaker is unplugged; plug it in again")
        self.said.append(words)
        log.info("the voice says (%s): %s", lang, words)

    def is_speaking(self) -> bool:
        return False

    def stop(self) -> None:
        pass
