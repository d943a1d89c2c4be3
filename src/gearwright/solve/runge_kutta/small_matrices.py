"""Dense algebra on a handful of unknowns, by pointers: factors, substitution, sums of weighted vectors."""

from __future__ import annotations

from gearwright.kernels import fused, hot
from gearwright.kernels.pointers import noinline


@hot
def factorise(a, n, pivot):  # type: ignore[no-untyped-def]
    """LU with partial pivoting of the (n, n) matrix ``a``, in place; rows swap from the pivot's column on."""
    noinline()
    for j in range(n):
        best = j
        for i in range(j + 1, n):
            if abs(a[i * n + j]) > abs(a[best * n + j]):
                best = i
        pivot[j] = best
        if best != j:
            for c in range(j, n):
                x = a[j * n + c]
                a[j * n + c] = a[best * n + c]
                a[best * n + c] = x
        inverse = 1.0 / a[j * n + j]
        for i in range(j + 1, n):
            x = a[i * n + j] * inverse
            a[i * n + j] = x
            for c in range(j + 1, n):
                a[i * n + c] -= x * a[j * n + c]


@hot
def substitute(a, n, pivot, b):  # type: ignore[no-untyped-def]
    """Solve with the factors of :func:`factorise`, in place."""
    noinline()
    for j in range(n):
        p = pivot[j]
        x = b[p]
        b[p] = b[j]
        b[j] = x
        for i in range(j + 1, n):
            b[i] -= a[i * n + j] * x
    for j in range(n - 1, -1, -1):
        x = b[j]
        for c in range(j + 1, n):
            x -= a[j * n + c] * b[c]
        b[j] = x / a[j * n + j]


@fused
def weighted_sum(count, length, stride, matrix, x, sign, out):  # type: ignore[no-untyped-def]
    """``out += sign sum_k x_k matrix[k]`` over ``count`` vectors of a length, four entries at a time."""
    i = 0
    while i + 4 <= length:
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        p = i
        for k in range(count):
            y = x[k]
            a += matrix[p] * y
            b += matrix[p + 1] * y
            c += matrix[p + 2] * y
            d += matrix[p + 3] * y
            p += stride
        out[i] += sign * a
        out[i + 1] += sign * b
        out[i + 2] += sign * c
        out[i + 3] += sign * d
        i += 4
    while i < length:
        a = 0.0
        for k in range(count):
            a += matrix[k * stride + i] * x[k]
        out[i] += sign * a
        i += 1
