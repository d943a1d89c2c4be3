"""Fidelity spatial against closed forms: planar limit, thick beam, whirl of a disc."""

from __future__ import annotations

import numpy as np

import gearwright as gw
from gearwright.analyses.modes import ModalAnalysis
from gearwright.solve.steady.modes import modes

from .registry import computes, computes_each
from .shared import modal, own, system_of


def _modes(name: str) -> ModalAnalysis:
    found = gw.modes(gw.load(own(name)))
    assert isinstance(found, ModalAnalysis)
    return found


@computes_each("SPACE.beam.*")
def _beam(order: str) -> float:
    """The shapes come in pairs, one in each plane."""
    found = _modes("thick-beam")
    across = found.table.parts[:, 1] > 0.5
    return float(found.frequencies_hz[across][2 * int(order) - 2])


@computes("SPACE.whirl")
def _whirl() -> list[float]:
    """Whirl frequencies [Hz] at 400 rad/s, forward positive, backward negative."""
    system = system_of(own("overhung-disc"))
    found = modes(system, 400.0)
    y, z = (system.coordinates.index(f"disc.{m}") for m in "yz")
    whirls = []
    for f, shape in zip(found.frequencies_hz, found.shapes.T, strict=True):
        size = max(abs(shape[y]), abs(shape[z]))
        if f < 1e4 and size > 1e-3 * np.abs(shape).max():
            # forward whirl runs from y to z: z lags a quarter turn behind y in the time exp(i w t)
            forward = (shape[z] / shape[y]).imag < 0.0
            whirls.append(float(f) if forward else -float(f))
    return sorted(whirls)


@computes("SPACE.planar_limit")
def _planar_limit() -> float:
    wheels = ("wheel", "pinion")
    members = {"stage1": ("sun", "ring", "carrier", "planet"), "stage2": wheels, "stage3": wheels}
    sets = [
        f"stages.{stage}.bearings.{member}.{key}=1e14"
        for stage, names in members.items()
        for member in names
        for key in ("axial_stiffness", "tilt_stiffness")
    ]
    planar = modal("grc-750kw", "planar").frequencies_hz[1:]
    spatial = modal("grc-750kw", "spatial", sets).frequencies_hz[1 : len(planar) + 1]
    return float(np.abs(spatial / planar - 1.0).max())
