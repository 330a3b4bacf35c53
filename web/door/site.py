"""The dashboard as Flask knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.routing import Rule


class Route(Rule):
    """A route. Its URL builder is compiled on first use: none of our pages needs it, and compiling them all takes
    longer than building the rest of the dashboard.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = super()._compile_builder

        def build(route: Route, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(route, **values)

        return build


class Site(Flask):
    """A dashboard that starts quickly."""

    url_rule_class = Route
