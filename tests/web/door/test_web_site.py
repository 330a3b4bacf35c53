"""A dashboard that starts quickly: routes are known at once, and URL builders are compiled on demand."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, url_for

from web.door import Site


def compiled_by(site: type[Flask], monkeypatch: pytest.MonkeyPatch) -> int:
    """How much code is compiled for a site with one route."""
    made = list[object]()
    usual: Callable[..., Any] = builtins.compile

    def noting(*what: Any, **how: Any) -> Any:
        made.append(what)
        return usual(*what, **how)

    monkeypatch.setattr(builtins, "compile", noting)
    site("toy", static_folder=None).add_url_rule("/card/<name>", "card", lambda name: name)
    monkeypatch.undo()
    return len(made)


def test_a_way_in_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled_by(Site, monkeypatch) == 0
    assert compiled_by(Flask, monkeypatch) > 0, "the control: Flask's own does"


def test_an_address_is_written_when_somebody_asks() -> None:
    site = Site("toy", static_folder=None)
    site.add_url_rule("/card/<name>", "card", lambda name: name)
    with site.test_request_context():
        assert url_for("card", name="Coil 7", lang="fr") == "/card/Coil%207?lang=fr"
    assert site.test_client().get("/card/Coil").status_code == 200
