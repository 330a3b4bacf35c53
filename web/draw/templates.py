"""The pages' templates, read and compiled once in a program, however many tables it has."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

from . import panels


@cache
def templates() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    env.filters.update(panels.FILTERS)
    return env
