"""Extensions: sensors, functions on board and contact laws from a user's files or objects."""

import dis
import hashlib
import logging
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from proxops.bus.fields import Field, field_problem
from proxops.core.errors import InputError
from proxops.core.extensions import Extensions
from proxops.core.text import nearest
from proxops.onboard.user.file import run_file
from proxops.onboard.user.functions import check_function, name_of
from proxops.physics.contact.external import ContactLaw
from proxops.sensors.user import Sensor, check_sensor

_LIST = "EXTENSIONS"  # what a file calls the list of its extensions
_log = logging.getLogger("proxops")


def read_extensions(given: Iterable[Any]) -> Extensions:
    """Extensions from paths of files, which are run, and from objects."""
    sensors: dict[str, Any] = {}
    functions: dict[str, Any] = {}
    contact_laws: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for each in given:
        if isinstance(each, str | os.PathLike):
            path = Path(each)
            members = _members(path)
            sources[str(path.resolve())] = hashlib.sha256(path.read_bytes()).hexdigest()
        else:
            members = [each]
        for member in members:
            if isinstance(member, Sensor):
                check_sensor(member)
                _check_returns(member)
                _check_fields(member.name, member.fields)
                _add(sensors, member.name, member)
            elif isinstance(member, ContactLaw):
                _add(contact_laws, member.name, member)
            else:
                check_function(member)
                _check_fields(name_of(member), getattr(member, "fields", ()))
                _add(functions, name_of(member), member)
    return Extensions(sensors, functions, contact_laws, sources)


def extensions_of_run(given: Iterable[Any], recorded: Mapping[str, str]) -> Extensions:
    """Extensions for a run that was recorded with files of these hashes; files that are not those
    of the run are named in a warning."""
    extensions = read_extensions(given)
    for path in changed_files(recorded, extensions.sources):
        _log.warning("%s: is not among the extensions given, or not as it was in that run", path)
    return extensions


def changed_files(recorded: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """Files of the first, by path and SHA-256, whose content is in none of the second."""
    return [path for path, digest in recorded.items() if digest not in found.values()]


def _members(path: Path) -> list[Any]:
    where = f"extension {path}"
    module = run_file(path, where)
    members = getattr(module, _LIST, None)
    if not isinstance(members, list | tuple) or not members:
        raise InputError(f"{where}: has no list {_LIST} of its sensors, functions or contact laws")
    return list(members)


def _check_fields(name: str, fields: Iterable[Field]) -> None:
    for each in fields:
        problem = field_problem(each)
        if problem:
            raise InputError(f"extension {name}: fields: {problem}")


def _check_returns(sensor: Sensor) -> None:
    """Rejects a `measure` that comes to its end, or returns, without a value: it would be taken to
    say nothing."""
    function = getattr(sensor.measure, "py_func", sensor.measure)
    code = getattr(function, "__code__", None)
    before, ends = None, []
    for each in dis.get_instructions(code) if code is not None else ():
        if each.opname == "RETURN_CONST":
            ends.append(each.argval)
        elif each.opname == "RETURN_VALUE":
            ends.append(None if before == ("LOAD_CONST", None) else True)
        before = each.opname, each.argval
    if None in ends:
        raise InputError(
            f"extension {sensor.name}: measure must return True or False, whether it has anything "
            "to say, wherever it ends"
        )


def _add(known: dict[str, Any], name: str, member: Any) -> None:
    if name in known:
        raise InputError(f"extension {name}: there are two of that name")
    known[name] = member


def extension(known: Mapping[str, Any], name: str, where: str) -> Any:
    """An extension that a scenario names."""
    if name in known:
        return known[name]
    cure = "give the file that has it: --extension FILE, or proxops.load(..., extensions=[FILE])"
    raise InputError(f"{where}: {cure}{nearest(name, known) if known else ''}")
