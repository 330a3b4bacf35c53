"""What every test may rely on: compiled texts, folders that mark their tests, and the table of rules."""

from __future__ import annotations

import gc
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from hatch_build import BadTexts, compile_texts
from tests.hands import ByFileAndGame

# A busy machine is slow, not wrong.
settings.register_profile("table", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# At each change a few examples, in the whole ./test as many as a proof asks for.
settings.register_profile("quick", settings.get_profile("table"), max_examples=20)
settings.load_profile("table")

ROOT = Path(__file__).parent.parent
_MARK_OF_FOLDER = {"bench": "bench", "journeys": "journey", "rules": "rule"}
_COUNTED = pytest.StashKey["RulesTable"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--report", action="store_true", help="put what tests/bench measures into docs/speed.md")
    parser.addoption("--rules-table", action="store_true", help="end with the table of rule ids and their tests")


def pytest_configure(config: pytest.Config) -> None:
    # A text edited a minute ago must not be tested in its old form; tests/texts reports bad ones.
    with suppress(BadTexts):
        compile_texts(ROOT)
    if config.getoption("--rules-table"):
        config.stash[_COUNTED] = RulesTable()
        config.pluginmanager.register(config.stash[_COUNTED])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByFileAndGame | None:
    return ByFileAndGame(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_itemcollected(item: pytest.Item) -> None:
    folders = item.path.relative_to(ROOT / "tests").parts[:-1]
    for folder in folders:
        if folder in _MARK_OF_FOLDER:
            item.add_marker(_MARK_OF_FOLDER[folder])
    # Reports cross process borders, items don't.
    ids = (rule for mark in item.iter_markers("rule") for rule in mark.args)
    item.user_properties.append(("rules", tuple(dict.fromkeys(ids))))


def pytest_collection_finish() -> None:
    # Whole games leave many values and few cycles: collecting those less often saves time.
    gc.set_threshold(20_000, 20, 20)
    _set_aside()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    if nextitem is not None and nextitem.path != item.path:
        _set_aside()


def pytest_unconfigure() -> None:
    """Let go of everything that was set aside: on exit zxing-cpp counts what is still held, and prints it."""
    gc.unfreeze()


def _set_aside() -> None:
    """What modules and their caches hold stays to the end: the collector needn't scan it again and again."""
    gc.collect()
    gc.freeze()


class RulesTable:
    """Counts the tests of each rule, by `@pytest.mark.rule("A7", "A.b")`, and names rules that have none."""

    def __init__(self) -> None:
        self.outcomes: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            for rule in dict(report.user_properties).get("rules", ()):  # type: ignore[attr-defined]
                self.outcomes[rule][report.outcome] += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        from companion.library import shelf

        for game_id in shelf.games():
            rules = shelf.open(game_id).rules
            terminalreporter.section(f"{game_id}: {len(rules)} rules and their tests", sep="-")
            for rule in rules:
                terminalreporter.line(f"{rule:<8} {self._told(rule)}")

    def _told(self, rule: str) -> str:
        counted = self.outcomes.get(rule)
        return "none" if counted is None else ", ".join(f"{n} {outcome}" for outcome, n in sorted(counted.items()))
