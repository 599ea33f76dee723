# SPDX-License-Identifier: Apache-2.0
"""A decoder layer of Llama with its key/value cache, of the size of Llama 3.2 1B: 32 tokens are
prefilled, and then one is decoded.

SIZE=small in the environment makes it a quarter as wide.
"""

import os

import torch
import ttnn

HEAD, EPSILON, CACHE, PROMPT = 64, 1e-5, 64, 32
HIDDEN, INNER = (512, 2048) if os.environ.get("SIZE") == "small" else (2048, 8192)
HEADS = HIDDEN // HEAD
KEYS = HEADS // 4  # heads that have keys and values
THETA = 500000.0


class Layer(torch.nn.Module):
    """The layer in torch, for all tokens at once."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.RMSNorm(HIDDEN, eps=EPSILON)
        self.qkv = torch.nn.Linear(HIDDEN, (HEADS + 2 * KEYS) * HEAD, bias=False)
        self.out = torch.nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.norm_of_inner = torch.nn.RMSNorm(HIDDEN, eps=EPSILON)
        self.gate = torch.nn.Linear(HIDDEN, INNER, bias=False)
        self.up = torch.nn.Linear(HIDDEN, INNER, bias=False)
        self.down = torch.nn.Linear(INNER, HIDDEN, bias=False)

    def forward(self, x):
        tokens = x.shape[1]
        heads = self.qkv(self.norm(x)).view(1, tokens, HEADS + 2 * KEYS, HEAD).transpose(1, 2)
        query, key, value = heads.split([HEADS, KEYS, KEYS], dim=1)
        cosines, sines = angles(tokens)
        query, key = (each * cosines + half_turned(each) * sines for each in (query, key))
        context = torch.nn.functional.scaled_dot_product_attention(
            query, key, value, is_causal=True, enable_gqa=True
        )
        x = x + self.out(context.transpose(1, 2).reshape(1, tokens, HIDDEN))
        y = self.norm_of_inner(x)
        return x + self.down(torch.nn.functional.silu(self.gate(y)) * self.up(y))


def angles(tokens):
    """Return the cosines and sines of rotary embedding, for each token and each value of a head."""
    frequencies = THETA ** (-torch.arange(0, HEAD, 2) / HEAD)
    turns = torch.outer(torch.arange(tokens), frequencies).repeat(1, 2)
    return turns.cos()[None, None], turns.sin()[None, None]


def half_turned(x):
    """Return the second half of each row, negative, before the first."""
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def reference():
    """Make the layer of torch, and its input: the prompt, and a token after it."""
    return Layer(), (torch.randn(1, PROMPT + 1, HIDDEN),)


class OnDevice:
    """The layer by ttnn: its weights and its cache are on the device."""

    def __init__(self, model, device):
        self._device = device
        self._weights = {
            name: self.put(each.T.contiguous() if each.ndim == 2 else each.reshape(1, -1))
            for name, each in model.named_parameters()
        }
        empty = torch.zeros(1, KEYS, CACHE, HEAD)
        self._keys, self._values = self.put(empty), self.put(empty)
        self._precise = ttnn.init_device_compute_kernel_config(
            device.arch(),
            math_fidelity=ttnn.MathFidelity.HiFi4,
            fp32_dest_acc_en=True,
            packer_l1_acc=True,
        )

    def put(self, values):
        """Put values onto the device."""
        return ttnn.from_torch(
            values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=self._device
        )

    def linear(self, x, name):
        """Multiply by the weights of a layer."""
        weight = self._weights[f"{name}.weight"]
        return ttnn.linear(x, weight, compute_kernel_config=self._precise)

    def normalised(self, x, name):
        """Divide by the root of the mean of the squares."""
        return ttnn.rms_norm(
            x,
            epsilon=EPSILON,
            weight=self._weights[f"{name}.weight"],
            compute_kernel_config=self._precise,
        )

    def rotated(self, x, first, tokens):
        """Rotate pairs of values by the angles of their tokens, the first of which has a number."""
        cosines, sines = (
            self.put(each[:, :, first : first + tokens]) for each in angles(first + tokens)
        )
        batch, heads, rows, _ = x.shape
        low = ttnn.slice(x, [0, 0, 0, 0], [batch, heads, rows, HEAD // 2])
        high = ttnn.slice(x, [0, 0, 0, HEAD // 2], [batch, heads, rows, HEAD])
        turned = ttnn.concat([ttnn.neg(high), low], dim=-1)
        return ttnn.add(ttnn.multiply(x, cosines), ttnn.multiply(turned, sines))

    def heads(self, x, first, tokens):
        """Return query, key and value, of a head each; query and key are rotated."""
        query, key, value = ttnn.transformer.split_query_key_value_and_split_heads(
            self.linear(self.normalised(x, "norm"), "qkv"),
            num_heads=HEADS,
            num_kv_heads=KEYS,
            transpose_key=False,
        )
        return self.rotated(query, first, tokens), self.rotated(key, first, tokens), value

    def rest(self, x, context):
        """Do what follows the attention."""
        x = ttnn.add(x, self.linear(context, "out"))
        y = self.normalised(x, "norm_of_inner")
        gate = ttnn.silu(self.linear(y, "gate"))
        return ttnn.add(x, self.linear(ttnn.multiply(gate, self.linear(y, "up")), "down"))

    def prefill(self, x):
        """Run the prompt, and fill the cache."""
        query, key, value = self.heads(x, 0, PROMPT)
        ttnn.kv_cache.fill_cache_for_user_(self._keys, key, 0)
        ttnn.kv_cache.fill_cache_for_user_(self._values, value, 0)
        context = ttnn.transformer.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.rest(x, ttnn.transformer.concatenate_heads(context))

    def decode(self, x, position):
        """Run one token; its key and value go into the cache."""
        query, key, value = self.heads(x, position, 1)
        ttnn.kv_cache.update_cache_for_token_(self._keys, key, position)
        ttnn.kv_cache.update_cache_for_token_(self._values, value, position)
        context = ttnn.transformer.scaled_dot_product_attention_decode(
            ttnn.permute(query, (0, 2, 1, 3)), self._keys, self._values, cur_pos=[position]
        )
        return self.rest(x, ttnn.reshape(context, (1, 1, HIDDEN)))


def run(model, operands, device):
    """Run the same by ttnn; return what it makes, as torch's."""
    (tokens,) = operands
    layer = OnDevice(model, device)
    prompt = ttnn.to_torch(layer.prefill(layer.put(tokens[:, :PROMPT])))
    token = ttnn.to_torch(layer.decode(layer.put(tokens[:, PROMPT:]), PROMPT))
    return torch.cat([prompt.reshape(1, PROMPT, HIDDEN), token.reshape(1, 1, HIDDEN)], dim=1)
