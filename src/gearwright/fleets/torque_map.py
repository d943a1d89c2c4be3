"""Every load of a gearbox as two numbers times two signals: ``L = a T + b alpha`` of the generator's torque and its acceleration.

Below the mesh frequencies a gearbox with constant mesh stiffness carries its loads as if it were rigid: what lies between a section and the
generator has to be braked by the section, the generator's torque and the inertia alike. So ``b = a J`` with the inertia J [kg m^2], referred
to the generator, of everything from the generator up to the section, ``J = sum I (n / n_generator)^2``. Both numbers come from two static
equilibria of the assembled model: one at rated torque, and one in which the rotor drives more and the whole train accelerates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gearwright.arrays import Float
from gearwright.assembly import Inputs, Load, assemble
from gearwright.errors import AssemblyError, InputError, listed
from gearwright.remarks import Remark, assumed, warning
from gearwright.results.channels import derived_channels
from gearwright.results.derive import Derived
from gearwright.solve.steady.static import equilibrium
from gearwright.system import Channel, System, constant
from gearwright.system.sparse import Sparse
from gearwright.train.train import Train

#: kinds of channels that are loads of the gearbox
KINDS = ("mesh", "bearing", "shaft")
#: elements whose torque is what somebody commands, not what the train carries
COMMANDED = ("brake", "clutch", "one_way", "drag", "damper")
#: part of the largest value of its quantity below which a coefficient is round-off
ROUND_OFF = 1e-9
#: deviation from proportion that is round-off
EVEN = 1e-6


class Loaded(NamedTuple):
    """Loads by channel under one load case, and the acceleration of the generator [rad/s^2], positive in its sense of turning."""

    values: Float
    acceleration: float


@dataclass(frozen=True)
class TorqueMap:
    """The loads of a train as functions of the generator's torque and acceleration.

    Attributes
    ----------
    channels : loads with their units, in the order of the two arrays
    derived : what follows from them at every sample: magnitudes of bearing forces
    torque : (n,) load per torque of the generator, positive when it generates [N/(N m) or 1]
    slope : (n,) load per acceleration of the generator in its sense of turning [N s^2 or N m s^2]
    generator : the body that the signals belong to, ``sense`` (+1 or -1) in which it turns with the input
    ratio : speed of the generator over that of the input, positive
    first_mode : frequency of the first torsional mode of the free train [Hz], infinite without one; ``first_damping`` its damping ratio
    whole : inertia of the whole train, referred to the generator [kg m^2]
    """

    channels: tuple[Channel, ...]
    derived: tuple[Derived, ...]
    torque: Float
    slope: Float
    generator: str
    sense: float
    ratio: float
    first_mode: float
    first_damping: float
    whole: float
    fidelity: str
    remarks: tuple[str, ...] = ()

    @property
    def inertia(self) -> Float:
        """Inertia (n,) from the generator up to each section, referred to the generator [kg m^2]; not-a-number where there is no load."""
        none = np.full(len(self.torque), np.nan)
        return np.divide(self.slope, self.torque, out=none, where=self.torque != 0.0)

    def two_numbers(self) -> Mapping[str, tuple[float, float]]:
        """Of every channel that carries load, ``a`` and ``J``; magnitudes of bearing forces with them."""
        named = dict(zip((c.name for c in self.channels), zip(self.torque, self.slope, strict=True), strict=True))
        found = dict(named)
        for d in self.derived:
            if d.operation == "norm" and all(name in named for name in d.inputs):
                parts = np.array([named[name] for name in d.inputs])
                size = float(np.hypot.reduce(parts[:, 0]))
                found[d.name] = (d.factor * size, d.factor * float(parts[:, 0] @ parts[:, 1]) / size if size else 0.0)
        return {name: (float(a), float(b / a)) for name, (a, b) in found.items() if a}


def torque_map(train: Train, fidelity: str | None = None) -> TorqueMap:
    """The two numbers of every load of a train whose machine is its ``output``.

    Raises InputError for a train without input or output, or whose speeds have more than one freedom.
    """
    generator = _generator(train)
    chosen = str(fidelity or train.model.fidelity or "torsional")
    said: list[str] = []
    if chosen in ("rigid", "multibody"):
        said.append(Remark(f"loads are mapped at fidelity planar: {chosen} has no elastic load sharing"))
        chosen = "planar"
    if train.model.law not in ("linear", None):
        said.append(
            assumed(
                f"teeth mesh with their mean stiffness (law linear) instead of the file's law {train.model.law}: "
                "what the mesh itself excites is not in the signals"
            )
        )
    if train.gravity is not None and any(train.gravity):
        said.append(assumed("the weight of the parts is left out: the signals do not know it"))
    if any(m.backlash or m.excitation or m.law for m in train.meshes.values()):
        said.append(
            assumed("backlash, transmission errors and laws of single meshes are left out: teeth stay in touch")
        )
    plain = {name: replace(m, backlash=None, excitation=(), law=None) for name, m in train.meshes.items()}
    # machines act through the measured torque alone
    still = replace(train, machines={}, gravity=None, meshes=plain)
    sense = float(np.sign(train.ratios[generator]))
    rated = abs(train.torque / train.ratios[generator]) if train.torque else 1.0
    system = _assembled(still, chosen, generator, 0.0)
    loads = [i for i, c in enumerate(system.channels) if _is_load(c, train)]
    channels = tuple(system.channels[i] for i in loads)
    # all cases lie about the same load, where gaps are closed
    braked = _loaded(still, chosen, generator, rated, rated, sense)
    driven = _loaded(still, chosen, generator, rated, 1.5 * rated, sense)
    if abs(driven.acceleration) < 1e-12:
        raise InputError(
            f"{train.name}: '{generator}' does not accelerate when '{train.input}' is driven", where=train.name
        )
    torque = braked.values[loads] / rated
    slope = (driven.values - braked.values)[loads] / driven.acceleration
    half = _loaded(still, chosen, generator, 0.5 * rated, 0.5 * rated, sense).values[loads]
    said += _uneven(channels, half, 0.5 * rated * torque)
    for what in {(c.kind, c.quantity[:5]) for c in channels}:
        own = np.array([(c.kind, c.quantity[:5]) == what for c in channels])
        for values in (torque, slope):
            values[own & (np.abs(values) < ROUND_OFF * np.abs(values[own]).max())] = 0.0
    return TorqueMap(
        channels,
        tuple(derived_channels(channels, train)),
        torque,
        slope,
        generator,
        sense,
        abs(train.ratios[generator]),
        *_first_mode(system if chosen == "torsional" else _assembled(still, "torsional", generator, 0.0)),
        0.5 * rated / abs(driven.acceleration),
        chosen,
        tuple(said),
    )


def _generator(train: Train) -> str:
    if train.output is None or train.input is None:
        raise InputError(
            f"{train.name}: loads from signals need operating.input and operating.output, the bodies of rotor and generator",
            where="operating",
        )
    machine = train.machines.get(train.output)
    body = machine.body if machine is not None else train.output
    if not train.ratios.get(body):
        raise InputError(
            f"{train.name}: the speed of '{body}' does not follow from that of '{train.input}'; two signals do not "
            "give its loads",
            where="operating",
            allowed="a train of one freedom",
        )
    others = [m.name for m in train.machines.values() if m.body not in (body, train.input)]
    if others:
        raise InputError(
            f"{train.name}: {listed(others)} loads the train too; signals of one generator do not give its loads",
            where="machines",
        )
    return body


def _is_load(channel: Channel, train: Train) -> bool:
    """Whether a channel is a load that the train carries: counted, of a mesh, bearing or shaft, not commanded."""
    coupling = train.couplings.get(channel.element)
    return channel.counted and channel.kind in KINDS and (coupling is None or coupling.type not in COMMANDED)


def _assembled(train: Train, fidelity: str, generator: str, torque: float, driving: float = 0.0) -> System:
    """The model under a torque [N m] on the generator and one on the input, both positive about x."""
    loads = (
        Load(generator, constant(torque), name="generator"),
        Load(str(train.input), constant(driving), name="rotor"),
    )
    return assemble(train, fidelity, "linear", Inputs(loads, at_rest=True))


def _loaded(train: Train, fidelity: str, generator: str, braking: float, driving: float, sense: float) -> Loaded:
    """Loads while the generator brakes with a torque and the input drives with another one, both as seen from the generator [N m]."""
    system = _assembled(train, fidelity, generator, -sense * braking, driving * abs(train.ratios[generator]))
    found = equilibrium(system, allow_acceleration=True)
    sizes = system.shape
    stacked = np.concatenate(
        [
            found.forces,
            found.q,
            np.zeros(2 * sizes.coordinates),
            system.z0,
            [float(s(0.0)) for s in system.signals],
            np.zeros(sizes.rigid),
            [1.0],
        ]
    )
    lines = system.lines()
    values = Sparse(lines.coef, lines.idx, lines.ptr, (len(lines.ptr) - 1, len(stacked))) @ stacked
    turning = f"{generator}.rotation"
    if turning not in system.coordinates:
        raise AssemblyError(f"'{generator}' has no rotation at fidelity {fidelity}", where=generator)
    motion = (
        float(found.acceleration @ system.u[:, system.coordinates.index(turning)]) if len(found.acceleration) else 0.0
    )
    return Loaded(np.asarray(values, float), sense * motion)


def _uneven(channels: tuple[Channel, ...], half: Float, wanted: Float) -> list[str]:
    """A warning where half the torque does not give half the load: clearances, bearings that stiffen."""
    size = {
        what: max(abs(w) for c, w in zip(channels, wanted, strict=True) if c.unit == what)
        for what in {c.unit for c in channels}
    }
    off = [abs(h - w) / size[c.unit] if size[c.unit] else 0.0 for c, h, w in zip(channels, half, wanted, strict=True)]
    worst = int(np.argmax(off)) if off else 0
    if not off or off[worst] < EVEN:
        return []
    return [
        warning(
            f"loads are not in proportion to torque: {channels[worst].name} at half the rated torque is off by "
            f"{100 * off[worst]:.2g} % of the largest load; the map holds at rated torque"
        )
    ]


def _first_mode(system: System) -> tuple[float, float]:
    """Frequency [Hz] and damping ratio of the first elastic motion of a free train, by the undamped modes of its rotations."""
    from scipy.linalg import eigh

    mass, stiffness, damping = system.linear()
    squares, shapes = eigh(0.5 * (stiffness + stiffness.T), mass)
    omega = np.sqrt(np.maximum(squares, 0.0))
    elastic = np.flatnonzero(omega > 1e-6 * omega.max(initial=0.0))
    if not len(elastic):
        return float("inf"), 0.0
    shape = shapes[:, elastic[0]]
    first = float(omega[elastic[0]])
    return first / (2.0 * np.pi), float(shape @ damping @ shape) / (2.0 * first)
