"""The page of a box that can't start: what is wrong and what to do, in both languages."""

from __future__ import annotations

import threading
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import jinja2
from flask import Flask, Response
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from companion.core import Said
from companion.library import LANGS, Lang, Speaker, Texts

from .draw import Assets

AGAIN: Final = 5
"""Seconds after which a phone reloads by itself."""
STYLE: Final = "/rescue.css"


class _Quiet(WSGIRequestHandler):
    timeout = 10
    """Seconds after which a thread stops waiting for a client that sends nothing."""

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - werkzeug calls it so
        """Log nothing: it is nobody's business who looks at this page."""


def rescue_app(said: Said, texts: Texts, first: Lang) -> Flask:
    """The same page at every address; 503, so that no phone takes it for the game."""
    app = Flask(__name__, static_folder=None)
    env = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True)
    speakers = [Speaker(texts, lang) for lang in sorted(LANGS, key=lambda lang: lang != first)]
    page = env.get_template("rescue.html").render(said=said, speakers=speakers, again=AGAIN, style=STYLE)
    look = Assets().plain("companion.css")

    @app.route(STYLE)
    def style() -> Response:
        return Response(look, mimetype="text/css")

    @app.route("/", defaults={"_path": ""})
    @app.route("/<path:_path>")
    def anything(_path: str) -> Response:
        answer = Response(page, 503, mimetype="text/html")
        answer.headers["Retry-After"] = str(AGAIN)
        answer.headers["Cache-Control"] = "no-store"
        answer.headers["Content-Security-Policy"] = "default-src 'self'; frame-ancestors 'none'"
        return answer

    return app


class RescueServer:
    """Serves the page inside `with`; if the port is taken, somebody else reports it."""

    def __init__(self, app: Flask, port: int, host: str = "0.0.0.0") -> None:  # noqa: S104 - phones must reach it
        self._server: BaseWSGIServer | None = None
        try:
            self._server = make_server(host, port, app, threaded=True, request_handler=_Quiet)
        except (OSError, SystemExit):  # werkzeug ends the program where a port is taken
            return
        self.port = self._server.port
        self._thread = threading.Thread(target=self._server.serve_forever, name="rescue", daemon=True)

    def __enter__(self) -> Self:
        if self._server is not None:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
