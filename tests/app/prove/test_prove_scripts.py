"""A failure comes as a table script: it fails again in the same way, is small, and passes if nothing is broken."""

from __future__ import annotations

from pathlib import Path

from companion.app.prove import Plan, again, load, prove
from companion.app.prove.proving import SCRIPT
from companion.app.prove.scripts import shrunk
from companion.app.script import read
from tests.campaigns._broken import BROKEN

SMALL = """game one-false-step
seats Ada, Ben, Chloé
chance scripted

# fault command-repeated
phone Chloé does use-layout 4
# fault killed
"""


def test_a_failure_comes_with_a_script(tmp_path: Path) -> None:
    load()
    outcome = prove(Plan(1, "one-false-step", ("Ada", "Ben", "Chloé"), acts=12, faults=1), BROKEN["doubled"], tmp_path)
    text = (tmp_path / "seed-1" / SCRIPT).read_text()
    assert text.startswith(f"# doubled at entry {outcome.failures[-1].seq}: command")
    assert read(text).lines, "it can be read as any other table script"


def test_a_script_fails_again_only_in_a_broken_box() -> None:
    load()
    assert "doubled" in {failure.kind for failure in again(SMALL, BROKEN["doubled"])}
    assert again(SMALL) == []


def test_a_script_is_made_as_small_as_it_can_be() -> None:
    body = [f"phone Ada does pass {n}" for n in range(40)]
    text = "\n".join(("game x", "", *body, ""))
    assert shrunk(text, lambda fewer: "pass 7\n" in fewer and "pass 31\n" in fewer, 200).splitlines()[2:] == [
        "phone Ada does pass 7",
        "phone Ada does pass 31",
    ]
