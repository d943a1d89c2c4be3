"""Losses so large that a rigid train has no unique forces: found before a run, with the name of the mesh.

With the losses of a pattern of signs the multipliers follow from ``C J^-1 Cm^T`` (reduced to independent rows where meshes
are redundant). They are unique as long as its determinant keeps the sign it has without losses, for every pattern. The
determinant is linear in the loss of each mesh, so its least value lies at a pattern of full losses (S3 digest, 4.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gearwright.arrays import Float

from .losses import mesh_loss
from .motion import AssemblyError, Terms
from .rigid import rotations
from .work import Assembly

#: Lossy meshes up to which all patterns are tried; beyond, one sign after the other is turned as long as that helps.
ALL = 10


def check_losses(work: Assembly, weights: dict[str, float]) -> None:
    """Refuse losses with which the forces of rigid meshes are not unique; ``weights`` are the compliances of meshes."""
    names = [name for name in work.train.meshes if name in work.hard]
    losses = {name: loss for name in names if (loss := mesh_loss(work.train.meshes[name])) is not None}
    size = {name: max((x.mu1, x.mu2, *x.table, *x.table2)) for name, x in losses.items()}
    lossy = [name for name in losses if size[name] > 0.0]
    if not lossy:
        return
    columns = {c: i for i, c in enumerate(sorted({c for row in work.hard.values() for c in row}))}

    def line(terms: Terms) -> Float:
        out = np.zeros(len(columns))
        for name, value in terms.items():
            if name in columns:
                out[columns[name]] = value
        return out

    rows = np.array([line(work.hard[name]) for name in names])
    rub = {
        name: size[name] * line(rotations(work.motions, losses[name].rate)) * work.train.meshes[name].sigma
        for name in lossy
    }
    inverse = np.array([1.0 / work.mass[c] for c in columns])
    least = _Determinant(
        rows,
        inverse,
        np.array([weights[n] for n in names]),
        [names.index(n) for n in lossy],
        np.array([rub[n] for n in lossy]),
    )
    pattern, value = least.search()
    if value > 1e-9:
        return
    without = [least(np.where(np.arange(len(lossy)) == k, 0.0, pattern)) for k in range(len(lossy))]
    raise AssemblyError(
        f"loss of mesh '{lossy[int(np.argmax(without))]}' is so large that the forces of this train are not unique: with all losses "
        f"acting one way, friction turns the wheels more than the tooth force itself does; make it smaller, or give the members "
        f"their true inertias"
    )


class _Determinant:
    """Determinant of the rigid rows with losses over the one without, for signs of the losses in -1..1."""

    def __init__(self, rows: Float, inverse: Float, compliance: Float, which: list[int], rub: Float):
        self.rows, self.inverse, self.which, self.rub = rows, inverse, which, rub
        gram = rows * inverse @ rows.T
        scale = np.sqrt(np.diag(gram))
        gram = gram / scale / scale[:, None]
        rank = int(np.linalg.matrix_rank(gram, tol=1e-10, hermitian=True))
        from scipy.linalg import qr

        _, _, order = qr(gram, pivoting=True)
        self.left = rows[np.sort(order[:rank])] * inverse
        # forces in the span of elastic ones, see solve/runge_kutta/multipliers.py
        self.share = (self.left @ rows.T / compliance).T
        self.base = np.linalg.slogdet(self.left @ rows.T @ self.share)

    def __call__(self, signs: Float) -> float:
        felt = self.rows.copy()
        felt[self.which] += signs[:, None] * self.rub
        sign, log = np.linalg.slogdet(self.left @ felt.T @ self.share)
        return float(sign * self.base[0] * np.exp(log - self.base[1]))

    def search(self) -> tuple[Any, float]:
        """Pattern of the least value, and that."""
        count = len(self.which)
        if count <= ALL:
            patterns = 1.0 - 2.0 * ((np.arange(2**count)[:, None] >> np.arange(count)) & 1)
            felt = np.repeat(self.rows[None], len(patterns), axis=0)
            felt[:, self.which] += patterns[:, :, None] * self.rub
            sign, log = np.linalg.slogdet(self.left @ felt.transpose(0, 2, 1) @ self.share)
            values = sign * self.base[0] * np.exp(log - self.base[1])
            return patterns[int(values.argmin())], float(values.min())
        best, least = np.ones(count), np.inf
        for start in (np.ones(count), -np.ones(count)):
            signs, value = start, self(start)
            while True:
                turned = [self(np.where(np.arange(count) == k, -signs, signs)) for k in range(count)]
                k = int(np.argmin(turned))
                if turned[k] >= value:
                    break
                signs, value = np.where(np.arange(count) == k, -signs, signs), turned[k]
            if value < least:
                best, least = signs, value
        return best, least
