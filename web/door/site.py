"""The dashboard as Flask knows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from werkzeug.routing import Rule


class Route(Rule):
    """A way in. How its address is written is compiled when somebody first asks: no page of ours does, and to compile
    all of them takes longer than the rest of the dashboard.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = super()._compile_builder

        def build(route: Route, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(route, **values)

        return build


class Site(Flask):
    """A dashboard that is there soon."""

    url_rule_class = Route
