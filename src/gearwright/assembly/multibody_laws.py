"""Laws of elastic rows of a mechanism: meshes over the cycle, with backlash, friction over time."""

from __future__ import annotations

from typing import Any

from gearwright.laws.backlash import backlash
from gearwright.laws.mesh_cycle import mesh_cycle, mirrored
from gearwright.laws.mesh_properties import mean_stiffness, stiffness_curve
from gearwright.laws.rubbing import rubbing
from gearwright.multibody import MultibodyError
from gearwright.system import Law
from gearwright.train.train import Mesh, Stiffness

from .motion import AssemblyError

#: step of time where the file gives none [s]
STEP = 1e-3


def gear_law(e: Any, damping: float) -> Law | None:
    """Law of an elastic gear element; None where its row is rigid or a plain spring. Raises MultibodyError."""
    s = e.stiffness
    if s is None or (not e.varies and e.backlash is None):
        return None
    facts = Stiffness(
        mean=s.mean,
        two_pairs=s.two_pairs,
        one_pair=s.one_pair,
        table=None if s.table is None else tuple(s.table),
        fourier=None if s.fourier is None else tuple((h.order, h.amplitude, h.phase) for h in s.fourier),
        corners=tuple(s.corners),
    )
    mesh = Mesh(
        e.name,
        tuple(e.between),
        tuple(abs(r) for r in e.radius),
        teeth=e.teeth,
        contact_ratio=e.contact_ratio,
        stiffness=facts,
        backlash=e.backlash,
    )
    try:
        if not e.varies:
            return backlash(mean_stiffness(mesh), damping, e.backlash)
        curve = stiffness_curve(mesh, spur=True)
        if e.backlash is None:
            return mesh_cycle(curve, damping)
        length = e.contact_ratio if e.contact_ratio is not None else 1.0
        return mesh_cycle(curve, damping, coast=mirrored(curve, length), backlash=e.backlash)
    except (AssemblyError, ValueError) as error:
        raise MultibodyError(f"gear '{e.name}': {error}") from None


def rubbing_of(
    name: str,
    table: tuple[list[float], list[float]],
    viscous: float,
    creep: float | None,
    mobility: float,
    step: float | None,
) -> Law:
    """Friction about an axis. Without a ``creep`` speed the least that the step can follow: half its limit."""
    most = max(table[1])
    least = 0.5 * most * mobility * (step or STEP)
    if creep is not None and creep < 0.75 * least:
        raise MultibodyError(
            f"'{name}': a creep speed of {creep:g} rad/s needs steps below {(step or STEP) * creep / least:.2g} s"
        )
    try:
        return rubbing(*table, creep if creep is not None else max(least, 1e-6), viscous)
    except ValueError as error:
        raise MultibodyError(f"'{name}': {error}") from None
