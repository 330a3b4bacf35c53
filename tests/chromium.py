"""A browser that is the same on every machine: its fonts, its language, its clock, its screen, and its timeout."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, Playwright, ViewportSize

_INSTALLED: Final = (Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium"))
CHROMIUM: Final = next((path for path in _INSTALLED if path.exists()), _INSTALLED[-1])
"""The same engine without the windows and menus around it, if it is installed: a page costs a third."""
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)
PATIENCE: Final = 180_000
"""Milliseconds until a page that does not answer is wrong; a busy machine is slow, not wrong."""
FONTS: Final = Path("/usr/share/fonts/truetype")


class Faces(Struct, frozen=True):
    """A family of fonts that may be a phone's only one: Debian's package, its folder, and its fonts."""

    package: str
    folder: str
    serif: str
    typewriter: str

    @property
    def is_here(self) -> bool:
        return (FONTS / self.folder).is_dir()


DEJAVU: Final = Faces("fonts-dejavu-core", "dejavu", "DejaVu Serif", "DejaVu Sans Mono")
LIBERATION: Final = Faces("fonts-liberation", "liberation", "Liberation Serif", "Liberation Mono")
NOTO: Final = Faces("fonts-noto-core", "noto", "Noto Serif", "Noto Sans")
"""Its monospaced font is another package: without one, a phone here shows such text in a proportional font."""
FAMILIES: Final = (DEJAVU, LIBERATION, NOTO)
USUAL: Final = next((faces for faces in FAMILIES if faces.is_here), DEJAVU)
"""The same on all machines that have it."""

_CONFIG: Final = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>{folder}</dir><cachedir>{cache}</cachedir>
<alias binding="same"><family>serif</family><prefer><family>{serif}</family></prefer></alias>
<alias binding="same"><family>monospace</family><prefer><family>{typewriter}</family></prefer></alias>
</fontconfig>"""


def launch(playwright: Playwright, folder: Path, faces: Faces = USUAL) -> Browser:
    """A browser with only these fonts; `folder` is for its settings."""
    assert faces.is_here, f"without fonts a page shows nothing: apt-get install {faces.package}"
    config = folder / f"{faces.folder}.conf"
    told = {"folder": FONTS / faces.folder, "cache": folder / "faces", "serif": faces.serif}
    config.write_text(_CONFIG.format(**told, typewriter=faces.typewriter))
    surroundings: dict[str, str | float | bool] = {
        **os.environ,
        "FONTCONFIG_FILE": str(config),
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "LANGUAGE": "",
    }
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS, env=surroundings, timeout=PATIENCE)


def new_phone(browser: Browser, width: int = 390, height: int = 844, lang: str = "en", **more: Any) -> BrowserContext:
    """A phone of this size and language with separate cookies and reduced motion.

    It is closed when its page or the box fails: what a test waits for will never come, and the test is told why at
    once.
    """
    size: ViewportSize = {"width": width, "height": height}
    same = {"locale": lang, "timezone_id": "UTC", "reduced_motion": "reduce"}
    context = browser.new_context(viewport=size, screen=size, **{**same, **more})
    context.set_default_timeout(PATIENCE)
    context.on("weberror", lambda failed: _put_away(context, f"the page failed: {failed.error}"))
    context.on("response", lambda told: _put_away(context, f"500 at {told.url}") if told.status == 500 else None)
    return context


def _put_away(context: BrowserContext, why: str) -> None:
    print(why, file=sys.stderr)  # a page that is just being opened reports only that it wasn't
    context.close(reason=why)


def give_cookies(context: BrowserContext, url: str, **cookies: str) -> None:
    """What the box knows a phone by: its seat, its language, its theme."""
    context.add_cookies([{"name": f"companion-{name}", "value": value, "url": url} for name, value in cookies.items()])
