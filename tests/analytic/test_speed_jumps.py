"""A prescribed speed that jumps, against closed forms: within a run, and between the steps of another program."""

import math

import numpy as np
import pytest

from gearwright.couplings.plant import Stepper, make_plant
from gearwright.solve.choose import engine
from gearwright.system import Builder, Provenance, Source, Spring, State, step


@pytest.mark.parametrize("coupled", [0.0, 1.5], ids=["free base", "coupled inertia"])
@pytest.mark.parametrize("method", ["exact", "explicit", "exponential"])
@pytest.mark.parametrize("at", [0.0, 0.0503, 0.06])
def test_mass_behind_a_base_whose_speed_jumps(method, coupled, at):
    """A mass on a spring swings about the new speed; inertia between base and mass strikes it at once.

    ``coupled`` turns by base + mass/2: ``M_aa = m + c/4``, ``M_ba = c/2``; the jump V leaves the mass with
    ``-M_ba/M_aa V``.
    """
    m, k, own, jump = 2.0, 900.0, 3.0, 0.5
    b = Builder()
    for name in ("base", "a"):
        b.coordinate(name)
    b.inertia(own, {"base": 1.0})
    b.inertia(m, {"a": 1.0})
    if coupled:
        b.inertia(coupled, {"base": 1.0, "a": 0.5})
    b.row("spring", {"base": 1.0, "a": -1.0}, Spring(k))
    b.signal("speed", step(at, 2.0, 2.0 + jump))
    b.prescribe("base", "speed")
    b.channel("shaft", "spring", "torque", "N", "", [(Source.FORCE, "spring", 1.0)])
    b.channel("body", "a", "speed", "m/s", "", [(Source.SPEED, "a", 1.0)])
    system = b.build(Provenance("struck"), {"base": 2.0, "a": 2.0})
    runner, state = engine(method), State.start(system, v=np.array([2.0, 2.0]))
    plan = runner.prepare(system, system.channels, 1e-3, 1e-9)
    block = runner.advance(plan, state, 200)
    time, lines = block.time, block.lines

    inertia, between = m + coupled / 4, coupled / 2
    omega, back = math.sqrt(k / inertia), between / inertia
    tau = np.maximum(time - at, 0.0)
    force = k * jump * (1 + back) / omega * np.sin(omega * tau)
    speed = 2.0 + jump - jump * (1 + back) * np.cos(omega * tau)
    past = time != at  # a sample on the jump may show either side
    np.testing.assert_allclose(lines[past, 0], np.where(tau > 0, force, 0.0)[past], atol=1e-5 * force.max())
    np.testing.assert_allclose(lines[past, 1], np.where(tau > 0, speed, 2.0)[past], atol=1e-5)
    # impulse times mean speed, then spring force and coupled inertia times the new speed
    end, after = time[-1] - at, 2.0 + jump
    impulse = (own + coupled - between * back) * jump
    spring = k * jump * (1 + back) / omega**2 * (1 - math.cos(omega * end)) * after
    inertial = between * (speed[-1] - (2.0 - back * jump)) * after
    work = impulse * (2.0 + 0.5 * jump) + spring + inertial
    # the exponential method books springs by quadrature over its steps
    assert state.reaction_work[0] == pytest.approx(work, rel=2e-3 if method == "exponential" else 1e-6)


@pytest.mark.parametrize("method", ["exact", "exponential"])
def test_steps_from_outside_with_a_speed_that_jumps(method):
    """Another program gives a new speed at every step: every engine answers as the explicit one does."""
    speeds = [2.86 * (1.0 + 0.002 * math.sin(1.7 * i)) for i in range(40)]
    found = {}
    for name in ("explicit", method):
        plant = make_plant("nordtank-500kw-two-level", rotor="speed")
        stepper = Stepper(plant, 1e-3, 1e-8, method=name)
        # deviations count from a rigid motion that engines choose in different ways
        loads = [i for i, c in enumerate(plant.system.channels) if c.quantity != "deviation"]
        found[name] = np.array([stepper.step([speed, plant.ports[1].start]) for speed in speeds])[:, loads]
    scale = np.maximum(np.abs(found["explicit"]).max(axis=0), 1e-12)
    assert (np.ptp(found["explicit"], axis=0) > 1e-3 * scale).sum() > 10  # it does something
    np.testing.assert_allclose(found[method] / scale, found["explicit"] / scale, atol=2e-5)
