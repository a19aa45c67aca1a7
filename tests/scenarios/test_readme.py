"""What the start page and the docs of commands show runs as it stands."""

import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

START = (Path(__file__).parents[2] / "docs" / "index.md").read_text("utf-8")
REPORT_PAGE = Path(__file__).parents[2] / "docs" / "report.md"
CAMPAIGN_PAGE = Path(__file__).parents[2] / "docs" / "campaign.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", START, flags=re.DOTALL)
COMMANDS = re.findall(r"^(proxops [^#\n]+)", START, flags=re.MULTILINE)


@pytest.mark.parametrize("code", EXAMPLES)
def test_a_python_example_runs(code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("passed")
    assert (tmp_path / "out" / "run").is_dir()


def test_the_commands_run_one_after_the_other(tmp_path):
    assert len(COMMANDS) >= 3
    shutil.copytree(Path(__file__).parents[2] / "examples", tmp_path / "examples")
    for command in COMMANDS:
        words = [sys.executable, "-m", *shlex.split(command)]
        if words[3] == "view":
            assert look_and_end(words, tmp_path) == 0
            continue
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (command, done.stderr)
    assert (tmp_path / "path.csv").stat().st_size > 0


def test_the_page_on_reports_runs_from_top_to_bottom(tmp_path):
    text = REPORT_PAGE.read_text()
    commands = re.findall(r"^(proxops [^#\n]+)", text, flags=re.MULTILINE)
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    words = [["-m", *shlex.split(command)] for command in commands]
    assert len(words) == 4
    for each in [*words, ["-c", code]]:
        done = subprocess.run(
            [sys.executable, *each], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, (each, done.stderr)
    pages = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.html")}
    assert pages == {
        "runs/free-tumble/report.html",
        "free-tumble-against-heavier.html",
        "out/report.html",
        "out/both.html",
    }


def test_the_page_on_campaigns_runs_from_top_to_bottom(tmp_path):
    text = CAMPAIGN_PAGE.read_text()
    scenario, _ = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "dispersed.toml").write_text(scenario)
    (tmp_path / "script.py").write_text(code)
    many, one, *_ = re.findall(r"^    (proxops [^#\n]+)", text, flags=re.MULTILINE)

    def run(*words):
        return subprocess.run(
            [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    flown = run("-m", *shlex.split(many))
    assert flown.returncode == 0, flown.stderr
    for line in flown.stdout.split("\n"):  # the page shows what comes out, number by number
        assert line.strip() in text
    again = run("-m", *shlex.split(one))
    assert again.returncode == 1, again.stderr  # it is one of those that fail
    assert (tmp_path / "out" / "case" / "report.html").is_file()
    script = run("script.py")
    assert script.stdout.startswith("passed"), script.stderr


def look_and_end(words, folder):
    """Exit code of a server that is ended by Ctrl-C once it says where it is."""
    viewing = subprocess.Popen([*words, "--no-open"], cwd=folder, stderr=subprocess.PIPE, text=True)
    try:
        assert "http://127.0.0.1:" in viewing.stderr.readline()
        viewing.send_signal(signal.SIGINT)
        return viewing.wait(60.0)
    finally:
        viewing.kill()
        viewing.stderr.close()
