"""Two Triton kernels, for tracing: a matrix product by tiles, and attention for one head that never stores its scores."""

import torch
import triton
import triton.language as tl


@triton.jit
def tiled_product(a, b, c, n: tl.constexpr, tile: tl.constexpr, depth: tl.constexpr):
    rows = tl.program_id(0) * tile + tl.arange(0, tile)
    columns = tl.program_id(1) * tile + tl.arange(0, tile)
    along = tl.arange(0, depth)
    total = tl.zeros((tile, tile), dtype=tl.float32)
    for start in range(0, n, depth):
        left = tl.load(a + rows[:, None] * n + (start + along)[None, :])
        right = tl.load(b + (start + along)[:, None] * n + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * n + columns[None, :], total)


@triton.jit
def attention(q, k, v, out, scale, length: tl.constexpr, width: tl.constexpr, tile: tl.constexpr):
    rows = tl.program_id(0) * tile + tl.arange(0, tile)
    inner = tl.arange(0, width)
    queries = tl.load(q + rows[:, None] * width + inner[None, :])
    highest = tl.full((tile,), float("-inf"), tl.float32)
    weight = tl.zeros((tile,), tl.float32)
    result = tl.zeros((tile, width), tl.float32)
    for start in range(0, length, tile):
        keys = start + tl.arange(0, tile)
        scores = tl.dot(queries, tl.load(k + keys[None, :] * width + inner[:, None])) * scale
        higher = tl.maximum(highest, tl.max(scores, 1))
        shares = tl.exp(scores - higher[:, None])
        shrink = tl.exp(highest - higher)
        weight = weight * shrink + tl.sum(shares, 1)
        values = tl.load(v + keys[:, None] * width + inner[None, :])
        result = result * shrink[:, None] + tl.dot(shares.to(tl.float16), values)
        highest = higher
    tl.store(out + rows[:, None] * width + inner[None, :], result / weight[:, None])


torch.manual_seed(1)
n = 512
a, b = (torch.randn(n, n, device="cuda").half() for _ in range(2))
c = torch.empty(n, n, device="cuda")
tiled_product[(n // 64, n // 64)](a, b, c, n, 64, 32)
length, width = 512, 64
q, k, v = (torch.randn(length, width, device="cuda").half() for _ in range(3))
out = torch.empty(length, width, device="cuda")
attention[(length // 64,)](q, k, v, out, width ** -0.5, length, width, 64)
torch.cuda.synchronize()
print("tiled_product", float((c - a.float() @ b.float()).abs().max()))
exact = torch.softmax(q.float() @ k.float().t() * width ** -0.5, 1) @ v.float()
print("attention", float((out - exact).abs().max()))
