"""Requirements and signals of a run as people list them: a line each, or a table in a notebook."""

from proxops.results.run import Requirement, Signal, form_of


class Requirements(tuple[Requirement, ...]):
    """All requirements of a run in their order; a line each, or a table in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(_line, self)) or "no requirements"

    def _repr_html_(self) -> str:
        from proxops.report.notebook import requirements_html

        return requirements_html(self)


class Signals(tuple[Signal, ...]):
    """All signals of a run; a line each, or a table in a notebook."""

    __slots__ = ()

    def __repr__(self) -> str:
        lines = [f"{each.name} {list(each.shape)} [{each.unit}] {each.frame}" for each in self]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        from proxops.report.notebook import signals_html

        return signals_html(self)


def _line(item: Requirement) -> str:
    value = "-" if item.value is None else format(item.value, form_of(item))
    demanded = f"{item.comparison} {format(item.limit, form_of(item))} {item.unit}".rstrip()
    return f"{item.status}: {item.name} {value} {demanded}"
