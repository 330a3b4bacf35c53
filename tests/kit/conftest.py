"""Last Coin's tests belong to its project; `test_kit_tiny.py` runs them there."""

collect_ignore = ["last_coin"]
