"""A box that can't start: display and phones say why, and it starts by itself once the cause is gone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import rescue
from companion.core import CompanionError, say
from companion.journal import JOURNAL, Journal, JournalDamaged, JournalReadOnly
from companion.library import LANGS, Speaker, Texts
from hw.pretend.panel import PretendPanel
from hw.starting import FirstLight
from tests.patience import PATIENCE
from web import TEXTS
from web.rescue import RescueServer, rescue_app


def page_at(port: int) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/seat", timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.parametrize(
    "error", [JournalDamaged(Path("games.journal"), "x"), JournalReadOnly(Path("games.journal"), "x")]
)
def test_display_and_phone_tell_reason_and_cure_in_both_languages(data: Path, error: CompanionError) -> None:
    panel = PretendPanel()
    light = FirstLight(panel.open, panel)
    light.show("en")
    before = panel.png()
    with rescue.explained(error, data, 0, light) as said:
        assert panel.png() != before
        texts = Texts.load(rescue.LOCALE, TEXTS)
        with RescueServer(rescue_app(said, texts, "fr"), 0) as server:
            status, page = page_at(server.port)
    assert status == 503
    for lang in LANGS:
        speaker = Speaker(texts, lang)
        for words in (speaker.say(said), speaker.say(said, "hands")):
            assert words.replace("'", "&#39;") in page
    assert page.index('<section lang="fr">') < page.index('<section lang="en">')


def test_an_error_without_words_of_its_own_sends_to_the_doctor() -> None:
    assert rescue.reason(CompanionError("a pin")) == say("trouble.cannot-start")


@pytest.fixture
def stubborn(data: Path) -> Iterator[subprocess.Popen[str]]:
    """`companion run --keep-trying` on a journal that somebody else holds."""
    taken = Journal.open(data / JOURNAL)
    command = [sys.executable, "-m", "companion.app.cli", "run", "--pretend", "--port", "0", "--keep-trying"]
    process = subprocess.Popen(
        [*command, "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "cannot start" in line:
            break
    process.taken = taken  # type: ignore[attr-defined]
    yield process
    taken.close()
    process.kill()
    process.wait()
    for pipe in (process.stdout, process.stderr):
        assert pipe is not None
        pipe.close()


@pytest.mark.slow
def test_it_begins_by_itself_when_the_cause_is_gone(stubborn: subprocess.Popen[str]) -> None:
    stubborn.taken.close()  # type: ignore[attr-defined]
    assert stubborn.stdout is not None
    address = next(
        found for line in stubborn.stdout if (found := re.search(r"http://127\.0\.0\.1:(\d+)/pretend", line))
    )
    assert page_at(int(address.group(1)))[0] == 200


@pytest.mark.slow
def test_a_stop_while_it_waits_ends_it(stubborn: subprocess.Popen[str]) -> None:
    stubborn.send_signal(signal.SIGTERM)
    assert stubborn.wait(PATIENCE) == 0
