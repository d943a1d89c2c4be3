"""Quantities that follow from channels: while a run goes on (:class:`Derived`), or afterwards from its series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .counter_kernels import extend_channels

Float = NDArray[np.float64]
OPERATIONS = ("norm", "product", "share", "phase")
#: Rate of a rubbing row [rad/s or m/s] below which it counts as at rest: far above round-off, far below any motion.
AT_REST = 1e-7


@dataclass(frozen=True)
class Derived:
    """A channel computed from others at every sample, before it is counted and stored.

    ``inputs`` are channel names (``element.quantity``), earlier derived ones included.

    ``operation``:

    - ``norm``: root of the sum of squares (magnitude of a bearing force)
    - ``product``: product (torque times speed)
    - ``share``: first input times the number of inputs over the sum of all inputs (load of one planet in units
      of the even share; 1 where the sum vanishes)
    - ``phase``: of a brake or clutch with capacity and slip speed: 0 free (no capacity), 1 slips, 2 locked

    The outcome is multiplied by ``factor``.
    """

    kind: str
    element: str
    quantity: str
    unit: str
    operation: str
    inputs: tuple[str, ...]
    sign: str = ""
    counted: bool = False
    factor: float = 1.0

    def __post_init__(self) -> None:
        if self.operation not in OPERATIONS:
            raise ValueError(
                f"operation of '{self.name}' must be one of {', '.join(OPERATIONS)}, got '{self.operation}'"
            )
        if not self.inputs:
            raise ValueError(f"derived channel '{self.name}' has no inputs")

    @property
    def name(self) -> str:
        """``element.quantity``, unique within a run."""
        return f"{self.element}.{self.quantity}"


class Extension:
    """Derived channels with their inputs found: extends chunks by their columns.

    Raises ValueError for an input that is not among the channels.
    """

    def __init__(self, names: Sequence[str], derived: Sequence[Derived]):
        column: dict[str, int] = {name: i for i, name in enumerate(names)}
        pointer, index = [0], []
        for d in derived:
            missing = [name for name in d.inputs if name not in column]
            if missing:
                raise ValueError(f"derived channel '{d.name}' needs '{missing[0]}', which is not among the channels")
            index += [column[name] for name in d.inputs]
            pointer.append(len(index))
            column.setdefault(d.name, len(names) + len(pointer) - 2)
        self._operation = np.array([OPERATIONS.index(d.operation) for d in derived], np.int64)
        self._factor = np.array([d.factor for d in derived], float)
        self._pointer, self._index = np.array(pointer, np.int64), np.array(index, np.int64)
        self._given = len(names)

    def compiled(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """Compiled functions that extending needs, each with arguments of the kinds it is called with."""
        if not len(self._operation):
            return []
        rest = (self._given, self._operation, self._factor, self._pointer, self._index)
        return [(extend_channels, (np.zeros((1, 1)), 0, 0, *rest))]

    def extend(self, values: Float, room: Float, first: int) -> None:
        """Write the chunk (k, n) and one more row per derived channel to ``room`` (n + derived, ...) from column ``first``."""
        end = first + len(values)
        np.copyto(room[: self._given, first:end], values.T)
        if len(self._operation):
            extend_channels(room, first, end, self._given, self._operation, self._factor, self._pointer, self._index)


class LoadSharing(NamedTuple):
    """Sharing of load among N parallel paths (planets).

    share : (planets, time) load over the even share
    factor : (time,) K_gamma at every instant: the largest share
    mean : largest mean load of a planet over the mean of the even share
    peak : largest load of any planet over the largest even share
    """

    share: Float
    factor: Float
    mean: float
    peak: float


def load_sharing(forces: ArrayLike) -> LoadSharing:
    """Load sharing of planets from their mesh forces (planets, time), K_gamma over time and overall.

    Shares are referred to the instantaneous sum, and are 1 where it vanishes. Overall, ``mean`` compares means
    of magnitudes, ``peak`` the largest magnitudes: both stay meaningful where the load passes zero. Source:
    IEC 61400-4, mesh load factor.
    """
    f = np.asarray(forces, float)
    if f.ndim != 2 or f.shape[0] < 1 or f.shape[1] < 1:
        raise ValueError(f"load sharing needs forces as (planets, time), got shape {f.shape}")
    even = f.mean(axis=0)
    safe = np.where(even == 0.0, 1.0, even)
    share = np.where(even == 0.0, 1.0, f / safe)
    mean_even, peak_even = float(np.mean(np.abs(even))), float(np.max(np.abs(even)))
    return LoadSharing(
        share=share,
        factor=share.max(axis=0),
        mean=float(np.abs(f).mean(axis=1).max()) / mean_even if mean_even else 1.0,
        peak=float(np.abs(f).max()) / peak_even if peak_even else 1.0,
    )


class ToothForce(NamedTuple):
    """Parts of a tooth force, each with the sign of the normal force."""

    tangential: Float
    radial: Float
    axial: Float


def tooth_force(normal: ArrayLike, pressure_angle: float, helix_angle: float = 0.0) -> ToothForce:
    """Tangential, radial and axial part of a tooth force along the line of action in the transverse plane.

    Parameters
    ----------
    normal : force along the transverse line of action [N] (the ``normal_force`` of a mesh)
    pressure_angle : operating transverse pressure angle [rad]
    helix_angle : helix angle at the operating pitch circle [rad]; the axial part is the tangential one
        times its tangent
    """
    f = np.asarray(normal, float)
    tangential = f * np.cos(pressure_angle)
    return ToothForce(tangential, f * np.sin(pressure_angle), tangential * np.tan(helix_angle))


def magnitude(*components: ArrayLike) -> Float:
    """Root of the sum of squares of components of equal shape."""
    return np.asarray(np.sqrt(sum(np.square(np.asarray(c, float)) for c in components)))
