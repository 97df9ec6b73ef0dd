"""How kernels, and the functions that only kernels call, are compiled: each function once for every kernel.

Numba makes machine code of every function it meets, with everything that the function calls optimised into it anew,
and does not use it where only other compiled code calls that function. For a card game of four hundred functions that
took most of the time. Here the functions are only translated; they are optimised and become machine code as parts of a
kernel. No other code can call the parts of a kernel, so that the compiler may fit them to where they are called.
"""

import functools
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

# ---------------------------------------------------------------- code


class _Part(JITCodeLibrary):
    """The code of one function, to be linked into kernels."""

    def finalize(self) -> None:
        """Nothing more is added. What it calls is not linked here, since every kernel links all its parts itself."""
        self._finalized = True

    def with_all_it_calls(self) -> list[JITCodeLibrary]:
        """What has to be linked where it is called."""
        return [self, *dict.fromkeys(self._linking_libraries)]


class _Whole(JITCodeLibrary):
    """The code of a kernel."""

    def _optimize_final_module(self) -> None:
        """Hide the parts: not only from others, but from the table of names, where kernels would find each other's."""
        parts = [library for library in self._linking_libraries if isinstance(library, _Part)]
        for name in {function.name for part in parts for function in part.get_defined_functions()}:
            self._final_module.get_function(name).linkage = "private"
        super()._optimize_final_module()


# ---------------------------------------------------------------- numba's last step, from its own form to code


@register_pass(mutates_CFG=True, analysis_only=False)
class _Translation(NativeLowering):
    """The last step for a part: no machine code."""

    _name = "overworlds_translation"

    def run_pass(self, state: Any) -> bool:
        """Translate it, and tell numba how compiled code calls it."""
        library = state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        library.enable_object_caching()
        state.flags.no_compile = True
        super().run_pass(state)
        result = state["cr"]
        stands_for_it = make_function(result.fndesc.lookup_module(), library.name, "", 0, result.env, (library,))
        state.targetctx.insert_user_function(stands_for_it, result.fndesc, library.with_all_it_calls())
        state.reload_init.extend(library._reload_init)
        state["cr"] = _LowerResult(result.fndesc, result.call_helper, cfunc=stands_for_it, env=result.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Compilation(NativeLowering):
    """The last step for a kernel: numba's own, which makes machine code, on our sort of code."""

    _name = "overworlds_compilation"

    def run_pass(self, state: Any) -> bool:
        """Make machine code of it and of all its parts."""
        state.library = _Whole(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class _Compiler(CompilerBase):
    """Numba's compiler with another last step."""

    last_step: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        """What numba asks for."""
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [(self.last_step if step is NativeLowering else step, about) for step, about in steps.passes]
        steps.finalize()
        return [steps]


class _PartCompiler(_Compiler):
    last_step = _Translation


class KernelCompiler(_Compiler):
    """For numba's ``pipeline_class``."""

    last_step = _Compilation


# ---------------------------------------------------------------- functions

OPTIONS = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _widened(argument: Any) -> Any:
    """The type that stands for this one: signed numbers and truth values of all sizes are int64."""
    argument = types.unliteral(argument)
    is_whole = isinstance(argument, types.Boolean) or (isinstance(argument, types.Integer) and argument.signed)
    return types.int64 if is_whole else argument


class Inner(CPUDispatcher):
    """A function that kernels call.

    Numba would compile it anew for every width of every number that it is given, and all that it calls too: a function
    of a card game was compiled sixteen times. This one is compiled for int64, to which narrower numbers are converted.
    """

    def __init__(self, function: Callable, **options: Any) -> None:
        super().__init__(function, targetoptions=OPTIONS | options, pipeline_class=_PartCompiler)

    def get_call_template(self, args: Any, kws: dict[str, Any]) -> Any:
        """What numba asks for where compiled code calls it."""
        return super().get_call_template(tuple(map(_widened, args)), {name: _widened(kws[name]) for name in kws})

    @functools.cached_property
    def _called_by_python(self) -> Any:
        return numba.njit(nogil=True)(self.py_func)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        """Called by Python, it is compiled once more, then with the wrapper that such a call needs."""
        return self._called_by_python(*args, **kws)
