"""What happens to the machine: its power, its disk, its clock, its files."""

from __future__ import annotations

import signal

from companion.app.prove.evening import Command, Evening, Stuck
from companion.app.prove.orders import Disk, Jump, Store, Zone
from companion.library import SETTINGS

from .phones import next_command
from .registry import fault

_BACK = "it has started again with all that was ever shown"
_GOES_ON = "somebody acts, and it is recorded"


def down(evening: Evening, by: signal.Signals = signal.SIGKILL) -> None:
    """End the box: nobody writes to its record any more."""
    evening.box.kill(by)
    evening.record.rest()


def restart(evening: Evening) -> None:
    now = evening.box.start()
    if now.error:
        raise Stuck(f"the box does not start again: {now.error}")
    evening.record.afresh()
    for phone in (*evening.phones.values(), evening.stranger):
        phone.close()
    evening.awake()


@fault("killed", "the process is killed", _BACK)
def _killed(evening: Evening) -> None:
    down(evening)
    restart(evening)


@fault("killed-in-a-command", "the process is killed while it does what a phone asked for", "the command is done once")
def _killed_in_command(evening: Evening) -> None:
    command = next_command(evening)
    sent, body = command
    evening.phones[sent.seat].fire(evening.box.port, "/command", body)
    evening.hear(evening.dice.uniform(0.0, 0.02))
    down(evening)
    restart(evening)
    evening.send(command)  # as a phone does by itself that got no answer


@fault("killed-while-it-starts", "the process is killed, and killed again while it starts", _BACK)
def _killed_in_start(evening: Evening) -> None:
    down(evening)
    evening.box.launch()
    evening.hear(evening.dice.uniform(0.0, 0.3))
    evening.box.kill()
    restart(evening)


@fault("terminated", "the machine asks the process to end", _BACK)
def _terminated(evening: Evening) -> None:
    down(evening, signal.SIGTERM)
    restart(evening)


@fault("machine-stalls", "the process stands still for a moment", _GOES_ON)
def _stalls(evening: Evening) -> None:
    evening.box.hold()
    evening.hear(evening.dice.uniform(0.0, 0.05))
    evening.box.go_on()
    evening.act()


def _on_bad_disk(evening: Evening, disk: Disk) -> None:
    """A command is sent while the disk is so, and again when it is well: it is done once."""
    command = next_command(evening)
    evening.box.order(Store(disk))
    evening.send(command)
    evening.box.order(Store("well"))
    command[0].seq = None
    evening.until(lambda: _is_done(evening, command), "a disk that is well again is used")


def _is_done(evening: Evening, command: Command) -> bool:
    evening.send(command)
    return "trouble.journal" not in "".join(evening.box.look().troubles)


@fault("disk-full", "the disk takes nothing more, and does again", "the same command is done once")
def _full(evening: Evening) -> None:
    _on_bad_disk(evening, "full")


@fault("disk-read-only", "the disk turns read-only, and back", "the same command is done once")
def _read_only(evening: Evening) -> None:
    _on_bad_disk(evening, "read-only")


@fault("write-fails", "an entry cannot be written", "the same command is done once")
def _unsynced(evening: Evening) -> None:
    _on_bad_disk(evening, "unsynced")


@fault("sync-fails", "an entry is written, and the disk says that it is not", "the same command is done once")
def _lying(evening: Evening) -> None:
    _on_bad_disk(evening, "lying")


@fault("clock-jumps-ahead", "the clock is set forward by days", _GOES_ON)
def _ahead(evening: Evening) -> None:
    evening.box.order(Jump(evening.dice.uniform(100, 1e6)))
    evening.act()


@fault("clock-jumps-back", "the clock is set back by days", _GOES_ON)
def _back(evening: Evening) -> None:
    evening.box.order(Jump(-evening.dice.uniform(100, 1e6)))
    evening.act()


@fault("zone-changes", "the machine is moved to another time zone", _GOES_ON)
def _zone(evening: Evening) -> None:
    evening.box.order(Zone(evening.dice.choice(("Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "UTC"))))
    evening.act()


@fault("settings-damaged", "the settings are rubbish when it starts", "it says so; with the file put right it starts")
def _settings(evening: Evening) -> None:
    path = evening.data / SETTINGS
    kept = path.read_bytes() if path.exists() else None
    down(evening)
    path.write_bytes(b"port = [\xff\n" + evening.dice.randbytes(20))
    now = evening.box.start()
    if now.error:
        evening.box.kill()
    else:
        raise Stuck("the box starts with settings that nobody can read")
    path.unlink() if kept is None else path.write_bytes(kept)
    restart(evening)


@fault("log-torn", "the power goes while an entry is written: half of it is on the disk", _BACK)
def _torn(evening: Evening) -> None:
    down(evening)
    log = evening.record.log
    with log.open("ab") as half:
        half.write(evening.dice.randbytes(evening.dice.randrange(1, 6000)))
    restart(evening)


@fault("readers-replugged", "it starts again with its readers plugged in elsewhere", _BACK)
def _replugged(evening: Evening) -> None:
    down(evening)
    evening.box.replug()
    restart(evening)
