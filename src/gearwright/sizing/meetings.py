"""How often teeth of a mesh meet: assembly phases and hunting teeth, in hertz."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gearwright.errors import DrivetrainError
from gearwright.figures.reading import mesh_frequency
from gearwright.train.train import Mesh, Train


@dataclass(frozen=True)
class Meeting:
    """Frequencies of a mesh [Hz] at the ``speed`` of the train's input [rad/s]: ``mesh_frequency``, turns of both wheels seen from the
    carrier, assembly ``phases`` and their frequency, that at which the same teeth meet again (``hunting``), and its period [s]."""

    mesh: str
    numbers: tuple[int, int]
    speed: float
    mesh_frequency: float
    wheels: tuple[float, float]
    phases: int
    assembly: float
    hunting: float
    period: float


def meeting(mesh: Mesh, train: Train, speed: float) -> Meeting:
    """Frequencies of a mesh at a speed of the input [rad/s]. Raises DrivetrainError where its speed does not follow."""
    f = mesh_frequency(mesh, train, speed)
    if not f:
        raise DrivetrainError(f"mesh '{mesh.name}': its speed does not follow from that of the input (operating.input)")
    assert mesh.teeth is not None
    one, two = mesh.teeth
    phases = math.gcd(one, two)
    hunting = f * phases / (one * two)
    return Meeting(mesh.name, (one, two), speed, f, (f / one, f / two), phases, f / phases, hunting, 1.0 / hunting)
