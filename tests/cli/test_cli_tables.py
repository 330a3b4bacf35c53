"""Several tables on one machine: each has its own data and its own port, and keeps both."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.cli import main, tables
from companion.app.cli.options import AskedWrongly, CouldNot


def test_each_table_has_its_own_folder_and_port_and_keeps_them(tmp_path: Path) -> None:
    oak, elm = tables.folder_of(tmp_path, "oak-4"), tables.folder_of(tmp_path, "elm")
    assert oak != elm
    ports = tables.port_of(oak, None), tables.port_of(elm, None)
    assert len(set(ports)) == 2
    assert (tables.port_of(oak, None), tables.port_of(elm, None)) == ports


def test_a_port_that_is_asked_for_is_kept(tmp_path: Path) -> None:
    oak = tables.folder_of(tmp_path, "oak")
    assert tables.port_of(oak, 9123) == 9123
    assert tables.port_of(oak, None) == 9123


def test_a_port_that_somebody_else_has_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("", 0)) as other:
        taken = other.getsockname()[1]
        monkeypatch.setattr(tables, "FIRST", taken)
        monkeypatch.setattr(tables, "LAST", taken)
        with pytest.raises(CouldNot, match="Name one with --port"):
            tables.port_of(tables.folder_of(tmp_path, "oak"), None)


@pytest.mark.parametrize("kept", ["", "none", "0", "99999", "80 81"])
def test_a_port_that_cannot_be_read_is_chosen_anew(tmp_path: Path, kept: str) -> None:
    oak = tables.folder_of(tmp_path, "oak")
    (oak / "port").write_text(kept)
    assert tables.FIRST <= tables.port_of(oak, None) <= tables.LAST


@pytest.mark.parametrize("name", ["", "Oak", "../oak", "oak/4", "-oak", "o" * 33])
def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(AskedWrongly, match="not a name for a table"):
        tables.folder_of(tmp_path, name)


def test_run_asks_for_a_name_that_can_be_a_folder(tmp_path: Path) -> None:
    asked = CliRunner().invoke(main, ["run", "--data", str(tmp_path), "--table", "Oak 4"])
    assert asked.exit_code == 2
    assert "such as oak-4" in asked.output
    assert not any(tmp_path.iterdir())
