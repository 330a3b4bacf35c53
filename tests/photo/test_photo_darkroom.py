"""Photos are read one at a time in another process; whatever happens to it, the next photo is read."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.phones.photo.darkroom import WAITING, Darkroom
from companion.phones.photo.spotting import Sighted
from tests.patience import PATIENCE
from tests.printed import Card, Eye, photograph

PHOTO = photograph([Card("794722", 0, 0)], Eye(px=120)).jpeg
HANGS = (sys.executable, "-c", "import sys; sys.stdin.read()")
DIES = (sys.executable, "-c", "raise SystemExit(3)")
LIES = (sys.executable, "-c", "import sys; print('nonsense', flush=True); sys.stdin.read()")


@pytest.fixture
def darkroom() -> Iterator[Darkroom]:
    room = Darkroom(longest=PATIENCE)
    yield room
    room.close()


def pid_of(room: Darkroom) -> int | None:
    return room.pid


def digits(found: object) -> list[str]:
    assert isinstance(found, Sighted), found
    return [str(each.digits) for each in found.codes]


def test_the_process_is_there_from_the_first_picture_on(darkroom: Darkroom) -> None:
    assert pid_of(darkroom) is None
    assert digits(darkroom.look(PHOTO, "Ada")) == ["794722"]
    first = pid_of(darkroom)
    assert first is not None
    assert digits(darkroom.look(PHOTO, "Ada")) == ["794722"]
    assert darkroom.pid == first
    assert os.getpriority(os.PRIO_PROCESS, first) > os.getpriority(os.PRIO_PROCESS, 0)


def test_rubbish_between_two_pictures_spoils_neither(darkroom: Darkroom) -> None:
    assert darkroom.look(b"rubbish", "Ada") == "rubbish"
    assert darkroom.look(b"", "Ada") == "rubbish"
    assert digits(darkroom.look(PHOTO, "Ada")) == ["794722"]


def test_after_the_process_was_killed_the_next_picture_is_read(darkroom: Darkroom) -> None:
    darkroom.look(PHOTO, "Ada")
    assert darkroom.pid is not None
    os.kill(darkroom.pid, signal.SIGKILL)
    answers = [darkroom.look(PHOTO, "Ada"), darkroom.look(PHOTO, "Ada")]
    assert digits(answers[-1]) == ["794722"]


@pytest.mark.parametrize("command", [HANGS, DIES, LIES])
def test_a_process_that_hangs_dies_or_lies_is_given_up(command: tuple[str, ...]) -> None:
    room = Darkroom(command, longest=0.2)
    assert room.look(PHOTO, "Ada") == "slow"
    assert room.pid is None


def test_it_goes_when_no_picture_comes_for_a_while() -> None:
    gone = threading.Event()

    class Noticed(Darkroom):
        def close(self) -> None:
            super().close()
            gone.set()

    room = Noticed(longest=PATIENCE, idle=0.05)
    room.look(PHOTO, "Ada")
    assert gone.wait(PATIENCE)
    assert room.pid is None


def test_a_phone_has_one_picture_in_the_queue_and_the_box_a_few() -> None:
    room = Darkroom(HANGS, longest=1.0)
    asked = [f"phone {n % 25}" for n in range(50)]
    with ThreadPoolExecutor(50) as threads:
        answers = list(threads.map(lambda who: room.look(PHOTO, who), asked))
    assert answers.count("slow") <= 1 + WAITING + 2  # those that came later, when a slot was free again
    assert answers.count("busy") >= 50 - 1 - WAITING - 2
    assert room.look(PHOTO, "Ada") == "slow"
