"""`python -m proxops`."""

from proxops.cli.main import main

main()
