"""Where the damping of a mode comes from, and what is likely wrong with it."""

from __future__ import annotations

import re

import numpy as np

from gearwright.errors import listed
from gearwright.remarks import warning
from gearwright.solve.steady.modes import Modes, modes
from gearwright.system import System
from gearwright.train.kinematics import mesh_frequency, speeds
from gearwright.train.train import Train

#: damping ratios that are unlikely of a geared train: below in modes that turbine and grid excite, above in any
LEAST, MOST = 0.005, 0.2


def damping_shares(system: System, shape: np.ndarray) -> dict[str, float]:
    """Part of the power that a mode loses in every element, largest first; ``model.damping`` for damping by modes.

    ``shape`` (n): of the coordinates, real or complex. Empty where nothing is damped.
    """
    lost: dict[str, float] = {}

    def add(row: str, power: float) -> None:
        element = row.rpartition(".")[0] or row
        name = "model.damping" if re.fullmatch(r"mode\d+", element) else element
        lost[name] = lost.get(name, 0.0) + power

    first = system.spring_rows.start
    rates = np.abs(np.asarray(system.D[system.spring_rows] @ shape)) ** 2
    for k, power in enumerate(system.arrays.c * rates):
        add(system.rows[first + k], float(power))
    for block, (_, c) in enumerate(system.law_gradients()):
        rows = system.law_rows(block)
        rate = np.asarray(system.D[rows] @ shape)
        if len(rate):
            add(system.rows[rows.start], float(np.real(np.conj(rate) @ c @ rate)))
    total = sum(lost.values())
    if not total > 0.0:
        return {}
    return {name: power / total for name, power in sorted(lost.items(), key=lambda x: -x[1]) if power > 0.01 * total}


def damping_remarks(system: System, train: Train, found: Modes) -> list[str]:
    """Warnings of modes that are hardly damped below the first mesh frequency at the operating speed, and of modes damped
    by more than 20 % below the second mesh harmonic, with where that comes from; a note where a machine damps them, which
    is what machines on a slip curve do. ``found``: the modes of the system."""
    now = speeds(train)
    meshes = [f for f in (mesh_frequency(m, now) for m in train.meshes.values()) if f and np.isfinite(f)]
    if not meshes:
        return []
    said: list[str] = []
    every = [
        (i, f, z)
        for i, (f, z) in enumerate(zip(found.frequencies_hz, found.damping_ratios, strict=True))
        if f > 0.0 and np.isfinite(z)
    ]
    light = [(f, z) for _, f, z in every if f < min(meshes) and z < LEAST]
    if light:
        modes = ", ".join(f"{f:.4g} Hz ({100.0 * max(z, 0.0):.2g} %)" for f, z in light[:4])
        more = f" and {len(light) - 4} more" if len(light) > 4 else ""
        said.append(
            warning(
                f"hardly any damping below the first mesh frequency ({min(meshes):.4g} Hz): {modes}{more}; what begins to swing "
                f"there does not stop, and loads may be many times too large. Give damping of the elements, or of the model, such "
                f"as model: {{damping: {{modal: 2 %}}}}"
            )
        )
    limit = 2.0 * max(meshes)
    heavy = [(i, f, z) for i, f, z in every if f < limit and z > MOST]
    driven = [one for one in heavy if _machine_share(system, train, found.shapes[:, one[0]]) > 0.5]
    others = [one for one in heavy if one not in driven]
    if others:
        said.append(warning(_heavy(system, train, found, others, limit)))
    if driven:
        said.append(_heavy(system, train, found, driven, limit))
    return said


def _machine_share(system: System, train: Train, shape: np.ndarray) -> float:
    return sum(share for name, share in damping_shares(system, shape).items() if name in train.machines)


def _heavy(system: System, train: Train, found: Modes, heavy: list[tuple[int, float, float]], limit: float) -> str:
    """A sentence on modes with much damping: how many, how much, and the elements it comes from."""
    i, f, z = max(heavy, key=lambda item: item[2])
    shares = damping_shares(system, found.shapes[:, i])
    parts = [f"{name} {100.0 * share:.0f} %" for name, share in shares.items()]
    count = "a mode" if len(heavy) == 1 else f"{len(heavy)} modes"
    text = (
        f"{count} below the second mesh harmonic ({limit:.4g} Hz) with more than 20 % damping (up to {100.0 * z:.0f} % at "
        f"{f:.4g} Hz), which comes from {listed(parts, 4)}"
    )
    growing = [name for name in shares if _proportional(train, name)]
    if growing and not any(name in train.machines for name in list(shares)[:1]):
        text += "; damping in proportion to stiffness grows with frequency: less of it, or damping by a ratio, mends it"
    return text


def _proportional(train: Train, name: str) -> bool:
    """Whether an element's damping is given in proportion to its stiffness."""
    if train.damping:
        return bool(train.damping.stiffness_proportional) and name not in train.machines
    found = train.meshes.get(name) or train.bearings.get(name) or train.shafts.get(name)
    return found is not None and found.damping.stiffness_proportional is not None


def damping_warnings(system: System, train: Train, found: Modes | None = None) -> list[str]:
    """What is likely wrong with the damping of the modes, and where it comes from. ``found``: the modes of the system, where
    they are known."""
    try:
        return damping_remarks(system, train, found or modes(system))
    except ValueError:  # a rigid train under a prescribed speed has no modes
        return []
