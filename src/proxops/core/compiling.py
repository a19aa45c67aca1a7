"""How Numba compiles ours: what it would do twice, or for nothing, it does once or not at all."""

import gc
import operator
from collections.abc import Iterator
from functools import lru_cache
from types import BuiltinFunctionType
from typing import Any

from numba.core import errors, typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.event import Event, Listener, register
from numba.core.ir_utils import build_definitions
from numba.core.types import Function, Type

_BuiltIn: Any = Function  # Numba's types leave most of it out


@register_pass(mutates_CFG=False, analysis_only=False)
class _StripPhis(typed_passes.PreLowerStripPhis):
    """Numba's, which would then look once more for where each variable is used."""

    _name = "strip_phis_only"

    def run_pass(self, state: Any) -> bool:
        """Changes the function's intermediate code."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


# What Numba does to a function that is compiled.  It would also look for closures, comprehensions,
# array expressions, functions to be unrolled or inlined by name and branches on None: kernels have
# none of them, and looking took a tenth of the time.  Nor does it mark where variables end, to
# count references, or write the types beside the source.
_PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    _StripPhis,
    typed_passes.NativeLowering,
    typed_passes.NoPythonBackend,
)


class _Passes(PassManager):
    """Runs the passes, without Numba's notes on when each began and ended."""

    def run(self, state: Any) -> None:
        """All of them."""
        for each in _PASSES:
            _instance(each).run_pass(state)


@lru_cache(maxsize=len(_PASSES))
def _instance(kind: Any) -> Any:
    return kind()


class _CollectorOff(Listener):
    """No garbage is collected while anything compiles: a tenth of the time would go there."""

    def __init__(self) -> None:
        self._depth, self._was_on = 0, False

    def on_start(self, event: Event) -> None:
        if self._depth == 0:
            self._was_on = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event: Event) -> None:
        self._depth -= 1
        if self._depth == 0 and self._was_on:
            gc.enable()


register("numba:compile", _CollectorOff())


class _Plain:
    """No bold print in Numba's messages: looking for what a call means makes thousands that nobody
    sees, and the terminal was set up for each."""

    def _as_it_is(self, msg: str) -> str:
        return msg

    code = errmsg = filename = indicate = highlight = reset = _as_it_is


_messages: Any = errors
_messages._termcolor_inst = _Plain()


class _Typing:
    """Numba's types of calls, which remembers those of built-in functions: a product of two floats
    is asked for a thousand times, and each time dozens of overloads are tried and fail."""

    def __init__(self, context: Any) -> None:
        self._context = context
        self._found: dict[Any, tuple[Any, Any]] = {}
        self._types: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call with arguments of these types."""
        function = func if isinstance(func, Type) else self._context._lookup_global(func)
        if not isinstance(function, _BuiltIn):
            return self._context.resolve_function_type(func, args, kws)
        return self.signature(function, args, kws)

    def signature(self, function: Any, args: Any, kws: Any) -> Any:
        """The same of a built-in function."""
        key = function, tuple(args), tuple(kws.items())
        if key not in self._found:
            found = self._context.resolve_function_type(function, args, kws)
            if found is None:
                return None
            self._found[key] = found, function._impl_keys.get(found.args)
        signature, code = self._found[key]
        if code is not None:  # functions of users, compiled otherwise, may have left theirs there
            function._impl_keys[signature.args] = code
        return signature

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        """The signature of target[index] = value."""
        return self.resolve_function_type(operator.setitem, (target, index, value), {})

    def resolve_value_type(self, value: Any) -> Any:
        """The type of a constant."""
        if not isinstance(value, BuiltinFunctionType):
            return self._context.resolve_value_type(value)
        if value not in self._types:
            self._types[value] = self._context.resolve_value_type(value)
        return self._types[value]


_signature_of_call = _BuiltIn.get_call_type


def _remembered(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Where Numba asks a built-in function itself, as it makes code of a product: the same."""
    if isinstance(context, _Typing):
        return context.signature(function, args, kws)
    return _signature_of_call(function, context, args, kws)


_BuiltIn.get_call_type = _remembered


@lru_cache(maxsize=1)
def _typing(context: Any) -> _Typing:
    return _Typing(context)


def look_again() -> None:
    """Forgets what calls of built-in functions mean: they have come to take more types."""
    _typing.cache_clear()


class _NoEntries:
    """Stands for what has the entries of compiled functions, where there are none."""

    @staticmethod
    def set_env(name: str, env: Any) -> None:
        """Nobody enters."""


class _Library(JITCodeLibrary):
    """Compiled code that is optimised once: Numba does it twice, to drop reference counts in
    between, and there are none."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # what comes next does it all again

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


def _link_carried(library: Any) -> None:
    """Takes in what the inner functions call that this one calls, each once."""
    known = list(dict.fromkeys(library._linking_libraries))
    library._linking_libraries = list(dict.fromkeys(_with_callees(known)))


def _with_callees(libraries: list[Any]) -> Iterator[Any]:
    """These and, behind them, all that they call."""
    waiting, seen = list(libraries), set()
    while waiting:
        library = waiting.pop(0)
        if library in seen:
            continue
        seen.add(library)
        yield library
        if isinstance(library, Carried):
            waiting.extend(library.callees)


class Carried(_Library):
    """An inner function as kernels carry it: by itself and not optimised.

    A kernel takes in all that it calls, however deep, and LLVM sees each of them once.  Were an
    inner function linked and optimised with what it calls, as Numba does, then what is called at
    depth n would be optimised n times.
    """

    def finalize(self) -> None:
        """Ready to be taken into kernels; there is no machine code of it."""
        self._raise_if_finalized()
        self.callees = tuple(dict.fromkeys(self._linking_libraries))
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Where entries are made known."""
        return _NoEntries


class Closed(_Library):
    """A compiled kernel that runs the parts it carries.

    Its copies of them are optimised for where they are called, and differ from others' in the last
    bit.  Numba leaves them visible: all kernels of a process would run the copy that was loaded
    first, which is another one in the process that compiles than in those after it.
    """

    def finalize(self) -> None:
        """Machine code, with all that it calls."""
        _link_carried(self)
        super().finalize()

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"


class _Own(JITCodeLibrary):
    """A user's function, compiled as Numba does: it may count references."""

    def finalize(self) -> None:
        """Machine code, with all that our inner functions call."""
        _link_carried(self)
        super().finalize()


class Users(Compiler):
    """Compiles a user's function, or what stands around it and calls inner functions of ours."""

    def define_pipelines(self) -> Any:
        """Numba's own."""
        library = _Own(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        library.enable_object_caching()
        self.state.library = library
        return super().define_pipelines()


class _Ours(Compiler):
    """Compiles without what kernels do not need."""

    def _prepare(self, library: Any) -> list[Any]:
        self.state.library = library
        remembering = _typing(self.state.typingctx)
        self.state.typingctx = self.state.targetctx.typing_context = remembering
        return [_Passes("kernels")]


class Carrying(_Ours):
    """Compiles a function that kernels carry."""

    def define_pipelines(self) -> Any:
        """One."""
        name = self.state.func_id.func_qualname
        return self._prepare(Carried(self.state.targetctx.codegen(), name))


class Closing(_Ours):
    """Compiles a kernel."""

    def define_pipelines(self) -> Any:
        """One."""
        library = Closed(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        library.enable_object_caching()
        return self._prepare(library)
