"""Tooth numbers near a ratio, ranked by hunting, divisors, assembly and phasing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gearwright.analyses.base import Analysis, Column, Table
from gearwright.errors import DrivetrainError
from gearwright.units import in_si

#: harmonics of the mesh whose phasing is told
HARMONICS = 3
#: fewest teeth of a planet, and room between the tips of neighbours [modules]
LEAST_PLANET, ROOM = 12, 1.0
#: teeth of the ring beyond those that unshifted wheels on one centre distance have
STRETCHES = (0, 1, 2, 3)
#: rows that are kept
MOST = 20


@dataclass(frozen=True)
class Candidate:
    """Tooth numbers of a stage: pinion and wheel, or sun, planet and ring (held).

    ``ratio``, ``off`` it is from the wanted one (relative); ``common``: greatest common divisors of the wheels of each mesh, 1 where
    every tooth meets every other (assembly phases: so many ways to put the pair together); ``repeat``: turns of the first wheel
    after which the same teeth meet again; ``assembles``: whether planets stand equally spaced; ``phasing``: what the mesh
    harmonics shake, ``torsion``, ``translation`` or ``planets``; ``shared``: whether sun or ring and the number of planets
    have a common divisor; ``stretch``: ``z_r - z_s - 2 z_p``.
    """

    numbers: tuple[int, ...]
    ratio: float
    off: float
    common: tuple[int, ...]
    repeat: tuple[int, ...]
    assembles: bool = True
    phasing: tuple[str, ...] = ()
    shared: bool = False
    stretch: int = 0

    @property
    def rank(self) -> tuple[float, ...]:
        """Best first: planets that can be put in, hunting, no divisor shared with the planets, near the ratio."""
        return (not self.assembles, math.prod(self.common), self.shared, abs(self.off))


@dataclass(frozen=True, repr=False, eq=False)
class ToothNumbers(Analysis):
    """Tooth numbers near a ``ratio`` within a share ``within``, best first; ``planets`` 0: a parallel stage."""

    ratio: float
    planets: int
    within: float
    found: Sequence[Candidate]

    @property
    def title(self) -> str:
        """Ratio and planets."""
        return f"ratio {self.ratio:g}" + (f", {self.planets} planets" if self.planets else "")

    def shown(self) -> Iterator[Table | str]:
        """The numbers, best first."""
        wheels = ("sun", "planet", "ring") if self.planets else ("pinion", "wheel")
        columns: list[object] = [
            *wheels,
            Column("ratio", "", 6),
            Column("off", "%", 3),
            "divisor",
            Column("meet again after turns"),
        ]
        if self.planets:
            columns += ["equally spaced", "phasing", "stretch"]
        rows = []
        for n in self.found:
            row = [*n.numbers, n.ratio, n.off, " ".join(map(str, n.common)), " ".join(map(str, n.repeat))]
            if self.planets:
                row += ["yes" if n.assembles else "no", " ".join(_SHORT[p] for p in n.phasing), n.stretch]
            rows.append(row)
        yield Table(f"Tooth numbers near {self.title}", columns, rows)
        if not self.found:
            yield "none: widen --within or the range of teeth"
            return
        yield "divisor: greatest common one of each mesh; 1: every tooth meets every other"
        if self.planets:
            yield (
                "phasing of the mesh harmonics 1 to 3 with equally spaced planets: T torsion (all planets push together), t translation, "
                "p planets alone; stretch: z_ring - z_sun - 2 z_planet"
            )


_SHORT = {"torsion": "T", "translation": "t", "planets": "p"}


def phasing(sun: int, planets: int, harmonic: int = 1) -> str:
    """What a mesh harmonic shakes with equally spaced planets: k = (l z_s) mod N; 0 ``torsion``, 1 and N - 1 ``translation``, else
    ``planets``. Source: R. G. Parker, J. Sound Vib. 236 (2000) 561-573."""
    k = harmonic * sun % planets
    return "torsion" if k == 0 else "translation" if k in (1, planets - 1) else "planets"


def _repeat(one: int, two: int) -> int:
    """Turns of wheel one after which the same teeth meet again."""
    return two // math.gcd(one, two)


def tooth_numbers(
    ratio: float, *, planets: int = 0, within: str | float = 0.02, fewest: int = 17, most: int = 40, rows: int = MOST
) -> ToothNumbers:
    """Tooth numbers near a ratio, best first.

    Parameters
    ----------
    ratio : above 1: wheel over pinion; with planets, of the sun over the carrier (ring held), above 2
    planets : 0 for a parallel stage, else 3 to 12 of a planetary one
    within : relative deviation from the ratio that is allowed, a number or text such as ``"1 %"``
    fewest, most : teeth of the pinion or sun
    rows : how many are kept

    Raises DrivetrainError.
    """
    least = 2.0 if planets else 1.0
    if not least < ratio < 1e3:
        raise DrivetrainError(f"--ratio {ratio:g}: above {least:g} and below 1000 is wanted")
    if planets and not 2 <= planets <= 12:
        raise DrivetrainError(f"--planets {planets}: 2 to 12, or 0 for a parallel stage")
    share = in_si(within, "number", "--within")
    if not 0.0 <= share < 0.5:
        raise DrivetrainError(f"--within {within}: a share from 0 to below 0.5, such as '2 %'")
    if not 5 <= fewest <= most <= 500:
        raise DrivetrainError(
            f"teeth of the first wheel from {fewest} to {most}: 5 to 500 are allowed, the lesser first"
        )
    made = _planetary(ratio, planets, share, fewest, most) if planets else _parallel(ratio, share, fewest, most)
    return ToothNumbers(ratio, planets, share, sorted(made, key=lambda n: n.rank)[:rows])


def _parallel(ratio: float, within: float, fewest: int, most: int) -> Iterator[Candidate]:
    for pinion in range(fewest, most + 1):
        for wheel in range(
            math.ceil((1.0 - within) * ratio * pinion - 1e-9), math.floor((1.0 + within) * ratio * pinion + 1e-9) + 1
        ):
            u = wheel / pinion
            yield Candidate((pinion, wheel), u, u / ratio - 1.0, (math.gcd(pinion, wheel),), (_repeat(pinion, wheel),))


def _planetary(ratio: float, planets: int, within: float, fewest: int, most: int) -> Iterator[Candidate]:
    for sun in range(fewest, most + 1):
        low, high = (sun * ((1.0 + side * within) * ratio - 1.0) for side in (-1.0, 1.0))
        for ring in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1):
            for stretch in STRETCHES:
                planet, rest = divmod(ring - sun - stretch, 2)
                if rest or planet < LEAST_PLANET or not _apart(sun, planet, planets):
                    continue
                u = 1.0 + ring / sun
                meshes = ((sun, planet), (planet, ring))
                yield Candidate(
                    (sun, planet, ring),
                    u,
                    u / ratio - 1.0,
                    tuple(math.gcd(*m) for m in meshes),
                    tuple(_repeat(*m) for m in meshes),
                    (sun + ring) % planets == 0,
                    tuple(phasing(sun, planets, h + 1) for h in range(HARMONICS)),
                    math.gcd(sun, planets) > 1 or math.gcd(ring, planets) > 1,
                    stretch,
                )


def _apart(sun: int, planet: int, planets: int) -> bool:
    """Whether the tips of neighbouring planets stay a module apart, without shifts."""
    return planet + 2.0 + ROOM < (sun + planet) * math.sin(math.pi / planets)
