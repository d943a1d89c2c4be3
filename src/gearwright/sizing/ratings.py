"""What a user knows of a drivetrain before there is one, and the factors that its sizing takes where nothing else is given."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.errors import DrivetrainError

#: load sharing factor K_gamma by number of planets (IEC 61400-4, to be checked against the standard)
MESH_LOAD = {1: 1.0, 2: 1.0, 3: 1.10, 4: 1.25, 5: 1.35, 6: 1.44, 7: 1.47}
#: planets of a stage in a layout; 0 stands for a parallel stage
MOST_PLANETS = 7


@dataclass(frozen=True)
class Strength:
    """Steel of the teeth: sigma_Hlim and sigma_Flim [Pa], treatment; case-hardened 18CrNiMo7-6, grade MQ of ISO 6336-5
    (461 MPa: core above 25 HRC; to be checked against the standard)."""

    pitting: float = 1500e6
    bending: float = 461e6
    treatment: str = "case_hardened"


@dataclass(frozen=True)
class Margins:
    """Load factors and wanted safeties of a sizing.

    Attributes
    ----------
    application, dynamic, face_load : K_A, K_v, K_Hbeta (NREL 5 MW reports; K_v and K_Hbeta are the least values of IEC 61400-4)
    pitting, bending : least S_H and S_F over the life
    hours : life [h] at rated torque that teeth and bearings are sized for; 20 years
    reserve : factor on the wanted S_H and S_F; boxes that were built carry 1.0 to 1.5
    """

    application: float = 1.25
    dynamic: float = 1.05
    face_load: float = 1.15
    pitting: float = 1.25
    bending: float = 1.56
    hours: float = 175_200.0
    reserve: float = 1.0


@dataclass(frozen=True)
class Ratings:
    """A drivetrain to be designed: power [W], speeds of rotor and generator [rad/s], and what is free to choose.

    ``layout`` has the planets of every stage from the rotor on, 0 for a parallel stage; ``ratios`` given ratios of the
    stages (None: those of least volume). ``helix_planetary``, ``helix_parallel`` [rad]. Raises DrivetrainError.
    """

    name: str
    power: float
    rotor_speed: float
    generator_speed: float
    layout: tuple[int, ...]
    ratios: tuple[float, ...] | None = None
    helix_planetary: float = math.radians(8.0)
    helix_parallel: float = math.radians(12.0)
    margins: Margins = Margins()
    strength: Strength = Strength()
    inertia_constant: float | None = None

    def __post_init__(self) -> None:
        for what, value in (
            ("power", self.power),
            ("rotor speed", self.rotor_speed),
            ("generator speed", self.generator_speed),
        ):
            if not (math.isfinite(value) and value > 0.0):
                raise DrivetrainError(f"the {what} must be positive, got {value:g}")
        if not self.layout:
            raise DrivetrainError("a layout has at least one stage, such as 3+par+par")
        if self.ratios is not None and len(self.ratios) != len(self.layout):
            raise DrivetrainError(
                f"{len(self.ratios)} ratios for {len(self.layout)} stages of layout {words_of(self.layout)}"
            )

    @property
    def ratio(self) -> float:
        """Speed of the generator over that of the rotor."""
        return self.generator_speed / self.rotor_speed

    @property
    def torque(self) -> float:
        """Rated torque of the rotor, without losses [N m]."""
        return self.power / self.rotor_speed


def layout_of(text: str) -> tuple[int, ...]:
    """Planets of every stage from words such as '3+par+par'. Raises DrivetrainError that says what is allowed."""
    found = []
    for word in text.replace(" ", "").split("+"):
        if word in ("par", "parallel"):
            found.append(0)
        elif word.isdigit() and 3 <= int(word) <= MOST_PLANETS:
            found.append(int(word))
        else:
            raise DrivetrainError(
                f"layout '{text}': '{word}' is no stage; write the number of planets (3 to {MOST_PLANETS}) or par for a parallel "
                f"stage, from the rotor on, such as 3+par+par"
            )
    if len(found) > 4:
        raise DrivetrainError(f"layout '{text}' has {len(found)} stages; this sizing makes up to 4")
    return tuple(found)


def words_of(layout: tuple[int, ...]) -> str:
    """A layout in words, '3+par+par'."""
    return "+".join(str(n) if n else "par" for n in layout)
