"""The firmware's start and its only loop."""

import binascii
import os
import select
import sys

import clock
import machine
import micropython
from station import Station
from wiring import antennas

WATCHDOG = 8000
"""Milliseconds; the longest that the Pico's watchdog allows."""

STAY = "stay"
"""A file with this name keeps the Pico from starting, once, so that new firmware can be copied to it."""


def may_start():
    """False if the host asked for a stop; the start after that is an ordinary one."""
    try:
        os.remove(STAY)
    except OSError:
        return True
    return False


def read(ears):
    """Whatever has come in, without waiting."""
    chunk = b""
    while len(chunk) < 512 and ears.poll(0):
        byte = sys.stdin.buffer.read(1)
        if not byte:
            break
        chunk += byte
    return chunk


def run():
    micropython.kbd_intr(-1)  # noise on the line may contain a Ctrl-C
    ears = select.poll()
    ears.register(sys.stdin, select.POLLIN)
    boot = binascii.hexlify(os.urandom(4)).decode().upper()
    board = binascii.hexlify(machine.unique_id()).decode().upper()
    station = Station(board, boot, antennas())
    watchdog = machine.WDT(timeout=WATCHDOG)
    while station.wish == "":
        watchdog.feed()
        station.hear(read(ears))
        station.write()
        station.poll(clock.now())
        out = station.due(clock.now())
        if out:
            sys.stdout.buffer.write(out)
        ears.poll(station.pause(clock.now()))
    if station.wish == "STOP":
        open(STAY, "w").close()
    machine.reset()


if may_start():
    run()
