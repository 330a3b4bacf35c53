"""What a club has chosen: `hub.toml` in its data folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.library import FormError, Lang, fill, is_missing, read_toml

SETTINGS: Final = "hub.toml"
Port = Annotated[int, Meta(ge=0, le=65535, description="a port from 0 to 65535")]


class HubSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Each is explained in `docs/club.md`."""

    name: Annotated[str, Meta(min_length=1, max_length=40, description="what the club is called")] = "Club night"
    language: Lang = "en"
    port: Port = 8090
    broker_port: Port = 8883
    hosts: tuple[str, ...] = ()
    seasons: tuple[str, ...] = ()
    public_port: Port | None = None
    public_hosts: tuple[str, ...] = ()
    delay: Annotated[float, Meta(ge=0, le=86_400, description="seconds from 0 to 86400")] = 300.0


def load_hub_settings(data: Path) -> HubSettings:
    """The settings of a hub; without a file, the defaults. Raises FormError with every problem."""
    path = data / SETTINGS
    if is_missing(path):
        return HubSettings()
    tables, problems = read_toml(path, SETTINGS)
    if not problems:
        settings, problems = fill(HubSettings, tables, SETTINGS)
        if settings is not None:
            return settings
    raise FormError(problems, f"Repair {path}, or move it away to use the defaults.")
