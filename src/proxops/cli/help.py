"""Commands whose help shows a flag as what it is: without a value."""

from typing import Any

from typer.core import TyperCommand, TyperGroup


def _bare_flags(params: list[Any]) -> list[Any]:
    for param in params:
        if getattr(param, "is_flag", False):
            param.metavar = ""
    return params


class Command(TyperCommand):
    """A command."""

    def get_params(self, ctx: Any) -> Any:
        """Its options, --help among them."""
        return _bare_flags(super().get_params(ctx))


class Group(TyperGroup):
    """The commands together."""

    def get_params(self, ctx: Any) -> Any:
        """The options before a command's name."""
        return _bare_flags(super().get_params(ctx))
