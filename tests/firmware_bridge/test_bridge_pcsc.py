"""A smart-card reader beside Picos: through a real pcscd, with virtual cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.core import Found, Lifted, ReaderBack, ReaderId, ReaderLost, Tapped, Uid
from firmware_bridge.pcsc import PcscReader, found, reader_names
from firmware_bridge.solo import NoReader
from tests.firmware_bridge.told import Table
from tests.firmware_bridge.virtual_card import NAME, Card, Service, need_service, service
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

pytest.importorskip("smartcard", reason="needs pyscard: pip install pyscard (or apt-get install python3-pyscard)")

HAND = ReaderId("hand")
COIL, GEAR = "04A2B3C4D5E680", "04C0FFEE"


@pytest.fixture
def pcscd() -> Iterator[Service]:
    need_service()
    with service() as running:
        yield running


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def opened(table: Table) -> Iterator[Callable[[], PcscReader]]:
    reader = PcscReader("virtual pcd", HAND, table.senses)

    def open_it() -> PcscReader:
        reader.start()
        return reader

    yield open_it
    reader.close()


def opens(table: Table, opened: Callable[[], PcscReader], *lying: str) -> PcscReader:
    """The reader, once it has reported its level; the service may still be starting."""
    reader = opened()
    level = Found(HAND, tuple(Uid(uid) for uid in lying))
    with table.changed:
        assert table.changed.wait_for(lambda: level in table.inputs, PATIENCE), table.inputs
        assert {*table.inputs} <= {ReaderLost(HAND), ReaderBack(HAND), level}
        table.inputs.clear()
    return reader


def test_cards_are_laid_and_lifted(pcscd: Service, table: Table, opened: Callable[[], PcscReader]) -> None:
    opens(table, opened)
    for uid in (COIL, GEAR, COIL):
        with Card.of(uid):
            table.waits_for(Tapped(Uid(uid), HAND))
        table.waits_for(Lifted(Uid(uid), HAND))


def test_a_card_that_lay_there_at_the_start_is_layout(
    pcscd: Service, table: Table, opened: Callable[[], PcscReader]
) -> None:
    other = Table()
    first = PcscReader(NAME, HAND, other.senses)
    first.start()
    with Card.of(COIL):
        with other.changed:  # the service takes a moment to notice a card
            assert other.changed.wait_for(lambda: Uid(COIL) in other.senses.presence.on(HAND), PATIENCE)
        first.close()
        opens(table, opened, COIL)
    table.waits_for(Lifted(Uid(COIL), HAND))


@pytest.mark.parametrize("garbled", [b"\x6a\x81", b"\x90\x00", b"\x01\x02\x03\x90\x00", b"\x63\x00"])
def test_a_card_that_is_read_badly_is_asked_again(
    pcscd: Service, table: Table, opened: Callable[[], PcscReader], garbled: bytes
) -> None:
    opens(table, opened)
    with Card(garbled, garbled, bytes.fromhex(COIL) + b"\x90\x00"):
        table.waits_for(Tapped(Uid(COIL), HAND))


def test_without_its_service_a_reader_is_lost_and_comes_back_and_nothing_is_lifted(
    pcscd: Service, table: Table, opened: Callable[[], PcscReader]
) -> None:
    reader = opens(table, opened)
    with Card.of(COIL):
        table.waits_for(Tapped(Uid(COIL), HAND))
        pcscd.stop()
        table.waits_for(ReaderLost(HAND))
    pcscd.start()
    table.waits_for(ReaderBack(HAND))
    assert not any(isinstance(each, Tapped) for each in table.inputs)
    assert reader.is_alive(PATIENCE)


def test_it_is_found_by_a_part_of_its_name(pcscd: Service, table: Table, opened: Callable[[], PcscReader]) -> None:
    opens(table, opened)
    names = reader_names()
    assert found("virtual", names) == names[0]
    assert names[0].startswith(NAME)
    assert found("acr122", names) is None


def test_where_there_is_no_service_people_are_told_what_to_do(table: Table) -> None:
    need_service()
    with service() as running:
        running.stop()
        with pytest.raises(NoReader, match="systemctl start pcscd"):
            reader_names()
