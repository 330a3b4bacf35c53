"""Which release plays: tried before it takes over, back by itself, and after a power cut either the old or the new."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from systemd import switch
from systemd.switch import Places, Refused

ANSWERS = """#!/bin/sh
case $1 in
  backup) [ ! -e "$5/playing" ] || { echo "Game abc is being played" >&2; exit 1; }; cp "$5/games.journal" "$2" ;;
  rehearse) {rehearse} ;;
  games) ! grep -q newer "$3/games.journal" ;;
  restore) cp "$4/games.journal" "$4/aside"; cp "$2" "$4/games.journal" ;;
esac
"""


def release(places: Places, name: str, rehearse: str = "true", *, whole: bool = True) -> Path:
    """One that answers as the companion does when an update asks it."""
    folder = places.home / "releases" / name
    (folder / "bin").mkdir(parents=True)
    program = folder / "bin/companion"
    program.write_text(ANSWERS.replace("{rehearse}", rehearse))
    program.chmod(0o755)
    if whole:
        (folder / switch.WHOLE).touch()
    return folder


@pytest.fixture
def places(tmp_path: Path) -> Places:
    found = Places(tmp_path / "home", tmp_path / "data", tmp_path / "run/said", user="")
    found.data.mkdir()
    (found.data / "games.journal").write_text("old")
    switch.point(found, release(found, "1"))
    return found


class Machine:
    """Runs whatever `current` is; releases named in `mute` never answer."""

    def __init__(self, places: Places, *mute: str, at_start: Callable[[str], None] = lambda _: None) -> None:
        self._places, self._mute, self._at_start = places, mute, at_start
        self.running = self.name()

    def name(self) -> str:
        current = self._places.current
        return "" if current is None else current.name

    def is_running(self) -> bool:
        return True

    def stop(self) -> None:
        self.running = ""

    def start(self) -> None:
        self.running = self.name()
        self._at_start(self.running)

    def answers(self) -> bool:
        return self.running not in ("", *self._mute)


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same waits, but shorter: we test what happens, not when."""
    steady = switch.is_steady
    monkeypatch.setattr(switch, "is_steady", lambda service: steady(service, 0.3, 0.0))


def test_a_release_that_answers_takes_over_and_the_one_before_stays_beside_it(places: Places) -> None:
    release(places, "0")
    new = release(places, "2")
    machine = Machine(places)
    switch.take_over(places, new, machine, None)
    assert machine.running == "2"
    assert not (places.home / "trial").exists()
    assert sorted(path.name for path in (places.home / "releases").iterdir()) == ["1", "2"]


def test_one_that_does_not_answer_gives_way_to_the_one_before(places: Places) -> None:
    machine = Machine(places, "2")
    with pytest.raises(Refused) as refused:
        switch.take_over(places, release(places, "2"), machine, None)
    assert (refused.value.why, machine.running, machine.answers()) == ("silent", "1", True)
    assert not (places.home / "trial").exists()


def test_a_journal_that_only_the_new_one_can_read_is_put_back_and_both_are_kept(places: Places) -> None:
    copy = switch.ask(places, in_mid_game=False)
    journal = places.data / "games.journal"

    def migrate(name: str) -> None:
        if name == "2":
            journal.write_text("newer")

    machine = Machine(places, "2", at_start=migrate)
    with pytest.raises(Refused):
        switch.take_over(places, release(places, "2"), machine, copy)
    assert (journal.read_text(), (places.data / "aside").read_text()) == ("old", "newer")


@pytest.mark.parametrize(
    ("rehearse", "why"), [("true", ""), ("exit 1", "crashed"), ("exit 3", "unread"), ("exec sleep 60", "hung")]
)
def test_a_rehearsal_tells_what_is_wrong(places: Places, rehearse: str, why: str) -> None:
    new = release(places, "2", rehearse)
    if not why:
        switch.rehearse(places, new, None)
        return
    with pytest.raises(Refused) as refused:
        switch.rehearse(places, new, None, seconds=0.5 if why == "hung" else 30)
    assert refused.value.why == why


def test_while_a_game_is_played_nothing_begins_unless_asked_twice(places: Places) -> None:
    (places.data / "playing").touch()
    with pytest.raises(Refused) as refused:
        switch.ask(places, in_mid_game=False)
    assert refused.value.why == "playing"


def test_a_release_that_is_broken_itself_does_not_stand_in_the_way(places: Places) -> None:
    assert places.current is not None
    (places.current / "bin/companion").write_text("#!/bin/sh\nexit 1\n")
    assert switch.ask(places, in_mid_game=False) is None
    new = release(places, "2")
    switch.take_over(places, new, Machine(places), None)
    assert places.current == new


def test_a_copy_that_cannot_be_made_does(places: Places) -> None:
    assert places.current is not None
    (places.current / "bin/companion").write_text('#!/bin/sh\n[ "$1" = --version ]\n')
    with pytest.raises(Refused) as refused:
        switch.ask(places, in_mid_game=False)
    assert refused.value.why == "no-copy"


def test_a_copy_is_kept_of_the_last_three_versions(places: Places) -> None:
    for name in ("2", "3", "4", "5"):
        switch.point(places, release(places, name))
        copy = switch.ask(places, in_mid_game=False)
        assert copy is not None
        os.utime(copy, (int(name), int(name)))
    kept = sorted(path.name for path in places.data.glob("*.backup"))
    assert kept == [f"before-leaving-{name}.backup" for name in "345"]


def test_wheels_that_hold_no_companion_are_refused(places: Places, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="0 wheels of the companion"):
        switch.make(places, tmp_path)


def test_a_refusal_is_told_where_display_and_phones_look(places: Places) -> None:
    def refuse() -> None:
        raise Refused("hung", "it hung")

    assert switch.done(places, refuse) == 1
    assert json.loads(places.told.read_text()) == {"step": "failed", "version": "", "why": "hung"}


# --- power cuts -------------------------------------------------------------------------------------------------------


class PowerCut(BaseException):
    """Nothing after this happens."""


def cut_at(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Cut the power after this many lasting changes."""
    left = [number]

    def counted(change: Callable[..., None]) -> Callable[..., None]:
        def changes(*words: object) -> None:
            change(*words)
            left[0] -= 1
            if not left[0]:
                raise PowerCut

        return changes

    for name in ("write", "point", "unlink"):
        monkeypatch.setattr(switch, name, counted(getattr(switch, name)))


def after_cuts(places: Places, monkeypatch: pytest.MonkeyPatch, upgrade: Callable[[Path], None]) -> list[str]:
    """What plays after a power cut at each change of an upgrade: a release that was tried, or not ("!")."""
    found: list[str] = []
    for number in range(1, 30):
        for old in (places.home / "releases").glob("[2-9]*"):
            shutil.rmtree(old)
        switch.point(places, places.home / "releases/1")
        new = release(places, f"{number + 1}", whole=False)
        with monkeypatch.context() as cutting:
            cut_at(cutting, number)
            try:
                upgrade(new)
                return found
            except Refused:
                return found
            except PowerCut:
                pass
        switch.settle(places)
        assert places.current is not None, "neither the old nor the new"
        assert not (places.home / "trial").exists()
        tried = places.current.name == "1" or (places.current / "tried").exists()
        fine = tried and (places.current / switch.WHOLE).exists()
        found.append("ok" if fine else "!")
    raise AssertionError("it never came to an end")


def whole_and_tried(new: Path) -> None:
    switch.write(new / switch.WHOLE, "")
    (new / "tried").touch()


@pytest.mark.parametrize("mute", [False, True])
def test_after_a_power_cut_the_old_or_the_new_plays(
    places: Places, monkeypatch: pytest.MonkeyPatch, mute: bool
) -> None:
    def upgrade(new: Path) -> None:
        whole_and_tried(new)
        switch.take_over(places, new, Machine(places, *([new.name] if mute else [])), None)

    assert set(after_cuts(places, monkeypatch, upgrade)) == {"ok"}


def test_a_build_that_switches_before_it_has_tried_is_caught(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""

    def upgrade(new: Path) -> None:
        switch.point(places, new)
        whole_and_tried(new)

    with pytest.raises(AssertionError, match="neither the old nor the new"):
        after_cuts(places, monkeypatch, upgrade)
