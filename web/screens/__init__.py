"""One screen, one file: its value, the function that makes it, its page (`PAGES`), whether that is live, and what
may be sent there (`blueprint`). Files without either are parts that several screens share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from flask import Flask, abort, g, redirect, request
from werkzeug.wrappers import Response

from companion.core import say
from web.door import HEADER
from web.screen import STILL, Dashboard, Page, Screen, Visit, render_page, render_sheet

_FOUND: Final = tuple(import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))
"""The files of this folder, so that a new one is found automatically."""
PAGES: Final[tuple[Page, ...]] = tuple(page for screen in _FOUND for page in getattr(screen, "PAGES", ()))
"""Every page except the pretend table's."""


def still_screen(_visit: Visit) -> Screen:
    """Only the frame of a page: for static pages, such as a card that is being edited."""
    return Screen(STILL, say("box.title"), "", None)


_ALL: Final = (*PAGES, Page(STILL, still_screen, live=True))
LIVE: Final[Mapping[str, Page]] = {page.name: page for page in _ALL if page.live}
"""The pages that follow the game by themselves, by the name that a stream asks for."""


def serve(app: Flask, dash: Dashboard) -> None:
    """Serve every page at its address, and all other routes."""
    for page in PAGES:
        app.add_url_rule(page.address, f"page {page.name}", shown(page))
    for screen in _FOUND:
        if hasattr(screen, "blueprint"):
            app.register_blueprint(screen.blueprint(dash))


def shown(page: Page) -> Callable[[], str | Response]:
    """A page as Flask serves it."""

    def show() -> str | Response:
        visit: Visit = g.visit.asking(page.known(request.args)) if page.live else g.visit
        if elsewhere := page.elsewhere(visit):
            return redirect(elsewhere)
        screen = page.build(visit) or abort(404)
        if page.over == "always" or (page.over == "may" and request.headers.get(HEADER) == "1"):
            return render_sheet(visit, screen)
        return render_page(visit, screen, page.name if page.live else "")

    return show
