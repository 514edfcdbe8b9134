"""Functions of Munk2D, the C library inside pymunk, as compiled code calls them.

They are registered as symbols with the addresses that pymunk's own binding has, so
that compiled code that calls them can be kept on disk. They are Chipmunk's public C
interface; that pymunk's binding shows them is not promised, and pymunk is therefore
pinned to tested versions.

Addresses travel as whole numbers, two-dimensional vectors as two doubles and a shape
filter as two words: so the calling conventions of x86-64 and ARM64, Windows excepted,
pass these structs.
"""

import importlib
import platform
import struct
import sys
import warnings
from collections.abc import Callable
from typing import Any, cast

import llvmlite.binding as llvm_binding  # pyright: ignore[reportMissingTypeStubs]
from llvmlite import ir as llvm_ir  # pyright: ignore[reportMissingTypeStubs]
from numba.core import cgutils as numba_cgutils
from numba.core import types
from numba.extending import intrinsic

from game_core.compiled.jit import config

__all__ = [
    "USABLE",
    "add_body",
    "add_constraint",
    "add_shape",
    "body_free",
    "body_new",
    "circle_new",
    "constraint_free",
    "gear_new",
    "get_body_position",
    "get_body_spin",
    "get_body_velocity",
    "get_static_body",
    "pivot_new",
    "segment_new",
    "set_body_spin",
    "set_body_velocity",
    "set_collision_slop",
    "set_elasticity",
    "set_friction",
    "set_iterations",
    "set_max_bias",
    "set_max_force",
    "set_position",
    "set_shape_filter",
    "shape_free",
    "space_free",
    "space_new",
    "space_step",
]

# These come without types.
llvm, ir = cast(Any, llvm_binding), cast(Any, llvm_ir)
cgutils = cast(Any, numba_cgutils)

PREFIX = "tabletop_"
"""Of the symbols, so that they are nobody else's."""

_ADDRESS, _NUMBER, _NOTHING = types.intp, types.float64, types.void

_names: list[str] = []


def _function(name: str, result: Any, *arguments: Any) -> Any:
    """Return a C function for compiled code."""
    _names.append(name)
    return types.ExternalFunction(PREFIX + name, result(*arguments))


def _vector_getter(name: str) -> Callable[..., Any]:
    """Return a C function of an address that returns a vector, for compiled code."""
    _names.append(name)
    vector = ir.LiteralStructType([ir.DoubleType(), ir.DoubleType()])
    function_type = ir.FunctionType(vector, [ir.IntType(64)])

    def call(typing_context: Any, address: Any) -> Any:
        del typing_context, address

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            function = cgutils.get_or_insert_function(
                builder.module, function_type, PREFIX + name
            )
            result = builder.call(function, args)
            parts = [builder.extract_value(result, part) for part in (0, 1)]
            return context.make_tuple(builder, signature.return_type, parts)

        return types.UniTuple(_NUMBER, 2)(_ADDRESS), generate

    return intrinsic(call)


space_new = _function("cpSpaceNew", _ADDRESS)
space_free = _function("cpSpaceFree", _NOTHING, _ADDRESS)
space_step = _function("cpSpaceStep", _NOTHING, _ADDRESS, _NUMBER)
set_iterations = _function("cpSpaceSetIterations", _NOTHING, _ADDRESS, types.int32)
set_collision_slop = _function("cpSpaceSetCollisionSlop", _NOTHING, _ADDRESS, _NUMBER)
get_static_body = _function("cpSpaceGetStaticBody", _ADDRESS, _ADDRESS)
add_body = _function("cpSpaceAddBody", _ADDRESS, _ADDRESS, _ADDRESS)
add_shape = _function("cpSpaceAddShape", _ADDRESS, _ADDRESS, _ADDRESS)
add_constraint = _function("cpSpaceAddConstraint", _ADDRESS, _ADDRESS, _ADDRESS)
body_new = _function("cpBodyNew", _ADDRESS, _NUMBER, _NUMBER)
body_free = _function("cpBodyFree", _NOTHING, _ADDRESS)
set_position = _function("cpBodySetPosition", _NOTHING, _ADDRESS, _NUMBER, _NUMBER)
set_body_velocity = _function("cpBodySetVelocity", _NOTHING, _ADDRESS, _NUMBER, _NUMBER)
get_body_spin = _function("cpBodyGetAngularVelocity", _NUMBER, _ADDRESS)
set_body_spin = _function("cpBodySetAngularVelocity", _NOTHING, _ADDRESS, _NUMBER)
segment_new = _function("cpSegmentShapeNew", _ADDRESS, _ADDRESS, *[_NUMBER] * 5)
circle_new = _function("cpCircleShapeNew", _ADDRESS, _ADDRESS, *[_NUMBER] * 3)
shape_free = _function("cpShapeFree", _NOTHING, _ADDRESS)
set_elasticity = _function("cpShapeSetElasticity", _NOTHING, _ADDRESS, _NUMBER)
set_friction = _function("cpShapeSetFriction", _NOTHING, _ADDRESS, _NUMBER)
set_shape_filter = _function(
    "cpShapeSetFilter", _NOTHING, _ADDRESS, types.int64, types.int64
)
pivot_new = _function("cpPivotJointNew2", _ADDRESS, _ADDRESS, _ADDRESS, *[_NUMBER] * 4)
gear_new = _function("cpGearJointNew", _ADDRESS, _ADDRESS, _ADDRESS, _NUMBER, _NUMBER)
constraint_free = _function("cpConstraintFree", _NOTHING, _ADDRESS)
set_max_bias = _function("cpConstraintSetMaxBias", _NOTHING, _ADDRESS, _NUMBER)
set_max_force = _function("cpConstraintSetMaxForce", _NOTHING, _ADDRESS, _NUMBER)
get_body_position = _vector_getter("cpBodyGetPosition")
get_body_velocity = _vector_getter("cpBodyGetVelocity")


def _register_symbols() -> bool:
    """Make the library's functions known to the linker; tell whether all are there."""
    words_are_passed_alike = (
        platform.machine().lower() in ("x86_64", "amd64", "aarch64", "arm64")
        and sys.platform != "win32"
        and struct.calcsize("P") == 8
    )
    if config.DISABLE_JIT or not words_are_passed_alike:
        return False
    try:
        binding: Any = importlib.import_module("pymunk._chipmunk")
        ffi, lib = binding.ffi, binding.lib
        for name in _names:
            address = ffi.cast("intptr_t", ffi.addressof(lib, name))
            llvm.add_symbol(PREFIX + name, int(address))
    except (ImportError, AttributeError) as error:
        warnings.warn(
            f"this version of pymunk does not show its C functions ({error}), so that "
            "ICECOOL is a hundred times slower; the tested versions stand in "
            "pyproject.toml",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    return True


USABLE = _register_symbols()
"""Whether compiled code can call the library here."""
