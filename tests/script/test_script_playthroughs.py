"""Every playthrough of every game on the shelf runs as it says, and one that says something wrong doesn't."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.app.script import Report, read, read_file, run
from companion.library import shelf

GAMES = Path(shelf.__file__).parents[1] / "games"
PLAYTHROUGHS = [
    path for game in shelf.games() for path in sorted(GAMES.glob(f"{game.replace('-', '_')}/playthroughs/*.txt"))
]
RULE = re.compile(r"#.*\b[A-Z](\d+|\.[a-z]{1,2})\b")


def played(path: Path, wire: bool = False) -> Report:
    return run(read_file(path), wire=wire)


def called(path: Path) -> str:
    return f"{path.parent.parent.name}/{path.stem}"


def test_every_game_on_the_shelf_has_playthroughs() -> None:
    assert {path.parent.parent.name.replace("_", "-") for path in PLAYTHROUGHS} == set(shelf.games())


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=called)
def test_a_playthrough_goes_as_it_says(path: Path) -> None:
    report = played(path)
    assert report.expected
    assert not report.differences, "\n".join(difference.told() for difference in report.differences)
    c = report.count
    print(f"{called(path)}: {c.inputs} inputs ({c.chance} for chance), {c.per_turn:.1f} a turn, {c.per_act:.1f} an act")


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=called)
def test_expectations_name_their_rule_and_most_were_not_recorded(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("expect ")]
    unfounded = [line for line in lines if not RULE.search(line)]
    recorded = [line for line in lines if line.endswith("recorded")]
    assert not unfounded
    assert len(recorded) * 2 <= len(lines)


def test_a_playthrough_with_one_wrong_expectation_fails() -> None:
    path = GAMES / "actionworks" / "playthroughs" / "two-seats.txt"
    text = path.read_text(encoding="utf-8")
    wrong = text.replace("expect public totals = 26, 19 ", "expect public totals = 26, 20 ", 1)
    assert wrong != text
    (difference,) = run(read(wrong, "wrong.txt")).differences
    assert difference.text == "expect public totals = 26, 20"
    assert difference.found == "26, 19"
    assert difference.told().startswith(f"wrong.txt:{difference.line}: ")


def test_every_expectation_can_fail() -> None:
    """A comparison that always agrees would make the rest worthless: each line is turned into its opposite."""
    text = (GAMES / "actionworks" / "playthroughs" / "refusals.txt").read_text(encoding="utf-8")
    broken = re.sub(r"^expect refused \S+( \S+)?", "expect accepted", text, flags=re.MULTILINE)
    changed = sum(a != b for a, b in zip(text.splitlines(), broken.splitlines(), strict=True))
    assert len(run(read(broken)).differences) == changed > 20


@pytest.mark.parametrize("name", ["two-seats", "refusals"])
def test_through_the_wire_it_goes_the_same_way(name: str) -> None:
    path = GAMES / "actionworks" / "playthroughs" / f"{name}.txt"
    wired, direct = played(path, wire=True), played(path)
    assert not wired.differences
    assert wired.last.state == direct.last.state
    assert wired.count == direct.count


def test_a_whole_game_goes_by_taps_and_buttons_alone_and_one_by_phones_alone() -> None:
    folder = GAMES / "actionworks" / "playthroughs"

    def kinds(name: str) -> set[str]:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        return {line.split()[0] for line in lines if line[:1].islower()} - {"game", "seats", "chance", "expect"}

    assert kinds("taps-and-buttons.txt") <= {"tap", "press", "hold", "turn"}
    assert kinds("phones.txt") == {"phone", "draw", "table"}


def test_few_inputs_are_enough() -> None:
    """On the box a turn, clearing included, takes about four inputs; on a phone two."""
    folder = GAMES / "actionworks" / "playthroughs"
    assert played(folder / "taps-and-buttons.txt").count.per_turn < 5
    assert played(folder / "phones.txt").count.per_act == 1
