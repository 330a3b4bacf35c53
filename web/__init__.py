"""The dashboard on phones and the pretend-table page: shows what each may see, asks the table, decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, abort, request

from companion.library import Lang, OwnPacks, Play, Tagbook, Texts
from companion.phones.photo.darkroom import Spots
from companion.table.outside import Doctor, Host, Network, Playback, PretendBox, Printer, Updates
from web.club import Club
from web.draw import Assets

from . import screens
from .api.routes import blueprint as api_blueprint
from .door import Kind, Limits, Site, guard, split_prefix
from .door.portal import Portal
from .pretend import hands
from .screen import AnyTable, Dashboard, Extras, TextsOf, visit_of
from .screens.error import error_page

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

TEXTS: Final = Path(__file__).parent / "texts"
"""The folder of this part's own texts."""


def create_app(
    table: AnyTable,
    texts: Texts | TextsOf,
    pretend: PretendBox | None,
    hosts: tuple[str, ...],
    lang: Lang | Callable[[], Lang] = "en",
    *,
    tagbook: Tagbook | None = None,
    address: Callable[[], str] = lambda: "",
    sticker: Callable[[], str] = lambda: "",
    limits: Limits | None = None,
    packs: OwnPacks | None = None,
    doctor: Doctor | None = None,
    printer: Printer | None = None,
    photos: Spots | None = None,
    host: Host | None = None,
    playback: Playback | None = None,
    network: Network | None = None,
    portal: Portal | None = None,
    updates: Updates | None = None,
    plays: Callable[[], tuple[Play, ...]] | None = None,
    club: Club | None = None,
) -> Flask:
    """The dashboard of one table. `hosts` are the names it answers to; `pretend` opens the pretend-table page.

    `texts` may differ from game to game. A `tagbook` lets phones say what an unknown tag is, `packs` let owners
    describe their cards, the `doctor` runs its checks when asked, the `printer` makes sheets, and `photos` reads
    what phones show the camera. The `host` of a pretend table changes the game and lets bots play. A demo has a
    `playback` that pauses and steps it. With a `network` phones choose the box's Wi-Fi; the `portal` greets those
    that have just joined the box's own. `updates` asks for a newer version, `plays` lists finished games, a `club`
    shows the table. `address` is where phones find the box, `sticker` what a link says before the tag's number.
    """
    app = Site(__name__, static_folder=None)
    app.url_map.strict_slashes = False  # a trailing slash makes no difference
    books = (tagbook, address, limits or Limits(), packs, doctor, sticker, printer, photos)
    extras = Extras(Assets(), *books, host, playback, network, portal, updates, plays, club)
    dash = Dashboard(table, texts, pretend, hosts, lang, extras)
    app.extensions["companion"] = dash
    _guard(app, dash)
    _serve(app, dash, pretend)
    return app


def _serve(app: Flask, dash: Dashboard, pretend: PretendBox | None) -> None:
    screens.serve(app, dash)
    app.register_blueprint(api_blueprint(dash))
    if pretend is not None:
        app.register_blueprint(hands.blueprint(dash, pretend))
        app.wsgi_app = _PretendPhones(app.wsgi_app)  # type: ignore[method-assign]
    app.add_url_rule("/static/<name>", "asset", asset_view(dash.assets))


def _guard(app: Flask, dash: Dashboard) -> None:
    def allows(kind: Kind, who: str) -> bool:
        return dash.limits.allows(kind, who)

    guard.install(app, dash.hosts, allows, lambda: visit_of(dash).phone, lambda code: error_page(visit_of(dash), code))


def dashboard_of(app: Flask) -> Dashboard:
    dash: Dashboard = app.extensions["companion"]
    return dash


def asset_view(assets: Assets) -> Callable[[str], Response]:
    def asset(name: str) -> Response:
        found = assets.find(name)
        if found is None:
            abort(404)
        packed = "gzip" in request.headers.get("Accept-Encoding", "")
        response = Response(found.packed if packed else found.body, content_type=found.kind)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        response.headers["Vary"] = "Accept-Encoding"
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    return asset


class _PretendPhones:
    """Several phones in one browser: under `/phone/0`, `/phone/1` … each has its own cookies."""

    def __init__(self, app: WSGIApplication) -> None:
        self._app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[Any]:
        prefix, path = split_prefix(environ.get("PATH_INFO", "/"))
        environ["SCRIPT_NAME"], environ["PATH_INFO"] = prefix, path
        return self._app(environ, start_response)
