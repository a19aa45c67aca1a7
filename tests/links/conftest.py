"""Says aloud when nothing real was flown."""

import os


def pytest_terminal_summary(terminalreporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    left_out = any("test_real_firmware" in each.nodeid for each in skipped)
    if left_out and not os.environ.get("PROXOPS_ARDUCOPTER"):
        terminalreporter.write_line(
            "no real firmware was flown: PROXOPS_ARDUCOPTER names no binary of ArduCopter"
        )
