"""Roses of bearing loads: how large the radial force is in every direction, and how long it points there."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .figures import Figure, Trace, governing, plot, polar, polar_layout, styles
from .format import number, screen_unit
from .reading import Run
from .series import float32

Array = NDArray[np.float64]
#: Sectors of a turn: five degrees each.
SECTORS = 72
#: Bearings drawn; one of each family first.
MOST = 6


def sectors(y: Array, z: Array) -> tuple[Array, Array]:
    """Largest force in every sector of direction (0 at +y, towards +z), and the share of samples in it.

    Not-a-number samples are left out; a sector without samples has the force 0.
    """
    size, angle = np.hypot(y, z), np.arctan2(z, y)
    good = np.isfinite(size)
    place = np.floor(np.mod(angle[good], 2.0 * math.pi) / (2.0 * math.pi) * SECTORS).astype(int) % SECTORS
    largest = np.zeros(SECTORS)
    np.maximum.at(largest, place, size[good])
    return largest, np.bincount(place, minlength=SECTORS) / max(int(good.sum()), 1)


def rose_figure(run: Run) -> Figure | None:
    """Roses of the governing bearings on one polar plot; None without stored components."""
    if not {"force_y", "force_z"} <= set(run.quantities("bearing")):
        return None
    name = "force" if "force" in run.quantities("bearing") else "force_y"
    elements = governing(run, "bearing", name, MOST)
    factor, unit = screen_unit(run.unit("bearing", "force_y"))
    look = styles(run, "bearing", elements)
    data: list[Trace] = []
    widest = ("", 0.0)
    keep = run.times >= run.times[0] + float(run.attribute("discard_s", 0.0))
    theta = np.repeat(np.arange(SECTORS + 1) * 360.0 / SECTORS, 2)[1:-1]
    for element in elements:
        y, z = run.series("bearing", "force_y", element), run.series("bearing", "force_z", element)
        if y is None or z is None or not np.isfinite(y[keep]).any():
            continue
        largest, share = sectors(y[keep], z[keep])
        covered = float((share > 0.0).mean()) * 360.0
        widest = max(widest, (element, covered), key=lambda item: item[1])
        hover = f"up to %{{r:.4g}} {unit} at %{{theta:.0f}}°, %{{customdata:.2f}} % of the time"
        r, time = float32(np.repeat(largest * factor, 2)), float32(np.repeat(100.0 * share, 2))
        data.append(polar(element, float32(theta), r, *look[element], customdata=time, hovertemplate=hover))
    if not data:
        return None
    sentence = (
        f"Directions of bearing loads: largest force by direction of the force on the body, 0° towards y, 90° towards z; "
        f"{widest[0]} covers {number(widest[1], 3)}°."
    )
    note = "Bearings of planets, and of sun, ring and carrier in planar models, in the frame of their carrier."
    drawn = polar_layout({"title": {"text": f"force [{unit}]"}}, 460)
    return plot("rose-bearing", sentence, data, drawn, note)
