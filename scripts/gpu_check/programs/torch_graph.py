"""A program for tracing. PyTorch runs a matrix product on a side stream, then captures it in a CUDA graph together with a
softmax, and replays the graph. With `wait` the program then idles until it is ended."""

import sys
import time

import torch

linear = torch.nn.Linear(2048, 2048, bias=False).cuda().half()
x = torch.randn(8, 2048, device="cuda", dtype=torch.half)
side = torch.cuda.Stream()
with torch.no_grad(), torch.cuda.stream(side):
    for _ in range(3):
        y = linear(x)
torch.cuda.synchronize()
graph = torch.cuda.CUDAGraph()
with torch.no_grad(), torch.cuda.graph(graph):
    y = torch.softmax(linear(x), 1)
for _ in range(3):
    graph.replay()
torch.cuda.synchronize()
print("sum", round(float(y.float().sum()), 2), flush=True)
if "wait" in sys.argv:
    time.sleep(600)
