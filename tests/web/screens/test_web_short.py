"""After a hit its dice are at the top of the page: what can be touched on the drawn table is folded to make room."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.opening import load_texts
from tests.web.screens import test_web_sight
from tests.web.screens.test_web_sight import Evening
from web import create_app
from web.screens import board


def after_a_hit(folder: Path) -> str:
    """The attacker's seat page after a hit, while the dice are still shown."""
    evening = Evening("us-patent", folder)
    try:
        seat = next(seat for seat in evening.awaited() if evening.table.snapshot.decisions[-1].kind == "hit")
        client = create_app(evening.table, load_texts, None, ("localhost",)).test_client()
        client.set_cookie("companion-seat", f"phone-{seat}")
        return client.get("/seat").text.split('class="mine"')[1]
    finally:
        evening.close()


@pytest.mark.parametrize(("lines", "is_folded"), [(board.SHOWDOWN, True), (0, False)])
def test_what_is_drawn_makes_room_for_the_dice(
    lines: int, is_folded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board, "SHOWDOWN", lines)
    monkeypatch.setattr(test_web_sight, "STEPS", 120)
    assert ("<details" in after_a_hit(tmp_path).split("</section>")[0]) == is_folded
