"""The pages' templates, loaded and compiled once per program, however many tables it has."""

from __future__ import annotations

from functools import cache

import jinja2

from . import panels, svg
from .compiled import Loader, environment


@cache
def templates() -> jinja2.Environment:
    env = environment(Loader())
    env.filters.update(panels.FILTERS)
    env.globals["svg"] = svg
    return env
