"""The tests of Last Coin belong to its project; `test_kit_tiny.py` runs them there."""

collect_ignore = ["last_coin"]
