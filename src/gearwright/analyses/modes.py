"""Natural frequencies, damping, kinds and energies of a drivetrain, and its Campbell diagram."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gearwright.assembly import Drive, Inputs, assemble
from gearwright.errors import DrivetrainError
from gearwright.figures.format import told
from gearwright.remarks import assumed, train_remarks
from gearwright.results.damping import damping_warnings
from gearwright.running.rolling import with_rolling
from gearwright.running.setup import turbine_of
from gearwright.schema.case_lookup import with_case
from gearwright.schema.file import Drivetrain
from gearwright.solve.steady.modes import mac as compared
from gearwright.solve.steady.modes import modes as solve_modes
from gearwright.system import System, constant
from gearwright.train.expand import expand
from gearwright.train.open import load
from gearwright.train.train import Train
from gearwright.units import in_si

from .base import ASIDE, OPTIONAL, drivetrain_of
from .campbell import CampbellDiagram
from .campbell import campbell as computed
from .mechanism import modes_of_mechanism
from .modal import Pole, classify
from .mode_list import ModeList

if TYPE_CHECKING:
    from .mechanism import MechanismModes
    from .modal import ModalTable


def blades_of(drivetrain: Any, train: Train) -> tuple[int | None, list[str]]:
    """Blades of the rotor at the input (None: it is no rotor), and what was assumed of them: three without data of the turbine."""
    if drivetrain.turbine is not None:
        return turbine_of(drivetrain).blades, []
    if train.input is None or train.bodies[train.input].role != "rotor":
        return None, []
    return 3, [assumed(f"'{train.input}' has three blades, which pass at 3P; the file names no turbine")]


def diagram_of(
    system: System, train: Train, table: ModalTable | None = None, blades: int | None = None
) -> CampbellDiagram | None:
    """Campbell diagram of a system assembled from a train; None without an operating speed. ``table``: the modes at rest, where
    they are known; ``blades`` of a rotor at the input."""
    if not train.speed or not train.ratios or train.input is None:
        return None
    top = abs(train.speed)
    return computed(system, train, np.linspace(0.05 * top, 1.2 * top, 24), at_rest=table, blades=blades)


@dataclass(frozen=True, repr=False, eq=False)
class ModalAnalysis(ModeList):
    """Modes of a drivetrain with their kinds and energies.

    ``frequencies_hz`` are undamped, ascending, with multiplicity; ``damping_ratios`` are NaN for rigid modes; ``energies`` are the
    shares of strain energy by element; ``poles`` have ``real`` and ``imag`` in rad/s; ``mac`` compares the shapes with those of a
    second model. ``table`` has kinds, multiplicities, energies by body and element; ``modes`` shapes and poles; ``system`` names
    the coordinates of the shapes; ``train`` the bodies; ``campbell`` the diagram over speed.
    """

    name: str
    fidelity: str
    law: str
    poles: Sequence[Pole]
    mac: Sequence[Sequence[float]] | None = field(default=None, metadata=OPTIONAL)
    table: ModalTable = field(kw_only=True, metadata=ASIDE)
    system: System = field(kw_only=True, metadata=ASIDE)
    train: Train = field(kw_only=True, metadata=ASIDE)
    blades: int | None = field(default=None, kw_only=True, metadata=ASIDE)

    @property
    def modes(self) -> Any:
        """The modes themselves."""
        return self.table.modes

    @cached_property
    def campbell(self) -> CampbellDiagram | None:
        """The Campbell diagram; None without an operating speed."""
        return diagram_of(self.system, self.train, blades=self.blades)

    def to_dict(self) -> dict[str, Any]:
        """As the command prints it, with the Campbell diagram."""
        return {**super().to_dict(), "campbell": told(self.campbell) if self.campbell else {}}


def modes(
    drivetrain: Any,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    held: Sequence[str] = (),
    speed: str | float | None = None,
    case: str | None = None,
    mac: Any = None,
    overrides: Sequence[str] = (),
) -> ModalAnalysis | MechanismModes:
    """Natural frequencies, damping, kinds and energies; of a mechanism (fidelity ``multibody``) about its equilibrium.

    Parameters
    ----------
    drivetrain : a Drivetrain, a path or the name of an example
    fidelity, law : override the file's
    held : bodies whose rotation is held
    speed : speed of the input (rad/s, or a string with a unit); with it the inertia forces of turning frames
        (Coriolis, centripetal) are in, without it the modes are those at standstill
    case : the model as this case has it
    mac : a second drivetrain, whose shapes are compared on the coordinates that both have
    overrides : ``path=value`` edits

    A mechanism takes neither ``held``, ``speed`` nor ``mac``. Raises DrivetrainError, AssemblyError or MultibodyError.
    """
    made = drivetrain_of(drivetrain, overrides, case)
    if (fidelity or made.model.fidelity) == "multibody":
        if held or speed is not None or mac is not None:
            raise DrivetrainError(
                "held and speed mean nothing to fidelity multibody: a mechanism has its modes at its equilibrium"
                if mac is None
                else "mac means nothing to fidelity multibody: shapes of mechanisms are not compared"
            )
        return modes_of_mechanism(made, (), case, law)
    return modes_of(made if case is None else with_case(made, case), fidelity, law, held, speed, mac)


def modes_of(
    made: Drivetrain,
    fidelity: str | None,
    law: str | None,
    held: Sequence[str] = (),
    speed: str | float | None = None,
    mac: Any = None,
) -> ModalAnalysis:
    """Modes of a train."""
    if speed is not None:
        in_si(speed, "rotational speed", "speed")
        made = load(made, [f"operating.speed={speed}", "model.gyroscopic=true"])
    train = with_rolling(expand(made, fidelity), fidelity, linear=True)
    drives = tuple(Drive(train.alias.get(body, body), constant(0.0)) for body in held)
    system = assemble(train, fidelity, law, Inputs(drives=drives))
    turning = None
    if speed is not None and system.shape.rigid:
        # speed of the reference coordinate of the rigid motion, whose other speeds follow
        reference = int(np.flatnonzero(system.u[0])[0])
        turning = float(system.v0[reference] / system.u[0, reference])
    table = classify(solve_modes(system, turning), system, train)
    blades, of_blades = blades_of(made, train)
    said = [*train_remarks(train.notes), *system.provenance.notes, *damping_warnings(system, train, table.modes)]
    if train.speed and train.ratios and train.input is not None:
        said += of_blades
    shapes = None if mac is None else compared(table.modes, modes_of(drivetrain_of(mac), fidelity, law).modes)
    return ModalAnalysis(
        np.asarray(table.modes.frequencies_hz),
        np.asarray(table.modes.damping_ratios),
        table.kinds,
        table.energies(),
        made.name,
        system.provenance.fidelity,
        system.provenance.law,
        table.pole_map(),
        None if shapes is None else np.asarray(shapes).tolist(),
        table=table,
        system=system,
        train=train,
        blades=blades,
        remarks=said,
    )


def campbell(
    drivetrain: Any,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    case: str | None = None,
    overrides: Sequence[str] = (),
) -> CampbellDiagram:
    """Campbell diagram of a drivetrain; parameters as of :func:`modes`. Raises DrivetrainError without an operating speed."""
    found = modes(drivetrain, fidelity=fidelity, law=law, case=case, overrides=overrides)
    diagram = found.campbell if isinstance(found, ModalAnalysis) else None
    if diagram is None:
        raise DrivetrainError(
            "a Campbell diagram needs an operating speed: give operating: {input: ..., speed: ...} in the file"
        )
    return replace(diagram, remarks=found.remarks)
