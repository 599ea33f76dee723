# SPDX-License-Identifier: Apache-2.0
"""A multilayer perceptron: three linear layers with ReLU between them, for images of 28 by
28, as MNIST has them."""

import torch
import ttnn

BATCH, INPUT, HIDDEN, CLASSES = 64, 28 * 28, 256, 10


def reference():
    """Make the model of torch, and its input."""
    model = torch.nn.Sequential(
        torch.nn.Linear(INPUT, HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, HIDDEN),
        torch.nn.ReLU(),
        torch.nn.Linear(HIDDEN, CLASSES),
    )
    return model, (torch.rand(BATCH, INPUT),)


def run(model, operands, device):
    """Run the same by ttnn; return what it makes, as torch's."""
    (images,) = operands
    x = ttnn.from_torch(images, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    layers = [layer for layer in model if isinstance(layer, torch.nn.Linear)]
    for number, layer in enumerate(layers):
        weight, bias = (
            ttnn.from_torch(each, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
            for each in (layer.weight.T.contiguous(), layer.bias.reshape(1, -1))
        )
        x = ttnn.linear(x, weight, bias=bias)
        if number + 1 < len(layers):
            x = ttnn.relu(x)
    return ttnn.to_torch(x)
