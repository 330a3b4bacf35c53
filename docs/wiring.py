"""Make wiring.md and pictures/wiring.svg from the default settings and the measures of the case: python docs/wiring.py

A test compares the files with what is made here.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import case
import msgspec

from companion.library import Settings
from hw.keys.jobs import BUTTONS, pin_of

HERE = Path(__file__).parent
HEADER: tuple[str, ...] = (
    "3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15", "17", "18", "27", "GND", "22", "23", "3V3", "24", "10",
    "GND", "9", "25", "11", "8", "GND", "7", "0", "1", "5", "GND", "6", "12", "13", "GND", "19", "16", "26", "20", "GND",
    "21",
)  # fmt: skip
"""The 40 pins of a Raspberry Pi's header, from pin 1: a GPIO number, a voltage or ground."""
DIAL_AS_DRAWN = {"a": 23, "b": 24, "push": 25}
LAMPS_AS_DRAWN = (12, 16, 20, 21)


def wires() -> list[tuple[str, str, str]]:
    """Device, its wire, and the GPIO (or voltage) it goes to, from the default settings."""
    chosen = Settings()
    found = [("display", "VCC", "3V3"), ("display", "GND", "GND"), ("display", "SDA", "2"), ("display", "SCL", "3")]
    found += [(f"button {b.upper()}", "one leg", str(pin_of(b, chosen.buttons))) for b in BUTTONS]
    found += [(f"button {b.upper()}", "other leg", "GND") for b in BUTTONS]
    found += [("lamp", name, str(pin)) for name, pin in msgspec.structs.asdict(chosen.lamp).items()]
    found += [("lamp", "common −", "GND"), ("buzzer", "+", str(chosen.buzzer.pin)), ("buzzer", "−", "GND")]
    found += [("dial", name.upper(), str(pin)) for name, pin in DIAL_AS_DRAWN.items()]
    found += [("dial", "C, and the other leg of push", "GND")]
    found += [("seat lamps", f"seat {n} +", str(pin)) for n, pin in enumerate(LAMPS_AS_DRAWN, 1)]
    found += [("seat lamps", "all −", "GND")]
    return found


def header_pin(gpio: str) -> str:
    """Where a GPIO is on the header."""
    return str(HEADER.index(gpio) + 1) if gpio not in ("GND", "3V3", "5V") else "any"


def wiring_md() -> str:
    rows = [
        [device, wire, gpio if gpio in ("GND", "3V3") else f"GPIO {gpio}", header_pin(gpio)]
        for device, wire, gpio in wires()
    ]
    table = table_of(("device", "wire", "goes to", "header pin"), rows)
    sizes = table_of(("part", "millimetres"), [[rows["buy"], size_of(rows)] for _, rows in case.to_buy()])
    return (HERE / "wiring.in.md").read_text().replace("{{pins}}", table).replace("{{sizes}}", sizes)


def size_of(part: dict[str, Any]) -> str:
    """A part's size as measured with a calliper: its board and its holes, or the hole that it goes through."""
    if "board" not in part:
        return f"⌀ {part['round']:g}, {part['deep']:g} deep"
    said = f"{part['board'][0]:g} × {part['board'][1]:g}"
    holes = part.get("holes", ())
    if holes and isinstance(holes[0], list):
        holes = [max(at[n] for at in holes) - min(at[n] for at in holes) for n in (0, 1)]
    return said + (f", holes {holes[0]:g} × {holes[1]:g} apart" if holes else "") + (
        f", window {part['window'][0]:g} × {part['window'][1]:g}" if "window" in part else ""
    )


def wiring_svg() -> str:
    """The header in the middle, devices on both sides, each wire with its own colour and label."""
    top, row, left, right = 84, 30, 390, 450
    spots = {n: (left if n % 2 else right, top + row * ((n - 1) // 2)) for n in range(1, 41)}
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 710" font-family="monospace" font-size="12">',
        '<rect width="840" height="710" fill="#fbf7ec"/>',
        '<text x="420" y="28" text-anchor="middle" font-size="18">Raspberry Pi, 40 pins, and the devices of the box</text>',
        '<text x="420" y="48" text-anchor="middle">pin 1 is nearest the SD card; numbers in circles are header pins</text>',
        f'<rect x="{left - 28}" y="{top - 20}" width="{right - left + 56}" height="{20 * row + 12}" rx="6" fill="#25603b"/>',
    ]
    devices = _placed(spots)
    for name, (x, y, height, lines) in devices.items():
        out.append(f'<rect x="{x}" y="{y}" width="130" height="{height}" rx="6" fill="#fff" stroke="#333"/>')
        out.append(f'<text x="{x + 65}" y="{y + 16}" text-anchor="middle" font-weight="bold">{name}</text>')
        for n, (wire, gpio, pin, colour, dash) in enumerate(lines):
            here = y + 34 + 18 * n
            at_left = x < left
            out.append(
                f'<text x="{x + (124 if at_left else 6)}" y="{here + 4}" text-anchor="{"end" if at_left else "start"}">{wire}</text>'
            )
            px, py = spots[pin]
            start, end = (x + 130, px - 10) if at_left else (x, px + 10)
            bend = start + (30 + 7 * n) * (1 if at_left else -1)
            out.append(
                f'<path d="M{start} {here} H{bend} L{end + (-14 if at_left else 14)} {py} H{end}" fill="none" '
                f'stroke="{colour}" stroke-width="2"{dash}/>'
            )
    for n, (x, y) in spots.items():
        word = HEADER[n - 1]
        out.append(f'<circle cx="{x}" cy="{y}" r="10" fill="#f4e9c8" stroke="#333"/>')
        out.append(f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="10">{n}</text>')
        inner = x + 13 if n % 2 else x - 13
        anchor = "start" if n % 2 else "end"
        out.append(f'<text x="{inner}" y="{y + 4}" text-anchor="{anchor}" font-size="8" fill="#fff">{word}</text>')
    return "\n".join([*out, "</svg>", ""])


COLOURS = ("#b02a1a", "#1a4fb0", "#0b7a4b", "#8a5a00", "#6b2a9c", "#0a7c8c", "#a0337a", "#444")
NAMED = {"red": "#b02a1a", "green": "#0b7a4b", "blue": "#1a4fb0"}
Wire = tuple[str, str, int, str, str]


def _placed(spots: dict[int, tuple[int, int]]) -> dict[str, tuple[int, int, int, list[Wire]]]:
    """Each device on the side where most of its pins are, one below the other."""
    grounds = {1: [6, 14, 20, 30, 34], 0: [9, 25, 39]}
    boxes_: dict[str, list[tuple[str, str]]] = {}
    for device, wire, gpio in wires():
        name = "buttons" if device.startswith("button ") else device
        label = device.removeprefix("button ") if name == "buttons" else wire
        if name == "buttons" and gpio == "GND" and any(word == "all, other leg" for word, _ in boxes_[name]):
            continue
        boxes_.setdefault(name, []).append(
            ("all, other leg" if name == "buttons" and gpio == "GND" else label.split(",")[0], gpio)
        )
    sides = {"display": 0, "lamp": 0, "buttons": 0, "buzzer": 1, "dial": 1, "seat lamps": 1}
    placed: dict[str, tuple[int, int, int, list[Wire]]] = {}
    below = {0: 90, 1: 150}
    for number, (name, side) in enumerate(sides.items()):
        lines = boxes_[name]
        drawn: list[Wire] = []
        for n, (label, gpio) in enumerate(lines):
            if gpio == "GND":
                pin = grounds[side].pop(0)
            else:
                pin = HEADER.index(gpio) + 1
            dash = ' stroke-dasharray="6 3"' if gpio == "GND" else ""
            colour = NAMED.get(label, COLOURS[(number + n) % len(COLOURS)])
            drawn.append((label, gpio, pin, "#222" if gpio == "GND" else colour, dash))
        height = 34 + 18 * len(lines)
        placed[name] = (20 if side == 0 else 690, below[side], height, drawn)
        below[side] += height + 40
    return placed


def table_of(head: tuple[str, ...], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(line) + " |" for line in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def made() -> dict[Path, str]:
    """Every file and what should be in it."""
    return {HERE / "wiring.md": wiring_md(), HERE / "pictures" / "wiring.svg": wiring_svg()}


if __name__ == "__main__":
    for path, text in made().items():
        path.write_text(text)
