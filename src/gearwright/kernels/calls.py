"""Calls of laws by address from functions that hold whole arrays: pointers to a block's own part are formed here."""

from __future__ import annotations

from typing import Any

from .compiled import Signature, build, intrinsic, ir, types
from .law_functions import FORCE, GUARD


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, offset_type: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.gep(data, [context.cast(builder, offset, offset_type, types.intp)])


def _function(context: Any, builder: Any, signature: Signature, address: Any) -> Any:
    returned = (
        ir.VoidType() if signature.result == "nothing" else context.get_value_type(build.c_type(signature.result))
    )
    arguments = [context.get_value_type(build.c_type(name)) for name in signature.arguments]
    return builder.inttoptr(address, ir.FunctionType(returned, arguments).as_pointer())


@intrinsic
def call_force(typingctx, address, t, d, dv, f, row, p, ip, z, zd, iz, s, mode):  # type: ignore[no-untyped-def]
    """Call a law's force by address: rows start at ``row``, parameters at ``ip``, states at ``iz``."""
    signature = types.void(address, t, d, dv, f, row, p, ip, z, zd, iz, s, mode)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        ad, t_, d_, dv_, f_, row_, p_, ip_, z_, zd_, iz_, s_, mode_ = args
        ty = sig.args
        zero = context.get_constant(types.intp, 0)
        function = _function(context, builder, FORCE, context.cast(builder, ad, ty[0], types.int64))
        builder.call(
            function,
            [
                context.cast(builder, t_, ty[1], types.float64),
                _pointer(context, builder, ty[2], d_, ty[5], row_),
                _pointer(context, builder, ty[3], dv_, ty[5], row_),
                _pointer(context, builder, ty[6], p_, ty[7], ip_),
                _pointer(context, builder, ty[8], z_, ty[10], iz_),
                _pointer(context, builder, ty[11], s_, types.intp, zero),
                context.cast(builder, mode_, ty[12], types.int64),
                _pointer(context, builder, ty[4], f_, ty[5], row_),
                _pointer(context, builder, ty[9], zd_, ty[10], iz_),
            ],
        )
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def call_guard(typingctx, address, t, d, dv, row, p, ip, z, iz, s, mode, g):  # type: ignore[no-untyped-def]
    """Call a law's guard by address; writes ``g[0], g[1]``, returns the next mode."""
    signature = types.int64(address, t, d, dv, row, p, ip, z, iz, s, mode, g)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        ad, t_, d_, dv_, row_, p_, ip_, z_, iz_, s_, mode_, g_ = args
        ty = sig.args
        zero = context.get_constant(types.intp, 0)
        function = _function(context, builder, GUARD, context.cast(builder, ad, ty[0], types.int64))
        return builder.call(
            function,
            [
                context.cast(builder, t_, ty[1], types.float64),
                _pointer(context, builder, ty[2], d_, ty[4], row_),
                _pointer(context, builder, ty[3], dv_, ty[4], row_),
                _pointer(context, builder, ty[5], p_, ty[6], ip_),
                _pointer(context, builder, ty[7], z_, ty[8], iz_),
                _pointer(context, builder, ty[9], s_, types.intp, zero),
                context.cast(builder, mode_, ty[10], types.int64),
                _pointer(context, builder, ty[11], g_, types.intp, zero),
            ],
        )

    return signature, codegen
