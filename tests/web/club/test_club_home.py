"""Home Assistant takes a table for a device: what it is sent keeps to the schema of the MQTT integration.

The schema is written here from what is published: the device discovery payload, and the sensor and binary sensor
platforms of https://www.home-assistant.io/integrations/mqtt/, with the checks of its
homeassistant/components/mqtt/schemas.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError
from msgspec.structs import replace

from companion.app.opening import load_texts
from companion.core import say
from companion.library import Speaker
from companion.table.outside import Seen
from tests.web.club.evening import GAMES, seen_after
from web.club import Paired, TableId, home
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.teller import Teller

MEMBER = Membership(Paired(TableId("t-oak4"), "0123456789abcdef", "h", 1, "", "Club"), "Oak 4")
TEXT = {"type": "string", "minLength": 1}
TOPIC = {"type": "string", "minLength": 1, "pattern": "^[^#+]+$"}


def closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """An object with these fields and no others."""
    fields = {**required, **optional}
    return {"type": "object", "properties": fields, "required": [*required], "additionalProperties": False}


SENSOR = {
    **closed(
        {"platform": {"const": "sensor"}, "unique_id": TEXT, "value_template": TEXT},
        name=TEXT,
        icon={"type": "string", "pattern": "^mdi:"},
        device_class={"const": "enum"},
        options={"type": "array", "items": TEXT, "minItems": 1},
    ),
    "dependentRequired": {"options": ["device_class"], "device_class": ["options"]},
}
BINARY = closed(
    {"platform": {"const": "binary_sensor"}, "unique_id": TEXT, "value_template": TEXT},
    name=TEXT,
    device_class={"const": "problem"},
)
DISCOVERY = closed(
    {
        "device": closed(
            {"identifiers": {"type": "array", "items": TEXT, "minItems": 1}},
            name=TEXT,
            manufacturer=TEXT,
            model=TEXT,
            sw_version=TEXT,
        ),
        "origin": closed({"name": TEXT}, sw_version=TEXT, support_url=TEXT),
        "components": {"type": "object", "additionalProperties": {"oneOf": [SENSOR, BINARY]}, "minProperties": 1},
    },
    state_topic=TOPIC,
    availability_topic=TOPIC,
    availability_template=TEXT,
    qos={"enum": [0, 1, 2]},
)


def speaks(seen: Seen) -> Speaker:
    return Speaker(load_texts(seen.game), "en")


def sent(seen: Seen, member: Membership = MEMBER) -> dict[str, Any]:
    messages = [each.news(seen) for each in home(member, "1.0", speaks)]
    return {each.topic: msgspec.json.decode(each.payload) for each in messages if each is not None}


CONFIG, STATE = "homeassistant/device/t-oak4/config", "companion/v1/t-oak4/device"


@pytest.mark.parametrize("game", GAMES)
def test_it_keeps_to_the_published_schema(tmp_path: Path, game: str) -> None:
    config = sent(seen_after(tmp_path, game, 5))[CONFIG]
    jsonschema.validate(config, DISCOVERY)
    assert config["state_topic"] == STATE
    assert len({each["unique_id"] for each in config["components"].values()}) == 4


def test_the_schema_finds_what_home_assistant_would_refuse(tmp_path: Path) -> None:
    """The control: no origin, an unknown platform, nothing to know the device by, an option where the device class is
    not enum, a topic for all tables, a field that nobody knows."""
    config = sent(seen_after(tmp_path, "actionworks", 0))[CONFIG]
    for broken in (
        {key: value for key, value in config.items() if key != "origin"},
        {**config, "components": {"turn": {**config["components"]["turn"], "platform": "clock"}}},
        {**config, "device": {**config["device"], "identifiers": []}},
        {**config, "components": {"turn": {**config["components"]["turn"], "options": ["Ada"]}}},
        {**config, "state_topic": "companion/v1/#"},
        {**config, "payload": "ON"},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, DISCOVERY)


def test_each_component_finds_its_value(tmp_path: Path) -> None:
    seen = seen_after(tmp_path, "actionworks", 15)
    told = sent(seen)
    for name, component in told[CONFIG]["components"].items():
        assert component["value_template"] == f"{{{{ value_json.{name} }}}}"
        assert name in told[STATE]
        if "options" in component:
            assert told[STATE][name] in component["options"]
    assert told[STATE]["turn"] == seen.chairs[seen.awaited[0]].name
    assert told[STATE]["game"] == "ActionWorks"
    assert told[STATE]["trouble"] == "OFF"
    assert sent(replace(seen, troubles=(say("trouble.inside"),)))[STATE]["trouble"] == "ON"


def rendered(template: str, payload: Any) -> str:
    """As Home Assistant does it, whose templates are Jinja's."""
    return Environment(undefined=StrictUndefined).from_string(template).render(value_json=payload)


def test_templates_find_what_the_table_really_says(tmp_path: Path) -> None:
    """Its defaults are `online` and `offline` for availability, `ON` and `OFF` for a binary sensor."""
    seen = seen_after(tmp_path, "actionworks", 15)
    config, now = (sent(seen)[name] for name in (CONFIG, STATE))
    teller = Teller(MEMBER, "1.0", Outbox(tmp_path / "outbox"))
    teller.take(seen)
    assert config["availability_topic"] == teller.will.topic
    here = next(each.payload for each in teller.due() if each.topic == teller.will.topic)
    template = config["availability_template"]
    assert rendered(template, msgspec.json.decode(here)) == "online"
    assert rendered(template, msgspec.json.decode(teller.will.payload)) == "offline"
    for name, component in config["components"].items():
        assert rendered(component["value_template"], now) == now[name]
    with pytest.raises(UndefinedError):
        rendered(template, {})


def test_who_is_left_out_is_a_seat_there_too(tmp_path: Path) -> None:
    seen = seen_after(tmp_path, "actionworks", 15)
    told = sent(seen, replace(MEMBER, nobody=True))
    assert told[STATE]["turn"] == f"Seat {seen.awaited[0] + 1}"
