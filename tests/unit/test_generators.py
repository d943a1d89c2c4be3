"""DFIG and PMSG as laws: rated points, poles, dips, steps, against the machines page and independent integration."""

import math

import numpy as np
import pytest

from gearwright.machines import Dfig, Pmsg, dfig, pmsg
from gearwright.turbine.coupled import electric, electric_step

RATED, SPEED = 43_093.55, 122.909
PROFILES = {
    "quebec": (0.0, 0.15, 0.18),
    "ireland": (0.15, 0.625, 3.0),
    "usa": (0.15, 0.625, 2.3),
    "denmark": (0.25, 0.1, 1.0),
}


def rates(law, speed, voltage, reference, z):
    """Torque and rates of a law at one instant, through the machine code."""
    import ctypes

    pointer = ctypes.POINTER(ctypes.c_double)
    keep = [np.ascontiguousarray(x, float) for x in ([0.0], [speed], law.parameters, z, [voltage, reference])]
    f, zd = np.zeros(1), np.zeros(len(z))
    law.force.ctypes(
        0.0, *(x.ctypes.data_as(pointer) for x in keep), 0, f.ctypes.data_as(pointer), zd.ctypes.data_as(pointer)
    )
    return f[0], zd


def through(law, profile, end=3.0, reference=RATED, step=1e-3, parts=4):
    """Torque over time at constant speed through a dip at t = 0, by the loop's own machine step."""
    lowest, held, recovery = profile
    time, value = np.array([0.0, held, held + recovery]), np.array([lowest, lowest, 1.0])
    machine = electric(law, parts)
    times, values = [], []
    for k in range(round(end / step)):
        t = k * step
        begin = electric_step(machine, t, step, SPEED, 0.0, reference, np.interp(t, time, value),
                              np.interp(t + step, time, value), 1.0)  # fmt: skip
        if k == 0:
            times.append(0.0)
            values.append(begin)
        times.append(t + step)
        values.append(machine.torque[0])
    return np.array(times), np.array(values)


@pytest.mark.parametrize(
    ("magnetising", "flux", "rotor_current", "rms"),
    [(0.19584, 1.07783 + 0.25839j, 2013.1 + 9367.5j, (6475.0, 6775.0)), (4.25, 1.04727 + 0.25520j, 92.8 + 9166.7j, (6475.0, 6482.2))],
)  # fmt: skip
def test_rated_point(magnetising, flux, rotor_current, rms):
    data = Dfig(magnetising_reactance=magnetising)
    z = data.steady(RATED, SPEED)
    assert complex(z[0], z[1]) == pytest.approx(flux, rel=1e-4)
    _, i_s, i_r = data.fluxes(complex(z[0], z[1]))
    assert i_r == pytest.approx(rotor_current, rel=1e-4)
    assert abs(i_s) / math.sqrt(2) == pytest.approx(rms[0], rel=1e-4)
    assert abs(i_r) / math.sqrt(2) == pytest.approx(rms[1], rel=1e-4)


@pytest.mark.parametrize("order", [3, 5])
def test_rest_is_rest(order):
    law = dfig(Dfig(order=order), RATED, SPEED)
    if order == 5:
        # the algebraic stator flux of the third order is the equilibrium of the fifth
        assert len(law.states) == 8
    torque, zd = rates(law, SPEED, 1.0, RATED, law.states)
    assert torque == pytest.approx(RATED, rel=1e-9)
    assert np.abs(zd).max() < 1e-3


def poles(law, speed=SPEED):
    z = np.array(law.states)
    n = len(z)
    a = np.zeros((n, n))
    for j in range(n):
        step = 1e-6 * max(abs(z[j]), 1.0)
        e = np.eye(n)[j] * step
        a[:, j] = (rates(law, speed, 1.0, RATED, z + e)[1] - rates(law, speed, 1.0, RATED, z - e)[1]) / (2 * step)
    return np.linalg.eigvals(a)


def test_closed_loop_poles():
    third = sorted(poles(dfig(Dfig(), RATED, SPEED)), key=lambda x: x.real)
    want = [-222.8 - 29.1j, -222.8 + 29.1j, -176.9 - 19.0j, -176.9 + 19.0j, -40.5, -20.0]
    for p in want:
        assert min(abs(x - p) for x in third) < 0.01 * abs(p) + 0.2
    fifth = poles(dfig(Dfig(order=5), RATED, SPEED))
    assert min(abs(x - (-3.63 + 370.9j)) for x in fifth) < 0.5


# machines page 1.3: torque at 0+, at the end of the fault, largest; constant speed
@pytest.mark.parametrize(
    ("code", "first", "held", "largest"),
    [("quebec", 0.107, 0.009, 1.12), ("denmark", 0.330, 0.314, 1.02), ("usa", 0.241, 0.192, 1.01)],
)
def test_dips_at_constant_speed(code, first, held, largest):
    time, torque = through(dfig(Dfig(), RATED, SPEED), PROFILES[code])
    ratio = torque / RATED
    assert ratio[0] == pytest.approx(first, abs=0.004)
    end = np.flatnonzero(time <= PROFILES[code][1])[-2]
    assert ratio[end] == pytest.approx(held, abs=0.01)
    assert ratio.max() == pytest.approx(largest, abs=0.012)


def test_without_limits_the_integrator_returns_the_deficit():
    data = Dfig(current_limit=math.inf, voltage_limit=math.inf)
    time, torque = through(dfig(data, RATED, SPEED), PROFILES["quebec"])
    assert (torque / RATED).max() == pytest.approx(2.24, rel=0.02)
    assert np.trapezoid(1 - torque / RATED, time) == pytest.approx(0.0, abs=0.004)


def test_torque_step_of_the_dfig():
    law = dfig(Dfig(), RATED, SPEED)
    time, torque = through(law, (1.0, 0.1, 0.1), end=0.3, reference=0.95 * RATED, step=1e-4, parts=1)
    done = (RATED - torque) / (0.05 * RATED)
    assert time[np.argmax(done > 0.632)] == pytest.approx(0.0247, rel=0.03)
    assert time[np.argmax(done > 0.98)] == pytest.approx(0.096, rel=0.03)
    assert done.max() < 1.001


def test_pmsg_rated_point_and_step():
    data = Pmsg()
    z = data.steady(65_530.0, 78.540)
    assert z[1] == pytest.approx(5402.8, rel=1e-4)
    law = pmsg(data, 64_310.0, 78.540)
    torque, zd = rates(law, 78.540, 1.0, 64_310.0, law.states)
    assert torque == pytest.approx(64_310.0, rel=1e-12)
    # the current loops settle; i_d is the only loop with an error at rest, and it is zero here
    assert np.abs(zd).max() < 1e-6 * 64_310.0
    reference = 0.8 * 64_310.0
    machine = electric(law, 4)
    time, torque = [], []
    for k in range(1200):
        electric_step(machine, k * 1e-3, 1e-3, 78.540, 0.0, reference, 1.0, 1.0, 1.0)
        time.append((k + 1) * 1e-3)
        torque.append(machine.torque[0])
    done = (64_310.0 - np.array(torque)) / (0.2 * 64_310.0)
    assert done.max() - 1 == pytest.approx(0.016, abs=0.003)
    outside = np.flatnonzero(np.abs(done - 1) > 0.02)
    assert time[outside[-1]] == pytest.approx(0.106, rel=0.03)


def test_refusals():
    with pytest.raises(ValueError, match="undamps the stator flux"):
        Dfig(order=5, current_bandwidth=400.0)
    with pytest.raises(ValueError, match="order 3 or 5"):
        Dfig(order=4)
    with pytest.raises(ValueError, match="above the limit"):
        Dfig().steady(2.0 * RATED, SPEED)
