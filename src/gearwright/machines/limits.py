"""Integrators of controllers whose reference is limited."""

from gearwright.kernels import hot

#: width of the band beyond a limit over which an integrator comes to rest, by the largest current
BAND = 0.005


@hot
def going_on(wanted, rate, limit, most):  # type: ignore[no-untyped-def]
    """Share of its rate with which an integrator goes on: none where what is ``wanted`` is beyond its limit and moves out.

    It fades over a narrow band: a rate that jumped would let a limit that recedes chatter, and no step would be short enough.
    """
    beyond = abs(wanted) - limit
    if beyond <= 0.0 or rate * wanted <= 0.0:
        return 1.0
    return max(1.0 - beyond / (BAND * most), 0.0)
