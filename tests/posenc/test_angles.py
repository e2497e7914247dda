"""The addition of angles, against turns that are computed with ninety digits."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edukit.posenc import _angles as angles

PI = Decimal(
    "3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253"
)
FAR = 2**53


def geometric_radians(base, steps, pair):
    return (Decimal(base).ln() * -pair / steps).exp()


def true_turn(position, radians):
    """The unit number at the angle of position times frequency, reduced before it is a float."""
    with localcontext() as context:
        context.prec = 90
        angle = float(Decimal(position) * radians() % (2 * PI))
    return complex(math.cos(angle), math.sin(angle))


def test_turns_per_radian_is_one_over_two_pi():
    """By Machin's formula, in integers."""
    one = 10**100

    def arctangent_of_reciprocal(number):
        total = term = one // number
        divisor, sign = 1, 1
        while term:
            term //= number * number
            divisor, sign = divisor + 2, -sign
            total += sign * (term // divisor)
        return total

    pi = 4 * (4 * arctangent_of_reciprocal(5) - arctangent_of_reciprocal(239))
    # Floor division by a pi that is good to some 98 digits leaves all 256 places right.
    assert 2**256 * one // (2 * pi) == angles.TURNS_PER_RADIAN


near = st.integers(-8192, 8192)
far = st.sampled_from([-FAR, FAR, 1 - FAR, FAR - 1, 2**31, 2**31 - 1, -(2**31)]) | st.integers(-FAR, FAR)
between = st.floats(-1e4, 1e4) | st.floats(-(2.0**50), 2.0**50)


@settings(deadline=None)
@given(position=near | far | between, base=st.sampled_from([1.0, 1.5, 10000.0, 5e5, 1e30]))
def test_turns_are_true_at_any_position(position, base):
    steps = 6
    double = angles.turns(np.array([position]), angles.geometric(base, steps, steps), np.complex128)[0]
    single = angles.turns(np.array([position]), angles.geometric(base, steps, steps))[0]
    for pair in range(steps):
        truth = true_turn(position, lambda pair=pair: geometric_radians(base, steps, pair))
        assert abs(double[pair] - truth) < 4e-15
        assert abs(single[pair].real - truth.real) < 2e-7
        assert abs(single[pair].imag - truth.imag) < 2e-7


@settings(deadline=None)
@given(position=near | far, radians=st.floats(-10, 10) | st.floats(-1e-9, 1e-9))
def test_given_frequencies_are_taken_exactly(position, radians):
    turn = angles.turns(np.array([position]), angles.exactly([radians, 0.5]), np.complex128)[0, 0]
    assert abs(turn - true_turn(position, lambda: Decimal(radians))) < 4e-15


@settings(deadline=None)
@given(base=st.sampled_from([1.0, 2.0, 10000.0, 1e300]), steps=st.integers(1, 40))
def test_geometric_frequencies_in_both_forms(base, steps):
    pairs = steps + 1
    frequencies = angles.geometric(base, steps, pairs)
    for pair in range(pairs):
        with localcontext() as context:
            context.prec = 120
            radians = geometric_radians(base, steps, pair)
            assert frequencies.radians[pair] == float(radians)
            turns = radians / (2 * PI) % 1 * 2**64
            found = int(frequencies.turns[pair]) + Decimal(float(frequencies.rest[pair]))
            assert abs(found - turns) < Decimal("1e-12")


@settings(deadline=None)
@given(
    first=st.integers(-5000, 5000) | st.integers(-(2**52), 2**52),
    count=st.integers(1, 700),
    pairs=st.integers(0, 9),
    dtype=st.sampled_from([np.complex64, np.complex128]),
    sine_first=st.booleans(),
)
def test_a_range_is_bitwise_the_same_positions_scattered(first, count, pairs, dtype, sine_first):
    frequencies = angles.geometric(10000.0, 9, pairs)
    run = angles.turns_of_range(first, count, frequencies, dtype, sine_first=sine_first)
    assert run.dtype == dtype
    some = np.array([0, count // 3, count - 1])
    scattered = angles.turns(first + some, frequencies, dtype, sine_first=sine_first)
    assert scattered.tobytes() == run[some].tobytes()
    for row in some:
        single = angles.turns(np.array(first + row), frequencies, dtype, sine_first=sine_first)
        assert single.shape == (pairs,)
        assert single.tobytes() == run[row].tobytes()


@settings(deadline=None)
@given(positions=st.lists(st.integers(-300, 300) | st.floats(-300, 300), max_size=9))
def test_sine_first_swaps_the_parts(positions):
    frequencies = angles.exactly([1.0, 0.3, -2.0])
    places = np.array(positions, dtype=np.float64)
    cosine_first = angles.turns(places, frequencies, np.complex128)
    sine_first = angles.turns(places, frequencies, np.complex128, sine_first=True)
    np.testing.assert_allclose(sine_first.imag, cosine_first.real, atol=1e-15)
    np.testing.assert_allclose(sine_first.real, cosine_first.imag, atol=1e-15)


@pytest.mark.parametrize("part", [1, 7, 64, 1 << 20])
def test_parts_do_not_show(part, monkeypatch):
    frequencies = angles.geometric(10000.0, 4, 4)
    places = np.concatenate([np.arange(-200, 200), np.arange(0, 9, 0.25), [2**40, -3]])
    scattered = angles.turns(places, frequencies)
    run = angles.turns_of_range(-5000, 9000, frequencies)
    monkeypatch.setattr(angles, "AT_ONCE", part)
    assert angles.turns(places, frequencies).tobytes() == scattered.tobytes()
    assert angles.turns_of_range(-5000, 9000, frequencies).tobytes() == run.tobytes()


def test_kept_frequencies_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        angles.geometric(10000.0, 4, 4).radians[0] = 2
