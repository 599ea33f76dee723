# SPDX-License-Identifier: Apache-2.0
"""An encoder layer of BERT, of the size of bert-base: attention of 12 heads, then a feed-forward
network, each with a residual and layer normalisation."""

import torch
import ttnn

TOKENS, HIDDEN, HEADS, INNER, EPSILON = 128, 768, 12, 3072, 1e-12


class Layer(torch.nn.Module):
    """The layer in torch."""

    def __init__(self):
        super().__init__()
        self.qkv = torch.nn.Linear(HIDDEN, 3 * HIDDEN)
        self.out = torch.nn.Linear(HIDDEN, HIDDEN)
        self.norm = torch.nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.up = torch.nn.Linear(HIDDEN, INNER)
        self.down = torch.nn.Linear(INNER, HIDDEN)
        self.norm_of_output = torch.nn.LayerNorm(HIDDEN, eps=EPSILON)

    def forward(self, x):
        batch, tokens, _ = x.shape
        split = self.qkv(x).view(batch, tokens, 3, HEADS, HIDDEN // HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-2, -1) / (HIDDEN // HEADS) ** 0.5
        context = (scores.softmax(-1) @ value).transpose(1, 2).reshape(batch, tokens, HIDDEN)
        x = self.norm(x + self.out(context))
        inner = torch.nn.functional.gelu(self.up(x))
        return self.norm_of_output(x + self.down(inner))


def reference():
    """Make the layer of torch, and its input."""
    return Layer(), (torch.randn(1, TOKENS, HIDDEN),)


def run(model, operands, device):
    """Run the same by ttnn; return what it makes, as torch's."""

    def put(values):
        return ttnn.from_torch(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

    def linear(x, layer, activation=None):
        weight, bias = put(layer.weight.T.contiguous()), put(layer.bias.reshape(1, -1))
        return ttnn.linear(x, weight, bias=bias, activation=activation)

    def normalised(x, layer):
        weight, bias = put(layer.weight.reshape(1, -1)), put(layer.bias.reshape(1, -1))
        return ttnn.layer_norm(x, epsilon=EPSILON, weight=weight, bias=bias)

    x = put(operands[0])
    query, key, value = ttnn.transformer.split_query_key_value_and_split_heads(
        linear(x, model.qkv), num_heads=HEADS
    )
    scores = ttnn.matmul(query, key)
    scores = ttnn.multiply(scores, (HIDDEN // HEADS) ** -0.5)
    context = ttnn.matmul(ttnn.softmax(scores, dim=-1), value)
    context = ttnn.transformer.concatenate_heads(context)
    x = normalised(ttnn.add(x, linear(context, model.out)), model.norm)
    inner = ttnn.gelu(linear(x, model.up))
    x = normalised(ttnn.add(x, linear(inner, model.down)), model.norm_of_output)
    return ttnn.to_torch(x)
