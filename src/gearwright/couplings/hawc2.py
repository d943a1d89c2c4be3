"""HAWC2 with a drivetrain of ours, three ways: in this process, as a type-2 DLL, as an external system.

Two libraries are self-contained: drivetrain, engine and laws are inside, and they run without Python. The interfaces
are those of S1 section 10 and appendix A. HAWC2 itself needs a licence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gearwright.errors import CouplingError

from .compiler import SOURCES, build_shared
from .exchange import SpeedExchange
from .library import LibraryStepper
from .model_source import build_model, write_model
from .plant import Plant, at_the_joint, make_plant, reaction_of

#: names that HAWC2 calls
TYPE2 = ("dll_init", "dll_update")
EXTERNAL = (
    "esys_init",
    "esys_initial",
    "esys_update",
    "esys_residual",
    "esys_output",
    "esys_input",
    "cons_init",
    "cons_update",
)


def build_type2(
    drivetrain: Any,
    output: str | Path,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    speed: float | None = None,
    torque: float | None = None,
    outputs: Sequence[str] = (),
    step: float = 0.02,
    overrides: Any = (),
) -> list[str]:
    """A drivetrain as a type-2 DLL with a moment interface; returns what stands in the output array.

    ``speed, torque`` of the rotor [rad/s, N m] are the state it begins in; default: the operating point of the file.
    ``outputs`` are further channels by name. Raises CouplingError for what a user can mend.
    """
    plant = at_the_joint(
        make_plant(drivetrain, fidelity, law, rotor="speed", speed=speed, torque=torque, overrides=overrides)
    )
    names = [f"{reaction_of(plant)}.torque", f"{plant.machine}.speed", *outputs]
    numbers = tuple(plant.channel(n) for n in names)
    model = write_model(plant, interval=step, outputs=numbers)
    build_model(model, Path(output), ("hawc2_type2.c",), TYPE2)
    return [
        f"{names[0]} [N m], against the turning of the shaft when positive",
        f"{names[1]} [rad/s]",
        "failure, 0: fine",
        *names[2:],
    ]


def build_external(
    drivetrain: Any,
    output: str | Path,
    *,
    fidelity: str | None = None,
    law: str | None = None,
    outputs: Sequence[str] = (),
    overrides: Any = (),
) -> Plant:
    """A drivetrain as an external system: its rotor is held to the shaft of the host by one condition.

    The host integrates; so laws with switches are refused. Returns the plant. Raises CouplingError.
    """
    plant = make_plant(drivetrain, fidelity, law, overrides=overrides)
    # the generator's torque is the input; the rotor's torque is the multiplier of the condition
    plant.system.arrays.scoef[4 * int(plant.system.arrays.sptr[plant.ports[0].signal])] = 0.0
    plant = replace(plant, ports=plant.ports[1:])
    build_external_plant(plant, output, f"{plant.rotor}.rotation", outputs)
    return plant


def build_external_plant(plant: Plant, output: str | Path, joined: str, outputs: Sequence[str] = ()) -> None:
    """Any plant as an external system; the host's shaft holds the coordinate ``joined``."""
    system = plant.system
    for law in system.laws:
        if law.guard is not None:
            raise CouplingError(
                f"law '{law.label}' switches, and here HAWC2 integrates, which does not step to the instants at which it does; choose law "
                f"periodic, whose teeth part without a switch, law linear for meshes without backlash, or the type-2 interface"
            )
    if system.shape.hard or (system.arrays.fvel == 0.0).any():
        raise CouplingError("rigid rows and dry friction cannot be an external system; choose the type-2 interface")
    numbers = tuple(plant.channel(n) for n in outputs) if outputs else tuple(range(len(system.channels)))
    model = write_model(plant, outputs=numbers)
    source = model.source + f"const int gw_joined = {system.coordinates.index(joined)};\n"
    build_model(replace(model, source=source), Path(output), ("hawc2_external.c",), EXTERNAL)


def build_body(
    output: str | Path,
    mass: float,
    inertia: Sequence[float],
    speed: Sequence[float],
    position: Sequence[float] = (0.0, 0.0, 0.0),
    gravity: Sequence[float] = (0.0, 0.0, 9.81),
) -> None:
    """A free rigid body as an external system: mass [kg], inertia about its principal axes [kg m^2], six initial speeds."""
    import tempfile

    if not mass > 0.0 or min(inertia) <= 0.0 or len(speed) != 6:
        raise CouplingError("a body has a positive mass, three positive inertias and six speeds")

    def numbers(values: Sequence[float]) -> str:
        return ", ".join(float(v).hex() for v in values)

    with tempfile.TemporaryDirectory(prefix="gearwright-body-") as name:
        source = Path(name) / "body.c"
        source.write_text(
            f"const double body_mass = {float(mass).hex()};\nconst double body_inertia[3] = {{{numbers(inertia)}}};\n"
            f"const double body_gravity[3] = {{{numbers(gravity)}}};\n"
            f"const double body_start[10] = {{{numbers([*position, 0, 0, 0, 1, 0, 0, 0])}}};\n"
            f"const double body_speed[6] = {{{numbers(speed)}}};\n"
        )
        build_shared(
            Path(output), [source, SOURCES / "hawc2_body.c"], exports=[e for e in EXTERNAL if e != "esys_input"]
        )


def type2_text(library: Path, step: float) -> str:
    """Lines for the htc file that call a type-2 library; body names are those of common models."""
    return f"""begin dll;
  begin type2_dll;
    name gearwright;
    filename ./{library.name};
    dll_subroutine_init dll_init;
    dll_subroutine_update dll_update;
    arraysizes_init 3 1;
    arraysizes_update 3 100;
    begin init;
      constant 1 {step:g}; time step
      constant 2 1.0; shaft speed at the start [rad/s]
      constant 3 0.0; generator torque at the start [N m]
    end init;
    begin output;
      general time;
      constraint bearing1 shaft_rot 2 only 2; shaft speed [rad/s]
      dll inpvec 1 1; generator torque demand of the controller [N m]
    end output;
    begin actions;
      mbdy moment_int shaft 1 3 shaft towertop 2; moment on the shaft, reaction on the tower top
    end actions;
  end type2_dll;
end dll;"""


class Hawc2Run:
    """HAWC2 in this process (package h2lib), a drivetrain of ours beside it.

    Parameters
    ----------
    h2 : an object with ``read_input, init, add_sensor, get_sensor_values, set_variable_sensor_value, step, close``
    drivetrain, fidelity, law : of the gearbox
    speed_sensor : what HAWC2 shall report: the shaft's speed, as in the output block of the htc file
    torque_variable : number of the variable sensor that the model's moment on the shaft reads
    generator_torque : generator torque [N m] over generator speed [rad/s] and time [s]
    """

    def __init__(
        self,
        h2: Any,
        drivetrain: Any,
        *,
        step: float,
        fidelity: str | None = None,
        law: str | None = None,
        speed_sensor: str = "constraint bearing1 shaft_rot 2 only 2",
        torque_variable: int = 1,
        generator_torque: Callable[[float, float], float],
        overrides: Any = (),
    ):
        if not step > 0.0:
            raise CouplingError(f"the time step must be positive, not {step:g}")
        self.h2, self.step_size, self._variable = h2, step, torque_variable
        self._sensor_text, self._torque = speed_sensor, generator_torque
        self._make = lambda speed, torque: at_the_joint(
            make_plant(drivetrain, fidelity, law, rotor="speed", speed=speed, torque=torque, overrides=overrides)
        )
        self.plant: Plant = self._make(None, None)
        self._stepper: LibraryStepper | None = None
        self.t = 0.0

    def begin(self, htc: str | Path) -> None:
        """Read the model and place the drivetrain at the speed of its shaft.

        Raises CouplingError, which says so if HAWC2 misses its licence.
        """
        self._call(self.h2.read_input, str(htc))
        sensor = self._call(self.h2.add_sensor, self._sensor_text)
        self._sensor = list(sensor) if isinstance(sensor, (list, tuple)) else [int(sensor)]
        self._call(self.h2.init)
        speed = self._speed()
        ratio = self.plant.ratio
        torque = self._torque(abs(speed * ratio), 0.0)
        self.plant = self._make(speed, torque * abs(ratio))
        self.names = (f"{reaction_of(self.plant)}.torque", f"{self.plant.machine}.speed")
        self._stepper = LibraryStepper(self.plant, channels=[self.plant.channel(n) for n in self.names])
        self._values = self._stepper.start((speed, torque))
        self._exchange = SpeedExchange(self._stepper, "step before", speed)

    def _speed(self) -> float:
        return float(np.ravel(self._call(self.h2.get_sensor_values, self._sensor))[0])

    def step(self) -> tuple[float, float, float]:
        """One step of both; time [s], shaft moment [N m], generator speed [rad/s] at its end."""
        if self._stepper is None:
            raise CouplingError("begin comes before step")
        sense = float(np.sign(self.plant.ratio))
        demand = self._torque(float(self._values[1]) * sense, self.t)
        # Newmark's method takes the moment at the end of its step
        self._values = self._exchange.step(self._speed(), demand, self.step_size)
        self._call(self.h2.set_variable_sensor_value, self._variable, -float(self._values[0]))
        self._call(self.h2.step)
        self.t = round(self.t / self.step_size + 1.0) * self.step_size
        return self.t, float(self._values[0]), float(self._values[1]) * sense

    def run(self, duration: float) -> np.ndarray:
        """Steps for a duration; (steps, 3) as of :meth:`step`."""
        return np.array([self.step() for _ in range(round(duration / self.step_size))])

    def close(self) -> None:
        """End HAWC2 and free the drivetrain."""
        if self._stepper is not None:
            self._stepper.close()
        self.h2.close()

    def _call(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except CouplingError:
            raise
        except Exception as error:
            raise CouplingError(explained(str(error))) from None


def explained(text: str) -> str:
    """What HAWC2 said, with the reason where it is its licence."""
    if "111" in text or "licen" in text.lower():
        return f"HAWC2 needs a licence, and none was found on this machine (HAWC2: {text.strip() or 'error 111'})"
    return f"HAWC2 stopped: {text.strip()}"


def h2lib() -> Any:
    """HAWC2 as a library in this process. Raises CouplingError with how to get it."""
    try:
        from h2lib import H2Lib
    except ImportError:
        raise CouplingError(
            "running HAWC2 from here needs the package h2lib and a licence for HAWC2: pip install h2lib; without it, "
            "use the libraries of gearwright couple hawc2"
        ) from None
    try:
        return H2Lib()
    except Exception as error:
        raise CouplingError(explained(str(error))) from None


@dataclass(frozen=True)
class HtcRun:
    """A run of HAWC2: steps, mean moment on the shaft [N m] and mean speed of the generator [rad/s]."""

    steps: int
    mean_moment: float
    mean_generator_speed: float


def run_htc(
    htc: Path,
    drivetrain: Any,
    duration: float,
    *,
    step: float,
    fidelity: str | None = None,
    law: str | None = None,
    overrides: Any = (),
) -> HtcRun:
    """Run a model of HAWC2 with a drivetrain of ours, the generator holding the power of its operating point.

    Raises CouplingError without h2lib, without a licence, and for what either side reports.
    """
    if not htc.is_file():
        raise CouplingError(f"there is no model '{htc}'")
    probe = make_plant(drivetrain, fidelity, law, overrides=overrides)
    power = probe.ports[1].start * abs(
        float(probe.system.v0[probe.system.coordinates.index(f"{probe.machine}.rotation")])
    )
    run = Hawc2Run(
        h2lib(),
        drivetrain,
        step=step,
        fidelity=fidelity,
        law=law,
        overrides=overrides,
        generator_torque=lambda speed, t: power / max(speed, 1.0),
    )
    try:
        run.begin(htc)
        made = run.run(duration)
    finally:
        run.close()
    return HtcRun(len(made), float(made[:, 1].mean()), float(made[:, 2].mean()))
