# SPDX-License-Identifier: Apache-2.0
"""A bottleneck block of ResNet-50, of its first stage: convolutions of 1 by 1, 3 by 3, 1 by 1, with
the batch normalisations folded into them, and the residual."""

import torch
import ttnn

PIXELS, WIDE, NARROW = 56, 256, 64


class Block(torch.nn.Module):
    """The block in torch."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Conv2d(WIDE, NARROW, 1)
        self.middle = torch.nn.Conv2d(NARROW, NARROW, 3, padding=1)
        self.last = torch.nn.Conv2d(NARROW, WIDE, 1)

    def forward(self, x):
        y = torch.relu(self.first(x))
        y = torch.relu(self.middle(y))
        return torch.relu(x + self.last(y))


def reference():
    """Make the block of torch, and its input."""
    return Block(), (torch.randn(1, WIDE, PIXELS, PIXELS),)


def run(model, operands, device):
    """Run the same by ttnn, which has channels last; return what it makes, as torch's."""
    (image,) = operands
    rows = image.permute(0, 2, 3, 1).reshape(1, 1, -1, WIDE)
    x = ttnn.from_torch(rows, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def convolved(x, layer, activation=None):
        weight, bias = (
            ttnn.from_torch(each, dtype=ttnn.bfloat16)
            for each in (layer.weight, layer.bias.reshape(1, 1, 1, -1))
        )
        return ttnn.conv2d(
            input_tensor=x,
            weight_tensor=weight,
            bias_tensor=bias,
            device=device,
            in_channels=layer.in_channels,
            out_channels=layer.out_channels,
            batch_size=1,
            input_height=PIXELS,
            input_width=PIXELS,
            kernel_size=layer.kernel_size,
            stride=layer.stride,
            padding=layer.padding,
            dtype=ttnn.bfloat16,
            conv_config=ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, activation=activation),
        )

    relu = ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)
    y = convolved(x, model.first, relu)
    y = convolved(y, model.middle, relu)
    y = ttnn.to_memory_config(convolved(y, model.last), ttnn.DRAM_MEMORY_CONFIG)
    y = ttnn.relu(ttnn.add(x, y))
    return ttnn.to_torch(y).reshape(1, PIXELS, PIXELS, WIDE).permute(0, 3, 1, 2)
