# SPDX-License-Identifier: Apache-2.0
"""The operations of the catalogue that reduce, move, multiply, normalise and attend."""

from collections.abc import Callable
from typing import Any

from table import ANY, PORTION, POSITIVE, Operation, Rows

IN_ROWS = Rows(layout="ROW_MAJOR_LAYOUT")
HEADS = Rows(-1, 1, (1, 4, 64, 32))
IMAGE = Rows(-1, 1, (1, 1, 64, 32), layout="ROW_MAJOR_LAYOUT")  # 8 x 8 pixels of 32 channels
CHOICES = Rows(0, 60, (1, 32), "uint32", "ROW_MAJOR_LAYOUT")
POOL = {"batch_size": 1, "input_h": 8, "input_w": 8, "channels": 32, "kernel_size": [2, 2]}
POOL |= {"stride": [2, 2], "padding": [0, 0]}


def _pooled(function: str) -> Callable[..., Any]:
    """Return a function that makes one pixel of each 2 x 2, for an image of POOL."""

    def pool(image: Any, **_: Any) -> Any:
        pixels = image.reshape(4, 2, 4, 2, 32)
        return getattr(getattr(pixels, function)(dim=3), function)(dim=1)

    return pool


def moving() -> list[Operation]:
    """Return all of them."""
    return [*_reductions(), *_moves(), *_products(), *_made(), *_moreh()]


def _reductions() -> list[Operation]:
    return [
        *(Operation(name, (ANY,), {"dim": -1}) for name in ("sum", "mean", "max", "min")),
        *(Operation(name, (ANY,), {"dim": -2}) for name in ("sum", "mean", "max", "min")),
        Operation("std", (ANY,), {"dim": -1}),
        Operation("var", (ANY,), {"dim": -1}),
        Operation("prod", (Rows(0.8, 1.2),), {"dim": 3}),
        Operation("argmax", (IN_ROWS,), {"dim": -1}),
        Operation("topk", (ANY, 32), {"dim": -1}, 0.9),
        Operation("sort", (ANY,), {"dim": -1}, 0.9),
        Operation("cumsum", (ANY,), {"dim": 2}),
        Operation("cumprod", (Rows(0.8, 1.2),), {"dim": 2}),
        Operation("softmax", (ANY,), {"dim": -1}),
        Operation("softmax_in_place", (ANY,)),
        Operation("layer_norm", (ANY,), {"epsilon": 1e-5}),
        Operation("rms_norm", (ANY,), {"epsilon": 1e-5}),
    ]


def _moves() -> list[Operation]:
    return [
        Operation("transpose", (ANY, 2, 3)),
        Operation("permute", (ANY, (0, 2, 1, 3))),
        Operation("reshape", (ANY, (1, 1, 32, 128))),
        Operation("view", (ANY, (1, 2, 32, 64))),
        Operation("unsqueeze_to_4D", (Rows(shape=(64, 64)),)),
        Operation("squeeze", (ANY, 0)),
        Operation("unsqueeze", (Rows(shape=(64, 64)), 0)),
        Operation("expand", (Rows(shape=(1, 1, 1, 64)), (1, 1, 32, 64))),
        Operation("repeat", (ANY, (1, 1, 2, 1))),
        Operation("repeat_interleave", (ANY, 2), {"dim": 2}),
        Operation("concat", ([ANY, ANY],), {"dim": 3}),
        Operation("stack", ([ANY, ANY],), {"dim": 0}),
        Operation("split", (ANY, 32), {"dim": 3}),
        Operation("chunk", (ANY, 2), {"dim": 3}),
        Operation("slice", (ANY, [0, 0, 0, 0], [1, 1, 32, 32])),
        Operation("narrow", (ANY, 2, 0, 32)),
        Operation("pad", (ANY, [(0, 0), (0, 0), (0, 32), (0, 32)], 1.0)),
        Operation("roll", (ANY, 5, 3)),
        Operation("gather", (ANY, 3), {"index": Rows(0, 60, (1, 1, 64, 32), "uint32")}),
        Operation("embedding", (CHOICES, IN_ROWS_2D)),
        Operation("tilize", (IN_ROWS,)),
        Operation("untilize", (ANY,)),
        Operation(
            "tilize_with_zero_padding", (Rows(shape=(1, 1, 40, 40), layout="ROW_MAJOR_LAYOUT"),)
        ),
        Operation("assign", (ANY,), {"memory_config": "L1_MEMORY_CONFIG"}),
        Operation("to_memory_config", (ANY, "L1_MEMORY_CONFIG")),
        Operation("typecast", (ANY, "float32")),
        Operation("bernoulli", (PORTION,), {}, 0),
        Operation("upsample", (Rows(shape=(1, 8, 8, 32), layout="ROW_MAJOR_LAYOUT"), 2)),
        Operation("fold", (Rows(shape=(1, 8, 8, 32), layout="ROW_MAJOR_LAYOUT"), 2, 2)),
        Operation("max_pool2d", (IMAGE,), {**POOL, "dilation": [1, 1]}, golden=_pooled("amax")),
        Operation("avg_pool2d", (IMAGE,), POOL, golden=_pooled("mean")),
    ]


IN_ROWS_2D = Rows(shape=(64, 64), layout="ROW_MAJOR_LAYOUT")


def _products() -> list[Operation]:
    bias = Rows(shape=(1, 1, 1, 64))
    return [
        Operation("matmul", (ANY, ANY)),
        Operation("linear", (ANY, ANY), {"bias": bias}),
        Operation("addmm", (Rows(shape=(64, 64)),) * 3),
        Operation("transformer.scaled_dot_product_attention", (HEADS,) * 3, {"is_causal": True}),
        Operation("transformer.concatenate_heads", (HEADS,)),
        Operation("transformer.split_query_key_value_and_split_heads",
                  (Rows(shape=(1, 64, 384)),), {"num_heads": 4}),
        Operation("transformer.attention_softmax", (Rows(-1, 1, (1, 4, 64, 64)),),
                  {"head_size": 32, "attention_mask": Rows(0, 0, (1, 1, 1, 64))}),
    ]  # fmt: skip


def _made() -> list[Operation]:
    return [
        Operation("zeros_like", (ANY,)),
        Operation("ones_like", (ANY,)),
        Operation("full_like", (ANY, 2.5)),
        Operation("zeros", ((64, 64),), {"layout": "TILE_LAYOUT"}),
        Operation("ones", ((64, 64),), {"layout": "TILE_LAYOUT"}),
        Operation("full", ((64, 64), 2.5), {"layout": "TILE_LAYOUT"}),
        Operation("arange", (0, 64, 1), {}),
        Operation("rand", ([64, 64], "device"), {}, 0),
        Operation("uniform", (POSITIVE, 0.0, 1.0), {}, 0),
    ]


def _moreh() -> list[Operation]:
    row = Rows(shape=(1, 1, 1, 64))
    return [
        Operation("moreh_sum", (ANY,), {"dim": 3}),
        Operation("moreh_mean", (ANY,), {"dim": 3}),
        Operation("moreh_cumsum", (ANY, 2)),
        Operation("moreh_norm", (ANY, 2.0), {"dim": 3}),
        Operation("moreh_softmax", (ANY, 3)),
        Operation("moreh_softmin", (ANY, 3)),
        Operation("moreh_logsoftmax", (ANY, 3)),
        Operation("moreh_matmul", (ANY, ANY)),
        Operation("moreh_dot", (row, row)),
        Operation("moreh_abs_pow", (POSITIVE, 2.0)),
        Operation("moreh_full", ((64, 64), 2.5, "device")),
        Operation("moreh_full_like", (ANY, 2.5)),
    ]
