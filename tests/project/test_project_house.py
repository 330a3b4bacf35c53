"""The house keeps its measures: how many rooms, how many doors, how far a tap walks."""

from __future__ import annotations

import importlib.util
import re
import threading
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Self

import pytest

from companion.app.main import Options, companion
from companion.core import ChoosePage, ConfirmPage, PieceId, ReaderId, legal, mentions
from companion.library import PieceTag, pretend_uid
from companion.table import Snapshot
from tests.conftest import ROOT
from tests.patience import hear_out_slow_devices, laid, until

MOST_FILES = 40
PACKAGES = ("companion", "web", "hw", "firmware_bridge")


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure", ROOT / "docs" / "measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Walk:
    """Every file of ours in which something is called on the table's thread while it is `on`; what devices and
    phones draw afterwards is another walk.
    """

    def __init__(self) -> None:
        self.on = False
        self._files = set[str]()

    def __enter__(self) -> Self:
        threading.setprofile(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, _arg: Any) -> None:
        if self.on and event == "call" and threading.current_thread().name == "table":
            self._files.add(frame.f_code.co_filename)

    @property
    def files(self) -> list[str]:
        found = (Path(name).relative_to(ROOT) for name in self._files if name.startswith(f"{ROOT}/"))
        return sorted(str(path) for path in found if path.parts[0] in PACKAGES)


def asks(now: Snapshot) -> bool:
    return isinstance(now.page, ConfirmPage | ChoosePage)


def test_a_tap_and_its_ok_visit_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hear_out_slow_devices(monkeypatch)
    options = Options(tmp_path, game="actionworks", names=("Ada", "Ben"), port=0, pretend=True)
    with Walk() as walk, companion(options, tell=lambda _: None) as running:
        scene = running.table.snapshot
        wish = next(
            i for i in legal(scene.game, scene.state, scene.awaited[0]) if any(t.kind == "piece" for t in mentions(i))
        )
        piece = next(str(token.value) for token in mentions(wish) if token.kind == "piece")
        uid = pretend_uid(PieceTag(scene.game.id, PieceId(piece)))
        table, box = running.table, running.pretend
        assert box is not None
        tap = partial(laid, table, box, uid, ReaderId("left"), asks)
        tap()  # once before: whatever the link says first is another walk
        box.lift(uid)
        box.press("back", held=False)
        until(table, lambda now: not asks(now))
        walk.on = True
        tap()
        box.press("ok", held=False)
        until(table, lambda now: now.seq > scene.seq)
        walk.on = False
    print(len(walk.files), "files", walk.files)
    assert len(walk.files) <= MOST_FILES, walk.files


@pytest.mark.slow
def test_the_house_is_as_large_as_it_says(measure: ModuleType) -> None:
    missed = [target for target in measure.targets() if not target.met]
    assert not missed


@pytest.mark.slow
def test_others_come_through_the_doors(measure: ModuleType) -> None:
    assert measure.breaches() == []


def test_who_comes_past_a_door_is_named(measure: ModuleType, tmp_path: Path) -> None:
    planted = {
        "companion/core/ids.py": "",
        "companion/core/usual.py": "",
        "companion/core/facts.py": "from .ids import SeatId",
        "web/screens/why.py": "from companion.core import SeatId, usual\nfrom companion.core.ids import Seq",
    }
    for name, text in planted.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert measure.breaches(tmp_path) == ["web/screens/why.py imports companion.core.ids"]


def test_where_to_look_names_files_that_are_there() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    table = text.partition("## Where to look")[2].partition("## ")[0]
    named = [name for name in re.findall(r"`([\w/.]+)`", table) if "/" in name and name != "texts/"]
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
