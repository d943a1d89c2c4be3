"""Products of matrices and vectors in registers: the sums stay there while the lines of the matrix go by."""

from __future__ import annotations

from typing import Any

from .code import counted, instruction, place
from .compiled import intrinsic, ir, types


def _panel(vectors: int, rights: int, chains: int) -> Any:
    """``out_r = base + x_r A`` for a strip of eight times ``vectors`` numbers; ``chains`` lines are summed apart."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        out, ostride, base, matrix, n, x, xstride, lines = args
        word = n.type
        eight = ir.VectorType(ir.DoubleType(), 8)
        multiply = instruction(builder, "llvm.fmuladd.v8f64", eight, eight, eight, eight)

        def vector(pointer: Any, offset: Any, v: int) -> Any:
            at = builder.gep(pointer, [builder.add(offset, ir.Constant(word, 8 * v))])
            return builder.bitcast(at, eight.as_pointer())

        def all_eight(value: Any) -> Any:
            lane = builder.insert_element(ir.Constant(eight, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
            return builder.shuffle_vector(lane, ir.Constant(eight, ir.Undefined), zeros)

        zero = ir.Constant(word, 0)
        sums: Any = [[[place(builder, eight) for _ in range(chains)] for _ in range(vectors)] for _ in range(rights)]
        for one in sums:
            for v, parts in enumerate(one):
                for i, part in enumerate(parts):
                    begin = builder.load(vector(base, zero, v), align=8) if i == 0 else ir.Constant(eight, [0.0] * 8)
                    builder.store(begin, part)

        def add(line: Any, chain: int) -> None:
            values = [
                builder.load(builder.gep(x, [builder.add(builder.mul(xstride, ir.Constant(word, r)), line)]))
                for r in range(rights)
            ]
            for v in range(vectors):
                column = builder.load(vector(matrix, builder.mul(line, n), v), align=8)
                for r in range(rights):
                    part = sums[r][v][chain]
                    builder.store(builder.call(multiply, [column, all_eight(values[r]), builder.load(part)]), part)

        together = ir.Constant(word, chains)
        whole = builder.mul(builder.sdiv(lines, together), together)
        if chains > 1:
            with counted(builder, zero, whole, chains) as line:
                for chain in range(chains):
                    add(builder.add(line, ir.Constant(word, chain)), chain)
        with counted(builder, whole if chains > 1 else zero, lines, 1) as line:
            add(line, 0)
        for r in range(rights):
            for v in range(vectors):
                total = builder.load(sums[r][v][0])
                for part in sums[r][v][1:]:
                    total = builder.fadd(total, builder.load(part))
                builder.store(total, vector(out, builder.mul(ostride, ir.Constant(word, r)), v), align=8)
        return context.get_dummy_value()

    word, real = types.int64, types.CPointer(types.float64)
    return types.void(real, word, real, real, word, real, word, word), codegen


def _product(vectors: int, rights: int, chains: int) -> Any:
    """The instruction ``(out, ostride, base, matrix, n, x, xstride, lines)`` of :func:`_panel`."""

    @intrinsic
    def product(typingctx, out, ostride, base, matrix, n, x, xstride, lines):  # type: ignore[no-untyped-def]
        return _panel(vectors, rights, chains)

    return product


#: 32, 16 and eight numbers of one vector
wide, middle, narrow = _product(4, 1, 2), _product(2, 1, 4), _product(1, 1, 4)
#: 16 and eight numbers of two vectors, and of four
two_middle, two_narrow = _product(2, 2, 2), _product(1, 2, 4)
four_middle, four_narrow = _product(2, 4, 1), _product(1, 4, 2)
