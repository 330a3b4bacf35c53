"""A box that cannot start says why, on its display and on phones, until it can."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core import CompanionError, Said, TroublePage, say
from companion.library import Settings, Texts, load_settings

if TYPE_CHECKING:
    from hw.starting import FirstLight

log = logging.getLogger(__name__)

LOCALE = Path(__file__).parent.parent / "locale"


def reason(error: CompanionError) -> Said:
    """What people are told; errors without words of their own are for the log."""
    said = getattr(error, "said", None)
    return said if isinstance(said, Said) else say("trouble.cannot-start")


@contextmanager
def explained(error: CompanionError, data: Path, port: int | None, light: FirstLight | None) -> Iterator[Said]:
    """Within this context, the reason is on the display and at every address of the dashboard."""
    from web import TEXTS
    from web.rescue import RescueServer, rescue_app

    log.error("cannot start: %s", error)
    said = reason(error)
    chosen = _chosen(data)
    if light is not None:
        light.leave()
        light.show(chosen.language, TroublePage(said))
    texts = Texts.load(LOCALE, TEXTS)
    with RescueServer(rescue_app(said, texts, chosen.language), chosen.port if port is None else port):
        yield said


def _chosen(data: Path) -> Settings:
    try:
        return load_settings(data)
    except CompanionError:
        return Settings()
