"""Kernels that PyTorch and cuBLAS launch, for tracing: prints the largest errors against the CPU, which tracing must not change."""

import sys

import torch

n = int(sys.argv[1]) if len(sys.argv) > 1 else 512
torch.backends.cuda.matmul.allow_tf32 = False
torch.manual_seed(1)
a, b = torch.randn(n, n), torch.randn(n, n)
x, y = a.cuda(), b.cuda()

sgemm = x @ y
bf16 = x.bfloat16() @ y.bfloat16()
torch.backends.cuda.matmul.allow_tf32 = True
tf32 = x @ y
softmax = torch.softmax(x, dim=1)
layer_norm = torch.nn.functional.layer_norm(x, (n,))
transposed = x.t().contiguous()
torch.cuda.synchronize()

exact = a.double() @ b.double()
for name, ours, true in (("sgemm", sgemm, exact), ("bf16", bf16, exact), ("tf32", tf32, exact),
                         ("softmax", softmax, torch.softmax(a, 1)),
                         ("layer_norm", layer_norm, torch.nn.functional.layer_norm(a, (n,))),
                         ("transposed", transposed, a.t())):
    print(name, float((ours.cpu().double() - true.double()).abs().max()))
