"""Help is quick and in full sentences, the manual matches the help, and the log names no card."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from companion.app.cli import logs, main
from companion.app.cli.manual import manual
from companion.app.cli.options import usual_data

from .conftest import Companion

ROOT = Path(__file__).parent.parent.parent


def every(command: click.Command, called: str) -> Iterator[tuple[str, click.Command]]:
    yield called, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from every(below, f"{called} {name}")


COMMANDS = dict(every(main.load_all(), "companion"))


def test_the_manual_is_current() -> None:
    written = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert written == manual(main), "make it again: python -m companion.app.cli.manual > docs/commands.md"


def test_an_old_manual_would_be_noticed() -> None:
    changed = click.Group("companion", commands=[*list(main.commands.values())[1:]], help=main.help)
    assert manual(changed) != manual(main)


@pytest.mark.parametrize("called", COMMANDS)
def test_help_is_in_full_sentences(called: str) -> None:
    command = COMMANDS[called]
    assert command.help, called
    assert command.help.rstrip().endswith(".")
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, f"{called} {param.name}"
            assert param.help[0].isupper()
            assert param.help.endswith(".")


@pytest.mark.parametrize("called", COMMANDS)
def test_every_command_shows_its_help(companion: Companion, called: str) -> None:
    told = companion(*called.split()[1:], "--help")
    assert told.exit_code == 0
    assert told.stdout.startswith(
        "Usage: main" if called == "companion" else f"Usage: {called.replace('companion', 'main')}"
    )


def test_help_imports_nothing_heavy() -> None:
    names = (
        "'flask', 'gpiozero', 'luma', 'PIL', 'serial', 'uvicorn', 'sqlite3', 'companion.table.table', 'companion.games'"
    )
    program = f"import sys, companion.app.cli; print([m for m in ({names}) if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout == "[]\n"


def test_the_data_folder_is_the_one_named_then_the_services_then_the_users(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_DATA", "/one")
    monkeypatch.setenv("STATE_DIRECTORY", "/two:/three")
    assert usual_data() == Path("/one")
    monkeypatch.delenv("COMPANION_DATA")
    assert usual_data() == Path("/two")
    monkeypatch.delenv("STATE_DIRECTORY")
    assert usual_data() == tmp_path / ".local" / "share" / "table-companion"


def logged(form: logging.Formatter) -> str:
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(form)
    try:
        raise KeyError("coil-7")
    except KeyError:
        said = "an input\ncould not be handled"
        handler.handle(logging.LogRecord("table", logging.ERROR, __file__, 1, said, (), sys.exc_info()))
    return written.getvalue()


def test_the_log_has_one_line_for_each_message_and_names_no_card() -> None:
    written = logged(logs.OneLine("%(levelname)s %(name)s: %(message)s"))
    assert written.startswith("ERROR table: an input | could not be handled | KeyError | ")
    assert "test_cli_manual.py" in written
    assert written.count("\n") == 1
    assert "coil-7" not in written


def test_a_plain_log_would_have_named_it() -> None:
    assert "coil-7" in logged(logging.Formatter())
