"""The command `proxops`, and `python -m proxops`."""

import sys

INTERRUPTED = 130  # exit code, as cli.common has it


def main() -> None:
    """Runs a command.  What imports take is a second or two, and Ctrl-C may come then, too."""
    try:
        from proxops.cli.main import main as command
    except KeyboardInterrupt:
        sys.stderr.write("proxops: interrupted\n")
        sys.exit(INTERRUPTED)
    command()


if __name__ == "__main__":
    main()
