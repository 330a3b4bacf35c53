"""What a table tells Home Assistant, read by Home Assistant's own code.

    python tests/campaigns/home_assistant.py [--short] [--python PYTHON]

Its MQTT integration is asked in a Python that has the package `homeassistant` (`--python`, or the variable
COMPANION_HOME_ASSISTANT); without one, nothing is shown and it says so. There each table's discovery goes through the
schema of device discovery, and each component through that of its platform. The control: payloads to be refused.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

ASKED = """
import asyncio, json, sys, tempfile
import voluptuous as vol
from homeassistant.core import HomeAssistant
from homeassistant.helpers import frame
from homeassistant.const import __version__
from homeassistant.components.mqtt import binary_sensor, discovery, sensor
PLATFORMS = {"sensor": sensor, "binary_sensor": binary_sensor}

def taken(payload):
    try:
        whole = dict(payload)
        discovery._replace_all_abbreviations(whole)
        discovery.DEVICE_DISCOVERY_SCHEMA(whole)
        shared = {key: value for key, value in whole.items() if key != "components"}
        for component in whole["components"].values():
            each = {**shared, **component}
            PLATFORMS[each.pop("platform")].DISCOVERY_SCHEMA(each)
    except (vol.Invalid, KeyError) as error:
        return str(error)[:200]
    return ""

async def all_of_them():
    with tempfile.TemporaryDirectory() as folder:
        frame.async_setup(HomeAssistant(folder))
        return [taken(payload) for payload in json.load(sys.stdin)]

print(json.dumps([__version__, asyncio.run(all_of_them())]))
"""


def payloads() -> list[dict[str, Any]]:
    """The discovery payload of a table of each game."""
    from tests.web.club.evening import GAMES, seen_after
    from tests.web.club.test_club_home import CONFIG, sent

    with tempfile.TemporaryDirectory() as folder:
        return [sent(seen_after(Path(folder) / game, game, 5))[CONFIG] for game in GAMES]


def broken(config: dict[str, Any]) -> list[dict[str, Any]]:
    """What it must refuse, each for a different reason."""
    turn, lamp = config["components"]["turn"], config["components"]["lamp"]
    without_class = {key: value for key, value in lamp.items() if key != "device_class"}
    return [
        {key: value for key, value in config.items() if key != "origin"},
        {**config, "device": {**config["device"], "identifiers": []}},
        {**config, "components": {"turn": {**turn, "platform": "clock"}}},
        {**config, "components": {"turn": {**turn, "device_class": "whose-turn"}}},
        {**config, "components": {"lamp": without_class}},
        {**config, "state_topic": "companion/v1/#/device"},
        {**config, "qos": 3},
        {**config, "availability_template": "{{ 'online' if"},
        {**config, "components": {"turn": {key: value for key, value in turn.items() if key != "unique_id"}}},
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=os.environ.get("COMPANION_HOME_ASSISTANT", sys.executable))
    parser.add_argument("--short", action="store_true", help="the same: it takes seconds")
    python = parser.parse_args().python
    if subprocess.run([python, "-c", "import homeassistant"], capture_output=True, check=False, cwd="/").returncode:
        print("SKIPPED: no Home Assistant here; name a Python that has one with --python")
        return 0
    good = payloads()
    asked = [*good, *broken(good[0])]
    how: dict[str, Any] = {"capture_output": True, "text": True, "cwd": "/"}
    done = subprocess.run([python, "-c", ASKED], input=json.dumps(asked), check=False, **how)
    if done.returncode:
        print(f"FAILED: Home Assistant could not be asked: {done.stderr[-2000:]}")
        return 1
    version, answers = json.loads(done.stdout.splitlines()[-1])
    refused, let_by = [why for why in answers[: len(good)] if why], answers[len(good) :].count("")
    print(f"Home Assistant {version}: of {len(good)} tables {len(refused)} refused")
    print(f"of {len(answers) - len(good)} broken payloads {let_by} taken")
    for why in answers:
        print("  refused:" if why else "  taken", why)
    return 1 if refused or let_by else 0


if __name__ == "__main__":
    sys.exit(main())
