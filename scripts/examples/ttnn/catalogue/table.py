# SPDX-License-Identifier: Apache-2.0
"""The operations of the catalogue: names of ttnn, and the operands that each is given.

An operation is called as ttnn documents it, and so is the function of torch that ttnn registers for
it (its golden function), with the same operands. `Rows` are tensors that go to the device.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SHAPE = (1, 1, 64, 64)  # four tiles


@dataclass(frozen=True)
class Rows:
    """A tensor: of random numbers between two bounds, or of whole numbers if `dtype` says so."""

    low: float = -3.0
    high: float = 3.0
    shape: tuple[int, ...] = SHAPE
    dtype: str = "bfloat16"  # of ttnn
    layout: str = "TILE_LAYOUT"


@dataclass(frozen=True)
class Operation:
    """A call: operands in their order, and by name."""

    name: str
    operands: tuple[Any, ...]
    named: dict[str, Any] = field(default_factory=dict)
    # Correlation with torch below which a result is wrong; 0: only shape and run are looked at.
    correlation: float = 0.99
    # The function of torch, where the registered one needs files of tt-metal's tests.
    golden: Callable[..., Any] | None = None


ANY, POSITIVE, UNIT, SMALL = Rows(), Rows(0.1, 4.0), Rows(-0.9, 0.9), Rows(-1.5, 1.5)
PORTION, ABOVE_1, OFF_ZERO = Rows(0.1, 0.9), Rows(1.1, 4.0), Rows(0.5, 4.0)
WHOLE = Rows(0, 100, dtype="int32")
GRADIENT = Rows(-1.0, 1.0)

_OF_ANY = """abs asinh atan cbrt ceil celu cos deg2rad elu erf erfc exp exp2 expm1 floor frac gelu
hardmish hardsigmoid hardswish hardtanh i0 i1 identity isfinite isinf isnan isneginf isposinf
log_sigmoid logical_not mish neg rad2deg relu relu6 selu sigmoid sigmoid_accurate sign
signbit silu sin softplus softshrink hardshrink softsign square swish tanh tanhshrink trunc eqz nez
gez gtz lez ltz round tril triu clone"""
_OF_SMALL = "cosh sinh tan"
_OF_UNIT = "acos asin atanh erfinv"
_OF_POSITIVE = "log log10 log1p log2 reciprocal rsqrt sqrt digamma lgamma"
_TWO = """add subtract multiply maximum minimum eq ne gt ge lt le logical_and logical_or logical_xor
squared_difference logaddexp logaddexp2 atan2 hypot isclose rsub nextafter bias_gelu outer"""
_TWO_POSITIVE = "div divide div_no_nan xlogy floor_div fmod remainder pow"
_IN_PLACE = """add_ subtract_ multiply_ eq_ ne_ gt_ ge_ lt_ le_ logical_and_ logical_or_
logical_xor_ squared_difference_ logaddexp_ logaddexp2_ bias_gelu_"""
_BACK = """abs asinh atan ceil celu cos deg2rad elu erf erfc exp exp2 expm1 floor frac gelu
hardshrink hardsigmoid hardswish hardtanh i0 leaky_relu log_sigmoid rad2deg relu relu6 round selu
sigmoid sign silu sin softplus softshrink softsign square tanh tanhshrink trunc fill_zero neg"""
_BACK_POSITIVE = "log log10 log1p log2 reciprocal rsqrt sqrt digamma lgamma"
_BACK_TWO = """add sub mul div max min squared_difference logaddexp logaddexp2 atan2 hypot xlogy
rsub remainder fmod ldexp assign"""


def _each(names: str, *operands: Any, suffix: str = "") -> list[Operation]:
    return [Operation(name + suffix, operands) for name in names.split()]


def _with_parameters() -> list[Operation]:
    """Element by element, with a parameter besides."""
    return [
        Operation("acosh", (ABOVE_1,)),
        Operation("multigammaln", (Rows(2.0, 6.0),)),
        Operation("logit", (PORTION,), {"eps": 0.01}),
        Operation("leaky_relu", (ANY, 0.1)),
        Operation("relu_max", (ANY, 1.5)),
        Operation("relu_min", (ANY, 0.5)),
        Operation("heaviside", (ANY, 0.5)),
        Operation("clamp", (ANY, -1.0, 1.0)),
        Operation("clip", (ANY, -1.0, 1.0)),
        Operation("polygamma", (OFF_ZERO, 2)),
        Operation("prelu", (ANY, 0.25)),
        Operation("threshold", (ANY, 0.5, 2.0)),
        Operation("fill", (ANY, 1.5)),
        Operation("rdiv", (OFF_ZERO, 2.0)),
        Operation("rpow", (ANY, 2.0)),
        Operation("polyval", (SMALL, [1.0, 2.0, 0.5])),
        Operation("softcap", (ANY, 5.0)),
        Operation("addalpha", (ANY, ANY, 2.0)),
        Operation("subalpha", (ANY, ANY, 2.0)),
        Operation("lerp", (ANY, ANY, 0.25)),
        Operation("mac", (ANY, ANY, ANY)),
        Operation("addcmul", (ANY, ANY, ANY), {"value": 0.5}),
        Operation("addcdiv", (ANY, ANY, OFF_ZERO), {"value": 0.5}),
        Operation("where", (Rows(0, 2, dtype="whole"), ANY, ANY)),
        Operation("ldexp", (ANY, Rows(-2, 3, dtype="whole"))),
        Operation("glu", (ANY,)),
        Operation("reglu", (ANY,)),
        Operation("geglu", (ANY,)),
        Operation("swiglu", (ANY,)),
        Operation("std_hw", (ANY,)),
        Operation("var_hw", (ANY,)),
        Operation("normalize_hw", (ANY,)),
        Operation("normalize_global", (ANY,)),
        Operation("l1_loss", (ANY, ANY)),
        Operation("mse_loss", (ANY, ANY)),
        *_each("bitwise_and bitwise_or bitwise_xor gcd lcm", Rows(1, 60, dtype="int32"), WHOLE),
        Operation("bitwise_not", (WHOLE,)),
        Operation("bitwise_left_shift", (WHOLE, 3)),
        Operation("bitwise_right_shift", (WHOLE, 2)),
        Operation("logical_left_shift", (WHOLE, 3)),
        Operation("logical_right_shift", (WHOLE, 2)),
    ]


def _backward() -> list[Operation]:
    """The gradients: that of the result first."""
    return [
        *_each(_BACK, GRADIENT, ANY, suffix="_bw"),
        *_each("cosh sinh tan", GRADIENT, SMALL, suffix="_bw"),
        *_each(_OF_UNIT, GRADIENT, UNIT, suffix="_bw"),
        *_each(_BACK_POSITIVE, GRADIENT, POSITIVE, suffix="_bw"),
        *_each(_BACK_TWO, GRADIENT, POSITIVE, POSITIVE, suffix="_bw"),
        Operation(
            "acosh_bw",
            (GRADIENT, ABOVE_1),
            golden=lambda gradient, x: gradient / (x * x - 1).sqrt(),
        ),
        Operation("pow_bw", (GRADIENT, POSITIVE, 3.0)),
        Operation("rpow_bw", (GRADIENT, ANY, 2.0)),
        Operation("fill_bw", (GRADIENT, ANY)),
        Operation("logit_bw", (GRADIENT, PORTION)),
        Operation("multigammaln_bw", (GRADIENT, Rows(2.0, 6.0))),
        Operation("polygamma_bw", (GRADIENT, OFF_ZERO, 2)),
        Operation("clamp_bw", (GRADIENT, ANY, -1.0, 1.0)),
        Operation("addalpha_bw", (GRADIENT, ANY, ANY, 2.0)),
        Operation("subalpha_bw", (GRADIENT, ANY, ANY, 2.0)),
        Operation("lerp_bw", (GRADIENT, ANY, ANY, 0.25)),
        Operation("addcmul_bw", (GRADIENT, ANY, ANY, ANY, 0.5)),
        Operation("addcdiv_bw", (GRADIENT, ANY, ANY, OFF_ZERO, 0.5)),
        Operation("where_bw", (GRADIENT, Rows(0, 2, dtype="whole"), ANY, ANY)),
    ]


def operations() -> list[Operation]:
    """Return all, in the order of the table."""
    from shapes import moving  # beside this file, which ttnn's Python starts

    return [
        *_each(_OF_ANY, ANY),
        *_each(_OF_SMALL, SMALL),
        *_each(_OF_UNIT, UNIT),
        *_each(_OF_POSITIVE, POSITIVE),
        *_each(_TWO, ANY, ANY),
        *_each(_TWO_POSITIVE, POSITIVE, OFF_ZERO),
        *_each(_IN_PLACE, ANY, ANY),
        Operation("divide_", (ANY, OFF_ZERO)),
        Operation("ldexp_", (ANY, Rows(-2, 3, dtype="whole"))),
        *_with_parameters(),
        *moving(),
        *_backward(),
    ]
