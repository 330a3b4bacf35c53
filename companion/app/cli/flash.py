"""`companion flash`: put the firmware on a Pico."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from .options import AskedWrongly, CouldNot

PATIENCE = 10.0
LISTEN = 3.0
CONFIG = "config.py"


@click.command()
@click.option("--port", metavar="PORT", help="The Pico's port, when several are plugged in.")
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Your list of readers; by default the Pico keeps its own, or a new Pico gets the usual two.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
def flash(port: str | None, config: Path | None, dry_run: bool) -> None:
    """Copy the firmware to a Pico on USB, and start it.

    The Pico must have MicroPython already; docs/flash-and-wiring.md explains how. A running firmware is asked to stop
    first. No game may be running, because it would talk to the same Pico.
    """
    from firmware_bridge.link import find_picos

    chosen = choose(find_picos(), port)
    said = "Would" if dry_run else "Now"
    click.echo(f"Pico on {chosen}.")
    if not dry_run and stop(chosen):
        click.echo("Its firmware has stopped.")
        chosen = wait_for_port(find_picos, chosen)
    has_config = False if dry_run else _has(chosen, CONFIG)
    files = [*firmware_files(), *([config or usual_config()] if config or not has_config else [])]
    if has_config and config is None:
        click.echo(f"Its {CONFIG} stays as it is.")
    for file in files:
        click.echo(f"{said} copy {file.name}")
        if not dry_run:
            target = CONFIG if file == config else file.name
            _mpremote(chosen, "fs", "cp", str(file), f":{target}")
    click.echo(f"{said} restart it.")
    if not dry_run:
        _mpremote(chosen, "reset")
        click.echo("Done. To see it answer: companion doctor")


def choose(ports: Mapping[str, str], wanted: str | None) -> str:
    """The port that is meant."""
    if wanted is not None:
        return wanted
    if not ports:
        raise CouldNot(
            "There is no Pico on USB. Plug one in; a new one needs MicroPython first (docs/flash-and-wiring.md)."
        )
    if len(ports) > 1:
        raise AskedWrongly(f"There are several Picos: {', '.join(ports.values())}. Name one with --port.")
    return next(iter(ports.values()))


def firmware_files() -> list[Path]:
    """Everything that runs on the Pico, except the list of readers."""
    import firmware_bridge

    folder = Path(firmware_bridge.__file__).parent
    return [folder / "wire.py", *sorted(each for each in (folder / "pico").glob("*.py") if each.name != CONFIG)]


def usual_config() -> Path:
    import firmware_bridge

    return Path(firmware_bridge.__file__).parent / "pico" / CONFIG


def stop(port: str) -> bool:
    """Ask the firmware on this port to stop; False if none answered, as on a new Pico."""
    import serial

    from firmware_bridge import wire

    decoder, until, is_asked = wire.Decoder(), time.monotonic() + LISTEN, False
    try:
        with serial.Serial(port, timeout=0.1) as opened:
            while time.monotonic() < until:
                for words in decoder.feed(opened.read(4096)):
                    if words[0] == "HELLO" and len(words) == 6:
                        opened.write(wire.encode("STOP", words[4]))
                        is_asked = True
                    elif words[0] in wire.NUMBERED and len(words) > 2:
                        opened.write(wire.encode("AGAIN", words[1]))
    except (serial.SerialException, OSError) as error:
        # The port disappears when the Pico restarts: that means yes.
        if not is_asked:
            raise CouldNot(f"{port} could not be opened ({error}). Is a game running? Stop it first.") from error
    return is_asked


def wait_for_port(find: Callable[[], Mapping[str, str]], before: str) -> str:
    """The port of the Pico once it is back; its name may have changed."""
    until, never = time.monotonic() + PATIENCE, threading.Event()
    while time.monotonic() < until:
        ports = list(find().values())
        if before in ports or len(ports) == 1:
            return before if before in ports else ports[0]
        never.wait(0.1)
    raise CouldNot("The Pico did not come back. Unplug it, plug it in again, and run this again.")


def _has(port: str, name: str) -> bool:
    return name in _mpremote(port, "fs", "ls").split()


def _mpremote(port: str, *words: str) -> str:
    line = [sys.executable, "-m", "mpremote", "connect", port, *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason was given"]
        raise CouldNot(f"mpremote could not {words[0]} ({told[0]}). If it is missing: pip install mpremote")
    return done.stdout
