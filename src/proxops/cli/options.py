"""Options that belong together, as a dataclass: one parameter of a command, one panel of its
help."""

import inspect
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """A command in which each field of a parameter that is a dataclass is an option of its own.

    The first line of the dataclass's docstring is the title of their panel.  Fields are annotated
    as parameters of Typer's commands are.
    """
    parameters = inspect.signature(function).parameters.values()
    groups: dict[str, Any] = {
        each.name: each.annotation for each in parameters if is_dataclass(each.annotation)
    }
    plain = [each for each in parameters if each.name not in groups]
    options = [option for group in groups.values() for option in _options(group)]

    def command(**given: Any) -> None:
        made = {
            name: group(**{each.name: given.pop(each.name) for each in fields(group)})
            for name, group in groups.items()
        }
        function(**given, **made)

    command.__name__, command.__doc__ = function.__name__, function.__doc__
    command.__module__ = function.__module__
    signature: Any = inspect.Signature([*plain, *options])
    command.__signature__ = signature  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in (*plain, *options)}
    return command


def _options(group: Any) -> Iterator[inspect.Parameter]:
    """The fields of a dataclass as parameters of a command."""
    panel = (inspect.getdoc(group) or "").partition("\n")[0].rstrip(".")
    hints = get_type_hints(group, include_extras=True)
    for each in fields(group):
        kind, option = get_args(hints[each.name])
        option = copy(option)
        option.rich_help_panel = panel
        default = inspect.Parameter.empty if each.default is MISSING else each.default
        yield inspect.Parameter(
            each.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind, option],
        )
