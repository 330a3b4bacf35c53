"""The hub of a club: one wall for all tables, their results, and the league. It shows, and decides nothing."""

from __future__ import annotations

from flask import Flask, Response

from web import asset_view
from web.door import Kind, guard

from . import hosting, pages
from .floor import Floor
from .hosting import Codes
from .hub import Host, Hub, look_of
from .results import Results
from .seasons import seasons_of
from .store import STORE, Kept, NotAStore, Store
from .stream import Streams

# fmt: off
__all__ = [
    "STORE", "Codes", "Floor", "Host", "Hub", "Kept", "NotAStore", "Results", "Store", "Streams", "create_hub",
    "seasons_of", "streams_of",
]
# fmt: on


def create_hub(hub: Hub) -> Flask:
    """The pages of a hub; `hub.host` says whether tables are paired here."""
    app = Flask(__name__, static_folder=None)
    app.url_map.strict_slashes = False
    streams = app.extensions["hub-streams"] = Streams(hub)
    _guard(app, hub)
    app.register_blueprint(pages.blueprint(hub, streams.wall, streams.large))
    if hub.host is not None:
        app.register_blueprint(hosting.blueprint(hub, hub.host))
    app.add_url_rule("/static/<name>", "asset", asset_view(hub.assets))
    return app


def streams_of(app: Flask) -> Streams:
    streams: Streams = app.extensions["hub-streams"]
    return streams


def _guard(app: Flask, hub: Hub) -> None:
    def allows(kind: Kind, who: str) -> bool:
        return hub.limits.allows(kind, who)

    def said_no(code: int) -> Response:
        look = look_of(hub)
        return Response(look.page("error", look.words.key(f"web.error.{code}"), code=code), status=code)

    guard.install(app, hub.hosts, allows, lambda: look_of(hub).phone, said_no)
