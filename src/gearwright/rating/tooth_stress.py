"""Every tooth's own stress record: which tooth carries the mesh force when, and its contact stress along the path.

Tooth pair n of a mesh is in contact while the mesh phase runs from n to n + contact ratio (in cycles, zero where a pair
enters). It belongs to tooth n modulo z of each wheel, so that teeth hunt: a pair of teeth meets again after the least common
multiple of the tooth numbers. Source: S0, chapter 5 (the four points of interest and the surface of Fig. 5.2).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gearwright.errors import InputError
from gearwright.geometry.gear import Steel
from gearwright.geometry.pair import GearPair
from gearwright.results.rainflow import rainflow
from gearwright.stiffness.hertz import largest_mises, pressure

from .miner import Strength

Float = NDArray[np.float64]
STEEL = Steel()
#: von Mises stress over the pressure of Hertz, the mean of two factors (S0); 0.5575 without friction is the exact one
S0_FACTOR = 0.65


class ToothError(InputError):
    """A record that tooth stresses cannot be made of."""


@dataclass(frozen=True)
class Passes:
    """Contact stress of every tooth pair that went through a mesh.

    ``number`` (n,) of the pair (mesh cycle), ``time`` (n, p) and ``force`` (n, p) of the pair [s, N] and ``stress`` (n, p)
    [Pa] where it stands at the points ``s`` (p,) [m], arcs of gear one; not a number where the record does not hold it.
    ``factor`` is the stress over the largest pressure of Hertz.
    """

    pair: GearPair = field(metadata={"aside": True})
    number: NDArray[np.int64]
    s: Float = field(metadata={"aside": True})
    time: Float
    force: Float = field(metadata={"aside": True})
    stress: Float
    factor: float

    @property
    def pressure(self) -> Float:
        """Largest pressure of Hertz (n, p) [Pa]."""
        return self.stress / self.factor

    def tooth(self, which: int, offset: int = 0) -> NDArray[np.int64]:
        """Tooth (0 to z - 1) of gear ``which`` (0 or 1) of every pass; ``offset`` is the tooth of pair 0."""
        teeth = (self.pair.one, self.pair.two)[which].teeth
        # the teeth of wheel one come in rising order, those of its mate against it (external) or with it (ring)
        sign = 1 if which == 0 or self.pair.internal else -1
        return np.mod(sign * self.number + offset, teeth)

    @property
    def hunting(self) -> int:
        """Passes after which the same two teeth meet again."""
        return math.lcm(self.pair.one.teeth, self.pair.two.teeth)


def points_of_interest(pair: GearPair, inward: float = 0.02, rising: bool = True) -> dict[str, float]:
    """Four arcs of gear one [m]: entry, beginning of single contact, pitch point, end of single contact.

    ``inward`` moves the entry and the two switches into their regions by that part of a base pitch, so that a record
    has values on both sides. ``rising``: pairs enter at the start of the path, where arcs of gear one are smallest (gear
    one drives an external mate); else at its end.
    """
    p = pair.path
    first, sign = (p.start, 1.0) if rising else (p.end, -1.0)
    length, shift = p.end - p.start, inward * p.base_pitch
    return {
        "entry": first + sign * shift,
        "begin of single contact": first + sign * (length - p.base_pitch + shift),
        "pitch point": p.pitch_point,
        "end of single contact": first + sign * (p.base_pitch - shift),
    }


def mesh_phase(speed: ArrayLike, interval: float, teeth: int, start: float = 0.0) -> Float:
    """Mesh phase [cycles] of a wheel of ``teeth`` from its speed against the carrier [rad/s], trapezoids from ``start``."""
    w = np.abs(np.asarray(speed, float))
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (w[1:] + w[:-1]))]) * interval
    return start + teeth * turned / (2.0 * math.pi)


def tooth_passes(
    pair: GearPair,
    time: ArrayLike,
    phase: ArrayLike,
    force: ArrayLike,
    s: ArrayLike | None = None,
    *,
    factor: float | None = None,
    steels: tuple[Steel, Steel] | None = None,
    share: Callable[[float], float] | None = None,
    rising: bool = True,
) -> Passes:
    """Stress of every pass at arcs ``s`` of gear one (default: the points of interest).

    Parameters
    ----------
    time, phase, force : of a mesh: seconds, cycles (rising), transverse normal force of all pairs together [N]
    factor : stress over the pressure of Hertz; None: the largest von Mises stress without friction (0.5575)
    share : part of the force that a pair carries at an arc; None: evenly among the pairs in contact
    rising : as in :func:`points_of_interest`

    Raises ToothError for a phase that does not rise, too few samples a cycle, gears without a width, or a factor that is
    not positive.
    """
    if factor is not None and not (factor > 0.0 and math.isfinite(factor)):
        raise ToothError(
            f"factor {factor:g}: the stress over the pressure of Hertz lies above 0; von Mises without friction "
            "is 0.5575, the pressure itself 1"
        )
    t, f, q = (np.asarray(x, float) for x in (time, phase, force))
    if not (t.ndim == 1 and t.shape == f.shape == q.shape and len(t) > 1):
        raise ToothError("time, phase and force of a mesh are three series of one length")
    steps = np.diff(f)
    if not (steps > 0.0).all():
        raise ToothError("the mesh phase must rise all the time: a train that stands or turns back is not covered")
    if steps.max() > 0.5:
        raise ToothError(
            f"{1.0 / steps.max():.2g} samples a mesh cycle: store at least two, better twenty (output_interval)"
        )
    width = pair.face_width
    if width is None:
        raise ToothError("the face width of the teeth is not known")
    path = pair.path
    at = np.asarray(list(points_of_interest(pair, rising=rising).values()) if s is None else s, float)
    if at.min() < path.start - 1e-9 or at.max() > path.end + 1e-9:
        raise ToothError(
            f"points from {1e3 * at.min():.3f} to {1e3 * at.max():.3f} mm leave the path of contact, "
            f"{1e3 * path.start:.3f} to {1e3 * path.end:.3f} mm"
        )
    ends = ((at - path.start if rising else path.end - at) / path.base_pitch)[None, :]
    number = np.arange(math.ceil(f[0] - pair.contact_ratio), math.floor(f[-1]) + 1)
    when = number[:, None] + ends
    seen = (when >= f[0]) & (when <= f[-1])
    moment = np.where(seen, np.interp(when, f, t), np.nan)
    total = np.where(seen, np.interp(when, f, q), np.nan)
    part = np.array([share(x) if share is not None else 1.0 / _pairs(pair, x) for x in at])
    own = total * part
    used = steels or (pair.one.material or STEEL, pair.two.material or STEEL)
    scale = largest_mises(used[0].poisson)[0] if factor is None else factor
    stress = np.where(
        seen, scale * pressure(pair, np.nan_to_num(np.maximum(own, 0.0)) / width, at[None, :], used), np.nan
    )
    kept = seen.any(axis=1)
    return Passes(pair, number[kept], at, moment[kept], own[kept], stress[kept], scale)


def _pairs(pair: GearPair, s: float) -> int:
    """Tooth pairs in contact while one stands at ``s``: those one base pitch before and behind that are on the path."""
    path = pair.path
    steps = math.ceil(pair.contact_ratio)
    return sum(path.start <= s + k * path.base_pitch <= path.end for k in range(-steps, steps + 1))


def stress_surface(passes_of: Callable[[Float], Passes], pair: GearPair, points: int = 60) -> Passes:
    """Passes at even points along the whole path: the surface over path and pass number (S0 Fig. 5.2)."""
    path = pair.path
    margin = 1e-6 * path.base_pitch
    return passes_of(np.linspace(path.start + margin, path.end - margin, points))


def tooth_time(duration: float, teeth: int) -> float:
    """Seconds that one tooth stands for when the records of all ``teeth`` of a wheel over ``duration`` [s] are joined.

    A sun or ring needs the records of all planets for that, a planet one record of each flank.
    """
    return duration * teeth


def tooth_damage(stresses: ArrayLike, strength: Strength, method: str = "passes") -> float:
    """Damage of a tooth by its passes: each a cycle from zero (``passes``), or, as S0 counts, the ranges between the
    stresses of passes that follow each other (``ranges``, rainflow with half cycles).

    Raises ToothError for another method.
    """
    x = np.asarray(stresses, float)
    x = x[np.isfinite(x)]
    if method == "passes":
        return strength.damage(x, np.ones(len(x)))
    if method != "ranges":
        raise ToothError(f"method must be passes or ranges, got '{method}'")
    if len(x) < 2:
        return 0.0
    cycles = rainflow(x)
    return strength.damage(cycles.ranges, cycles.counts)


def worst_teeth(
    passes: Mapping[str, Passes],
    which: int,
    offsets: Mapping[str, int],
    point: int,
    strength: Strength,
    method: str = "passes",
) -> dict[int, float]:
    """Damage by tooth of a wheel that several meshes load (a sun: all planets), added up by tooth.

    ``offsets`` is the tooth of pair 0 in every mesh. With ``ranges`` the passes of all meshes are put in order of time.
    """
    teeth: dict[int, list[tuple[float, float]]] = {}
    for name, one in passes.items():
        for tooth, t, stress in zip(
            one.tooth(which, offsets.get(name, 0)), one.time[:, point], one.stress[:, point], strict=True
        ):
            if math.isfinite(stress):
                teeth.setdefault(int(tooth), []).append((float(t), float(stress)))
    return {
        tooth: tooth_damage([s for _, s in sorted(rows)], strength, method) for tooth, rows in sorted(teeth.items())
    }
